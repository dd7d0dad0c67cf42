"""Read a folder of documents: every file becomes a Document, or a record that says why not.

Leaves out: what a document says (the language stage), and cutting it into chunks (``chunking``).
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from functools import partial
from importlib import import_module
from pathlib import Path

from kgsynth.base.errors import InputError
from kgsynth.base.processes import in_processes
from kgsynth.base.records import Document, Skipped
from kgsynth.documents.assembly import assemble
from kgsynth.documents.folder import check_folder, walk
from kgsynth.documents.readers.block_drafts import Reading

READERS = {
    ".htm": "html",
    ".html": "html",
    ".markdown": "markdown",
    ".md": "markdown",
    ".rst": "rst",
    ".txt": "plain_text",
}
"""From a file's extension to the module of this package that reads it."""

MAX_BYTES = 20_000_000
_POOL_FROM = 200  # files; fewer are read before a second process has started


class _UnusableError(Exception):
    """Why a file cannot be read, as part of a sentence."""


def read_folder(folder: Path, *, max_bytes: int = MAX_BYTES, processes: int = 1) -> Iterator[Document | Skipped]:
    """Yield a Document or a Skipped for every file below ``folder``, sorted by path, over ``processes`` processes.

    Raises InputError, before anything is read, when ``folder`` is missing, no folder or unreadable.
    """
    folder = Path(folder)
    check_folder(folder)
    return _read_all(folder, max_bytes, processes)


def read_document(path: Path, id: str) -> Document:  # noqa: A002 - the record's name
    """Return the document in the file ``path``; ``id`` is its path below the folder, with forward slashes.

    Raises InputError when the file cannot be used.
    """
    try:
        return _read(Path(path), id, MAX_BYTES)
    except _UnusableError as error:
        raise InputError(f"{str(path)!r} cannot be read: {error}; mend the file or leave it out.") from error


def _read_all(folder: Path, max_bytes: int, processes: int) -> Iterator[Document | Skipped]:
    entries = walk(folder)
    read = partial(_read_entry, max_bytes=max_bytes)
    worth_it = sum(isinstance(found, Path) for _, found in entries) >= _POOL_FROM
    yield from in_processes(read, entries, processes if worth_it else 1)


def _read_entry(entry: tuple[str, Path | Skipped], max_bytes: int) -> Document | Skipped:
    key, found = entry
    if isinstance(found, Skipped):
        return found
    try:
        return _read(found, key, max_bytes)
    except _UnusableError as error:
        return Skipped(key, str(error))


def _read(path: Path, id: str, max_bytes: int) -> Document:  # noqa: A002
    extension = path.suffix.lower()
    if extension not in READERS:
        kinds = " ".join(sorted(READERS))
        raise _UnusableError(f"the extension {extension!r} is none of {kinds}" if extension else "it has no extension")
    data = _bytes(path, max_bytes)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        at = error.start + (3 if data.startswith(b"\xef\xbb\xbf") else 0)
        raise _UnusableError(f"not UTF-8 at byte {at}") from error
    if not text.strip():
        raise _UnusableError("empty")
    try:
        reading: Reading = import_module(f"{__name__}.readers.{READERS[extension]}").read(text)
    except RecursionError as error:
        raise _UnusableError("nested too deeply to be read") from error
    if not reading.text.strip():
        raise _UnusableError("it holds no text")
    return assemble(reading, id=id, format=extension[1:], sha256=hashlib.sha256(data).hexdigest())


def _bytes(path: Path, max_bytes: int) -> bytes:
    try:
        size = path.stat().st_size
        if size > max_bytes:
            raise _UnusableError(f"{size} bytes are more than the {max_bytes} allowed")
        data = path.read_bytes()
    except OSError as error:
        raise _UnusableError(f"it cannot be opened ({error.strerror})") from error
    if b"\0" in data:
        raise _UnusableError("binary: it holds NUL bytes")
    return data


def read_documents(docs: str | Path | Sequence[Document] | None) -> tuple[Document, ...]:
    """Read the documents of a folder, those that can be read; nothing for None.

    Raises:
        InputError: the folder holds none.
    """
    if docs is None:
        return ()
    if not isinstance(docs, str | Path):
        return tuple(docs)
    from kgsynth.documents import read_folder

    documents = tuple(entry for entry in read_folder(Path(docs)) if isinstance(entry, Document))
    if not documents:
        raise InputError(f"{docs} holds no document that can be read: give the folder the golden set was made from")
    return documents
