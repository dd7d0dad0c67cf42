"""DeepEval: goldens as JSON, CSV or lines of JSON are read; goldens and conversations are written as JSON."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from kgsynth.base.records import Finding, Item
from kgsynth.golden.answer_patterns import reference_answer
from kgsynth.golden.exchange import columns
from kgsynth.golden.exchange.export_input import (
    ExportInput,
    Rendered,
    evidence_documents,
    evidence_texts,
    json_document,
    messages,
)
from kgsynth.golden.exchange.foreign_question import ForeignQuestion, with_item
from kgsynth.golden.exchange.source_file import SourceFile, SourceRow
from kgsynth.golden.item_json import to_json

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


# Write DeepEval goldens as JSON, and beside them the conversations as ConversationalGoldens.


def render(source: ExportInput) -> Rendered:
    """Return the file of goldens; a dataset of DeepEval is of one kind, so conversations are a second file."""
    files = {"": json_document(list(map(_golden, source.items)))}
    turns = [_conversation(item) for item in source.items if item.history]
    if not turns:
        return Rendered(files)
    note = f"questions of conversations: {len(turns)}, asked on their own, and with their turns in a file beside it"
    return Rendered(files | {"conversations": json_document(turns)}, (note,))


def _golden(item: Item) -> dict[str, Any]:
    docs = evidence_documents(item)
    return {
        "input": item.full_question,
        "expected_output": reference_answer(item.golden_answers) or None,
        "context": evidence_texts(item),
        "source_file": docs[0] if len(docs) == 1 else None,
        "name": item.id,
        "additional_metadata": to_json(item),
    }


def _conversation(item: Item) -> dict[str, Any]:
    return {
        "scenario": item.full_question,
        "turns": [*messages(item), {"role": "user", "content": item.question}],
        "expected_outcome": reference_answer(item.golden_answers) or None,
        "context": evidence_texts(item),
        "name": item.id,
        "additional_metadata": to_json(item),
    }
