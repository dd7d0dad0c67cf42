"""Find the tables of a sheet, apart by empty rows and columns, with their titles, header rows, row heads and notes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple

from kgsynth.documents.readers.sheet_cells import Sheet, is_value, is_year

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
