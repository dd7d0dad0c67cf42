"""The tables of a sheet: how cells are shown, what of them is read, where tables lie, and their blocks."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta
from typing import NamedTuple

from kgsynth.base.records.documents import CellTable, SourcePlace, column_name
from kgsynth.base.vocabulary import ContainerKind
from kgsynth.documents.readers.block_drafts import ExtractedText, TextPiece

MAX_CELLS = 1_000_000
"""Cells with text that are read from one file."""

MAX_COLUMNS = 16_384
"""Cells in a row, as in a workbook."""
MAX_ROWS = 1_048_576
"""Rows of a sheet, as in a workbook."""
MAX_AREA = 20_000_000
"""Places of a sheet from its first cell to its last, which are all held in memory."""


@dataclass(slots=True)
class RowLimit:
    """Passes rows on until the file has given ``MAX_CELLS`` cells with text.

    Example:
        >>> limit = RowLimit(left=3)
        >>> list(limit.limited([["a", "b"], ["c", ""], ["d", "e"]], "'Plans'")), limit.remarks
        ([['a', 'b'], ['c', '']], ("only the first 2 rows of 'Plans' are read, which have 3 cells",))
    """

    left: int = MAX_CELLS
    remarks: tuple[str, ...] = ()

    def limited(self, rows: Iterable[list[str]], name: str) -> Iterator[list[str]]:
        """Yield the rows of the part of a file called ``name`` that are within the limit."""
        cells = 0
        for number, row in enumerate(rows):
            here = len(row) - row.count("")
            if cells + here > self.left:
                self.remarks += (f"only the first {number:,} rows of {name} are read, which have {cells:,} cells",)
                break
            cells += here
            yield row
        self.left -= cells


# The cells of a sheet: how a value is shown, and which values are numbers or dates.

_CELL_VALUE = re.compile(
    r"[-+(]?\s?(?:[$€£¥₹]\s?)?\d[\d.,'’ \u00a0\u202f]*(?:[eE][-+]?\d+)?\s?[%‰$€£¥₹]?\)?"
    r"|\d{4}-\d\d?(?:-\d\d?)?(?:[T ]\d\d?:\d\d(?::\d\d(?:\.\d+)?)?Z?)?|\d\d?[/.]\d\d?[/.]\d{2,4}|\d\d?:\d\d(?::\d\d)?"
    r"|true|false",
    re.IGNORECASE,
)
_HEAD_YEAR = re.compile(r"(?:19|20)\d\d")
_EXACT_DIGITS = 1e15  # above it, a float does not hold every integer


class Sheet(NamedTuple):
    """The text of each cell by row and column ("" for an empty one), and the reach of the merged ones.

    ``top`` and ``left`` are the place of its first cell in the file, from 0.
    """

    name: str
    rows: list[list[str]]
    merged: dict[tuple[int, int], tuple[int, int]]
    top: int = 0
    left: int = 0


def shown(value: object, percent_digits: int | None = None) -> str:
    """Return a value as text: a date as ISO 8601, a number in the shortest way, white space folded.

    ``percent_digits`` are the decimals of a cell that is shown in percent, None for any other.

    Example:
        >>> shown(1500.0), shown(0.1 + 0.2), shown(0.25, 0), shown(date(2024, 1, 5)), shown(" a\\n b ")
        ('1500', '0.3', '25%', '2024-01-05', 'a b')
    """
    if isinstance(value, str):
        return " ".join(value.split())
    if isinstance(value, bool):
        return str(value).upper()
    if isinstance(value, int | float):
        return _number(value) if percent_digits is None else f"{value * 100:.{percent_digits}f}%"
    if isinstance(value, datetime):
        if value.time() == time():
            return value.date().isoformat()
        return value.isoformat(" ", "seconds" if value.second else "minutes")
    if isinstance(value, time):
        return value.isoformat("seconds" if value.second else "minutes")
    if isinstance(value, timedelta):
        minutes, seconds = divmod(round(value.total_seconds()), 60)
        hours, minutes = divmod(minutes, 60)
        return f"{hours}:{minutes:02}" + (f":{seconds:02}" if seconds else "")
    return value.isoformat() if isinstance(value, date) else "" if value is None else str(value)


def _number(value: float) -> str:
    if isinstance(value, int) or (value.is_integer() and abs(value) < _EXACT_DIGITS):
        return str(int(value))
    return f"{value:.15g}"


def is_value(text: str) -> bool:
    """Check whether a cell holds a number, an amount, a date, a time or a truth value, and no words.

    Example:
        >>> [is_value(text) for text in ("$1,500.00", "25 %", "2024-01-05", "TRUE", "5 ms", "Q1")]
        [True, True, True, True, False, False]
    """
    return _CELL_VALUE.fullmatch(text) is not None


def is_year(text: str) -> bool:
    """Check whether a cell holds a year, which is a number that can be a head."""
    return _HEAD_YEAR.fullmatch(text) is not None


# Find the tables of a sheet, apart by empty rows and columns, with their titles, header rows, row heads and notes.

_NOTE = re.compile(r"[*†‡(]|.*[.:!?。：]$|(?:\S+\s+){4}", re.DOTALL)  # a line below a table that is not one of its rows
_SAMPLE = 50  # rows below the header that show what is in a column
_MAX_ROW_HEAD = 60  # characters of a row head that is not in the first column
_COUNTERS = frozenset(("0", "1"))  # where a running number starts


class Region(NamedTuple):
    """Cells that hang together: rows and columns from the first to before the last, as indexes of the sheet."""

    top: int
    left: int
    bottom: int
    right: int


@dataclass(frozen=True, slots=True)
class TableLayout:
    """The rows of a region: title lines, then ``headers`` rows with the heads of columns, the body, and notes.

    ``row_head`` is the column whose cells name the rows, -1 if no column does.
    """

    region: Region
    titles: int
    headers: int
    notes: int
    row_head: int


def layouts(sheet: Sheet) -> Iterator[TableLayout]:
    """Yield the tables of a sheet from top to bottom; a table continues below an empty row unless a new header follows.

    Example:
        >>> rows = [["Prices", ""], ["Plan", "Price"], ["Team", "5"], ["Pro", "9"], ["", ""], ["Max", "20"]]
        >>> list(layouts(Sheet("S", rows, {})))
        [TableLayout(region=Region(top=0, left=0, bottom=6, right=2), titles=1, headers=1, notes=0, row_head=0)]
    """
    found: list[TableLayout] = []
    longer: set[int] = set()
    for region in sorted(_regions(sheet)):
        made = _layout(sheet, region)
        above = _above(found, made)
        if above < 0:
            found.append(made)
        else:
            found[above] = replace(found[above], region=found[above].region._replace(bottom=region.bottom))
            longer.add(above)
    for number, made in enumerate(found):
        yield _layout(sheet, made.region) if number in longer else made


def _above(found: list[TableLayout], made: TableLayout) -> int:
    """Return the index of the table that goes on in a region: the nearest above it, with its columns; -1 for none."""
    left, right = made.region.left, made.region.right
    if right - left > 1 and not made.titles and not made.headers:
        for number in range(len(found) - 1, -1, -1):
            one = found[number]
            if one.region.left < right and left < one.region.right:
                same = (one.region.left, one.region.right) == (left, right)
                return number if same and one.headers and not one.notes else -1
    return -1


# ---- regions ---------------------------------------------------------------------------------------


def _regions(sheet: Sheet) -> Iterator[Region]:
    """Yield the regions of a sheet; each row is a number whose bits are the columns with text."""
    shapes: dict[tuple[bool, ...], int] = {}
    masks = []
    for row in sheet.rows:
        shape = (*map(bool, row),)
        if shape not in shapes:
            shapes[shape] = sum(1 << column for column, filled in enumerate(shape) if filled)
        masks.append(shapes[shape])
    for (top, column), (rows, columns) in sheet.merged.items():
        if sheet.rows[top][column]:
            for reached in range(top, min(top + rows, len(masks))):
                masks[reached] |= ((1 << columns) - 1) << column
    waiting = [(0, len(masks), -1)]
    while waiting:
        top, bottom, columns = waiting.pop()
        bands = list(_bands(masks, top, bottom, columns))
        for first, last, filled in bands:
            runs = list(_runs(filled))
            if len(runs) == 1:
                yield Region(first, runs[0][0], last, runs[0][1])
            else:
                waiting += [(first, last, ((1 << (right - left)) - 1) << left) for left, right in runs]


def _bands(masks: list[int], top: int, bottom: int, columns: int) -> Iterator[tuple[int, int, int]]:
    """Yield the rows that follow one another without an empty one, and the columns they fill."""
    first, filled = top, 0
    for row in range(top, bottom):
        here = masks[row] & columns
        if not here and filled:
            yield first, row, filled
            filled = 0
        elif here:
            first = first if filled else row
            filled |= here
    if filled:
        yield first, bottom, filled


def _runs(filled: int) -> Iterator[tuple[int, int]]:
    """Yield the columns that follow one another without an empty one."""
    left = 0
    while filled:
        gap = (filled & -filled).bit_length() - 1
        filled >>= gap
        length = (~filled & (filled + 1)).bit_length() - 1
        yield left + gap, left + gap + length
        filled >>= length
        left += gap + length


# ---- the rows of one region ------------------------------------------------------------------------


def _layout(sheet: Sheet, region: Region) -> TableLayout:
    rows = [sheet.rows[row][region.left : region.right] for row in range(region.top, region.bottom)]
    width = region.right - region.left
    titles = notes = 0
    if width > 1:
        while titles < len(rows) - 1 and sum(map(bool, rows[titles])) == 1 and not _one_head(sheet, region, titles):
            titles += 1
        while notes < len(rows) - titles - 2 and _is_note(rows[len(rows) - notes - 1]):
            notes += 1
    body = rows[titles : len(rows) - notes]
    headers = _header_rows(body, _spanned(sheet, region, region.top + titles)) if width > 1 else 0
    return TableLayout(region, titles, headers, notes, _row_head(body[headers:], headers > 0) if width > 1 else -1)


def _one_head(sheet: Sheet, region: Region, row: int) -> bool:
    """Check whether the only cell of a row is the head of some columns, as "2024" over "Q1" and "Q2"."""
    place = next(column for column in range(region.left, region.right) if sheet.rows[region.top + row][column])
    columns = sheet.merged.get((region.top + row, place), (1, 1))[1]
    return place > region.left and columns < region.right - region.left


def _is_note(row: list[str]) -> bool:
    return bool(row[0]) and not any(row[1:]) and _NOTE.match(row[0]) is not None and not is_value(row[0])


def _spanned(sheet: Sheet, region: Region, row: int) -> frozenset[int]:
    """Return the columns that merged cells of a row cover, without those in which they begin."""
    covered: set[int] = set()
    for column in range(region.left, region.right):
        columns = sheet.merged.get((row, column), (1, 1))[1]
        covered.update(range(column + 1 - region.left, column + columns - region.left))
    return frozenset(covered)


def _header_rows(rows: list[list[str]], spanned: frozenset[int]) -> int:
    """Return how many rows at the top have the heads of the columns."""
    if len(rows) < 2 or not _is_header(rows[0]):
        return 0
    if len(rows) > 2 and _is_header(rows[1]):
        gaps = [column for column, text in enumerate(rows[0]) if not text]
        complete = gaps and all(rows[1][column] for column in gaps if column)
        if complete and (spanned or not rows[0][0] or not rows[1][0]):
            return 2
    if len(rows[0]) == 2 and (len(rows) == 2 or _are_keys(rows[0], rows[1 : 1 + _SAMPLE])):
        return 0  # names with their values, or one of two rows that might be anything
    named = max(column for column, text in enumerate(rows[0]) if text)  # a row may be longer than that of the heads
    return int(named > 0 and all(rows[0][1 : named + 1]))


def _is_header(row: list[str]) -> bool:
    """Check whether the cells of a row can be heads: words, or years."""
    return any(row) and not any(is_value(text) and not is_year(text) for text in row) and not is_year(row[0])


def _are_keys(first: list[str], below: list[list[str]]) -> bool:
    """Check whether two columns are names with their values, as "Owner" and "Ada", "Seats" and "12"."""
    if first[0].endswith((":", "：")):
        return True
    kinds = {is_value(row[1]) for row in below if row[1]}
    return len(kinds) > 1 and not any(is_value(row[0]) for row in below)


def _row_head(body: list[list[str]], headed: bool) -> int:
    """Return the column that names the rows: the first, unless it repeats or counts and another has a name for each.

    Without heads of columns only two columns can be read, as names with their values.
    """
    if not body:
        return -1
    if not headed:
        pairs = len(body[0]) == 2 and (len(body) > 2 or is_value(body[0][1]) or body[0][0].endswith((":", "：")))
        return 0 if pairs and not any(is_value(row[0]) for row in body) else -1
    first = [row[0] for row in body if row[0]]
    counts = len(first) > 1 and first[0] in _COUNTERS and first == [str(int(first[0]) + at) for at in range(len(first))]
    if not counts and len(set(first)) == len(first):
        return 0
    for column in range(1, len(body[0])):
        names = [row[column] for row in body]
        short = all(name and len(name) <= _MAX_ROW_HEAD for name in names)
        if short and not any(map(is_value, names)) and len(set(names)) == len(names):
            return column
    return 0


# Write the tables of a sheet as blocks and containers, with the place of each cell.

_LONG_CELL = 80  # characters; a column of longer cells is text, not a table


def add_sheet(extracted: ExtractedText, sheet: Sheet) -> None:
    """Add everything in a sheet: tables, and single cells and columns of text as paragraphs."""
    for layout in layouts(sheet):
        if _is_text(sheet, layout):
            for row in range(layout.region.top, layout.region.bottom):
                _add_line(extracted, sheet, layout, row)
        else:
            _add_table(extracted, sheet, layout)


def _is_text(sheet: Sheet, layout: TableLayout) -> bool:
    """Check whether a region is one column, and either one cell or with a sentence in it."""
    region = layout.region
    if region.right - region.left > 1:
        return False
    cells = [sheet.rows[row][region.left] for row in range(region.top, region.bottom)]
    return len(cells) == 1 or any(len(cell) > _LONG_CELL or cell.endswith((".", "!", "?", "。")) for cell in cells)


def _add_line(extracted: ExtractedText, sheet: Sheet, layout: TableLayout, row: int) -> None:
    """Add the only cell of a row as a paragraph."""
    for column in range(layout.region.left, layout.region.right):
        text = sheet.rows[row][column]
        extracted.add("paragraph", [TextPiece(text, place=_place(sheet, row, column))])


def _add_table(extracted: ExtractedText, sheet: Sheet, layout: TableLayout) -> None:
    region = layout.region
    first, last = region.top + layout.titles, region.bottom - layout.notes
    corner = (sheet.top + first, sheet.left + region.left)
    table = CellTable(layout.headers, layout.row_head, sheet.name, corner, dict(_spans(sheet, layout)))
    with extracted.within(ContainerKind.TABLE):
        for row in range(region.top, first):
            _add_line(extracted, sheet, layout, row)
        extracted.add_table(table, (row[region.left : region.right] for row in sheet.rows[first:last]))
    for row in range(last, region.bottom):
        _add_line(extracted, sheet, layout, row)


def _spans(sheet: Sheet, layout: TableLayout) -> Iterator[tuple[tuple[int, int], tuple[int, int]]]:
    """Yield the cells of a table that reach over several rows or columns: merged ones, and heads of groups of heads."""
    region, top = layout.region, layout.region.top + layout.titles
    if layout.headers == 2:
        for column in range(region.left, region.right):
            if sheet.rows[top][column]:
                yield (0, column - region.left), (1, _group_width(sheet, layout, top, column))
    for (row, column), (rows, columns) in sheet.merged.items():
        if top <= row < region.bottom and region.left <= column < region.right:
            reach = min(rows, region.bottom - row), min(columns, region.right - column)
            yield (row - top, column - region.left), reach


def _group_width(sheet: Sheet, layout: TableLayout, row: int, column: int) -> int:
    """Return over how many columns a head reaches if it is above several heads and not merged."""
    upper, lower, stop = sheet.rows[row], sheet.rows[row + 1], column + 1
    while lower[column] and stop < layout.region.right and not upper[stop] and lower[stop]:
        stop += 1
    return stop - column


def _place(sheet: Sheet, row: int, column: int) -> SourcePlace:
    return SourcePlace(sheet=sheet.name, cell=f"{column_name(sheet.left + column)}{sheet.top + row + 1}")
