"""PDF files: text in reading order, structure, tables, the place of every span, and files that are not read."""

from __future__ import annotations

import io
import itertools
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from made_files import HEIGHT, LEFT, RIGHT, WIDTH, drawn, lines, two_columns

from kgsynth.base.records import Document, StructureFact
from kgsynth.documents.assembly import assemble
from kgsynth.documents.readers import pdf
from kgsynth.documents.readers.pdf import page_lines, page_words
from kgsynth.documents.structure import structure
from kgsynth.documents.unsupported import UnsupportedFileError

LATIN = (
    "The harbour office keeps a list of all ships that enter the port and of the berth that each of them takes".split()
)


def document(data: bytes) -> Document:
    return assemble(pdf.read(data), id="a.pdf", format="pdf", sha256="")


def read(*pages: Callable[[Any], None], **options: Any) -> Document:
    return document(drawn(*pages, **options))


def blocks(page: Document, kind: str) -> list[str]:
    return [block.text for block in page.blocks if block.kind == kind]


def facts(page: Document, kind: str) -> list[StructureFact]:
    return [fact for fact in structure(page) if fact.kind == kind]


def cells(page: Document) -> set[tuple[str, str, str]]:
    return {
        (fact.subject.text, " ".join(head.text for head in fact.heads), fact.values[0].text)
        for fact in facts(page, "cell")
    }


def prose(words: int, start: int = 0) -> list[str]:
    """Lines of about 40 characters."""
    found, line = [], ""
    for number in range(start, start + words):
        line = f"{line} {LATIN[number % len(LATIN)]}".strip()
        if len(line) > 36:
            found.append(line)
            line = ""
    return [*found, line] if line else found


def place_of(page: Document, text: str) -> tuple[int, tuple[float, ...]]:
    start = page.text.index(text)
    place = page.span(start, start + len(text)).place
    assert place is not None
    return place.page, place.bbox


def inside(box: Sequence[float], x: float, y: float) -> bool:
    return box[0] - 0.5 <= x <= box[2] + 0.5 and box[1] - 0.5 <= y <= box[3] + 0.5


def test_columns_are_read_one_after_the_other_and_a_sentence_goes_on_from_one_to_the_next() -> None:
    page = read(two_columns)
    assert blocks(page, "paragraph")[1:] == [" ".join(LEFT + RIGHT)]
    assert page.title == "Rules of the harbour"
    assert [section.title for section in page.sections[1:]] == ["Rules of the harbour"]


def test_the_place_of_a_span_is_its_box_from_the_top_left_corner() -> None:
    page = read(two_columns)
    number, box = place_of(page, "without lights")
    assert number == 1
    assert inside(box, 310, HEIGHT - 698) and inside(box, 312, HEIGHT - 698 - 6), (
        "the baseline and the letters above it"
    )
    assert box[3] - box[1] < 15 and box[0] > 300, "one line, not the paragraph"


@pytest.mark.parametrize("turns", [0, 90, 180, 270])
def test_places_on_pages_that_are_rotated_or_cropped_are_those_displayed(turns: int) -> None:
    import pypdfium2

    data = drawn(
        lambda canvas: lines(canvas, ["Anchors are checked in May.", "Chains are checked in June."], 100, 700) and None
    )
    pages = pypdfium2.PdfDocument(data)
    pages[0].set_rotation(turns)
    pages[0].set_cropbox(50, 100, 500, 800)
    buffer = io.BytesIO()
    pages.save(buffer)
    page = document(buffer.getvalue())
    _, box = place_of(page, "Anchors are checked in May.")
    x, y = 100 - 50, 800 - 700  # of the baseline, displayed without rotation on a page of 450 x 700
    assert inside(box, *{0: (x, y), 90: (700 - y, x), 180: (450 - x, 700 - y), 270: (y, 450 - x)}[turns])
    assert "Anchors are checked in May. Chains are checked in June." in blocks(page, "paragraph")


def test_text_outside_the_crop_box_is_not_read() -> None:
    import pypdfium2

    def draw(canvas: Any) -> None:
        lines(canvas, ["A printer's mark"], 10, 830)
        lines(canvas, ["The text of it."], 100, 700)

    pages = pypdfium2.PdfDocument(drawn(draw))
    pages[0].set_cropbox(50, 100, 500, 800)
    buffer = io.BytesIO()
    pages.save(buffer)
    made = document(buffer.getvalue())
    assert made.text == "The text of it."
    assert made.remarks == ("left out 3 words outside the visible page",)


def test_mirrored_text_whose_size_is_negative_is_read() -> None:
    def mirrored(canvas: Any) -> None:
        lines(canvas, ["Upright words of the page."], 72, 700)
        canvas.setFont("Helvetica", -10)
        canvas.drawString(400, 500, "Mirrored.")

    assert "Upright words of the page." in read(mirrored).text
    assert read(lambda canvas: (canvas.setFont("Helvetica", -10), canvas.drawString(400, 500, "Mirrored."))).text


def test_a_page_whose_words_run_off_it_is_no_scan() -> None:
    with pytest.raises(UnsupportedFileError, match=r"^all of its 3 words lie outside its pages; print it to fit"):
        pdf.read(drawn(lambda canvas: lines(canvas, ["A wide table."], 2000, 700) and None))


