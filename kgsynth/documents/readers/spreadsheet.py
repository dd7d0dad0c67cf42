"""Read workbooks (.xlsx, .xlsm, .xls, .ods): a section for each sheet, with its tables.

Formulas are read as their last results. Dates are written as ISO 8601, numbers in the shortest way; in .xlsx and .xlsm,
percentages are written as they are shown. Hidden sheets are left out with a remark.
"""

from __future__ import annotations

import io
import re
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from html import unescape
from typing import Any

from kgsynth.base.records.documents import SourcePlace
from kgsynth.documents.readers.block_drafts import ExtractedText, ParsedFile, TextPiece
from kgsynth.documents.readers.office_package import has_encrypted_package, open_archive
from kgsynth.documents.readers.sheets import MAX_AREA, MAX_ROWS, RowLimit, Sheet, add_sheet, shown
from kgsynth.documents.unsupported import ENCRYPTED, UnsupportedFileError

_ATTRIBUTE = rb'\b%s\s*=\s*["\']([^"\']*)["\']'
_CELL_TAG = re.compile(rb"<(?:\w+:)?c\s[^>]*>")
_REFERENCE = re.compile(rb'\br\s*=\s*["\']([A-Z]{1,3})(\d{1,7})["\']')
_STYLE = re.compile(_ATTRIBUTE % b"s")
_FORMAT_TAG = re.compile(rb"<(?:\w+:)?numFmt\s[^>]*>")
_CELL_STYLES = re.compile(rb"<(?:\w+:)?cellXfs\b.*?</(?:\w+:)?cellXfs>", re.DOTALL)
_STYLE_TAG = re.compile(rb"<(?:\w+:)?xf\s[^>]*>")
_SHEET_TAG = re.compile(rb"<(?:\w+:)?sheet\s[^>]*>")
_TARGET_TAG = re.compile(rb"<(?:\w+:)?Relationship\s[^>]*>")
_TITLE_PROPERTY = re.compile(rb"<dc:title>(.{1,300}?)</dc:title>", re.DOTALL)
_PERCENT_FORMATS = {b"9": 0, b"10": 2}  # built in: 0% and 0.00%
_PERCENT_FORMAT = re.compile(r"^[^;%]*?0(?:\.(0+))?\s*%")


@dataclass
class WorkbookParts:
    """The zip archive of a workbook, None for .xls, which is not an archive."""

    archive: zipfile.ZipFile | None

    @classmethod
    def of(cls, data: bytes) -> WorkbookParts:
        """Open the archive of a workbook within limits.

        Raises:
            UnsupportedFileError: it is damaged or encrypted, or holds too much.
        """
        return cls(open_archive(data) if data.startswith(b"PK") else None)

    def title(self) -> str:
        """Return the title in the properties of the workbook, "" for none."""
        found = _TITLE_PROPERTY.search(self._part("docProps/core.xml") or self._part("meta.xml"))
        return " ".join(unescape(found.group(1).decode(errors="replace")).split()) if found else ""

    def percentages(self, sheet: str) -> dict[tuple[int, int], int]:
        """Return the row and column of each cell of an .xlsx that is shown in percent, with its decimals."""
        styles = self._percent_styles
        found = {}
        for tag in _CELL_TAG.findall(self._part(self._files.get(sheet, ""))) if styles else ():
            style, place = _STYLE.search(tag), _REFERENCE.search(tag)
            if style and place and style.group(1) in styles:
                found[int(place.group(2)) - 1, _column(place.group(1))] = styles[style.group(1)]
        return found

    def check_extent(self, sheet: str) -> None:
        """Check that the cells of a sheet do not lie so far apart that the space between them fills the memory.

        Raises:
            UnsupportedFileError: they do.
        """
        places = _REFERENCE.findall(self._part(self._files.get(sheet, "")))
        rows = max((int(row) for row in {row for _, row in places}), default=0)
        columns = max((_column(letters) + 1 for letters in {letters for letters, _ in places}), default=0)
        if rows * columns > MAX_AREA:
            reach = f"its sheet {sheet!r} reaches over {rows:,} rows and {columns:,} columns"
            raise UnsupportedFileError(f"too large: {reach}; delete the cells far away from the others")

    def _part(self, name: str) -> bytes:
        """Return a file of the archive, empty if there is none."""
        if self.archive is None or name not in self.archive.namelist():
            return b""
        try:
            return self.archive.read(name)
        except (zipfile.BadZipFile, zlib.error, OSError, EOFError, NotImplementedError, ValueError) as error:
            raise UnsupportedFileError(f"damaged: {name!r} in it cannot be unpacked") from error

    @cached_property
    def _files(self) -> dict[str, str]:
        """From the name of each sheet to its file."""
        targets = {}
        for tag in _TARGET_TAG.findall(self._part("xl/_rels/workbook.xml.rels")):
            target = _value(tag, b"Target")
            targets[_value(tag, b"Id")] = target[1:] if target.startswith("/") else f"xl/{target}"
        sheets = _SHEET_TAG.findall(self._part("xl/workbook.xml"))
        return {_value(tag, b"name"): targets.get(_value(tag, rb"\w+:id"), "") for tag in sheets}

    @cached_property
    def _percent_styles(self) -> dict[bytes, int]:
        """From the number of each style in percent to its decimals."""
        styles = self._part("xl/styles.xml")
        formats = dict(_PERCENT_FORMATS)
        for tag in _FORMAT_TAG.findall(styles):
            shape = _PERCENT_FORMAT.match(_value(tag, b"formatCode"))
            if shape:
                formats[_value(tag, b"numFmtId").encode()] = len(shape.group(1) or "")
        block = _CELL_STYLES.search(styles)
        numbers = [_value(tag, b"numFmtId").encode() for tag in _STYLE_TAG.findall(block.group())] if block else []
        return {str(number).encode(): formats[each] for number, each in enumerate(numbers) if each in formats}


