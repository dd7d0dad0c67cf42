"""One SQLite file that several processes and threads write: made when first used, each write a short transaction.

A process has one connection, which its threads use in turn: SQLite lets one write at a time in any case. A connection
must not cross a fork (sqlite.org/howtocorrupt.html, 2.6), so all are closed before one, and each side opens its own.
Left out: what is stored.
"""

from __future__ import annotations

import os
import sqlite3
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from weakref import WeakSet

from kgsynth.base.errors import InputError

PATIENCE = 30.0
"""Seconds to wait for another process to finish its write."""

_PAUSE = 0.02


class Database:
    """A SQLite file whose tables ``schema`` makes; ``kind`` is the number in its header that says whose it is.

    With ``wal`` readers and a writer do not wait for each other, and two files stand beside the database while it is
    open. With ``create`` off a file that is not there is an error.

    Example:
        >>> import tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     database = Database(Path(folder, "a.sqlite"), ["CREATE TABLE seen (name TEXT)"], kind=7)
        ...     with database.transaction() as connection:
        ...         _ = connection.execute("INSERT INTO seen VALUES ('b')")
        ...     with database.snapshot() as connection:
        ...         connection.execute("SELECT name FROM seen").fetchall()
        ...     database.close()
        [('b',)]
    """

    def __init__(self, path: Path, schema: Sequence[str], kind: int, *, wal: bool = False, create: bool = True) -> None:
        self.path = path
        self._schema, self._kind, self._wal, self._create = schema, kind, wal, create
        self._connection: sqlite3.Connection | None = None
        self.lock = threading.Lock()
        _DATABASES.add(self)

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """Write: all that is done in the block is kept when it ends, and none of it when it raises.

        Raises:
            InputError: the file cannot be used.
        """
        with self.lock, self._said():
            connection = self._opened()
            connection.execute("BEGIN IMMEDIATE")  # the write lock at once: waiting for it later could not be retried
            try:
                yield connection
                connection.execute("COMMIT")
            except BaseException:
                connection.rollback()
                raise

    @contextmanager
    def snapshot(self) -> Iterator[sqlite3.Connection]:
        """Read: all that is read in the block is of one moment; with ``wal`` nobody waits for it.

        Raises:
            InputError: the file cannot be used.
        """
        with self.lock, self._said():
            connection = self._opened()
            connection.execute("BEGIN")
            try:
                yield connection
            finally:
                connection.rollback()

    def close(self) -> None:
        """Close the connection; the next use opens one again."""
        with self.lock:
            self.disconnect()

    def disconnect(self) -> None:
        """Close the connection while ``lock`` is held."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _opened(self) -> sqlite3.Connection:
        if self._connection is None:
            if not self._create and not self.path.is_file():
                raise InputError(f"{self.path} is not there: give the path of a database that kgsynth wrote")
            self.path.parent.mkdir(parents=True, exist_ok=True)
            connection = sqlite3.connect(self.path, PATIENCE, isolation_level=None, check_same_thread=False)
            try:
                self._prepare(connection)
            except BaseException:
                connection.close()
                raise
            self._connection = connection
        return self._connection

    def _prepare(self, connection: sqlite3.Connection) -> None:
        """Make the tables in a new file, and see that an old one is of this kind before anything in it is changed."""
        if _kind(connection) == 0:
            connection.execute("BEGIN EXCLUSIVE")
            if _kind(connection) == 0 and not connection.execute("SELECT 1 FROM sqlite_master").fetchone():
                for statement in (*self._schema, f"PRAGMA application_id = {self._kind}"):
                    connection.execute(statement)
            connection.execute("COMMIT")
        if _kind(connection) != self._kind:
            raise InputError(f"{self.path} is a database of something else: give another path")
        if self._wal:
            _to_wal(connection)
            connection.execute("PRAGMA synchronous = NORMAL")

    @contextmanager
    def _said(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            raise InputError(
                f"{self.path} cannot be used as a database ({error}): see who holds it, or give another path"
            ) from error


def _kind(connection: sqlite3.Connection) -> int:
    return int(connection.execute("PRAGMA application_id").fetchone()[0])


def _to_wal(connection: sqlite3.Connection) -> None:
    """Ask for write-ahead logging, which the file then keeps; where it cannot be had the database works without.

    SQLite waits for no other process here, so two that open a new file at once would fail.
    """
    until = time.monotonic() + PATIENCE
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError:
            if time.monotonic() > until:
                return
            time.sleep(_PAUSE)


# ---- forks -----------------------------------------------------------------------------------------

_DATABASES: WeakSet[Database] = WeakSet()
_HELD: list[Database] = []


def _before_fork() -> None:
    _HELD[:] = _DATABASES
    for database in _HELD:
        database.lock.acquire()
        database.disconnect()


def _after_fork() -> None:
    for database in _HELD:
        database.lock.release()
    _HELD.clear()


if hasattr(os, "register_at_fork"):  # not on Windows
    os.register_at_fork(before=_before_fork, after_in_parent=_after_fork, after_in_child=_after_fork)