@pytest.mark.parametrize(
    ("broken", "joined", "elsewhere"),
    [
        (("The regu-", "lation holds"), "The regulation holds", ""),
        (("A well-", "known rule"), "A well-known rule", "A known rule works well here."),
        (("The on-", "board crew"), "The onboard crew", "Every onboard crew and every board works on it."),
        (("The on-", "board crew"), "The on-board crew", "Some on-board crew."),
        (("The Anglo-", "Norse crew"), "The Anglo-Norse crew", ""),
        (("From 10-", "20 ships"), "From 10-20 ships", ""),
        (("It came -", "or not"), "It came - or not", ""),
    ],
)
def test_hyphens_at_the_ends_of_lines(broken: tuple[str, str], joined: str, elsewhere: str) -> None:
    filler = "that every one of the officers keeps to, at least"

    def draw(canvas: Any) -> None:
        lines(canvas, [f"{filler} {broken[0]}", f"{broken[1]} {filler}"], 60, 700)
        lines(canvas, [elsewhere], 60, 500)

    assert joined in read(draw).text


def test_lines_are_paragraphs_by_distance_indent_and_the_room_that_was_left() -> None:
    def draw(canvas: Any) -> None:
        y = lines(canvas, prose(30)[:3], 60, 780)
        y = lines(canvas, ["Apart."], 60, y - 10)
        y = lines(canvas, prose(20)[:2], 60, y - 10)
        y = lines(canvas, ["Indented begins the next paragraph of this"], 74, y)
        y = lines(canvas, ["and is the end."], 60, y)
        lines(canvas, ["New lines begin one if the last had room."], 60, y)

    found = blocks(read(draw), "paragraph")
    assert found[1] == "Apart."
    assert found[-2:] == [
        "Indented begins the next paragraph of this and is the end.",
        "New lines begin one if the last had room.",
    ]


def with_heads(number: int, texts: Sequence[str], note: str = "") -> Callable[[Any], None]:
    def draw(canvas: Any) -> None:
        lines(canvas, [f"Harbour guide, part {1 + number // 3}"], 60, 815, ("Helvetica", 8))
        lines(canvas, texts, 60, 760)
        if note:
            lines(canvas, [note], 60, 70, ("Helvetica", 7))
        lines(canvas, [f"Page {number + 1} of 4"], 280, 30, ("Helvetica", 8))

    return draw


def test_running_heads_and_page_numbers_are_left_out_and_sentences_go_on_over_the_page() -> None:
    full = "Every ship that enters the port is given a berth by the"
    pages = [with_heads(0, [full], "1 Notes stand at the foot of the page.")]
    pages += [with_heads(1, ["harbour office.", full]), with_heads(2, ["tower."]), with_heads(3, ["The end."])]
    page = read(*pages)
    assert "Page" not in page.text and "guide" not in page.text
    assert f"{full} harbour office." in blocks(page, "paragraph")
    assert "1 Notes stand at the foot of the page." in blocks(page, "paragraph")
    assert any("left out 8 lines" in remark for remark in page.remarks)
    assert page.place(0, len(full) + 10).page == 1  # type: ignore[union-attr]


def test_headings_by_size_weight_number_and_a_title_of_the_file_that_is_a_file_name() -> None:
    def draw(canvas: Any) -> None:
        canvas.setTitle("Microsoft Word - port_v2.docx")
        y = lines(canvas, ["Port rules"], 60, 780, ("Helvetica", 22))
        for number, name in (("1", "Arrival"), ("1.1", "Pilots"), ("2", "Departure")):
            y = lines(canvas, [f"{number} {name}"], 60, y - 12, ("Helvetica-Bold", 14))
            y = lines(canvas, prose(25), 60, y - 6)
        y = lines(canvas, ["In bold"], 60, y - 12, ("Helvetica-Bold", 10))
        lines(canvas, prose(25), 60, y - 6)

    page = read(draw)
    found = [(block.text, block.level) for block in page.blocks if block.kind == "heading"]
    assert found == [("Port rules", 1), ("1 Arrival", 2), ("1.1 Pilots", 3), ("2 Departure", 2), ("In bold", 3)]
    assert page.title == "Port rules"


def test_the_outline_of_the_file_says_the_level_of_a_heading() -> None:
    def draw(canvas: Any) -> None:
        y = 780.0
        for number, (name, level) in enumerate((("Arrival", 0), ("Pilots", 1), ("Tugs", 2), ("Departure", 0))):
            canvas.bookmarkPage(f"k{number}")
            canvas.addOutlineEntry(name, f"k{number}", level)
            y = lines(canvas, [name], 60, y - 12, ("Helvetica", 10))
            y = lines(canvas, prose(25), 60, y - 12)

    page = read(draw)
    found = [(block.text, block.level) for block in page.blocks if block.kind == "heading"]
    assert found == [("Arrival", 1), ("Pilots", 2), ("Tugs", 3), ("Departure", 1)]


