"""LangSmith, Langfuse, Phoenix, MLflow and Opik: data sets as lines of JSON with a question and what is expected."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any, NamedTuple

from kgsynth.base.records import Finding, Item
from kgsynth.golden.answer_patterns import reference_answer
from kgsynth.golden.exchange import cells, columns
from kgsynth.golden.exchange.export_input import ExportInput, Rendered, json_lines, messages
from kgsynth.golden.exchange.foreign_question import ForeignQuestion, with_item
from kgsynth.golden.exchange.source_file import SourceFile, SourceRow
from kgsynth.golden.item_json import to_json


class Platform(NamedTuple):
    """The keys of a tool: for what a system is given, what is expected, and the item; then those inside of these two.

    Without ``inputs`` and ``expected``, the keys inside stand in the row itself; without ``doc``, contexts are texts.
    """

    inputs: str = ""
    expected: str = ""
    item: str = "metadata"
    question: str = "question"
    answer: str = "answer"
    contexts: str = "contexts"
    doc: str = ""


PLATFORMS = {
    "mlflow": Platform(
        *("inputs", "expectations", "tags", "question", "expected_response", "expected_retrieved_context", "doc_uri")
    ),
    "langsmith": Platform("inputs", "outputs"),
    "phoenix": Platform("input", "output"),
    "langfuse": Platform("input", "expected_output"),
    "opik": Platform(question="input", answer="expected_output", contexts="context"),
}
"""The tools by the names of their formats; a row may fit several, and the first is used."""


def fits(platform: Platform, source: SourceFile) -> bool:
    """Check whether rows have the keys of a tool, with objects where it has them."""
    parts = (platform.inputs, platform.expected) if platform.inputs else (platform.item,)
    flat = set() if platform.inputs else {platform.question, platform.answer}
    return flat <= set(source.columns) and any(
        all(isinstance(row.cells.get(key), Mapping) for key in parts) for row in source.rows[:1]
    )


def read(platform: Platform, source: SourceFile) -> Iterator[ForeignQuestion | Finding]:
    """Yield the question of every row, from the keys with usual names."""
    for row in source.rows:
        flat = {key: value for key, value in row.cells.items() if key != platform.item}
        expected, inputs = (cells.as_object(row.cells.get(key)) for key in (platform.expected, platform.inputs))
        both = {**expected, **inputs} if platform.inputs else flat
        for each in columns.read_rows([SourceRow(row.where, both)], columns.find_roles(list(both))):
            yield with_item(each, row.cells.get(platform.item)) if isinstance(each, ForeignQuestion) else each


def render(platform: Platform, source: ExportInput) -> Rendered:
    """Return the file; the question has the turns before it, if there are any, as messages."""
    return Rendered({"": json_lines(map(partial(_row, platform), source.items))})


def _row(platform: Platform, item: Item) -> dict[str, Any]:
    asked = {platform.question: item.question} | ({"history": messages(item)} if item.history else {})
    answer = reference_answer(item.golden_answers) if item.answerable else None
    spans = [group[0] for group in item.evidence]
    contexts = [{platform.doc: span.doc, "content": span.text} if platform.doc else span.text for span in spans]
    expected = {platform.answer: answer, platform.contexts: contexts}
    inside = {platform.inputs: asked, platform.expected: expected} if platform.inputs else asked | expected
    return {**inside, platform.item: to_json(item)}
