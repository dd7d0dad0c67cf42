"""What annotators said, in one SQLite file: nothing is ever taken out, the last word on an item is the one that holds.

The file remembers which items are reviewed and in which order, so that all annotators see the same. Times are stored
for whoever looks into it; nothing that is read here depends on them.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kgsynth.base.database import Database
from kgsynth.base.errors import ConfigError, InputError
from kgsynth.base.records import content_id
from kgsynth.golden.dataset import Dataset
from kgsynth.reviewing.judgement import Judgement, read
from kgsynth.reviewing.subject import Subject
from kgsynth.scoring.sampling import SAMPLE_SEED, sample_size

ENDING = ".review.sqlite"
"""What the name of a review's file ends with."""

_KIND = 0x6B677276  # "kgrv"
_SCHEMA = (
    "CREATE TABLE about (name TEXT PRIMARY KEY, value TEXT NOT NULL)",
    "CREATE TABLE items (place INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, content TEXT NOT NULL)",
    "CREATE TABLE judgements (id INTEGER PRIMARY KEY, at TEXT NOT NULL DEFAULT "
    "(strftime('%Y-%m-%dT%H:%M:%fZ', 'now')), annotator TEXT NOT NULL, item TEXT NOT NULL, said TEXT NOT NULL)",
    "CREATE INDEX spoken ON judgements (annotator, item)",
)
_ADD = "INSERT INTO judgements (annotator, item, said) VALUES (?, ?, ?)"
_LAST = (
    "SELECT annotator, item, said FROM judgements WHERE id IN (SELECT max(id) FROM judgements GROUP BY annotator, item)"
)


@dataclass(frozen=True, slots=True)
class Said:
    """The last word of one annotator on one item."""

    annotator: str
    item: str
    judgement: Judgement


class Store:
    """The file of one review, which several processes may write.

    Every write is on the disk when it returns (SQLite's own guarantee, so it holds for a power cut too).
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._database = Database(path, _SCHEMA, _KIND)
        self._of = "questions"

    def begin(self, subject: Subject, sample: str | None = None, seed: int | None = None) -> tuple[str, ...]:
        """Return the ids of the items under review, in order: drawn by type the first time, remembered from then on.

        Raises:
            ConfigError: the sample cannot be, or is not the one the review was begun with.
            InputError: an item under review was changed or is gone.
        """
        self._of = subject.of
        drawn = _draw(subject, sample, SAMPLE_SEED if seed is None else seed)  # fails before a file is made
        with self._database.transaction() as connection:
            rows = connection.execute("SELECT id, content FROM items ORDER BY place").fetchall()
            about = dict(connection.execute("SELECT name, value FROM about").fetchall())
            if not rows:
                wanted = {"of": subject.of, "sample": sample or "", "seed": str(SAMPLE_SEED if seed is None else seed)}
                rows = [(item.id, subject.content(item)) for item in drawn]
                connection.executemany("INSERT INTO about VALUES (?, ?)", sorted(wanted.items()))
                connection.executemany("INSERT INTO items (id, content) VALUES (?, ?)", rows)
                return tuple(each for each, _ in rows)
        self._same(about, rows, subject)
        told = {"sample": sample, "seed": None if seed is None else str(seed)}
        for name, value in told.items():
            if value is not None and value != about[name]:
                raise ConfigError(
                    f"{self.path} was begun with --{name} {about[name] or '100%'}, not {value}: leave it out to go on, "
                    "or begin another review with -o"
                )
        return tuple(each for each, _ in rows)

    def _same(self, about: dict[str, str], rows: list[tuple[str, str]], subject: Subject) -> None:
        if about["of"] != subject.of:
            raise InputError(f"{self.path} is a review of {about['of']}, not of {subject.of}: give another with -o")
        now = {item.id: subject.content(item) for item in subject.items}
        changed = [item for item, content in rows if now.get(item) != content]
        if changed:
            raise InputError(
                f"{len(changed)} of the {len(rows)} items under review, {changed[0]} among them, were changed or are "
                f"gone from {subject.name} since the review in {self.path} began: begin another with -o"
            )

    def say(self, annotator: str, judgements: Iterable[tuple[str, Judgement]]) -> int:
        """Keep what an annotator says of items, and return how many of them are new or another than before.

        A name goes by how it was first spelt: "anna" goes on where "Anna" stopped.

        Raises:
            ValueError: an item is not under review.
            InputError: the file cannot be written.
        """
        told = 0
        with self._database.transaction() as connection:
            under = {item for (item,) in connection.execute("SELECT id FROM items")}
            held = {(name, item): said for name, item, said in connection.execute(_LAST)}
            annotator = _known(annotator, (name for name, _ in held))
            for item, judgement in judgements:
                if item not in under:
                    raise ValueError(f"the item {item!r} is not under review")
                said = json.dumps(judgement.to_json(), ensure_ascii=False)
                if said != held.get((annotator, item), json.dumps(Judgement().to_json())):
                    connection.execute(_ADD, (annotator, item, said))
                    told += 1
        return told

    def said(self, annotator: str | None = None) -> list[Said]:
        """Return the last words of all annotators, or of one, by annotator and item."""
        with self._database.snapshot() as connection:
            rows: list[tuple[str, str, str]] = connection.execute(_LAST).fetchall()
        wanted = None if annotator is None else annotator.casefold()
        return [
            Said(name, item, read(json.loads(said), self._of))
            for name, item, said in sorted(rows)
            if wanted in (None, name.casefold())
        ]

    def name(self, annotator: str) -> str:
        """Return an annotator's name as it was first spelt."""
        return _known(annotator, self.annotators())

    def annotators(self) -> dict[str, int]:
        """Return how many items each annotator has decided, by name."""
        with self._database.snapshot() as connection:
            rows: list[Any] = connection.execute(_LAST).fetchall()
        done: dict[str, int] = {}
        for name, _, said in sorted(rows):
            done[name] = done.get(name, 0) + bool(json.loads(said)["decision"])
        return done

    def close(self) -> None:
        """Close the file."""
        self._database.close()


def key(ids: Iterable[str]) -> str:
    """Return the name of a review, the same for all who review these items in this order."""
    return content_id("r", *ids)


def store_of(place: Path, out: Path | None = None) -> Path:
    """Return the file of a review: beside the file that is under review, or in the folder ``out``.

    Example:
        >>> store_of(Path("sets/golden.jsonl")).as_posix(), store_of(Path("golden.jsonl"), Path("mine")).as_posix()
        ('sets/golden.review.sqlite', 'mine/golden.review.sqlite')
    """
    return (out or place.parent) / f"{place.stem}{ENDING}"


def _known(annotator: str, names: Iterable[str]) -> str:
    return {name.casefold(): name for name in names}.get(annotator.casefold(), annotator)


def _draw(subject: Subject, sample: str | None, seed: int) -> Dataset:
    dataset = Dataset(subject.items)
    return dataset.sample(sample_size(sample, len(dataset)), seed=seed) if sample else dataset
