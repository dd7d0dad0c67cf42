"""The cells of a table in AsciiDoc, with their places and whether they are heads."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from typing import NamedTuple

_MAX_ADOC_SPAN = 1000
_MAX_ADOC_COLUMNS = 1000
_ADOC_CELL = re.compile(
    r"(?:(?<=\s)|^)(?:(?P<columns>\d{1,4})?(?:\.(?P<rows>\d{1,4}))?(?P<how>[+*]))?(?:[<^>]?(?:\.[<^>])?)(?P<style>[adehlmsv])?"
    r"(?<!\\)\|(?!=)|(?<!\\)\|",
    re.MULTILINE,
)
_ADOC_COLUMN = re.compile(r"(?:(?P<times>\d{1,3})\*)?[<^>.\d~]*(?P<style>[adehlmsv])?\s*$")
_ADOC_LIST_MARK = re.compile(r"^[ \t]*(?:[*.-]+|\d+\.)[ \t]+", re.MULTILINE)


class AsciidocCell(NamedTuple):
    """A cell: its text with markup, the fields of its container that say where it stands, and whether it is a head."""

    text: str
    place: dict[str, int]
    head: bool


class _RawCell(NamedTuple):
    text: str
    style: str = ""
    rows: int = 1
    columns: int = 1


def table_cells(lines: list[str], attributes: str, separator: str) -> Iterator[AsciidocCell]:
    """Yield the cells of a table, whose lines stand between its delimiters.

    Example:
        >>> [(cell.text, cell.head) for cell in table_cells(["|K |V", "", "|a", "|1"], "", "|")]
        [('K', True), ('V', True), ('a', False), ('1', False)]
    """
    named = dict(re.findall(r'(\w+)\s*=\s*"?([^",]*(?:,[^",=]*(?=[",]))*)', attributes))
    quoted = re.search(r'cols\s*=\s*"([^"]*)"', attributes)
    styles = _columns(quoted[1] if quoted else named.get("cols", ""))
    text = "\n".join(lines)
    values = separator in ",:" or named.get("format") in ("csv", "dsv", "tsv")
    cells = (
        list(_values(lines, separator))
        if values
        else list(_cells(text if separator == "|" else text.replace("!", "|")))
    )
    first_line = next((number for number, line in enumerate(lines) if line), 0)
    on_first = (
        _values(lines[first_line : first_line + 1], separator) if values else _cells(lines[first_line] if lines else "")
    )
    columns = len(styles) or sum(cell.columns for cell in on_first) or 1
    options = f"{attributes},"
    marked = re.search(r"%[\w%]*header|header[\",]", options) is not None
    implied = first_line == 0 and len(lines) > 1 and not lines[1] and "noheader" not in options
    yield from _placed(cells, min(columns, _MAX_ADOC_COLUMNS), styles, marked or implied)


def _placed(cells: list[_RawCell], columns: int, styles: list[str], has_head: bool) -> Iterator[AsciidocCell]:
    free_from: dict[int, int] = {}  # the row from which a column is free
    row = column = 0
    for cell in cells:
        while free_from.get(column, 0) > row or column >= columns:
            column += 1
            if column >= columns:
                row, column = row + 1, 0
        reach = min(cell.columns, columns - column)
        for taken in range(column, column + reach):
            free_from[taken] = row + cell.rows
        style = cell.style or (styles[column] if column < len(styles) else "")
        head = (has_head and row == 0) or style == "h"
        text = _ADOC_LIST_MARK.sub("", cell.text) if style == "a" else cell.text
        place = {"row": row, "column": column, "rows": cell.rows, "columns": reach}
        yield AsciidocCell(text, place, head)
        column += reach


def _columns(value: str) -> list[str]:
    """Return the style of each column, as ``cols="1,2a,3*"`` says."""
    found: list[str] = []
    for part in re.split(r"[,;]", value) if value.strip() else []:
        match = _ADOC_COLUMN.match(part.strip())
        times = int(match["times"] or 1) if match else 1
        found += [(match["style"] if match else None) or ""] * times
    return found[:_MAX_ADOC_COLUMNS]


def _cells(text: str) -> Iterator[_RawCell]:
    marks = list(_ADOC_CELL.finditer(text))
    for number, mark in enumerate(marks):
        end = marks[number + 1].start() if number + 1 < len(marks) else len(text)
        content = text[mark.end() : end].strip().replace("\\|", "|")
        times = min(int(mark["columns"] or 1), _MAX_ADOC_SPAN)
        rows = min(int(mark["rows"] or 1), _MAX_ADOC_SPAN)
        if mark["how"] == "*":
            yield from [_RawCell(content, mark["style"] or "")] * times
        else:
            yield _RawCell(content, mark["style"] or "", max(rows, 1), max(times, 1))


def _values(lines: list[str], separator: str) -> Iterator[_RawCell]:
    try:
        for row in csv.reader([line for line in lines if line], delimiter="," if separator in ",|" else separator):
            yield from (_RawCell(value.strip()) for value in row)
    except csv.Error:
        return
