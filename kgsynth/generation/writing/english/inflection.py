"""Inflection: the forms of verbs and nouns, by lemminflect, whose tables are loaded when a form is first wanted."""

from __future__ import annotations

from functools import cache


@cache
def inflected(lemma: str, tag: str) -> str:
    """Return the form of a lemma that a Penn tag asks for.

    Example:
        >>> inflected("begin", "VBD"), inflected("carry", "VBZ"), inflected("city", "NNS"), inflected("person", "NNS")
        ('began', 'carries', 'cities', 'people')
    """
    from lemminflect import getInflection

    if (lemma, tag) == ("person", "NNS"):
        return "people"
    return str(next(iter(getInflection(lemma, tag)), lemma))


@cache
def lemma_of(word: str, pos: str) -> str:
    """Return the lemma of a word of a part of speech ("NOUN", "VERB").

    Example:
        >>> lemma_of("cities", "NOUN"), lemma_of("began", "VERB")
        ('city', 'begin')
    """
    from lemminflect import getLemma

    return str(next(iter(getLemma(word, pos)), word))
