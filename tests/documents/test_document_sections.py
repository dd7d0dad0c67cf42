"""The section at a place of a document, and the titles over a stretch of it."""

from __future__ import annotations

from planted import document

from kgsynth.base.records import Document

TEXT = "Intro. # A one. ## B two. # C."
PAGE = document("a.md", TEXT, [("A", 1, 7), ("B", 2, 16), ("C", 1, 26)])
"""The planted sections end where the next one begins, so A ends before B."""


def titled(place: int, page: Document = PAGE) -> str:
    section = page.section_at(place)
    return section.title if section else ""


def test_a_section_reaches_from_its_heading_to_the_next() -> None:
    assert [titled(place) for place in (0, 6, 7, 15, 16, 25, 26, 29)] == ["a.md", "a.md", "A", "A", "B", "B", "C", "C"]


def test_no_section_is_past_the_end_nor_in_a_document_without_sections() -> None:
    assert titled(len(TEXT)) == ""
    assert titled(0, Document("a.md", TEXT, "A", "md", "", (), ())) == ""


def test_the_innermost_of_two_headings_at_one_place_counts() -> None:
    """The first heading of a page may begin where the document does."""
    assert titled(0, document("a.md", TEXT, [("A", 1, 0)])) == "A"


def test_titles_over_a_stretch_are_those_of_all_sections_that_it_touches_each_once() -> None:
    assert PAGE.titles_over(10, 17) == ("a.md", "A", "B")
    assert PAGE.titles_over(10, 16) == ("a.md", "A")
