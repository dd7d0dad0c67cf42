"""The forms of English words, by the tables of lemminflect, and what traversals must know about a verb group."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from functools import cache, lru_cache
from importlib.util import find_spec, module_from_spec
from typing import Any

from kgsynth.base.records import Fact, Phrase
from kgsynth.base.vocabulary import Flag, Role, VerbFlag


@lru_cache(maxsize=1 << 14)
def inflected(lemma: str, tag: str) -> str:
    """Return the form of a lemma for a Penn tag.

    Example:
        >>> inflected("begin", "VBD"), inflected("carry", "VBZ"), inflected("city", "NNS"), inflected("person", "NNS")
        ('began', 'carries', 'cities', 'people')
    """
    if (lemma, tag) == ("person", "NNS"):
        return "people"
    return str(next(iter(_tables()[1].getInflection(lemma, tag)), lemma))


@lru_cache(maxsize=1 << 14)
def lemma_of(word: str, pos: str) -> str:
    """Return the lemma of a word that is a "NOUN" or "VERB".

    Example:
        >>> lemma_of("cities", "NOUN"), lemma_of("began", "VERB")
        ('city', 'begin')
    """
    return str(next(iter(_tables()[0].getLemma(word, pos)), word))


@lru_cache(maxsize=1 << 14)
def is_word(word: str) -> bool:
    """Check whether a word, letter case aside, is an English noun, verb, adjective or adverb in any form.

    Example:
        >>> is_word("Storerooms"), is_word("Portugal")
        (True, False)
    """
    return bool(_lemmas(word.lower()))


@lru_cache(maxsize=1 << 14)
def is_noun(word: str) -> bool:
    """Check whether a word in lower case is an English noun in any form.

    Example:
        >>> is_noun("party"), is_noun("optional")
        (True, False)
    """
    return "NOUN" in _lemmas(word)


def is_adjective(word: str) -> bool:
    """Check whether a word in lower case may be an adjective.

    Example:
        >>> is_adjective("blue"), is_adjective("breakfast")
        (True, False)
    """
    return "ADJ" in _lemmas(word)


@lru_cache(maxsize=1 << 14)
def is_base_verb(word: str) -> bool:
    """Check whether a word in lower case is the base form of an English verb.

    Example:
        >>> is_base_verb("rotate"), is_base_verb("rotates"), is_base_verb("vertical")
        (True, False, False)
    """
    return word in _lemmas(word).get("VERB", ())


def is_adverb(word: str) -> bool:
    """Check whether a word in lower case may be an adverb, and no noun.

    Example:
        >>> is_adverb("ahead"), is_adverb("roof")
        (True, False)
    """
    return "ADV" in _lemmas(word) and "NOUN" not in _lemmas(word)


def is_only_verb(word: str) -> bool:
    """Check whether a word in lower case can be nothing but a verb.

    Example:
        >>> is_only_verb("enable"), is_only_verb("test")
        (True, False)
    """
    return {pos for pos in _lemmas(word) if pos != "AUX"} == {"VERB"}


@lru_cache(maxsize=1 << 14)
def singular(noun: str) -> str:
    """Return a noun in the singular; a name in capitals, and a short word that is in no dictionary, stay as they are.

    Example:
        >>> [singular(noun) for noun in ("policies", "people", "axis", "APIs", "HashMaps", "HTTPS", "iOS")]
        ['policy', 'person', 'axis', 'API', 'HashMap', 'HTTPS', 'iOS']
    """
    if len(noun) > 2 and noun[-1] == "s" and noun[:-1].isupper():
        return noun[:-1]
    lower = noun.lower()
    if noun.isupper() or (len(noun) < 4 and not is_word(noun)):
        return noun
    single = "person" if lower == "people" else lemma_of(lower, "NOUN")
    return noun[: len(single)] if lower.startswith(single) else single


@lru_cache(maxsize=1 << 16)
def stem(word: str) -> str:
    """Return what all forms of a verb or noun have in common, and an adverb in "-ly" has with its adjective.

    Comparatives keep their form, since "higher" is not "high".

    Example:
        >>> [stem(word) for word in ("stored", "storing", "written", "buildings", "quickly", "higher", "ada's")]
        ['store', 'store', 'write', 'build', 'quick', 'higher', 'ada']
    """
    word = word.removesuffix("'s")
    lemmas = _lemmas(word)
    if "NOUN" in lemmas and "VERB" not in lemmas:
        word = lemmas["NOUN"][0]
        lemmas = _lemmas(word)  # what it is the plural of may be made of a verb: "buildings"
    if "VERB" in lemmas:
        return word if word in lemmas["VERB"] else lemmas["VERB"][0]
    if "ADV" in lemmas and word.endswith("ly"):
        adjective = f"{word[:-3]}y" if word.endswith("ily") else word[:-2]
        return adjective if "ADJ" in _lemmas(adjective) else word
    if "ADJ" in lemmas and word.startswith("un") and "VERB" in _lemmas(word[2:]):
        return f"un{stem(word[2:])}"
    return word if lemmas or not word.islower() else singular(word)


def _lemmas(word: str) -> dict[str, tuple[str, ...]]:
    """Return the lemmas of a word in the dictionary, by part of speech; none for a word that is not in it."""
    return dict(_tables()[0].getAllLemmas(word))


@cache
def _tables() -> tuple[Any, Any]:
    """Return lemminflect's lemmas and inflections.

    Its ``__init__`` would import spaCy, and with it torch, so an empty package takes its place meanwhile.
    """
    imported, spec = sys.modules.get("lemminflect"), find_spec("lemminflect")
    if imported is None and spec is not None:
        sys.modules["lemminflect"] = module_from_spec(spec)
    try:
        from lemminflect.core.Inflections import Inflections
        from lemminflect.core.Lemmatizer import Lemmatizer
    finally:
        if imported is None:
            sys.modules.pop("lemminflect", None)  # whoever imports it later gets all of it
    return Lemmatizer(), Inflections()


# What traversals must know about an English verb group, which they cannot see from its words.


def verb_flags(lemma: str, tag: str, auxiliaries: Sequence[str] = ()) -> frozenset[VerbFlag]:
    """Return the flags of a verb group; ``tag`` is the Penn tag of its finite word.

    Example:
        >>> verb_flags("be", "VBD") == {VerbFlag.COPULA, VerbFlag.PAST}
        True
    """
    flags = {
        VerbFlag.PAST: tag == "VBD" or tuple(auxiliaries[:1]) in {("was",), ("had",), ("did",)},
        VerbFlag.PRESENT: tag in {"VBZ", "VBP"},
        VerbFlag.COPULA: lemma == "be",
    }
    return frozenset(flag for flag, holds in flags.items() if holds)


def says_use(fact: Fact, place: int) -> bool:
    """Check whether a phrase says what something is used for: "is used to store …", "use the vault to store …"."""
    verb, phrase, subject = fact.verb, fact.phrases[place], fact.first(Role.SUBJECT)
    if verb.lemma != "use" or phrase.role != Role.PURPOSE or subject is None:
        return False
    if verb.passive:
        return phrase.marker in {"to", "for"}
    return subject.has(Flag.YOU) and fact.first(Role.OBJECT) is not None and phrase.marker == "to"


def thing_used(fact: Fact) -> Phrase | None:
    """Return the phrase for what is used in a fact that says what for (``says_use``)."""
    return fact.first(Role.SUBJECT if fact.verb.passive else Role.OBJECT)
