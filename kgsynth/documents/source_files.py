"""Find the file that a document was read from, as long as it is still there and unchanged."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path, PurePosixPath

from kgsynth.base.records import Document
from kgsynth.base.run_folder.manifest import docs_of_run


class SourceFiles:
    """The files below the folder of documents; without a folder there are none."""

    def __init__(self, folder: Path | None) -> None:
        self.folder = folder
        self._found: dict[str, Path | None] = {}

    def find(self, document: Document) -> Path | None:
        """Return the file of a document, None if it is not in the folder or has changed since it was read."""
        if document.id not in self._found:
            self._found[document.id] = self._find(document)
        return self._found[document.id]

    def _find(self, document: Document) -> Path | None:
        if self.folder is None or ".." in PurePosixPath(document.id).parts or PurePosixPath(document.id).is_absolute():
            return None
        path = self.folder / document.id
        try:
            with path.open("rb") as file:
                found = hashlib.file_digest(file, "sha256").hexdigest()
        except (OSError, ValueError):  # a path that no file can have
            return None
        return path if found == document.sha256 else None


def documents_folder(docs: str | Path | Sequence[Document] | None, golden: str | Path | None = None) -> Path | None:
    """Return the folder of documents: ``docs`` if it is one, else that of the run that ``golden`` lies in.

    Example:
        >>> documents_folder("corpora/handbook").name, documents_folder(None)
        ('handbook', None)
    """
    if isinstance(docs, str | Path):
        return Path(docs)
    return None if golden is None else docs_of_run(Path(golden))
