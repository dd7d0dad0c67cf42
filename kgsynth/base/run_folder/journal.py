"""Results by key in one append-only file, safe against a kill at any moment; files replaced whole or not at all.

A line is ``["key",value]``. What a kill left torn at the end is cut off on opening. Left out: what the values are.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, KeysView
from contextlib import contextmanager
from pathlib import Path

_KEY = json.JSONDecoder()


class Journal:
    """Lines of JSON by key, in a file that only grows; reopening gives back every whole line.

    Only the keys and the places of their values are held in memory.

    Example:
        >>> from tempfile import mkdtemp
        >>> journal = Journal(Path(mkdtemp()) / "answers.part.jsonl")
        >>> journal.append("q-1", '{"answer":"Ada"}')
        >>> "q-1" in journal, journal["q-1"]
        (True, '{"answer":"Ada"}')
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._places: dict[str, tuple[int, int]] = {}
        with naming(path):
            self._file = path.open("a+b", buffering=0)
        self._end = self._read_places()
        self._file.truncate(self._end)

    def __contains__(self, key: str) -> bool:
        return key in self._places

    def __len__(self) -> int:
        return len(self._places)

    def __getitem__(self, key: str) -> str:
        start, length = self._places[key]
        self._file.seek(start)
        return self._file.read(length).decode()

    def keys(self) -> KeysView[str]:
        """Return the keys, in the order in which they first came."""
        return self._places.keys()

    def append(self, key: str, value: str) -> None:
        """Add one line of JSON under ``key``; a later value of a key takes the place of the earlier."""
        head = f"[{json.dumps(key)},".encode()
        body = value.encode()
        line = memoryview(head + body + b"]\n")
        written = 0
        try:
            with naming(self.path):
                while written < len(line):
                    written += self._file.write(line[written:])
        finally:  # the file knows how far the write came, even where an interrupt came before it could be counted
            if self.path.stat().st_size < self._end + len(line):
                self._file.truncate(self._end)
        self._places[key] = (self._end + len(head), len(body))
        self._end += len(line)

    def close(self) -> None:
        """Close the file; what is in it stays."""
        self._file.close()

    def _read_places(self) -> int:
        """Find every whole line, and return where the last one ends."""
        end = 0
        with self.path.open("rb") as file:
            for line in file:
                if not (line.startswith(b'["') and line.endswith(b"]\n")):
                    break
                try:  # keys are written in ASCII, so a place in the Latin-1 text is the place in the bytes
                    key, stop = _KEY.raw_decode(line.decode("latin-1"), 1)
                except ValueError:
                    break
                self._places[key] = (end + stop + 1, len(line) - stop - 3)
                end += len(line)
        return end


@contextmanager
def naming(path: Path) -> Iterator[None]:
    """Name ``path`` in an ``OSError`` that does not say which file it speaks of, as a failed write does not."""
    try:
        yield
    except OSError as error:
        if error.filename is None:
            error.filename = str(path)
        raise


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """Give a temporary path beside ``path``; when the block ends well it takes the place of ``path``, safe on the disk.

    When the block fails, ``path`` is as it was and the temporary file is gone.
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


def write_files(folder: Path, files: Iterable[tuple[str, bytes]]) -> None:
    """Write files below ``folder``, each by its path from there, and each whole or not at all."""
    for name, content in files:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        with replacing(path) as temporary:
            temporary.write_bytes(content)


def _sync(path: Path) -> None:
    place = os.open(path, os.O_RDONLY)
    try:
        os.fsync(place)
    finally:
        os.close(place)


def write_text(path: Path, pieces: Iterable[str]) -> None:
    """Write a file whole or not at all: to a temporary one, then renamed."""
    draft = path.with_name(f"{path.name}.part")
    with draft.open("w", encoding="utf-8", newline="\n") as file:
        file.writelines(pieces)
        file.flush()
        os.fsync(file.fileno())
    draft.replace(path)
