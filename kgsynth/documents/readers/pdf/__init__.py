"""Read PDF: lines in reading order, paragraphs, headings, lists, tables and code, each line with its page and box.

``page_words``, ``page_rules``, ``page_lines`` and ``page_layout`` read one page, with the tables that ``figure_tables``
and ``aligned_tables`` find and whose heads ``head_lines`` reads; ``text_blocks`` looks at all pages, and ``writing``
writes the result. Forms, scripts and embedded files are not read, and nothing is fetched.
"""

from __future__ import annotations

import re
from typing import Any

from kgsynth.documents.readers.block_drafts import ParsedFile
from kgsynth.documents.readers.pdf.page_layout import lay_out
from kgsynth.documents.readers.pdf.page_lines import PageLayout
from kgsynth.documents.readers.pdf.page_words import opened
from kgsynth.documents.readers.pdf.text_blocks import (
    TextBlock,
    body_style,
    drop_running_heads,
    mark_headings,
    read_outline,
    text_blocks,
)
from kgsynth.documents.readers.pdf.writing import BlockWriter, join_tables
from kgsynth.documents.unsupported import UnsupportedFileError

_MAX_TITLE = 160
_FILE_NAME = re.compile(r"\.\w{2,5}$|^microsoft word|^untitled|^document\d*$|[/\\_]|^slide \d", re.I)


def read(data: bytes) -> ParsedFile:
    """Return the blocks of a PDF; ``ParsedFile.text`` is their text.

    Raises:
        UnsupportedFileError: it is damaged, encrypted, too long, or has no text.
    """
    with opened(data) as document:
        layouts = []
        for index in range(len(document)):
            with_text = _page(document, index)
            layouts.append(with_text)
        outline, metadata = read_outline(document), document.get_metadata_value("Title")
    total, empty = len(layouts), sum(not layout.items for layout in layouts)
    outside = sum(layout.outside_words for layout in layouts)
    if empty == total and outside:
        raise UnsupportedFileError(f"all of its {outside:,} words lie outside its pages; print it to fit the page")
    if empty == total:
        raise UnsupportedFileError(f"no text on {total} of {total} pages; run it through OCR first")
    remarks = _remarks(layouts, empty)
    dropped = drop_running_heads(layouts)
    if dropped:
        remarks.append(f"left out {dropped} lines that are running heads, feet or page numbers")
    body = body_style(layouts)
    blocks = join_tables(text_blocks(layouts, body))
    texts = [block for block in blocks if isinstance(block, TextBlock)]
    mark_headings(texts, body, outline)
    writer = BlockWriter(body)
    for block in blocks:
        writer.add(block)
    writer.end()
    return writer.extracted.parsed(_title(metadata, texts), tuple(remarks))


def _page(document: Any, index: int) -> PageLayout:
    """Return the layout of a page, an empty one for a page that is damaged."""
    import pypdfium2

    try:
        page = document[index]
    except pypdfium2.PdfiumError:
        return PageLayout(index + 1, 0.0)
    try:
        return lay_out(document, page, index + 1)
    finally:
        page.close()


def _remarks(layouts: list[PageLayout], empty: int) -> list[str]:
    found = []
    if empty:
        found.append(f"no text on {empty} of {len(layouts)} pages; if they are scanned, run them through OCR first")
    outside = sum(layout.outside_words for layout in layouts)
    if outside:
        found.append(f"left out {outside:,} words outside the visible page")
    turned = sum(layout.turned_words for layout in layouts)
    if turned:
        found.append(f"left out {turned} words that run in another direction than the text of their page")
    return found


def _title(metadata: str, blocks: list[TextBlock]) -> str:
    """Return the title that the file gives itself if it is one, or the largest heading of the first page."""
    given = " ".join(metadata.split())
    first = [block for block in blocks if block.level and block.lines[0].page == 1]
    largest = max((block.lines[0].size for block in first), default=0)
    heading = next((" ".join(block.text.split()) for block in first if block.lines[0].size == largest), "")
    plausible = 3 < len(given) <= _MAX_TITLE and not _FILE_NAME.search(given)
    shown = plausible and any(_alike(given, block.text) for block in blocks[:12])
    return "" if heading and not shown else given if plausible else ""


def _alike(one: str, other: str) -> bool:
    keys = [re.sub(r"\W+", "", text.casefold()) for text in (one, other)]
    return bool(keys[0]) and (keys[0] in keys[1] or keys[1] in keys[0])
