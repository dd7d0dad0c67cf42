"""The reviewed set: what most annotators keep, in the words they gave it, and what they turned away, with who and why.

An item is kept when more annotators keep it (accept or edit) than reject it; a tie is settled by ``on_tie``. It gets
new words when no fewer edited than accepted it: those most of them gave, and among equals those of the first by name.
An edit is not applied when the audit finds an error in it that the item had not. What nobody decided stays as it is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from kgsynth.base.errors import ConfigError
from kgsynth.base.records import Document, Finding, Item, Rejection
from kgsynth.golden.dataset import write, write_rejected
from kgsynth.reviewing.edits import edited, findings
from kgsynth.reviewing.store import Said
from kgsynth.reviewing.subject import Subject

TIES = ("drop", "keep")
"""What becomes of an item that as many keep as reject."""


@dataclass(frozen=True, slots=True)
class Settled:
    """One item as it goes on, or as it is turned away (``why`` says it); ``tie`` and ``faults`` want a look.

    ``faults`` are the errors the audit found in an edit, which was therefore not applied.
    """

    item: Item
    decided: bool = False
    edited: bool = False
    tie: bool = False
    why: str = ""
    faults: tuple[Finding, ...] = ()


def settle(subject: Subject, said: Iterable[Said], on_tie: str = "drop") -> list[Settled]:
    """Return what becomes of each item of the set, in its order.

    Raises:
        ConfigError: answers are under review, of which no set is made.
    """
    if subject.of == "answers":
        raise ConfigError("a review of answers makes no golden set: see --results, and review the questions to apply")
    by_item: dict[str, list[Said]] = {}
    for each in said:
        by_item.setdefault(each.item, []).append(each)
    away = {item.id: _turned_away(by_item.get(item.id, []), on_tie) for item in subject.items}
    now = {item.id: item for item in subject.items if not away[item.id]}  # an edit stands beside the edits before it
    settled: list[Settled] = []
    for item in subject.items:
        own = by_item.get(item.id, [])
        found = Settled(_noted(item, own), decided=_decided(own), tie=_tied(own), why=away[item.id])
        edits = _deciding(own, "edit")
        if not found.why and edits and len(edits) >= len(_deciding(own, "accept")):
            others = [other for at, other in now.items() if at != item.id]
            found = _in_new_words(found, item, own, others, subject.documents)
            now[item.id] = found.item
        settled.append(found)
    return settled


def _deciding(said: Sequence[Said], *decisions: str) -> list[Said]:
    return [each for each in said if each.judgement.decision in decisions]


def _decided(said: Sequence[Said]) -> bool:
    return any(each.judgement.decision for each in said)


def _tied(said: Sequence[Said]) -> bool:
    return _decided(said) and len(_deciding(said, "accept", "edit")) == len(_deciding(said, "reject"))


def _turned_away(said: Sequence[Said], on_tie: str) -> str:
    """Return who turned an item away and why, "" when it is kept."""
    kept, against = _deciding(said, "accept", "edit"), _deciding(said, "reject")
    if len(against) < len(kept) or not against or (_tied(said) and on_tie == "keep"):
        return ""
    comments = "; ".join(f"{each.annotator}: {each.judgement.comment}" for each in against if each.judgement.comment)
    why = f"rejected by {_names(against)}" + (f", kept by {_names(kept)}" if kept else "")
    return f"{why} ({comments})" if comments else why


def _in_new_words(
    kept: Settled, item: Item, said: Sequence[Said], others: Sequence[Item], documents: Mapping[str, Document]
) -> Settled:
    """Return a kept item in the words of its edits, or with the errors the audit finds in them."""
    offered = [edited(item, each.judgement, documents) for each in _deciding(said, "edit")]
    counts = Counter(each.id for each in offered)
    new = max(offered, key=lambda each: counts[each.id])
    if new == item:
        return kept
    had = {finding.code for finding in findings(item, others, documents)}
    found = [each for each in findings(new, others, documents) if each.severity == "error" and each.code not in had]
    if found:
        return replace(kept, faults=tuple(found))
    was: dict[str, Any] = {"id": item.id, "question": item.question, "golden_answers": list(item.golden_answers)}
    if item.derivation and not new.derivation:
        was["derivation"] = dict(item.derivation)
    return replace(kept, item=_noted(new, said, was), edited=True)


def _noted(item: Item, said: Sequence[Said], was: Mapping[str, Any] | None = None) -> Item:
    """Return the item with who decided what in its metadata, and what it was before an edit."""
    if not said:
        return item
    decisions = [{"annotator": each.annotator, **_told(each)} for each in said]
    review: dict[str, Any] = {"decisions": decisions} | ({"was": was} if was else {})
    return replace(item, metadata={**item.metadata, "review": review})


def _told(said: Said) -> dict[str, Any]:
    told = said.judgement.to_json()
    kept = ("decision", "grades", "comment", *(("question", "answers") if told["decision"] == "edit" else ()))
    return {key: told[key] for key in kept if told[key] or key == "decision"}


def _names(said: Iterable[Said]) -> str:
    return " and ".join(each.annotator for each in said)


def rejected_of(out: Path) -> Path:
    """Return the file beside the reviewed set that holds what was turned away.

    Example:
        >>> rejected_of(Path("reviewed.jsonl")).name
        'reviewed.rejected.jsonl'
    """
    return out.with_name(f"{out.stem}.rejected.jsonl")


def apply(settled: Sequence[Settled], out: Path, golden: Path) -> None:
    """Write the reviewed set to ``out``, and what was turned away beside it.

    Raises:
        ConfigError: ``out`` is the golden set itself, which the review still speaks of.
    """
    if golden.resolve() in (out.resolve(), rejected_of(out).resolve()):
        raise ConfigError(f"--apply {out} would write over the set under review: give another file")
    write((each.item for each in settled if not each.why), out)
    turned = ((each.item, Rejection("review", each.why)) for each in settled if each.why)
    write_rejected(turned, rejected_of(out))
