"""A question as a file of another tool has it, before its contexts are located: the record that all readers make."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from kgsynth.base.records import Finding, Item


@dataclass(frozen=True, slots=True)
class ForeignContext:
    """A text that a file gives as evidence; ``doc`` is the file's name for its document, "" if it has none.

    ``answers`` are the offsets and texts of the answers in it, if the file has them.
    """

    text: str
    doc: str = ""
    answers: tuple[tuple[int, str], ...] = ()


@dataclass(frozen=True, slots=True)
class ForeignQuestion:
    """One question of a file; ``where`` is the file with the line or entry.

    ``contexts`` are groups like those of evidence: all groups are needed, any context of a group is enough. ``item`` is
    the item itself if the file has all of it, as files do that kgsynth exported.
    """

    where: str
    question: str
    answers: tuple[str, ...] = ()
    contexts: tuple[tuple[ForeignContext, ...], ...] = ()
    doc: str = ""
    answerable: bool = True
    question_type: str = ""
    metadata: Mapping[str, Any] = field(default_factory=dict)
    item: Item | None = None


def question_of(where: str, item: Item) -> ForeignQuestion:
    """Return the question of a file that has the whole item.

    Example:
        >>> question_of("set.csv, line 3", Item("q-1", "Who?", ("Ada",), "simple", "", "en", ())).metadata
        {'original_id': 'q-1'}
    """
    return ForeignQuestion(
        where,
        item.full_question,
        item.golden_answers,
        tuple(tuple(ForeignContext(span.text, span.doc) for span in group) for group in item.evidence),
        answerable=item.answerable,
        question_type=item.question_type,
        metadata={"original_id": item.id},
        item=item,
    )


def unusable(where: str, why: str) -> Finding:
    """Return the finding for a row that is not a question.

    Example:
        >>> unusable("set.csv, line 3", "it has no question").message
        'set.csv, line 3 is skipped: it has no question'
    """
    return Finding("row", "error", "", f"{where} is skipped: {why}", "correct the row or delete it")
