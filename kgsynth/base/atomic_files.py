"""Files that are written completely or not at all, whenever the process is killed."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """Yield a temporary path beside ``path``; when the block succeeds, that file replaces ``path`` and is on the disk.

    When the block fails, ``path`` is unchanged and the temporary file is removed.
    """
    temporary = path.with_name(f"{path.name}.tmp")
    try:
        with naming(temporary):
            yield temporary
            _sync(temporary)
            temporary.replace(path)
            _sync(path.parent)
    finally:
        temporary.unlink(missing_ok=True)


def write_text(path: Path, pieces: Iterable[str]) -> None:
    """Write a text file, completely or not at all."""
    with replacing(path) as temporary, temporary.open("w", encoding="utf-8", newline="\n") as file:
        file.writelines(pieces)


def write_files(folder: Path, files: Iterable[tuple[str, bytes]]) -> None:
    """Write each file, given by its path below ``folder`` and its content, completely or not at all."""
    for name, content in files:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        with replacing(path) as temporary:
            temporary.write_bytes(content)


@contextmanager
def naming(path: Path) -> Iterator[None]:
    """Add ``path`` to an ``OSError`` that names no file, as that of a failed write does not."""
    try:
        yield
    except OSError as error:
        if error.filename is None:
            error.filename = str(path)
        raise


def _sync(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
