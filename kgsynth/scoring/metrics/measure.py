"""From cases to figures: every metric of every question, their means, and why a metric has no value."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence, Set

from kgsynth.base.records import Item
from kgsynth.scoring.metrics import RUN_METRICS, Case, defined, split, why_null
from kgsynth.scoring.metrics.answer_match import refuses
from kgsynth.scoring.metrics.scores import SLICES
from kgsynth.scoring.metrics.summary import Value, cluster, summarise

Row = dict[str, float | None]
"""The metrics of one question by full name; None where one is not defined."""


def measure(cases: Sequence[Case], ways: Set[str], metrics: Sequence[str]) -> tuple[list[Row], dict[str, str]]:
    """Return the metrics of every question (None where one is not defined), and why one has no value at all.

    Those of the run as a whole are passed over.
    """
    absent = _absent(cases, ways)
    parts = {name: split(name) for name in metrics if name not in RUN_METRICS}
    rows = [
        {
            name: metric.compute(case, k) if metric.kind not in absent and defined(metric, case) else None
            for name, (metric, k) in parts.items()
        }
        for case in cases
    ]
    return rows, {name: absent.get(metric.kind) or why_null(metric) for name, (metric, _) in parts.items()}


def _absent(cases: Sequence[Case], ways: Set[str]) -> dict[str, str]:
    """Return the kinds of metrics for which the system gives nothing to measure, each with the reason."""
    absent: dict[str, str] = {}
    if not ways:
        absent |= dict.fromkeys(("retrieval", "passages", "reranking"), "the system returns no passages")
    elif ways == {"nothing"}:
        reason = "no passage could be tied to a document; give the documents with --docs"
        absent |= dict.fromkeys(("retrieval", "reranking"), reason)
    if not any(case.answered for case in cases):
        absent |= dict.fromkeys(("answers", "semantic", "heuristics"), "the system gives no answers")
    elif all(case.meaning is None for case in cases):
        absent["semantic"] = "not asked for: give --semantic"
    if all(case.judged is None for case in cases):
        absent["judged"] = "no judge: give --judge"
    return absent


def refusals(cases: Sequence[Case]) -> dict[str, dict[str, int]] | None:
    """Count expected against actual: four cells."""
    cells = Counter((case.item.answerable, refuses(case.said)) for case in cases if case.answered)
    if not cells:
        return None
    kinds = {"answerable": True, "unanswerable": False}
    return {kind: {"answered": cells[able, False], "refused": cells[able, True]} for kind, able in kinds.items()}


def sum_up(
    items: Sequence[Item], rows: Sequence[Row], why: Mapping[str, str]
) -> tuple[dict[str, Value], dict[str, dict[str, dict[str, Value]]]]:
    """Return the mean of every metric with its interval, over all questions and over each slice of them."""
    clusters = [cluster(item) for item in items]
    by: dict[str, dict[str, dict[str, Value]]] = {}
    for field in SLICES:
        labels = [str(getattr(item, field)) for item in items]
        by[field] = {}
        for label in sorted(set(labels)):
            at = [number for number, own in enumerate(labels) if own == label]
            by[field][label] = summarise([rows[i] for i in at], [clusters[i] for i in at], why)
    return summarise(rows, clusters, why), by
