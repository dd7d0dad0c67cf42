"""The documents that a set brings with it, written as files: so a set without a folder of documents has one."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path


def write_passages(passages: Iterable[tuple[str, str]], folder: Path) -> int:
    """Write each passage, a name and a text, to a text file of its name in ``folder``; return how many there are.

    Example:
        >>> import tempfile
        >>> folder = Path(tempfile.mkdtemp())
        >>> write_passages([("MED/1", "Ada."), ("MED 1", "Tim.")], folder), sorted(p.name for p in folder.iterdir())
        (2, ['MED_1-2.txt', 'MED_1.txt'])
    """
    taken: dict[str, int] = {}
    for name, text in passages:
        plain = re.sub(r"[^\w.-]+", "_", name).strip(".")[:80] or "passage"
        taken[plain.casefold()] = taken.get(plain.casefold(), 0) + 1
        again = taken[plain.casefold()]
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{plain}{f'-{again}' if again > 1 else ''}.txt").write_text(text, encoding="utf-8", newline="")
    return sum(taken.values())
