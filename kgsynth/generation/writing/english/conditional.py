"""Conditional questions: what happens under a condition, when something happens, and what holds under a heading.

Of a fact with two conditions the first is asked about; the question repeats the second.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from kgsynth.base.records import Fact, Phrase, Scenario
from kgsynth.base.thresholds import LIMITS
from kgsynth.base.vocabulary import FactKind, Flag, Role
from kgsynth.evidence.knowledge import Knowledge
from kgsynth.generation.writing.draft import UnwrittenError, Why
from kgsynth.generation.writing.english.drafts import (
    QuestionDraft,
    answers,
    asides,
    lookup_step,
    predicate_of,
    span_in,
    under_heading,
)
from kgsynth.generation.writing.english.grammar import AskedPhrase, as_question, in_sentence, inverted_clause, question
from kgsynth.generation.writing.english.question_words import ask_for

_READERS_WISH = re.compile(
    r"(?i)\w+(?: \w+)? (?:you|they|users|\w+ users)"
    r"(?:['’](?:re|d)| are| would)? (?:want|need|wish|prefer|like|hope|plan|care|decide|feel|"
    r"familiar|interested|curious|new|\w+ing)\b"
)
"""A condition about what the reader wants or does; no fact depends on it."""
_WITHOUT_SUBJECT = re.compile(
    r"(?i)(?:if|when|once|while|whenever|in case) "
    r"(?:\w+ing|\w+ed|not|so|any|possible|necessary|in|at|on|by|there)\b"
)
"""A condition without a subject, after which "what happens" cannot be asked."""
_COMMENT = re.compile(
    r"(?i)(?:it(?:['’]s| is| was) (?:\w+ )?(?:\w+ed|possible|necessary|important|clear|likely|easy|useful|helpful|"
    r"convenient|better|best|good|common|hard|difficult|unclear|apparent|obvious|impossible|worth|not)|here|there|this|these|that|those|you|we|i|let|one)\b"
)
"""How an outcome begins that is a comment or advice, not something that happens."""


def explicit(scenario: Scenario, knowledge: Knowledge) -> Iterator[QuestionDraft]:
    """Yield the questions about a fact with a condition: what happens then, one of its phrases, or when it holds."""
    fact = scenario.facts[0]
    condition = fact.place(Role.CONDITION)
    if fact.phrases[condition].marker in {"unless", "until", "till"}:
        raise UnwrittenError(Why.SENTENCE)
    if not _is_condition(fact, fact.phrases[condition]):
        raise UnwrittenError(Why.CLAUSE)
    complete = not _WITHOUT_SUBJECT.match(fact.phrases[condition].text)
    if fact.kind == FactKind.OUTCOME:
        other = fact.phrases[scenario.asked]
        text = in_sentence(other)
        if not complete or _COMMENT.match(text):
            raise UnwrittenError(Why.ANSWER if complete else Why.CLAUSE)
        start = other.start + len(text) - len(text.removeprefix("then "))
        yield _consequence(fact, condition, AskedPhrase("what", text.removeprefix("then "), start, other.end))
    elif scenario.asked == condition:
        yield from _about_condition(fact, condition, knowledge, has_outcome=complete)
    else:
        wanted = ask_for(knowledge, fact, scenario.asked)
        if wanted is None or not complete:
            raise UnwrittenError(Why.CLAUSE if wanted else Why.QUESTION_WORD)
        front = -1 if fact.phrases[condition].has(Flag.DANGLING) else condition
        text = question(fact, scenario.asked, wanted, front=front, without=asides(fact))
        step = _under(fact, condition, wanted)
        yield QuestionDraft(text, answers(wanted, fact.phrases[scenario.asked]), "condition", (step,))


def _is_condition(fact: Fact, phrase: Phrase) -> bool:
    """Check whether a clause is a condition, not a point in time, a past event or a wish of the reader."""
    past = fact.verb.tag == "VBD" and phrase.marker in {"when", "once", "whenever"}
    split = " then" in phrase.text.lower()  # "if P then Q" is more than the condition
    return not (past or split or _READERS_WISH.match(phrase.text))


def _about_condition(fact: Fact, condition: int, knowledge: Knowledge, *, has_outcome: bool) -> Iterator[QuestionDraft]:
    """Yield the question what happens under a condition, if it ``has_outcome``, and the question when that happens."""
    phrase = fact.phrases[condition]
    outcome = _outcome(knowledge, fact, condition)
    clear = has_outcome and not phrase.has(Flag.DANGLING)
    first = _duty(knowledge, fact, condition) if clear else None
    if first is None and clear and outcome is not None:
        first = _consequence(fact, condition, outcome)
    if first is not None:
        yield first
    why = _not_asked_when(fact, condition, has_outcome=has_outcome)
    if why and first is None:
        raise UnwrittenError(why)
    if why:
        return
    text = as_question(f"when {inverted_clause(fact, without=[condition, *asides(fact, keep=condition)])}")
    yield QuestionDraft(text, (in_sentence(phrase),), "lookup", (lookup_step(fact, phrase),))


def _not_asked_when(fact: Fact, condition: int, *, has_outcome: bool) -> Why | None:
    """Return why it is not asked when a fact holds, None if it can be."""
    phrase = fact.phrases[condition]
    if any(p.has(Flag.DANGLING) for n, p in enumerate(fact.phrases) if n != condition and p.role != Role.MANNER):
        return Why.POINTS
    if phrase.marker == "if" and not has_outcome:
        return Why.CLAUSE  # "if not defined" does not say what is not defined
    if fact.verb.negated and phrase.start > fact.verb.start:
        return Why.MISREAD  # "they do not stop if the tank is full": it is unclear what "not" denies
    return None


def _duty(knowledge: Knowledge, fact: Fact, condition: int) -> QuestionDraft | None:
    """Return the question what somebody must, should or can do under the condition, None for other facts."""
    subject, modal = fact.first(Role.SUBJECT), fact.verb.modal
    someone = subject is not None and bool(subject.flags & {Flag.YOU, Flag.PERSON})
    done = predicate_of(knowledge, fact, condition)
    if subject is None or not someone or modal not in {"must", "should", "can"} or done is None:
        return None
    doer = "you" if subject.has(Flag.YOU) else in_sentence(subject)
    if _POINTING_ADVICE.match(done.answer):
        return None
    text = as_question(f"what {modal} {doer} do {in_sentence(fact.phrases[condition])}")
    return QuestionDraft(text, (done.answer,), "condition", (_under(fact, condition, done),))


_POINTING_ADVICE = re.compile(
    r"(?i)(?:please )?(?:see|read|refer|check out|visit|go to|skip|note|ask|click|make sure|consider)\b"
)
"""How advice begins that only points elsewhere, or is a step on a screen."""


def _consequence(fact: Fact, condition: int, outcome: AskedPhrase) -> QuestionDraft:
    """Return the question what happens, happened or would happen under the condition, or what one should do then."""
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
    return {"condition": span_in(fact, phrase.start, phrase.end)} | lookup_step(fact, asked)


def _outcome(knowledge: Knowledge, fact: Fact, condition: int) -> AskedPhrase | None:
    """Return the main clause as an answer, None if it is interrupted, too long, a comment or has no subject first."""
    phrase = fact.phrases[condition]
    others = [p for n, p in enumerate(fact.phrases) if n != condition]
    start, end = min(p.start for p in others), max(fact.verb.end, *(p.end for p in others))
    if start < phrase.end and phrase.start < end:
        return None
    text = knowledge.documents[fact.doc].plain(start, end).rstrip(".")
    if text.lower().startswith("then "):
        text, start = text[5:], start + 5
    first = min(others, key=lambda p: p.start)
    subject_first = any(p.role == Role.SUBJECT and p.start == first.start for p in others)
    too_long = len(text.split()) > LIMITS.outcome_words
    if _COMMENT.match(text) or fact.kind == FactKind.RELATIVE or not subject_first or too_long:
        return None
    return AskedPhrase("what", text[:1].lower() + text[1:] if first.has(Flag.LOWERABLE) else text, start, end)


def scoped_value(scenario: Scenario, knowledge: Knowledge) -> Iterator[QuestionDraft]:
    """Yield the question for a value that differs elsewhere, with the heading or words that say where it holds."""
    fact = scenario.facts[0]
    asked = ask_for(knowledge, fact, scenario.asked)
    if asked is None:
        raise UnwrittenError(Why.QUESTION_WORD)
    text = question(fact, scenario.asked, asked, without=asides(fact))
    if scenario.scope:
        place = knowledge.entities.is_place(scenario.scope)
        text = under_heading(scenario.scope, text, knowledge.entities.proper_words, place=place)
        if not text:
            raise UnwrittenError(Why.HEADING)
    phrase = fact.phrases[scenario.asked]
    rivals = []
    for rival in scenario.rivals:
        same = (n for n, p in enumerate(rival.phrases) if (p.role, p.marker) == (phrase.role, phrase.marker))
        other = next((ask_for(knowledge, rival, place) for place in same), None)
        if other is not None:
            rivals.append(lookup_step(rival, other))
    steps = ({"scope": scenario.scope} | lookup_step(fact, asked),)
    yield QuestionDraft(text, answers(asked, phrase), "scoped", steps, {"rivals": rivals[: LIMITS.scoped_rivals]})
