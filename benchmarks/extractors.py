"""Recall of BM25 over other programs' text of PDFs, beside that over ours, with one golden set on our reading.

    python benchmarks/extractors.py [PDF …]

The passages are windows of 200 words without offsets, as a system returns them. Each item asks for a random sentence
by its own words. pypdf and pdfminer read the files too. The items that only some of them get are listed. Without a PDF,
eight are made of the longest pages of the handbook, with running heads, tables, and two columns of justified text.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from html import escape
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from arguments import call

import kgsynth
from kgsynth.base.errors import InputError
from kgsynth.base.records import Answer, Document, Item, Passage, Span, content_id
from kgsynth.documents.assembly import assemble
from kgsynth.documents.readers import markdown, pdf
from kgsynth.language.sentence_ends import sentence_spans
from kgsynth.scoring.systems.bundled import BM25

HANDBOOK = Path("corpora/handbook")
MADE = 8
WINDOW = 200  # words
TOP = 5
SEED = 13
ITEMS = 200
SENTENCE = (5, 60)  # words of a sentence that is asked for


class Windows:
    """BM25 over windows of words, as a system that returns texts."""

    def __init__(self, name: str, texts: dict[str, str]) -> None:
        self.name = self.signature = name
        self._passages = [(doc, window) for doc, text in texts.items() for window in _windows(text)]
        self._retriever = BM25([window for _, window in self._passages])

    def ask(self, item: Item) -> Answer:
        """Return the best windows, without an answer."""
        scores = self._retriever.scores(item.question)
        best = sorted(range(len(scores)), key=lambda at: (-scores[at], at))[:TOP]
        return Answer(
            item.id, None, tuple(Passage(doc, text=text) for doc, text in (self._passages[at] for at in best))
        )

    def close(self) -> None:
        """Do nothing: nothing is open."""


def main(*pdfs: str) -> None:
    """Print recall at 5 for each program's text, how its passages were matched, and the items that differ."""
    if missing := [path for path in pdfs if not Path(path).is_file()]:
        raise InputError(f"{missing[0]} is no file; give PDFs")
    with TemporaryDirectory() as folder:
        compare([Path(path) for path in sorted(pdfs)] or list(made(Path(folder))))


def compare(paths: Sequence[Path]) -> None:
    """Print how the text of each program scores."""
    documents = [_read(path) for path in paths]
    items = golden(documents)
    found: dict[str, list[float]] = {}
    for name, texts in extractions(paths, documents).items():
        result = kgsynth.score(items, Windows(name, texts), docs=documents, k=(TOP,), history=False)
        found[name] = [float(row.metrics[f"recall@{TOP}"] or 0) for row in result.items]
        methods = Counter(method for row in result.items for method in row.matched)
        print(f"{name:9} recall@{TOP} {sum(found[name]) / len(items):.3f}  {dict(methods.most_common())}")
    for number, item in enumerate(items):
        row = {name: values[number] for name, values in found.items()}
        if len(set(row.values())) > 1:
            print(row, item.evidence[0][0].doc, repr(item.question))


def made(folder: Path) -> Iterator[Path]:
    """Write the longest pages of the handbook as PDFs."""
    pages = sorted(HANDBOOK.rglob("*.md"), key=lambda path: (-path.stat().st_size, path.name))[:MADE]
    for path in sorted(pages):
        page = assemble(markdown.read(path.read_text(encoding="utf-8")), id=path.name, format="md", sha256="")
        yield write_pdf(page, folder / f"{path.stem}.pdf")