def listed(canvas: Any) -> None:
    y = lines(canvas, ["The crew checks these things before the ship leaves the port and goes to sea:"], 60, 780)
    for x, mark, texts in (
        (72, "•", ["the anchors, which are cleaned every month", "and painted in spring"]),
        (72, "•", ["the boats:"]),
        (96, "–", ["oars"]),
        (96, "–", ["sails"]),
        (72, "•", ["the lights"]),
    ):
        canvas.drawString(x, y, mark)
        y = lines(canvas, texts, x + 14, y)
    y = lines(canvas, ["How to moor"], 60, y - 14, ("Helvetica-Bold", 14))
    for number, text in enumerate(("Slow down.", "Throw the line.", "Make it fast."), 1):
        y = lines(canvas, [f"{number}. {text}"], 72, y - 2)
    lines(canvas, ["12. March is a day on which no ship of the line has ever left the port."], 60, y - 16)


def test_lists_are_nested_by_indent_and_numbers_are_steps() -> None:
    page = read(listed)
    assert blocks(page, "item")[:3] == [
        "the anchors, which are cleaned every month and painted in spring",
        "the boats:",
        "oars",
    ]
    members = [[value.text for value in fact.values] for fact in facts(page, "member")]
    assert ["oars", "sails"] in members
    assert [
        "the anchors, which are cleaned every month and painted in spring",
        "the boats: oars sails",
        "the lights",
    ] in members
    [steps] = facts(page, "procedure")
    assert [value.text for value in steps.values] == ["Slow down.", "Throw the line.", "Make it fast."]
    assert blocks(page, "paragraph")[-1].startswith("12. March"), "a number that goes on with no list is text"


def table(
    rows: Sequence[Sequence[Any]], *styles: tuple[Any, ...], ruled: bool = True, repeat: int = 0, **options: Any
) -> bytes:
    from reportlab.lib.styles import getSampleStyleSheet
    from reportlab.platypus import Paragraph, SimpleDocTemplate, Table

    buffer = io.BytesIO()
    grid = [("GRID", (0, 0), (-1, -1), 0.5, "black")] if ruled else []
    made = Table([list(row) for row in rows], style=[*grid, *styles], repeatRows=repeat, **options)
    normal = getSampleStyleSheet()["Normal"]
    story = [
        Paragraph("The table below is about berths and what they cost.", normal),
        made,
        Paragraph("That was it.", normal),
    ]
    SimpleDocTemplate(buffer, pagesize=(WIDTH, HEIGHT), invariant=1).build(story)
    return buffer.getvalue()


BOLD = ("FONTNAME", (0, 0), (-1, 0), "Helvetica-Bold")


def test_a_ruled_table_with_spans_empty_cells_and_cells_of_several_lines() -> None:
    rows = [
        ["Berth", "Cost per day", ""],
        ["", "summer", "winter"],
        ["North", "40 €", "20 €"],
        ["South\npier", "55 €", ""],
        ["West", "free of\ncharge", ""],
    ]
    spans = [("SPAN", (0, 0), (0, 1)), ("SPAN", (1, 0), (2, 0)), ("SPAN", (1, 4), (2, 4))]
    bold = ("FONTNAME", (0, 0), (-1, 1), "Helvetica-Bold")
    page = document(table(rows, *spans, bold))
    assert cells(page) == {
        ("North", "Cost per day summer", "40 €"),
        ("North", "Cost per day winter", "20 €"),
        ("South pier", "Cost per day summer", "55 €"),
        ("West", "Cost per day summer", "free of charge"),
        ("West", "Cost per day winter", "free of charge"),
    }
    assert len(blocks(page, "paragraph")) == 2, "cells are no paragraphs"


@pytest.mark.parametrize(
    "styles",
    [[BOLD], [("BACKGROUND", (0, 0), (-1, 0), "lightgrey")], []],
    ids=["bold", "shaded", "plain"],
)
def test_the_head_of_a_table(styles: list[tuple[Any, ...]]) -> None:
    page = document(table([["Berth", "Length", "Depth"], ["North", "120 m", "9 m"], ["South", "80 m", "6 m"]], *styles))
    assert cells(page) == {
        ("North", "Length", "120 m"),
        ("North", "Depth", "9 m"),
        ("South", "Length", "80 m"),
        ("South", "Depth", "6 m"),
    }


def test_a_table_of_names_and_values_has_heads_of_rows_only() -> None:
    side = ("FONTNAME", (0, 0), (0, -1), "Helvetica-Bold")
    page = document(table([["Name", "Skua"], ["Port", "Bergen"], ["Length", "80 m"]], side))
    assert cells(page) == {("Name", "", "Skua"), ("Port", "", "Bergen"), ("Length", "", "80 m")}
    plain = document(table([["Name", "Skua"], ["Port", "Bergen"], ["Crew", "Nine"]]))
    assert cells(plain) == set(), "nothing tells whether Name or Skua is a head"


def test_a_table_goes_on_over_the_page_and_its_head_is_read_once() -> None:
    rows = [["Ship", "Crew"], *([f"Ship {number}", str(number + 5)] for number in range(70))]
    page = document(table(rows, BOLD, repeat=1))
    assert cells(page) == {(f"Ship {number}", "Crew", str(number + 5)) for number in range(70)}
    assert page.text.count("Crew") == 1
    assert {place.place.page for place in page.places} == {1, 2}
    assert len([one for one in page.containers if one.kind == "table"]) == 1


