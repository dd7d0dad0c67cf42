"""Ask a system the questions that estimate one metric of the whole set, by what earlier runs tell (``score --until``).

``stopping`` chooses the questions, gives the interval, and checks on earlier runs that it would have held.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from kgsynth.base.errors import ConfigError, InputError
from kgsynth.base.progress import Progress, Stage, silent
from kgsynth.base.records import Item
from kgsynth.scoring.adaptive.stopping import estimate_mean, try_on_past
from kgsynth.scoring.answer_cases import match_answers, read_answers
from kgsynth.scoring.history import INDEX_NAME, Entry, History
from kgsynth.scoring.inputs import ScoringInputs
from kgsynth.scoring.measurable import keep_measurable
from kgsynth.scoring.metrics import ScoredCase
from kgsynth.scoring.metrics.criteria import ALWAYS_MEASURED
from kgsynth.scoring.metrics.item_score import ItemScore
from kgsynth.scoring.metrics.lookup import nearest_to_five
from kgsynth.scoring.metrics.measure import measure_cases
from kgsynth.scoring.metrics.summary import SetEstimate, cluster
from kgsynth.scoring.run_results import read_items
from kgsynth.scoring.systems import System
from kgsynth.scoring.systems.ask_all import SystemAnswers, ask_all
from kgsynth.show.wording import many
from kgsynth.statistics.item_response import fit_responses

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

PASSED = "pass_rate"
LEAST_RUNS = 5
"""With fewer runs the model predicts little, and the check on them proves nothing (benchmarks/adaptive.py)."""

Lines = Mapping[str, Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class PastRuns:
    """The values of ``metric`` in earlier runs: ``table`` (runs, questions), nan where a run has none.

    ``ids`` are the questions of the columns: those of the set that have a value in any run.
    """

    metric: str
    ids: tuple[str, ...]
    table: NDArray[np.float64]


def read_past_runs(index: Path, golden: str, ids: Sequence[str], metrics: Sequence[str]) -> PastRuns:
    """Return the earlier runs on the whole golden set with the hash ``golden``, whose questions are ``ids``.

    The metric is the pass rate if all runs have answers to compare, else recall at the cut-off of ``metrics`` that is
    nearest 5. Runs with the same value on every question count once, and runs whose folder was written again or is gone
    do not count.

    Raises:
        InputError: there are too few.
    """
    import numpy as np

    runs = list(_read_runs(index, golden, ids)) if index.is_file() else []
    metric = _metric(runs, metrics)
    rows = dict.fromkeys(tuple(_value(run[key], metric) for key in ids) for run in runs) if metric else {}
    useful = [row for row in rows if any(value is not None for value in row)]
    if len(useful) < LEAST_RUNS:
        raise InputError(
            f"--until needs {LEAST_RUNS} earlier runs of the whole golden set with different results, and {index} has "
            f"{len(useful)}: first score other systems or settings without --until, with -o in the same folder"
        )
    table = np.array([[np.nan if value is None else value for value in row] for row in useful], dtype=float)
    known = ~np.isnan(table).all(axis=0)
    return PastRuns(metric, tuple(key for key, kept in zip(ids, known, strict=True) if kept), table[:, known])


def _read_runs(index: Path, golden: str, ids: Sequence[str]) -> Iterator[Lines]:
    """Yield the lines of items.jsonl of each run that the history still describes."""
    history = History(index, create=False)
    try:
        entries = history.entries(golden)
    finally:
        history.close()
    for entry in entries:
        folder = index.resolve().parent / entry.folder
        if _is_present(entry, folder):
            lines = read_items(folder, ("metrics", "state"))
            if set(ids) <= set(lines):
                yield lines


def _is_present(entry: Entry, folder: Path) -> bool:
    path = folder / "scores.json"
    return path.is_file() and hashlib.sha256(path.read_bytes()).hexdigest() == entry.content


def _metric(runs: Sequence[Lines], metrics: Sequence[str]) -> str:
    """Return the metric that every run can be estimated by, "" if there is none."""
    if runs and all(any(line["metrics"].get("em") is not None for line in run.values()) for run in runs):
        return PASSED
    return nearest_to_five(name for name in metrics if name.startswith("recall@"))


def _value(line: Mapping[str, Any], metric: str) -> float | None:
    if metric == PASSED:
        return {"passed": 1.0, "failed": 0.0}.get(line["state"])
    value: float | None = line["metrics"].get(metric)
    return value


_AskItems = Callable[[Sequence[Item]], SystemAnswers]


class Aim(NamedTuple):
    """What to estimate, from which earlier runs, and the half width of the interval at which to stop."""

    past: PastRuns
    half_width: float


def open_aim(half_width: float, inputs: ScoringInputs, folder: Path | None, index: Path | Literal[False] | None) -> Aim:
    """Read the earlier runs from ``index``, by default the one beside ``folder``.

    Raises:
        ConfigError: there is no ``folder``, the half width is out of range, or an option does not go with ``--until``.
        InputError: there are too few earlier runs.
    """
    if folder is None:
        raise ConfigError("--until needs earlier runs of this golden set: give a folder beside theirs with -o")
    if not 0 < half_width < 0.5:
        raise ConfigError(f"--until {half_width:g} is not a half width between 0 and 0.5: give one such as 0.03")
    if inputs.plan.sample or inputs.plan.semantic:
        option = "--sample" if inputs.plan.sample else "--semantic"
        raise ConfigError(f"--until chooses the questions for one metric of the whole set: leave out {option}")
    where = index or folder.resolve().parent / INDEX_NAME
    ids = [item.id for item in inputs.items]
    return Aim(read_past_runs(where, inputs.golden, ids, inputs.metric_names), half_width)


def ask_some(
    inputs: ScoringInputs, aim: Aim, system: System, folder: Path | None, progress: Progress, **again: bool
) -> tuple[ScoringInputs, SystemAnswers]:
    """Ask until the interval of the metric is narrow enough; ``again`` is for ``ask_all``.

    Return the answers, and the inputs with the estimate and only the questions that were asked, under a hash of their
    own. The golden set and the signature of the system decide which questions are drawn at random.

    Raises:
        InputError: the interval would have missed too many of the earlier runs, or the system gives no value.
    """
    past, half_width = aim
    items = {item.id: item for item in inputs.items}
    chosen = [items[key] for key in past.ids]
    documents = [cluster(item) for item in chosen]
    seed = int(hashlib.sha256(f"{inputs.golden}\0{system.signature}".encode()).hexdigest()[:12], 16)
    trial = try_on_past(past.table, documents, half_width, seed)
    if trial.missed > trial.allowed:
        raise InputError(
            f"the interval of --until {half_width:g} would have missed {past.metric} of {trial.missed} of the "
            f"{trial.runs} earlier runs, so it cannot be trusted: score the whole set without --until"
        )
    with progress("asking", None) as stage:
        rounds = _Rounds(system, _hash_of(inputs.golden, "--until"), folder, stage, again)
        measured = _Measured(inputs, past.metric, chosen, rounds.ask)
        mean, low, high, asked = estimate_mean(fit_responses(past.table), documents, measured.values, half_width, seed)
    measured.answers.reused, measured.answers.reuse = rounds.reused, rounds.reuse
    estimate = SetEstimate(past.metric, mean, (low, high), asked, len(chosen), half_width, trial.runs)
    return replace(measured.inputs, estimate=estimate), measured.answers


def _hash_of(*parts: str) -> str:
    """Return the hash under which a part of a golden set is known; answers to the whole set are kept apart from it."""
    return f"sha256:{hashlib.sha256(chr(10).join(parts).encode()).hexdigest()}"


class _Rounds:
    """Asks a system in rounds, each with the questions of the rounds before, whose answers are reused."""

    def __init__(self, system: System, golden: str, folder: Path | None, stage: Stage, again: dict[str, bool]) -> None:
        self._system, self._golden, self._folder = system, golden, folder
        self._stage, self._again = stage, again
        self._done = self.reused = 0

    @property
    def reuse(self) -> str:
        """The sentence on answers of an earlier run, "" if there are none."""
        return f"{many(self.reused, 'answer')} reused from an earlier run in {self._folder}" if self.reused else ""

    def ask(self, items: Sequence[Item]) -> SystemAnswers:
        """Return the answers to all items, the last of which are new."""
        answers = ask_all(items, self._system, self._golden, self._folder, silent, **self._again)
        self.reused += max(0, answers.reused - self._done)
        self._stage.update(len(items) - self._done)
        self._done, self._again = len(items), {}
        return answers


class _Measured:
    """What was asked so far, and its values; ``values`` asks more."""

    def __init__(self, inputs: ScoringInputs, metric: str, items: Sequence[Item], ask: _AskItems) -> None:
        self._all, self._metric, self._items, self._ask = inputs, metric, items, ask
        self._asked: list[int] = []
        self._cases: list[ScoredCase] = []
        self.answers = SystemAnswers()

    @property
    def inputs(self) -> ScoringInputs:
        """The inputs with only the questions that were asked, in the order of the set."""
        ids = {self._items[at].id for at in self._asked}
        kept = [item for item in self._all.items if item.id in ids]
        return replace(self._all, items=kept, golden=_hash_of(self._all.golden, *(item.id for item in kept)))

    def values(self, questions: Sequence[int]) -> NDArray[np.float64]:
        """Ask the questions with these numbers; return the value of every question, nan where it was not asked."""
        import numpy as np

        self._asked += questions
        self.answers = self._ask([self._items[at] for at in self._asked])
        new = [self._items[at] for at in questions]
        some = replace(self._all, items=new)
        given, _ = read_answers(some, SystemAnswers((item.id, self.answers[item.id]) for item in new))
        self._cases += match_answers(some, given)
        cases, _ = keep_measurable(self._cases, self._all.matcher)
        rows, _ = measure_cases(cases, list(dict.fromkeys([*ALWAYS_MEASURED, *self._columns])))
        found = np.full(len(self._items), np.nan)
        for at, case, row in zip(self._asked, cases, rows, strict=True):
            found[at] = self._value(case, row)
        return found

    @property
    def _columns(self) -> list[str]:
        return [] if self._metric == PASSED else [self._metric]

    def _value(self, case: ScoredCase, row: dict[str, float | None]) -> float:
        if case.answer is None or case.answer.error is not None:
            return 0.0
        if self._metric == PASSED:
            score = ItemScore.of(case, row)
            value = None if score.not_checked else float(score.cause is None)
        else:
            value = row[self._metric]
        if value is None:
            raise InputError(
                f"question {case.item.id} has no {self._metric} in this run, although earlier runs have one: score the "
                "whole set without --until"
            )
        return value
