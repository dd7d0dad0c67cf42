"""The records of A/B tests in a SQLite file: every process adds its own, and the analysis reads them user by user.

A user is stored as a hash, so the file identifies nobody. Times are stored for people who inspect the file; the
analysis does not use them.
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
from kgsynth.base.json_reading import parse_json

_APPLICATION_ID = 0x6B676162  # "kgab"
_SCHEMA = (
    "CREATE TABLE splits (id INTEGER PRIMARY KEY, experiment TEXT NOT NULL, variants TEXT NOT NULL, "
    "UNIQUE (experiment, variants))",
    "CREATE TABLE records (id INTEGER PRIMARY KEY, split INTEGER NOT NULL REFERENCES splits, "
    "at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')), user TEXT NOT NULL, variant TEXT NOT NULL, "
    "latency_s REAL, success INTEGER, feedback REAL, error TEXT)",
)
_INSERT_SPLIT = "INSERT OR IGNORE INTO splits (experiment, variants) VALUES (?, ?)"
_INSERT = (
    "INSERT INTO records (split, user, variant, latency_s, success, feedback, error) "
    "SELECT id, ?, ?, ?, ?, ?, ? FROM splits WHERE experiment = ? AND variants = ?"
)
_SELECT = (
    "SELECT user, records.id, variants, variant, latency_s, success, feedback, error IS NOT NULL FROM records "
    "JOIN splits ON split = splits.id WHERE experiment = ? ORDER BY user, records.id"
)


@dataclass(frozen=True, slots=True)
class Record:
    """The outcome of one request of a user.

    Raises:
        ConfigError: the latency is negative or not finite, or the feedback is not from -1 to 1.
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
            raise ConfigError(f"feedback is {self.feedback!r}: give -1 to 1; convert stars with (stars - 3) / 2")


@dataclass(slots=True)
class VariantOutcomes:
    """The outcomes of one variant: ``values`` has one value for each user of success, latency and feedback.

    ``successes`` is the number of records behind the values of success; ``latencies`` are those of all records without
    an error.
    """

    users: int = 0
    records: int = 0
    errors: int = 0
    successes: int = 0
    values: dict[str, list[float]] = field(default_factory=lambda: {"success": [], "latency": [], "feedback": []})
    latencies: list[float] = field(default_factory=list)

    def add(self, rows: Sequence[tuple[Any, ...]]) -> None:
        """Add one user, given the latency, success, feedback and error flag of each record; averages known values."""
        known = {
            "success": [row[1] for row in rows if row[1] is not None],
            "latency": [row[0] for row in rows if row[0] is not None and not row[3]],  # a failure is not a fast answer
            "feedback": [row[2] for row in rows if row[2] is not None],
        }
        self.users += 1
        self.records += len(rows)
        self.errors += sum(row[3] for row in rows)
        self.successes += len(known["success"])
        self.latencies += known["latency"]
        for name, values in known.items():
            if values:
                self.values[name].append(math.fsum(values) / len(values))


@dataclass(frozen=True, slots=True)
class ExperimentRecords:
    """All records of one experiment, summed up by variant.

    ``variants`` are the shares of the newest record; ``expected`` is the number of users each variant should have,
    given the shares when their first record was stored. ``crossed`` users have records of several variants and
    are left out; ``splits`` is the number of different shares used.
    """

    variants: Mapping[str, float]
    outcomes: Mapping[str, VariantOutcomes]
    expected: Mapping[str, float]
    crossed: int
    splits: int


class RecordStore:
    """The records of one file; with ``create`` off, the file must exist."""

    def __init__(self, path: Path, *, create: bool = True) -> None:
        self.path = path
        self._database = Database(path, _SCHEMA, _APPLICATION_ID, wal=True, create=create)

    def add(self, experiment: str, variants: Mapping[str, float], record: Record) -> None:
        """Store one record together with the shares in use."""
        user = hashlib.sha256(json.dumps([experiment, record.user]).encode()).hexdigest()[:32]
        split = (experiment, json.dumps(variants, ensure_ascii=False))
        values = (record.latency_s, record.success, record.feedback, record.error)
        with self._database.transaction() as connection:
            connection.execute(_INSERT_SPLIT, split)
            connection.execute(_INSERT, (user, record.variant, *values, *split))

    def experiments(self) -> list[str]:
        """Return the names of all experiments in the file, sorted."""
        with self._database.snapshot() as connection:
            return [name for (name,) in connection.execute("SELECT DISTINCT experiment FROM splits ORDER BY 1")]

    def read(self, experiment: str) -> ExperimentRecords:
        """Return the records of one experiment.

        Raises:
            InputError: there are none.
        """
        outcomes: dict[str, VariantOutcomes] = {}
        users_by_split: Counter[str] = Counter()  # by the shares at their first record
        newest, crossed = (0, ""), 0
        with self._database.snapshot() as connection:
            rows = connection.execute(_SELECT, (experiment,))
            for _, group in groupby(rows, key=itemgetter(0)):
                own = list(group)
                newest = max(newest, own[-1][1:3])
                if len({row[3] for row in own}) > 1:
                    crossed += 1
                    continue
                users_by_split[own[0][2]] += 1
                outcomes.setdefault(own[0][3], VariantOutcomes()).add([row[4:] for row in own])
        if not newest[0]:
            known = ", ".join(self.experiments()) or "none"
            raise InputError(f"{self.path} has no record of experiment {experiment!r}: give one of {known}")
        splits = [(self._shares(text), count) for text, count in users_by_split.items()]
        variants = self._shares(newest[1])
        names = [*variants, *sorted({name for split, _ in splits for name in split} - set(variants))]
        expected = {name: math.fsum(split.get(name, 0.0) * count for split, count in splits) for name in names}
        by_variant = {name: outcomes.get(name, VariantOutcomes()) for name in names}
        return ExperimentRecords(variants, by_variant, expected, crossed, len(splits))

    def _shares(self, text: str) -> dict[str, float]:
        """Return the shares of a split as they were stored."""
        try:
            return {str(name): float(share) for name, share in parse_json(text).items()}
        except (ValueError, TypeError, AttributeError) as error:
            problem = f"{text[:40]!r} is not a table of shares ({error})"
            raise InputError(f"{self.path} is damaged: {problem}; give another file") from None

    def close(self) -> None:
        """Close the file."""
        self._database.close()
