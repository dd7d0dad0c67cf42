"""The readers of slides and of e-books."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hostile_files import sample
from hypothesis import given, settings
from hypothesis import strategies as st
from made_files import archive, changed, document, entry, facts, reason, shown, slides, told

from kgsynth.base.records import Document, Skipped, SourcePlace

# ---- slides ----


def deck(made: Any) -> None:
    from pptx.util import Inches

    first = made.slides.add_slide(made.slide_layouts[1])
    first.shapes.title.text = "Plans"
    body = first.placeholders[1].text_frame
    body.text = "The plans are:"
    for text, level in (("Team", 1), ("small", 2), ("Pro", 1)):
        paragraph = body.add_paragraph()
        paragraph.text, paragraph.level = text, level
    first.notes_slide.notes_text_frame.text = "Say it slowly."
    second = made.slides.add_slide(made.slide_layouts[6])
    table = second.shapes.add_table(3, 3, Inches(1), Inches(3), Inches(6), Inches(2)).table
    for row, texts in enumerate((("Plan", "Price", "Size"), ("Team", "$5", "2 GB"), ("Pro", "none", ""))):
        for column, text in enumerate(texts):
            table.cell(row, column).text = text
    table.cell(2, 1).merge(table.cell(2, 2))
    low = second.shapes.add_textbox(Inches(5), Inches(1), Inches(2), Inches(1))
    low.text_frame.text = "On the right."
    left = second.shapes.add_textbox(Inches(1), Inches(1.05), Inches(2), Inches(1))
    left.text_frame.text = "On the left."
    hidden = made.slides.add_slide(made.slide_layouts[5])
    hidden.shapes.title.text = "Secret"
    hidden._element.set("show", "0")


def test_each_slide_is_a_section_with_its_place() -> None:
    made = document("a.pptx", slides(deck))
    assert shown(made) == [
        ("heading", "Plans"),
        ("item", "The plans are:"), ("item", "Team"), ("item", "small"), ("item", "Pro"),
        ("paragraph", "Say it slowly."),
        ("heading", "Slide 2"),
        ("paragraph", "On the left."), ("paragraph", "On the right."),
        ("cell", "Plan"), ("cell", "Price"), ("cell", "Size"),
        ("cell", "Team"), ("cell", "$5"), ("cell", "2 GB"), ("cell", "Pro"), ("cell", "none"),
    ]  # fmt: skip
    assert told(made, "cell") == [
        ("Team", "Price", "$5"), ("Team", "Size", "2 GB"), ("Pro", "Price", "none"), ("Pro", "Size", "none")
    ]  # fmt: skip
    assert told(made, "member") == [("The plans are:", "Team", "Pro")]
    assert made.remarks == ("1 of 3 slides are hidden and not read",)
    for block in made.blocks:
        number = 2 if block.start >= made.text.index("Slide 2") else 1
        assert made.span(block.start, block.end).place == SourcePlace(slide=number)


def test_numbers_links_groups_and_charts_of_slides() -> None:
    def build(made: Any) -> None:
        from pptx.chart.data import CategoryChartData
        from pptx.enum.chart import XL_CHART_TYPE
        from pptx.oxml import parse_xml
        from pptx.util import Inches

        slide = made.slides.add_slide(made.slide_layouts[5])
        slide.shapes.title.text = "How to rotate a key"
        box = slide.shapes.add_group_shape().shapes.add_textbox(Inches(1), Inches(2), Inches(4), Inches(1)).text_frame
        box.text = "Open it."
        run = box.add_paragraph().add_run()
        run.text, run.hyperlink.address = "Press it.", "keys.pptx"
        for paragraph in box.paragraphs:
            number = (
                '<a:buAutoNum xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" type="arabicPeriod"/>'
            )
            paragraph._p.get_or_add_pPr().append(parse_xml(number))
        data = CategoryChartData()
        data.categories = ["2023", "2024"]
        data.add_series("Loggers", (1.5, 2))
        chart = slide.shapes.add_chart(XL_CHART_TYPE.BAR_CLUSTERED, 0, Inches(4), Inches(4), Inches(3), data).chart
        chart.has_title = True
        chart.chart_title.text_frame.text = "Sold"

    made = document("a.pptx", slides(build))
    assert told(made, "procedure") == [("How to rotate a key", "Open it.", "Press it.")]
    assert [(fact.values[0].text, fact.name) for fact in facts(made, "see")] == [("Press it.", "keys.pptx")]
    assert ("paragraph", "Sold") in shown(made)
    assert told(made, "cell") == [("2023", "Loggers", "1.5"), ("2024", "Loggers", "2")]


# ---- e-books ----

CONTAINER = (
    '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>'
    '<rootfile full-path="OEBPS/book.opf"/></rootfiles></container>'
)


def epub(chapters: dict[str, str], **parts: str) -> bytes:
    items = "".join(
        f'<item id="c{number}" href="{name}" media-type="application/xhtml+xml"/>'
        for number, name in enumerate(chapters)
    )
    order = "".join(f'<itemref idref="c{number}"/>' for number in reversed(range(len(chapters))))
    package = (
        '<package xmlns="http://www.idpf.org/2007/opf"><metadata xmlns:dc="http://purl.org/dc/elements/1.1/">'
        '<dc:title>The Book</dc:title></metadata><manifest><item id="n" href="nav.xhtml" properties="nav" '
        f'media-type="application/xhtml+xml"/>{items}</manifest><spine><itemref idref="n"/>{order}</spine></package>'
    )
    pages = {f"OEBPS/{name}": f"<html><body>{text}</body></html>" for name, text in chapters.items()}
    nav = {"OEBPS/nav.xhtml": "<html><body><nav><a href='a.xhtml'>A chapter</a></nav></body></html>"}
    return archive({"META-INF/container.xml": CONTAINER, "OEBPS/book.opf": package} | nav | pages | parts)


def test_the_chapters_of_a_book_in_the_order_of_its_spine() -> None:
    table = "<table><tr><th>Plan</th><th>Price</th></tr><tr><td>Team</td><td>$5</td></tr></table>"
    second = "<h1>Two</h1><p>More in <a href='a.xhtml#keys'>one</a> and <a href='other.epub'>it</a>.</p>"
    first = "<h1>One</h1><p>Fast<a epub:type='noteref' href='#n'>1</a>.</p>"
    made = document("book.epub", epub({"b.xhtml": second + table, "a.xhtml": first}))
    assert shown(made)[:4] == [
        ("heading", "One"), ("paragraph", "Fast."), ("heading", "Two"), ("paragraph", "More in one and it.")
    ]  # fmt: skip
    assert made.title == "The Book"
    assert told(made, "cell") == [("Team", "Price", "$5")]
    assert [fact.name for fact in facts(made, "see")] == ["book.epub#keys", "other.epub"]


def encryption(method: str) -> dict[str, str]:
    data = f'<EncryptedData><EncryptionMethod Algorithm="{method}"/></EncryptedData>'
    return {"META-INF/encryption.xml": f"<encryption>{data}</encryption>"}


def test_a_protected_book_is_named_and_one_with_hidden_fonts_is_read() -> None:
    drm = encryption("http://www.w3.org/2001/04/xmlenc#aes128-cbc")
    expected = "protected against copying; only books without DRM can be read"
    assert reason("a.epub", epub({"a.xhtml": "<p>Text.</p>"}, **drm)) == expected
    fonts = encryption("http://www.idpf.org/2008/embedding")
    assert document("a.epub", epub({"a.xhtml": "<p>Text.</p>"}, **fonts)).text == "Text."


# ---- hostile files ----

MAKERS: dict[str, Callable[[], bytes]] = {
    "a.pptx": lambda: slides(deck),
    "a.epub": lambda: epub({"a.xhtml": "<p>Some text.</p>"}),
}


def test_a_reason_is_the_same_in_every_run() -> None:
    """python-pptx names the object that it was given, with its address."""
    slides_that_are_none = changed(
        sample("pptx"), {"[Content_Types].xml": lambda part: part.replace(b"main+xml", b"x")}
    )
    assert reason("a.pptx", slides_that_are_none).startswith(
        "damaged: the file is not a PowerPoint file, content type is"
    )


@pytest.mark.parametrize("name", MAKERS)
def test_damage_is_named(name: str) -> None:
    no_zip = "damaged, or of another format than its extension says; open it in its program and save it again"
    assert reason(name, b"text") == no_zip
    assert reason(name, MAKERS[name]()[:-60]) == no_zip
    assert reason(name, archive({"x": "y"})).startswith("damaged: it is a zip archive, but not a")
    bomb = archive({"_rels/.rels": b" " * 50_000_000, "content.xml": b" " * 50_000_000})
    assert "grows to 50000000 bytes when unpacked" in reason(name, bomb)


@pytest.mark.parametrize("name", MAKERS)
@settings(max_examples=10, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 10**6), st.integers(0, 255)), min_size=1, max_size=8), st.integers(0, 99))
def test_a_file_with_changed_bytes_is_read_or_skipped(name: str, changes: list[tuple[int, int]], which: int) -> None:
    def spoil(part: bytes) -> bytes:
        made = bytearray(part)
        for place, value in changes:
            made[place % len(made)] = value
        return bytes(made)

    data = SMALL.setdefault(name, MAKERS[name]())
    parts = {"a.pptx": "ppt/slides/slide1.xml", "a.epub": "OEBPS/book.opf"}
    found = entry(name, changed(data, {parts[name]: spoil}) if which % 2 else spoil(data))
    assert isinstance(found, Document | Skipped)
    assert isinstance(found, Document) or "reader failed" not in found.reason, found


SMALL: dict[str, bytes] = {}
