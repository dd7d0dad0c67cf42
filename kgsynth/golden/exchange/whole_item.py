"""Find the item itself in a file that kgsynth exported: formats with metadata keep it there as in golden.jsonl."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from kgsynth.base.errors import InputError
from kgsynth.base.records import Item
from kgsynth.golden.answer_patterns import reference_answer
from kgsynth.golden.exchange import cells
from kgsynth.golden.exchange.foreign_question import ForeignQuestion, question_of
from kgsynth.golden.item_json import from_json

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
