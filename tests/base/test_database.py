"""The SQLite database: complete transactions, waiting for other writers, and files of other programs left alone."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from threading import Timer

import pytest

from kgsynth.base import database
from kgsynth.base.database import Database
from kgsynth.base.errors import InputError

SCHEMA = ("CREATE TABLE seen (name TEXT)",)


def add(path: Path, name: str, *, wal: bool = False) -> None:
    opened = Database(path, SCHEMA, kind=7, wal=wal)
    with opened.transaction() as connection:
        connection.execute("INSERT INTO seen VALUES (?)", (name,))
    opened.close()


def names(path: Path) -> list[str]:
    opened = Database(path, SCHEMA, kind=7)
    with opened.snapshot() as connection:
        found = [name for (name,) in connection.execute("SELECT name FROM seen ORDER BY name")]
    opened.close()
    return found


def test_a_transaction_that_raises_leaves_nothing(tmp_path: Path) -> None:
    opened = Database(tmp_path / "a.sqlite", SCHEMA, kind=7)
    with pytest.raises(KeyError), opened.transaction() as connection:
        connection.execute("INSERT INTO seen VALUES ('half')")
        raise KeyError
    opened.close()
    add(tmp_path / "a.sqlite", "whole")
    assert names(tmp_path / "a.sqlite") == ["whole"]


@pytest.mark.parametrize("wal", [False, True])
def test_another_writer_is_waited_for(tmp_path: Path, wal: bool) -> None:
    """Also for the switch to write-ahead logging, for which SQLite itself does not wait."""
    path = tmp_path / "a.sqlite"
    add(path, "first")
    holder = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    holder.execute("BEGIN IMMEDIATE")
    timer = Timer(0.15, holder.rollback)
    timer.start()
    add(path, "second", wal=wal)
    timer.join()
    mode = holder.execute("PRAGMA journal_mode").fetchone()[0]
    holder.close()
    assert names(path) == ["first", "second"]
    assert mode == ("wal" if wal else "delete")


def test_a_writer_that_never_ends_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(database, "LOCK_TIMEOUT", 0.05)
    add(tmp_path / "a.sqlite", "first")
    holder = sqlite3.connect(tmp_path / "a.sqlite", isolation_level=None)
    holder.execute("BEGIN IMMEDIATE")
    with pytest.raises(InputError, match=r"a\.sqlite cannot be used as a database \(database is locked\); check which"):
        add(tmp_path / "a.sqlite", "second", wal=True)
    holder.close()


def test_a_file_of_another_kind_is_not_touched(tmp_path: Path) -> None:
    path = tmp_path / "a.sqlite"
    add(path, "mine")
    before = path.read_bytes()
    with pytest.raises(InputError, match="is a database of another kind; give another path"):
        Database(path, ("CREATE TABLE other (x)",), kind=8, wal=True).transaction().__enter__()
    assert path.read_bytes() == before
