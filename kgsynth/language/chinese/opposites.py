"""Words in which a question and a statement contradict each other: a denial, an opposite, an extreme.

Left out: what is denied, and opposites that depend on the subject.
"""

from __future__ import annotations

import re
from collections import defaultdict
from functools import cache, lru_cache

from kgsynth.language.chinese.characters import plain
from kgsynth.language.chinese.lexicon import PATTERNS, WORDS
from kgsynth.language.chinese.segmentation import tokens

_UNABLE = re.compile(r"\w不[到了见着动起]|没[^收落入药]")
"""A verb with what it fails to do: 看不到, 没压."""
_EXCEPTION = re.compile(r"除了?[^，。,]{1,30}?(?:以外|之外|外)|缺乏|缺少|失败|未遂")
_ALTERNATIVE = re.compile(r"(\w)[不没]\1|[是能可会与]否|有没有")
_PREFIXES = ("不", "非", "无", "未", "反")


@lru_cache(maxsize=1 << 13)
def denies_something(text: str) -> bool:
    """Check whether a text denies something by a word such as 不; 不仅, 不超过 and 是不是 deny nothing.

    Example:
        >>> denies_something("水泵沒有運行"), denies_something("不仅有水泵"), denies_something("是不是水泵")
        (True, False, False)
    """
    folded = _ALTERNATIVE.sub(" ", plain(text))
    return any(
        (each.text in WORDS["denying"] or _UNABLE.fullmatch(each.text))
        and not (len(each.text) == 1 and PATTERNS["not_denying_after"].match(folded, each.end))
        for each in tokens(folded)
    )


def contradictions(question: str, statement: str) -> frozenset[str]:
    """Return how a statement contradicts a question: "denial", "opposite", "extreme".

    Denial: the question denies and the statement does not. Opposite: the statement has the opposite of a word of the
    question, and not the word. Extreme: the question singles out (最, 唯一, 第一) and the statement does not.

    Example:
        >>> sorted(contradictions("谁没有接受条约？", "李明拒绝了条约。"))
        ['denial', 'opposite']
        >>> contradictions("谁接受了条约？", "李明接受了条约。")
        frozenset()
    """
    asked, stated = plain(question), plain(statement)
    stated_words = {each.text for each in tokens(stated)}
    missing = [each.text for each in tokens(asked) if each.text not in stated]
    found = {
        "denial": _denies(asked) and not _denies(stated),
        "opposite": any(opposites(each) & stated_words for each in missing),
        "extreme": any(match.group() not in stated for match in PATTERNS["extreme"].finditer(asked)),
    }
    return frozenset(name for name, holds in found.items() if holds)


def _denies(text: str) -> bool:
    return denies_something(text) or bool(_EXCEPTION.search(text))


def opposites(word: str) -> frozenset[str]:
    """Return the words that mean the opposite of a word, by the list and the negative prefixes.

    Example:
        >>> sorted(opposites("公开")), "透明" in opposites("不透明")
        (['不公开', '反公开', '无公开', '未公开', '秘密', '非公开'], True)
    """
    affirmed = {word[1:] for prefix in _PREFIXES if word.startswith(prefix) and len(word) > 2}
    negated = {prefix + word for prefix in _PREFIXES if len(word) > 1}
    listed = _listed_opposites()
    turned = {word.replace(one, by) for one in word if len(word) > 1 for by in listed.get(one, ()) if len(by) == 1}
    return frozenset(affirmed | negated | turned | listed.get(word, set())) - {word}


@cache
def _listed_opposites() -> dict[str, set[str]]:
    table: dict[str, set[str]] = defaultdict(set)
    for pair in WORDS["opposites"]:
        one, other = pair.split()
        table[one].add(other)
        table[other].add(one)
    return dict(table)
