"""Decide which files are not read (a picture, a hidden file, a file that is not UTF-8), and say why.

Each reason is a short phrase that completes "file X is skipped: …"; the user sees every one of them.
"""

from __future__ import annotations

from pathlib import Path

from kgsynth.documents.readers import READERS

MAX_BYTES = 20_000_000
"""Bytes of a file that are read, if it is text."""
MAX_BYTES_NOT_TEXT = 200_000_000
"""Bytes of a file that are read, if it is not: pictures and fonts take most of them."""
NESTED_TOO_DEEPLY = "nested too deeply to be read"
NO_TEXT = "it contains no text"


class UnsupportedFileError(Exception):
    """The file cannot be read; the message is the reason."""


def reason_to_skip(path: Path, root: Path) -> str:
    """Return why a path found below the folder ``root`` is neither opened nor entered, or "" if it is."""
    try:
        if path.name.startswith("."):
            return "a hidden folder" if path.is_dir() else "a hidden file"
        if path.is_symlink():
            return _reason_to_skip_link(path, root)
        if not path.is_dir() and not path.is_file():
            return "neither a file nor a folder"
    except OSError as error:
        return f"cannot be accessed ({error.strerror})"
    return ""


def _reason_to_skip_link(path: Path, root: Path) -> str:
    try:
        target = path.resolve(strict=True)
    except FileNotFoundError:
        return "a broken link"
    except (OSError, RuntimeError):
        return "a circular link"
    if not target.is_relative_to(root):
        return "a link to a place outside the folder"
    return "a circular link" if path.parent.resolve().is_relative_to(target) else ""


def find_reader(path: Path) -> str:
    """Return the name of the module that reads files with this extension.

    Raises:
        UnsupportedFileError: there is none, as for a picture.

    Example:
        >>> find_reader(Path("a.md"))
        'markdown'
    """
    extension = path.suffix.lower()
    if extension in READERS:
        return READERS[extension]
    *others, last = sorted(READERS)
    what = f"{extension!r} files are not supported; convert" if extension else "it has no extension; rename"
    raise UnsupportedFileError(f"{what} it to {', '.join(others)} or {last}")


def read_bytes(path: Path, max_bytes: int) -> bytes:
    """Return the bytes of a file.

    Raises:
        UnsupportedFileError: it cannot be opened, is too large, or empty.
    """
    try:
        size = path.stat().st_size
        if size > max_bytes:
            raise UnsupportedFileError(f"too large: {size} bytes, and at most {max_bytes} are read")
        data = path.read_bytes()
    except OSError as error:
        raise UnsupportedFileError(f"it cannot be opened ({error.strerror})") from error
    if not data:
        raise UnsupportedFileError("empty")
    return data


def decode(data: bytes) -> str:
    """Return the text of a file, without a byte order mark.

    Raises:
        UnsupportedFileError: it is binary, not UTF-8, or empty.
    """
    if b"\0" in data:
        raise UnsupportedFileError("binary: it contains NUL bytes")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        at = error.start + (3 if data.startswith(b"\xef\xbb\xbf") else 0)
        raise UnsupportedFileError(f"not UTF-8 at byte {at}") from error
    if not text.strip():
        raise UnsupportedFileError("empty")
    return text
