"""What kind of answer does a Chinese question ask for, and is an answer of that kind? By its question word.

``fits_kind`` is for answers that were looked for, ``wrong_kind`` for those of people: in doubt an answer fits there.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import takewhile

from kgsynth.base.thresholds import LIMITS
from kgsynth.language.chinese.characters import plain
from kgsynth.language.chinese.numbers import digits
from kgsynth.language.chinese.quantities import quantity
from kgsynth.language.chinese.segmentation import tokens
from kgsynth.language.chinese.text_forms import content_stems
from kgsynth.language.lengths import length_in_words

_KIND_WORDS_OF = (
    (
        "reason",
        r"(?<![称名编作算视选改译写设换变认定])为什么|为何|何以|凭什么|何故|怎么会|因何|(?:什么|何种|哪些?)(?:原因|理由|目的|缘故)",
    ),
    (
        "time",
        r"什么时[候间期]|何时|几时|啥时候|(?:哪|何)(?:一|个|几|段)?(?:年|天|日|月|季|时候|时间|时期|年代|世纪|朝代|期间|日期)|"
        r"什么(?:年代|年份|日期|时段)|第?几(?:月|点|号|日|年级?)|多久|多长时间|多少(?:时间|年|天|个?月|个?小时|分钟|秒|周|日(?![元圆币本]))",
    ),
    (
        "clause",
        r"(?:什么|何种|哪些?|怎样的?)(?:条件|情况|情形|前提)|会(?:怎样|怎么样|如何|发生什么|有什么后果|出现什么)",
    ),
    ("number", r"多少|几(?![乎内何里])|多[大高长远深宽重快厚]"),
    ("person", r"谁|(?:哪|何)(?:一|几|些|个)?(?:位|名|人)|什么人"),
    (
        "place",
        r"哪里|哪儿|何处|何地|在哪(?![一个些种几年两场部届座家本条支次国天月日类款项段位名所])|什么地[方点]|(?:哪|何)(?:一|个|些|座|几个)*(?:地方|地点|地区|城市|国家?|省|市|县)",
    ),
    ("manner", r"怎么样?|怎样|如何|何种方式|什么方[式法]"),
    ("thing", r"什么|啥|哪|何"),
)
"""The question words of each kind of answer; of those at the same place, the first in this order counts."""
_QUESTION_WORDS = tuple((kind, re.compile(pattern)) for kind, pattern in _KIND_WORDS_OF)
_OPENING_CONDITION = re.compile(r"^(?:如果|若|当|假如|倘若|一旦|只有|除非|在)[^,，]*[,，]")
_NUMBER = re.compile(
    r"\d|[零〇一二两三四五六七八九十百千万亿半几数双]|许多|很多|大量|多数|少数|全部|所有|唯一|无数|没有"
)
_TIME = re.compile(
    r"\d|[年月日天周时分秒季代朝]|世纪|星期|礼拜|时期|期间|之前|之后|以前|以后|[前后]$|初|末|春|夏|秋|冬|早|晚|夜|午|凌晨|"
    r"当时|同时|平时|随时|始终|从未|立即|马上|目前|现在|战争|战役|启动|运行|结束|开始|完成|每次|永远|节$"
)
_REASON = re.compile(r"因|由于|为了|以便|从而|使得|导致|所以|以免|避免|防止|鉴于|有利于|为|以")
_FIGURE = re.compile(r"[\d\s.,%$€£¥:/~–-]+(?:[年月日万亿元]|\d+月\d+日)*")
_ASKS_FIGURE = re.compile(
    r"数|率|量|额|价|值|度|年|日|月|时|期|代|朝|号|码|版本|比例|分|级|岁|默认|限|规模|寿命|高|长|宽|重|深|大小|成绩|名次|第|端口|身份|程度"
)
_NO_FIGURE = frozenset({"person", "place", "reason", "clause"})
_CHECKED = frozenset({"number", "time", "reason"})
_NO_TIME = re.compile(r"[$€£¥%]|\d元|[万亿]元|公里|千米|平方|[米克吨]$")
_KIND_NOUN = re.compile(
    r"(?:什么|多少|几|哪(?:[一二两三几])?(?:个|种|些|项|类|位|名|座|家|所|部|本|条|款|首|支|届|次|场|国|段|件)?|何种?)"
)
_ASKED_VALUE = re.compile(
    r"(?:目前|现在|大约|约|分别|主要|又|也|都|则|一共|共)*(?:是|为|有|在|叫|称|叫做|位于|等于)(?:在|于|由|以)?(?=什么|谁|哪|何|多少|几|怎|如何|\W*$)"
)
"""What stands between a noun and the question word that asks for its value."""
_DATE_NUMBER = re.compile(r"(\d+)\s*[年月日号]")
_KIND_WORDS = 2
_NOUNS = frozenset("n nz ns nt nr vn eng an nrt l j ng q t".split())
_NOUN_KINDS = frozenset({"person", "place", "thing"})


def answer_kind(question: str) -> str:
    """Return the kind of answer a question asks for, by its first question word; "" for none, as in 是否.

    A question word in a condition at the beginning does not count.

    Example:
        >>> answer_kind("如果下雨，有几台水泵运行？"), answer_kind("水泵是哪一年安装的？"), answer_kind("水泵坏了吗？")
        ('number', 'time', '')
    """
    text = plain(question)
    found = [
        (match.start(), order, kind)
        for order, (kind, pattern) in enumerate(_QUESTION_WORDS)
        for match in pattern.finditer(text)
    ]
    opening = _OPENING_CONDITION.match(text)
    later = [entry for entry in found if not opening or entry[0] >= opening.end()]
    return min(later or found)[2] if found else ""


def fits_kind(kind: str, answer: str) -> bool:
    """Check whether an answer is of a kind that ``answer_kind`` returned.

    Example:
        >>> fits_kind("number", "九台水泵"), fits_kind("time", "水泵"), fits_kind("reason", "由于停电")
        (True, False, True)
    """
    text = plain(answer)
    if kind == "number":
        return bool(_NUMBER.search(text))
    if kind == "time":
        return bool(_TIME.search(text))
    if kind == "reason":
        return bool(_REASON.search(text)) or length_in_words(text) >= LIMITS.reason_words
    if kind in {"person", "place"}:
        return not _FIGURE.fullmatch(digits(text))
    return bool(kind)


def wrong_kind(question: str, answers: Sequence[str]) -> str:
    """Return the kind of answer that a question asks for if no answer can be of that kind, "" otherwise.

    Example:
        >>> wrong_kind("李明住在哪里？", ["1843年"]), wrong_kind("李明住在哪里？", ["1843年", "北京"])
        ('place', '')
        >>> wrong_kind("李明是哪一年去世的？", ["伦敦"]), wrong_kind("谁领导团队？", ["3公里"])
        ('time', 'person')
    """
    kind = answer_kind(question)
    return kind if answers and all(_cannot_be(kind, answer.strip(), plain(question)) for answer in answers) else ""


def _cannot_be(kind: str, answer: str, question: str) -> bool:
    if kind in _CHECKED and not fits_kind(kind, answer):
        return True
    stated = quantity(answer)
    if kind in _NO_FIGURE:
        return bool(stated) or bool(_FIGURE.fullmatch(digits(answer)))
    if kind == "time":
        return bool(_NO_TIME.search(digits(answer))) and not re.search(r"[年月日天]", answer)
    return kind == "thing" and not _ASKS_FIGURE.search(question) and stated is not None and stated.dimension == "date"


def may_share(question: str, answer: str) -> Callable[[str], bool]:
    """Return a test for the stems of an answer that its question may hold too.

    These are the nouns after 什么 and 哪个, and the noun whose value is asked for (水箱的编号是什么); where a number or
    a time is asked for, everything but its figures; the dates of the question, unless it asks for a time. Of a name
    or noun phrase of two words, the question may hold the second, which says of what kind it is.

    Example:
        >>> free = may_share("水箱在哪个楼层？", "磨坊的地下楼层")
        >>> free("楼层"), free("水箱")
        (True, False)
        >>> may_share("水箱的编号是什么？", "编号是007")("编号")
        True
        >>> free = may_share("有多少台水泵？", "九台水泵")
        >>> free("水泵"), free("9")
        (True, False)
    """
    text = plain(question).lower()
    kind = answer_kind(question)
    dates = set(_DATE_NUMBER.findall(digits(text))) if kind != "time" else set()
    if kind in {"number", "time"} and any(map(str.isdigit, digits(answer))):
        return lambda word: not word[:1].isdigit() or word in dates
    asked_for = {*_kind_stems(text), *_attribute_stems(text), *dates}
    pair = content_stems(answer)
    if len(pair) == 2 and pair[0] not in asked_for and kind in _NOUN_KINDS:
        asked_for |= {pair[1]} & set(content_stems(question))
    return asked_for.__contains__


def _kind_stems(text: str) -> Iterator[str]:
    """Yield the stems of the nouns that follow a question word: 楼层 of 哪个楼层."""
    words = tokens(text)
    for match in _KIND_NOUN.finditer(text):
        following = [each for each in words if each.start >= match.end()][:_KIND_WORDS]
        for each in takewhile(lambda word: word.tag in _NOUNS, following):
            yield from content_stems(each.text)


def _attribute_stems(text: str) -> list[str]:
    """Return the stems of the noun before a question word whose value is asked for: 编号 of 水箱的编号是什么."""
    match = _ASKED_VALUE.search(text)
    before = [each for each in tokens(text[: match.start()]) if each.text.strip()] if match else []
    about = content_stems("".join(each.text for each in before[:-1]))
    return content_stems(before[-1].text) if before and about and before[-1].tag in _NOUNS | {"v"} else []
