"""The registry: every metric keeps its bounds on any text, and has a signature."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kgsynth.base.records import Answer, Item, Passage
from kgsynth.scoring.flow import score
from kgsynth.scoring.metrics import METRICS, RUN_METRICS, ScoredCase
from kgsynth.scoring.metrics.criteria import parse_gates
from kgsynth.scoring.metrics.lookup import find_metric, full_names, signatures

TEXTS = st.one_of(
    st.text(max_size=40),
    st.lists(
        st.sampled_from(
            "The Ada's 62 grams. two weeks 3 March 2019, ½ 5e400 €3.5 million 会议在 北京。 — \n re: 9:30".split(" ")
        ),
        max_size=12,
    ).map(" ".join),
)


def case(said: str | None, *golden: str, error: str | None = None) -> ScoredCase:
    item = Item("q", "Who?", golden, "simple", "factoid", "en", (), metadata={"keywords": ["ada", "weigh"]})
    passages = (Passage(text=said, score=1.0),) if said else ()
    return ScoredCase(
        item, Answer("q", said, passages, 0.1, error), None, None, texts=tuple(p.text or "" for p in passages)
    )


@given(
    TEXTS, TEXTS.filter(lambda text: not text.startswith("re:")), TEXTS.filter(lambda text: not text.startswith("re:"))
)
def test_bounded_metrics_lie_between_0_and_1_whatever_is_said(said: str, one: str, other: str) -> None:
    found = case(said, one, other)
    for name in full_names([3]):
        metric = find_metric(name)
        if METRICS[name.partition("@")[0]].is_defined(found) and metric.bounded:
            value = METRICS[name.partition("@")[0]].compute(found, 3)
            assert value is None or 0 <= value <= 1, (name, value)
    assert 0 <= (RUN_METRICS["corpus_bleu"].compute([found]).value or 0) <= 1


@given(TEXTS.filter(lambda text: not text.startswith("re:")))
def test_the_golden_answer_itself_scores_1(text: str) -> None:
    found = case(text, text)
    for name in ("em", "sub_em", "token_f1"):
        assert METRICS[name].compute(found, 0) == 1.0, name
    assert METRICS["factual_overlap"].compute(found, 0) in (1.0, None)


NOT_1 = {
    "rouge2": (1 + 0) / 2,  # a single word has no pairs of words, so it scores 0
    "meteor": ((1 - 0.5 / 2**3) + 0.5) / 2,  # one chunk of two words, and one of one word
    "answer_length": 1.5,
    "member_recall": None,  # only for golden answers that are lists
    "claim_recall": None,  # only for golden answers with claims
    "claim_precision": None,
    "refusal": None,  # only for unanswerable questions
    "corpus_bleu": 0.0,  # no answer has four words
}
"""The answer metrics that a perfect answer does not score 1 on: their mean over "Ada Low" and "Halifax"."""


def test_a_perfect_answer_scores_1_on_every_answer_metric() -> None:
    items = [
        Item(
            "q1", "Who leads it?", ("Ada Low",), "simple", "factoid", "en", (), metadata={"keywords": ["ada", "lead"]}
        ),
        Item("q2", "Where is it?", ("Halifax",), "simple", "factoid", "en", (), metadata={"keywords": ["team"]}),
    ]
    answers = {item.question: item.golden_answers[0] for item in items}
    found = score(items, answers.__getitem__).metrics
    names = [name for name, metric in METRICS.items() if metric.kind == "answers"]
    assert {name: found[name].value for name in (*names, "corpus_bleu")} == {
        name: NOT_1.get(name, 1.0) for name in (*names, "corpus_bleu")
    }


def test_a_failed_question_counts_0_in_every_answer_metric() -> None:
    failed = case(None, "Ada Low weighs 62 grams", error="TimeoutError")
    for name, metric in METRICS.items():
        others = ("refusal", "answer_length", "member_recall", "claim_recall", "claim_precision")
        if metric.kind == "answers" and name not in others:
            assert metric.is_defined(failed) and metric.compute(failed, 0) == 0.0, name


def test_every_metric_has_one_signature_with_everything_it_depends_on() -> None:
    found = signatures(0.7, "tiny|sha256:00")
    assert list(found) == [*METRICS, *RUN_METRICS]
    assert all(text.startswith(f"{name}|") and "{" not in text for name, text in found.items())
    assert "|cover:0.7|" in found["mrr"] and "|model:tiny|sha256:00|" in found["bertscore"]
    assert "|tok:13a,zh|smooth:exp|markup:off|sacrebleu:2" in found["bleu"]
    assert len(set(found.values())) == len(found)


def test_a_gate_may_name_a_run_metric_but_not_with_a_cut_off() -> None:
    (gate,) = parse_gates(["latency_p95 <= 2"])
    assert (gate.metric, gate.fail) == ("latency_p95", 2.0)
    with pytest.raises(KeyError):
        find_metric("latency_p95@5")
