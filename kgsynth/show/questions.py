"""Show questions: the evidence in its documents, the path to the answer, and lists that a reader can filter."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from kgsynth.base.records import Document, Item
from kgsynth.evidence.derivation import spans
from kgsynth.evidence.derivation_steps import place_in, steps_in
from kgsynth.show.evidence_view import ShownSpan, show_span
from kgsynth.show.illustrations import Illustrations

_STEP_LABELS = {"find": "answer", "subject": "of", "condition": "if", "scope": "under"}
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


# Lists of questions that a reader can filter: what each row shows, and the values by which it is filtered.

MAX_QUESTIONS_LISTED = 1000
"""More questions would make a page slow on a phone; all of them are in the files beside it."""

DIFFICULTIES = ("easy", "medium", "hard")


@dataclass(frozen=True, slots=True)
class ListedQuestion:
    """A question in a list: its text, the short labels (chips) beside it, and the details it opens to.

    ``keys`` has the values of this row for each filter, ``view`` its evidence, ``more`` the other values that the
    template of the command needs.
    """

    id: str
    question: str
    answer: str
    chips: tuple[str, ...]
    keys: Mapping[str, Sequence[str]]
    view: View | None = None
    more: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Filter:
    """A choice above a list: the values of one key, each with its number of rows; ``chosen`` is selected at first."""

    key: str
    label: str
    options: tuple[tuple[str, int], ...]
    chosen: str = ""


def filters(
    rows: Iterable[ListedQuestion], labels: Mapping[str, str], chosen: Mapping[str, str] | None = None
) -> list[Filter]:
    """Return a filter for each key of ``labels`` for which the rows have more than one value.

    Example:
        >>> rows = [ListedQuestion(name, "Who?", "Ada", (), {"type": [name]}) for name in ("simple", "cause")]
        >>> filters(rows, {"type": "Type"})
        [Filter(key='type', label='Type', options=(('cause', 1), ('simple', 1)), chosen='')]
    """
    rows, found = list(rows), []
    for key, label in labels.items():
        counts = Counter(value for row in rows for value in row.keys.get(key, ()) if value)
        if len(counts) > 1:
            first = (chosen or {}).get(key, "")
            found.append(Filter(key, label, tuple(sorted(counts.items())), first if first in counts else ""))
    return found


def chips(item: Item) -> tuple[str, ...]:
    """Return the short labels beside a question in a list: its subtype and difficulty."""
    labels = (item.subtype or item.question_type, item.difficulty)
    return tuple(each.replace("_", " ") for each in labels if each not in ("", "unknown"))
