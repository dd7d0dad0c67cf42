"""A question beside its own answer and evidence: does it give itself away, copy its source, or point outside itself?"""

from __future__ import annotations

from collections.abc import Iterator
from statistics import fmean

from kgsynth.auditing.case import AuditCase, telling
from kgsynth.base.config import DEFAULT_THRESHOLDS
from kgsynth.base.records import Finding, Item
from kgsynth.evidence.question_checks import copied as copied_share
from kgsynth.evidence.question_checks import fault_of, given_away
from kgsynth.golden.subtypes import traits_of
from kgsynth.language import LANGUAGES
from kgsynth.language.shared_words import offers_choice, says_yes_or_no
from kgsynth.language.words import words

COPIED = DEFAULT_THRESHOLDS["copied"]
"""The share of its words that repeat a sentence; of people's questions (SQuAD 2.0) three in a thousand go so far."""
OVERLAP = 0.9
"""The mean share of the questions' content words in the evidence from which on a set copies; people have two thirds."""

_ENOUGH = 20  # items from which on a mean tells something


def self_contained(case: AuditCase) -> Iterator[Finding]:
    """Yield the items whose question points elsewhere: "according to the text", "this section", a loose pronoun."""
    for item in case.dataset:
        fault = fault_of(item.question, item.language, define=True) if item.language in LANGUAGES else ""
        if fault and item.question.strip():
            message = f"{item.question!r}: {fault}"
            yield Finding("self_contained", "warning", item.id, message, "name in the question what is meant")


def leaking(case: AuditCase) -> Iterator[Finding]:
    """Yield the items whose question holds every telling word of its answer; a choice names its answers."""
    for item in case.dataset:
        if not item.golden_answers or traits_of(item.subtype).names_answers:
            continue
        answer = item.golden_answers[0]
        if offers_choice(item.question.replace(answer, "")):
            continue
        if _gives_away(item.question, answer, item.language) and not says_yes_or_no(answer):
            message = f"{item.question!r} holds its answer {answer!r}"
            yield Finding("leaking", "warning", item.id, message, "ask without the words of the answer")


def _gives_away(question: str, answer: str, code: str) -> bool:
    if code in LANGUAGES:
        share, held = given_away(question, answer, code)
        return share == 1 and bool(held)
    wanted = telling(answer, code)
    return bool(wanted) and set(wanted) <= set(telling(question, code))


def copied(case: AuditCase) -> Iterator[Finding]:
    """Yield the items whose question is a sentence of the evidence over again; and the set, when all copy much."""
    for item in case.dataset:
        found = (copied_share(item.question, item.golden_answers, sentence) for sentence in case.sentences(item))
        if (share := max(found, default=0.0)) >= COPIED:
            asked = len(words(item.question))
            repeated = f"{round(share * asked)} of the {asked} words of {item.question!r}"
            message = f"{repeated} are those of its evidence, in the same order"
            yield Finding("copied", "warning", item.id, message, "ask in words of your own")
    shares = overlaps(case)
    if len(shares) >= _ENOUGH and fmean(shares) > OVERLAP:
        message = f"on average {fmean(shares):.0%} of a question's words stand in its evidence; of people's it is 66%"
        yield Finding("copied", "warning", "", message, "expect retrieval by words to look better than it is")


def overlaps(case: AuditCase) -> list[float]:
    """Return for each item with evidence the share of the question's content words that stand there."""
    return [_overlap(item, case) for item in case.dataset if item.evidence and telling(item.question, item.language)]


def _overlap(item: Item, case: AuditCase) -> float:
    asked = set(telling(item.question, item.language))
    return len(asked & set(telling(case.told(item), item.language))) / len(asked)