def test_a_table_without_rules_is_one_if_its_columns_are_aligned() -> None:
    rows = [["Berth", "Length", "Depth"], ["North", "120 m", "9 m"], ["South", "80 m", "6 m"], ["West", "60 m", ""]]
    found = cells(document(table(rows, BOLD, ruled=False, colWidths=[100, 100, 100])))
    assert ("South", "Length", "80 m") in found and ("West", "Length", "60 m") in found
    below = ("LINEBELOW", (0, 0), (-1, 0), 1, "black")
    assert ("South", "Depth", "6 m") in cells(document(table(rows, below, ruled=False, colWidths=[100, 100, 100])))


def test_every_value_of_a_table_stands_in_the_box_of_its_span() -> None:
    rows = [["Ship", "Crew", "Berth"], *([f"Ship {number}", str(100 + number), f"B{number}"] for number in range(12))]
    page = document(table(rows, BOLD, colWidths=[100, 80, 60]))
    boxes = [place_of(page, f"Ship {number}")[1] for number in range(12)]
    assert all(low[3] <= high[1] + 3 for low, high in itertools.pairwise(boxes)), "each row below the one before"
    for fact in facts(page, "cell"):
        [value] = fact.values
        box = page.place(value.start, value.end).bbox  # type: ignore[union-attr]
        row = page.place(fact.subject.start, fact.subject.end).bbox  # type: ignore[union-attr]
        assert abs(box[1] - row[1]) < 2 and box[0] > row[2], "in the row of its head"


def test_code_keeps_its_lines_and_indents_and_marks_are_kept() -> None:
    def draw(canvas: Any) -> None:
        y = lines(canvas, ["Run the following to see which of the berths are free at this hour of the day:"], 60, 780)
        y = lines(canvas, ["def free(berth):", "    return not berth.ship", "", "free(north)"], 60, y, ("Courier", 9))
        canvas.setFont("Helvetica-Bold", 10)
        canvas.drawString(60, y, "Note:")
        canvas.setFont("Helvetica", 10)
        canvas.drawString(92, y, "call")
        canvas.setFont("Courier", 10)
        canvas.drawString(112, y, "free()")
        canvas.linkURL("https://example.org/free", (110, y - 2, 150, y + 10))

    page = read(draw)
    assert blocks(page, "code") == ["def free(berth):\n    return not berth.ship\n\nfree(north)"]
    block = page.blocks[-1]
    assert block.text == "Note: call free()"
    assert [block.text[low:high] for low, high in block.strong] == ["Note:"]
    assert [block.text[low:high] for low, high in block.code] == ["free()"]
    assert [(block.text[low:high], target) for low, high, target in block.links] == [
        ("free()", "https://example.org/free")
    ]


def test_pages_without_text_are_named() -> None:
    text = lambda canvas: lines(canvas, prose(20), 60, 700) and None  # noqa: E731
    empty = lambda canvas: canvas.rect(10, 10, 50, 50)  # noqa: E731
    with pytest.raises(UnsupportedFileError, match=r"^no text on 2 of 2 pages; run it through OCR first$"):
        pdf.read(drawn(empty, empty))
    assert document(drawn(text, empty)).remarks[0].startswith("no text on 1 of 2 pages")


def encrypted() -> bytes:
    from pypdf import PdfReader, PdfWriter

    writer = PdfWriter(PdfReader(io.BytesIO(drawn(two_columns))))
    writer.encrypt("secret", algorithm="RC4-128")
    buffer = io.BytesIO()
    writer.write(buffer)
    return buffer.getvalue()


RECURSIVE = (
    b"%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n"
    b"2 0 obj<</Type/Pages/Kids[2 0 R 3 0 R]/Count 2/Parent 2 0 R>>endobj\n"
    b"3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]/Contents 4 0 R"
    b"/Resources<</XObject<</X 4 0 R>>>>>>endobj\n"
    b"4 0 obj<</Type/XObject/Subtype/Form/BBox[0 0 200 200]"
    b"/Resources<</XObject<</X 4 0 R>>>>/Length 5>>stream\n/X Do\nendstream endobj\n"
    b"trailer<</Root 1 0 R/Size 5>>\n%%EOF"
)


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"PK\x03\x04 a zip archive", "damaged: it does not begin as a PDF does"),
        (b"%PDF-1.7\n", "damaged: it cannot be opened"),
        (drawn(two_columns)[:300], "damaged|no text"),
        (encrypted(), "^encrypted; save it without a password$"),
        (RECURSIVE, "damaged|no text"),
    ],
    ids=["another format", "empty", "truncated", "encrypted", "recursive"],
)
def test_files_that_cannot_be_read_are_skipped_with_the_reason(data: bytes, reason: str) -> None:
    with pytest.raises(UnsupportedFileError, match=reason):
        pdf.read(data)


def test_a_thousand_pages_too_many_are_a_named_skip(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page_words, "_MAX_PAGES", 2)
    with pytest.raises(UnsupportedFileError, match=r"too large: 3 pages, and at most 2 are read; split it"):
        pdf.read(drawn(two_columns, two_columns, two_columns))


