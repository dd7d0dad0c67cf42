"""What an export wrote, and what it could not write."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True, slots=True)
class Exported:
    """The result of an export: its ``files``, the number of questions ``written``, and what the format cannot hold.

    ``left_out`` has the ids of the questions that are not in it, by the reason; ``not_kept`` what is missing of those
    that are, with the number of questions that have it.

    Example:
        >>> print(Exported("squad", Path("a.json"), (Path("a.json"),), 1, {"without evidence": ("q-2",)}, {"id": 1}))
        squad: 1 of 2 questions in a.json
        left out: 1 without evidence
        fields not kept: id
    """

    format: str
    out: Path
    files: tuple[Path, ...]
    written: int
    left_out: Mapping[str, tuple[str, ...]]
    not_kept: Mapping[str, int]
    notes: tuple[str, ...] = ()

    @property
    def total(self) -> int:
        """The number of questions of the set."""
        return self.written + sum(map(len, self.left_out.values()))

    def __str__(self) -> str:
        """Return the result as a few lines."""
        parts = [f"{len(names)} {why}" for why, names in self.left_out.items()]
        fields = [name if n == self.written else f"{name} ({n})" for name, n in self.not_kept.items()]
        whole = f"{self.written:,}" if not parts else f"{self.written:,} of {self.total:,}"
        return "\n".join(
            [
                f"{self.format}: {whole} question{'s' if self.total != 1 else ''} in {', '.join(map(str, self.files))}",
                *([f"left out: {'; '.join(parts)}"] if parts else []),
                *([f"fields not kept: {', '.join(fields)}"] if fields else []),
                *self.notes,
            ]
        )

    def to_json(self) -> dict[str, Any]:
        """Return the result as a JSON value."""
        return {
            "format": self.format,
            "out": str(self.out),
            "files": list(map(str, self.files)),
            "questions": self.total,
            "written": self.written,
            "left_out": [{"why": why, "items": list(names)} for why, names in self.left_out.items()],
            "not_kept": dict(self.not_kept),
            "notes": list(self.notes),
        }
