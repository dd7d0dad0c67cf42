"""Words and sentence ends without a parser, on planted texts and on whatever hypothesis thinks of."""

from __future__ import annotations

import unicodedata
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kgsynth.language.sentence_ends import sentence_spans
from kgsynth.language.words import count_words, words

PROSE = st.text(
    alphabet=st.sampled_from("abZ9 .!?\n\"'”)(，。！？模型’e"), max_size=120
)  # what ends sentences, and what stands around the ends


def sentences(text: str) -> list[str]:
    return [text[start:end] for start, end in sentence_spans(text)]


@given(st.text(max_size=80))
def test_the_folded_text_has_each_word_in_order(text: str) -> None:
    folded = unicodedata.normalize("NFKC", text).lower().replace("’", "'")
    reached = 0
    for word in words(text):
        reached = folded.index(word, reached) + len(word)


@given(st.text(max_size=80))
def test_words_are_never_empty_and_hold_no_white_space(text: str) -> None:
    assert all(word and not any(letter.isspace() for letter in word) for word in words(text))


@given(st.lists(st.sampled_from(["pump", "Oslo", "9", "model's", "模", "GPT4"]), max_size=12))
def test_words_and_their_count_agree_on_a_text_of_known_words(known: list[str]) -> None:
    text = " ".join(known)
    assert words(text) == [word.lower() for word in known]
    assert count_words(text) == len(known)


@given(PROSE)
def test_sentence_spans_are_in_order_apart_and_not_empty(text: str) -> None:
    spans = list(sentence_spans(text))
    assert all(0 <= start < end <= len(text) for start, end in spans)
    assert all(one[1] <= other[0] for one, other in pairwise(spans))


@given(PROSE)
def test_sentence_spans_hold_every_character_that_is_not_blank_and_no_blank_edges(text: str) -> None:
    inside = {place for start, end in sentence_spans(text) for place in range(start, end)}
    assert all(place in inside for place, letter in enumerate(text) if not letter.isspace())
    assert all(part == part.strip() for part in sentences(text))


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("The pump runs. The tank fills.", ["The pump runs.", "The tank fills."]),
        ('He said "Stop." Then he left.', ['He said "Stop."', "Then he left."]),
        ("Does it run? Yes! It does.", ["Does it run?", "Yes!", "It does."]),
        ("Dr. Lee met Prof. Ray.", ["Dr. Lee met Prof. Ray."]),
        ("J. Smith came.", ["J. Smith came."]),
        ("Version 3.12 came out.", ["Version 3.12 came out."]),
        ("One line\n\nanother line", ["One line", "another line"]),
        ("It runs. then it stops.", ["It runs. then it stops."]),
        ("模型很大。它很快！真的？", ["模型很大。", "它很快！", "真的？"]),
        ("  \n ", []),
    ],
)
def test_sentences_end_where_a_reader_would_end_them(text: str, wanted: list[str]) -> None:
    assert sentences(text) == wanted


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("它用GPT4模型", ["它", "用", "gpt4", "模", "型"]),
        ("ＡＢＣ １２", ["abc", "12"]),
        ("snake_case", ["snake", "case"]),
        ("the model’s", ["the", "model's"]),
        ("rock 'n' roll", ["rock", "n", "roll"]),
        ("カナ 한국", ["カ", "ナ", "한", "국"]),
    ],
)
def test_a_character_of_chinese_japanese_or_korean_is_a_word_by_itself(text: str, wanted: list[str]) -> None:
    assert words(text) == wanted
    assert count_words(text) == len(wanted)


@pytest.mark.parametrize(
    "text",
    [
        "Η άδεια διαρκεί δέκα ημέρες.|Έχει δύο όρους.",
        "Отпуск длится десять дней.|Ёлки стоят.",
        "La pause dure.|Être là suffit.",
        "המשרד פתוח.|הוא נסגר בערב.",
        "यह पहला वाक्य है।|यह दूसरा है।",
    ],
)
def test_sentences_end_in_every_script(text: str) -> None:
    assert sentences(text.replace("|", " ")) == text.split("|")
