"""Read a folder of documents: each file becomes a Document, or a Skipped that says why it was not read.

``unsupported`` decides which files are skipped, ``readers`` has one module for each format, ``assembly`` makes the
Document; ``chunking`` cuts it into chunks, and ``text_index`` finds texts in it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from importlib import import_module
from pathlib import Path

from kgsynth.base.engines import in_engine
from kgsynth.base.errors import EXTRAS, NOT_INSTALLED, InputError, installed, lack, lacking
from kgsynth.base.processes import WorkLimit, no_collection
from kgsynth.base.records import Document, Skipped
from kgsynth.documents import unsupported
from kgsynth.documents.assembly import assemble
from kgsynth.documents.folder_listing import list_files
from kgsynth.documents.readers import READERS, READERS_OF_BYTES
from kgsynth.documents.readers.block_drafts import ParsedFile
from kgsynth.documents.unsupported import MAX_BYTES, MAX_BYTES_NOT_TEXT, UnsupportedFileError
from kgsynth.language import language

_Entry = tuple[str, Path | Document | Skipped]

__all__ = ["READERS", "read_documents", "read_folder"]

_MIN_FILES_FOR_PROCESSES = 200  # fewer are read before a second process has started
_FILES_PER_TASK = 64  # of a cluster, each of which starts a process where files need one
_MAX_REASON = 200  # characters of an error that are shown
_READ_HERE = ("markdown", "plain_text")  # readers that cannot end their process
_SHORT_FILE = 4_000  # bytes: read before a first one has started, even where the time grows with the square
_SECONDS, _SECONDS_PER_MEGABYTE = 20.0, 60.0  # the more of both, more than ten times what reading takes
_MEMORY = 1_000_000_000  # bytes: four times what the largest files of ordinary documents take


def read_folder(
    folder: Path,
    *,
    include: Sequence[str] = (),
    exclude: Sequence[str] = (),
    max_bytes: int = MAX_BYTES,
    processes: int = 1,
    engine: str = "processes",
    known: Mapping[str, Document] | None = None,
) -> Iterator[Document | Skipped]:
    """Yield a Document or a Skipped for every file below ``folder``, sorted by path.

    ``include`` and ``exclude`` are patterns as in .gitignore, which .kgsynthignore in the folder may have too. A file
    whose reader does not end is skipped after 20 s of processor time, or 60 s for each megabyte; so is one whose
    reader takes more than 1 GB of memory or crashes. A file with the name and the bytes of one of the ``known``
    documents, by their ids, is that document, and is not parsed.

    Raises, at once and before any file is read:
        ConfigError: a pattern is invalid.
        InputError: ``folder`` is missing, not a folder, or unreadable.
    """
    listed = list_files(Path(folder) if engine == "processes" else Path(folder).resolve(), include, exclude)
    entries = [(key, _unchanged(found, known.get(key))) for key, found in listed] if known else listed
    files = sum(isinstance(found, Path) for _, found in entries)
    read = partial(_read_entry, max_bytes=max_bytes)
    limit = WorkLimit(_seconds, _MEMORY, _not_read, _in_this_process)
    many = processes if files >= _MIN_FILES_FOR_PROCESSES else 1
    return in_engine(engine, read, entries, many, limit, shard=_FILES_PER_TASK)


def read_documents(
    docs: str | Path | Sequence[Document] | None,
    include: Sequence[str] = (),
    exclude: Sequence[str] = (),
    cited: Collection[str] = (),
) -> tuple[Document, ...]:
    """Return the readable documents of a folder, or the given documents as a tuple; an empty tuple for None.

    ``include`` and ``exclude`` are those of ``read_folder``. ``cited`` are the ids of the documents that a set has
    evidence in.

    Raises:
        InputError: the folder has no document that can be read, or a cited one needs a package that is not installed.
    """
    if docs is None:
        return ()
    if not isinstance(docs, str | Path):
        return tuple(docs)
    documents, skipped = list[Document](), list[Skipped]()
    for found in read_folder(Path(docs), include=include, exclude=exclude):
        if isinstance(found, Document):
            documents.append(found)
        else:
            skipped.append(found)
    lacked = [each for each in skipped if NOT_INSTALLED in each.reason]
    if unread := [each for each in lacked if each.path in cited or not documents]:
        raise InputError(f"{docs}/{unread[0].path} cannot be read: {unread[0].reason}")
    if not documents:
        raise InputError(f"{docs} contains no readable document; give the folder the golden set was made from")
    return tuple(documents)


def _unchanged(found: Path | Skipped, known: Document | None) -> Path | Document | Skipped:
    """Return the document that is known by the name of a file if the file has its bytes, otherwise what was found."""
    if known is None or isinstance(found, Skipped):
        return found
    try:
        with found.open("rb") as file:
            return known if hashlib.file_digest(file, "sha256").hexdigest() == known.sha256 else found
    except OSError:
        return found  # the reason is found when it is read


def _size(entry: _Entry) -> int:
    found = entry[1]
    try:
        return found.stat().st_size if isinstance(found, Path) else 0
    except OSError:
        return 0  # the reason is found when it is opened


def _in_this_process(entry: _Entry) -> bool:
    """Check whether a file is short text, or not read at all: a few bytes of any other format may need hours."""
    reader = READERS.get(entry[1].suffix.lower()) if isinstance(entry[1], Path) else None
    return reader is None or (reader in _READ_HERE and _size(entry) <= _SHORT_FILE)


def _seconds(entry: _Entry) -> float:
    return max(_SECONDS, _SECONDS_PER_MEGABYTE * _size(entry) / 1_000_000)


def _not_read(entry: _Entry, reason: str) -> Document | Skipped:
    return Skipped(entry[0], f"not read: {reason}")


def _read_entry(entry: _Entry, max_bytes: int) -> Document | Skipped:
    key, found = entry
    if not isinstance(found, Path):
        return found
    try:
        with no_collection():
            return _read_file(found, key, max_bytes)
    except UnsupportedFileError as error:
        return Skipped(key, str(error))


def _read_file(path: Path, id: str, max_bytes: int) -> Document:  # noqa: A002 - the record's name
    reader = unsupported.find_reader(path)
    takes_bytes = reader in READERS_OF_BYTES
    data = unsupported.read_bytes(path, max(max_bytes, MAX_BYTES_NOT_TEXT) if takes_bytes else max_bytes)
    content, encoding = (data, "") if takes_bytes else unsupported.decode(data)
    sha256 = hashlib.sha256(data).hexdigest()
    try:
        parsed: ParsedFile = import_module(f"{__name__}.readers.{reader}").read(content)
        if encoding:
            parsed = replace(parsed, remarks=(f"read as {encoding}", *parsed.remarks))
        unsupported.check_length(len(parsed.text), len(data))
        _check_characters(parsed.text)
        document = assemble(parsed, id=id, format=path.suffix.lower()[1:], sha256=sha256)
    except (UnsupportedFileError, MemoryError, KeyboardInterrupt):
        raise
    except RecursionError as error:
        raise UnsupportedFileError(unsupported.NESTED_TOO_DEEPLY) from error
    # a parser that is not ours may fail for any reason, one in Rust not even by an Exception; it costs only its file
    except BaseException as error:
        if sentence := lacking(f"reading {path.suffix.lower()}", error):
            raise UnsupportedFileError(sentence) from error
        what = unsupported.one_line(f"{type(error).__name__}: {error}", _MAX_REASON)
        raise UnsupportedFileError(f"its {path.suffix.lower()} reader failed ({what})") from error
    if not parsed.text.strip():
        raise UnsupportedFileError(unsupported.NO_TEXT)
    if missing := [each for each, extra in EXTRAS.items() if extra == document.language and not installed(each)]:
        raise UnsupportedFileError(lack(f"{language(document.language).NAME} text", missing[0]))
    return document


def _check_characters(text: str) -> None:
    """Raise UnsupportedFileError for a text that is no Unicode."""
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise UnsupportedFileError(f"damaged: half of a character ({error.object[error.start]!a}) in it") from error
