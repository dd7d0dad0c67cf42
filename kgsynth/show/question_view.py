"""Show one question: its text, the evidence in its documents, and the path from the evidence to the answer."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from kgsynth.base.records import Document, Item
from kgsynth.evidence.derivation import spans
from kgsynth.evidence.derivation_steps import place_in, steps_in
from kgsynth.show.evidence_view import ShownSpan, show_span
from kgsynth.show.illustrations import Illustrations

_STEP_LABELS = {"find": "answer", "bridge": "links", "subject": "of", "condition": "if", "scope": "under"}
"""Key of a derivation step -> its label on a page; other keys are shown as they are."""


@dataclass(frozen=True, slots=True)
class Hop:
    """One step of the path: its document, and its parts as pairs of label and text."""

    doc: str
    parts: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class View:
    """An item with its evidence as shown spans, group by group, and the steps of its derivation as hops."""

    item: Item
    groups: tuple[tuple[ShownSpan, ...], ...]
    operator: str
    path: tuple[Hop, ...]


def view(item: Item, documents: Mapping[str, Document], illustrations: Illustrations | None = None) -> View:
    """Return an item as pages show it; with ``illustrations``, its evidence in PDF pages and tables is drawn.

    Example:
        >>> page = Document("a.md", "Ada leads it.", "A", "md", "", (), ())
        >>> proof = {"operator": "lookup", "steps": [{"fact": "f-1", "find": {"doc": "a.md", "start": 0, "end": 3}}]}
        >>> item = Item("q-1", "Who?", ("Ada",), "simple", "factoid", "en", ((page.span(0, 13),),), proof)
        >>> view(item, {"a.md": page}).path
        (Hop(doc='a.md', parts=(('answer', 'Ada'),)),)
    """
    steps = steps_in(item.derivation)
    operands = sorted(set(spans({"steps": steps})))
    groups = tuple(tuple(show_span(span, documents, operands) for span in group) for group in item.evidence)
    if illustrations:
        groups = illustrations.add_to(groups, item, operands)
    hops = tuple(hop for step in steps if (hop := _hop(step, documents)).parts)
    return View(item, groups, str(item.derivation.get("operator", "")), hops)


def _hop(step: Mapping[str, Any], documents: Mapping[str, Document]) -> Hop:
    docs = [doc for doc, _, _ in spans(step)]
    return Hop(docs[0] if docs else "", tuple(_parts(step, documents)))


def _parts(step: Mapping[str, Any], documents: Mapping[str, Document]) -> Iterator[tuple[str, str]]:
    for key, value in step.items():
        if place := place_in(value):
            document = documents.get(place[0])
            text = document.plain(*place[1:]) if document else "?"
            yield _STEP_LABELS.get(key, key), text
        elif key == "scope" and value:
            yield _STEP_LABELS[key], str(value)
