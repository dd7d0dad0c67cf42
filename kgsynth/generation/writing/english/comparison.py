"""Questions about what two values make together: which is more, which came first, and by how much.

Left out: comparisons of more than two, and those whose predicate makes no natural English with a comparative.
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
from kgsynth.generation.writing.english.drafts import Draft, asides, at, phrase_at, unmarked
from kgsynth.generation.writing.english.grammar import declared, finish, said, shown, told, yes_no
from kgsynth.language.english.morphology import inflected
from kgsynth.language.english.quantities import quantity

_MORE = {
    "date": ("earlier", "min"),
    "duration": ("longer", "max"),
    "length": ("longer", "max"),
    "mass": ("heavier", "max"),
}
"""Kind of value -> the word that compares two, and whether the greater or the lesser is meant."""
_COUNTED = re.compile(r"(?:\D*?)(?:[\d.,]+|\w+)(?: (?:hundred|thousand|million))? ([a-z][\w -]*)$")
"""A number and what is counted."""
_LASTS = frozenset({"last", "take", "run", "keep", "remain", "stay"})
_SPARE = 2  # words, adverbs mostly, that the clause of an event may have beyond those of the question
_RELATIVE = re.compile(r"\b(?:later|earlier|then|also|again|subsequently|afterwards)\b", re.I)
_AMOUNTS = frozenset({"weigh", "cost", "hold", "use", "measure", "earn", "consume", "store", "take", "draw", "carry"})


def comparison(scenario: Scenario, knowledge: Knowledge) -> Iterator[Draft]:
    """Yield the question which of two things has more, is higher, lasted longer or came first."""
    lesser, greater = scenario.facts
    places = scenario.links[0][1:]
    value = _value(lesser, places[0])
    if value is None:
        return
    word, direction = _MORE.get(value.dimension, ("more", "max"))
    subjects = [next(p for p in fact.phrases if p.role == Role.SUBJECT) for fact in scenario.facts]
    names = [shown(subject) for subject in subjects]
    winner = 0 if direction == "min" else 1
    order = sorted((0, 1), key=lambda n: names[n])
    answers = [names[winner]]
    steps = _operands(scenario, knowledge)
    if _predicate(lesser, places[0]) == _predicate(greater, places[1]):
        several = all(subject.has(Flag.PLURAL) for subject in subjects)
        predicate = _compared(greater, places[1], value.dimension, word, third=not several)
        if not predicate:
            return
        which = _which(knowledge, scenario.facts, subjects)
        text = f"{which} {predicate}, {names[order[0]]} or {names[order[1]]}"
    else:
        events = [_event(fact, place) for fact, place in zip(scenario.facts, places, strict=True)]
        found = [_clause(knowledge, fact, place) for fact, place in zip(scenario.facts, places, strict=True)]
        clauses = [clause for clause in found if clause is not None]
        if len(clauses) < len(found):
            return
        text = f"which happened first: {events[order[0]]}, or {events[order[1]]}"
        for step, clause in zip(steps, clauses, strict=True):
            step["subject"] = clause
        whole = [knowledge.documents[clause["doc"]].plain(clause["start"], clause["end"]) for clause in clauses]
        longer = (len(said.split()) > len(event.split()) + _SPARE for said, event in zip(whole, events, strict=True))
        if any(longer) or any(_RELATIVE.search(said) for said in whole):
            return  # the clause tells another thing too
        answers = [whole[winner], events[winner], names[winner]]
    answers = list(dict.fromkeys(answers))
    yield Draft(finish(text), tuple(answers), "comparison", steps, {"direction": direction})


def _which(knowledge: Knowledge, facts: Sequence[Fact], subjects: Sequence[Phrase]) -> str:
    """Return "who", "which depot" where both things are one, or "which"."""
    entities = [knowledge.entities.entity_of(fact, subject) for fact, subject in zip(facts, subjects, strict=True)]
    people = (
        subject.has(Flag.PERSON) or (entity is not None and knowledge.entities.is_person(entity))
        for subject, entity in zip(subjects, entities, strict=True)
    )
    if all(people):
        return "who"
    nouns = {knowledge.entities.type_noun(entity) if entity else "" for entity in entities}
    return f"which {nouns.pop()}".strip() if len(nouns) == 1 else "which"


def _predicate(fact: Fact, place: int) -> tuple[object, ...]:
    """Return what a fact says of its subject beside the value: two things are compared in it when it is the same."""
    rest = (p.lemmas for n, p in enumerate(fact.phrases) if n != place and p.role not in {Role.SUBJECT, Role.MANNER})
    return fact.verb.lemma, fact.verb.passive, sorted(rest)


def _clause(knowledge: Knowledge, fact: Fact, place: int) -> dict[str, Any] | None:
    """Return where an event is told without its date, None when the date, or an aside, stands in the midst of it."""
    left_out = {place, *asides(fact)}
    kept = [p for n, p in enumerate(fact.phrases) if n not in left_out]
    start = min(fact.verb.start, *(p.start for p in kept))
    end = max(fact.verb.end, *(p.end for p in kept))
    torn = any(start < fact.phrases[n].end and fact.phrases[n].start < end for n in left_out)
    return None if torn else at(fact, start, end)


def _operands(scenario: Scenario, knowledge: Knowledge) -> tuple[dict[str, Any], ...]:
    """Return the step of each fact: whose value it is, and the value."""
    subjects = [next(p for p in fact.phrases if p.role == Role.SUBJECT) for fact in scenario.facts]
    return tuple(
        {"fact": fact.id, "subject": at(fact, p.start, p.end), "value": _value_at(knowledge, fact, n)}
        for fact, p, n in zip(scenario.facts, subjects, scenario.links[0][1:], strict=True)
    )


def _event(fact: Fact, place: int) -> str:
    subject = next(p for p in fact.phrases if p.role == Role.SUBJECT)
    plural = subject.has(Flag.PLURAL)
    return f"{told(subject)} {said(fact, without=[place, *asides(fact)], third=not plural)}"


def _value_at(knowledge: Knowledge, fact: Fact, place: int) -> dict[str, Any]:
    phrase = fact.phrases[place]
    return phrase_at(knowledge, fact, place) if quantity(unmarked(phrase)) else at(fact, phrase.start, phrase.end)


def _compared(fact: Fact, place: int, dimension: str, word: str, *, third: bool) -> str:
    """Return the predicate with the value replaced by a comparative, "" when that would not be English."""
    phrase, verb = fact.phrases[place], fact.verb
    value = _COUNTED.match(phrase.text)
    rest = said(fact, without=[place, *asides(fact)], third=third)
    if phrase.role == Role.TIME or dimension == "date":
        return f"{rest} {word}" if dimension in {"date", "duration"} else ""
    if verb.lemma == "be":
        return f"{declared(verb, third=third)} {_MORE[dimension][0] if dimension in _MORE else 'higher'}"
    if dimension == "duration" and verb.lemma in _LASTS:
        return f"{rest} longer"
    if value and phrase.role == Role.OBJECT:
        counted = "money" if dimension.startswith("money") else value.group(1)
        return said(fact, without=asides(fact), swap={place: f"more {counted}"}, third=third)
    return ""


def arithmetic(scenario: Scenario, knowledge: Knowledge) -> Iterator[Draft]:
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
        steps = _operands(scenario, knowledge)
        yield Draft(finish(text), tuple(dict.fromkeys(filter(None, (answer, number)))), "difference", steps)


def _value(fact: Fact, place: int) -> Quantity | None:
    return quantity(unmarked(fact.phrases[place])) or quantity(fact.phrases[place].text)


def _how_long(lesser: Fact, greater: Fact, low: int, high: int, value: Quantity) -> str:
    if {lesser.verb.tag, greater.verb.tag} != {"VBD"}:
        return ""
    before = _event(lesser, low)
    return f"how many {inflected(value.unit, 'NNS')} after {before} {yes_no(greater, drop=[high, *asides(greater)])}"


def _how_much(lesser: Fact, greater: Fact, high: int, value: Quantity) -> str:
    """Return "how many more readings does the one store than the other", "" where English has no such words."""
    phrase, verb = greater.phrases[high], greater.verb
    other = shown(next(p for p in lesser.phrases if p.role == Role.SUBJECT))
    body = yes_no(greater, drop=[high, *asides(greater)])
    counted = _COUNTED.match(phrase.text)
    if value.dimension.startswith("count:") and phrase.role == Role.OBJECT and counted and verb.lemma != "be":
        return f"how many more {counted.group(1)} {body} than {other}"
    if value.dimension.startswith("count:"):
        return ""
    if verb.lemma == "be" and phrase.role == Role.ATTRIBUTE:
        return f"how much {_MORE[value.dimension][0] if value.dimension in _MORE else 'higher'} {body} than {other}"
    if value.dimension == "duration" and verb.lemma in _LASTS:
        return f"how much longer {body} than {other}"
    return f"how much more {body} than {other}" if phrase.role == Role.OBJECT and verb.lemma in _AMOUNTS else ""