SAMPLE = drawn(two_columns, listed)


@settings(max_examples=30, deadline=None)
@given(st.lists(st.tuples(st.integers(0, len(SAMPLE) - 1), st.binary(max_size=6)), min_size=1, max_size=8))
def test_damaged_bytes_give_a_document_or_a_reason(changes: list[tuple[int, bytes]]) -> None:
    data = bytearray(SAMPLE)
    for at, new in changes:
        data[at : at + len(new)] = new
    try:
        page = document(bytes(data))
    except UnsupportedFileError as error:
        assert str(error)
    else:
        assert all(page.text[one.start : one.end].strip() for one in page.places)


def test_reading_twice_gives_the_same() -> None:
    assert pdf.read(SAMPLE) == pdf.read(SAMPLE)


def test_a_page_is_drawn_around_its_evidence_which_is_marked() -> None:
    from PIL import Image

    from kgsynth.base.errors import InputError
    from kgsynth.show.illustrations import page_picture

    data = drawn(two_columns)
    _, box = place_of(document(data), "without lights")
    made = page_picture(data, 1, [box])
    picture = Image.open(io.BytesIO(made)).convert("RGB")
    assert len(made) < 60_000 and picture.size[0] == 2 * WIDTH and picture.size[1] < HEIGHT
    first = 2 * (box[1] - 90)  # the upper edge of the picture, at two pixels a point
    assert picture.getpixel((round(2 * box[0]), round(2 * box[3] - first))) == (255, 214, 0)
    assert picture.getpixel((20, 20)) == (255, 255, 255)
    with pytest.raises(InputError, match="page 2 is not in the PDF, which has 1 pages"):
        page_picture(data, 2, [box])
    with pytest.raises(InputError, match="cannot be opened as a PDF"):
        page_picture(b"nothing", 1, [box])


def test_other_extractors_find_the_same_words() -> None:
    import re

    from pdfminer.high_level import extract_text
    from pypdf import PdfReader

    data = drawn(two_columns)
    ours = re.findall(r"\w+", pdf.read(data).text)
    assert sorted(re.findall(r"\w+", PdfReader(io.BytesIO(data)).pages[0].extract_text())) == sorted(ours)
    assert sorted(re.findall(r"\w+", extract_text(io.BytesIO(data)))) == sorted(ours)


def test_pages_of_one_line_each_are_no_running_heads() -> None:
    pages = [lambda canvas, number=number: canvas.drawString(60, 700, f"Card {number} is lost.") for number in range(5)]
    assert "Card 3 is lost." in read(*pages).text


def test_a_head_whose_first_line_is_in_one_column_only_is_read_as_a_whole() -> None:
    def draw(canvas: Any) -> None:
        lines(canvas, ["Repairs take as long as this:"], 60, 760)
        lines(canvas, ["Promise to"], 300, 732)
        for x, column in ((60, ["Product", "Skua", "Gannet"]), (180, ["Usual time", "4 days", "8 days"])):
            lines(canvas, column[:1], x, 720)
            lines(canvas, column[1:2], x, 700)
            lines(canvas, column[2:], x, 684)
        for y, text in ((720, "customer"), (700, "7 days"), (684, "12 days")):
            lines(canvas, [text], 300, y)
        canvas.line(60, 714, 360, 714)

    assert cells(read(draw)) == {
        ("Skua", "Usual time", "4 days"),
        ("Skua", "Promise to customer", "7 days"),
        ("Gannet", "Usual time", "8 days"),
        ("Gannet", "Promise to customer", "12 days"),
    }


def drawn_table(canvas: Any, x: Sequence[float], rows: Sequence[tuple[float, Sequence[str]]]) -> None:
    """Draw texts at the left edges of columns, each row at its height."""
    for y, texts in rows:
        for left, text in zip(x, texts, strict=True):
            canvas.drawString(left, y, text)


def test_rows_of_several_lines_are_found_by_their_gaps_and_go_on_over_the_page() -> None:
    head = (760, ["Part", "What it does", "Since"])

    def first(canvas: Any) -> None:
        y = lines(canvas, prose(20), 60, 330)
        rows = [(y, ["Part", "What it does", "Since"]), (y - 20, ["mast", "carries the sails", "1990"])]
        rows += [(y - 38, ["keel", "keeps the boat", "1991"]), (y - 50, ["", "upright in", ""])]
        drawn_table(canvas, (60, 160, 300), rows)
        canvas.line(58, y - 6, 360, y - 6)

    def second(canvas: Any) -> None:
        rows = [head, (742, ["", "strong wind", ""]), (722, ["rudder", "turns the", "1992"]), (710, ["", "boat", ""])]
        drawn_table(canvas, (60, 160, 300), [*rows, (692, ["tiller", "moves the rudder", "1993"])])
        canvas.line(58, 754, 360, 754)

    assert cells(read(first, second)) == {
        ("mast", "What it does", "carries the sails"),
        ("mast", "Since", "1990"),
        ("keel", "What it does", "keeps the boat upright in strong wind"),
        ("keel", "Since", "1991"),
        ("rudder", "What it does", "turns the boat"),
        ("rudder", "Since", "1992"),
        ("tiller", "What it does", "moves the rudder"),
        ("tiller", "Since", "1993"),
    }


