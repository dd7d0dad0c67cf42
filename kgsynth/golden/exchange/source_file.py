"""Read any question file as rows: JSON, YAML, an Excel workbook, Parquet, or a table with commas, tabs or the like.

The kind of file is recognised by its content, not by its name, except for YAML.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

from kgsynth.base.errors import InputError
from kgsynth.base.json_reading import JsonError, parse_json
from kgsynth.base.parquet import PARQUET_MAGIC, from_parquet
from kgsynth.base.records import Finding
from kgsynth.documents.readers.data_files import load_data
from kgsynth.documents.unsupported import UnsupportedFileError
from kgsynth.golden.exchange.foreign_question import unusable

_ZIP_MAGIC = b"PK\x03\x04"
_YAML_SUFFIXES = (".yaml", ".yml")


def packed_rows(path: Path, data: bytes) -> list[dict[str, Any]] | None:
    """Return the rows of a workbook (its first sheet) or Parquet file, None if the file is neither.

    Raises:
        ConfigError: pyarrow is not installed.
        InputError: the file is damaged.
    """
    if data.startswith(PARQUET_MAGIC):
        return from_parquet(data, str(path))
    if path.suffix == ".eval":
        raise InputError(
            f"{path} is a packed log of Inspect; write it as JSON with: inspect log dump {path} > log.json"
        )
    return _workbook_rows(path, data) if data.startswith(_ZIP_MAGIC) else None


def yaml_value(path: Path, text: str) -> Any:
    """Return the value of a file of YAML, None if its name is not one of such files.

    Raises:
        InputError: it cannot be parsed.
    """
    if path.suffix.lower() not in _YAML_SUFFIXES:
        return None
    try:
        return load_data(text)
    except UnsupportedFileError as error:
        raise InputError(f"{path} is {error}; correct it") from error


def _workbook_rows(path: Path, data: bytes) -> list[dict[str, Any]]:
    from python_calamine import CalamineError, CalamineWorkbook

    try:
        rows = CalamineWorkbook.from_object(io.BytesIO(data)).get_sheet_by_index(0).to_python()
    except (CalamineError, OSError, ValueError) as error:
        raise InputError(f"{path} is not a workbook that can be read ({error}); save it as .xlsx or CSV") from error
    head, *others = [row for row in rows if any(cell != "" for cell in row)] or [[]]
    names = [str(cell).strip() for cell in head]
    return [{name: _cell(cell) for name, cell in zip(names, row, strict=False) if name} for row in others]


def _cell(value: object) -> str:
    """Return a cell as text; a whole number has no decimals."""
    whole = isinstance(value, float) and value.is_integer()
    return str(int(value)) if whole else str(value)  # type: ignore[call-overload]


_DELIMITERS = ",;\t|"
_NAMES_OF_ROW_LISTS = (
    "data",
    "examples",
    "goldens",
    "test_cases",
    "questions",
    "items",
    "samples",
    "rows",
    "dataset",
    "tests",
    "results",
)
csv.field_size_limit(2**31 - 1)  # a context may be a whole document


class SourceRow(NamedTuple):
    """One row: the file with its line or entry, and its cells by column."""

    where: str
    cells: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class SourceFile:
    """The rows of a file and the JSON value that contains them; ``findings`` for entries that are not rows.

    ``delimited`` is whether it is a table of text, as CSV.
    """

    path: Path
    rows: tuple[SourceRow, ...] = ()
    tree: Any = None
    findings: tuple[Finding, ...] = ()
    delimited: bool = False

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns of all rows, in the order of their first appearance."""
        return tuple(dict.fromkeys(chain.from_iterable(row.cells for row in self.rows)))


def read_source(path: Path) -> SourceFile:
    """Read a file as rows.

    Raises:
        InputError: it cannot be opened or parsed; the message names file and line.
    """
    if (rows := packed_rows(path, _bytes(path))) is not None:
        return rows_from_json(path, rows)
    content = read_text(path)
    if (tree := yaml_value(path, content)) is not None:
        return rows_from_json(path, tree if isinstance(tree, Mapping | list) else [tree])
    if content.lstrip()[:1] not in ("{", "["):
        return _table(path, content)
    try:
        return rows_from_json(path, parse_json(content, tolerant=True))
    except JsonError as error:
        if "Extra data" not in str(error) and "\n" in content.strip():
            lines = content.splitlines()
            if not _is_json(lines[0]):  # not lines of JSON, but one value over several lines
                raise InputError(f"{path}{f', line {error.line}' * (error.line > 0)}: {error}; correct it") from error
        return _checked(path, _json_lines(path, content), None)


