"""The annotations of one review in a SQLite file, and which items are under review."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, cast

from kgsynth.base.database import Database
from kgsynth.base.errors import ConfigError, InputError
from kgsynth.base.json_reading import parse_json
from kgsynth.base.records import Item, content_id
from kgsynth.golden.dataset import Dataset
from kgsynth.golden.item_json import from_json, to_json
from kgsynth.reviewing.annotation import Annotation, parse_annotation
from kgsynth.reviewing.subject import Subject
from kgsynth.scoring.inputs import SAMPLE_SEED, sample_size

# The annotations of one review in a SQLite file: nothing is deleted, the newest annotation of an item counts.
#
# The file also stores which items are reviewed and in which order, so all annotators see the same, and the questions
# that annotators added, which are not under review. Of the times only the days go into the reviewed set.

_SUFFIX = ".review.sqlite"
_ADDED = "added "
_APPLICATION_ID = 0x6B677276  # "kgrv"
_SCHEMA = (
    "CREATE TABLE about (name TEXT PRIMARY KEY, value TEXT NOT NULL)",
    "CREATE TABLE items (place INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, content TEXT NOT NULL)",
    "CREATE TABLE judgements (id INTEGER PRIMARY KEY, at TEXT NOT NULL DEFAULT "
    "(strftime('%Y-%m-%dT%H:%M:%fZ', 'now')), annotator TEXT NOT NULL, item TEXT NOT NULL, said TEXT NOT NULL)",
    "CREATE INDEX spoken ON judgements (annotator, item)",
)
_INSERT = "INSERT INTO judgements (annotator, item, said) VALUES (?, ?, ?)"
_SELECT_NEWEST = (
    "SELECT annotator, item, said, substr(at, 1, 10) FROM judgements WHERE id IN "
    "(SELECT max(id) FROM judgements GROUP BY annotator, item)"
)


@dataclass(frozen=True, slots=True)
class SavedAnnotation:
    """The newest annotation of one item by one annotator, saved on the day ``at`` (UTC)."""

    annotator: str
    item: str
    annotation: Annotation
    at: str = ""


class ReviewStore:
    """The file of one review, to which several processes may write.

    Every write is on the disk when it returns; SQLite guarantees that even for a power failure.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._database = Database(path, _SCHEMA, _APPLICATION_ID)
        self._mode = "questions"

    def begin(self, subject: Subject, sample: str | None = None, seed: int | None = None) -> tuple[str, ...]:
        """Return the ids of the items under review, in order; the first call draws the sample and stores it.

        Raises:
            ConfigError: the sample is not possible, or differs from the one the review began with.
            InputError: an item under review was changed or removed.
        """
        self._mode = subject.mode
        first_seed = SAMPLE_SEED if seed is None else seed
        drawn = [item.id for item in _sample(subject, sample, first_seed)]  # what is invalid must not create a file
        with self._database.transaction() as connection:
            rows = connection.execute("SELECT id, content FROM items ORDER BY place").fetchall()
            about = dict(connection.execute("SELECT name, value FROM about").fetchall())
            if not rows:
                about = {"of": subject.mode, "sample": sample or "", "seed": str(first_seed)}
                rows = [(key, subject.content_hash(subject.by_id[key])) for key in drawn]
                connection.executemany("INSERT INTO about VALUES (?, ?)", sorted(about.items()))
                connection.executemany("INSERT INTO items (id, content) VALUES (?, ?)", rows)
        self._check_same(about, rows, subject)
        for name, value in {"sample": sample, "seed": seed}.items():
            if value is not None and str(value) != about[name]:
                raise ConfigError(
                    f"the review in {self.path} began with --{name} {about[name] or '100%'}, not {value}: omit the "
                    "option to continue it, or begin another review with -o"
                )
        return tuple(item for item, _ in rows)

    def _check_same(self, about: dict[str, str], rows: list[tuple[str, str]], subject: Subject) -> None:
        if about["of"] != subject.mode:
            raise InputError(f"{self.path} is a review of {about['of']}, not of {subject.mode}: give another with -o")
        now = {key: subject.content_hash(item) for key, item in subject.by_id.items()}
        changed = [item for item, content in rows if content != now.get(item)]
        if changed:
            raise InputError(
                f"{len(changed)} of the {len(rows)} items under review, such as {changed[0]}, were changed in or "
                f"removed from {subject.name} since the review in {self.path} began: begin another with -o"
            )

    def seed(self) -> int:
        """Return the seed that the review began with."""
        with self._database.snapshot() as connection:
            return int(dict(connection.execute("SELECT name, value FROM about").fetchall())["seed"])

    def save(self, annotator: str, annotations: Iterable[tuple[str, Annotation]]) -> int:
        """Save an annotator's annotations of items (by id), and return how many are new or changed.

        Names are compared without regard to case: "anna" continues the work of "Anna".

        Raises:
            ValueError: an item is not under review.
            InputError: the file cannot be written.
        """
        new = 0
        with self._database.transaction() as connection:
            under_review = {item for (item,) in connection.execute("SELECT id FROM items")}
            saved = {(name, item): values for name, item, values, _ in connection.execute(_SELECT_NEWEST)}
            annotator = _known_spelling(annotator, (name for name, _ in saved))
            for item, annotation in annotations:
                if item not in under_review:
                    raise ValueError(f"the item {item!r} is not under review")
                values = json.dumps(annotation.to_json(), ensure_ascii=False)
                if values != saved.get((annotator, item), json.dumps(Annotation().to_json())):
                    connection.execute(_INSERT, (annotator, item, values))
                    new += 1
        return new

    def annotations(self, annotator: str | None = None) -> list[SavedAnnotation]:
        """Return the newest annotations of all annotators, or of one, sorted by annotator and item."""
        with self._database.snapshot() as connection:
            rows: list[tuple[str, str, str, str]] = connection.execute(_SELECT_NEWEST).fetchall()
        wanted = None if annotator is None else annotator.casefold()
        return [
            SavedAnnotation(name, item, self._parsed(name, item, values), at)
            for name, item, values, at in sorted(rows)
            if wanted in (None, name.casefold())
        ]

    def _parsed(self, name: str, item: str, values: str) -> Annotation:
        try:
            return parse_annotation(parse_json(values), self._mode)
        except ValueError as error:
            raise InputError(
                f"{self.path} is damaged: what {name} said about {item} cannot be read ({error}); begin another review "
                "with -o"
            ) from None

    def add(self, annotator: str, item: Item) -> None:
        """Add a question that an annotator wrote, who accepts it thereby."""
        day = datetime.now(UTC).date().isoformat()
        decision = {"annotator": self.spelling(annotator), "decision": "accept", "at": day}
        added = replace(item, metadata={**item.metadata, "review": {"decisions": [decision]}})
        row = (f"{_ADDED}{item.id}", json.dumps(to_json(added), ensure_ascii=False))
        with self._database.transaction() as connection:
            connection.execute("INSERT OR IGNORE INTO about VALUES (?, ?)", row)

    def added(self) -> tuple[Item, ...]:
        """Return the questions that annotators added, by id."""
        with self._database.snapshot() as connection:
            rows = connection.execute("SELECT name, value FROM about ORDER BY name").fetchall()
        return tuple(from_json(cast(dict[str, Any], parse_json(row))) for name, row in rows if name.startswith(_ADDED))

    def spelling(self, annotator: str) -> str:
        """Return an annotator's name as it was first spelt."""
        return _known_spelling(annotator, self.decided_counts())

    def decided_counts(self) -> dict[str, int]:
        """Return how many items each annotator has decided, by name."""
        counts: dict[str, int] = {}
        for saved in self.annotations():
            counts[saved.annotator] = counts.get(saved.annotator, 0) + bool(saved.annotation.decision)
        return counts

    def close(self) -> None:
        """Close the file."""
        self._database.close()


def review_id(ids: Iterable[str]) -> str:
    """Return the id of a review, the same for all who review these items in this order."""
    return content_id("r", *ids)


def store_path(place: Path, out: Path | None = None, versus: Path | None = None) -> Path:
    """Return the file of a review: beside the file that is under review, or in the folder ``out``.

    A comparison with the answers in ``versus`` has its own file.

    Example:
        >>> store_path(Path("sets/golden.jsonl")).as_posix(), store_path(Path("golden.jsonl"), Path("mine")).as_posix()
        ('sets/golden.review.sqlite', 'mine/golden.review.sqlite')
    """
    other = f".versus.{versus.resolve().name.removesuffix('.jsonl')}" if versus else ""
    return (out or place.parent) / f"{place.stem}{other}{_SUFFIX}"


def _known_spelling(annotator: str, names: Iterable[str]) -> str:
    return {name.casefold(): name for name in names}.get(annotator.casefold(), annotator)


def _sample(subject: Subject, sample: str | None, seed: int) -> Dataset:
    dataset = Dataset(subject.items)
    return dataset.sample(sample_size(sample, len(dataset)), seed=seed) if sample else dataset
