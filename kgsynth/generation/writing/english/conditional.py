"""Conditional questions: what happens if something is so, when something happens, and what holds under one heading.

Left out: the second condition of a fact that has two; the question repeats it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from kgsynth.base.records import Fact, Phrase, Scenario
from kgsynth.base.vocabulary import FactKind, Flag, Role
from kgsynth.evidence.knowledge import Knowledge
from kgsynth.generation.writing.english.drafts import QuestionDraft, answers, asides, at, find, scoped
from kgsynth.generation.writing.english.grammar import AskedPhrase, as_question, in_sentence, inverted_clause, question
from kgsynth.generation.writing.english.question_words import ask_for

_READERS_WISH = re.compile(
    r"(?i)\w+(?: \w+)? (?:you|they|users|\w+ users)"
    r"(?:['’](?:re|d)| are| would)? (?:want|need|wish|prefer|like|hope|plan|care|decide|feel|"
    r"familiar|interested|curious|new|\w+ing)\b"
)
"""A condition about what the reader wants or does: the facts do not depend on it."""
_WITHOUT_SUBJECT = re.compile(
    r"(?i)(?:if|when|unless|once|while|until|whenever|in case) "
    r"(?:\w+ing|\w+ed|not|so|any|possible|necessary|in|at|on|by|there)\b"
)
"""A condition without a subject of its own, about which nobody asks what happens then."""
_COMMENT = re.compile(
    r"(?i)(?:it(?:['’]s| is| was) (?:\w+ )?(?:\w+ed|possible|necessary|important|clear|likely|easy|useful|helpful|"
    r"convenient|better|best|good|common|hard|difficult|unclear|worth|not)|there|this|these|that|those|you|we|i|let|one)\b"
)
"""The beginning of an outcome that is advice or comment, not something that happens."""


def explicit(scenario: Scenario, knowledge: Knowledge) -> Iterator[QuestionDraft]:
    """Yield the questions about a fact with a condition: what happens then, one phrase of it, or when it holds."""
    fact = scenario.facts[0]
    condition = fact.place(Role.CONDITION)
    if _is_condition(fact, fact.phrases[condition]):
        yield from _explicit(scenario, knowledge, condition)


def _is_condition(fact: Fact, phrase: Phrase) -> bool:
    """Check whether a clause is a condition, and no point in time, nothing past and no wish of the reader."""
    past = fact.verb.tag == "VBD" and phrase.marker in {"when", "once", "whenever", "until"}
    split = " then" in phrase.text.lower()  # "if P then Q": more than the condition
    moment = phrase.marker in {"until", "till"} and not phrase.has(Flag.VERBAL)  # "until the 17th century"
    return not (phrase.marker == "unless" or past or split or moment or _READERS_WISH.match(phrase.text))


def _explicit(scenario: Scenario, knowledge: Knowledge, condition: int) -> Iterator[QuestionDraft]:
    fact = scenario.facts[0]
    complete = not _WITHOUT_SUBJECT.match(fact.phrases[condition].text)
    ask = complete and fact.phrases[condition].marker != "until"
    if fact.kind == FactKind.OUTCOME:
        other = fact.phrases[scenario.asked]
        text = in_sentence(other)
        if ask and not _COMMENT.match(text):
            yield _consequence(fact, condition, AskedPhrase("what", text, other.start, other.end))
    elif scenario.asked == condition:
        yield from _about_condition(fact, condition, knowledge, ask=ask)
    else:
        wanted = ask_for(knowledge, fact, scenario.asked)
        if wanted is not None and complete:
            front = None if fact.phrases[condition].has(Flag.DANGLING) else condition
            text = question(fact, scenario.asked, wanted, front=front, drop=asides(fact))
            step = _under(fact, condition, wanted)
            yield QuestionDraft(text, answers(wanted, fact.phrases[scenario.asked]), "condition", (step,))


def _about_condition(fact: Fact, condition: int, knowledge: Knowledge, *, ask: bool) -> Iterator[QuestionDraft]:
    """Yield the question what happens under a condition, if one may ``ask`` that, and when that happens."""
    phrase = fact.phrases[condition]
    outcome = _outcome(knowledge, fact, condition)
    if ask and outcome is not None and not phrase.has(Flag.DANGLING):
        yield _consequence(fact, condition, outcome)
    if not any(p.has(Flag.DANGLING) for n, p in enumerate(fact.phrases) if n != condition and p.role != Role.MANNER):
        asked = AskedPhrase("when", in_sentence(phrase), phrase.start, phrase.end)
        if phrase.marker == "if" and not ask:
            return  # "if not defined": what?
        if fact.verb.negated and phrase.start > fact.verb.start:
            return  # "they do not stop if the tank is full": it is unclear what "not" denies
        lead = {"until": "until when", "when": "when", "whenever": "when", "once": "when"}.get(
            phrase.marker, "under what condition"
        )
        text = as_question(f"{lead} {inverted_clause(fact, drop=[condition, *asides(fact, keep=condition)])}")
        yield QuestionDraft(text, (asked.answer,), "lookup", (find(fact, asked),))


def _consequence(fact: Fact, condition: int, outcome: AskedPhrase) -> QuestionDraft:
    """Return the question what happens, happened or would happen, or what one should do, under the condition."""
    verb, subject = fact.verb, fact.first(Role.SUBJECT)
    opening = "what happens"
    if (fact.kind == FactKind.OUTCOME and verb.lemma == "do") or (subject is not None and subject.start == subject.end):
        opening = "what should you do"
    elif verb.modal == "would":
        opening = "what would happen"
    elif verb.tag == "VBD":
        opening = "what happened"
    text = as_question(f"{opening} {in_sentence(fact.phrases[condition])}")
    return QuestionDraft(text, (outcome.answer,), "condition", (_under(fact, condition, outcome),))


def _under(fact: Fact, condition: int, asked: AskedPhrase) -> dict[str, Any]:
    """Return the step of a derivation that looks up an answer under a condition."""
    phrase = fact.phrases[condition]
    return {"condition": at(fact, phrase.start, phrase.end)} | find(fact, asked)


def _outcome(knowledge: Knowledge, fact: Fact, condition: int) -> AskedPhrase | None:
    """Return the main clause as an answer, None when it is not contiguous or is only a comment."""
    phrase = fact.phrases[condition]
    others = [p for n, p in enumerate(fact.phrases) if n != condition]
    start, end = min(p.start for p in others), max(fact.verb.end, *(p.end for p in others))
    if start < phrase.end and phrase.start < end:
        return None
    text = knowledge.documents[fact.doc].plain(start, end).rstrip(".")
    first = next(p for p in others if p.start == start)
    if _COMMENT.match(text):
        return None
    subject_first = any(p.role == Role.SUBJECT and p.start == start for p in others)
    if fact.kind == FactKind.RELATIVE or not subject_first or len(text.split()) > 30:
        return None
    return AskedPhrase("what", text[:1].lower() + text[1:] if first.has(Flag.LOWERABLE) else text, start, end)


def scoped_value(scenario: Scenario, knowledge: Knowledge) -> Iterator[QuestionDraft]:
    """Yield the question for a value that is different elsewhere, with the heading or words that say where."""
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
    yield QuestionDraft(text, answers(asked, fact.phrases[scenario.asked]), "scoped", steps, {"rivals": rivals[:5]})


def _twin(fact: Fact, phrase: Phrase) -> int | None:
    """Return the index of the phrase of ``fact`` with the role and marker of ``phrase``, None for none."""
    return next((n for n, p in enumerate(fact.phrases) if (p.role, p.marker) == (phrase.role, phrase.marker)), None)
