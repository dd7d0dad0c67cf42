"""What became of a set: as a record for messages and the manifest, and in outdated.jsonl for the items that left."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from kgsynth.base.records import Item, Rejection
from kgsynth.base.run_folder import RunFolder
from kgsynth.generation.renewal.beginning import Changes
from kgsynth.generation.renewal.standing import Standing
from kgsynth.golden.dataset import Dataset, write_rejected
from kgsynth.golden.spans import excerpt
from kgsynth.show.wording import many

LEFT = "outdated"
_EACH_SHOWN = 10


@dataclass(frozen=True, slots=True)
class Renewal:
    """What became of the set that a run goes on from.

    ``kept``, ``moved`` and ``added`` are ids: of the items that stay, of those of them whose evidence or derivation
    moved, and of new ones. ``left`` are the items that leave, each with the reason.
    """

    changes: Changes
    kept: tuple[str, ...]
    moved: tuple[str, ...]
    left: tuple[tuple[Item, Rejection], ...]
    added: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Return the renewal as plain JSON values."""
        changes = self.changes
        return {
            "documents": {
                "changed": list(changes.changed),
                "added": list(changes.added),
                "removed": list(changes.removed),
                "renamed": dict(changes.renamed),
            },
            "kept": len(self.kept),
            "moved": list(self.moved),
            "left": [{"id": item.id, "question": item.question, "why": why.detail} for item, why in self.left],
            "added": list(self.added),
        }

    def lines(self) -> list[str]:
        """Return the renewal as lines for a terminal."""
        moved = f", {len(self.moved):,} of them with evidence in another place" if self.moved else ""
        sentence = f"{many(len(self.kept), 'question')} kept{moved}, {len(self.left):,} left, {len(self.added):,} added"
        return [*document_lines(self.changes), sentence, *left_lines(self.left, f", in {LEFT}.jsonl")]


def left_lines(left: Sequence[tuple[Item, Rejection]], where: str = "") -> list[str]:
    """Return a line for each of the first items that leave, and how many there are more; ``where`` they all are."""
    lines = [f"  {item.id} {excerpt(item.question)}: {why.detail}" for item, why in left[:_EACH_SHOWN]]
    return [*lines, *([f"  and {len(left) - _EACH_SHOWN:,} more{where}"] if len(left) > _EACH_SHOWN else [])]


def document_lines(changes: Changes) -> Iterator[str]:
    """Yield a line for each way in which documents changed, with the first names.

    Example:
        >>> list(document_lines(Changes(changed=("a.md",), renamed={"b.md": "c.md"})))
        ['1 document changed: a.md', '1 document renamed: b.md to c.md']
    """
    renamed = [f"{old} to {new}" for old, new in changes.renamed.items()]
    for verb, names in (
        ("changed", changes.changed),
        ("added", changes.added),
        ("removed", changes.removed),
        ("renamed", renamed),
    ):
        if names:
            more = f" and {len(names) - _EACH_SHOWN:,} more" if len(names) > _EACH_SHOWN else ""
            yield f"{many(len(names), 'document')} {verb}: {', '.join(names[:_EACH_SHOWN])}{more}"


def renewal(standing: Standing, golden: Dataset) -> Renewal:
    """Return what became of a set, which ``golden`` is now."""
    kept = tuple(item.id for item in standing.kept)
    added = tuple(item.id for item in golden if item.id not in set(kept))
    return Renewal(standing.changes, kept, standing.moved, standing.left, added)


def record(left: Sequence[tuple[Item, Rejection]], run_folder: RunFolder) -> None:
    """Add the items that left to outdated.jsonl, which has those of earlier renewals; each line is there once."""
    name = f"{LEFT}.jsonl"
    if not left:
        return
    before = (run_folder.folder / name).read_bytes().splitlines(keepends=True) if run_folder.done(name) else []
    with run_folder.replacing(name) as path:
        write_rejected(left, path)
        path.write_bytes(b"".join(dict.fromkeys([*before, *path.read_bytes().splitlines(keepends=True)])))
