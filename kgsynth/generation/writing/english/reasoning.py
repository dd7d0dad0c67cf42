"""Reasoning questions about one fact, why and what for, and about several of which the same is said.

Left out: what two values make together (``comparing``).
"""

from __future__ import annotations

from collections.abc import Iterator

from kgsynth.base.records import Fact, Phrase, Scenario
from kgsynth.base.vocabulary import FactKind, Flag, Role
from kgsynth.evidence.knowledge import Knowledge
from kgsynth.generation.writing.english.drafts import Draft, asides, find, phrase_at, stands
from kgsynth.generation.writing.english.grammar import Asked, finish, inverted, said, shown, yes_no
from kgsynth.generation.writing.english.question_words import noun_of
from kgsynth.language.english.morphology import inflected
from kgsynth.language.english.text_forms import listed, without_article

_SMALL = "no one two three four five six seven eight".split()


def cause(scenario: Scenario, knowledge: Knowledge) -> Iterator[Draft]:
    """Yield the question why a fact holds."""
    fact = scenario.facts[0]
    phrase = fact.phrases[scenario.asked]
    reason = any(p.head == "reason" for p in fact.phrases if p.role in {Role.SUBJECT, Role.ATTRIBUTE})
    dated = phrase.marker in {"since", "as"} and not phrase.has(Flag.VERBAL)
    if not reason and not dated:
        yield from _explained(scenario, finish(f"why {_why(fact, scenario.asked)}"))


def purpose(scenario: Scenario, knowledge: Knowledge) -> Iterator[Draft]:
    """Yield the question what something is used for, or why it is done."""
    fact = scenario.facts[0]
    phrase, subject = fact.phrases[scenario.asked], fact.first(Role.SUBJECT)
    if subject is None or fact.kind == FactKind.OUTCOME or not _tells_why(fact, phrase):
        return
    if fact.verb.lemma == "use" and fact.verb.passive and not fact.verb.modal and phrase.marker in {"to", "for"}:
        first, after = inverted(fact.verb)
        yield from _explained(scenario, finish(f"what {first} {shown(subject)} {after} for"))
    else:
        yield from _explained(scenario, finish(f"why {_why(fact, scenario.asked)}"))


def _tells_why(fact: Fact, phrase: Phrase) -> bool:
    """Say whether a purpose explains what is done.

    "To" after an object may belong to that object ("offers functions to set flags"); after "use", a passive, or at the
    beginning it tells why. Without a purpose "it was designed" says nothing.
    """
    others = [p for p in fact.phrases if p is not phrase and p.role not in {Role.SUBJECT, Role.MANNER}]
    if not others and fact.verb.lemma in _MADE:
        return False
    return phrase.marker != "to" or fact.verb.lemma == "use" or phrase.start < fact.verb.start or not others


_MADE = frozenset({"design", "make", "build", "write", "create", "intend", "mean", "develop", "need"})
"""Verbs that want to be told what for, or how."""


def _explained(scenario: Scenario, text: str) -> Iterator[Draft]:
    """Yield the question that the asked phrase, whole, answers."""
    fact = scenario.facts[0]
    phrase = fact.phrases[scenario.asked]
    asked = Asked("why", shown(phrase), phrase.start, phrase.end)
    if stands(scenario):
        yield Draft(text, (asked.answer,), scenario.subtype, (find(fact, asked),))


def _why(fact: Fact, asked: int) -> str:
    """Return what comes after "why"; the words of an outcome that was never parsed stay as they are."""
    if fact.kind == FactKind.OUTCOME:
        return f"is it that {shown(fact.phrases[1 - asked])}"
    return yes_no(fact, drop=[asked, *asides(fact, keep=asked)])


def aggregation(scenario: Scenario, knowledge: Knowledge) -> Iterator[Draft]:
    """Yield the questions which things share what is said of them, and how many they are."""
    first = scenario.facts[0]
    places = [fact.place(Role.SUBJECT) for fact in scenario.facts]
    subjects = [fact.phrases[place] for fact, place in zip(scenario.facts, places, strict=True)]
    entities = [
        knowledge.entities.entity_of(fact, subject) for fact, subject in zip(scenario.facts, subjects, strict=True)
    ]
    nouns = {noun_of(knowledge, entity) if entity else "" for entity in entities}
    noun = nouns.pop() if len(nouns) == 1 else ""
    if not noun or any(subject.has(Flag.PLURAL) for subject in subjects):
        return
    predicate = said(first, without=[places[0], *asides(first)], third=noun == "person")
    steps = tuple(
        {"fact": fact.id, "find": phrase_at(knowledge, fact, place)}
        for fact, place in zip(scenario.facts, places, strict=True)
    )
    which = "who" if noun == "person" else f"which {inflected(noun, 'NNS')}"
    names = [shown(subject) for subject in subjects]
    bare = [without_article(name) for name in names]
    yield Draft(finish(f"{which} {predicate}"), (listed(names), listed(bare)), "all", steps)
    how_many = "people" if noun == "person" else inflected(noun, "NNS")
    predicate = said(first, without=[places[0], *asides(first)], third=False)
    count = str(len(names))
    yield Draft(finish(f"how many {how_many} {predicate}"), (count, _SMALL[len(names)]), "count", steps)
