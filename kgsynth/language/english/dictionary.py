"""The words of the language, as a dictionary has them: what is not among them may be a name."""

from __future__ import annotations

from functools import lru_cache


@lru_cache(maxsize=1 << 14)
def is_word(word: str) -> bool:
    """Say whether a word, letter case aside, is a noun, verb, adjective or adverb of English, in whatever form.

    Example:
        >>> is_word("Storerooms"), is_word("Portugal")
        (True, False)
    """
    from lemminflect import getAllLemmas

    return bool(getAllLemmas(word.lower()))


def is_name(title: str) -> bool:
    """Say whether a heading is nothing but a name: one to three words with capitals that the language does not know.

    Example:
        >>> is_name("Portugal"), is_name("Parental leave"), is_name("Overview")
        (True, False, False)
    """
    words = title.split()
    return 0 < len(words) <= 3 and all(word[0].isupper() and not is_word(word) for word in words)
