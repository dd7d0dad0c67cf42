"""Every run of ``score`` in one SQLite file: what each came to, and when, so that a change for the worse is seen.

``History.enter`` reads a folder that ``score`` wrote, ``entries`` gives the runs oldest first. ``telling`` is that as a
table with a small trend, ``plot`` as a picture, ``export`` hands it to MLflow. Left out: what moved between two runs,
which is the business of ``compare``.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from kgsynth.base.database import Database
from kgsynth.base.errors import InputError

NAME = "history.sqlite"
"""The name of the index, which lies beside the run folders when nothing else is said."""

_KIND = 0x6B676869  # "kghi"
_SCHEMA = (
    "CREATE TABLE runs (id INTEGER PRIMARY KEY, happened TEXT NOT NULL, folder TEXT NOT NULL, golden TEXT NOT NULL, "
    "system TEXT NOT NULL, signature TEXT NOT NULL, content TEXT NOT NULL, scores TEXT NOT NULL, "
    "UNIQUE (folder, golden, signature, content))",
)
_ADD = (
    "INSERT INTO runs (happened, folder, golden, system, signature, content, scores) VALUES (?, ?, ?, ?, ?, ?, ?) "
    "ON CONFLICT DO NOTHING"
)
_READ = "SELECT id, happened, folder, scores, content FROM runs ORDER BY happened, id"


@dataclass(frozen=True, slots=True)
class Figure:
    """One metric of a run, with its 95 % interval where it has one."""

    value: float
    ci95: tuple[float, float] | None = None


@dataclass(frozen=True, slots=True)
class Entry:
    """One run: when it was scored (UTC), where it lies, what it came to.

    ``metrics`` has every metric with a value, those of resources and the user's own among them, and ``overall``.
    ``passed`` is None for a run without gates and thresholds. ``content`` is the hash of its scores.json.
    """

    id: int
    when: str
    folder: str
    golden: str
    system: str
    signature: str
    n_items: int
    n_errors: int
    metrics: Mapping[str, Figure]
    passed: bool | None
    content: str

    def to_json(self) -> dict[str, object]:
        """Return the entry as plain values."""
        return asdict(self)


class History:
    """The index in one file, which several processes may write.

    Example:
        >>> import tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     run = Path(folder, "bm25")
        ...     run.mkdir()
        ...     scores = '{"golden": "sha256:1f", "system": "bm25", "signature": "bm25|k1:1.2", "n_items": 2, '
        ...     _ = (run / "scores.json").write_text(scores + '"n_errors": 0, "metrics": {"mrr": {"value": 0.5}}}')
        ...     history = History(Path(folder, NAME))
        ...     history.enter(run)
        ...     [(entry.folder, entry.metrics["mrr"].value) for entry in history.entries()]
        ...     history.close()
        [('bm25', 0.5)]
    """

    def __init__(self, path: Path, *, create: bool = True) -> None:
        self.path = path
        self._database = Database(path, _SCHEMA, _KIND, create=create)

    def enter(self, folder: Path) -> None:
        """Enter the run in ``folder``; when it was run is when its scores.json was written.

        The same scores of the same folder, questions and system are one entry, the first.

        Raises:
            InputError: the folder holds no scores.json that can be read, or the index cannot be used.
        """
        scores, content, happened = _read(folder)
        where = _relative(folder, self.path.parent)
        key = (happened, where, scores["golden"], scores["system"], scores["signature"], content)
        kept = {name: scores.get(name) for name in _KEPT}
        with self._database.transaction() as connection:
            connection.execute(_ADD, (*key, json.dumps(kept, ensure_ascii=False)))

    def entries(self, golden: str = "", system: str = "") -> list[Entry]:
        """Return the runs, oldest first: those whose golden hash begins with ``golden``, those of one ``system``.

        Raises:
            InputError: the index cannot be used.
        """
        with self._database.snapshot() as connection:
            rows = connection.execute(_READ).fetchall()
        found = [_entry(*row) for row in rows]
        begin = golden.removeprefix(_SHA)
        return [
            entry
            for entry in found
            if entry.golden.removeprefix(_SHA).startswith(begin) and system in ("", entry.system)
        ]

    def close(self) -> None:
        """Close the file."""
        self._database.close()


_SHA = "sha256:"
_HEAD = ("golden", "system", "signature", "n_items", "n_errors")
_KEPT = (*_HEAD, "metrics", "own_metrics", "resources", "overall", "gates", "thresholds")


def short(golden: str) -> str:
    """Return the first letters of a golden set's hash, enough to tell two apart.

    Example:
        >>> short("sha256:0123456789abcdef")
        '01234567'
    """
    return golden.removeprefix(_SHA)[:8]


def index_of(place: Path) -> Path:
    """Return the index that ``place`` means: a file, or a folder that holds one.

    Example:
        >>> index_of(Path("no/such/runs")).name, index_of(Path("all.sqlite")).name
        ('history.sqlite', 'all.sqlite')
    """
    return place / NAME if place.is_dir() or not place.suffix else place


def _read(folder: Path) -> tuple[dict[str, Any], str, str]:
    """Return what scores.json says, its hash, and when it was written."""
    path = folder / "scores.json"
    try:
        content = path.read_bytes()
        scores = json.loads(content)
        missing = [name for name in (*_HEAD, "metrics") if name not in scores]
        if missing:
            raise ValueError(f"it has no {missing[0]}")
    except (OSError, ValueError, TypeError) as error:
        raise InputError(
            f"{folder} holds no scores.json that can be read ({error}): give a folder that kgsynth score wrote with -o"
        ) from None
    written = datetime.fromtimestamp(path.stat().st_mtime, UTC)
    return scores, hashlib.sha256(content).hexdigest(), written.isoformat(timespec="milliseconds")


def _relative(folder: Path, base: Path) -> str:
    """Return the folder as seen from the index, so that both may be moved together; else in full."""
    whole, root = folder.resolve(), base.resolve()
    return whole.relative_to(root).as_posix() if whole.is_relative_to(root) else whole.as_posix()


def _entry(number: int, happened: str, folder: str, text: str, content: str) -> Entry:
    scores = json.loads(text)
    values = {**scores["metrics"], **(scores["own_metrics"] or {}), **(scores["resources"] or {})}
    metrics = {
        name: Figure(value["value"], tuple(value["ci95"]) if value.get("ci95") else None)
        for name, value in values.items()
        if value["value"] is not None
    }
    overall = (scores["overall"] or {}).get("value")
    if overall is not None:
        metrics["overall"] = Figure(overall)
    verdicts = [gate["passed"] for gate in scores["gates"] or ()]
    verdicts += [held["level"] != "failed" for held in scores["thresholds"] or ()]
    head = {name: scores[name] for name in _HEAD}
    return Entry(
        id=number,
        when=happened,
        folder=folder,
        metrics=metrics,
        passed=all(verdicts) if verdicts else None,
        content=content,
        **head,
    )