def write_pdf(page: Document, path: Path) -> Path:
    """Set a page in two columns, with heads, page numbers, bullets and ruled tables; return the path."""
    from reportlab.lib.styles import ParagraphStyle, getSampleStyleSheet
    from reportlab.platypus import BaseDocTemplate, Flowable, Frame, PageTemplate, Paragraph, Preformatted, Table

    styles = getSampleStyleSheet()
    body = ParagraphStyle("justified", parent=styles["BodyText"], fontSize=9, leading=11, alignment=4)
    flow: list[Flowable] = []
    tables: dict[int, dict[tuple[int, int], Paragraph]] = {}
    for block in page.blocks:
        text = escape(block.text)
        if block.kind == "heading":
            flow.append(Paragraph(text, styles[f"Heading{min(block.level, 4)}"]))
        elif block.kind == "code":
            flow.append(Preformatted("\n".join(line[:46] for line in block.text.split("\n")), styles["Code"]))
        elif block.kind == "cell":
            cell = page.containers[block.inside]
            if cell.parent not in tables:
                flow.append(Flowable())
                flow[-1].table = tables[cell.parent] = {}
            tables[cell.parent][cell.row, cell.column] = Paragraph(text, body)
        elif text:
            flow.append(Paragraph(text, body, bulletText="\u2022" if block.kind == "item" else None))

    def set_table(cells: dict[tuple[int, int], Paragraph]) -> Flowable:
        rows, columns = (max(place[axis] for place in cells) + 1 for axis in (0, 1))
        grid = [[cells.get((row, column), "") for column in range(columns)] for row in range(rows)]
        return Table(grid, repeatRows=1, style=[("GRID", (0, 0), (-1, -1), 0.5, (0, 0, 0))])

    def frame_page(canvas: Any, document: Any) -> None:
        canvas.setFont("Helvetica", 8)
        canvas.drawString(50, 815, page.title)
        canvas.drawCentredString(297, 25, f"Page {document.page}")

    frames = [Frame(50, 40, 240, 765), Frame(305, 40, 240, 765)]
    flow = [set_table(each.table) if hasattr(each, "table") else each for each in flow]
    template = PageTemplate(frames=frames, onPage=frame_page)
    BaseDocTemplate(str(path), pagesize=(595, 842), pageTemplates=[template]).build(flow)
    return path


def extractions(pdfs: Sequence[Path], documents: Sequence[Document]) -> dict[str, dict[str, str]]:
    """Return for each program the text of each file."""
    readers: dict[str, Callable[[Path], str]] = {"pypdf": by_pypdf, "pdfminer": by_pdfminer}
    others = {name: {path.name: read(path) for path in sorted(pdfs)} for name, read in readers.items()}
    return {"ours": {document.id: document.text for document in documents}, **others}


def by_pypdf(path: Path) -> str:
    """Return the text that pypdf extracts."""
    from pypdf import PdfReader

    return "\n".join(page.extract_text() for page in PdfReader(path).pages)


def by_pdfminer(path: Path) -> str:
    """Return the text that pdfminer extracts."""
    from pdfminer.high_level import extract_text

    return str(extract_text(path))


def golden(documents: Sequence[Document]) -> list[Item]:
    """Return items that ask for random sentences of prose by their own words."""
    sentences = [span for document in documents for span in _sentences(document)]
    chosen = random.Random(SEED).sample(sentences, min(ITEMS, len(sentences)))
    return [
        Item(content_id("q", span.doc, span.start), span.text, (span.text,), "simple", "factoid", "en", ((span,),))
        for span in chosen
    ]


def _sentences(document: Document) -> Iterator[Span]:
    for block in document.blocks:
        if block.kind in ("paragraph", "item", "cell", "quote"):
            for low, high in sentence_spans(document.text[block.start : block.end]):
                if SENTENCE[0] <= len(document.text[block.start + low : block.start + high].split()) <= SENTENCE[1]:
                    yield document.span(block.start + low, block.start + high)


def _read(path: Path) -> Document:
    return assemble(pdf.read(path.read_bytes()), id=path.name, format="pdf", sha256=path.name)


def _windows(text: str) -> Iterator[str]:
    words = text.split(" ")
    for start in range(0, len(words), WINDOW):
        yield " ".join(words[start : start + WINDOW])


if __name__ == "__main__":
    call(main)
