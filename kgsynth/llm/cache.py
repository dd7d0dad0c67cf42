"""Replies on file, so that no model is paid twice for the same: SQLite, keyed by model, messages and parameters.

Only replies that could be used are kept, never an error, and nothing of who asked or with what key.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
import threading
from collections.abc import Mapping
from pathlib import Path

from kgsynth.errors import InputError


class Cache:
    """The replies in the file ``path``, or in memory for None; for any thread, and for several processes.

    Raises:
        InputError: the file is no such cache.

    Example:
        >>> cache = Cache(None)
        >>> cache.keep("k", "yes")
        >>> cache.get("k"), cache.get("other")
        ('yes', None)
    """

    def __init__(self, path: Path | None) -> None:
        self._lock = threading.Lock()
        try:
            if path:
                path.parent.mkdir(parents=True, exist_ok=True)
            self._file = sqlite3.connect(path or ":memory:", timeout=30, check_same_thread=False, isolation_level=None)
            self._file.execute("PRAGMA journal_mode=WAL")
            self._file.execute("CREATE TABLE IF NOT EXISTS replies (key TEXT PRIMARY KEY, reply TEXT NOT NULL)")
        except (OSError, sqlite3.DatabaseError) as error:
            raise InputError(f"{path} cannot hold a model's replies ({error}): remove it or name another") from None

    def get(self, key: str) -> str | None:
        """Return the reply kept under a key, or None."""
        with self._lock:
            row = self._file.execute("SELECT reply FROM replies WHERE key = ?", (key,)).fetchone()
        return None if row is None else str(row[0])

    def keep(self, key: str, reply: str) -> None:
        """Keep a reply; the one there first stays."""
        with self._lock:
            self._file.execute("INSERT OR IGNORE INTO replies VALUES (?, ?)", (key, reply))

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._file.close()


def key_of(parameters: Mapping[str, object]) -> str:
    """Return the key of what is asked: a hash of all that goes into the reply."""
    return hashlib.sha256(json.dumps(parameters, sort_keys=True, ensure_ascii=False).encode()).hexdigest()
