"""Read DeepEval goldens: JSON, CSV or lines of JSON; in the last two all contexts are one text, separated by bars."""

from __future__ import annotations

from collections.abc import Iterator

from kgsynth.base.records import Finding
from kgsynth.golden.exchange import columns
from kgsynth.golden.exchange.foreign_question import ForeignQuestion
from kgsynth.golden.exchange.source_file import SourceFile, SourceRow
from kgsynth.golden.exchange.whole_item import with_item

DEEPEVAL_COLUMNS = {"question": "input", "answer": "expected_output", "contexts": "context", "doc": "source_file"}
_CONTEXT_SEPARATOR = "|"  # the one that deepeval.dataset uses


def fits(source: SourceFile) -> bool:
    """Check whether these are the columns of goldens."""
    return set(source.columns) >= {"input", "expected_output"} and bool(
        {"actual_output", "retrieval_context", "source_file"} & set(source.columns)
    )


def read(source: SourceFile) -> Iterator[ForeignQuestion | Finding]:
    """Yield the question of every golden."""
    roles = {role: column for role, column in DEEPEVAL_COLUMNS.items() if column in source.columns}
    for row in source.rows:
        contexts = _split_contexts(row.cells.get("context"))
        for each in columns.read_rows([SourceRow(row.where, {**row.cells, "context": contexts})], roles):
            if isinstance(each, ForeignQuestion):
                yield with_item(each, row.cells.get("additional_metadata"))
            else:
                yield each


def _split_contexts(context: object) -> object:
    return context.split(_CONTEXT_SEPARATOR) if isinstance(context, str) and not context.startswith("[") else context
