"""What a file made elsewhere asks, before its contexts are looked for in the documents: the record all readers make."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from kgsynth.base.records import Finding


@dataclass(frozen=True, slots=True)
class Context:
    """A passage that a file gives as evidence: its text, what the file calls its document, "" when it does not.

    ``answers`` are the offsets and texts of the answers within it, where the file knows them.
    """

    text: str
    doc: str = ""
    answers: tuple[tuple[int, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Asked:
    """One question as its file has it; ``where`` is the file and the line or entry.

    ``contexts`` are groups as the evidence of an item has them: all groups are needed, any context of a group will do.
    """

    where: str
    question: str
    answers: tuple[str, ...] = ()
    contexts: tuple[tuple[Context, ...], ...] = ()
    doc: str = ""
    answerable: bool = True
    kind: str = ""
    metadata: Mapping[str, Any] = field(default_factory=dict)


def unusable(where: str, why: str) -> Finding:
    """Return the finding for a row that is no question.

    Example:
        >>> unusable("set.csv, line 3", "it has no question").message
        'set.csv, line 3 is left out: it has no question'
    """
    return Finding("row", "error", "", f"{where} is left out: {why}", "mend the row, or delete it")
