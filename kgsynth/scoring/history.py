"""The history of runs of ``score``, in one SQLite file: the metrics of each run and when it was scored.

``History.add`` reads a folder that ``score`` wrote; ``entries`` returns the runs, oldest first. They are shown by
``kgsynth.comparison.history``.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from kgsynth.base.database import Database
from kgsynth.base.errors import InputError
from kgsynth.scoring.run_results import read_scores

INDEX_NAME = "history.sqlite"
"""The default name of the index, which lies beside the run folders."""

_MAX_NAMED = 10
_APPLICATION_ID = 0x6B676869  # "kghi"
_SCHEMA = (
    "CREATE TABLE runs (id INTEGER PRIMARY KEY, happened TEXT NOT NULL, folder TEXT NOT NULL, golden TEXT NOT NULL, "
    "system TEXT NOT NULL, signature TEXT NOT NULL, content TEXT NOT NULL, scores TEXT NOT NULL, "
    "UNIQUE (folder, golden, signature, content))",
)
_INSERT = (
    "INSERT INTO runs (happened, folder, golden, system, signature, content, scores) VALUES (?, ?, ?, ?, ?, ?, ?) "
    "ON CONFLICT DO NOTHING"
)
_SELECT = "SELECT id, happened, folder, scores, content FROM runs ORDER BY happened, id"


@dataclass(frozen=True, slots=True)
class MetricValue:
    """One metric of a run, with its 95 % interval if it has one."""

    value: float
    ci95: tuple[float, float] | None = None


@dataclass(frozen=True, slots=True)
class Entry:
    """One run: when it was scored (UTC), its folder, and its results.

    ``metrics`` has every metric with a value, including resources, own metrics and ``overall``. ``passed`` is None for
    a run without gates and thresholds. ``content`` is the hash of its scores.json; ``weights`` are those of
    ``overall``.
    """

    id: int
    when: str
    folder: str
    golden: str
    system: str
    signature: str
    n_items: int
    n_errors: int
    metrics: Mapping[str, MetricValue]
    passed: bool | None
    content: str
    weights: Mapping[str, float] = field(default_factory=dict)


class History:
    """The index of runs in one file, to which several processes may write.

    Example:
        >>> import tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     run = Path(folder, "bm25")
        ...     run.mkdir()
        ...     scores = '{"golden": "sha256:1f", "system": "bm25", "signature": "bm25|k1:1.2", "n_items": 2, '
        ...     _ = (run / "scores.json").write_text(scores + '"n_errors": 0, "metrics": {"mrr": {"value": 0.5}}}')
        ...     history = History(Path(folder, INDEX_NAME))
        ...     history.add(run)
        ...     [(entry.folder, entry.metrics["mrr"].value) for entry in history.entries()]
        ...     history.close()
        [('bm25', 0.5)]
    """

    def __init__(self, path: Path, *, create: bool = True) -> None:
        self.path = path
        self._database = Database(path, _SCHEMA, _APPLICATION_ID, create=create)

    def add(self, folder: Path) -> None:
        """Add the run in ``folder``, dated by when its scores.json was written.

        The same scores for the same folder, golden set and system are added only once.

        Raises:
            InputError: the folder has no readable scores.json, or the index cannot be used.
        """
        scores, content, happened = _read(folder)
        path = _relative(folder, self.path.parent)
        columns = (happened, path, scores["golden"], scores["system"], scores["signature"], content)
        stored = {name: scores.get(name) for name in _STORED_KEYS}
        with self._database.transaction() as connection:
            connection.execute(_INSERT, (*columns, json.dumps(stored, ensure_ascii=False)))

    def entries(self, golden: str = "", system: str = "") -> list[Entry]:
        """Return the runs, oldest first; only those whose golden hash starts with ``golden``, and of ``system``.

        Raises:
            InputError: the index cannot be used.
        """
        with self._database.snapshot() as connection:
            rows = connection.execute(_SELECT).fetchall()
        prefix = golden.removeprefix(_SHA)
        return [
            entry
            for entry in (_entry(*row) for row in rows)
            if entry.golden.removeprefix(_SHA).startswith(prefix) and system in ("", entry.system)
        ]

    def close(self) -> None:
        """Close the file."""
        self._database.close()


def add_run(folder: Path, index: Path | None = None) -> str:
    """Add the run in ``folder`` to ``index``, by default the one beside the folder; return why not, "" if it was added.

    A problem raises no error, because the run itself is complete.
    """
    history = History(index or folder.resolve().parent / INDEX_NAME)
    try:
        history.add(folder)
    except (InputError, OSError) as error:
        return f"the run was not added to the history: {error}"
    finally:
        history.close()
    return ""


_SHA = "sha256:"
_RUN_KEYS = ("golden", "system", "signature", "n_items", "n_errors")
_STORED_KEYS = (*_RUN_KEYS, "metrics", "own_metrics", "resources", "overall", "gates", "thresholds", "questions")


def short_hash(golden: str) -> str:
    """Return the first eight letters of a golden set's hash.

    Example:
        >>> short_hash("sha256:0123456789abcdef")
        '01234567'
    """
    return golden.removeprefix(_SHA)[:8]


def index_path(place: Path) -> Path:
    """Return the index file that ``place`` means: the file itself, or a folder that holds one.

    Example:
        >>> index_path(Path("no/such/runs")).name, index_path(Path("all.sqlite")).name
        ('history.sqlite', 'all.sqlite')
    """
    return place / INDEX_NAME if place.is_dir() or not place.suffix else place


def find_index(folder: Path) -> Path:
    """Return the index in ``folder``, or the only one below it.

    Raises:
        InputError: there is none, or there are several below the folder and none in it.
    """
    found = sorted(folder.rglob(INDEX_NAME))
    if folder / INDEX_NAME in found:
        return folder / INDEX_NAME
    if not found:
        raise InputError(f"no {INDEX_NAME} in or below {folder}; score with -o, or give its path")
    if len(found) > 1:
        named = [*map(str, found[:_MAX_NAMED]), *(["…"] if len(found) > _MAX_NAMED else [])]
        raise InputError(f"{len(found)} histories below {folder}: {', '.join(named)}; give one of them")
    return found[0]


def _read(folder: Path) -> tuple[dict[str, Any], str, str]:
    """Return the contents of scores.json, its hash, and when it was written."""
    path = folder / "scores.json"
    try:
        content = path.read_bytes()
        scores = read_scores(content, str(path), (*_RUN_KEYS, "metrics"))
    except (OSError, InputError) as error:
        raise InputError(
            f"{folder} has no readable scores.json ({error}): give a folder that kgsynth score wrote with -o"
        ) from None
    written = datetime.fromtimestamp(path.stat().st_mtime, UTC)
    return scores, hashlib.sha256(content).hexdigest(), written.isoformat(timespec="milliseconds")


def _relative(folder: Path, base: Path) -> str:
    """Return the folder relative to the index if it lies below it, so that both can be moved; otherwise in full."""
    full, root = folder.resolve(), base.resolve()
    return full.relative_to(root).as_posix() if full.is_relative_to(root) else full.as_posix()


def _entry(number: int, happened: str, folder: str, text: str, content: str) -> Entry:
    scores = read_scores(text.encode(), f"run {number} of the history", _STORED_KEYS[:6])
    values = {**scores["metrics"], **(scores.get("own_metrics") or {}), **(scores.get("resources") or {})}
    metrics = {
        name: MetricValue(value["value"], tuple(value["ci95"]) if value.get("ci95") else None)
        for name, value in values.items()
        if value["value"] is not None
    }
    overall = scores.get("overall") or {}
    if overall.get("value") is not None:
        metrics["overall"] = MetricValue(overall["value"])
    verdicts = [gate["passed"] for gate in scores.get("gates") or ()]
    verdicts += [threshold["level"] != "failed" for threshold in scores.get("thresholds") or ()]
    counts = scores.get("questions")  # which runs of earlier versions lack
    if counts and counts.get("not checked", 0) == scores["n_items"]:
        verdicts.append(False)
    return Entry(
        id=number,
        when=happened,
        folder=folder,
        metrics=metrics,
        passed=all(verdicts) if verdicts else None,
        content=content,
        weights=overall.get("weights") or {},
        **{name: scores[name] for name in _RUN_KEYS},
    )
