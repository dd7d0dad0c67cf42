"""Read comma- and tab-separated values: the delimiter is found by the first lines, rows of any length are kept."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from itertools import islice

from kgsynth.documents.readers.block_drafts import ExtractedText, ParsedFile
from kgsynth.documents.readers.sheets import MAX_AREA, MAX_COLUMNS, RowLimit, Sheet, add_sheet
from kgsynth.documents.unsupported import UnsupportedFileError

_CSV_DELIMITERS = (",", ";", "\t", "|")
_LINES_SNIFFED = 100
_SEPARATOR_LINE = re.compile(r"\ufeff?sep=(.)\r?\n")  # how a spreadsheet program is told the delimiter


def read(text: str) -> ParsedFile:
    r"""Return the table or tables of a file of values.

    Raises:
        UnsupportedFileError: its rows are too long.

    Example:
        >>> read("Plan;Price\nTeam;\"5,00\"\n").text
        'Plan\tPrice\nTeam\t5,00'
    """
    given = _SEPARATOR_LINE.match(text)
    limit = RowLimit()
    cells = ([" ".join(cell.split()) for cell in row] for row in _rows(text, given.group(1) if given else ""))
    kept = list(limit.limited(cells, "the table"))
    width = max(map(len, kept), default=0)
    if width > MAX_COLUMNS or width * len(kept) > MAX_AREA:
        raise UnsupportedFileError(f"too large: it has rows of up to {width:,} cells; split it")
    square = [row + [""] * (width - len(row)) for row in kept]
    if given:
        square[0] = [""] * width
    extracted = ExtractedText()
    add_sheet(extracted, Sheet("", square, {}))
    return extracted.parsed(remarks=limit.remarks)


def _rows(text: str, given: str) -> list[list[str]]:
    delimiter = given or _delimiter(text)
    limit = csv.field_size_limit(len(text) + 1)
    try:
        return list(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True))
    except csv.Error as error:
        if "unexpected end" in str(error):  # a quotation mark that nothing closes
            return [line.split(delimiter) for line in text.splitlines()]
        return list(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter))
    finally:
        csv.field_size_limit(limit)


def _by_count(entry: tuple[int, int]) -> tuple[int, int]:
    return entry[1], entry[0]


def _delimiter(text: str) -> str:
    """Return the delimiter that gives most of the first lines the same number of cells, and more than one."""
    head = "".join(islice(io.StringIO(text, newline=""), _LINES_SNIFFED))

    def fit(delimiter: str) -> tuple[int, int]:
        try:
            rows = [len(row) for row in csv.reader(io.StringIO(head, newline=""), delimiter=delimiter) if row]
        except csv.Error:
            return 0, 0
        cells, often = max(Counter(count for count in rows if count > 1).items(), key=_by_count, default=(0, 0))
        return often, cells

    return max(_CSV_DELIMITERS, key=fit)
