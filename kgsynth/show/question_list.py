"""Lists of questions that a reader can filter: what each row shows, and the values by which it is filtered."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from kgsynth.base.records import Item
from kgsynth.show.question_view import View

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
