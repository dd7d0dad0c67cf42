"""Read and write Parquet with pyarrow, which is an optional dependency."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from typing import Any

from kgsynth.base.errors import ConfigError, InputError

PARQUET_MAGIC = b"PAR1"
"""The first bytes of a Parquet file."""


def to_parquet(rows: Sequence[Mapping[str, Any]], types: Mapping[str, Any]) -> bytes:
    """Return a Parquet file of rows.

    ``types`` has the type of each column: a name that pyarrow knows, such as "string"; a list of one type; or a mapping
    from the names of fields to types.

    Raises:
        ConfigError: pyarrow is not installed.
    """
    arrow = _pyarrow()
    schema = arrow.schema([(name, _type(arrow, each)) for name, each in types.items()])
    file = io.BytesIO()
    arrow.parquet.write_table(arrow.Table.from_pylist(list(rows), schema=schema), file)
    return file.getvalue()


def from_parquet(data: bytes, name: str) -> list[dict[str, Any]]:
    """Return the rows of a Parquet file, which ``name`` names in errors.

    Raises:
        ConfigError: pyarrow is not installed.
        InputError: the file is damaged.
    """
    arrow = _pyarrow()
    try:
        rows: list[dict[str, Any]] = arrow.parquet.read_table(io.BytesIO(data)).to_pylist()
    except (arrow.ArrowException, OSError) as error:
        raise InputError(f"{name} is not a Parquet file that can be read ({error}); write it anew") from error
    return rows


def _pyarrow() -> Any:
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError as error:
        raise ConfigError(
            "Parquet needs pyarrow, which is not installed: run pip install 'kgsynth[parquet]'"
        ) from error
    return pyarrow


def _type(arrow: Any, wanted: Any) -> Any:
    if isinstance(wanted, list):
        return arrow.list_(_type(arrow, wanted[0]))
    if isinstance(wanted, Mapping):
        return arrow.struct([(name, _type(arrow, each)) for name, each in wanted.items()])
    return arrow.type_for_alias(wanted)
