"""Results by key in one append-only file that a kill at any moment leaves readable.

A line is ``["key",value,"checksum"]``. When the file is opened, an incomplete last line, which a kill can leave, is
removed, and so is a damaged line with all that follow it: what they held is computed again.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import KeysView
from pathlib import Path

from kgsynth.base.atomic_files import naming
from kgsynth.base.json_reading import JsonError, value_at

_ENDING_BYTES = 13


class Journal:
    """An append-only file of JSON values by key; opening it again gives back every complete line.

    Only the keys and the offsets of their values are in memory.

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

    def __getitem__(self, key: str) -> str:
        start, length = self._places[key]
        self._file.seek(start)
        return self._file.read(length).decode()

    def keys(self) -> KeysView[str]:
        """Return the keys, in the order in which they were first added."""
        return self._places.keys()

    def append(self, key: str, value: str) -> None:
        """Add a value, which is one line of JSON; a later value of a key replaces the earlier one."""
        head = f"[{json.dumps(key)},".encode()
        body = value.encode()
        line = memoryview(head + body + _ending(head + body))
        written = 0
        try:
            with naming(self.path):
                while written < len(line):
                    written += self._file.write(line[written:])
        finally:  # ask the file, not ``written``: an interrupt may have come before the last write was counted
            if self.path.stat().st_size < self._end + len(line):
                self._file.truncate(self._end)
        self._places[key] = (self._end + len(head), len(body))
        self._end += len(line)

    def close(self) -> None:
        """Close the file; its content stays."""
        self._file.close()

    def _read_places(self) -> int:
        """Find every complete line, and return the offset where the last one ends."""
        end = 0
        with self.path.open("rb") as file:
            for line in file:
                if not line.startswith(b'["') or line[-_ENDING_BYTES:] != _ending(line[:-_ENDING_BYTES]):
                    break
                try:  # keys are written in ASCII, so an offset in the Latin-1 text is the offset in the bytes
                    key, stop = value_at(line.decode("latin-1"), 1)
                except JsonError:
                    break
                self._places[key] = (end + stop + 1, len(line) - stop - 1 - _ENDING_BYTES)
                end += len(line)
        return end


def _ending(line: bytes) -> bytes:
    """Return what ends a line: its checksum (CRC-32), and the bracket."""
    return b',"%08x"]\n' % zlib.crc32(line)
