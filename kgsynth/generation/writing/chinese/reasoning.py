"""Questions for a cause or a purpose in Chinese: 为什么 before the clause that is explained, X用来做什么."""

from __future__ import annotations

import re
from collections.abc import Iterator

from kgsynth.base.records import Scenario
from kgsynth.base.vocabulary import FactKind, Role
from kgsynth.evidence.knowledge import Knowledge
from kgsynth.generation.writing.chinese.wording import as_question, joined, looked_up
from kgsynth.generation.writing.draft import QuestionDraft, UnwrittenError, Why
from kgsynth.language.chinese.subjects import opening_time, subject_of

_CASE_FIRST = re.compile(r"如果|若|当|只要|一旦|虽然|尽管")
_OPENING_LINK = re.compile(r"^(?:因此|所以|因而|那么|于是)")


def cause(scenario: Scenario, knowledge: Knowledge) -> Iterator[QuestionDraft]:
    """Yield the question why something is so."""
    yield from _why(scenario, knowledge, "cause")


def use(scenario: Scenario, knowledge: Knowledge) -> Iterator[QuestionDraft]:
    """Yield the question what something is used for."""
    fact = scenario.facts[0]
    subject, asked = fact.first(Role.SUBJECT), fact.phrases[scenario.asked]
    if subject is None:
        raise UnwrittenError(Why.UNNAMED)
    text = as_question(f"{joined(knowledge, fact, subject)}用来做什么")
    yield looked_up(fact, asked, "lookup", text)


def purpose(scenario: Scenario, knowledge: Knowledge) -> Iterator[QuestionDraft]:
    """Yield the question why something is done."""
    if scenario.facts[0].kind != FactKind.OUTCOME:
        raise UnwrittenError(Why.SENTENCE)
    yield from _why(scenario, knowledge, "purpose")


def _why(scenario: Scenario, knowledge: Knowledge, operator: str) -> Iterator[QuestionDraft]:
    """Yield 为什么 with the explained clause; a clause of time before it stays in front."""
    fact, explained = scenario.facts[0], scenario.facts[0].first(Role.OUTCOME)
    if explained is None:
        raise UnwrittenError(Why.SENTENCE)
    if fact.phrases[0].role == Role.SUBJECT and knowledge.entities.is_sample(fact.phrases[0]):
        raise UnwrittenError(Why.EXAMPLE)
    asked = fact.phrases[scenario.asked]
    bare = asked.text.removeprefix("为了")
    text, subject = _OPENING_LINK.sub("", joined(knowledge, fact, explained)), fact.first(Role.SUBJECT)
    if subject is not None:
        question = as_question(f"{joined(knowledge, fact, subject)}为什么{text}")
        yield looked_up(fact, asked, operator, question, bare)
        return
    front, comma, clause = text.rpartition("，")
    if comma and "，" not in front and (_CASE_FIRST.match(front) or subject_of(front) is None):
        question = f"{front}，为什么{clause}"
    elif fact.phrases[0].start > fact.start and (length := opening_time(fact.text)) > 0 and fact.text[length] == "，":
        question = f"{fact.text[: length + 1]}为什么{text}"
    else:
        question = f"为什么{text}"
    yield looked_up(fact, asked, operator, as_question(question), bare)
