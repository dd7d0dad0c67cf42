"""DeepEval goldens: JSON, CSV or lines of JSON; in the last two its contexts are one text, parted by bars."""

from __future__ import annotations

from collections.abc import Iterator

from kgsynth.base.records import Finding
from kgsynth.golden.exchange import table
from kgsynth.golden.exchange.foreign_question import Asked
from kgsynth.golden.exchange.rows import Row, Source

ROLES = {"question": "input", "answer": "expected_output", "contexts": "context", "doc": "source_file"}
_BAR = "|"  # deepeval.dataset parts contexts here when it reads them back


def fits(source: Source) -> bool:
    """Say whether these are the columns of goldens."""
    return set(source.columns) >= {"input", "expected_output"} and bool(
        {"actual_output", "retrieval_context", "source_file"} & set(source.columns)
    )


def read(source: Source) -> Iterator[Asked | Finding]:
    """Yield what every golden asks."""
    roles = {role: column for role, column in ROLES.items() if column in source.columns}
    rows = [Row(row.where, {**row.cells, "context": _parted(row.cells.get("context"))}) for row in source.rows]
    yield from table.asked(rows, roles)


def _parted(context: object) -> object:
    return context.split(_BAR) if isinstance(context, str) and not context.startswith("[") else context
