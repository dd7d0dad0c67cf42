"""LangSmith: examples as lines of JSON with inputs, outputs and metadata."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from kgsynth.base.records import Finding, Item
from kgsynth.golden.answer_patterns import reference_answer
from kgsynth.golden.exchange import columns
from kgsynth.golden.exchange.export_input import ExportInput, Rendered, evidence_texts, json_lines, messages
from kgsynth.golden.exchange.foreign_question import ForeignQuestion, with_item
from kgsynth.golden.exchange.source_file import SourceFile, SourceRow
from kgsynth.golden.item_json import to_json


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
