"""Latencies and failures of a run, calculated by hand."""

from __future__ import annotations

import numpy as np
import pytest

from kgsynth.base.records import Answer, Item, Span
from kgsynth.scoring.metrics import RUN_METRICS, ScoredCase
from kgsynth.scoring.metrics.run_metrics import percentile

ITEM = Item("q", "Who?", ("Ada",), "simple", "factoid", "en", ())


def cases(*answers: Answer | None) -> list[ScoredCase]:
    return [ScoredCase(ITEM, answer, None, None) for answer in answers]


def took(*seconds: float) -> list[ScoredCase]:
    return cases(*(Answer("q", "Ada", (), each) for each in seconds))


def values(of: list[ScoredCase]) -> dict[str, float | None]:
    return {name: metric.compute(of).value for name, metric in RUN_METRICS.items() if metric.kind == "resources"}


def test_latencies_by_hand_whatever_their_order() -> None:
    assert values(took(0.4, 0.1, 0.3, 0.2)) == pytest.approx(
        {
            "latency_mean": 0.25,
            "latency_min": 0.1,
            "latency_max": 0.4,
            "latency_p50": 0.25,
            "latency_p90": 0.37,  # 2.7 of the way along three steps
            "latency_p95": 0.385,
            "latency_p99": 0.397,
            "throughput": 4.0,
            "error_rate": 0.0,
            "availability": 1.0,
        }
    )


@pytest.mark.parametrize("share", [0.0, 0.5, 0.9, 0.95, 0.99, 1.0])
def test_percentiles_are_numpys(share: float) -> None:
    ordered = sorted(np.random.default_rng(1).exponential(size=37).tolist())
    assert percentile(ordered, share) == pytest.approx(float(np.percentile(ordered, 100 * share)), abs=1e-12)


def test_failures_have_no_latency_and_a_missing_record_is_no_error_but_not_available() -> None:
    failed = Answer("q", None, (), 30.0, "timeout: no reply in 30 s")
    found = cases(Answer("q", "Ada", (), 0.5), failed, None, Answer("q", "Ada"))
    assert RUN_METRICS["latency_max"].compute(found).to_json() == {"value": 0.5, "n_scored": 1, "n_total": 4}
    assert values(found)["error_rate"] == round(1 / 3, 6)
    assert values(found)["availability"] == 0.5


def test_unknown_resources_are_null_with_the_reason() -> None:
    for name in ("latency_mean", "latency_p99", "throughput"):
        found = RUN_METRICS[name].compute(cases(Answer("q", "Ada"), None))
        assert (found.value, found.n_scored, found.why) == (None, 0, "no answer has a latency")
    assert RUN_METRICS["throughput"].compute(took(0.0, 0.0)).value is None
    assert RUN_METRICS["error_rate"].compute(cases(None)).why == "there are no answer records"


def test_document_coverage_counts_passages_retrieved_for_any_question() -> None:
    """Of three places with evidence, one is retrieved by its own question, one by another question, one by none."""

    def case(evidence: list[list[str]], *docs: str) -> ScoredCase:
        groups = tuple(tuple(Span(doc, 0, 1, "x") for doc in group) for group in evidence)
        return ScoredCase(
            Item("q", "Who?", ("Ada",), "simple", "factoid", "en", groups), None, None, None, docs=frozenset(docs)
        )

    metric = RUN_METRICS["document_coverage"]
    found = metric.compute([case([["a.md"], ["b.md", "copy.md"]], "a.md"), case([["c.md"]], "copy.md")])
    assert (found.value, found.n_scored) == (pytest.approx(2 / 3, abs=1e-6), 3)
    assert metric.compute([case([["a.md"]])]).why == "no passage can be placed in a document"
    assert metric.compute([case([], "a.md")]).why == "no evidence"
