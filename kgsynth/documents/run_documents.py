"""Read the documents of a run, and find the file that each was read from."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from pathlib import Path, PurePosixPath

from kgsynth.base.errors import InputError
from kgsynth.base.records import Document
from kgsynth.base.records_json import from_json
from kgsynth.base.run_folder.folder import check_unchanged, differences, new_state, read_state
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


# Read the documents that a run of ``generate`` keeps in its folder, in documents.jsonl.

RUN_DOCUMENTS = "documents.jsonl"


def documents_beside(golden: Path) -> Iterator[Document]:
    """Yield the documents of the run that a golden set lies in; none if there is no documents.jsonl beside it.

    Raises:
        InputError: names the line that cannot be read.
    """
    path = golden.parent / RUN_DOCUMENTS
    if not path.is_file():
        return
    check_unchanged(path.parent, (RUN_DOCUMENTS,))
    decode = from_json(Document)
    with path.open("rb") as lines:
        for number, line in enumerate(lines, 1):
            try:
                yield decode(line)
            except ValueError as error:
                raise InputError(
                    f"{path}, line {number}, is not a document ({error}): give the folder of documents with --docs"
                ) from None


def documents_of_run(folder: Path, language: str) -> dict[str, Document]:
    """Return the documents of the run in a folder by id; none if they would be read in another way now.

    They would be if the run is of another version or has another setting ``language``.
    """
    try:
        state = read_state(folder)
        if state is None or RUN_DOCUMENTS not in state["done"] or state["config"].get("language") != language:
            return {}
        if differences(state, new_state(state["command"], {}, state["inputs"])):
            return {}
        return {document.id: document for document in documents_beside(folder / RUN_DOCUMENTS)}
    except InputError:
        return {}  # what is wrong with the run is said when it is opened
