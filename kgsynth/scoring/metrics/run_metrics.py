"""The metrics of a run as a whole: corpus BLEU, latencies, processor and memory, failures."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence

from kgsynth.scoring.metrics import resources, text_overlap
from kgsynth.scoring.metrics.case import Case
from kgsynth.scoring.metrics.declaration import NEEDS, RunMetric
from kgsynth.scoring.metrics.resources import of_told, percentile
from kgsynth.scoring.metrics.summary import Value


def of_run(cases: Sequence[Case], kind: str, wanted: Collection[str] | None = None) -> dict[str, Value]:
    """Return the metrics of one kind that are of the run as a whole, only the ``wanted`` ones when these are given."""
    kept = {name: metric for name, metric in RUN_METRICS.items() if wanted is None or name in wanted}
    return {name: metric.compute(cases) for name, metric in kept.items() if metric.kind == kind}


def _corpus_bleu(cases: Sequence[Case]) -> Value:
    pairs = [(case.said, case.golden) for case in cases if NEEDS["words"].holds(case)]
    if not any(case.answered for case in cases):
        return Value(None, 0, len(cases), why=NEEDS["text"].why)
    if not pairs:
        return Value(None, 0, len(cases), why=NEEDS["words"].why)
    return Value(round(text_overlap.corpus_bleu(pairs), 6), len(pairs), len(cases))


def _document_coverage(cases: Sequence[Case]) -> Value:
    """Return the share of what evidence stands in that any question of the run led to: what is not there is not held.

    A piece of evidence with several places counts once, and is held when one of its documents is.
    """
    wanted = {frozenset(span.doc for span in group) for case in cases for group in case.item.evidence}
    seen = {doc for case in cases for doc in case.docs}
    if not seen or not wanted:
        return Value(None, 0, len(wanted), why="no passage can be placed in a document" if wanted else "no evidence")
    return Value(round(sum(bool(docs & seen) for docs in wanted) / len(wanted), 6), len(wanted), len(wanted))


def _resource(field: str, what: str, function: Callable[[Sequence[float]], float], variant: str = "") -> RunMetric:
    compute = of_told(field, function)
    variant = f"failures:out|{variant}".rstrip("|")
    return RunMetric(
        "resources", what, variant, lambda cases: compute([c.answer for c in cases if c.answer], len(cases))
    )


def _percentile(share: int) -> RunMetric:
    what = f"seconds within which {share} % of the answers came"
    return _resource("latency_s", what, lambda known: percentile(known, share / 100), "percentile:linear")


RUN_METRICS: Mapping[str, RunMetric] = {
    "corpus_bleu": RunMetric(
        "answers",
        "corpus BLEU of all answers together, from 0 to 1",
        "nrefs:var|case:mixed|eff:no|tok:13a,zh|smooth:exp|sacrebleu:{sacrebleu}",
        _corpus_bleu,
        bounded=True,
    ),
    "document_coverage": RunMetric(
        "knowledge base",
        "documents with evidence from which any question of the run got a passage",
        "over:documents",
        _document_coverage,
        bounded=True,
    ),
    "latency_mean": _resource("latency_s", "mean seconds to an answer", resources.mean),
    "latency_min": _resource("latency_s", "seconds to the quickest answer", min),
    "latency_max": _resource("latency_s", "seconds to the slowest answer", max),
    **{f"latency_p{share}": _percentile(share) for share in (50, 90, 95, 99)},
    "throughput": _resource("latency_s", "answers per second, asked one after another", resources.throughput),
    "cpu_seconds": _resource("cpu_s", "mean processor seconds to an answer", resources.mean, "tree:sum"),
    "peak_memory_mb": _resource(
        "memory_mb", "most megabytes in memory while answering", max, "tree:sum|memory:rss,sampled"
    ),
    "error_rate": RunMetric(
        "resources",
        "questions asked on which the system failed",
        "over:records",
        lambda cases: resources.error_rate([c.answer for c in cases if c.answer], len(cases)),
    ),
    "availability": RunMetric(
        "resources",
        "questions answered without an error, of all",
        "over:questions",
        lambda cases: resources.availability([c.answer for c in cases if c.answer], len(cases)),
        bounded=True,
    ),
}
"""Every metric of a run as a whole by name, in the order of the report."""
