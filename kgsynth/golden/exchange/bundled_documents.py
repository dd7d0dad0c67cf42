"""Write the documents that a question file contains as text files, for sets without a folder of documents."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path


def write_documents(documents: Iterable[tuple[str, str]], folder: Path) -> int:
    """Write each document, a name and a text, to a text file with its name in ``folder``; return their number.

    Example:
        >>> import tempfile
        >>> folder = Path(tempfile.mkdtemp())
        >>> write_documents([("MED/1", "Ada."), ("MED 1", "Tim.")], folder), sorted(p.name for p in folder.iterdir())
        (2, ['MED_1-2.txt', 'MED_1.txt'])
    """
    counts: dict[str, int] = {}
    for name, text in documents:
        plain = re.sub(r"[^\w.-]+", "_", name).strip(".")[:80] or "passage"
        count = counts[plain.casefold()] = counts.get(plain.casefold(), 0) + 1
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{plain}{f'-{count}' if count > 1 else ''}.txt").write_text(text, encoding="utf-8", newline="")
    return sum(counts.values())
