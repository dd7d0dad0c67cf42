"""Names and numbers of an answer."""

from __future__ import annotations

import pytest

from kgsynth.language import LANGUAGES
from kgsynth.language.words import words
from kgsynth.scoring.metrics.names_and_numbers import names_and_numbers


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
    wanted, numbers = names_and_numbers(golden), names_and_numbers(said).numbers
    found = [name <= set(words(said)) for name in wanted.names]
    found += [any(number.matches(each) for number in numbers) for each in wanted.numbers]
    assert sum(found) / len(found) == pytest.approx(share)


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
