"""Open the zip archives that office files and e-books are, within limits, and say why one cannot be opened."""

from __future__ import annotations

import io
import re
import zipfile
import zlib
from collections.abc import Callable
from functools import cache
from typing import Any, TypeVar
from zipfile import BadZipFile

from kgsynth.documents.unsupported import ENCRYPTED, UnsupportedFileError, one_line

_MAX_FILES = 20_000
_MAX_UNPACKED = 1_000_000_000  # bytes of all files in an archive
_MAX_RATIO = 500  # of a file to its size in the archive: deflate does not reach more than 1032, which only bombs have
_SMALL = 2_000_000  # bytes of a file that may have any ratio
_HEAD = 1024  # bytes in which a PDF says what it is
_NO_ARCHIVE = "damaged, or of another format than its extension says; open it in its program and save it again"


def open_archive(data: bytes) -> zipfile.ZipFile:
    """Return the archive in ``data``; nothing is unpacked.

    Raises:
        UnsupportedFileError: it is damaged or encrypted, or holds too much.

    Example:
        >>> open_archive(b"%PDF-1.7")
        Traceback (most recent call last):
        kgsynth.documents.unsupported.UnsupportedFileError: it is a PDF; rename it to NAME.pdf
    """
    try:
        archive = zipfile.ZipFile(io.BytesIO(data))
    except (zipfile.BadZipFile, ValueError, NotImplementedError, EOFError) as error:
        if b"%PDF-" in data[:_HEAD]:
            raise UnsupportedFileError("it is a PDF; rename it to NAME.pdf") from error
        raise UnsupportedFileError(_NO_ARCHIVE) from error
    entries = archive.infolist()
    if len(entries) > _MAX_FILES or sum(entry.file_size for entry in entries) > _MAX_UNPACKED:
        raise UnsupportedFileError(f"too large: unpacked, it has {len(entries)} files or more than 1 GB")
    for entry in entries:
        if entry.flag_bits & 1:
            raise UnsupportedFileError(ENCRYPTED)
        if entry.file_size > max(_SMALL, _MAX_RATIO * entry.compress_size):
            raise UnsupportedFileError(f"{entry.filename!r} in it grows to {entry.file_size} bytes when unpacked")
    return archive


_Opened = TypeVar("_Opened")

_OLD_OFFICE_FILE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_ENCRYPTED_PART = "EncryptedPackage".encode("utf-16-le")
_STRICT_NAMESPACE = b"http://purl.oclc.org/ooxml/"


def open_office_file(data: bytes, opener: Callable[[io.BytesIO], _Opened], extension: str) -> _Opened:
    """Return what ``opener`` makes of a file; ``extension`` is the extension of files that can be read.

    Raises:
        UnsupportedFileError: it is encrypted, damaged, of another kind, or holds too much.
    """
    if data.startswith(_OLD_OFFICE_FILE):
        if has_encrypted_package(data):
            raise UnsupportedFileError(ENCRYPTED)
        raise UnsupportedFileError(f"in the format of Office 2003 or before; save it as {extension}")
    with open_archive(data) as archive:
        if "_rels/.rels" not in archive.namelist():
            raise UnsupportedFileError(f"damaged: it is a zip archive, but not a {extension} file")
        try:
            if _STRICT_NAMESPACE in archive.read("_rels/.rels"):
                raise UnsupportedFileError(f"in the format Strict Open XML; save it as a plain {extension} file")
            return opener(io.BytesIO(data))
        except damage_errors() as error:
            raise damaged(error) from error


def has_encrypted_package(data: bytes) -> bool:
    """Check whether a file that cannot be opened is a file of Office with a password: an old one around the new one."""
    return data.startswith(_OLD_OFFICE_FILE) and _ENCRYPTED_PART in data


MONOSPACED = re.compile(
    r"courier|consol|\bmono|mono\b|menlo|monaco|fixed|terminal|source code|fira code|inconsolata", re.I
)
"""The names of fonts in which code is written."""


def xml_root(part: bytes) -> Any:
    """Return the root element of a part; entities are not expanded, and nothing is fetched.

    Raises:
        UnsupportedFileError: it is not XML.
    """
    from lxml import etree

    try:
        parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, remove_comments=True)
        return etree.fromstring(part, parser)
    except etree.XMLSyntaxError as error:
        raise UnsupportedFileError("damaged: " + " ".join(str(error).split())[:120]) from error


@cache
def damage_errors() -> tuple[type[Exception], ...]:
    """Return what the libraries raise for a part that is missing or is not what it should be."""
    from lxml.etree import XMLSyntaxError

    return (XMLSyntaxError, BadZipFile, zlib.error, KeyError, ValueError, EOFError, NotImplementedError, OSError)


def damaged(error: Exception) -> UnsupportedFileError:
    """Return the reason to skip a file that has an unreadable part."""
    return UnsupportedFileError("damaged: " + (one_line(str(error), 120) or type(error).__name__))
