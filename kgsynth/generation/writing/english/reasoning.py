"""Reasoning questions: why, about one fact, and which or how many things, about several similar facts.

Comparisons of two values are in ``comparison``.
"""

from __future__ import annotations

from collections.abc import Iterator

from kgsynth.base.records import Fact, Phrase, Scenario
from kgsynth.base.vocabulary import FactKind, Flag, Role
from kgsynth.evidence.knowledge import Knowledge
from kgsynth.generation.writing.draft import UnwrittenError, Why
from kgsynth.generation.writing.english.drafts import (
    QuestionDraft,
    asides,
    check_anchored,
    lookup_step,
    unmarked,
)
from kgsynth.generation.writing.english.grammar import (
    AskedPhrase,
    active,
    as_question,
    in_sentence,
    inverted_clause,
    question,
)


def cause(scenario: Scenario, knowledge: Knowledge) -> Iterator[QuestionDraft]:
    """Yield the question why a fact holds."""
    fact = scenario.facts[0]
    phrase = fact.phrases[scenario.asked]
    if phrase.role != Role.CAUSE:
        yield from _brought_about(scenario)
        return
    reason = any(p.head == "reason" for p in fact.phrases if p.role in {Role.SUBJECT, Role.ATTRIBUTE})
    dated = phrase.marker in {"since", "as"} and not phrase.has(Flag.VERBAL)
    if reason or dated:
        raise UnwrittenError(Why.CLAUSE)
    yield from _answered_by_clause(scenario, _why(fact, scenario.asked))


_EFFECT_MARKERS = {"lead": "to"}
"""Causal verb -> the preposition of its effect."""
_NOT_ASKED_WITH = frozenset({"result"})
"""Causal verbs with which nobody asks for a cause: "What resulted in the crisis?"."""


def _brought_about(scenario: Scenario) -> Iterator[QuestionDraft]:
    """Yield the question what causes something: "What leads to a loss of support?"."""
    fact = scenario.facts[0]
    phrase, verb = fact.phrases[scenario.asked], fact.verb
    marker = _EFFECT_MARKERS.get(verb.lemma, "")
    if verb.lemma in _NOT_ASKED_WITH or verb.modal in {"can", "could", "may", "might"} or (marker and verb.passive):
        raise UnwrittenError(Why.OPEN)  # several things may lead to it; "led by" names a leader
    effects = [p for p in fact.phrases if p.role == (Role.OTHER if marker else Role.OBJECT) and p.marker == marker]
    clear = active(fact, scenario.asked) if verb.passive and not marker else fact
    if clear is None or (not verb.passive and len(effects) != 1):
        raise UnwrittenError(Why.SENTENCE)
    check_anchored(scenario)
    place = 0 if verb.passive else scenario.asked
    answer = unmarked(phrase) if verb.passive else in_sentence(phrase)
    start = phrase.end - len(answer) if verb.passive else phrase.start
    asked = AskedPhrase("what", answer, start, phrase.end)
    text = question(clear, place, asked, without=asides(clear))
    yield QuestionDraft(text, (answer,), "lookup", (lookup_step(fact, asked),))


def purpose(scenario: Scenario, knowledge: Knowledge) -> Iterator[QuestionDraft]:
    """Yield the question why something is done."""
    fact = scenario.facts[0]
    if fact.first(Role.SUBJECT) is None or fact.kind == FactKind.OUTCOME:
        raise UnwrittenError(Why.SENTENCE)
    if not _is_explanation(fact, fact.phrases[scenario.asked]):
        raise UnwrittenError(Why.CLAUSE)
    yield from _answered_by_clause(scenario, _why(fact, scenario.asked))


def _is_explanation(fact: Fact, phrase: Phrase) -> bool:
    """Check whether a purpose explains what is done.

    "To" after an object may belong to the object ("offers functions to set flags"); after "use", or at the start of
    the sentence, it says why. "It was designed" without its purpose cannot be asked about.
    """
    others = [p for p in fact.phrases if p is not phrase and p.role not in {Role.SUBJECT, Role.MANNER}]
    if not others and fact.verb.lemma in _NEEDS_PURPOSE:
        return False
    return phrase.marker != "to" or fact.verb.lemma == "use" or phrase.start < fact.verb.start or not others


_NEEDS_PURPOSE = frozenset({"design", "make", "build", "write", "create", "intend", "mean", "develop", "need"})
"""Verbs that are incomplete without a purpose or a manner."""


def _answered_by_clause(scenario: Scenario, text: str) -> Iterator[QuestionDraft]:
    """Yield the question that the asked clause answers, with its conjunction."""
    fact = scenario.facts[0]
    phrase = fact.phrases[scenario.asked]
    check_anchored(scenario)
    yield QuestionDraft(as_question(text), (in_sentence(phrase),), scenario.subtype, (lookup_step(fact, phrase),))


def _why(fact: Fact, asked: int) -> str:
    """Return the question with "why"; an outcome that could not be parsed is repeated unchanged."""
    if fact.kind == FactKind.OUTCOME:
        return f"why is it that {in_sentence(fact.phrases[1 - asked])}"
    return f"why {inverted_clause(fact, without=[asked, *asides(fact, keep=asked)])}"
