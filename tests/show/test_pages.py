"""Pages: values stay text, nothing is loaded from outside, and evidence is marked in its document."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from bs4 import BeautifulSoup
from jinja2 import UndefinedError
from planted import read_markdown

from kgsynth.base.records import Document, Item, Section, Span
from kgsynth.show.evidence_view import Piece, show_span
from kgsynth.show.pages import _environment, render, with_sections
from kgsynth.show.questions import Hop, view

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


def test_a_text_in_another_language_than_the_page_says_so() -> None:
    page = Document("假期.md", "病假每年最多十天。", "假期", "md", "", (), ())
    span = page.span(0, 9)
    item = Item("q-1", "病假每年最多多少天？", ("十天",), "simple", "factoid", "zh", ((span,),))
    shown = view(item, {"假期.md": page})
    card = "{% from 'show/templates/report_macros.html' import card %}{{ card(shown) }}"
    found = BeautifulSoup(_environment().from_string(card).render(shown=shown), "html.parser")
    assert [tag.get("lang") for tag in found.select(".ask, .answer, .passage")] == ["zh", "zh", "zh"]
    english = view(replace(item, question="Which?", golden_answers=("ten",)), {})
    found = BeautifulSoup(_environment().from_string(card).render(shown=english), "html.parser")
    assert [tag.get("lang") for tag in found.select(".ask, .answer, .passage")] == [None, None, "zh"]


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
        {"fact": "f-1", "entity": "Ada Berg", "name": {"doc": "staff.md", "start": START, "end": START + 8}},
        {"fact": "f-2", "find": {"doc": "gone.md", "start": 0, "end": 3}, "scope": "Kiel"},
        {"fact": "f-3", "find": {"doc": "staff.md", "start": kiel, "end": kiel + 4}},
    ]
    proof = {"operator": "parts", "steps": steps}
    item = Item("q-1", "Where?", ("Kiel",), "multi_context", "difference", "en", ((PAGE.span(START, END),),), proof)
    assert view(item, {"staff.md": PAGE}).path == (
        Hop("staff.md", (("name", "Ada Berg"),)),
        Hop("gone.md", (("answer", "?"), ("under", "Kiel"))),
        Hop("staff.md", (("answer", "Kiel"),)),
    )


def test_an_item_without_a_derivation_has_no_path() -> None:
    item = Item("q-1", "Where?", ("Kiel",), "simple", "factoid", "en", ((PAGE.span(START, END),),))
    assert view(item, {"staff.md": PAGE}).path == ()


# ---- evidence is shown rendered --------------------------------------------------------------------

MARKUP = """# The **Kiel** depot

Ada *Berg* leads the [Kiel](../places/kiel_a.md) **depot** with `a_b*c` \\*now\\*, see <b>here</b> &amp; there.

1. Open `x` & <script>alert(1)</script>
- ~~Old~~ new

