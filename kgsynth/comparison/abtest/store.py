"""What users met with, in SQLite: every process adds its records, and the analysis reads them user by user.

A user is stored as a hash, so the file names nobody. Times are stored for whoever looks into the file; nothing that is
read here depends on them.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any

from kgsynth.base.database import Database
from kgsynth.base.errors import ConfigError, InputError

_KIND = 0x6B676162  # "kgab"
_SCHEMA = (
    "CREATE TABLE splits (id INTEGER PRIMARY KEY, experiment TEXT NOT NULL, variants TEXT NOT NULL, "
    "UNIQUE (experiment, variants))",
    "CREATE TABLE records (id INTEGER PRIMARY KEY, split INTEGER NOT NULL REFERENCES splits, "
    "at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')), user TEXT NOT NULL, variant TEXT NOT NULL, "
    "latency_s REAL, success INTEGER, feedback REAL, error TEXT)",
)
_ADD_SPLIT = "INSERT OR IGNORE INTO splits (experiment, variants) VALUES (?, ?)"
_ADD = (
    "INSERT INTO records (split, user, variant, latency_s, success, feedback, error) "
    "SELECT id, ?, ?, ?, ?, ?, ? FROM splits WHERE experiment = ? AND variants = ?"
)
_READ = (
    "SELECT user, records.id, variants, variant, latency_s, success, feedback, error IS NOT NULL FROM records "
    "JOIN splits ON split = splits.id WHERE experiment = ? ORDER BY user, records.id"
)


@dataclass(frozen=True, slots=True)
class Record:
    """What one user met with once.

    Raises:
        ConfigError: the latency is below 0, the feedback not from -1 to 1, or one of them no number.
    """

    user: str
    variant: str
    latency_s: float | None = None
    success: bool | None = None
    feedback: float | None = None
    error: str | None = None

    def __post_init__(self) -> None:
        if self.latency_s is not None and not 0 <= self.latency_s < math.inf:
            raise ConfigError(f"latency_s is {self.latency_s!r}: give seconds, 0 or more")
        if self.feedback is not None and not -1 <= self.feedback <= 1:
            raise ConfigError(f"feedback is {self.feedback!r}: give -1 to 1, of one to five stars (stars - 3) / 2")


@dataclass(slots=True)
class Met:
    """What the users of one variant met with: ``success``, ``latency`` and ``feedback`` have one figure a user.

    ``successes`` counts the records behind ``success``; ``latencies`` are those of all records.
    """

    users: int = 0
    records: int = 0
    errors: int = 0
    successes: int = 0
    success: list[float] = field(default_factory=list)
    latency: list[float] = field(default_factory=list)
    feedback: list[float] = field(default_factory=list)
    latencies: list[float] = field(default_factory=list)

    def add(self, rows: Sequence[tuple[Any, ...]]) -> None:
        """Add one user: latency, success, feedback and whether it failed, of each record; the means of those known."""
        known = [row[1] for row in rows if row[1] is not None]
        quick = [row[0] for row in rows if row[0] is not None and not row[3]]  # a failure is no quick answer
        rated = [row[2] for row in rows if row[2] is not None]
        self.users += 1
        self.records += len(rows)
        self.errors += sum(row[3] for row in rows)
        self.successes += len(known)
        self.latencies += quick
        for figures, values in ((self.success, known), (self.latency, quick), (self.feedback, rated)):
            if values:
                figures.append(math.fsum(values) / len(values))


@dataclass(frozen=True, slots=True)
class Seen:
    """All that is on file of one experiment.

    ``variants`` are the shares of the last record, ``expected`` how many users each should have by the shares that held
    when they first came. ``crossed`` users have records of several variants and are left out; ``splits`` counts the
    different shares there have been.
    """

    variants: Mapping[str, float]
    met: Mapping[str, Met]
    expected: Mapping[str, float]
    crossed: int
    splits: int


class Records:
    """The records of one file; ``create`` off for a file that must be there."""

    def __init__(self, path: Path, *, create: bool = True) -> None:
        self.path = path
        self._database = Database(path, _SCHEMA, _KIND, wal=True, create=create)

    def add(self, experiment: str, variants: Mapping[str, float], record: Record) -> None:
        """Store one record, made while the experiment had these shares."""
        user = hashlib.sha256(json.dumps([experiment, record.user]).encode()).hexdigest()[:32]
        split = (experiment, json.dumps(variants, ensure_ascii=False))
        values = (record.latency_s, record.success, record.feedback, record.error)
        with self._database.transaction() as connection:
            connection.execute(_ADD_SPLIT, split)
            connection.execute(_ADD, (user, record.variant, *values, *split))

    def experiments(self) -> list[str]:
        """Return the names of the experiments on file, in order."""
        with self._database.snapshot() as connection:
            return [name for (name,) in connection.execute("SELECT DISTINCT experiment FROM splits ORDER BY 1")]

    def seen(self, experiment: str) -> Seen:
        """Return what is on file of one experiment.

        Raises:
            InputError: nothing is.
        """
        met: dict[str, Met] = {}
        first: Counter[str] = Counter()  # users by the shares that held when they came
        last, crossed = (0, ""), 0
        with self._database.snapshot() as connection:
            rows = connection.execute(_READ, (experiment,))
            for _, group in groupby(rows, key=itemgetter(0)):
                own = list(group)
                last = max(last, own[-1][1:3])
                if len({row[3] for row in own}) > 1:
                    crossed += 1
                    continue
                first[own[0][2]] += 1
                met.setdefault(own[0][3], Met()).add([row[4:] for row in own])
        if not last[0]:
            known = ", ".join(self.experiments()) or "none"
            raise InputError(f"{self.path} has no record of experiment {experiment!r}: give one of {known}")
        splits = [(json.loads(text), count) for text, count in first.items()]
        variants: dict[str, float] = json.loads(last[1])
        order = [*variants, *sorted({name for split, _ in splits for name in split} - set(variants))]
        expected = {name: math.fsum(split.get(name, 0.0) * count for split, count in splits) for name in order}
        return Seen(variants, {name: met.get(name, Met()) for name in order}, expected, crossed, len(splits))

    def close(self) -> None:
        """Close the file."""
        self._database.close()
