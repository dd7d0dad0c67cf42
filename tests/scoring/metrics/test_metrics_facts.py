"""Key words, names and numbers of an answer."""

from __future__ import annotations

import pytest

from kgsynth.language import LANGUAGES
from kgsynth.scoring.metrics.factual_overlap import factual_overlap, keyword_coverage, names_and_numbers


def test_key_words_are_found_in_other_forms_and_over_several_texts() -> None:
    texts = ["Claims were approved.", "In Canada it takes a week."]
    assert keyword_coverage(["approve", "canada", "claim", "dental"], texts) == 0.75
    assert keyword_coverage(["claim"], []) == 0


def test_key_words_of_an_unsupported_language_are_compared_unchanged() -> None:
    assert keyword_coverage(["北京", "GPT4", "上海"], ["会议在北京用GPT4举行"], "zh") == pytest.approx(2 / 3)


@pytest.mark.parametrize(
    ("said", "golden", "share"),
    [
        ("It weighs 0.062 kg.", "62 grams", 1),
        ("It weighs 62 kilograms.", "62 grams", 0),
        ("sixty-two", "62 grams", 1),  # without a unit, the numerals are compared
        ("two weeks", "14 days", 1),
        ("15 days", "14 days", 0),
        ("on 3 March 2019", "2019", 1),
        ("in 2019", "3 March 2019", 0),
        ("2019-03-03", "March 3, 2019", 1),
        ("in April 2019", "March 2019", 0),
        ("1.2 million people", "1,200,000 people", 1),
        ("by Low", "Ada Low of Leeds", 1 / 3),
        ("ADA LOW, LEEDS", "Ada Low of Leeds", 1),
        ("a category", "Cat", 0),
        ("它在2019年有30人", "2019年，30人", 1),
    ],
)
def test_names_by_word_and_numbers_by_value(said: str, golden: str, share: float) -> None:
    assert factual_overlap(said, [golden]) == pytest.approx(share)


def test_answers_without_names_and_numbers_are_not_measured_and_the_best_of_several_counts() -> None:
    assert factual_overlap("carriers", ["the carriers", "every second week"]) is None
    assert factual_overlap("Ada", ["Ada Low", "carriers"]) is None, "the answer carriers is correct without a name"
    assert factual_overlap("Ada", ["Ada Low", "Ada"]) == 1


def test_the_first_word_of_a_sentence_is_not_a_name_because_of_its_capital() -> None:
    assert names_and_numbers("Carriers book a slot in Manifest.").names == {frozenset({"manifest"})}
    assert names_and_numbers("Slipway").names == {frozenset({"slipway"})}
    assert names_and_numbers("GPT-4 books it.").names == {frozenset({"gpt", "4"})}


def test_words_after_a_number_are_still_read() -> None:
    found = names_and_numbers("62 grams in Leeds")
    assert (found.names, {number.value for number in found.numbers}) == ({frozenset({"leeds"})}, {0.062})


def test_names_and_numbers_in_a_text_without_blanks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(LANGUAGES, "zh", "kgsynth.language.chinese")
    found = names_and_numbers("李明于2018年3月5日用FastAPI写了三万行，用了两周。", "zh")
    assert found.names == {frozenset({"fastapi"})}
    assert {(number.dimension, number.unit) for number in found.numbers} == {
        ("date", "day"),
        ("", ""),
        ("duration", "week"),
    }
    assert factual_overlap("用了14天，写FastAPI。", ["FastAPI，两周"], "zh") == 1.0
