"""Pages: values stay text, nothing is loaded from outside, and evidence is marked in its document."""

from __future__ import annotations

import re

import pytest
from jinja2 import UndefinedError

from kgsynth.base.records import Document, Item, Section, Span
from kgsynth.show.evidence_view import Piece, show_span
from kgsynth.show.pages import render
from kgsynth.show.question_view import Hop, view

TEXT = "# Staff\n\nSome words stand before it. Ada Berg leads the depot in Kiel. Other words stand behind it."
SECTION = Section("s-1", "staff.md", "Staff", 1, ("Handbook", "Staff"), 0, len(TEXT))
PAGE = Document("staff.md", TEXT, "Handbook", "md", "", (), (SECTION,))
START, END = TEXT.index("Ada"), TEXT.index(" Other")


def marked(pieces: tuple[Piece, ...]) -> str:
    signs = {"": "{}", "evidence": "[{}]", "operand": "<{}>"}
    return "".join(signs[piece.mark].format(piece.text) for piece in pieces)


def test_a_page_loads_nothing_and_forbids_the_browser_to() -> None:
    page = render("show/templates/base.html", title="A page")
    assert "default-src 'none'" in page
    assert not re.search(r"""(src|href)=["'](?!data:)""", page)


def test_values_are_escaped() -> None:
    assert "<title>&lt;b&gt;&amp;</title>" in render("show/templates/base.html", title="<b>&")


def test_a_missing_value_is_an_error() -> None:
    with pytest.raises(UndefinedError, match="title"):
        render("show/templates/base.html")


def test_a_span_is_shown_with_its_operands_and_whole_words() -> None:
    operand = ("staff.md", TEXT.index("Kiel"), TEXT.index("Kiel") + 4)
    shown = show_span(PAGE.span(START, END), {"staff.md": PAGE}, [operand], around=12)
    assert marked(shown.pieces) == "… before it. [Ada Berg leads the depot in ]<Kiel>[.] Other words …"
    assert shown.headings == ("Handbook", "Staff")


def test_an_operand_outside_the_span_is_not_marked() -> None:
    operand = ("staff.md", TEXT.index("Some"), TEXT.index("Some") + 4)
    shown = show_span(PAGE.span(START, END), {"staff.md": PAGE}, [operand])
    assert "<" not in marked(shown.pieces)


@pytest.mark.parametrize("span", [Span("gone.md", 0, 3, "Ada"), Span("staff.md", 0, 3, "Ada")])
def test_a_span_that_is_not_in_its_document_is_shown_alone(span: Span) -> None:
    assert show_span(span, {"staff.md": PAGE}).pieces == (Piece("Ada", "evidence"),)


def test_the_path_has_the_parts_of_each_step() -> None:
    kiel = TEXT.index("Kiel")
    steps = [
        {"fact": "f-1", "entity": "Ada Berg", "bridge": {"doc": "staff.md", "start": START, "end": START + 8}},
        {"fact": "f-2", "find": {"doc": "gone.md", "start": 0, "end": 3}, "scope": "Kiel"},
        {"fact": "f-3", "find": {"doc": "staff.md", "start": kiel, "end": kiel + 4}},
    ]
    proof = {"operator": "bridge", "steps": steps}
    item = Item("q-1", "Where?", ("Kiel",), "multi_context", "bridge", "en", ((PAGE.span(START, END),),), proof)
    assert view(item, {"staff.md": PAGE}).path == (
        Hop("staff.md", (("links", "Ada Berg"),)),
        Hop("gone.md", (("answer", "?"), ("under", "Kiel"))),
        Hop("staff.md", (("answer", "Kiel"),)),
    )


def test_an_item_without_a_derivation_has_no_path() -> None:
    item = Item("q-1", "Where?", ("Kiel",), "simple", "factoid", "en", ((PAGE.span(START, END),),))
    assert view(item, {"staff.md": PAGE}).path == ()
