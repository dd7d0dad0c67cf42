"""What a workbook says beside the values of its cells: its title, which cells are percentages, how far sheets reach."""

from __future__ import annotations

import re
import zipfile
import zlib
from dataclasses import dataclass
from functools import cached_property
from html import unescape

from kgsynth.documents.readers.sheet_limits import MAX_AREA
from kgsynth.documents.readers.zip_archive import open_archive
from kgsynth.documents.unsupported import UnsupportedFileError

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
_ROW, _LAST_CELL = 0, 11  # kinds of records of .xlsb: a row; below and up to this number, cells


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
        name = self._files.get(sheet, "")
        if name.endswith(".bin"):
            rows, columns = _binary_extent(self._part(name))
        else:
            places = _REFERENCE.findall(self._part(name))
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
        for tag in _TARGET_TAG.findall(
            self._part("xl/_rels/workbook.xml.rels") or self._part("xl/_rels/workbook.bin.rels")
        ):
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


def _binary_extent(data: bytes) -> tuple[int, int]:
    """Return how many rows and columns the records of a sheet of an .xlsb name."""
    at = rows = columns = 0
    while at < len(data):
        kind, at = _number(data, at, 2)
        size, at = _number(data, at, 4)
        if kind <= _LAST_CELL:
            first = int.from_bytes(data[at : at + 4], "little") + 1
            rows, columns = (max(rows, first), columns) if kind == _ROW else (rows, max(columns, first))
        at += size
    return rows, columns


def _number(data: bytes, at: int, longest: int) -> tuple[int, int]:
    """Return the number that begins at a byte, seven bits in each, and where it ends."""
    number = 0
    for shift in range(longest):
        byte = data[at] if at < len(data) else 0
        number |= (byte & 127) << 7 * shift
        at += 1
        if byte < 128:
            break
    return number, at
