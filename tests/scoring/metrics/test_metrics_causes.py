"""Why a question failed: each cause from a planted case, in the order of a system's own steps."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from kgsynth.base.records import Answer, Item, Passage, Span
from kgsynth.scoring.metrics import ScoredCase
from kgsynth.scoring.metrics.failure_causes import CAUSE_ADVICE, Cause, likely_cause, unsupported_words

SITS = Span("teams.md", 0, 27, "The team sits in Halifax.")
ITEM = Item("q", "Where does the team sit?", ("Halifax",), "simple", "factoid", "en", ((SITS,),))
NOBODY = Item("u", "Who leads Mars?", (), "unanswerable", "out_of_scope", "en", (), answerable=False)


def answered(answer: str | None, *texts: str | None, error: str | None = None, item: Item = ITEM) -> ScoredCase:
    passages = tuple(Passage("teams.md", text=text) for text in texts)
    known = tuple(text for text in texts if text)
    return ScoredCase(item, Answer(item.id, answer, passages, error=error), None, None, texts=known)


def cause_of(case: ScoredCase, ranks: Sequence[int | None] = (1,), retrieves: bool = True, wrong: bool = True) -> str:
    return str(likely_cause(replace(case, ranks=tuple(ranks)), retrieves, wrong))


TEXTS = ("The team sits in Halifax.", "The office in Bergen closed.")


@pytest.mark.parametrize(
    ("case", "ranks", "expected"),
    [
        (answered(None, error="TimeoutError: 30 s"), (None,), "error: TimeoutError: 30 s"),
        (answered("Bergen", *TEXTS), (None,), "not retrieved: 1 of 1 evidence groups (teams.md)"),
        (answered("I don't know.", *TEXTS), (6,), "retrieved but low: rank 6"),
        (answered("I don't know.", *TEXTS), (5,), "refused"),
        (answered("", *TEXTS), (5,), "no answer given"),
        (answered(" \n", *TEXTS), (6,), "no answer given"),
        (answered("", *TEXTS), (None,), "not retrieved: 1 of 1 evidence groups (teams.md)"),
        (answered("In Reykjavik, in 1998", *TEXTS), (1,), "answer not supported: in no passage: reykjavik, 1998"),
        (answered("Bergen, the office", *TEXTS), (1,), "retrieved but not used"),
        (answered("Oslo", None), (1,), "retrieved but not used"),
    ],
)
def test_a_wrong_answer_has_the_first_cause_that_applies(
    case: ScoredCase, ranks: tuple[int | None], expected: str
) -> None:
    assert cause_of(case, ranks) == expected


def test_a_correct_answer_fails_only_for_evidence_that_was_not_retrieved() -> None:
    right = answered("Halifax", *TEXTS)
    assert likely_cause(replace(right, ranks=(9,)), retrieves=True, wrong=False) is None
    assert cause_of(right, (None,), wrong=False).startswith("not retrieved")
    assert likely_cause(replace(right, ranks=(None,)), retrieves=False, wrong=False) is None, (
        "it does not retrieve at all"
    )


def test_without_passages_the_cause_is_less_specific() -> None:
    assert cause_of(answered("Oslo"), (None,), retrieves=False) == "wrong answer"
    assert cause_of(answered("I don't know."), (None,), retrieves=False) == "refused"
    assert cause_of(answered(""), (None,), retrieves=False) == "no answer given"


def test_an_empty_result_is_not_a_missing_one() -> None:
    empty = replace(answered(None), answer=Answer("q", None, retrieved_nothing=True))
    assert cause_of(empty, (None,)) == "nothing retrieved"
    unmeasured = replace(empty, item=replace(ITEM, evidence=()))
    assert cause_of(unmeasured, (), retrieves=False, wrong=False) == "nothing retrieved", "it gave nothing at all"
    only_answers = answered("Halifax")
    assert likely_cause(replace(only_answers, ranks=(None,)), retrieves=False, wrong=False) is None


def test_an_unanswerable_question_fails_when_it_is_answered() -> None:
    assert cause_of(answered("Elon", item=NOBODY), ()) == "answered though unanswerable"
    assert likely_cause(answered("I don't know.", item=NOBODY), True, False) is None
    assert likely_cause(answered(None, *TEXTS, item=NOBODY), True, False) is None, "it only retrieves"
    assert cause_of(answered(None, error="boom", item=NOBODY), ()) == "error: boom"


def test_a_missing_record_is_a_cause() -> None:
    assert cause_of(ScoredCase(ITEM, None, None, None)) == "no record"


def test_short_words_and_words_of_the_question_are_not_telling() -> None:
    assert unsupported_words(answered("The team does sit in Oslo", "We sit in Bergen.")) == ["oslo"]
    assert unsupported_words(answered("the one in Halifax, Bergen", *TEXTS)) == []
    assert unsupported_words(answered("在奥斯陆", "团队在哈利法克斯")) == ["奥", "陆"]


def test_every_cause_has_its_advice() -> None:
    assert all(advice[0].islower() and advice[-1] != "." for advice in CAUSE_ADVICE.values())
    assert Cause("refused").advice == CAUSE_ADVICE["refused"]
