"""Files that are written completely or not at all, whenever the process is killed, and arrays read from them."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from kgsynth.base.errors import InputError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


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


def read_array(path: Path) -> NDArray[np.float32]:
    """Return the array in a file, memory-mapped.

    Raises:
        InputError: the file is damaged.
    """
    import numpy as np

    try:
        array: NDArray[np.float32] = np.load(path, mmap_mode="r", allow_pickle=False)
    except (ValueError, EOFError) as error:
        raise InputError(f"{path} is damaged ({error}); add --fresh to start over") from error
    return array
