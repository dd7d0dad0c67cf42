"""Open the zip archives that office files and e-books are, within limits on what they hold."""

from __future__ import annotations

import io
import zipfile

from kgsynth.documents.unsupported import ENCRYPTED, UnsupportedFileError

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
