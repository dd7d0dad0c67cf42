"""What a metric is given: one question with what a system made of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from kgsynth.base.progress import Progress, silent
from kgsynth.base.records import Answer, Item
from kgsynth.golden.answer_patterns import plain_answers
from kgsynth.scoring.metrics.retrieval import Relevance
from kgsynth.scoring.metrics.semantic import Meaning, TextEncoder, measure


@dataclass(frozen=True, slots=True)
class Case:
    """One question with what the system made of it.

    ``answer`` is None when there is no record of it; ``evidence`` and ``files`` (the same, file by file) are None
    when the question names no evidence; ``docs`` are the documents its passages come from. ``before`` is the
    relevance of the ranking a reranker was given, ``texts`` are the texts of the passages so far as they are known;
    ``meaning`` is there when the embedding model was asked, and ``judged``, metric by metric, when a language model
    was.
    """

    item: Item
    answer: Answer | None
    evidence: Relevance | None
    files: Relevance | None
    before: Relevance | None = None
    texts: tuple[str, ...] = ()
    meaning: Meaning | None = None
    judged: Mapping[str, float | None] | None = None
    docs: frozenset[str] = frozenset()

    @property
    def said(self) -> str:
        """What the system answered, "" when it gave nothing."""
        return (self.answer and self.answer.answer) or ""

    @property
    def answered(self) -> bool:
        """Whether there is an answer, be it an empty one."""
        return self.answer is not None and self.answer.answer is not None

    @property
    def returned(self) -> bool:
        """Whether the system came back at all, without an error."""
        return self.answer is not None and self.answer.error is None

    @property
    def golden(self) -> tuple[str, ...]:
        """The golden answers that are no regular expressions."""
        return plain_answers(self.item.golden_answers)

    @property
    def keywords(self) -> tuple[str, ...]:
        """The key words of the question's facts, as the golden set has them."""
        return tuple(self.item.metadata.get("keywords") or ())

    @property
    def readable(self) -> bool:
        """Whether the texts of what was retrieved are known, or nothing was retrieved."""
        return bool(self.texts) or not (self.answer and self.answer.retrieved)

    @property
    def scores(self) -> tuple[float, ...]:
        """The scores the system gave the passages it returned."""
        return tuple(each.score for each in self.answer.retrieved if each.score is not None) if self.answer else ()


def with_meaning(cases: Sequence[Case], encoder: TextEncoder, progress: Progress = silent) -> list[Case]:
    """Return the cases with what ``encoder`` says of the meaning of their answers."""
    found = measure([(case.item.question, case.said, case.golden) for case in cases], encoder)
    understood = []
    with progress("measuring meaning", len(cases)) as bar:
        for case, meaning in zip(cases, found, strict=True):
            understood.append(replace(case, meaning=meaning))
            bar.update()
    return understood
