"""simple / definition: what a thing is, from a sentence that says so."""

from __future__ import annotations

from collections.abc import Iterator

from kgsynth.base.records import Fact, Scenario
from kgsynth.evidence.knowledge import Knowledge
from kgsynth.generation.evolutions.eligibility import stands_alone, vague

_SHORTEST = 3  # words of a definition


def walk(knowledge: Knowledge) -> Iterator[Scenario]:
    """Yield a scenario for each fact of the form "X is a Y that …"."""
    for fact in knowledge.facts:
        if defines(fact):
            place = fact.place("attribute")
            yield Scenario("simple", "definition", (fact,), place)


def defines(fact: Fact) -> bool:
    """Say whether a fact states in the present what its subject is, with more than a bare noun."""
    subject, verb = fact.first("subject"), fact.verb
    if subject is None or verb.lemma != "be" or verb.tag not in {"VBZ", "VBP"} or verb.auxiliaries or verb.negated:
        return False
    attribute = fact.first("attribute")
    return (
        attribute is not None
        and subject.has("nominal")
        and not (subject.has("definite") and not subject.has("named"))
        and not vague(subject)
        and not subject.flags & {"possessive", "empty", "ordinal"}
        and len(subject.text.split()) <= 5
        and attribute.has("modified")
        and not attribute.flags & {"some", "number"}
        and fact.kind != "coreference"
        and not attribute.has("empty")
        and len(attribute.text.split()) >= _SHORTEST
        and stands_alone(subject)
        and stands_alone(attribute)
    )
