"""Checks and counts of Chinese questions and answers: form, references, the kind of answer asked for."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import takewhile

from kgsynth.base.thresholds import LIMITS
from kgsynth.language.chinese.characters import plain, simplified
from kgsynth.language.chinese.lexicon import PATTERNS, WORDS
from kgsynth.language.chinese.numbers import digits
from kgsynth.language.chinese.quantities import quantity
from kgsynth.language.chinese.segmentation import Token, cut, tokens
from kgsynth.language.chinese.text_forms import content_stems
from kgsynth.language.lengths import length_in_words
from kgsynth.language.text_words import ANY
from kgsynth.language.words import HAN

# What kind of answer does a Chinese question ask for, and is an answer of that kind? By its question word.
#
# ``fits_kind`` is for answers that were looked for, ``wrong_kind`` for those of people: in doubt an answer fits
# there.

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
_REASON = re.compile(r"因|由于|为了|以便|从而|使得|导致|所以|以免|避免|防止|鉴于|有利于|为|以")
_FIGURE = re.compile(r"[\d\s.,%$€£¥:/~–-]+(?:[年月日万亿元]|\d+月\d+日)*")
_NO_FIGURE = frozenset({"person", "place", "reason", "clause"})
_CHECKED = frozenset({"number", "time", "reason"})
_NO_TIME = re.compile(r"[$€£¥%]|\d元|[万亿]元|公里|千米|平方|[米克吨]$")
_DATE_NUMBER = re.compile(r"(\d+)\s*[年月日号]")
_KIND_WORDS = 2
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
        return bool(PATTERNS["number"].search(text))
    if kind == "time":
        return bool(PATTERNS["time"].search(text))
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
    return (
        kind == "thing"
        and not PATTERNS["asks_figure"].search(question)
        and stated is not None
        and stated.dimension == "date"
    )


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
    words = tokens(text.rstrip("?"))
    last = words[-1].start if words else 0  # 作用 of 有什么作用, which is also a verb
    for match in PATTERNS["kind_noun"].finditer(text):
        following = [each for each in words if each.start >= match.end()][:_KIND_WORDS]
        for each in takewhile(lambda word: word.tag in WORDS["nouns"] or word.start == last, following):
            yield from content_stems(each.text)


def _attribute_stems(text: str) -> list[str]:
    """Return the stems of the noun before a question word whose value is asked for: 编号 of 水箱的编号是什么."""
    match = PATTERNS["asked_value"].search(text)
    before = [each for each in tokens(text[: match.start()]) if each.text.strip()] if match else []
    about = content_stems("".join(each.text for each in before[:-1]))
    return content_stems(before[-1].text) if before and about and before[-1].tag in WORDS["nouns"] | {"v"} else []


# The form of Chinese questions, and of answers in their sentence, by words and marks.
#
# Left out: whether a question fits its evidence. The filters check that, with the corpus.

WH_WORD = (
    r"什么|甚么|啥|谁|哪|何(?!况|必|苦|氏|家)|怎|多少|几(?![乎内何里率尼])|多[久长大高远深宽重快]|如何|为什么|"
    r"[是能可会]否|有没有|还是|(?P<verb>[是能会要有可需])(?:不|没)(?P=verb)"
)
"""A word that asks, as a regular expression for simplified characters."""
_HAS_WH = re.compile(rf"{WH_WORD}|(?:吗|呢|么)\W*$")
_TOPIC_ASKED = re.compile(r"(?:时间|日期|地点|原因|数量|人数|名字|名称|年份|区别|关系|作用|是|为|有)\W*$")
"""A question may end with the noun that is asked for, without a word that asks: 播出的时间？"""
_LATIN_QUESTION = re.compile(r"\b(?:who|whom|what|which|when|where|why|how)\b", re.I)
_DOUBLED = re.compile(r"(的|了|是|在|和|与|被|把|为|什么|多少|哪个|哪些|怎么|如何)\1")
_TWO_ASKED = re.compile(r"(什么|哪里|谁|多少|为什么|怎么|哪些).*\1.*\1")
_PAIRS = ("()", "（）", "《》", "「」", "『』", "【】", "[]", "“”")
_OTHER_SCRIPT = re.compile(r"[\u0370-\u1cff\uac00-\ud7af]{3}|[\u3040-\u30ff]{4}")


def malformed(question: str) -> str:
    """Return what is wrong with the form of a question, "" when nothing is.

    Example:
        >>> malformed("谁负责水泵？"), malformed("水泵的的型号是什么？"), malformed("水泵由李明负责。")
        ('', 'stray or doubled words or marks', 'no question mark at its end')
    """
    text = question.strip()
    read = simplified(text)
    length = length_in_words(text)
    problems = (
        (not text, "empty"),
        (length < LIMITS.question_min_words - 1 or length > LIMITS.question_max_words, f"{length} words long"),
        (not text.endswith(("?", "？")), "no question mark at its end"),
        (not re.search(f"[{HAN}]", text), "no Chinese in it"),
        (bool(ANY.patterns["markup"].search(text)), "markup left in it"),
        (bool(_OTHER_SCRIPT.search(text)), "words of another script"),
        (bool(WORDS["cut_off"].intersection(cut(read)[-1:])), "cut off before its end"),
        (bool(PATTERNS["stray_marks"].search(text) or _DOUBLED.search(read)), "stray or doubled words or marks"),
        (not _is_balanced(text), "half a pair of quotes or brackets"),
        (bool(_LATIN_QUESTION.search(text) and not _HAS_WH.search(read)), "asked in English"),
        (bool(_TWO_ASKED.search(read)), "asked as nobody asks"),
        (not (_HAS_WH.search(read) or _TOPIC_ASKED.search(read)), "asks nothing"),
    )
    return next((name for wrong, name in problems if wrong), "")


def _is_balanced(text: str) -> bool:
    """Check whether each quote and bracket has its other half; both widths of a bracket are the same."""
    folded = text.translate(str.maketrans("（）［］", "()[]"))
    return folded.count('"') % 2 == 0 and all(folded.count(pair[0]) == folded.count(pair[1]) for pair in _PAIRS)


# ---- answers in their sentence ---------------------------------------------------------------------

_CONTINUATION = re.compile(r"[\"'”’」』》)）\]*_`\s]*(?:[、/]|[，,]\s*\d|[和与及或並并]|以及|與|的)")


def continues(rest: str, *, clause: bool) -> bool:
    """Check whether an answer continues in ``rest``, what follows it in its sentence.

    A ``clause`` must end where its sentence does, or before a consequence or a contrast.

    Example:
        >>> continues("和码头。", clause=False), continues("的郊区。", clause=False), continues("运行。", clause=False)
        (True, True, False)
        >>> continues("运行。", clause=True), continues("，所以停机。", clause=True)
        (True, False)
    """
    return not PATTERNS["clause_done"].match(rest) if clause else bool(_CONTINUATION.match(rest))


_QUOTED = re.compile(r"“[^”]*”|「[^」]*」|『[^』]*』|《[^》]*》|\"[^\"]*\"")
_A_NAME = "“A”"
"""What stands for a quoted text: a name, whose words refer to nothing."""
_PRONOUNS = frozenset("他 她 它 他们 她们 它们 牠 其 之".split()) - {"之"}
_THAT = re.compile(r"那(?:个|些|种|样|位|次|时|家|部|座|项|类|条)")
_THIS = re.compile(r"这(?!么|须)")


def outside_reference(question: str) -> str:
    """Return the word or phrase that refers to something outside the question, "" for none.

    A pronoun needs a noun before it. 该, 此 and 这 need the word after them before, or a name right before, to which it
    stands in apposition. Words in quotation marks and titles refer to nothing.

    Example:
        >>> outside_reference("它由谁负责？"), outside_reference("李明和他的父亲何时见面？")
        ('它', '')
        >>> outside_reference("该功能怎么用？"), outside_reference("我应该怎么安装 Redis？")
        ('该功能', '')
        >>> outside_reference("“水泵”这个名字从何而来？"), outside_reference("上述步骤需要多久？")
        ('', '上述')
    """
    text = _QUOTED.sub(_A_NAME, plain(question))
    if match := PATTERNS["in_text"].search(text):
        return match.group()
    words = [each for each in tokens(text) if each.text.strip()]
    return next((phrase for at in range(len(words)) if (phrase := _refers_outside(words, at, text))), "")


def _refers_outside(words: Sequence[Token], at: int, text: str) -> str:
    """Return the phrase at a word if it refers to something outside the question, "" if it does not."""
    word, before = words[at].text, words[at - 1] if at else None
    after = words[at + 1].text if at + 1 < len(words) else ""
    if word in WORDS["pointing"]:
        sides = word in {"前者", "后者"} and any(each.text in {"和", "与", "跟", "还是"} for each in words[:at])
        return "" if sides or _in_compound(before) else word
    if word in WORDS["place_words"] and not (
        before and (before.tag in WORDS["counted"] or before.tag in WORDS["referents"] or before.text == "在")
    ):
        return word if after == "的" or after.startswith(("哪", "几")) or _is_noun(words, at + 1) else ""
    if word in _PRONOUNS:
        return "" if any(each.tag in WORDS["referents"] for each in words[:at]) else word
    if word in WORDS["determining"] or (_THIS.match(word) and word not in {"这样", "这一点"}) or _THAT.match(word):
        return _determined(words, at, text)
    return "作者" if word == "作者" and (before is None or before.tag == "x") else ""


def _determined(words: Sequence[Token], at: int, text: str) -> str:
    """Return the phrase that a determiner opens if nothing before it says what it means."""
    word, before = words[at].text, words[at - 1] if at else None
    rest = words[at + 1 :]
    if word == "本" and (
        before is not None and (before.tag in WORDS["counted"] or before.text in {"哪", "几", "这", "那", "哪几"})
    ):
        return ""  # a measure word
    if (
        word == "此"
        and before is not None
        and before.text in WORDS["no_determiner_after"]
        and not _is_noun(words, at + 1)
    ):
        return ""
    if word == "该" and rest and rest[0].tag[:1] in "vrdp" and rest[0].tag != "vn":
        return ""  # should: 我该用
    named = {each.text for each in words[:at]}
    noun = next((each for each in rest if each.tag in WORDS["referents"]), None)
    apposed = (
        before is not None
        and word not in WORDS["determining"]
        and (before.tag in WORDS["referents"] or before.text in '”」』》"')
    )
    if apposed or (noun is not None and noun.text in named):
        return ""
    return text[words[at].start : noun.end if noun is not None and noun.start - words[at].end <= 2 else words[at].end]


def _is_noun(words: Sequence[Token], at: int) -> bool:
    return at < len(words) and words[at].tag in WORDS["referents"]


def _in_compound(before: Token | None) -> bool:
    """Check whether the word before makes a word such as 本市 the end of a name that was cut wrongly: 瓦士|本市."""
    return before is not None and before.tag in {"nrt", "nrfg"}


_OPENINGS = {
    "区别": r"有(?:什么|何|哪些)(?:区别|不同|差异)",
    "为什么": r"(?<![称名编作算视])为什么|为何|为甚么|什么原因",
    "什么时候": r"什么时[候间]|何时|哪一?[年天月日]|几[月点号]",
    "多久": r"多久|多长时间",
    "多少": r"多少|几(?![乎内何])|多[大高长远深宽重快]",
    "条件": r"(?:什么|哪些)(?:条件|情况)",
    "会怎样": r"会(?:怎样|怎么样|如何|发生什么)",
    "怎么": r"怎么(?!样)|如何|怎样",
    "谁": r"谁|哪位|哪[一些]?个?人|什么人",
    "哪里": r"哪里|哪儿|在哪(?=\W*$)|何处|何地|什么地方",
    "应该": r"应该(?:先|怎么|如何|做)",
    "哪些": r"哪些|哪几",
    "哪个": r"哪",
    "是什么": r"[是为]什么(?=\W*$)",
    "什么": r"什么|何",
    "是否": r"是否|能否|可否|有没有|是不是|能不能|吗",
}
"""The words that ask, by class; the first that a question has counts, since the word that asks stands anywhere."""
_OPENING_FORMS = {name: re.compile(pattern) for name, pattern in _OPENINGS.items()}
_TASK = re.compile(r"(?:怎么|如何|怎样)(?:才能|去|来|能|可以|在[^，,]{1,12}[中里上])?")
_SCOPE = re.compile(r"^(?:在|对于|关于|当)?([^，,？?]{2,30}?)(中|里|上|下|时|的时候|方面)?[，,]")
_CLASSES = {
    "pronouns": WORDS["pronouns"],
    "first_person": WORDS["first_person"],
    "second_person": WORDS["second_person"],
    "demonstratives": WORDS["demonstratives"],
    "conjunctions": WORDS["conjunctions"],
    "prepositions": WORDS["prepositions"],
    "subordinators": WORDS["subordinators"],
    "modals": WORDS["modals"],
    "be": WORDS["copulas"],
    "negations": WORDS["negations"],
    "quantifiers": WORDS["quantifiers"],
    "vague_nouns": WORDS["vague_nouns"],
    "vague_adjectives": WORDS["vague_adjectives"],
    "light_verbs": WORDS["light_verbs"],
    "connectives": WORDS["connectives"],
    "deictic": WORDS["deictic"],
}


def opening(question: str) -> str:
    """Return the words that a question asks with, as one of a few classes, "other" for all the rest.

    Example:
        >>> opening("怎么轮换密钥？"), opening("列表和集合有什么区别？"), opening("说出名字。")
        ('怎么', '区别', 'other')
    """
    text = plain(question)
    return next((name for name, pattern in _OPENING_FORMS.items() if pattern.search(text)), "other")


def word_classes(text: str) -> dict[str, float]:
    """Return how many words of a text are of each class, and what it opens with and points to.

    The classes are those of English, as far as Chinese has them: "unknown" counts words in other letters, "gerunds"
    verbs.

    Example:
        >>> found = word_classes("参见下表，了解它们如何储存。")
        >>> found["pointers"], found["pronouns"], found["unknown"]
        (2.0, 1.0, 0.0)
    """
    folded = plain(text)
    found = [each for each in tokens(folded) if any(char.isalnum() for char in each.text)]
    words = [each.text for each in found]
    counts = {name: float(sum(word in known for word in words)) for name, known in _CLASSES.items()}
    first = words[0] if words else ""
    return counts | {
        "articles": 0.0,
        "unknown": float(sum(each.tag == "eng" for each in found)),
        "gerunds": float(sum(each.tag == "v" for each in found)),
        "pointers": float(len(PATTERNS["pointers"].findall(folded))),
        "opens_demonstrative": float(first in WORDS["demonstratives"] | WORDS["connectives"]),
        "opens_article": 0.0,
        "opens_preposition": float(first in WORDS["prepositions"]),
        "opens_condition": float(first in WORDS["subordinators"]),
        "opens_person": float(first in WORDS["first_person"] | WORDS["second_person"]),
        "opens_command": float(bool(found) and found[0].tag == "v"),
    }


def question_form(question: str) -> dict[str, float]:
    """Return the form of a question in numbers: where its question word stands, its scope, and the verb of a task.

    Example:
        >>> form = question_form("在 Lantern 中，怎么安装插件？")
        >>> form["scope"], form["task"], form["verb_after"], form["asks_at_end"]
        (1.0, 1.0, 1.0, 0.0)
    """
    text = plain(question).rstrip("?。! ")
    asked = re.search(WH_WORD, text)
    scope, task = _SCOPE.match(text), _TASK.search(text)
    after = _after(text, task.end()) if task else None
    return {
        "asks_at_start": float(bool(asked) and asked.start() == 0),  # type: ignore[union-attr]
        "asks_at_end": float(bool(asked) and asked.end() == len(text)),  # type: ignore[union-attr]
        "asks_at": asked.start() / len(text) if asked and text else 1.0,
        "question_words": float(len(re.findall(WH_WORD, text))),
        "ends_particle": float(text.endswith(("的", "吗", "呢", "了"))),
        "clauses": float(len(re.findall("[,，;；]", text))),
        "scope": float(bool(scope)),
        "scope_words": float(len(re.findall(rf"[{HAN}]|\w+", scope[1]))) if scope else 0.0,
        "task": float(bool(task)),
        "verb_after": float(after is not None and after.tag.startswith("v")),
        "verb_light": float(after is not None and after.text in WORDS["light_verbs"]),
        "object_missing": float(after is not None and after.end == len(text)),
    }


def _after(text: str, place: int) -> Token | None:
    return next((each for each in tokens(text) if each.start >= place and each.text.strip()), None)
