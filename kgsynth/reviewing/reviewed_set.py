"""The reviewed golden set: what most annotators keep, with their edits; rejected items go to a second file.

An item is kept when more annotators keep it (accept or edit) than reject it; ``on_tie`` decides a tie. It is edited
when at least as many annotators edited as accepted it: the most frequent edit is used, among equals that of the first
annotator by name. An edit is not applied if the audit finds an error in it that the original item does not have. Items
that nobody decided stay unchanged.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from kgsynth.auditing.flow import check_set
from kgsynth.base.atomic_files import write_text
from kgsynth.base.errors import ConfigError
from kgsynth.base.records import Document, Finding, Item, Rejection, item_id
from kgsynth.base.records_json import to_json
from kgsynth.evidence.derivation import recompute, same_answer
from kgsynth.evidence.derivation_steps import DerivationError
from kgsynth.golden.dataset import Dataset, write, write_rejected
from kgsynth.golden.span_tracking import ADVICE
from kgsynth.language.words import jaccard, shingles
from kgsynth.reviewing.annotation import REASON_WORDS, Annotation
from kgsynth.reviewing.store import SavedAnnotation
from kgsynth.reviewing.subject import Subject
from kgsynth.scoring.answer_cases import without_thoughts
from kgsynth.scoring.metrics.judged.labels import Label


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


def write_labels(subject: Subject, saved: Iterable[SavedAnnotation], out: Path) -> int:
    """Write what each annotator decided of the answers as labels for ``score --labels``, and return their number."""
    decided = [each for each in saved if each.annotation.decision]
    texts = {each.item: without_thoughts(subject.answers[each.item].answer or "") for each in decided}
    labels = (
        Label(each.item, each.annotation.decision == "correct", each.annotator, texts[each.item]) for each in decided
    )
    write_text(out, (f"{to_json(label)}\n" for label in labels))
    return len(decided)


@dataclass(frozen=True, slots=True)
class ReviewedItem:
    """One item after the review; ``rejected`` says by whom and why, and is "" for an item that is kept.

    ``errors`` are those the audit found in an edit, which was therefore not applied.
    """

    item: Item
    decided: bool = False
    edited: bool = False
    tie: bool = False
    rejected: str = ""
    errors: tuple[Finding, ...] = ()


def apply_decisions(subject: Subject, saved: Iterable[SavedAnnotation], on_tie: str = "drop") -> list[ReviewedItem]:
    """Return every item of the set after the review, in the order of the set.

    Raises:
        ConfigError: answers are under review, from which a golden set cannot be made.
    """
    if subject.mode != "questions":
        raise ConfigError("a review of two systems makes no golden set: use --results, or review the questions")
    by_item: dict[str, list[SavedAnnotation]] = {item.id: [] for item in subject.items}
    for each in saved:
        by_item.setdefault(each.item, []).append(each)
    rejected = {item.id: _rejection(by_item[item.id], on_tie) for item in subject.items}
    current = {item.id: item for item in subject.items if not rejected[item.id]}  # with the edits applied so far
    reviewed: list[ReviewedItem] = []
    for item in subject.items:
        own = by_item[item.id]
        decided = any(each.annotation.decision for each in own)
        found = ReviewedItem(
            _with_review(_with_tags(item, own), own), decided, tie=_tied(own), rejected=rejected[item.id]
        )
        edits = _with_decision(own, "edit")
        if not found.rejected and edits and len(edits) >= len(_with_decision(own, "accept")):
            others = [other for key, other in current.items() if key != item.id]
            found = _apply_edit(found, own, others, subject.documents)
            current[item.id] = found.item
        reviewed.append(found)
    return reviewed


def _with_decision(saved: Sequence[SavedAnnotation], *decisions: str) -> list[SavedAnnotation]:
    return [each for each in saved if each.annotation.decision in decisions]


def _tied(saved: Sequence[SavedAnnotation]) -> bool:
    kept, against = _with_decision(saved, "accept", "edit"), _with_decision(saved, "reject")
    return 0 < len(kept) == len(against)


def _rejection(saved: Sequence[SavedAnnotation], on_tie: str) -> str:
    """Return who rejected an item and why, "" when it is kept."""
    kept, against = _with_decision(saved, "accept", "edit"), _with_decision(saved, "reject")
    if len(against) < len(kept) or not against or (_tied(saved) and on_tie == "keep"):
        return ""
    said = (
        (each.annotator, [*(REASON_WORDS[letter] for letter in each.annotation.reasons), each.annotation.comment])
        for each in against
    )
    comments = "; ".join(f"{name}: {', '.join(filter(None, texts))}" for name, texts in said if any(texts))
    reason = f"rejected by {_names(against)}" + (f", kept by {_names(kept)}" if kept else "")
    return f"{reason} ({comments})" if comments else reason


def _apply_edit(
    kept: ReviewedItem, saved: Sequence[SavedAnnotation], others: Sequence[Item], documents: Mapping[str, Document]
) -> ReviewedItem:
    """Return a kept item with its most frequent edit, or with the errors that the audit finds in that edit."""
    item = kept.item
    edits = [edited_item(item, each.annotation, documents) for each in _with_decision(saved, "edit")]
    counts = Counter(each.id for each in edits)
    new = max(edits, key=lambda each: counts[each.id])
    if new == item:
        return kept
    old_codes = {finding.code for finding in edit_findings(item, others, documents)}
    found = (each for each in edit_findings(new, others, documents) if each.severity == "error")
    if errors := tuple(each for each in found if each.code not in old_codes):
        return replace(kept, errors=errors)
    was: dict[str, Any] = {"id": item.id, "question": item.question, "golden_answers": list(item.golden_answers)}
    if item.derivation and not new.derivation:
        was["derivation"] = dict(item.derivation)
    return replace(kept, item=_with_review(new, saved, was), edited=True)


def _with_tags(item: Item, saved: Sequence[SavedAnnotation]) -> Item:
    """Return the item with the tags that any annotator added, and without those that any took away."""
    said = [each.annotation.tags for each in saved if each.annotation.tags is not None]
    kept = [tag for tag in item.tags if all(tag in own for own in said)]
    tags = [*kept, *sorted({tag for own in said for tag in own} - {*item.tags})]
    return replace(item, metadata={**item.metadata, "tags": tags}) if said else item


def _with_review(item: Item, saved: Sequence[SavedAnnotation], was: Mapping[str, Any] | None = None) -> Item:
    """Return the item with all decisions in its metadata, and ``was``: what it was before an edit."""
    if not saved:
        return item
    decisions = [{"annotator": each.annotator, **_decision(each)} for each in saved]
    review: dict[str, Any] = {"decisions": decisions} | ({"was": was} if was else {})
    return replace(item, metadata={**item.metadata, "review": review})


def _decision(saved: SavedAnnotation) -> dict[str, Any]:
    values = {"reasons": [], **saved.annotation.to_json()}
    keys = (
        "decision",
        "reasons",
        "grades",
        "comment",
        *(("question", "answers") if values["decision"] == "edit" else ()),
    )
    return {key: values[key] for key in keys if values[key] or key == "decision"} | (
        {"at": saved.at} if saved.at else {}
    )


def _names(saved: Iterable[SavedAnnotation]) -> str:
    return " and ".join(each.annotator for each in saved)


def rejected_path(out: Path) -> Path:
    """Return the file of the rejected items, beside the reviewed set.

    Example:
        >>> rejected_path(Path("reviewed.jsonl")).name
        'reviewed.rejected.jsonl'
    """
    return out.with_name(f"{out.stem}.rejected.jsonl")


def write_reviewed_set(reviewed: Sequence[ReviewedItem], out: Path, golden: Path) -> None:
    """Write the reviewed set to ``out``, and the rejected items beside it.

    Raises:
        ConfigError: one of the two files is the golden set under review.
    """
    if golden.resolve() in (out.resolve(), rejected_path(out).resolve()):
        raise ConfigError(f"--apply {out} would overwrite the set under review: give another file")
    write((each.item for each in reviewed if not each.rejected), out)
    rejected = ((each.item, Rejection("review", each.rejected)) for each in reviewed if each.rejected)
    write_rejected(rejected, rejected_path(out))
