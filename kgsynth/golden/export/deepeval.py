"""Write DeepEval goldens as JSON, and beside them the conversations as ConversationalGoldens."""

from __future__ import annotations

from typing import Any

from kgsynth.base.records import Item
from kgsynth.golden.answer_patterns import reference_answer
from kgsynth.golden.export.export_input import (
    ExportInput,
    Rendered,
    evidence_documents,
    evidence_texts,
    json_document,
    messages,
)
from kgsynth.golden.item_json import to_json


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
