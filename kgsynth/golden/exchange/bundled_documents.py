"""The documents that a question file contains, for sets without a folder of documents: as text files, or read."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from hashlib import sha256
from pathlib import Path

from kgsynth.base.records import Document
from kgsynth.documents.assembly import assemble
from kgsynth.documents.readers import plain_text


def write_documents(documents: Iterable[tuple[str, str]], folder: Path) -> int:
    """Write each document, a name and a text, to a text file with its name in ``folder``; return their number.

    Example:
        >>> import tempfile
        >>> folder = Path(tempfile.mkdtemp())
        >>> write_documents([("MED/1", "Ada."), ("MED 1", "Tim.")], folder), sorted(p.name for p in folder.iterdir())
        (2, ['MED_1-2.txt', 'MED_1.txt'])
    """
    count = 0
    for name, text in _named_files(documents):
        count += 1
        folder.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8", newline="")
    return count


def read_bundled(documents: Iterable[tuple[str, str]]) -> Iterator[Document]:
    """Yield each document, a name and a text, as it would be read from the file that ``write_documents`` writes.

    Example:
        >>> [document.id for document in read_bundled([("MED/1", "Ada leads.")])]
        ['MED_1.txt']
    """
    for name, text in _named_files(documents):
        if text.strip():
            yield assemble(plain_text.read(text), id=name, format="txt", sha256=sha256(text.encode()).hexdigest())


def _named_files(documents: Iterable[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """Yield the name of a text file for each document, different from all before, and its text."""
    counts: dict[str, int] = {}
    for name, text in documents:
        plain = re.sub(r"[^\w.-]+", "_", name).strip(".")[:80] or "passage"
        count = counts[plain.casefold()] = counts.get(plain.casefold(), 0) + 1
        yield f"{plain}{f'-{count}' if count > 1 else ''}.txt", text
