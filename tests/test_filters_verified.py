"""verified: the four criteria, the answer from the evidence alone, and the closed-book answers."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from desk import desk
from scripted_model import answers, judged, recalled, verdict

from kgsynth.base.records import Item, Rejection
from kgsynth.evidence import closed_book
from kgsynth.generation.filters import verified
from kgsynth.models.llm import Failure
from kgsynth.models.llm.reply_shapes import ShapeError, read

LIMIT = 0.5
PLATES = "How many plates does the Linnet kiln hold?"
WHY = "since dark colours alarm the bees"


def item(question: str = PLATES) -> Item:
    return desk().of(question).item


def unanswerable() -> Item:
    return replace(item(), answerable=False, golden_answers=(), evidence=(), hard_negatives=item().evidence[0])


def judge(text: str, of: Item) -> Rejection | Item:
    return verified.judge(of, read(text, verified.Verdict), LIMIT)


def test_the_prompt_contains_question_and_evidence_but_not_the_golden_answer() -> None:
    told = verified.prompt(item("Why do members wear white suits?"), desk().knowledge)
    assert judged(told) == "Why do members wear white suits?"
    assert f"Members wear white suits {WHY}." in told.user
    assert told.user.count(WHY) == 1, "where the passage has it"
    assert all(criterion in told.user for criterion in ("self_contained", "clear", "contains", "complete"))


def test_an_answer_that_agrees_passes_with_its_score() -> None:
    # since, dark, colours, alarm, bees; the third has three of these and one of its own, so 2 · 3 / (5 + 4)
    for said, score in ((WHY, 1.0), ("dark colours", 1.0), ("colours alarm bees and dogs", 0.6667)):
        kept = judge(verdict(said), item("Why do members wear white suits?"))
        assert isinstance(kept, Item) and kept.metadata["scores"]["verified"] == score


@pytest.mark.parametrize(
    ("criterion", "detail"),
    [
        ("self_contained", "it refers to something outside itself"),
        ("clear", "it asks for no definite kind of answer"),
        ("contains", "the evidence does not contain the answer"),
        ("complete", "the evidence does not answer it in full"),
    ],
)
def test_each_criterion_alone_rejects(criterion: str, detail: str) -> None:
    assert judge(verdict("ninety plates", **{criterion: False}), item()) == Rejection("verified", detail)


def test_another_answer_from_the_same_evidence_rejects() -> None:
    for said in ("the Osprey kiln", "forty plates", "BANANA"):
        rejection = judge(verdict(said), item())
        assert isinstance(rejection, Rejection)
        assert rejection.detail == f"from the evidence the model answers {said!r}"
        assert rejection.threshold == LIMIT and rejection.score is not None and rejection.score < LIMIT
    assert isinstance(
        judge(verdict("", contains=True, self_contained=True, clear=True, complete=True), item()), Rejection
    )


def test_a_missing_or_unreadable_verdict_rejects() -> None:
    missing = verified.judge(item(), Failure("status 400: too long"), LIMIT)
    assert missing == Rejection("verified", "the model's verdict is missing: status 400: too long")
    with pytest.raises(ShapeError):
        read(verdict("ninety plates").replace("true", '"perhaps"'), verified.Verdict)


def test_an_unanswerable_question_is_rejected_if_the_llm_finds_an_answer() -> None:
    assert judge(verdict("ninety plates"), unanswerable()) == Rejection(
        "verified", "the model finds an answer: 'ninety plates'"
    )
    for said in (verdict(""), verdict("ninety plates", contains=False), verdict(" ", contains=True)):
        assert judge(said, unanswerable()) == unanswerable(), "what it does not find, or cannot say, is no answer"


def test_the_example_reply_passes() -> None:
    for each in (item(), unanswerable()):
        assert isinstance(judge(verified.prompt(each, desk().knowledge).example_reply, each), Item)


# ---- without the documents ---------------------------------------------------------------------------


def some(number: int) -> list[Item]:
    return [candidate.item for candidate in desk().pool.values()][:number]


def recall(text: str, of: list[Item]) -> list[float | None]:
    reply = read(text, closed_book.Recalled)
    return [each.metadata["scores"].get("closed_book") for each in closed_book.recalled(of, reply)]


def test_ten_questions_are_asked_at_once_and_no_evidence_is_shown() -> None:
    told = closed_book.recall(some(closed_book.BATCH))
    assert recalled(told) == [each.question for each in some(closed_book.BATCH)]
    assert "passage-" not in told.user and told.stage == "closed book"
    assert len(json.loads(told.example_reply)["answers"]) == closed_book.BATCH == 10


def test_what_the_llm_knows_without_documents_is_recorded() -> None:
    known = [some(3)[0].golden_answers[0], "", "I do not know that one"]
    assert recall(answers(*known), some(3)) == [1.0, 0.0, 0.0]


@pytest.mark.parametrize("given", [(), ("x",), ("x", "y", "z", "u")])
def test_a_wrong_number_of_answers_counts_for_no_question(given: tuple[str, ...]) -> None:
    assert recall(answers(*given), some(3)) == [None, None, None]
    assert closed_book.recalled(some(3), Failure("no reply in 120 s")) == some(3)


def test_unanswerable_questions_have_no_closed_book_score() -> None:
    assert recall(answers("ninety plates"), [unanswerable()]) == [None]
