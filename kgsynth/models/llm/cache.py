"""Replies on file, so that no model is paid twice for the same: SQLite, keyed by model, messages and parameters.

Only replies that could be used are kept, never an error, and nothing of who asked or with what key.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path

from kgsynth.base.database import Database

_SCHEMA = ("CREATE TABLE replies (key TEXT PRIMARY KEY, reply TEXT NOT NULL) WITHOUT ROWID",)
_KIND = 0x6B67_6C6D  # "kglm"


class Cache:
    """The replies in the file ``path``, or in memory for None; for any thread, and for several processes.

    Example:
        >>> cache = Cache(None)
        >>> cache.keep("k", "yes")
        >>> cache.get("k"), cache.get("other")
        ('yes', None)
    """

    def __init__(self, path: Path | None) -> None:
        self._held: dict[str, str] = {}
        self._file = Database(path, _SCHEMA, _KIND, wal=True) if path else None

    def get(self, key: str) -> str | None:
        """Return the reply kept under a key, or None.

        Raises:
            InputError: the file is no such cache, or cannot be used; ``keep`` raises it too.
        """
        if self._file is None:
            return self._held.get(key)
        with self._file.snapshot() as connection:
            row = connection.execute("SELECT reply FROM replies WHERE key = ?", (key,)).fetchone()
        return None if row is None else str(row[0])

    def keep(self, key: str, reply: str) -> None:
        """Keep a reply; the one there first stays."""
        if self._file is None:
            self._held.setdefault(key, reply)
            return
        with self._file.transaction() as connection:
            connection.execute("INSERT OR IGNORE INTO replies VALUES (?, ?)", (key, reply))

    def close(self) -> None:
        """Close the file."""
        if self._file is not None:
            self._file.close()


def key_of(parameters: Mapping[str, object]) -> str:
    """Return the key of what is asked: a hash of all that goes into the reply."""
    return hashlib.sha256(json.dumps(parameters, sort_keys=True, ensure_ascii=False).encode()).hexdigest()
