"""The records of A/B tests in a file of JSON lines: every process appends its own, and the analysis reads them by user.

A user is stored as a hash, so the file identifies nobody.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from kgsynth.base.errors import ConfigError, InputError
from kgsynth.base.records_json import from_json, to_json


@dataclass(frozen=True, slots=True)
class Record:
    """The outcome of one request of a user in an experiment, with the shares of its variants at the time.

    Raises:
        ConfigError: the latency is negative or not finite, or the feedback is not from -1 to 1.
    """

    experiment: str
    variants: dict[str, float]
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

    def add(self, rows: Sequence[Record]) -> None:
        """Add one user, given the records of that user; averages known values."""
        known = {
            "success": [float(row.success) for row in rows if row.success is not None],
            "latency": [row.latency_s for row in rows if row.latency_s is not None and row.error is None],
            "feedback": [row.feedback for row in rows if row.feedback is not None],
        }
        self.users += 1
        self.records += len(rows)
        self.errors += sum(row.error is not None for row in rows)
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
    """The records of one file."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def add(self, record: Record) -> None:
        """Append one record, in one write, so that the lines of several processes do not mix.

        Raises:
            InputError: the file cannot be written.
        """
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with self.path.open("ab", buffering=0) as file:
                file.write(f"{to_json(record)}\n".encode())
        except OSError as error:
            raise InputError(f"{self.path} cannot be written ({error}): give another path") from None

    def records(self) -> Iterator[Record]:
        """Yield all records in the file.

        Raises:
            InputError: it cannot be read, or names the line that is no record.
        """
        read = from_json(Record)
        try:
            lines = self.path.read_bytes().splitlines()
        except OSError as error:
            raise InputError(f"{self.path} cannot be read ({error}): give a file that Experiment wrote") from None
        for number, line in enumerate(lines, 1):
            try:
                yield read(line)
            except ValueError as error:
                raise InputError(f"{self.path}, line {number} is no record ({error}): correct or delete it") from None

    def experiments(self) -> list[str]:
        """Return the names of all experiments in the file, sorted."""
        return sorted({record.experiment for record in self.records()})

    def read(self, experiment: str) -> ExperimentRecords:
        """Return the records of one experiment.

        Raises:
            InputError: there are none.
        """
        by_user: dict[str, list[Record]] = {}
        variants: dict[str, float] = {}
        for record in self.records():
            if record.experiment == experiment:
                by_user.setdefault(record.user, []).append(record)
                variants = record.variants
        if not by_user:
            known = ", ".join(self.experiments()) or "none"
            raise InputError(f"{self.path} has no record of experiment {experiment!r}: give one of {known}")
        outcomes: dict[str, VariantOutcomes] = {}
        splits: Counter[tuple[tuple[str, float], ...]] = Counter()  # by the shares at their first record
        kept = [own for own in by_user.values() if len({record.variant for record in own}) == 1]
        for own in kept:
            splits[tuple(own[0].variants.items())] += 1
            outcomes.setdefault(own[0].variant, VariantOutcomes()).add(own)
        shares = [(dict(split), count) for split, count in splits.items()]
        names = [*variants, *sorted({name for split, _ in shares for name in split} - set(variants))]
        expected = {name: math.fsum(split.get(name, 0.0) * count for split, count in shares) for name in names}
        by_variant = {name: outcomes.get(name, VariantOutcomes()) for name in names}
        return ExperimentRecords(variants, by_variant, expected, len(by_user) - len(kept), len(splits))
