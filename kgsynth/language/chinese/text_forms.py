"""Chinese words, names and answers in the form in which they are compared, and the closed word classes."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from kgsynth.base.thresholds import LIMITS
from kgsynth.language.chinese.characters import plain
from kgsynth.language.chinese.lexicon import PATTERNS, WORDS
from kgsynth.language.chinese.numbers import digits
from kgsynth.language.chinese.segmentation import cut, tokens
from kgsynth.language.words import HAN, folded

_PERSON_TITLE = re.compile(r"(?<=..)(?:先生|女士|小姐|太太|博士|教授|老师|同志|院士|阁下)$")
_QUOTE_MARKS = "《》“”「」『』\"' "
_WORD_EDGES = ".-_&"
_COPULA = re.compile(r"^(?:是|为|在|于|即|就是|大约|位于)(?=.)")


@lru_cache(maxsize=1 << 14)
def _content_words(text: str) -> tuple[str, ...]:
    words = (word.strip(_WORD_EDGES) for word in cut(plain(text).lower()))
    return tuple(word for word in words if word and word not in WORDS["stop_words"] and word[0] != "哪")


def content_stems(text: str) -> list[str]:
    """Return the content words of a text in order, in simplified characters and lower case; Chinese has no endings.

    Example:
        >>> content_stems("李明負責安裝 ＦａｓｔＡＰＩ 的水泵。")
        ['李明', '负责', '安装', 'fastapi', '水泵']
    """
    return list(_content_words(text))


def singular(noun: str) -> str:
    """Return a noun without the ending of the plural of persons.

    Example:
        >>> singular("员工们"), singular("水泵"), singular("我们")
        ('员工', '水泵', '我们')
    """
    return noun[:-1] if noun.endswith("们") and len(noun) > 2 else noun


def listed(members: Sequence[str]) -> str:
    """Return the members of a list as one text.

    Example:
        >>> listed(["仓库", "磨坊", "码头"]), listed(["仓库"])
        ('仓库、磨坊和码头', '仓库')
    """
    return "和".join(filter(None, ("、".join(members[:-1]), members[-1])))


# ---- names -----------------------------------------------------------------------------------------


def bare_name(text: str) -> str:
    """Return a mention of a name without quotation marks and title, its white space folded.

    Example:
        >>> bare_name("《红楼梦》"), bare_name("李明先生"), bare_name("Redis  Cluster")
        ('红楼梦', '李明', 'Redis Cluster')
    """
    return _PERSON_TITLE.sub("", " ".join(text.split()).strip(_QUOTE_MARKS))


def name_form(text: str) -> str:
    """Return a name in the form in which it is compared.

    Example:
        >>> name_form("「臺灣大學」"), name_form("ＦａｓｔＡＰＩ")
        ('台湾大学', 'fastapi')
    """
    return plain(folded(bare_name(text)))


def is_name(title: str) -> bool:
    """Check whether a heading is nothing but a name: one or two words that jieba tags as names, or a Latin name.

    Example:
        >>> is_name("葡萄牙"), is_name("病假"), is_name("概述")
        (True, False, False)
    """
    words = [each for each in tokens(plain(title)) if each.text.strip()]
    return 0 < len(words) <= LIMITS.name_heading_words and all(
        each.tag in WORDS["name_tags"] and not (each.text.isascii() and each.text.islower()) for each in words
    )


def name_places(text: str) -> list[tuple[int, int]]:
    """Return where jieba finds names of persons and organizations in a text.

    Example:
        >>> name_places("由郝知远分管")
        [(1, 4)]
    """
    return [
        (each.start, each.end)
        for each in tokens(text)
        if each.tag in ("nr", "nrt", "nrfg", "nt") and len(each.text) > 1
    ]


def short_name(answer: str, golden: str, question: str) -> str:
    """Return "": Chinese names are not shortened to a surname.

    Example:
        >>> short_name("李", "李明", "谁负责？")
        ''
    """
    return ""


def verdict(answer: str) -> bool | None:
    """Return whether an answer opens with a yes (True) or a no (False), None for neither.

    Example:
        >>> verdict("是的，可以。"), verdict("否"), verdict("不带薪")
        (True, False, None)
    """
    match = PATTERNS["verdict"].match(plain(answer))
    return bool(match[1]) if match else None


def is_common_word(word: str) -> bool:
    """Check whether a word is in jieba's dictionary and not as a name; a word in Latin letters never is.

    Example:
        >>> [is_common_word(word) for word in ("水泵", "北京", "redis")]
        [True, False, False]
    """
    found = [each for each in tokens(plain(word)) if each.text.strip()]
    return bool(re.search(f"[{HAN}]", word)) and all(each.tag not in WORDS["name_tags"] for each in found)


def is_emphasis(word: str) -> bool:
    """Check whether specifications write a word in capitals to stress it, as RFC 2119 does.

    Example:
        >>> is_emphasis("should"), is_emphasis("post")
        (True, False)
    """
    return word in WORDS["requirements"]


# ---- answers ---------------------------------------------------------------------------------------


def answer_form(text: str) -> str:
    """Return an answer in the form in which it is compared: without outer marks and copula, numbers as digits.

    Example:
        >>> answer_form("是九臺水泵。"), answer_form("「北京」")
        ('9台水泵', '北京')
    """
    return _COPULA.sub("", digits(folded(text).strip("《》“”「」『』\"'"))).replace(" ", "")
