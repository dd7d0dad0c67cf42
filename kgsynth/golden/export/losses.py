"""What a format of another tool may have no place for, and in how many questions of a set that matters."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from kgsynth.base.records import Item

LOSSES: dict[str, Callable[[Item], bool]] = {
    "id": lambda item: True,
    "other golden answers": lambda item: len(item.golden_answers) > 1,
    "alternative evidence": lambda item: any(len(group) > 1 for group in item.evidence),
    "evidence groups": lambda item: len(item.evidence) > 1,
    "pages, cells and slides": lambda item: any(span.place for group in item.evidence for span in group),
    "headings of evidence": lambda item: any(span.heading for group in item.evidence for span in group),
    "extent of evidence": lambda item: bool(item.evidence),
    "answers": lambda item: bool(item.golden_answers),
    "offsets": lambda item: bool(item.evidence),
    "documents": lambda item: bool(item.evidence),
    "question_type": lambda item: True,
    "subtype": lambda item: bool(item.subtype),
    "difficulty": lambda item: True,
    "answer_kind": lambda item: bool(item.answer_kind),
    "claims": lambda item: bool(item.claims),
    "history": lambda item: bool(item.history),
    "hard_negatives": lambda item: bool(item.hard_negatives),
    "derivation": lambda item: bool(item.derivation),
    "metadata": lambda item: any(value for key, value in item.metadata.items() if key != "difficulty"),
}
"""What may be lost -> whether a question has it."""


def losses(names: Iterable[str], items: Sequence[Item]) -> dict[str, int]:
    """Return how many items have each of these things, without those that none has.

    Example:
        >>> item = Item("q-1", "Who?", ("Ada", "Ada Low"), "simple", "", "en", ())
        >>> losses(["other golden answers", "history"], [item])
        {'other golden answers': 1}
    """
    counts = {name: sum(map(LOSSES[name], items)) for name in names}
    return {name: count for name, count in counts.items() if count}
