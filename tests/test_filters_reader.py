"""The reader: each feature that lowers the likelihood of an answer, one at a time in a small corpus."""

from __future__ import annotations

import math

import pytest

from kgsynth.evidence.answer_likelihood import BIAS, WEIGHTS, Reader, Reading
from kgsynth.language.english.opposites import contradictions

MILL = "Ada Lind founded the first paper mill of Salina in 1871 and hired nine smiths."
CORPUS = [MILL, "The depot of Salina keeps paper.", "Nobody lives near the depot.", "The depot burned down in May."]


def reading(question: str, stated: str = MILL, headings: str = "") -> Reading:
    return Reader(CORPUS, "en").read(question, stated, cosine=0.5, headings=headings)


def test_a_question_in_the_words_of_its_evidence_has_no_negative_feature() -> None:
    seen = reading("Who founded the first paper mill of Salina in 1871?")
    assert seen._replace(cosine=0, length=0) == Reading(0, 0, 1, 0, 0, 0, 0, 0, 0)


@pytest.mark.parametrize(
    ("question", "against"),
    [
        ("Who founded the first glass mill of Salina in 1871?", {"missing"}),
        ("Who founded the first paper mill of Gdynia in 1871?", {"missing", "names"}),
        ("Who founded the first paper mill of Salina in 1902?", {"missing", "figure"}),
        ("Who did not found the first paper mill of Salina in 1871?", {"denial"}),
        ("Who founded the last paper mill of Salina in 1871?", {"opposite", "extreme"}),
        ("Who founded the only paper mill of Salina in 1871?", {"extreme"}),
    ],
)
def test_each_negative_feature_is_found_alone_and_lowers_the_score(question: str, against: set[str]) -> None:
    seen = reading(question)
    negative = {name for name, value in seen._asdict().items() if value and WEIGHTS[name] < 0}
    assert negative - {"missing"} == against - {"missing"}
    assert "missing" not in against or seen.missing > 0
    assert seen.score < reading("Who founded the first paper mill of Salina in 1871?").score


def test_words_in_fewer_sentences_are_rarer() -> None:
    reader = Reader(CORPUS, "en")
    assert reader.rarity("glass") == 1.0
    assert reader.rarity("mill") == pytest.approx(math.log(1 + 4 / 2) / math.log(5))  # in one of four sentences
    assert reader.rarity("depot") == pytest.approx(math.log(1 + 4 / 4) / math.log(5))  # in three


def test_names_count_by_their_share_of_the_question() -> None:
    reader = Reader(CORPUS, "en")
    words = ("found", "paper", "mill", "gdynia")
    share = reader.rarity("gdynia") / math.fsum(map(reader.rarity, words))
    assert reading("Who founded the paper mill of Gdynia?").names == pytest.approx(share)


def test_figures_are_equal_in_digits_and_words() -> None:
    assert reading("Who hired 9 smiths?").figure == 0.0
    assert reading("Who hired ten smiths?").figure == 1.0


def test_headings_count_as_evidence() -> None:
    question = "Who founded the paper mill in Poland?"
    assert reading(question).names > 0
    assert reading(question, headings="Poland").names == 0


def test_the_kind_of_answer_must_occur_outside_the_words_of_the_question() -> None:
    depot = CORPUS[3]
    assert reading("When did the depot burn down?", depot).kind == 1.0
    assert reading("When did the depot burn down in May?", depot).kind == 0.0
    assert reading("How many depots burned down?", depot).kind == 0.0


def test_the_score_is_the_logistic_function_of_the_weighted_sum() -> None:
    nothing = Reading(0, 0, 0, 0, 0, 0, 0, 0, 0)
    assert nothing.score == pytest.approx(1 / (1 + math.exp(-BIAS)))
    assert nothing._replace(cosine=-BIAS / WEIGHTS["cosine"]).score == pytest.approx(0.5)
    assert WEIGHTS.keys() == set(Reading._fields)


def test_shares_find_the_sentence_about_a_question() -> None:
    reader = Reader(CORPUS, "en")
    shares = reader.shares("Which depot burned down in May?")
    assert int(shares.argmax()) == 3
    assert shares[0] == 0.0
    assert Reader([], "en").shares("Which depot?").tolist() == []


@pytest.mark.parametrize(
    ("question", "stated", "expected"),
    [
        ("What happens before the cells are fed?", "The cells rest after they are fed.", {"opposite"}),
        ("Which rules were unpublished?", "Two rules were published.", {"opposite"}),
        ("Which rules were unpublished?", "Two rules were published, one was unpublished.", set()),
        ("What doesn't freeze?", "Salt water freezes late.", {"denial"}),
        ("What doesn't freeze?", "Oil does not freeze.", set()),
        ("What is the oldest town?", "Salina is an old town.", {"extreme"}),
        ("What does an income cost?", "To come costs nine kroner.", set()),
    ],
)
def test_contradictions(question: str, stated: str, expected: set[str]) -> None:
    assert contradictions(question, stated) == expected