def test_no_fact_is_made_of_a_table_whose_rows_are_in_doubt() -> None:
    def draw(canvas: Any) -> None:
        rows = [(700, ["Pier", "Depth", "Berths"]), (688, ["North", "9 m", "4"]), (676, ["", "7 m", "3"])]
        drawn_table(canvas, (60, 160, 260), [*rows, (664, ["South", "5 m", "2"]), (652, ["West", "4 m", "1"])])
        canvas.line(58, 697, 300, 697)

    page = read(draw)
    assert len([one for one in page.containers if one.kind == "table"]) == 1
    assert cells(page) == set(), "7 m may belong to North, or to a pier without a name"


def test_columns_that_a_narrow_gap_parts_are_found_by_the_other_rows() -> None:
    def draw(canvas: Any) -> None:
        rows = [
            (700, ["Key", "Meaning"]),
            (686, ["port", "the left side"]),
            (672, ["a long key it is", "the right side"]),
        ]
        drawn_table(canvas, (60, 133), [*rows, (658, ["aft", "behind"]), (644, ["fore", "ahead"])])
        canvas.line(58, 697, 300, 697)

    found = cells(read(draw))
    assert ("a long key it is", "Meaning", "the right side") in found and len(found) == 4


def test_columns_of_prose_and_lists_are_no_tables() -> None:
    def draw(canvas: Any) -> None:
        for row in range(12):
            lines(canvas, [prose(60)[row % 6]], 60, 780 - 12 * row)
            lines(canvas, [prose(60, 7)[row % 6]], 310, 780 - 12 * row)
        for row in range(6):
            lines(canvas, ["•"], 60, 560 - 12 * row)
            lines(canvas, ["one of the things"], 74, 560 - 12 * row)

    page = read(draw)
    assert [one for one in page.containers if one.kind == "table"] == []
    assert blocks(page, "item") == ["one of the things"] * 6


def test_a_note_that_is_indented_less_than_the_text_of_the_items_ends_the_list() -> None:
    def draw(canvas: Any) -> None:
        lines(canvas, prose(30), 60, 760)
        for number, text in enumerate(["Cool the tip.", "Push it down.", "Write the time."], 1):
            lines(canvas, [f"{number}."], 72, 700 - 14 * number)
            lines(canvas, [text], 96, 700 - 14 * number)
        lines(canvas, ["Warning:"], 84, 640, ("Helvetica-Bold", 10))
        lines(canvas, ["Leave the room."], 132, 640)

    page = read(draw)
    assert blocks(page, "item") == ["Cool the tip.", "Push it down.", "Write the time."]
    assert [fact.values[0].text for fact in facts(page, "warning")] == ["Leave the room."]


def test_the_punctuation_after_a_link_is_not_part_of_it() -> None:
    def draw(canvas: Any) -> None:
        lines(canvas, ["All of it is on the page about (travel)."], 60, 760)
        told = "All of it is on the page about "
        left, right = (60 + canvas.stringWidth(told + part, "Helvetica", 10) for part in ("(", "(travel"))
        canvas.linkURL("travel.md", (left, 757, right, 770))

    page = read(draw)
    assert [fact.values[0].text for fact in facts(page, "see")] == ["travel"]


def figures(texts: Sequence[tuple[float, str]], y: float, canvas: Any, bold: bool = False) -> None:
    """Draw a row: the first text begins at its place, the others end there."""
    canvas.setFont("Helvetica-Bold" if bold else "Helvetica", 9)
    for number, (x, text) in enumerate(texts):
        (canvas.drawRightString if number or x > 100 else canvas.drawString)(x, y, text)


def report(canvas: Any) -> None:
    canvas.setFont("Helvetica", 9)
    canvas.drawString(60, 760, "Sales (in millions of dollars, except earnings per share)")
    canvas.drawCentredString(317, 742, "Year ended June 30,")
    canvas.drawCentredString(447, 742, "Percentage change")
    figures([(300, "2023"), (370, "2022"), (440, "Operations"), (510, "Currency")], 728, canvas)
    canvas.drawString(60, 714, "Continuing:")
    consumer = [(68, "Consumer Health"), (265, "$"), (300, "14,662"), (335, "$"), (370, "15,023")]
    figures([*consumer, (440, "1.1"), (510, "(3.4)")], 702, canvas)
    canvas.drawString(68, 690, "Devices, with those of the former Synthes")
    figures([(76, "group (1)"), (300, "30,400"), (370, "27,427"), (440, "10.8"), (510, "—")], 680, canvas)
    figures(
        [(60, "Total . . . . . . . . ."), (300, "45,062"), (370, "42,450"), (440, "4.2"), (510, "(0.1)")], 668, canvas
    )
    figures([(60, "Earnings per share"), (300, "5.20"), (370, "(0.31)"), (440, "n/a"), (510, "n/a")], 656, canvas)
    canvas.drawString(60, 630, "(1) Restated.")


