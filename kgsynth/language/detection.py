"""Is a text in another language than it should be? By the commonest words of each, which spaCy lists.

Only where the language has letters in common with others is there anything to ask, so scripts are not looked at. Left
out: texts of names alone, and languages so near to one another that their small words are the same.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module

from kgsynth.language.words import words

_LATIN = ("da", "de", "en", "es", "fi", "fr", "id", "it", "nb", "nl", "pl", "pt", "ro", "sv", "tr")
_LEAST = 2  # common words that a text must hold to be of a language
_MANY = 3  # one word in so many is a common one


def spoken(text: str, code: str) -> str:
    """Return the language that a text is in when it is clearly not ``code``, else "".

    Example:
        >>> spoken("Wer leitet die Abteilung und wie lange schon?", "en"), spoken("Who leads Die Welt?", "en")
        ('de', '')
    """
    if code not in _LATIN:
        return ""
    told = set(words(text))
    own = len(told & _common(code))
    if own >= _LEAST and own * _MANY >= len(told):  # nearly every sentence: the other languages need not be looked at
        return ""
    counts = {other: len(told & _common(other) - _common(code)) for other in _LATIN if other != code}
    best = max(sorted(counts), key=lambda other: counts[other])
    return best if counts[best] >= max(_LEAST, own + 1) else ""


@cache
def _common(code: str) -> frozenset[str]:
    """Return the commonest words of a language."""
    listed: set[str] = import_module(f"spacy.lang.{code}.stop_words").STOP_WORDS
    return frozenset(word.lower() for word in listed if word.isalpha())
