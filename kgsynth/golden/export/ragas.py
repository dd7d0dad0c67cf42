"""Write the lines of Ragas' EvaluationDataset: one SingleTurnSample for each question."""

from __future__ import annotations

from typing import Any

from kgsynth.base.records import Item
from kgsynth.golden.answer_patterns import reference_answer
from kgsynth.golden.export.export_input import ExportInput, Rendered, evidence_texts, json_lines

_METADATA_COLUMNS = {"persona_name": "persona", "query_style": "style", "query_length": "length"}


def render(source: ExportInput) -> Rendered:
    """Return the file. Ragas opens it in the encoding of the computer, so it is plain ASCII."""
    return Rendered({"": json_lines(map(_row, source.items), ascii_only=True)})


def _row(item: Item) -> dict[str, Any]:
    spans = [group[0] for group in item.evidence]
    given = {name: item.metadata.get(key) for name, key in _METADATA_COLUMNS.items()}
    return {
        "user_input": item.full_question,
        "reference": reference_answer(item.golden_answers),
        "reference_contexts": evidence_texts(item),
        "reference_context_ids": [f"{span.doc}#{span.start}-{span.end}" for span in spans],
        **{name: value for name, value in given.items() if isinstance(value, str) and value},
        "synthesizer_name": f"kgsynth {item.question_type}",
    }
