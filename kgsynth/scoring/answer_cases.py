"""Answers of a system → cases to measure: what the answers really are, and which evidence their passages cover."""

from __future__ import annotations

from collections.abc import Mapping

from kgsynth.base.records import Answer, Passage
from kgsynth.base.thresholds import LIMITS
from kgsynth.language.lengths import length_in_words
from kgsynth.scoring.inputs import ScoringInputs
from kgsynth.scoring.metrics import ScoredCase
from kgsynth.scoring.metrics.scored_case import cited_passages
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
            altered=coverage.altered,
            texts=tuple(text for text in map(inputs.matcher.text, answer.retrieved) if text),
        )
        cases.append(case)
    return cases


def _is_in_document(inputs: ScoringInputs, answer: Answer) -> bool:
    """Check whether an answer that is longer than a sentence is part of a document, word for word."""
    text = answer.answer or ""
    if not inputs.documents or length_in_words(text) < LIMITS.copied_answer_words:
        return False
    return inputs.matcher.locate(Passage(text=text))[1] in ("text", "similar text")
