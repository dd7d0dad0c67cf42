"""Contexts that a file made elsewhere gives as evidence and that are in no document."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from kgsynth.auditing.case import AuditCase
from kgsynth.auditing.spans import excerpt
from kgsynth.base.records import Finding
from kgsynth.show.filtered_rows import many

_NOT_FOUND = "give the documents the set was made from with --docs, or delete the item"
_NO_CONTEXT = "add a column of contexts; without evidence the item is scored by its answer alone"


def not_found(case: AuditCase) -> Iterator[Finding]:
    """Yield the items with a context that is in no document, and those without a context whose answer was not found."""
    for item in case.dataset:
        missing = [entry for entry in item.metadata.get("not_found") or () if isinstance(entry, Mapping)]
        contexts = [entry for entry in missing if "context" in entry]
        if contexts:
            message = f"the context {excerpt(contexts[0]['context'])} was not found: {contexts[0].get('why')}"
            if len(contexts) > 1:
                message += f"; {many(len(contexts) - 1, 'more context')} of the item not found"
            yield Finding("not_found", "error" if item.answerable else "warning", item.id, message, _NOT_FOUND)
        elif missing:
            message = f"{excerpt(item.question)}: {missing[0].get('why')}"
            yield Finding("not_found", "warning", item.id, message, _NO_CONTEXT)