def test_a_table_of_figures_without_rules_has_heads_in_two_rows_units_and_rows_with_only_a_head() -> None:
    found = [fact for fact in structure(document(drawn(report))) if fact.kind == "cell"]
    read = {
        (fact.subject.text, " / ".join(head.text for head in fact.heads)): (fact.values[0].text, fact.name)
        for fact in found
    }
    year, change = "Year ended June 30, / ", "Percentage change / "
    devices, unit = "Devices, with those of the former Synthes group", "millions of dollars"
    assert read == {
        ("Consumer Health", f"{year}2023"): ("$14,662", unit),
        ("Consumer Health", f"{year}2022"): ("$15,023", unit),
        ("Consumer Health", f"{change}Operations"): ("1.1", "%"),
        ("Consumer Health", f"{change}Currency"): ("(3.4)", "%"),
        (devices, f"{year}2023"): ("30,400", unit),
        (devices, f"{year}2022"): ("27,427", unit),
        (devices, f"{change}Operations"): ("10.8", "%"),
        (devices, f"{change}Currency"): ("—", "%"),
        ("Total", f"{year}2023"): ("45,062", unit),
        ("Total", f"{year}2022"): ("42,450", unit),
        ("Total", f"{change}Operations"): ("4.2", "%"),
        ("Total", f"{change}Currency"): ("(0.1)", "%"),
        ("Earnings per share", f"{year}2023"): ("5.20", ""),
        ("Earnings per share", f"{year}2022"): ("(0.31)", ""),
        ("Earnings per share", f"{change}Operations"): ("n/a", "%"),
        ("Earnings per share", f"{change}Currency"): ("n/a", "%"),
    }
    scopes = {fact.subject.text: fact.scope[0].text for fact in found if fact.scope}
    assert scopes["Consumer Health"] == scopes[devices] == "Continuing:", "they stand in from it"
    assert scopes["Total"].startswith("Sales (in millions"), "it does not stand in"


def test_rows_of_figures_between_few_rules_are_not_the_lines_of_one_cell() -> None:
    rows = [["Plan", "2022", "2023"], ["Free\nTeam\nPro", "1,204\n310\n(12)", "1,310\n–\n88"]]
    assert cells(document(table(rows, BOLD))) == {
        (row, year, value)
        for row, values in {"Free": ("1,204", "1,310"), "Team": ("310", "–"), "Pro": ("(12)", "88")}.items()
        for year, value in zip(("2022", "2023"), values, strict=True)
    }


def test_the_first_row_of_figures_is_no_head_though_rules_are_around_it() -> None:
    rows = [["Key figures", "2022", "2023"], ["Sales", "1,204", "1,310"], ["Staff", "310", "344"], ["Sites", "7", "8"]]
    below = [("LINEBELOW", (0, row), (-1, row), 0.5, "black") for row in range(4)]
    assert ("Sales", "2023", "1,310") in cells(document(table(rows, *below, ruled=False)))
    assert all(head in ("2022", "2023") for _, head, _ in cells(document(table(rows, *below, ruled=False))))


def told(data: bytes) -> dict[tuple[str, str], tuple[str, str, str]]:
    """From the name of a row and the heads of a column to the value, its unit and its section."""
    return {
        (fact.subject.text, " / ".join(head.text for head in fact.heads)): (
            fact.values[0].text,
            fact.name,
            " / ".join(part.text for part in fact.scope if len(part.text) < 12 and part.text != fact.name),
        )
        for fact in facts(document(data), "cell")
    }


def test_heads_in_three_rows_with_units_below_and_sections_that_end_at_their_totals() -> None:
    def draw(canvas: Any) -> None:
        canvas.setFont("Helvetica", 9)
        canvas.drawCentredString(285, 740, "Group")
        canvas.drawCentredString(425, 740, "Parent")
        for y, texts in (
            (728, ["Actual", "Plan", "Actual", "Plan"]),
            (716, ["2022", "2023", "2022", "2023"]),
            (704, ["EUR m"] * 4),
        ):
            figures([(250 + 70 * at, text) for at, text in enumerate(texts)], y, canvas)
        canvas.drawString(60, 690, "Income")
        figures([(70, "Electricity"), (250, "1,021-"), (320, "12"), (390, "7"), (460, "–")], 678, canvas)
        canvas.drawString(70, 666, "Gas and")
        figures([(70, "heat"), (250, "31"), (320, "(4)"), (390, "5"), (460, "8")], 656, canvas)
        figures([(60, "Total income"), (250, "990-"), (320, "8"), (390, "12"), (460, "8")], 644, canvas, bold=True)
        figures([(60, "Result"), (250, "3"), (320, "6"), (390, "9"), (460, "1")], 632, canvas, bold=True)

    found = told(drawn(draw))
    assert found["Electricity", "Group / Actual / 2022"] == ("1,021-", "EUR m", "Income")
    assert found["Electricity", "Parent / Plan / 2023"] == ("–", "EUR m", "Income"), "a dash is an amount"
    assert found["Gas and heat", "Group / Plan / 2023"] == ("(4)", "EUR m", "Income"), "nearer than rows are"
    assert found["Total income", "Parent / Actual / 2022"] == ("12", "EUR m", "Income")
    assert found["Result", "Parent / Plan / 2023"] == ("1", "EUR m", "")
    assert len(found) == 16


