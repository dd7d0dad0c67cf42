"""simple / definition: what a thing is, from a sentence that defines it."""

from __future__ import annotations

from collections.abc import Iterator

from kgsynth.base.records import Fact, Scenario
from kgsynth.base.thresholds import LIMITS
from kgsynth.base.vocabulary import FactKind, Flag, Role, VerbFlag
from kgsynth.evidence.knowledge import Knowledge
from kgsynth.generation.evolutions.eligibility import stands_alone, vague
from kgsynth.language.lengths import length_in_words


def walk(knowledge: Knowledge) -> Iterator[Scenario]:
    """Yield a scenario for each fact of the form "X is a Y that …"."""
    for fact in knowledge.statements.facts:
        if defines(fact):
            yield Scenario("simple", "definition", (fact,), fact.place(Role.ATTRIBUTE))


def defines(fact: Fact) -> bool:
    """Check whether a fact states in the present what its subject is, with more than a bare noun."""
    subject, verb = fact.first(Role.SUBJECT), fact.verb
    present = {VerbFlag.COPULA, VerbFlag.PRESENT} <= verb.flags
    if subject is None or not present or verb.auxiliaries or verb.negated:
        return False
    attribute = fact.first(Role.ATTRIBUTE)
    return (
        attribute is not None
        and subject.has(Flag.NOMINAL)
        and not (subject.has(Flag.DEFINITE) and not subject.has(Flag.NAMED))
        and not vague(subject)
        and not subject.flags & {Flag.POSSESSIVE, Flag.EMPTY, Flag.ORDINAL}
        and length_in_words(subject.text) <= LIMITS.defined_max_words
        and attribute.has(Flag.MODIFIED)
        and not attribute.flags & {Flag.SOME, Flag.NUMBER}
        and fact.kind != FactKind.COREFERENCE
        and not attribute.has(Flag.EMPTY)
        and length_in_words(attribute.text) >= LIMITS.definition_min_words
        and stands_alone(subject)
        and stands_alone(attribute)
    )
