"""A question as a file of another tool has it, before its contexts are located: the record that all readers make."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from kgsynth.base.errors import InputError
from kgsynth.base.records import Finding, Item
from kgsynth.golden.answer_patterns import reference_answer
from kgsynth.golden.exchange import cells
from kgsynth.golden.item_json import from_json


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


# Find the item itself in a file that kgsynth exported: formats with metadata keep it there as in golden.jsonl.

_WHOLE_ITEM_KEYS = {"id", "question", "golden_answers", "question_type", "evidence", "metadata"}


def with_item(found: ForeignQuestion, value: object, *, checked: bool = True) -> ForeignQuestion:
    """Return the question with the item in ``value`` if that is one, so that nothing of it is lost.

    What was changed in the other tool counts: its question and answer replace those of the item, and if its contexts
    are no longer the evidence, the item is not used. Without ``checked``, the format has neither answers nor contexts.

    Example:
        >>> value = {"id": "q-1", "question": "Who?", "golden_answers": ["Ada", "Ada Low"], "question_type": "simple"}
        >>> value |= {"evidence": [], "metadata": {}}
        >>> with_item(ForeignQuestion("f", "Who?", ("Ada",)), value).item.golden_answers
        ('Ada', 'Ada Low')
        >>> with_item(ForeignQuestion("f", "Who leads?", ("Tim",)), value).item.golden_answers
        ('Tim',)
    """
    item = _item(value)
    if item is None or (checked and found.contexts and not _same_contexts(found, item)):
        return found
    if found.question not in (cells.text(item.question), cells.text(item.full_question)):
        asked = found.question
        item = replace(item, standalone=asked) if item.standalone else replace(item, question=asked)
    if checked and found.answers != cells.texts(reference_answer(item.golden_answers)):
        item = replace(item, golden_answers=found.answers)
    whole = question_of(found.where, item)
    return replace(whole, question=found.question, contexts=found.contexts or whole.contexts, doc=found.doc)


def _item(value: object) -> Item | None:
    value = cells.parse_list(value)
    if not isinstance(value, Mapping) or not value.keys() >= _WHOLE_ITEM_KEYS:
        return None
    try:
        return from_json(cells.to_json_value(value))
    except InputError:
        return None


def _same_contexts(found: ForeignQuestion, item: Item) -> bool:
    return [group[0].text for group in found.contexts] == [cells.text(group[0].text) for group in item.evidence]
