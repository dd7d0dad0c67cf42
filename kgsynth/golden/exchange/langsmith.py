"""Read examples of LangSmith: lines of JSON with inputs, outputs and metadata."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from kgsynth.base.records import Finding
from kgsynth.golden.exchange import columns
from kgsynth.golden.exchange.foreign_question import ForeignQuestion
from kgsynth.golden.exchange.source_file import SourceFile, SourceRow
from kgsynth.golden.exchange.whole_item import with_item


def fits(source: SourceFile) -> bool:
    """Check whether rows have inputs and outputs, which are objects."""
    return any(all(isinstance(row.cells.get(key), Mapping) for key in ("inputs", "outputs")) for row in source.rows[:1])


def read(source: SourceFile) -> Iterator[ForeignQuestion | Finding]:
    """Yield the question of every example, from the inputs and outputs with usual names."""
    for row in source.rows:
        both: dict[str, Any] = {**_object(row.cells.get("outputs")), **_object(row.cells.get("inputs"))}
        for each in columns.read_rows([SourceRow(row.where, both)], columns.find_roles(list(both))):
            yield with_item(each, row.cells.get("metadata")) if isinstance(each, ForeignQuestion) else each


def _object(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}
