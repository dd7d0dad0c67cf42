"""Questions that compare two values: which is more, which came first, and by how much.

Left out: comparisons of more than two, and predicates that have no natural English with a comparative.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from kgsynth.base.quantity import Quantity
from kgsynth.base.records import Fact, Phrase, Scenario
from kgsynth.base.vocabulary import Flag, Role
from kgsynth.evidence.knowledge import Knowledge
from kgsynth.evidence.quantities import difference
from kgsynth.generation.writing.english.drafts import QuestionDraft, asides, at, phrase_at, unmarked
from kgsynth.generation.writing.english.grammar import (
    as_question,
    declared,
    in_sentence,
    inverted_clause,
    predicate,
    shortened,
)
from kgsynth.language.english.morphology import inflected
from kgsynth.language.english.quantities import quantity

_COMPARATIVES = {
    "date": ("earlier", "min"),
    "duration": ("longer", "max"),
    "length": ("longer", "max"),
    "mass": ("heavier", "max"),
}
"""Dimension -> the comparative, and whether the greater or the lesser value is meant."""
_COUNTED_THINGS = re.compile(r"(?:\D*?)(?:[\d.,]+|\w+)(?: (?:hundred|thousand|million))? ([a-z][\w -]*)$")
"""A number and what it counts."""
_DURATION_VERBS = frozenset({"last", "take", "run", "keep", "remain", "stay"})
_MAX_EXTRA_WORDS = 2  # that the clause of an event has and the question has not, mostly adverbs
_RELATIVE_TIME = re.compile(r"\b(?:later|earlier|then|also|again|subsequently|afterwards)\b", re.I)
_AMOUNT_VERBS = frozenset("weigh cost hold use measure earn consume store take draw carry".split())


def comparison(scenario: Scenario, knowledge: Knowledge) -> Iterator[QuestionDraft]:
    """Yield the question which of two things has more, is higher, lasted longer or came first."""
    lesser, greater = scenario.facts
    places = scenario.links[0][1:]
    value = _value(lesser, places[0])
    if value is None:
        return
    word, direction = _COMPARATIVES.get(value.dimension, ("more", "max"))
    subjects = [next(p for p in fact.phrases if p.role == Role.SUBJECT) for fact in scenario.facts]
    names = [in_sentence(subject) for subject in subjects]
    winner = 0 if direction == "min" else 1
    order = sorted((0, 1), key=lambda n: names[n])
    answers = [names[winner]]
    steps = _operands(scenario, knowledge)
    if _what_is_said(lesser, places[0]) == _what_is_said(greater, places[1]):
        several = all(subject.has(Flag.PLURAL) for subject in subjects)
        compared = _compared(greater, places[1], value.dimension, word, third=not several)
        if not compared:
            return
        which = _which(knowledge, scenario.facts, subjects)
        text = f"{which} {compared}, {names[order[0]]} or {names[order[1]]}"
    else:
        events = [_event(fact, place) for fact, place in zip(scenario.facts, places, strict=True)]
        found = [_clause(knowledge, fact, place) for fact, place in zip(scenario.facts, places, strict=True)]
        clauses = [clause for clause in found if clause is not None]
        if len(clauses) < len(found):
            return
        text = f"which happened first: {events[order[0]]}, or {events[order[1]]}"
        for step, place in zip(steps, clauses, strict=True):
            step["subject"] = place
        stated = [knowledge.documents[place["doc"]].plain(place["start"], place["end"]) for place in clauses]
        longer = (
            len(clause.split()) > len(event.split()) + _MAX_EXTRA_WORDS
            for clause, event in zip(stated, events, strict=True)
        )
        if any(longer) or any(map(_RELATIVE_TIME.search, stated)):
            return  # the clause says something else too
        answers = [stated[winner], events[winner], names[winner]]
    answers = list(dict.fromkeys(answers))
    yield QuestionDraft(as_question(text), tuple(answers), "comparison", steps, {"direction": direction})


def _which(knowledge: Knowledge, facts: Sequence[Fact], subjects: Sequence[Phrase]) -> str:
    """Return "who" for people, "which depot" for two depots, otherwise "which"."""
    entities = [knowledge.entities.entity_of(fact, subject) for fact, subject in zip(facts, subjects, strict=True)]
    people = (
        subject.has(Flag.PERSON) or (entity is not None and knowledge.entities.is_person(entity))
        for subject, entity in zip(subjects, entities, strict=True)
    )
    if all(people):
        return "who"
    nouns = {knowledge.entities.type_noun(entity) if entity else "" for entity in entities}
    return f"which {nouns.pop()}".strip() if len(nouns) == 1 else "which"


def _what_is_said(fact: Fact, place: int) -> tuple[object, ...]:
    """Return what a fact says about its subject besides the value; it must be the same for both things compared."""
    rest = (p.lemmas for n, p in enumerate(fact.phrases) if n != place and p.role not in {Role.SUBJECT, Role.MANNER})
    return fact.verb.lemma, fact.verb.passive, sorted(rest)


def _clause(knowledge: Knowledge, fact: Fact, place: int) -> dict[str, Any] | None:
    """Return where an event is stated without its date, None when the date or an aside lies inside that."""
    left_out = {place, *asides(fact)}
    kept = [p for n, p in enumerate(fact.phrases) if n not in left_out]
    start = min(fact.verb.start, *(p.start for p in kept))
    end = max(fact.verb.end, *(p.end for p in kept))
    interrupted = any(start < fact.phrases[n].end and fact.phrases[n].start < end for n in left_out)
    return None if interrupted else at(fact, start, end)


def _operands(scenario: Scenario, knowledge: Knowledge) -> tuple[dict[str, Any], ...]:
    """Return a step for each fact: its subject and its value."""
    subjects = [next(p for p in fact.phrases if p.role == Role.SUBJECT) for fact in scenario.facts]
    return tuple(
        {"fact": fact.id, "subject": at(fact, p.start, p.end), "value": _value_at(knowledge, fact, n)}
        for fact, p, n in zip(scenario.facts, subjects, scenario.links[0][1:], strict=True)
    )


def _event(fact: Fact, place: int) -> str:
    subject = next(p for p in fact.phrases if p.role == Role.SUBJECT)
    plural = subject.has(Flag.PLURAL)
    return f"{shortened(subject)} {predicate(fact, without=[place, *asides(fact)], third=not plural)}"


def _value_at(knowledge: Knowledge, fact: Fact, place: int) -> dict[str, Any]:
    phrase = fact.phrases[place]
    return phrase_at(knowledge, fact, place) if quantity(unmarked(phrase)) else at(fact, phrase.start, phrase.end)


def _compared(fact: Fact, place: int, dimension: str, word: str, *, third: bool) -> str:
    """Return the predicate with a comparative instead of the value, "" when that would not be English."""
    phrase, verb = fact.phrases[place], fact.verb
    value = _COUNTED_THINGS.match(phrase.text)
    rest = predicate(fact, without=[place, *asides(fact)], third=third)
    if phrase.role == Role.TIME or dimension == "date":
        return f"{rest} {word}" if dimension in {"date", "duration"} else ""
    if verb.lemma == "be":
        return f"{declared(verb, third=third)} {_adjective(dimension)}"
    if dimension == "duration" and verb.lemma in _DURATION_VERBS:
        return f"{rest} longer"
    if value and phrase.role == Role.OBJECT:
        counted = "money" if dimension.startswith("money") else value.group(1)
        return predicate(fact, without=asides(fact), swap={place: f"more {counted}"}, third=third)
    return ""


def _adjective(dimension: str) -> str:
    """Return the comparative for what something is, by the dimension of its value."""
    return _COMPARATIVES.get(dimension, ("higher",))[0]


def arithmetic(scenario: Scenario, knowledge: Knowledge) -> Iterator[QuestionDraft]:
    """Yield the question by how much two values differ, or how long after one event another took place."""
    lesser, greater = scenario.facts
    low, high = scenario.links[0][1:]
    values = _value(lesser, low), _value(greater, high)
    answer = difference(values[0], values[1], "en") if values[0] and values[1] else None
    if answer is None or values[0] is None:
        return
    text = _how_long(lesser, greater, low, high, values[0]) if values[0].dimension == "date" else ""
    text = text or (_how_much(lesser, greater, high, values[0]) if values[0].dimension != "date" else "")
    if text:
        number = re.sub(r"[^\d.,].*$", "", answer)
        answers = tuple(dict.fromkeys(filter(None, (answer, number))))
        yield QuestionDraft(as_question(text), answers, "difference", _operands(scenario, knowledge))


def _value(fact: Fact, place: int) -> Quantity | None:
    return quantity(unmarked(fact.phrases[place])) or quantity(fact.phrases[place].text)


def _how_long(lesser: Fact, greater: Fact, low: int, high: int, value: Quantity) -> str:
    if {lesser.verb.tag, greater.verb.tag} != {"VBD"}:
        return ""
    later = inverted_clause(greater, drop=[high, *asides(greater)])
    return f"how many {inflected(value.unit, 'NNS')} after {_event(lesser, low)} {later}"


def _how_much(lesser: Fact, greater: Fact, high: int, value: Quantity) -> str:
    """Return "how many more readings does the one store than the other", "" when English has no such words."""
    phrase, verb = greater.phrases[high], greater.verb
    other = in_sentence(next(p for p in lesser.phrases if p.role == Role.SUBJECT))
    body = inverted_clause(greater, drop=[high, *asides(greater)])
    counted = _COUNTED_THINGS.match(phrase.text)
    if value.dimension.startswith("count:") and phrase.role == Role.OBJECT and counted and verb.lemma != "be":
        return f"how many more {counted.group(1)} {body} than {other}"
    if value.dimension.startswith("count:"):
        return ""
    if verb.lemma == "be" and phrase.role == Role.ATTRIBUTE:
        return f"how much {_adjective(value.dimension)} {body} than {other}"
    if value.dimension == "duration" and verb.lemma in _DURATION_VERBS:
        return f"how much longer {body} than {other}"
    return f"how much more {body} than {other}" if phrase.role == Role.OBJECT and verb.lemma in _AMOUNT_VERBS else ""
