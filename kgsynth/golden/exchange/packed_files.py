"""Read rows from files that are not text, Excel workbooks and Parquet, and from YAML."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

from kgsynth.base.errors import InputError
from kgsynth.base.parquet import PARQUET_MAGIC, from_parquet
from kgsynth.documents.readers.data_files import load_data
from kgsynth.documents.unsupported import UnsupportedFileError

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
