"""The registry: every metric keeps its word on any text, and says which variant it is."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kgsynth.base.records import Answer, Item, Passage
from kgsynth.scoring.metrics import METRICS, RUN_METRICS, Case, defined, find, names, signatures
from kgsynth.scoring.metrics.gates import parse_gates

TEXTS = st.one_of(
    st.text(max_size=40),
    st.lists(
        st.sampled_from(
            "The Ada's 62 grams. two weeks 3 March 2019, ½ 5e400 €3.5 million 会议在 北京。 — \n re: 9:30".split(" ")
        ),
        max_size=12,
    ).map(" ".join),
)


def case(said: str | None, *golden: str, error: str | None = None) -> Case:
    item = Item("q", "Who?", golden, "simple", "factoid", "en", (), metadata={"keywords": ["ada", "weigh"]})
    passages = (Passage(text=said, score=1.0),) if said else ()
    return Case(item, Answer("q", said, passages, 0.1, error), None, None, texts=tuple(p.text or "" for p in passages))


@given(
    TEXTS, TEXTS.filter(lambda text: not text.startswith("re:")), TEXTS.filter(lambda text: not text.startswith("re:"))
)
def test_bounded_metrics_lie_between_0_and_1_whatever_is_said(said: str, one: str, other: str) -> None:
    found = case(said, one, other)
    for name in names([3]):
        metric = find(name)
        if defined(METRICS[name.partition("@")[0]], found) and metric.bounded:
            value = METRICS[name.partition("@")[0]].compute(found, 3)
            assert value is None or 0 <= value <= 1, (name, value)
    assert 0 <= (RUN_METRICS["corpus_bleu"].compute([found]).value or 0) <= 1


@given(TEXTS.filter(lambda text: not text.startswith("re:")))
def test_the_golden_answer_itself_scores_1_where_the_metric_reaches_it(text: str) -> None:
    found = case(text, text)
    for name in ("em", "sub_em", "token_f1"):
        assert METRICS[name].compute(found, 0) == 1.0, name
    assert METRICS["factual_overlap"].compute(found, 0) in (1.0, None)


def test_a_failed_question_counts_0_and_is_never_left_out_of_a_metric_of_the_answer() -> None:
    failed = case(None, "Ada Low weighs 62 grams", error="TimeoutError")
    for name, metric in METRICS.items():
        if metric.kind == "answers" and name not in ("refusal", "answer_length"):
            assert defined(metric, failed) and metric.compute(failed, 0) == 0.0, name


def test_every_metric_has_one_signature_with_all_it_depends_on() -> None:
    found = signatures(0.7, "tiny|sha256:00")
    assert list(found) == [*METRICS, *RUN_METRICS]
    assert all(text.startswith(f"{name}|") and "{" not in text for name, text in found.items())
    assert "|cover:0.7|" in found["mrr"] and "|model:tiny|sha256:00|" in found["bertscore"]
    assert "|tok:13a,zh|smooth:exp|sacrebleu:2" in found["bleu"]
    assert len(set(found.values())) == len(found)


def test_a_gate_may_name_a_metric_of_the_run_but_not_with_a_cut_off() -> None:
    (gate,) = parse_gates(["latency_p95 <= 2"])
    assert (gate.metric, gate.threshold) == ("latency_p95", 2.0)
    with pytest.raises(KeyError):
        find("latency_p95@5")