```
**code** stays
```
"""


def shown(start: str, end: str) -> tuple[Piece, ...]:
    page = read_markdown("kiel.md", MARKUP)
    low, high = MARKUP.index(start), MARKUP.index(end) + len(end)
    return show_span(page.span(low, high), {"kiel.md": page}, around=0).pieces


def rendered(start: str, end: str) -> BeautifulSoup:
    macro = '{% from "show/templates/macros.html" import pieces %}{{ pieces(found) }}'
    from kgsynth.show.pages import _environment

    return BeautifulSoup(_environment().from_string(macro).render(found=shown(start, end)), "html.parser")


def test_markup_is_hidden_and_no_character_is_changed() -> None:
    pieces = shown("# The", "stays\n```")
    whole = "".join(piece.text for piece in pieces).removesuffix(" …")
    assert whole == MARKUP.rstrip(), "every character of the file, in its order"
    read = "".join(piece.text for piece in pieces if piece.style != "md").removesuffix(" …")
    assert read.startswith(
        "The Kiel depot\n\nAda Berg leads the Kiel depot with a_b*c *now*, see here & there.\n\n1. Open x & "
    )
    assert "- Old new" in read and "**code** stays" in read, "marks of lists and code blocks stay"
    styles = {(piece.style, piece.text) for piece in pieces}
    assert {("i", "Berg"), ("b", "depot"), ("code", "a_b*c"), ("code", "x"), ("s", "Old")} <= styles


def test_rendered_evidence_is_escaped_and_marked_over_its_markup() -> None:
    found = rendered("Ada *Berg*", "& <script>alert(1)</script>")
    assert found.script is None and "<script>alert(1)</script>" in found.get_text()
    assert all(str(each["class"]) == "['evidence']" for each in found.find_all("mark"))
    assert (
        "".join(mark.get_text() for mark in found.find_all("mark"))
        == MARKUP[MARKUP.index("Ada *Berg*") : MARKUP.index("\n- ~~")]
    )
    assert [each.get_text() for each in found.select("mark > b")] == ["depot"]


def test_text_without_markup_and_other_formats_are_one_piece() -> None:
    assert [piece.style for piece in show_span(PAGE.span(START, END), {"staff.md": PAGE}).pieces if piece.style] == []


# ---- the frame of every page -----------------------------------------------------------------------


def test_a_page_has_the_theme_before_its_body() -> None:
    page = render("show/templates/base.html", title="A page")
    assert page.index("frame.paint();") < page.index("<style>") < page.index("<body>")
    assert ':root[data-theme="dark"]' in page and ':root:not([data-theme="light"])' in page


def test_every_section_of_a_page_is_in_its_navigation() -> None:
    body = with_sections('<h2 id="a" data-nav="Gates">Gates and thresholds</h2><h2><b>More</b>: <i>x</i></h2>')
    assert body.sections == (("a", "Gates"), ("section-2", "More"))
    assert '<h2 id="section-2"><b>More</b>' in body.html


# ---- the text around evidence ----------------------------------------------------------------------

MIXED = """# Rates

The desk sets the rates.

| Plan | Price |
|---|---|
| Basic | 12 |
| Full | **30** |

The rates hold until May.

```bash
rates --set 12
rates --show
```

- one item that is long enough to be cut by the window
- another item

The Night Desk answers all calls. It is open.
"""


def shown_in(text: str, evidence: str, around: int) -> str:
    page = read_markdown("rates.md", text)
    start = page.text.index(evidence)
    found = show_span(page.span(start, start + len(evidence)), {"rates.md": page}, around=around)
    return "".join(piece.text for piece in found.pieces if piece.style != "md")


@pytest.mark.parametrize(
    ("evidence", "around", "expected"),
    [
        # of the list above, the window reaches into the first item, which is left out; the code above it too
        ("The Night Desk answers all calls.", 40, "… - another item\n\nThe Night Desk answers all calls. It is open."),
        # the window ends inside the code block above the list
        ("- another item", 90, "… - one item that is long enough to be cut by the window\n- another item\n\nThe Night"),
        # code that fits is shown without its fence; the table above is left out
        ("another item", 135, "… The rates hold until May.\n\nrates --set 12\nrates --show\n\n- one item"),
        # the window ends inside the code block below, and there is a table above
        ("The rates hold until May.", 20, "… The rates hold until May. …"),
        # evidence inside code, as in a set of another tool: it never begins in the middle of it
        ("rates --show", 4, "… rates --set 12\nrates --show …"),
        # evidence inside a table, where no table is drawn
        ("**30**", 60, "… 30 …"),
    ],
)  # fmt: skip
def test_no_part_of_code_tables_or_list_items_is_shown_around_evidence(
    evidence: str, around: int, expected: str
) -> None:
    assert shown_in(MIXED, evidence, around).startswith(expected)


def test_evidence_in_long_code_is_shown_by_lines() -> None:
    code = "\n".join(f"step {n} of the long script" for n in range(200))
    found = shown_in(f"# Code\n\n```\n{code}\n```\n", "step 100 of the long", 60)
    lines = found.removeprefix("… ").removesuffix(" …").split("\n")
    assert all(re.fullmatch(r"step \d+ of the long script", line) for line in lines) and 3 <= len(lines) <= 8


def test_white_space_that_is_left_out_at_the_end_is_no_omission() -> None:
    assert shown_in("Ada leads it. Bo helps.\n\n", "Ada leads it.", 240) == "Ada leads it. Bo helps."
