"""Word files, slides, workbooks and PDF files made for the tests, ways to damage files, and checks of what was read."""

from __future__ import annotations

import io
import tempfile
import zipfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import openpyxl

from kgsynth.base.records import Block, Document, Skipped, StructureFact
from kgsynth.documents import read_folder
from kgsynth.documents.structure import structure

WIDTH, HEIGHT = 595, 842


def drawn(*pages: Callable[[Any], None], size: tuple[int, int] = (WIDTH, HEIGHT), **options: Any) -> bytes:
    """A PDF of one page for each function, which draws it on a canvas."""
    from reportlab.pdfgen.canvas import Canvas

    buffer = io.BytesIO()
    canvas = Canvas(buffer, pagesize=size, invariant=1, **options)
    for page in pages:
        canvas.setFont("Helvetica", 10)
        page(canvas)
        canvas.showPage()
    canvas.save()
    return buffer.getvalue()


def lines(canvas: Any, texts: Sequence[str], x: float, y: float, font: tuple[str, float] = ("Helvetica", 10)) -> float:
    """Draw lines downwards from a height above the foot of the page; return the height below them."""
    canvas.setFont(*font)
    for text in texts:
        canvas.drawString(x, y, text)
        y -= 1.2 * font[1]
    return y


LEFT = [
    "Ships wait outside until a pilot comes on board.",
    "The pilot decides which of the channels is",
    "deep enough at this hour, and the master",
]
RIGHT = [
    "steers as he is told. At night no ship moves",
    "without lights on both of the sides of its",
    "hull. The tower reports each change by radio.",
]


def two_columns(canvas: Any) -> None:
    lines(canvas, ["Rules of the harbour"], 60, 780, ("Helvetica-Bold", 20))
    lines(
        canvas,
        ["This page is about ships, pilots and the tower, and it is set in one wide line across both columns."],
        60,
        740,
    )
    for row in range(3):  # drawn across, line by line: the order of drawing is not the order of reading
        lines(canvas, [LEFT[row]], 60, 710 - 12 * row)
        lines(canvas, [RIGHT[row]], 310, 710 - 12 * row)


def workbook(**sheets: dict[str, object]) -> openpyxl.Workbook:
    book: Any = openpyxl.Workbook()
    book.remove(book.active)
    for name, cells in sheets.items():
        sheet = book.create_sheet(name)
        for place, value in cells.items():
            sheet[place] = value
    return book


def saved(book: Any) -> bytes:
    made = io.BytesIO()
    book.save(made)
    return made.getvalue()


def check_block(block: Block, text: str) -> None:
    """Check that every run equals its source, except where the source has an entity or a tag."""
    assert 0 <= block.start <= block.end <= len(text)
    for number, (start, at) in enumerate(block.runs):
        stop = block.runs[number + 1][0] if number + 1 < len(block.runs) else len(block.text)
        piece, there = block.text[start:stop], text[at : at + stop - start]
        if there[:1] in ("&", "<") and piece != there:
            continue
        assert len(piece) == len(there)
        for one, other in zip(piece, there, strict=True):
            assert one == other or (one.isspace() and other.isspace()), (block, piece, there)
        assert block.start <= at <= block.end


def check_document(made: Document, text: str) -> None:
    covered = [False] * len(text)
    reached = 0
    for block in made.blocks:
        check_block(block, text)
        assert block.start >= reached, "blocks overlap or are out of order"
        reached = block.end
        covered[block.start : block.end] = [True] * (block.end - block.start)
        assert block.text == block.text.strip() or block.kind in ("code", "meta")
    lost = [text[i] for i, seen in enumerate(covered) if not seen and not text[i].isspace()]
    assert not lost, f"characters in no block: {lost}"


def word(build: Callable[[Any], None]) -> bytes:
    """Return a Word file that ``build`` fills."""
    import docx

    document = docx.Document()
    build(document)
    saved = io.BytesIO()
    document.save(saved)
    return saved.getvalue()


def slides(build: Callable[[Any], None]) -> bytes:
    """Return a presentation that ``build`` fills."""
    import pptx

    presentation = pptx.Presentation()
    build(presentation)
    saved = io.BytesIO()
    presentation.save(saved)
    return saved.getvalue()


def archive(parts: Mapping[str, str | bytes]) -> bytes:
    """Return a zip archive of the given parts."""
    saved = io.BytesIO()
    with zipfile.ZipFile(saved, "w", zipfile.ZIP_DEFLATED) as made:
        for name, content in parts.items():
            made.writestr(name, content)
    return saved.getvalue()


def changed(data: bytes, change: Mapping[str, Callable[[bytes], bytes]]) -> bytes:
    """Return an archive with some of its parts changed."""
    with zipfile.ZipFile(io.BytesIO(data)) as old:
        parts = {name: old.read(name) for name in old.namelist()}
    return archive({name: change.get(name, bytes)(part) for name, part in parts.items()})


def entry(name: str, data: bytes) -> Document | Skipped:
    """Return what becomes of one file in a folder."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / name).write_bytes(data)
        (found,) = read_folder(Path(folder))
    return found


def document(name: str, data: bytes) -> Document:
    found = entry(name, data)
    assert isinstance(found, Document), found
    for block in found.blocks:
        if block.kind != "meta":
            check_block(block, found.text)
    return found


def reason(name: str, data: bytes) -> str:
    found = entry(name, data)
    assert isinstance(found, Skipped), "it was read"
    return found.reason


def shown(made: Document) -> list[tuple[str, str]]:
    return [(block.kind, block.text) for block in made.blocks if block.kind != "meta"]


def facts(made: Document, kind: str) -> list[StructureFact]:
    return [fact for fact in structure(made) if fact.kind == kind]


def told(made: Document, kind: str) -> list[tuple[str, ...]]:
    """Return subject, heads and values of each fact of a kind."""
    return [
        (fact.subject.text, *(head.text for head in fact.heads), *(value.text for value in fact.values))
        for fact in facts(made, kind)
    ]
