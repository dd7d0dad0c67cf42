"""The registry of metrics: one literal dict, from which command-line choices, report columns and docs are made.

A metric is computed for one ``Case`` (a question, what was said to it, what was retrieved for it). Here stands what
each needs and how it is called; the arithmetic is in ``retrieval`` and ``answers``, means in ``summary``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from kgsynth.metrics import answers, retrieval
from kgsynth.metrics.retrieval import Relevance
from kgsynth.records import Answer, Item


@dataclass(frozen=True, slots=True)
class Case:
    """One question with what the system made of it.

    ``answer`` is None when there is no record of it; ``evidence`` and ``files`` (the same, file by file) are None
    when the question names no evidence.
    """

    item: Item
    answer: Answer | None
    evidence: Relevance | None
    files: Relevance | None

    @property
    def said(self) -> str:
        """What the system answered, "" when it gave nothing."""
        return (self.answer and self.answer.answer) or ""


@dataclass(frozen=True, slots=True)
class Metric:
    """One metric: ``compute(case, k)``, and on which questions it is defined.

    ``needs`` is evidence (an answerable question with evidence), golden (an answerable one with golden answers),
    text (any question that got an answer) or refusal (an unanswerable one). ``at_k`` metrics are named ``name@k``.
    ``bounded`` ones lie between 0 and 1, and more is better.
    """

    kind: str
    needs: str
    what: str
    compute: Callable[[Case, int], float]
    at_k: bool = False
    bounded: bool = True


def _on_evidence(function: Callable[[Relevance], float]) -> Callable[[Case, int], float]:
    return lambda case, _: function(case.evidence) if case.evidence else 0.0


def _on_evidence_at(function: Callable[[Relevance, int], float]) -> Callable[[Case, int], float]:
    return lambda case, k: function(case.evidence, k) if case.evidence else 0.0


def _given(function: Callable[[Case], float]) -> Callable[[Case, int], float]:
    """Score 0 where the system gave no answer, so that failing is never worth more than answering."""
    return lambda case, _: function(case) if case.answer and case.answer.answer is not None else 0.0


def _at(what: str, function: Callable[[Relevance, int], float]) -> Metric:
    return Metric("retrieval", "evidence", what, _on_evidence_at(function), at_k=True)


def _whole(what: str, function: Callable[[Relevance], float]) -> Metric:
    return Metric("retrieval", "evidence", what, _on_evidence(function))


def _answer(what: str, function: Callable[[Case], float]) -> Metric:
    return Metric("answers", "golden", what, _given(function))


METRICS: Mapping[str, Metric] = {
    "precision": _at("passages among the first k that cover any evidence, over k", retrieval.precision),
    "recall": _at("evidence groups covered by the first k passages, over all groups", retrieval.recall),
    "f1": _at("harmonic mean of precision@k and recall@k", retrieval.f1),
    "ndcg": _at("discounted gain of the first k, over that of the ideal ranking", retrieval.ndcg),
    "hit": _at("1 when the first k cover any evidence", retrieval.hit),
    "map": _whole("average precision, over all evidence groups", retrieval.average_precision),
    "mrr": _whole("1 over the rank of the first passage with evidence", retrieval.reciprocal_rank),
    "context_precision": _whole("mean precision at the passages with evidence", retrieval.context_precision),
    "context_recall": _whole("evidence groups covered by all that was retrieved", retrieval.context_recall),
    "file_recall": Metric(
        "retrieval",
        "evidence",
        "needed files among those retrieved",
        lambda case, _: retrieval.context_recall(case.files) if case.files else 0.0,
    ),
    "em": _answer("the answer equals a golden answer", lambda c: answers.exact_match(c.said, c.item.golden_answers)),
    "sub_em": _answer(
        "a golden answer stands in the answer", lambda c: answers.sub_exact_match(c.said, c.item.golden_answers)
    ),
    "token_precision": _answer(
        "tokens of the answer that are in the golden one",
        lambda c: answers.token_overlap(c.said, c.item.golden_answers).precision,
    ),
    "token_recall": _answer(
        "tokens of the golden answer that are in the answer",
        lambda c: answers.token_overlap(c.said, c.item.golden_answers).recall,
    ),
    "token_f1": _answer("harmonic mean of the two", lambda c: answers.token_overlap(c.said, c.item.golden_answers).f1),
    "answer_length": Metric(
        "answers", "text", "words in the answer", lambda c, _: answers.answer_length(c.said), bounded=False
    ),
    "refusal": Metric(
        "answers",
        "refusal",
        "unanswerable questions that were declined",
        _given(lambda c: float(answers.refuses(c.said))),
    ),
}
"""Every metric by name, in the order of the report."""

_WITHOUT = {
    "evidence": "no answerable question with evidence",
    "golden": "no answerable question with a golden answer",
    "text": "the system gives no answers",
    "refusal": "no unanswerable question",
}


def names(ks: Iterable[int]) -> list[str]:
    """Return the full names of all metrics for the cut-offs ``ks``, in the order of the report.

    Example:
        >>> names([1, 5])[:3]
        ['precision@1', 'precision@5', 'recall@1']
    """
    cuts = sorted(set(ks))
    return [
        full for name, metric in METRICS.items() for full in ([f"{name}@{k}" for k in cuts] if metric.at_k else [name])
    ]


def split(name: str) -> tuple[Metric, int]:
    """Return the metric behind a full name, and its k (0 for one without).

    Raises:
        KeyError: no metric has this name, or its k is missing, needless or not positive.

    Example:
        >>> split("recall@5")[1]
        5
    """
    base, at, cut = name.partition("@")
    metric = METRICS[base]
    if metric.at_k != bool(at) or (at and not re.fullmatch("[1-9][0-9]*", cut)):
        raise KeyError(name)
    return metric, int(cut or 0)


def defined(metric: Metric, case: Case) -> bool:
    """Say whether ``metric`` is defined for the question of ``case``; a failed answer does not undo that."""
    item = case.item
    return {
        "evidence": item.answerable and case.evidence is not None,
        "golden": item.answerable and bool(item.golden_answers),
        "text": case.answer is not None and case.answer.answer is not None,
        "refusal": not item.answerable,
    }[metric.needs]


def why_null(metric: Metric) -> str:
    """Say why a metric that is defined for no question of a set has no value."""
    return _WITHOUT[metric.needs]
