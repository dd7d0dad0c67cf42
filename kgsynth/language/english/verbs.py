"""What traversals must know about an English verb group, which they cannot see from its words."""

from __future__ import annotations

from collections.abc import Sequence

from kgsynth.base.records import Fact, Phrase
from kgsynth.base.vocabulary import Flag, Role, VerbFlag
from kgsynth.language.english.lexicon import CAUSAL_VERBS


def verb_flags(lemma: str, tag: str, auxiliaries: Sequence[str] = (), modal: str = "") -> frozenset[VerbFlag]:
    """Return the flags of a verb group; ``tag`` is the Penn tag of its finite word.

    Example:
        >>> verb_flags("be", "VBD") == {VerbFlag.COPULA, VerbFlag.PAST}
        True
        >>> verb_flags("open", "MD", ("can",), "can") == {VerbFlag.ABILITY}
        True
    """
    flags = {
        VerbFlag.PAST: tag == "VBD" or tuple(auxiliaries[:1]) in {("was",), ("had",), ("did",)},
        VerbFlag.PRESENT: tag in {"VBZ", "VBP"},
        VerbFlag.COPULA: lemma == "be",
        VerbFlag.ABILITY: modal == "can",
        VerbFlag.CAUSAL: lemma in CAUSAL_VERBS,
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
