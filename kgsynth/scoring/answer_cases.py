"""Answers of a system → cases to measure: what the answers really are, and which evidence their passages cover."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

from kgsynth.base.records import Answer, Item, Passage
from kgsynth.base.thresholds import LIMITS
from kgsynth.language.lengths import length_in_words
from kgsynth.scoring.inputs import ScoringInputs
from kgsynth.scoring.metrics import ScoredCase
from kgsynth.scoring.metrics.citations import cited_passages, cited_statements
from kgsynth.scoring.metrics.steps import Ranks, cover_steps
from kgsynth.scoring.name_strings import read_name_strings
from kgsynth.scoring.systems import NO_RECORD
from kgsynth.scoring.systems.ask_all import SystemAnswers
from kgsynth.scoring.thoughts import take_off_thoughts


def read_answers(inputs: ScoringInputs, answers: SystemAnswers) -> tuple[SystemAnswers, tuple[str, ...]]:
    """Return the answers without thoughts, with names of documents read as such, and notes on what was changed."""
    answers, name_notes = read_name_strings(answers, inputs.known_documents)
    answers, thought_notes = take_off_thoughts(answers, inputs.items)
    return answers, (*name_notes, *thought_notes)


def match_answers(inputs: ScoringInputs, answers: Mapping[str, Answer]) -> list[ScoredCase]:
    """Match the passages of every answer to the evidence of its question."""
    cases = []
    for item in inputs.items:
        answer, evidence = answers[item.id], item.evidence if item.answerable else ()
        coverage = inputs.matcher.match(answer.retrieved, evidence, item.golden_answers)
        case = ScoredCase(
            item=item,
            answer=None if answer.error == NO_RECORD else answer,
            evidence=coverage.evidence,
            files=coverage.files,
            ranks=coverage.ranks,
            methods=coverage.methods,
            docs=coverage.docs,
            documents_given=bool(inputs.documents),
            answer_in_document=_is_in_document(inputs, answer),
            before=inputs.matcher.match(answer.before, evidence, item.golden_answers).evidence
            if answer.before
            else None,
            cited=inputs.matcher.match(cited_passages(answer), evidence, item.golden_answers).evidence,
            cited_groups=_cited_groups(inputs, item, answer),
            steps=cover_steps(answer.steps, partial(_ranks, inputs, item)) if answer.steps else None,
            altered=coverage.altered,
            texts=tuple(text for text in map(inputs.matcher.text, answer.retrieved) if text),
        )
        cases.append(case)
    return cases


def _ranks(inputs: ScoringInputs, item: Item, passages: Sequence[Passage]) -> Ranks:
    """Return the ranks at which passages cover the evidence of a question."""
    evidence = item.evidence if item.answerable else ()
    return inputs.matcher.match(passages, evidence, item.golden_answers).ranks


def _cited_groups(inputs: ScoringInputs, item: Item, answer: Answer) -> tuple[frozenset[int], ...] | None:
    """Return the evidence groups that the passages cited in each statement of an answer cover, if there are claims."""
    said = cited_statements(answer) if item.claims and item.answerable else None
    if said is None:
        return None
    ranks = [_ranks(inputs, item, passages) if passages else () for _, passages in said]
    return tuple(frozenset(group for group, rank in enumerate(each) if rank is not None) for each in ranks)


def _is_in_document(inputs: ScoringInputs, answer: Answer) -> bool:
    """Check whether an answer that is longer than a sentence is part of a document, word for word."""
    text = answer.answer or ""
    if not inputs.documents or length_in_words(text) < LIMITS.copied_answer_words:
        return False
    return inputs.matcher.locate(Passage(text=text))[1] in ("text", "similar text")
