"""Write examples for LangSmith: lines of JSON with inputs, outputs and metadata."""

from __future__ import annotations

from typing import Any

from kgsynth.base.records import Item
from kgsynth.golden.answer_patterns import reference_answer
from kgsynth.golden.export.export_input import ExportInput, Rendered, evidence_texts, json_lines, messages
from kgsynth.golden.item_json import to_json


def render(source: ExportInput) -> Rendered:
    """Return the file; ``inputs`` has the turns before the question, if there are any, as messages."""
    return Rendered({"": json_lines(map(_example, source.items))})


def _example(item: Item) -> dict[str, Any]:
    return {
        "inputs": {"question": item.question} | ({"history": messages(item)} if item.history else {}),
        "outputs": {
            "answer": reference_answer(item.golden_answers) if item.answerable else None,
            "contexts": evidence_texts(item),
        },
        "metadata": to_json(item),
    }
