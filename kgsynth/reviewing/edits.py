"""Apply an annotator's edit to an item: its new id and derivation, and what the audit finds in it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from kgsynth.auditing.flow import check_set
from kgsynth.base.records import Document, Finding, Item, item_id
from kgsynth.evidence.derivation import DerivationError, recompute, same_answer
from kgsynth.golden.dataset import Dataset
from kgsynth.golden.span_tracking import ADVICE
from kgsynth.language.words import jaccard, shingles
from kgsynth.reviewing.annotation import Annotation


def edited_item(item: Item, edit: Annotation, documents: Mapping[str, Document]) -> Item:
    """Return the item with the words of an edit and the id of its new content; empty fields keep the old words.

    A derivation that does not yield one of the new answers is removed; the annotator then vouches for the answer.

    Example:
        >>> item = Item("q-1", "Who lead?", ("Ada",), "simple", "factoid", "en", ())
        >>> new = edited_item(item, Annotation("edit", question="Who leads?"), {})
        >>> new.question, new.golden_answers, new.id == item.id
        ('Who leads?', ('Ada',), False)
    """
    question, answers = edit.question or item.question, edit.answers or item.golden_answers
    if (question, answers) == (item.question, item.golden_answers):
        return item
    derivation = item.derivation if _derivation_yields(item, answers, documents) else {}
    new_id = item_id(question, answers, item.evidence)
    return replace(item, id=new_id, question=question, golden_answers=answers, derivation=derivation)


def _derivation_yields(item: Item, answers: tuple[str, ...], documents: Mapping[str, Document]) -> bool:
    """Check whether the derivation yields one of ``answers``; if it cannot be computed, the old answers stand in."""
    if answers == item.golden_answers:
        return True
    try:
        derived = recompute(item.derivation, documents) if item.derivation else ()
    except DerivationError:
        derived = item.golden_answers
    return any(same_answer(each, answer, item.language) for each in derived for answer in answers)


def edit_findings(item: Item, others: Iterable[Item], documents: Mapping[str, Document]) -> tuple[Finding, ...]:
    """Return what the audit finds in one item; only the most similar of the ``others`` is audited with it.

    Without documents, findings about missing documents are left out.
    """
    own = shingles(item.question)
    nearest = max(others, key=lambda other: jaccard(own, shingles(other.question)), default=None)
    if nearest and nearest.id == item.id:
        message = "has the same question, answers and evidence as another item"
        return (Finding("duplicate", "error", item.id, message, "keep one of the two"),)
    pair = Dataset([nearest, item] if nearest else [item])
    found = (finding for finding in check_set(pair, documents).findings if finding.item == item.id)
    return tuple(finding for finding in found if documents or finding.code not in ADVICE)
