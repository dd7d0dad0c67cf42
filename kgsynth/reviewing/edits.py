"""An item in the words an annotator gave it: what becomes of its id and its proof, and what the audit says of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from kgsynth.auditing.drift import ADVICE
from kgsynth.auditing.flow import check_set
from kgsynth.base.records import Document, Finding, Item, item_id
from kgsynth.evidence.derivation import DerivationError, recompute, same_answer
from kgsynth.golden.dataset import Dataset
from kgsynth.language.words import jaccard, shingles
from kgsynth.reviewing.judgement import Judgement


def edited(item: Item, judgement: Judgement, documents: Mapping[str, Document]) -> Item:
    """Return the item in the words of an edit, with the id of its new content; what is left empty stays as it was.

    A derivation that does not yield one of the new answers is left out: they rest on the annotator's word.

    Example:
        >>> item = Item("q-1", "Who lead?", ("Ada",), "simple", "factoid", "en", ())
        >>> new = edited(item, Judgement("edit", question="Who leads?"), {})
        >>> new.question, new.golden_answers, new.id == item.id
        ('Who leads?', ('Ada',), False)
    """
    question, answers = judgement.question or item.question, judgement.answers or item.golden_answers
    if (question, answers) == (item.question, item.golden_answers):
        return item
    derivation = item.derivation if _yields(item, answers, documents) else {}
    new = item_id(question, answers, item.evidence)
    return replace(item, id=new, question=question, golden_answers=answers, derivation=derivation)


def _yields(item: Item, answers: tuple[str, ...], documents: Mapping[str, Document]) -> bool:
    """Say whether the derivation still yields one of the answers; where it cannot be computed, by the old ones."""
    if answers == item.golden_answers:
        return True
    try:
        found = recompute(item.derivation, documents) if item.derivation else ()
    except DerivationError:
        found = item.golden_answers
    return any(same_answer(each, answer, item.language) for each in found for answer in answers)


def findings(item: Item, others: Iterable[Item], documents: Mapping[str, Document]) -> tuple[Finding, ...]:
    """Return what the audit says of one item of a set; of the others, the one most like it stands for all.

    Without any documents that they are not there is no fault of the item.
    """
    own = shingles(item.question)
    nearest = max(others, key=lambda other: jaccard(own, shingles(other.question)), default=None)
    if nearest and nearest.id == item.id:
        message = "asks the same as another item, with the same answers and evidence"
        return (Finding("duplicate", "error", item.id, message, "keep one of the two"),)
    beside = Dataset([nearest, item] if nearest else [item])
    found = (finding for finding in check_set(beside, documents).findings if finding.item == item.id)
    return tuple(finding for finding in found if documents or finding.code not in ADVICE)
