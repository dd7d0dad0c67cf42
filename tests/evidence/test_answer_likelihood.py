"""The likelihood that a text answers a question: each feature, planted one at a time in a small corpus."""

from __future__ import annotations

import math

import pytest

from kgsynth.base.thresholds import LIMITS
from kgsynth.evidence.answer_likelihood import WEIGHTS, AnswerFeatures, WordIndex, answer_features
from kgsynth.language.english.opposites import contradictions

MILL = "Ada Lind founded the first paper mill of Salina in 1871 and hired nine smiths."
CORPUS = [MILL, "The depot of Salina keeps paper.", "Nobody lives near the depot.", "The depot burned down in May."]


def features(question: str, text: str = MILL, headings: str = "") -> AnswerFeatures:
    return answer_features(question, text, WordIndex(CORPUS, "en"), cosine=0.5, headings=headings)


def test_a_question_in_the_words_of_the_text_has_no_negative_feature() -> None:
    seen = features("Who founded the first paper mill of Salina in 1871?")
    assert seen._replace(cosine=0, length=0) == AnswerFeatures(0, 0, 1, 0, 0, 0, 0, 0, 0)


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Who founded the first glass mill of Salina in 1871?", {"missing"}),
        ("Who founded the first paper mill of Gdynia in 1871?", {"missing", "names"}),
        ("Who founded the first paper mill of Salina in 1902?", {"missing", "figure"}),
        ("Who did not found the first paper mill of Salina in 1871?", {"denial"}),
        ("Who founded the last paper mill of Salina in 1871?", {"opposite", "extreme"}),
        ("Who founded the only paper mill of Salina in 1871?", {"extreme"}),
    ],
)
def test_each_negative_feature_is_found_and_lowers_the_probability(question: str, expected: set[str]) -> None:
    seen = features(question)
    negative = {name for name, value in seen._asdict().items() if value and WEIGHTS[name] < 0}
    assert negative - {"missing"} == expected - {"missing"}
    assert "missing" not in expected or seen.missing > 0
    assert seen.probability < features("Who founded the first paper mill of Salina in 1871?").probability


def test_a_word_in_no_sentence_is_rarer_than_one_in_many() -> None:
    index = WordIndex(CORPUS, "en")
    assert index.rarity("glass") == 1.0
    assert index.rarity("mill") == pytest.approx(math.log(1 + 4 / 2) / math.log(5))  # in one of four sentences
    assert index.rarity("depot") == pytest.approx(math.log(1 + 4 / 4) / math.log(5))  # in three


def test_names_count_by_their_share_of_the_question() -> None:
    index = WordIndex(CORPUS, "en")
    words = ("found", "paper", "mill", "gdynia")
    share = index.rarity("gdynia") / math.fsum(map(index.rarity, words))
    assert features("Who founded the paper mill of Gdynia?").names == pytest.approx(share)


def test_numbers_count_in_any_form() -> None:
    assert features("Who hired 9 smiths?").figure == 0.0
    assert features("Who hired ten smiths?").figure == 1.0


def test_headings_count_as_part_of_the_text() -> None:
    question = "Who founded the paper mill in Poland?"
    assert features(question).names > 0
    assert features(question, headings="Poland").names == 0


def test_the_text_needs_words_of_the_kind_asked_for_besides_those_of_the_question() -> None:
    depot = CORPUS[3]
    assert features("When did the depot burn down?", depot).kind == 1.0
    assert features("When did the depot burn down in May?", depot).kind == 0.0
    assert features("How many depots burned down?", depot).kind == 0.0


def test_the_probability_is_the_logistic_function_of_the_weighted_sum() -> None:
    nothing = AnswerFeatures(0, 0, 0, 0, 0, 0, 0, 0, 0)
    assert nothing.probability == pytest.approx(1 / (1 + math.exp(-LIMITS.answer_bias)))
    assert nothing._replace(cosine=-LIMITS.answer_bias / WEIGHTS["cosine"]).probability == pytest.approx(0.5)
    assert WEIGHTS.keys() == set(AnswerFeatures._fields)


def test_shares_find_the_sentence_a_question_is_about() -> None:
    index = WordIndex(CORPUS, "en")
    shares = index.shares("Which depot burned down in May?")
    assert int(shares.argmax()) == 3
    assert shares[0] == 0.0
    assert WordIndex([], "en").shares("Which depot?").tolist() == []


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