def _value(tag: bytes, name: bytes) -> str:
    found = re.search(_ATTRIBUTE % name, tag)
    return unescape(found.group(1).decode(errors="replace")) if found else ""


def _column(letters: bytes) -> int:
    number = 0
    for letter in letters:
        number = number * 26 + letter - 64
    return number - 1


def read(data: bytes) -> ParsedFile:
    """Return the sheets of a workbook.

    Raises:
        UnsupportedFileError: it is damaged or encrypted, or its sheets reach too far.
    """
    from python_calamine import CalamineError, CalamineWorkbook, PasswordError, SheetTypeEnum, SheetVisibleEnum

    parts = WorkbookParts.of(data)
    extracted, limit, hidden = ExtractedText(), RowLimit(), []
    try:
        book = CalamineWorkbook.from_object(io.BytesIO(data))
        for about in book.sheets_metadata:
            if about.typ != SheetTypeEnum.WorkSheet:
                continue
            if about.visible != SheetVisibleEnum.Visible:
                hidden.append(repr(about.name))
                continue
            parts.check_extent(about.name)
            made = _sheet(book.get_sheet_by_name(about.name), limit, parts.percentages(about.name))
            if made.rows:
                place = SourcePlace(sheet=about.name)
                extracted.add("heading", [TextPiece(about.name, place=place)], level=2)
                add_sheet(extracted, made)
    except PasswordError as error:
        raise UnsupportedFileError(ENCRYPTED) from error
    except (CalamineError, OSError, ValueError) as error:
        if has_encrypted_package(data):
            raise UnsupportedFileError(ENCRYPTED) from error
        why = "it cannot be opened as a workbook" if "detect file format" in str(error) else str(error)
        raise UnsupportedFileError(f"damaged: {why}; open it in a spreadsheet program and save it as .xlsx") from error
    left_out = (f"hidden sheets are left out: {', '.join(hidden)}",) if hidden else ()
    parsed = extracted.parsed(parts.title(), (*limit.remarks, *left_out))
    return replace(parsed, named_by_file=True)


def _sheet(found: Any, limit: RowLimit, percentages: dict[tuple[int, int], int]) -> Sheet:
    """Return the cells of a sheet as text."""
    merged = {
        (top, left): (bottom - top + 1, right - left + 1)
        for (top, left), (bottom, right) in found.merged_cell_ranges or ()
    }
    top, left = found.start or (0, 0)
    if top >= MAX_ROWS:  # the library would go through all rows above
        raise UnsupportedFileError(f"damaged: its sheet {found.name!r} begins in row {top + 1}, further than any does")
    rows = list(limit.limited(_texts(found, top, left, percentages), f"the sheet {found.name!r}"))
    while rows and not any(rows[-1]):
        rows.pop()
    here = {
        (row - top, column - left): reach
        for (row, column), reach in merged.items()
        if 0 <= row - top < len(rows) and 0 <= column - left < len(rows[row - top])
    }
    return Sheet(found.name, rows, here, top, left)


def _texts(found: Any, top: int, left: int, percentages: dict[tuple[int, int], int]) -> Iterator[list[str]]:
    """Yield the texts of each row from the first that is not empty; the library yields the empty ones above too."""
    for number, row in enumerate(found.iter_rows()):
        if number < top:
            continue
        if not percentages:
            yield [shown(value) if value != "" else "" for value in row]
        else:
            yield [shown(value, percentages.get((number, column))) for column, value in enumerate(row, left)]
