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
