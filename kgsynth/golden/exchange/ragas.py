"""Ragas: test sets of old and new versions are read; the lines of its EvaluationDataset are written."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from kgsynth.base.records import Finding, Item
from kgsynth.golden.answer_patterns import reference_answer
from kgsynth.golden.exchange import cells, columns
from kgsynth.golden.exchange.export_input import ExportInput, Rendered, evidence_texts, json_lines
from kgsynth.golden.exchange.foreign_question import ForeignContext, ForeignQuestion
from kgsynth.golden.exchange.source_file import SourceFile

NEW_COLUMNS = {"question": "user_input", "answer": "reference", "contexts": "reference_contexts"}
OLD_COLUMNS = {"question": "question", "answer": "ground_truth", "contexts": "contexts"}
_HOP_MARK = re.compile(r"^\s*<\d+-hop>\s*")
_PLACE = re.compile(r"(?P<doc>.+)#\d+-\d+")
_OWN_SYNTHESIZER = "kgsynth "  # before the question type
_METADATA_OF_COLUMN = {"persona_name": "persona", "query_style": "style", "query_length": "length"}


def fits(source: SourceFile) -> bool:
    """Check whether these are the columns of a Ragas test set, new or old."""
    here = set(source.columns)
    return here >= {"user_input", "reference_contexts"} or (
        here >= set(OLD_COLUMNS.values()) and bool(here & {"evolution_type", "episode_done"})
    )


def read(source: SourceFile) -> Iterator[ForeignQuestion | Finding]:
    """Yield the question of every row; marks such as ``<1-hop>`` are removed from its contexts."""
    names = NEW_COLUMNS if "user_input" in source.columns else OLD_COLUMNS
    roles = {role: column for role, column in names.items() if column in source.columns}
    for each in columns.read_rows(source.rows, roles):
        if isinstance(each, Finding):
            yield each
            continue
        others = dict(each.metadata.get("columns", {}))
        others.pop("episode_done", None)
        doc = _doc(others.pop("metadata", None))
        contexts = _with_documents(each.contexts, cells.texts(others.pop("reference_context_ids", None)))
        metadata = {new: others.pop(old) for old, new in _METADATA_OF_COLUMN.items() if old in others}
        groups = tuple(tuple(_without_mark(context, doc) for context in group) for group in contexts)
        metadata |= {key: value for key, value in each.metadata.items() if key != "columns"}
        metadata |= {"columns": others} if others else {}
        yield replace(each, contexts=groups, doc=doc, question_type=_question_type(others), metadata=metadata)


def _with_documents(
    groups: tuple[tuple[ForeignContext, ...], ...], names: tuple[str, ...]
) -> tuple[tuple[ForeignContext, ...], ...]:
    """Return the contexts with their documents, if each has a name like those that kgsynth gives: ``a.md#0-25``."""
    matches = [_PLACE.fullmatch(name) for name in names]
    if len(matches) != len(groups) or not all(matches):
        return groups
    docs = [match["doc"] for match in matches if match]
    return tuple(tuple(replace(each, doc=doc) for each in group) for group, doc in zip(groups, docs, strict=True))


def _without_mark(context: ForeignContext, doc: str) -> ForeignContext:
    return replace(context, text=_HOP_MARK.sub("", context.text), doc=context.doc or doc)


def _question_type(row: Mapping[str, Any]) -> str:
    """Return the question type by the synthesizer, or by the evolution, which has the same names as in kgsynth."""
    synthesizer = cells.text(row.get("synthesizer_name"))
    if synthesizer.startswith(_OWN_SYNTHESIZER):
        return synthesizer.removeprefix(_OWN_SYNTHESIZER)
    if synthesizer:
        return "multi_context" if synthesizer.startswith("multi_hop") else "simple"
    evolution = cells.text(row.get("evolution_type"))
    return evolution if evolution in ("simple", "reasoning", "multi_context", "conditional") else ""


def _doc(value: object) -> str:
    """Return the document in the metadata column of old versions, if it names exactly one."""
    value = cells.parse_list(value)
    entries = value if isinstance(value, list | tuple) else [value]
    found = {cells.text(each.get("source") or each.get("filename")) for each in entries if isinstance(each, Mapping)}
    return found.pop() if len(found) == 1 else ""


# Write the lines of Ragas' EvaluationDataset: one SingleTurnSample for each question.


def render(source: ExportInput) -> Rendered:
    """Return the file. Ragas opens it in the encoding of the computer, so it is plain ASCII."""
    return Rendered({"": json_lines(map(_row, source.items), ascii_only=True)})


def _row(item: Item) -> dict[str, Any]:
    spans = [group[0] for group in item.evidence]
    given = {name: item.metadata.get(key) for name, key in _METADATA_OF_COLUMN.items()}
    return {
        "user_input": item.full_question,
        "reference": reference_answer(item.golden_answers),
        "reference_contexts": evidence_texts(item),
        "reference_context_ids": [f"{span.doc}#{span.start}-{span.end}" for span in spans],
        **{name: value for name, value in given.items() if isinstance(value, str) and value},
        "synthesizer_name": f"kgsynth {item.question_type}",
    }
