"""The forms of English words: what is a word, and what is its singular."""

from __future__ import annotations

from functools import lru_cache


@lru_cache(maxsize=1 << 14)
def is_word(word: str) -> bool:
    """Check whether a word, letter case aside, is an English noun, verb, adjective or adverb in any form.

    Example:
        >>> is_word("Storerooms"), is_word("Portugal")
        (True, False)
    """
    from lemminflect import getAllLemmas

    return bool(getAllLemmas(word.lower()))


def is_name(title: str) -> bool:
    """Check whether a heading is nothing but a name: one to three capitalised words that are not in the dictionary.

    Example:
        >>> is_name("Portugal"), is_name("Parental leave"), is_name("Overview")
        (True, False, False)
    """
    words = title.split()
    return 0 < len(words) <= 3 and all(word[0].isupper() and not is_word(word) for word in words)


def singular(noun: str) -> str:
    """Return a noun without its regular plural ending; one that has none is returned as it is.

    Example:
        >>> [singular(noun) for noun in ("policies", "boxes", "caches", "nodes", "APIs", "class", "status", "axis")]
        ['policy', 'box', 'cache', 'node', 'API', 'class', 'status', 'axis']
    """
    low = noun.lower()
    if len(noun) > 2 and noun[-1] == "s" and noun[:-1].isupper():  # an abbreviation
        return noun[:-1]
    if len(noun) < 4:
        return noun
    if low.endswith("ies") and len(noun) > 4:
        return noun[:-3] + "y"
    if low.endswith(("sses", "iases", "xes", "shes", "zzes", "nches", "rches", "tches")):
        return noun[:-2]
    return noun[:-1] if low.endswith("s") and not low.endswith(("ss", "us", "is", "ias")) else noun
