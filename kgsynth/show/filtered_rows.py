"""The lists of questions that a reader can filter: what each row says, and by what it is chosen."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from kgsynth.base.records import Item
from kgsynth.show.coverage import Coverage
from kgsynth.show.question_view import View

MOST = 1000
"""So many questions are listed at most; a page of more is slow on a phone, and all of them stand in a file."""


@dataclass(frozen=True, slots=True)
class Row:
    """A question in a list: its words, the short facts beside it, what it is filtered by, and what it unfolds to.

    ``keys`` map the key of a filter to the values of this row; ``view`` has the evidence, ``more`` whatever else the
    page of the command shows.
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
    """A choice above a list: the values of one key, each with how many rows have it; ``chosen`` is set at first."""

    key: str
    label: str
    options: tuple[tuple[str, int], ...]
    chosen: str = ""


def filters(rows: Iterable[Row], labels: Mapping[str, str], chosen: Mapping[str, str] | None = None) -> list[Filter]:
    """Return a filter for each key of ``labels`` of which the rows have more than one value.

    Example:
        >>> rows = [Row(kind, "Who?", "Ada", (), {"type": [kind]}) for kind in ("simple", "cause")]
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


def many(number: int, one: str, more: str = "") -> str:
    """Return a number with its noun, as people write it.

    Example:
        >>> many(1, "question"), many(1200, "query", "queries")
        ('1 question', '1,200 queries')
    """
    return f"{number:,} {one if number == 1 else more or one + 's'}"


def cut(text: str, longest: int) -> str:
    """Return a text in one line, cut where it is longer.

    Example:
        >>> cut("one two  three", 8)
        'one two…'
    """
    line = " ".join(text.split())
    return line if len(line) <= longest else line[: longest - 1] + "…"


def joined(parts: Sequence[str]) -> str:
    """Return parts as a sentence lists them.

    Example:
        >>> joined(["a", "b", "c"])
        'a, b and c'
    """
    return " and ".join(filter(None, (", ".join(parts[:-1]), *parts[-1:])))


LEVELS = ("easy", "medium", "hard")


def said(asked: Coverage) -> str:
    """Say in a sentence how much of the documents is asked about.

    Example:
        >>> said(Coverage(()))
        'No document was long enough to be missed.'
    """
    if not asked.long:
        return "No document was long enough to be missed."
    documents = f"Of {many(asked.long, 'document')} of 150 words or more, {asked.long - len(asked.never):,}"
    if not asked.sections:
        return f"{documents} are asked about."
    share = asked.sections_asked / asked.sections
    sections = (
        f"of {many(asked.sections, 'section')} with 40 words of prose or more, {asked.sections_asked:,} ({share:.0%})"
    )
    return f"{documents} are asked about; {sections}."


def chips(item: Item) -> tuple[str, ...]:
    """Return the short facts that stand beside a question in a list."""
    kinds = (item.subtype or item.question_type, item.difficulty)
    return tuple(each.replace("_", " ") for each in kinds if each not in ("", "unknown"))
