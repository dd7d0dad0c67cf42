"""Ragas test sets, as its versions write them: CSV, lines of JSON, or pandas' JSON."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from kgsynth.base.records import Finding
from kgsynth.golden.exchange import cells, table
from kgsynth.golden.exchange.foreign_question import Asked, Context
from kgsynth.golden.exchange.rows import Source

NEW = {"question": "user_input", "answer": "reference", "contexts": "reference_contexts"}
OLD = {"question": "question", "answer": "ground_truth", "contexts": "contexts"}
_HOP = re.compile(r"^\s*<\d+-hop>\s*")
_KEPT = {"persona_name": "persona", "query_style": "style", "query_length": "length"}


def fits(source: Source) -> bool:
    """Say whether these are the columns of a Ragas test set, new or old."""
    here = set(source.columns)
    return here >= {"user_input", "reference_contexts"} or (
        here >= set(OLD.values()) and bool(here & {"evolution_type", "episode_done"})
    )


def read(source: Source) -> Iterator[Asked | Finding]:
    """Yield what every row asks; the mark of a hop is taken from its contexts."""
    names = NEW if "user_input" in source.columns else OLD
    roles = {role: column for role, column in names.items() if column in source.columns}
    for each in table.asked(source.rows, roles):
        if isinstance(each, Finding):
            yield each
            continue
        held = dict(each.metadata.get("columns", {}))
        doc = _doc(held.pop("metadata", None))
        metadata = {new: held.pop(old) for old, new in _KEPT.items() if old in held}
        kind, held = _kind(held), {key: value for key, value in held.items() if key != "episode_done"}
        groups = tuple(tuple(_stripped(context, doc) for context in group) for group in each.contexts)
        others = {key: value for key, value in each.metadata.items() if key != "columns"}
        metadata |= others | ({"columns": held} if held else {})
        yield replace(each, contexts=groups, doc=doc, kind=kind, metadata=metadata)


def _stripped(context: Context, doc: str) -> Context:
    return replace(context, text=_HOP.sub("", context.text), doc=context.doc or doc)


def _kind(held: Mapping[str, Any]) -> str:
    """Return the type a row tells of: the synthesizer's, or the evolution's, whose names are kgsynth's own."""
    synthesizer = cells.text(held.get("synthesizer_name"))
    if synthesizer:
        return "multi_context" if synthesizer.startswith("multi_hop") else "simple"
    evolution = cells.text(held.get("evolution_type"))
    return evolution if evolution in ("simple", "reasoning", "multi_context", "conditional") else ""


def _doc(value: object) -> str:
    """Return the document that the old column of metadata names, when it names one."""
    value = cells.unfolded(value)
    entries = value if isinstance(value, list | tuple) else [value]
    found = {cells.text(each.get("source") or each.get("filename")) for each in entries if isinstance(each, Mapping)}
    return found.pop() if len(found) == 1 else ""
