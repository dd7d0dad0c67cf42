"""The registry of metrics of a run as a whole: corpus BLEU, document coverage, latency, processor, memory, failures.

Failed questions are left out of the resources, except of the error rate and availability.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial
from statistics import fmean

from kgsynth.scoring.metrics import text_overlap
from kgsynth.scoring.metrics.declaration import METRIC_NEEDS, RunMetric
from kgsynth.scoring.metrics.scored_case import ScoredCase
from kgsynth.scoring.metrics.summary import Value


def measure_run(cases: Sequence[ScoredCase], kind: str, wanted: Collection[str] | None = None) -> dict[str, Value]:
    """Return the run metrics of one kind; only the ``wanted`` ones when given."""
    kept = {name: metric for name, metric in RUN_METRICS.items() if wanted is None or name in wanted}
    return {name: metric.compute(cases) for name, metric in kept.items() if metric.kind == kind}


def _corpus_bleu(cases: Sequence[ScoredCase]) -> Value:
    pairs = [(case.plain_answer, case.golden_texts) for case in cases if METRIC_NEEDS["bleu"].holds(case)]
    if not any(case.answered for case in cases):
        return Value(None, 0, len(cases), why=METRIC_NEEDS["text"].why)
    if not pairs:
        return Value(None, 0, len(cases), why=METRIC_NEEDS["bleu"].why)
    return Value(round(text_overlap.corpus_bleu(pairs), 6), len(pairs), len(cases))


def _document_coverage(cases: Sequence[ScoredCase]) -> Value:
    """Return the share of the documents with evidence from which any question of the run retrieved a passage.

    It shows documents that are missing from an index; retrieving at random covers all of them.
    An evidence group with spans in several documents counts once, and is covered when any of them was retrieved.
    """
    listed = [case for case in cases if not case.unlisted]
    wanted = {frozenset(span.doc for span in group) for case in listed for group in case.item.evidence}
    retrieved = {doc for case in cases for doc in case.docs}
    found_nothing = any(case.answer and case.answer.retrieved_nothing for case in cases)
    if not wanted or not (retrieved or (found_nothing and not any(case.methods for case in cases))):
        reason = "no passage can be placed in a document" if wanted else "no evidence"
        return Value(None, 0, len(wanted), why=reason)
    return Value(round(sum(bool(docs & retrieved) for docs in wanted) / len(wanted), 6), len(wanted), len(wanted))


# ---- resources, from the answer records ----------------------------------------------------------


def percentile(ordered: Sequence[float], share: float) -> float:
    """Return the ``share`` quantile of ascending values, interpolated linearly.

    Example:
        >>> percentile([1.0, 2.0, 3.0, 4.0], 0.5), percentile([7.0], 0.99)
        (2.5, 7.0)
    """
    place = share * (len(ordered) - 1)
    low = math.floor(place)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (place - low) * (ordered[high] - ordered[low])


def throughput(values: Sequence[float]) -> float:
    """Return how many answers one caller gets per second: their number over the sum of their latencies.

    Example:
        >>> throughput([0.5, 0.3])
        2.5
    """
    total = math.fsum(values)
    return len(values) / total if total else math.inf


def error_rate(cases: Sequence[ScoredCase]) -> Value:
    """Return the share of the answer records that have an error."""
    answers = [case.answer for case in cases if case.answer]
    if not answers:
        return Value(None, 0, len(cases), why="there are no answer records")
    failed = sum(answer.error is not None for answer in answers)
    return Value(round(failed / len(answers), 6), len(answers), len(cases))


def availability(cases: Sequence[ScoredCase]) -> Value:
    """Return the share of all questions answered without an error; a missing record counts as an error."""
    answered = sum(case.answer is not None and case.answer.error is None for case in cases)
    return Value(round(answered / len(cases), 6), len(cases), len(cases))


def _of_latency(what: str, function: Callable[[Sequence[float]], float], variant: str = "") -> RunMetric:
    """Declare a metric of the latencies of answers without an error; ``function`` gets them in ascending order."""

    def compute(cases: Sequence[ScoredCase]) -> Value:
        values = (case.answer.latency_s for case in cases if case.answer and case.answer.error is None)
        known = sorted(value for value in values if value is not None)
        found = function(known) if known else math.inf
        if math.isinf(found):  # no value is known, or the throughput of no time at all
            return Value(None, 0, len(cases), why="no answer has a latency")
        return Value(round(found, 6), len(known), len(cases))

    return RunMetric("resources", what, f"failures:out{variant}", compute)


RUN_METRICS: Mapping[str, RunMetric] = {
    "corpus_bleu": RunMetric(
        "answers",
        "corpus BLEU of all answers together, from 0 to 1; 0 if no answer has four words",
        "nrefs:var|case:mixed|eff:no|tok:13a,zh|smooth:exp|markup:off|sacrebleu:{sacrebleu}",
        _corpus_bleu,
        bounded=True,
    ),
    "document_coverage": RunMetric(
        "knowledge base",
        "share of the documents with evidence that were retrieved from at all, for any question, right or not",
        "over:documents",
        _document_coverage,
        bounded=True,
    ),
    "latency_mean": _of_latency("mean seconds per answer", fmean),
    "latency_min": _of_latency("seconds of the fastest answer", min),
    "latency_max": _of_latency("seconds of the slowest answer", max),
    **{
        f"latency_p{percent}": _of_latency(
            f"seconds within which {percent} % of the answers came",
            partial(percentile, share=percent / 100),
            "|percentile:linear",
        )
        for percent in (50, 90, 95, 99)
    },
    "throughput": _of_latency("answers per second, asked one after another", throughput),
    "error_rate": RunMetric(
        "resources", "share of the questions asked on which the system failed", "over:records", error_rate
    ),
    "availability": RunMetric(
        "resources",
        "share of all questions that were answered without an error",
        "over:questions",
        availability,
        bounded=True,
    ),
}
"""Every metric of a run by name, in the order of the report."""
