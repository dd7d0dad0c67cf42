"""The score of the router, on planted questions whose right route is known."""

from __future__ import annotations

from pathlib import Path

import pytest

from kgsynth.base.records import Answer, Item, Span
from kgsynth.scoring.flow import score
from kgsynth.scoring.metrics import METRICS, ScoredCase
from kgsynth.scoring.metrics.overall_score import parse_weights
from kgsynth.scoring.metrics.routing import route_accuracy
from kgsynth.scoring.systems.reply_reader import ReplyPaths, from_json, to_answer, to_json

SPAN = Span("skua.md", 0, 24, "A Skua 3 weighs 62 grams")
ANSWERABLE = Item("told", "How heavy is a Skua 3?", ("62 grams",), "simple", "factoid", "en", ((SPAN,),))
UNANSWERABLE = Item("not", "Who designed it?", (), "unanswerable", "out_of_scope", "en", (), answerable=False)


@pytest.mark.parametrize(
    ("item", "route", "said", "right"),
    [
        (ANSWERABLE, "retrieve", "80 grams", 1.0),  # the router retrieved, the wrong answer is the generator's
        (ANSWERABLE, "direct", "It weighs 62 grams.", 1.0),  # correct without retrieval
        (ANSWERABLE, "direct", "62 g", 1.0),
        (ANSWERABLE, "direct", "80 grams", 0.0),
        (ANSWERABLE, "direct", "I don't know.", 0.0),  # the documents have the answer
        (ANSWERABLE, "direct", None, 0.0),
        (UNANSWERABLE, "retrieve", "Ada Low", 1.0),  # the router retrieved, the generator invented an answer
        (UNANSWERABLE, "direct", "I don't know.", 1.0),
        (UNANSWERABLE, "direct", "Ada Low", 0.0),
    ],
)
def test_retrieving_is_always_right_and_not_retrieving_if_the_answer_is_correct(
    item: Item, route: str, said: str | None, right: float
) -> None:
    assert route_accuracy(ScoredCase(item, Answer(item.id, said, route=route), None, None)) == right


@pytest.mark.parametrize(
    "answer", [None, Answer("told", "62 grams"), Answer("told", "62", route="web"), Answer("told", None, error="model")]
)
def test_answers_without_a_known_route_are_not_scored(answer: Answer | None) -> None:
    assert not METRICS["route_accuracy"].is_defined(ScoredCase(ANSWERABLE, answer, None, None))


SAID = {
    "q1": {"answer": "62 grams", "retrieved": ["A Skua 3 weighs 62 grams"], "route": "retrieve"},
    "q2": {"answer": "62 grams", "route": "direct", "route_reason": "everybody knows"},
    "q3": {"answer": "80 grams", "route": "direct"},
    "q4": {"answer": "62 grams", "retrieved": [], "route": "web"},
}


def ask(question: str) -> object:
    return SAID[question[:-1]]


def test_the_router_is_a_component_and_a_cause_of_failures(tmp_path: Path) -> None:
    items = [Item(name, f"{name}?", ("62 grams",), "simple", "factoid", "en", ((SPAN,),)) for name in SAID]

    scores = score(items, ask, docs=(), out=tmp_path)
    found = scores.metrics["route_accuracy"]
    assert (found.value, found.n_scored, found.n_total) == (round(2 / 3, 6), 3, 4)
    assert scores.metrics["retrieval_rate"].value == round(1 / 3, 6)
    assert scores.overall is not None and scores.overall.components["router"] == round(2 / 3, 6)
    causes = {item.id: item.cause and item.cause.kind for item in scores.items}
    assert causes["q2"] is None, "correct without retrieval: the question passed"
    assert causes["q3"] == "answered without retrieval"
    assert "| route_accuracy | 0.667 |" in (tmp_path / "scores.md").read_text(encoding="utf-8")
    again = score(items, ask, docs=(), out=tmp_path)
    assert again.to_json() == scores.to_json(), "the routes are saved"


def test_without_a_route_the_metric_is_null_with_the_reason() -> None:
    found = score([ANSWERABLE], lambda question: "62 grams", weights="route_accuracy=1,em=1")
    assert found.metrics["route_accuracy"].why == "no answers with a route (retrieve or direct)"
    assert found.overall is not None and found.overall.left_out == ("route_accuracy",)
    assert "router" not in found.overall.components
    assert parse_weights("route_accuracy=2") == {"route_accuracy": 2.0}


def test_route_and_reason_are_read_and_kept() -> None:
    read = to_answer("q2", SAID["q2"])
    assert (read.route, read.route_reason) == ("direct", "everybody knows")
    assert from_json(to_json(read)) == read
    assert "route" not in to_json(Answer("q", "62 grams"))
    with pytest.raises(ValueError, match="route is 3: give a text"):
        to_answer("q", {"answer": "62", "route": 3})
    reply = ReplyPaths({"route": "used_search && 'retrieve' || 'direct'"})
    assert [reply.read("q", {"answer": "62", "used_search": used}).route for used in (True, False)] == [
        "retrieve",
        "direct",
    ]
