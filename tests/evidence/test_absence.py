"""The search behind unanswerable questions: which passages are about an entity, and what in them may be an answer."""

from __future__ import annotations

import pytest
from planted import read_markdown

from kgsynth.evidence.derivation import AbsenceQuery, PossibleAnswer, any_of, find_possible_answer

PAGE = """
# Sensors

The Pike sensor stands in the yard.

It was built by hand.

Rain fell all night.

Ada Low painted the roof.

## The Tern sensor

Nobody knows who paid for it.

| part | weight |
|---|---|
| shell | 40 grams |
"""
DOCS = {"a.md": read_markdown("a.md", PAGE), "b.md": read_markdown("b.md", "# Kilns\n\nThe Linnet kiln burns gas.\n")}


def found(names: list[str], predicate: list[str], *words: list[str], whole_document: bool = False) -> tuple[str, ...]:
    answer = find_possible_answer(DOCS, AbsenceQuery(names, predicate, words, whole_document))
    return answer.words if answer else ()


def test_the_block_next_to_a_name_is_about_the_entity() -> None:
    assert found(["Pike"], ["built"]) == ("built",)


def test_a_block_further_away_is_not() -> None:
    assert found(["Pike"], ["fell"]) == ()
    assert found(["Pike"], ["fell"], whole_document=True) == ("fell",), "unless the whole document counts"


@pytest.mark.parametrize(("predicate", "word"), [("paid", "paid"), ("weigh*", "weight"), ("gram*", "grams")])
def test_text_and_tables_under_a_heading_with_the_name_are_about_the_entity(predicate: str, word: str) -> None:
    assert found(["Tern sensor"], [predicate]) == (word,)


def test_documents_without_the_name_are_not_about_it() -> None:
    assert found(["Pike"], ["burns"]) == found(["Pike"], ["burns"], whole_document=True) == ()


def test_half_of_the_words_may_be_an_answer() -> None:
    assert found(["Linnet"], [], ["gas"], ["oil"]) == ("gas",)
    assert found(["Linnet"], [], ["gas"], ["oil"], ["wood"]) == ()


def test_the_place_of_the_passage_is_returned() -> None:
    text = "The Linnet kiln burns gas."
    start = DOCS["b.md"].text.index(text)
    answer = find_possible_answer(DOCS, AbsenceQuery(["the linnet kiln"], ["burn*"], []))
    assert answer == PossibleAnswer("b.md", 0, start + len(text), ("burns",))


def test_a_name_in_capitals_is_not_a_common_word() -> None:
    assert any_of(["GET"]).findall("You get a key with GET.") == ["GET"]
    assert any_of(["Pike"]).findall("PIKE and pike") == ["PIKE", "pike"]
