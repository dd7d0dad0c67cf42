"""Conditional questions: what happens if, when something happens, and what holds under one heading only.

Left out: facts under two conditions at once; the second is said as it stands.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from kgsynth.base.records import Fact, Phrase, Scenario
from kgsynth.base.vocabulary import FactKind, Flag, Role
from kgsynth.evidence.knowledge import Knowledge
from kgsynth.generation.writing.english.drafts import Draft, answers, asides, at, find, scoped
from kgsynth.generation.writing.english.grammar import Asked, finish, question, shown, yes_no
from kgsynth.generation.writing.english.question_words import ask_for

_TOPIC = re.compile(
    r"(?i)\w+(?: \w+)? (?:you|they|users|\w+ users)"
    r"(?:['’](?:re|d)| are| would)? (?:want|need|wish|prefer|like|hope|plan|care|decide|feel|"
    r"familiar|interested|curious|new|\w+ing)\b"
)
"""What the reader may want or be about: it changes nothing in what is so."""
_ELLIPTIC = re.compile(
    r"(?i)(?:if|when|unless|once|while|until|whenever|in case) "
    r"(?:\w+ing|\w+ed|not|so|any|possible|necessary|in|at|on|by|there)\b"
)
"""A condition without a subject of its own; one does not ask what happens then."""
_SAYS_NOTHING = re.compile(
    r"(?i)(?:it(?:['’]s| is| was) (?:\w+ )?(?:\w+ed|possible|necessary|important|clear|likely|easy|useful|helpful|"
    r"convenient|better|best|good|common|hard|difficult|unclear|worth|not)|there|this|these|that|those|you|we|i|let|one)\b"
)
"""How an outcome opens that is advice or comment, not something that happens."""


def explicit(scenario: Scenario, knowledge: Knowledge) -> Iterator[Draft]:
    """Yield the questions about a fact with a condition: what happens then, one phrase of it, or when it holds."""
    fact = scenario.facts[0]
    condition = fact.place(Role.CONDITION)
    if _conditions(fact, fact.phrases[condition]):
        yield from _explicit(scenario, knowledge, condition)


def _conditions(fact: Fact, phrase: Phrase) -> bool:
    """Say whether a clause is a condition: no point in time, nothing past, nor what the reader may want."""
    past = fact.verb.tag == "VBD" and phrase.marker in {"when", "once", "whenever", "until"}
    torn = " then" in phrase.text.lower()  # "if P then Q": more than the condition
    moment = phrase.marker in {"until", "till"} and not phrase.has(Flag.VERBAL)  # "until the 17th century"
    return not (phrase.marker == "unless" or past or torn or moment or _TOPIC.match(phrase.text))


def _explicit(scenario: Scenario, knowledge: Knowledge, condition: int) -> Iterator[Draft]:
    fact = scenario.facts[0]
    whole = not _ELLIPTIC.match(fact.phrases[condition].text)
    ask = whole and fact.phrases[condition].marker != "until"
    if fact.kind == FactKind.OUTCOME:
        other = fact.phrases[scenario.asked]
        text = shown(other)
        if ask and not _SAYS_NOTHING.match(text):
            yield _consequence(fact, condition, Asked("what", text, other.start, other.end))
    elif scenario.asked == condition:
        yield from _whole(fact, condition, knowledge, ask=ask)
    else:
        wanted = ask_for(knowledge, fact, scenario.asked)
        if wanted is not None and whole:
            front = None if fact.phrases[condition].has(Flag.DANGLING) else condition
            text = question(fact, scenario.asked, wanted, front=front, drop=asides(fact))
            step = _under(fact, condition, wanted)
            yield Draft(text, answers(wanted, fact.phrases[scenario.asked]), "condition", (step,))


def _whole(fact: Fact, condition: int, knowledge: Knowledge, *, ask: bool) -> Iterator[Draft]:
    """Yield what happens under the condition, where one may ``ask`` so, and under what condition it happens."""
    phrase = fact.phrases[condition]
    outcome = _outcome(knowledge, fact, condition)
    if ask and outcome is not None and not phrase.has(Flag.DANGLING):
        yield _consequence(fact, condition, outcome)
    if not any(p.has(Flag.DANGLING) for n, p in enumerate(fact.phrases) if n != condition and p.role != Role.MANNER):
        asked = Asked("when", shown(phrase), phrase.start, phrase.end)
        if phrase.marker == "if" and not ask:
            return  # "if not defined": what?
        if fact.verb.negated and phrase.start > fact.verb.start:
            return  # "they do not stop if the tank is full": which of the two the "not" denies is open
        lead = {"until": "until when", "when": "when", "whenever": "when", "once": "when"}.get(
            phrase.marker, "under what condition"
        )
        text = finish(f"{lead} {yes_no(fact, drop=[condition, *asides(fact, keep=condition)])}")
        yield Draft(text, (asked.answer,), "lookup", (find(fact, asked),))


def _consequence(fact: Fact, condition: int, outcome: Asked) -> Draft:
    """Return the question what happens, happened or would happen, or what one should do, under the condition."""
    verb, subject = fact.verb, fact.first(Role.SUBJECT)
    opening = "what happens"
    if (fact.kind == FactKind.OUTCOME and verb.lemma == "do") or (subject is not None and subject.start == subject.end):
        opening = "what should you do"
    elif verb.modal == "would":
        opening = "what would happen"
    elif verb.tag == "VBD":
        opening = "what happened"
    text = finish(f"{opening} {shown(fact.phrases[condition])}")
    return Draft(text, (outcome.answer,), "condition", (_under(fact, condition, outcome),))


def _under(fact: Fact, condition: int, asked: Asked) -> dict[str, Any]:
    """Return the step that looks an answer up under a condition."""
    phrase = fact.phrases[condition]
    return {"condition": at(fact, phrase.start, phrase.end)} | find(fact, asked)


def _outcome(knowledge: Knowledge, fact: Fact, condition: int) -> Asked | None:
    """Return the main clause as an answer, when it is one stretch of the sentence."""
    phrase = fact.phrases[condition]
    others = [p for n, p in enumerate(fact.phrases) if n != condition]
    start, end = min(p.start for p in others), max(fact.verb.end, *(p.end for p in others))
    if start < phrase.end and phrase.start < end:
        return None
    text = knowledge.documents[fact.doc].plain(start, end).rstrip(".")
    first = next(p for p in others if p.start == start)
    if _SAYS_NOTHING.match(text):
        return None
    subject_first = any(p.role == Role.SUBJECT and p.start == start for p in others)
    if fact.kind == FactKind.RELATIVE or not subject_first or len(text.split()) > 30:
        return None
    return Asked("what", text[:1].lower() + text[1:] if first.has(Flag.LOWERABLE) else text, start, end)


def scoped_value(scenario: Scenario, knowledge: Knowledge) -> Iterator[Draft]:
    """Yield the question for a value that differs elsewhere, with the heading or the words that say where."""
    fact = scenario.facts[0]
    asked = ask_for(knowledge, fact, scenario.asked)
    if asked is None:
        return
    text = question(fact, scenario.asked, asked, drop=asides(fact))
    if scenario.scope:
        place = knowledge.entities.is_place(scenario.scope)
        text = scoped(scenario.scope, text, knowledge.entities.proper_words, place=place)
        if not text:
            return
    rivals = []
    for rival in scenario.rivals:
        twin = _twin(rival, fact.phrases[scenario.asked])
        wanted = ask_for(knowledge, rival, twin) if twin is not None else None
        if wanted is not None:
            rivals.append({"fact": rival.id, "find": at(rival, wanted.start, wanted.end)})
    steps = ({"scope": scenario.scope} | find(fact, asked),)
    yield Draft(text, answers(asked, fact.phrases[scenario.asked]), "scoped", steps, {"rivals": rivals[:5]})


def _twin(fact: Fact, phrase: Phrase) -> int | None:
    """Return the place of the phrase of ``fact`` that says what ``phrase`` says elsewhere."""
    return next((n for n, p in enumerate(fact.phrases) if (p.role, p.marker) == (phrase.role, phrase.marker)), None)
