"""The columns of a set as a table: values with types for data frames and data set hubs, or texts for spreadsheets."""

from __future__ import annotations

import json
from typing import Any

from kgsynth.base.records import Item
from kgsynth.golden.export.export_input import evidence_documents
from kgsynth.golden.item_json import span_json, to_json, turns_json
from kgsynth.golden.spans import with_heading

_TYPED = (
    "id", "question", "golden_answers", "question_type", "subtype", "difficulty", "language", "answerable",
)  # fmt: skip
_SPAN_KEYS = ("doc", "start", "end", "text")
TYPES: dict[str, Any] = {
    **dict.fromkeys(_TYPED, "string"),
    "golden_answers": ["string"],
    "answerable": "bool",
    "evidence": [[{"doc": "string", "start": "int64", "end": "int64", "text": "string"}]],
    "history": [{"question": "string", "answer": "string"}],
    "standalone": "string",
    "details": "string",
}
"""The type of each column of ``typed_row``: the name of a type, a list of a type, or the types of fields."""
_IN_DETAILS = ("answer_kind", "claims", "hard_negatives", "derivation", "metadata")

JSON_COLUMNS = ("other_answers", "history", "spans")
"""The columns of a table of texts that have JSON."""


def typed_row(item: Item) -> dict[str, Any]:
    """Return an item as columns that have one type in every row; ``details`` has the other keys as JSON.

    Example:
        >>> row = typed_row(Item("q-1", "Who?", ("Ada",), "simple", "factoid", "en", ()))
        >>> row["golden_answers"], row["evidence"], row["details"][:22]
        (['Ada'], [], '{"hard_negatives": [],')
    """
    value = to_json(item)
    details = {key: value[key] for key in _IN_DETAILS if key in value}
    if any(span.keys() - set(_SPAN_KEYS) for group in value["evidence"] for span in group):
        details["evidence"] = value["evidence"]
    return {
        **{key: value[key] for key in _TYPED},
        "evidence": [[{key: span[key] for key in _SPAN_KEYS} for span in group] for group in value["evidence"]],
        "history": turns_json(item.history),
        "standalone": item.standalone,
        "details": json.dumps(details, ensure_ascii=False),
    }


def text_row(item: Item) -> dict[str, str]:
    """Return an item as texts for people; ``spans`` has the evidence as JSON, with its offsets.

    Example:
        >>> from kgsynth.base.records import Span
        >>> one, two = Span("a.md", 0, 10, "Ada leads."), Span("b.md", 0, 4, "Low.")
        >>> print(text_row(Item("q-1", "Who?", ("Ada", "Ada Low"), "simple", "", "en", ((one,), (two,))))["evidence"])
        a.md: Ada leads.
        b.md: Low.
    """
    others = [*item.golden_answers[1:]]
    return {
        "id": item.id,
        "question": item.question,
        "answer": item.golden_answers[0] if item.golden_answers else "",
        "other_answers": json.dumps(others, ensure_ascii=False) if others else "",
        "answerable": "true" if item.answerable else "false",
        "question_type": item.question_type,
        "subtype": item.subtype,
        "difficulty": item.difficulty,
        "language": item.language,
        "answer_kind": item.answer_kind,
        "evidence": "\n".join(
            " or ".join(f"{span.doc}: {with_heading(span)}" for span in group) for group in item.evidence
        ),
        "documents": "\n".join(evidence_documents(item)),
        "history": json.dumps(turns_json(item.history), ensure_ascii=False) if item.history else "",
        "standalone": item.standalone,
        "spans": json.dumps([[span_json(span) for span in group] for group in item.evidence], ensure_ascii=False),
    }
