"""Read a folder of documents: each file becomes a Document, or a Skipped that says why it was not read.

``unsupported`` decides which files are skipped, ``readers`` has one module for each format, ``assembly`` makes the
Document; ``chunking`` cuts it into chunks, and ``text_index`` finds texts in it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from importlib import import_module
from pathlib import Path

from kgsynth.base.errors import InputError
from kgsynth.base.processes import in_processes
from kgsynth.base.records import Document, Skipped
from kgsynth.documents import unsupported
from kgsynth.documents.assembly import assemble
from kgsynth.documents.folder_listing import list_files
from kgsynth.documents.readers import READERS
from kgsynth.documents.readers.block_drafts import ParsedFile
from kgsynth.documents.unsupported import MAX_BYTES, UnsupportedFileError

__all__ = ["READERS", "read_documents", "read_folder"]

_MIN_FILES_FOR_PROCESSES = 200  # fewer are read before a second process has started


def read_folder(folder: Path, *, max_bytes: int = MAX_BYTES, processes: int = 1) -> Iterator[Document | Skipped]:
    """Yield a Document or a Skipped for every file below ``folder``, sorted by path.

    Raises InputError at once, before any file is read, if ``folder`` is missing, not a folder, or unreadable.
    """
    entries = list_files(Path(folder))
    files = sum(isinstance(found, Path) for _, found in entries)
    read = partial(_read_entry, max_bytes=max_bytes)
    return in_processes(read, entries, processes if files >= _MIN_FILES_FOR_PROCESSES else 1)


def read_documents(docs: str | Path | Sequence[Document] | None) -> tuple[Document, ...]:
    """Return the readable documents of a folder, or the given documents as a tuple; an empty tuple for None.

    Raises:
        InputError: the folder has no document that can be read.
    """
    if docs is None:
        return ()
    if not isinstance(docs, str | Path):
        return tuple(docs)
    documents = tuple(entry for entry in read_folder(Path(docs)) if isinstance(entry, Document))
    if not documents:
        raise InputError(f"{docs} contains no readable document; give the folder the golden set was made from")
    return documents


def _read_entry(entry: tuple[str, Path | Skipped], max_bytes: int) -> Document | Skipped:
    key, found = entry
    if isinstance(found, Skipped):
        return found
    try:
        return _read_file(found, key, max_bytes)
    except UnsupportedFileError as error:
        return Skipped(key, str(error))


def _read_file(path: Path, id: str, max_bytes: int) -> Document:  # noqa: A002 - the record's name
    reader = unsupported.find_reader(path)
    text, sha256 = unsupported.read_text(path, max_bytes)
    try:
        parsed: ParsedFile = import_module(f"{__name__}.readers.{reader}").read(text)
    except RecursionError as error:
        raise UnsupportedFileError(unsupported.NESTED_TOO_DEEPLY) from error
    if not parsed.text.strip():
        raise UnsupportedFileError(unsupported.NO_TEXT)
    return assemble(parsed, id=id, format=path.suffix.lower()[1:], sha256=sha256)
