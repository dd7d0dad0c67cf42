"""Inspect: the samples of a log in JSON are read as questions; comparison reads their scores too."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from kgsynth.base.records import Finding
from kgsynth.golden.exchange import cells, columns
from kgsynth.golden.exchange.foreign_question import ForeignQuestion
from kgsynth.golden.exchange.source_file import SourceFile, SourceRow


def fits(source: SourceFile) -> bool:
    """Check whether rows are samples of a log."""
    return {"input", "target", "epoch"} <= set(source.columns)


def read(source: SourceFile) -> Iterator[ForeignQuestion | Finding]:
    """Yield the question of every sample of the first epoch."""
    for row in source.rows:
        if row.cells.get("epoch") == 1:
            known = {"id": row.cells.get("id"), "input": asked(row.cells), "target": row.cells.get("target")}
            yield from columns.read_rows([SourceRow(row.where, known)], columns.find_roles(list(known)))


def asked(sample: Mapping[str, Any]) -> str:
    """Return the question of a sample: its input, or of a chat the last message of the user.

    Example:
        >>> asked({"input": [{"role": "user", "content": "Who?"}, {"role": "assistant", "content": "Ada."}]})
        'Who?'
    """
    given = sample.get("input")
    messages = [each for each in cells.as_list(given) if isinstance(each, Mapping) and each.get("role") == "user"]
    return cells.text(messages[-1].get("content") if messages else given)