def first_object(path: Path) -> Mapping[str, Any] | None:
    """Return the JSON object in the first line that is not blank: {} without such a line, None if it is not an object.

    Raises:
        InputError: the file cannot be opened.
    """
    try:
        with path.open(encoding="utf-8-sig") as file:
            line = next((line for line in file if line.strip()), "{}")
            value = parse_json(line, tolerant=True)
    except ValueError:
        return None
    except OSError as error:
        raise _unreadable(path, error) from error
    return value if isinstance(value, Mapping) else None


def _unreadable(path: Path, error: OSError) -> InputError:
    return InputError(f"{path} cannot be read ({error.strerror}); give a golden.jsonl, run folder or question file")


def read_text(path: Path) -> str:
    """Return the text of a file.

    Raises:
        InputError: it cannot be opened or is not UTF-8.
    """
    try:
        return _bytes(path).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(f"{path} is not UTF-8 (byte {error.start}); save it as UTF-8") from error


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise _unreadable(path, error) from error


def rows_from_json(path: Path, tree: Any, rows: list[object] | None = None) -> SourceFile:
    """Return the rows of a JSON value: ``rows`` if given, or a list, a list under a usual name, or columns."""
    found = _entries(tree) if rows is None else rows
    return _checked(path, ((f"{path}, entry {number}", each) for number, each in enumerate(found, 1)), tree)


def _entries(tree: Any) -> Sequence[Any]:
    if isinstance(tree, list):
        return tree
    if isinstance(inner := tree.get("results"), Mapping) and isinstance(inner.get("results"), list):  # of promptfoo
        return list(inner["results"])
    for name in _NAMES_OF_ROW_LISTS:
        if isinstance(tree.get(name), list):
            return list(tree[name])
    columns = list(tree.values())
    if columns and all(isinstance(each, list) for each in columns) and len({len(each) for each in columns}) == 1:
        return [dict(zip(tree, values, strict=True)) for values in zip(*columns, strict=True)]
    if columns and all(isinstance(each, dict) for each in columns):  # as pandas writes it
        keys = list(dict.fromkeys(chain.from_iterable(columns)))
        if all(len(each) == len(keys) for each in columns):
            return [{name: tree[name][key] for name in tree} for key in keys]
    return [tree]


def _json_lines(path: Path, content: str) -> Iterator[tuple[str, Any]]:
    for number, line in enumerate(content.split("\n"), 1):
        if line.strip():
            try:
                yield f"{path}, line {number}", parse_json(line, tolerant=True)
            except JsonError as error:
                raise InputError(f"{path}, line {number}: {error}; correct or delete the line") from error


def _is_json(line: str) -> bool:
    try:
        parse_json(line, tolerant=True)
    except JsonError:
        return False
    return True


def _checked(path: Path, entries: Iterable[tuple[str, Any]], tree: Any) -> SourceFile:
    rows, findings = [], []
    for where, value in entries:
        if isinstance(value, Mapping):
            rows.append(SourceRow(where, value))
        else:
            findings.append(unusable(where, f"{str(value)[:40]!r} is not an object"))
    return SourceFile(path, tuple(rows), tree, tuple(findings))


def _table(path: Path, content: str) -> SourceFile:
    first = next((line for line in content.splitlines() if line.strip()), "")
    delimiter = max(_DELIMITERS, key=lambda each: len(next(csv.reader([first], delimiter=each), [])))
    reader = csv.reader(io.StringIO(content, newline=""), delimiter=delimiter)
    rows, findings, header, before = [], [], None, 0
    try:
        for cells in reader:
            where, before = f"{path}, line {before + 1}", reader.line_num
            if not any(cell.strip() for cell in cells):
                continue
            if header is None:
                header = [cell.strip() for cell in cells]
            elif len(cells) > len(header):
                findings.append(unusable(where, f"it has {len(cells)} cells, but the first line has {len(header)}"))
            else:
                named = zip(header, cells, strict=False)
                rows.append(SourceRow(where, {name: cell for name, cell in named if name}))
    except csv.Error as error:
        raise InputError(f"{path}, line {reader.line_num}: not a table ({error}); correct the line") from error
    return SourceFile(path, tuple(rows), None, tuple(findings), delimited=True)
