"""A cache of replies in SQLite, keyed by model, messages and parameters, so that no reply is paid for twice.

It contains only usable replies: no errors, no keys.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path

from kgsynth.base.database import Database

_CREATE_TABLE = ("CREATE TABLE replies (key TEXT PRIMARY KEY, reply TEXT NOT NULL) WITHOUT ROWID",)
_APPLICATION_ID = 0x6B67_6C6D  # "kglm"


class ReplyCache:
    """The replies in the file ``path``, or in memory for None; threads and processes can share it.

    Example:
        >>> cache = ReplyCache(None)
        >>> cache.keep("k", "yes")
        >>> cache.get("k"), cache.get("other")
        ('yes', None)
    """

    def __init__(self, path: Path | None) -> None:
        self._memory: dict[str, str] = {}
        self._file = Database(path, _CREATE_TABLE, _APPLICATION_ID, wal=True) if path else None

    def get(self, key: str) -> str | None:
        """Return the reply stored under a key, or None.

        Raises:
            InputError: the file is not such a cache or cannot be used; ``keep`` raises this too.
        """
        if self._file is None:
            return self._memory.get(key)
        with self._file.snapshot() as connection:
            row = connection.execute("SELECT reply FROM replies WHERE key = ?", (key,)).fetchone()
        return None if row is None else str(row[0])

    def keep(self, key: str, reply: str) -> None:
        """Store a reply, unless there is one under this key."""
        if self._file is None:
            self._memory.setdefault(key, reply)
            return
        with self._file.transaction() as connection:
            connection.execute("INSERT OR IGNORE INTO replies VALUES (?, ?)", (key, reply))

    def drop(self, key: str) -> None:
        """Remove the reply stored under a key, which cannot be used."""
        self._memory.pop(key, None)
        if self._file is not None:
            with self._file.transaction() as connection:
                connection.execute("DELETE FROM replies WHERE key = ?", (key,))

    def close(self) -> None:
        """Close the file."""
        if self._file is not None:
            self._file.close()


def key_of(parameters: Mapping[str, object]) -> str:
    """Return the key of a request: a hash of everything that influences the reply."""
    return hashlib.sha256(json.dumps(parameters, sort_keys=True, ensure_ascii=False).encode()).hexdigest()
