"""Compute every metric of every question, their means, and the reason when a metric has no value."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import chain

from kgsynth.base.records import Item
from kgsynth.base.thresholds import LIMITS
from kgsynth.scoring.metrics import RUN_METRICS, ScoredCase
from kgsynth.scoring.metrics.answer_match import declines
from kgsynth.scoring.metrics.declaration import METRIC_NEEDS, Metric, RunMetric
from kgsynth.scoring.metrics.item_score import SLICES, ItemScore
from kgsynth.scoring.metrics.lookup import RUN_OUTCOMES, find_metric, parse_name
from kgsynth.scoring.metrics.routing import DIRECT
from kgsynth.scoring.metrics.summary import Value, cluster, summarise
from kgsynth.statistics.intervals import weighted_share

MetricRow = dict[str, float | None]
"""The metrics of one question by full name; None where a metric is not defined."""


def measure_cases(cases: Sequence[ScoredCase], metrics: Sequence[str]) -> tuple[list[MetricRow], dict[str, str]]:
    """Return the metrics of every question, and for each metric the reason to give if no question has a value.

    Run metrics are skipped.
    """
    missing = _missing_kinds(cases)
    by_name = {name: parse_name(name) for name in metrics if name not in RUN_METRICS}
    rows = [
        {
            name: metric.compute(case, k) if metric.kind not in missing and metric.is_defined(case) else None
            for name, (metric, k) in by_name.items()
        }
        for case in cases
    ]
    reasons = {name: missing.get(metric.kind) or _why_undefined(metric, cases) for name, (metric, _) in by_name.items()}
    return rows, reasons


def _why_undefined(metric: Metric, cases: Sequence[ScoredCase]) -> str:
    """Return the reason why no case of a run, or of a slice of it, has what a metric needs.

    If other cases of the run have it, a slice lacks questions with evidence; the passages are not the reason.
    """
    if metric.needs in ("evidence", "files") and (not _has_evidence(cases) or any(map(metric.is_defined, cases))):
        return "no answerable question has evidence"
    return METRIC_NEEDS[metric.needs].why


def _has_evidence(cases: Sequence[ScoredCase]) -> bool:
    return any(case.item.answerable and case.item.evidence for case in cases)


def _missing_kinds(cases: Sequence[ScoredCase]) -> dict[str, str]:
    """Return the kinds of metrics for which the run has nothing to measure, each with the reason."""
    methods = {method for case in cases for method in case.methods}
    missing: dict[str, str] = {}
    if not methods and not any(map(_retrieved_nothing, cases)):
        missing |= dict.fromkeys(("retrieval", "passages", "citations", "reranking"), "the system returns no passages")
    elif not _has_evidence(cases):
        pass  # each metric has its own reason
    elif methods <= {"document", "nothing"} and all(case.evidence is None and not case.docs for case in cases):
        missing |= dict.fromkeys(("retrieval", "reranking"), cases[0].why_not_placed)
    if not any(case.cites for case in cases):
        missing.setdefault("citations", "no answer cites a passage")
    if all(case.steps is None for case in cases):
        missing["steps"] = "the system returns no steps"
    if not any(case.answered for case in cases):
        missing |= dict.fromkeys(("answers", "semantic"), "the system gives no answers")
    elif all(case.semantic is None for case in cases):
        missing["semantic"] = "not requested: give --semantic"
    if all(case.judged is None for case in cases):
        missing["judged"] = "no judge: give --judge"
    return missing


def _retrieved_nothing(case: ScoredCase) -> bool:
    """Check whether the system searched and found no passage: a result, unlike a reply without a list of passages."""
    return case.answer is not None and case.answer.retrieved_nothing and case.answer.route != DIRECT


def applies(name: str, cases: Sequence[ScoredCase]) -> bool:
    """Check whether the golden set has a question on which a metric is defined, whatever the system returned."""
    if name in RUN_OUTCOMES or isinstance(metric := find_metric(name), RunMetric):
        return True
    return any(metric.is_defined(replace(case, evidence=case.evidence or case.files)) for case in cases)


def assessable(values: Mapping[str, Value], results: Sequence[ItemScore], n_excluded: int) -> dict[str, Value]:
    """Return the values that gates may be checked against: none of those that too few of the questions show.

    ``n_excluded`` questions were not asked. Resources, such as latencies, are kept.
    """
    total = len(results) + n_excluded
    answerable = [each for each in results if each.question_type != "unanswerable"]
    found = dict(values)
    if n_excluded > LIMITS.left_out_share * total:
        others = "since the evidence of the others is not in the documents"
        why = f"only {len(results)} of {total} questions were asked, {others}"
        kept = {name for name, metric in RUN_METRICS.items() if metric.kind == "resources"}
        return {name: value if name in kept else replace(value, value=None, why=why) for name, value in values.items()}
    checked = sum(not each.not_checked for each in answerable)
    if checked and len(answerable) - checked > LIMITS.left_out_share * len(answerable):
        why = f"only {checked} of {len(answerable)} answerable questions could be checked"
        found["pass_rate"] = replace(values["pass_rate"], value=None, why=why)
    return found


def count_refusals(cases: Sequence[ScoredCase]) -> dict[str, dict[str, int]] | None:
    """Count answered and declined questions, answerable and unanswerable; None when the system gives no answers.

    Empty answers to answerable questions are counted apart; to an unanswerable one, an empty answer declines.
    """
    counts = Counter(
        (case.item.answerable, declines(case.answer_text, case.item.golden_answers, case.item.language))
        for case in cases
        if case.answered
    )
    if not counts:
        return None
    empty = sum(case.is_empty for case in cases if case.item.answerable)
    return {
        "answerable": {"answered": counts[True, False], "refused": counts[True, True] - empty}
        | ({"empty": empty} if empty else {}),
        "unanswerable": {"answered": counts[False, False], "refused": counts[False, True]},
    }


def summarise_rows(
    items: Sequence[Item], rows: Sequence[MetricRow], reasons: Mapping[str, str]
) -> tuple[dict[str, Value], dict[str, dict[str, dict[str, Value]]]]:
    """Return the mean of every metric with its interval, over all questions and over each slice of them.

    Tags are slices too, and turns if there are conversations: 1 for a question without earlier turns.
    """
    clusters = [cluster(item) for item in items]
    unbounded = {name for name in reasons if not find_metric(name).bounded}
    by_field: dict[str, dict[str, dict[str, Value]]] = {}
    labels_by_field: dict[str, list[tuple[str, ...]]] = {
        field: [(str(getattr(item, field)),) for item in items] for field in SLICES
    }
    if any(item.history for item in items):
        labels_by_field["turn"] = [(str(len(item.history) + 1),) for item in items]
    if any(item.tags for item in items):
        labels_by_field["tag"] = [item.tags for item in items]
    for field, labels in labels_by_field.items():
        by_field[field] = {}
        for label in sorted(
            set(chain.from_iterable(labels)), key=lambda each: (len(each) if each.isdigit() else 0, each)
        ):
            members = [at for at, each in enumerate(labels) if label in each]
            slice_rows, slice_clusters = [rows[at] for at in members], [clusters[at] for at in members]
            by_field[field][label] = summarise(slice_rows, slice_clusters, reasons, unbounded)
    return summarise(rows, clusters, reasons, unbounded), by_field


def over_folder(items: Sequence[Item], rows: Sequence[MetricRow], metrics: Iterable[str]) -> dict[str, Value]:
    """Return the pass rate and the metrics from 0 to 1 as estimated over all documents of the folder.

    Each item has the weight 1 / ``drawn``, the probability with which its documents were drawn. Nothing is returned if
    all documents were drawn.
    """
    weights = [1.0 / item.scores.get("drawn", 1.0) for item in items]
    if max(weights, default=1.0) == 1.0:
        return {}
    found = {}
    for name in ("pass_rate", *(name for name in metrics if find_metric(name).bounded)):
        known = [at for at, row in enumerate(rows) if row.get(name) is not None]
        if known:
            values, clusters = [rows[at][name] or 0.0 for at in known], [cluster(items[at]) for at in known]
            mean, ends = weighted_share(values, [weights[at] for at in known], clusters)
            found[name] = Value(round(mean, 6), len(known), len(rows), (round(ends[0], 6), round(ends[1], 6)))
    return found