def test_numbered_rows_with_a_column_of_texts_below_heads_that_are_numbers() -> None:
    def draw(canvas: Any) -> None:
        canvas.setFont("Helvetica", 9)
        for x, text in ((60, "No."), (80, "Project"), (180, "Town")):
            canvas.drawString(x, 700, text)
        for y, texts in ((688, ["1", "Bridge", "Bergen"]), (676, ["2", "Pier", "Oslo"]), (664, ["3", "Lock", "Oslo"])):
            drawn_table(canvas, (60, 80, 180), [(y, texts)])
        for x, column in ((270, ["10", "4.2", "n/a", "0.7***"]), (330, ["20", "8.1", "1.3", "1e-05"])):
            for row, text in enumerate(column):
                canvas.drawRightString(x, 700 - 12 * row, text)
        canvas.line(58, 697, 340, 697)

    found = told(drawn(draw))
    assert found["Bridge", "10"][0] == "4.2" and found["Lock", "20"][0] == "1e-05" and found["Pier", "10"][0] == "n/a"
    assert found["Pier", "Town"][0] == "Oslo" and len(found) == 9, "the numbers of rows are no values"


def test_tables_of_figures_side_by_side_have_their_own_rows_heads_and_captions() -> None:
    def draw(canvas: Any) -> None:
        for x, y, unit, names in ((60, 700, "GWh", ["Dry", "Wet", "Hot"]), (330, 697, "hm³", ["Dues", "Rent", "Cost"])):
            canvas.drawString(x, 716, f"Balance, in {unit}")
            figures([(x + 120, "2021"), (x + 180, "2022")], y, canvas)
            for row, name in enumerate(names, 1):
                canvas.drawString(x, y - 12 * row, name)
                figures([(x + 120, f"{row},{x}"), (x + 180, f"{row}.5")], y - 12 * row, canvas)

    found = told(drawn(draw))
    assert found["Wet", "2021"][:2] == ("2,60", "GWh") and found["Rent", "2021"][:2] == ("2,330", "hm³")
    assert len(found) == 12


def test_a_ruled_table_with_plain_years_as_heads_marks_of_notes_and_a_broken_row() -> None:
    rows = [["Item", "2021", "2022"], ["Thermal\npower", "12", "14"], ["Hydro", "n/a", "3"]]
    assert told(table(rows))["Thermal power", "2022"][0] == "14"
    below = [("LINEBELOW", (0, row), (-1, row), 0.5, "black") for row in range(3)]
    assert told(table(rows, *below, ruled=False, colWidths=[150, 60, 60]))["Thermal power", "2022"][0] == "14", (
        "no rule parts its lines, though there is room for both in one"
    )


def test_a_damaged_font_size_below_nothing_is_read() -> None:
    word = page_words.PageWord("text", 0, 0, 10, 10, page_words.TextStyle(-9.0), 0)
    assert [part.text for part in page_lines.segments([word])] == ["text"]


def test_leaders_and_rows_that_stand_in_below_their_sum() -> None:
    def draw(canvas: Any) -> None:
        figures([(220, "Total"), (300, "Male"), (380, "Female")], 716, canvas)
        figures([(60, "Violence . . . . . ."), (220, "11.0"), (300, "3"), (380, "(X)")], 700, canvas)
        canvas.drawString(70, 688, "Murder and")
        figures([(74, "arson. . . . . . ."), (220, "4.0"), (300, "1"), (380, "n.d.")], 676, canvas)
        figures([(70, "Robbery. . . . . . ."), (220, "7.0"), (300, "2"), (380, "41.2 Mt")], 664, canvas)

    found = told(drawn(draw))
    assert found["Violence", "Female"] == ("(X)", "", "")
    assert found["Murder and arson", "Female"][::2] == ("n.d.", "Violence"), "its label is broken"
    assert found["Robbery", "Female"][::2] == ("41.2 Mt", "Violence"), "a figure with its unit"


def test_tables_in_a_font_of_one_width_with_names_before_years_and_figures_with_units() -> None:
    def draw(canvas: Any) -> None:
        text = ["           age 30       40", "           sex M    F   M    F"]
        text += ["Imm   1996     9.1 8.2 7.3 6.4", "      1997     9.2 8.3 7.4 6.5"]
        text += ["Tot   1996     5.1 4.2 3.3 2.4", "      1997     5.5 4.6 3.7 2.8"]
        for at, line in enumerate(text):
            canvas.setFont("Courier", 9)
            canvas.drawString(60, 700 - 11 * at, line)

    found = told(drawn(draw))
    assert found["1997", "40 / M"] in {("7.4", "", "Imm"), ("3.7", "", "Tot")}


def test_a_year_alone_between_the_heads_and_the_rows_is_no_row() -> None:
    def draw(canvas: Any) -> None:
        figures([(260, "Sales"), (360, "Profit")], 714, canvas)
        canvas.drawString(72, 700, "2023")
        rows = [("North", "120", "34"), ("South", "210", "45"), ("East", "305", "51"), ("West", "99", "62")]
        for at, row in enumerate(rows):
            figures(list(zip((72, 260, 360), row, strict=True)), 686 - 14 * at, canvas)

    found = told(drawn(draw))
    assert found["North", "Sales"][0] == "120" and found["West", "Profit"][0] == "62"
