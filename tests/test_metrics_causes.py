"""Why a question failed: each cause from a planted case, in the order of a system's own steps."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from kgsynth.base.records import Answer, Item, Passage, Span
from kgsynth.scoring.metrics import Case
from kgsynth.scoring.metrics.failure_causes import ADVICE, Cause, cause, unsupported

SITS = Span("teams.md", 0, 27, "The team sits in Halifax.")
ITEM = Item("q", "Where does the team sit?", ("Halifax",), "simple", "factoid", "en", ((SITS,),))
NOBODY = Item("u", "Who leads Mars?", (), "unanswerable", "out_of_scope", "en", (), answerable=False)


def said(answer: str | None, *texts: str | None, error: str | None = None, item: Item = ITEM) -> Case:
    passages = tuple(Passage("teams.md", text=text) for text in texts)
    known = tuple(text for text in texts if text)
    return Case(item, Answer(item.id, answer, passages, error=error), None, None, texts=known)


def told(case: Case, ranks: Sequence[int | None] = (1,), retrieves: bool = True, wrong: bool = True) -> str:
    return str(cause(case, ranks, retrieves, wrong))


TEXTS = ("The team sits in Halifax.", "The office in Bergen closed.")


@pytest.mark.parametrize(
    ("case", "ranks", "expected"),
    [
        (said(None, error="TimeoutError: 30 s"), (None,), "error: TimeoutError: 30 s"),
        (said("Bergen", *TEXTS), (None,), "not retrieved: 1 of 1 evidence groups (teams.md)"),
        (said("I don't know.", *TEXTS), (6,), "retrieved but low: rank 6"),
        (said("I don't know.", *TEXTS), (5,), "refused"),
        (said("In Reykjavik, in 1998", *TEXTS), (1,), "answer not supported: in no passage: reykjavik, 1998"),
        (said("Bergen, the office", *TEXTS), (1,), "retrieved but not used"),
        (said("Oslo", None), (1,), "retrieved but not used"),
    ],
)
def test_a_wrong_answer_has_the_first_cause_that_holds(case: Case, ranks: tuple[int | None], expected: str) -> None:
    assert told(case, ranks) == expected


def test_a_right_answer_fails_only_for_evidence_that_was_not_retrieved() -> None:
    right = said("Halifax", *TEXTS)
    assert cause(right, (9,), retrieves=True, wrong=False) is None
    assert told(right, (None,), wrong=False).startswith("not retrieved")
    assert cause(right, (None,), retrieves=False, wrong=False) is None, "it does not retrieve at all"


def test_without_passages_no_more_is_said_than_is_known() -> None:
    assert told(said("Oslo"), (None,), retrieves=False) == "wrong answer"
    assert told(said("I don't know."), (None,), retrieves=False) == "refused"


def test_an_unanswerable_question_fails_when_it_is_answered() -> None:
    assert told(said("Elon", item=NOBODY), ()) == "answered though unanswerable"
    assert cause(said("I don't know.", item=NOBODY), (), True, False) is None
    assert cause(said(None, *TEXTS, item=NOBODY), (), True, False) is None, "it only retrieves"
    assert told(said(None, error="boom", item=NOBODY), ()) == "error: boom"


def test_a_missing_record_is_one() -> None:
    assert told(Case(ITEM, None, None, None)) == "no record"


def test_words_of_the_question_and_short_ones_support_nothing() -> None:
    assert unsupported(said("The team does sit in Oslo", "We sit in Bergen.")) == ["oslo"]
    assert unsupported(said("the one in Halifax, Bergen", *TEXTS)) == []
    assert unsupported(said("在奥斯陆", "团队在哈利法克斯")) == ["奥", "陆"]


def test_every_cause_has_its_advice() -> None:
    assert all(advice[0].islower() and advice[-1] != "." for advice in ADVICE.values())
    assert Cause("refused").advice == ADVICE["refused"]
