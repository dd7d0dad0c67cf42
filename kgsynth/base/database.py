"""A SQLite file that several processes and threads can use; it is created at its first use.

A process has one connection, which its threads use in turn, since SQLite allows only one writer anyway. A connection
must not be used after a fork (sqlite.org/howtocorrupt.html, 2.6), so all are closed before one, and each process opens
its own.
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

from kgsynth.base.errors import DamagedDatabaseError, InputError

LOCK_TIMEOUT = 30.0
"""Seconds to wait while another process writes."""

_RETRY_PAUSE = 0.02


class Database:
    """A SQLite file with the tables of ``schema``; the ``kind`` of database is the application id in its header.

    With ``wal``, readers and a writer do not wait for each other, and there are two more files beside the database
    while it is open. Without ``create``, a missing file is an error.

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
        """Open a transaction for writing: committed when the block ends, rolled back when it raises.

        Raises:
            InputError: the file cannot be used.
        """
        with self.lock, self._errors_named():
            connection = self._connect()
            connection.execute("BEGIN IMMEDIATE")  # take the write lock now: SQLite waits for it only here
            try:
                yield connection
                connection.execute("COMMIT")
            except BaseException:
                connection.rollback()
                raise

    @contextmanager
    def snapshot(self) -> Iterator[sqlite3.Connection]:
        """Open a transaction for reading: all reads in the block see the same state; with ``wal`` no writer waits.

        Raises:
            InputError: the file cannot be used.
        """
        with self.lock, self._errors_named():
            connection = self._connect()
            connection.execute("BEGIN")
            try:
                yield connection
            finally:
                connection.rollback()

    def close(self) -> None:
        """Close the connection; the next use opens a new one."""
        with self.lock:
            self.disconnect()

    def disconnect(self) -> None:
        """Close the connection; the caller must have acquired ``lock``."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _connect(self) -> sqlite3.Connection:
        if self._connection is None:
            if not self._create and not self.path.is_file():
                raise InputError(f"{self.path} does not exist; give the path of a database that kgsynth wrote")
            self.path.parent.mkdir(parents=True, exist_ok=True)
            connection = sqlite3.connect(self.path, LOCK_TIMEOUT, isolation_level=None, check_same_thread=False)
            try:
                self._prepare(connection)
            except BaseException:
                connection.close()
                raise
            self._connection = connection
        return self._connection

    def _prepare(self, connection: sqlite3.Connection) -> None:
        """Create the tables in a new file; check that an existing file has this application id before changing it."""
        if _kind(connection) == 0:
            connection.execute("BEGIN EXCLUSIVE")
            if _kind(connection) == 0 and not connection.execute("SELECT 1 FROM sqlite_master").fetchone():
                for statement in (*self._schema, f"PRAGMA application_id = {self._kind}"):
                    connection.execute(statement)
            connection.execute("COMMIT")
        if _kind(connection) != self._kind:
            raise DamagedDatabaseError(f"{self.path} is a database of another kind; give another path")
        if self._wal:
            _to_wal(connection)
            connection.execute("PRAGMA synchronous = NORMAL")

    @contextmanager
    def _errors_named(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            usable = isinstance(error, sqlite3.OperationalError)  # it is locked, the disk is full, or access is denied
            raise (InputError if usable else DamagedDatabaseError)(
                f"{self.path} cannot be used as a database ({error}); check which process uses it, or give another path"
            ) from error


def used_bytes(connection: sqlite3.Connection) -> int:
    """Return the size of a database in bytes, without the pages that are free."""
    pages, free, size = (
        connection.execute(f"PRAGMA {name}").fetchone()[0] for name in ("page_count", "freelist_count", "page_size")
    )
    return int((pages - free) * size)


def _kind(connection: sqlite3.Connection) -> int:
    return int(connection.execute("PRAGMA application_id").fetchone()[0])


def _to_wal(connection: sqlite3.Connection) -> None:
    """Switch the file to write-ahead logging; where that is not possible, the database works without it.

    SQLite does not wait for other processes here, so without retries two that open a new file at once would fail.
    """
    until = time.monotonic() + LOCK_TIMEOUT
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError:
            if time.monotonic() > until:
                return
            time.sleep(_RETRY_PAUSE)


# ---- forks -----------------------------------------------------------------------------------------

_DATABASES: WeakSet[Database] = WeakSet()
_LOCKED_FOR_FORK: list[Database] = []


def _before_fork() -> None:
    _LOCKED_FOR_FORK[:] = _DATABASES
    for database in _LOCKED_FOR_FORK:
        database.lock.acquire()
        database.disconnect()


def _after_fork() -> None:
    for database in _LOCKED_FOR_FORK:
        database.lock.release()
    _LOCKED_FOR_FORK.clear()


if hasattr(os, "register_at_fork"):  # not on Windows
    os.register_at_fork(before=_before_fork, after_in_parent=_after_fork, after_in_child=_after_fork)
