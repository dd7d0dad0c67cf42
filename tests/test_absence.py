"""The search behind questions without an answer: which passages speak of a thing, and what in them looks like one."""

from __future__ import annotations

import pytest
from planted import read_markdown

from kgsynth.evidence.absence import Sought, Trace, any_of, trace

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


def found(names: list[str], predicate: list[str], *words: list[str], whole: bool = False) -> tuple[str, ...]:
    trail = trace(DOCS, Sought(names, predicate, words, whole))
    return trail.words if trail else ()


def test_the_block_beside_a_name_speaks_of_the_thing() -> None:
    assert found(["Pike"], ["built"]) == ("built",)


def test_a_block_further_off_does_not() -> None:
    assert found(["Pike"], ["fell"]) == ()
    assert found(["Pike"], ["fell"], whole=True) == ("fell",), "unless the whole document counts"


@pytest.mark.parametrize(("predicate", "held"), [("paid", "paid"), ("weigh*", "weight"), ("gram*", "grams")])
def test_what_stands_under_a_heading_that_names_it_does_tables_too(predicate: str, held: str) -> None:
    assert found(["Tern sensor"], [predicate]) == (held,)


def test_other_documents_say_nothing_of_it() -> None:
    assert found(["Pike"], ["burns"]) == found(["Pike"], ["burns"], whole=True) == ()


def test_half_of_the_words_look_like_an_answer() -> None:
    assert found(["Linnet"], [], ["gas"], ["oil"]) == ("gas",)
    assert found(["Linnet"], [], ["gas"], ["oil"], ["wood"]) == ()


def test_the_place_is_told() -> None:
    text = "The Linnet kiln burns gas."
    start = DOCS["b.md"].text.index(text)
    trail = trace(DOCS, Sought(["the linnet kiln"], ["burn*"], []))
    assert trail is not None and trail == Trace("b.md", 0, start + len(text), ("burns",))


def test_a_name_in_capitals_is_no_common_word() -> None:
    assert any_of(["GET"]).findall("You get a key with GET.") == ["GET"]
    assert any_of(["Pike"]).findall("PIKE and pike") == ["PIKE", "pike"]
