"""Compare runs of ``score`` on one golden set: ``compare`` reads them, pairs them, tests them and ranks them.

No system is asked: only files that ``score`` wrote are read.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Any

from kgsynth.base.errors import ConfigError, InputError
from kgsynth.base.records import Span
from kgsynth.comparison.results import ComparedQuestion, Comparison, MetricComparison, Pair, Ranking
from kgsynth.scoring.metrics.summary import Value
from kgsynth.scoring.run_results import read_items, read_scores
from kgsynth.scoring.text import headlines
from kgsynth.statistics.multiple_testing import holm, ranks
from kgsynth.statistics.paired_tests import FLIPS, paired_difference

_ITEM_KEYS = ("question", "cluster", "metrics", "group_ranks")
"""What a line of items.jsonl must have besides its id."""


@dataclass(frozen=True, slots=True)
class ScoredRun:
    """One run of ``score`` as read from its folder: scores.json, and the lines of items.jsonl by id."""

    label: str
    scores: Mapping[str, Any]
    items: Mapping[str, Mapping[str, Any]]
    folder: Path

    def column(self, metric: str) -> list[float | None]:
        """Return one metric for every question, in the order of the question ids."""
        return [self.items[key]["metrics"].get(metric) for key in sorted(self.items)]


def compare(runs: Sequence[str | Path], metrics: Sequence[str] = ()) -> Comparison:
    """Compare every pair of runs; ``runs`` are folders that ``score`` wrote, the baseline first.

    ``metrics`` are those to compare; the default is the headline metrics that have a value in every run.

    Raises:
        ConfigError: there are fewer than two runs, or a metric has no value in one of them.
        InputError: a folder is not a run, or the runs are on different golden sets.
    """
    read = read_runs(runs)
    shown = _metrics_to_show(read, metrics)
    clusters = [read[0].items[key]["cluster"] for key in sorted(read[0].items)]
    first, pairs = read[0], _pairs(read, shown, clusters)
    return Comparison(
        golden=first.scores["golden"],
        n_items=len(clusters),
        n_documents=len(set(clusters)),
        runs={run.label: run.scores["system"] for run in read},
        folders={run.label: run.folder for run in read},
        metrics=tuple(shown),
        pairs=pairs,
        rankings=tuple(_ranking(read, metric, pairs) for metric in shown) if len(read) > 2 else (),
        questions=_questions(read, shown),
        notes=(*_failure_notes(read), *_golden_notes(read), *_document_notes(read), *_variant_notes(read, shown)),
    )


# ---- read ------------------------------------------------------------------------------------------


def _labels(runs: Sequence[str | Path]) -> dict[str, Path]:
    """Label each run by the name of its folder, or by its path where two folders have the same name."""
    paths = [Path(run) for run in runs]
    if len(set(paths)) < 2 or len(set(paths)) < len(paths):
        raise ConfigError(f"{len(paths)} runs given, {len(set(paths))} of them different: give two or more, each once")
    names = [path.resolve().name for path in paths]
    return {name if names.count(name) == 1 else str(path): path for name, path in zip(names, paths, strict=True)}


def read_runs(runs: Sequence[str | Path]) -> list[ScoredRun]:
    """Read two or more runs of ``score`` on one golden set.

    Raises:
        ConfigError: there are fewer than two runs, or one is given twice.
        InputError: a folder is not a run, or the runs are on different golden sets. Sets are the same if their
            questions, answers and the text of their evidence are, wherever it is.
    """
    read = [read_run(label, folder) for label, folder in _labels(runs).items()]
    for run in read[1:]:
        if lost := _without_evidence(run, read[0]):
            raise InputError(
                f"{read[0].label} and {run.label} were scored on different documents, and the evidence of {lost} "
                "questions is in those of one run only: score both with the same --docs"
            )
        if set(run.items) != set(read[0].items) or not _same_golden(run, read[0]):
            raise InputError(
                f"{read[0].label} and {run.label} were scored on different golden sets "
                f"({read[0].scores['golden'][:19]}… and {run.scores['golden'][:19]}…): score both on the same one"
            )
    return read


def _without_evidence(run: ScoredRun, first: ScoredRun) -> int:
    """Return how many questions of a set only one run has, since the documents of the other lack their evidence."""
    different = set(run.items) ^ set(first.items)
    left_out = {**run.scores.get("excluded", {}), **first.scores.get("excluded", {})}
    same_set = run.scores["golden"] == first.scores["golden"]
    return len(different) if same_set and different <= set(left_out) else 0


def _same_golden(run: ScoredRun, first: ScoredRun) -> bool:
    """Check whether two runs are on one golden set, or on one and its update by ``audit --fix``."""
    if run.scores["golden"] == first.scores["golden"]:
        return True
    marks = [{key: line.get("fingerprint") for key, line in each.items.items()} for each in (run, first)]
    return marks[0] == marks[1] and None not in marks[0].values()


def read_run(label: str, folder: Path) -> ScoredRun:
    """Read what ``score -o FOLDER`` wrote.

    Raises:
        InputError: scores.json or items.jsonl is missing or not as ``score`` writes it.
    """
    advice = "give a folder that kgsynth score wrote with -o"
    path = folder / "scores.json"
    try:
        content = path.read_bytes()
    except OSError as error:
        raise InputError(f"{folder} has no readable scores.json and items.jsonl ({error}): {advice}") from None
    scores = read_scores(content, str(path), ("golden", "system"))
    items = read_items(folder, _ITEM_KEYS)
    if not items:
        raise InputError(f"{folder} has no readable items.jsonl (it is empty): {advice}")
    return ScoredRun(label, scores, items, folder)


def _failure_notes(runs: Sequence[ScoredRun]) -> tuple[str, ...]:
    return tuple(f"{run.label} failed on {n} questions" for run in runs if (n := run.scores.get("n_errors")))


def _golden_notes(runs: Sequence[ScoredRun]) -> tuple[str, ...]:
    """Return a note on the runs whose golden set is an update of that of the first run."""
    updated = [run.label for run in runs if run.scores["golden"] != runs[0].scores["golden"]]
    note = f"{', '.join(updated)}: the same questions, answers and evidence text as {runs[0].label}, but another file"
    return (note,) if updated else ()


def _document_notes(runs: Sequence[ScoredRun]) -> tuple[str, ...]:
    """Return a note on the runs that were scored on other documents than the first one."""
    hashes = {run.label: run.scores.get("documents") for run in runs}
    others = [label for label, found in hashes.items() if found and hashes[runs[0].label] not in (found, None, "")]
    note = f"{', '.join(others)}: scored on other documents than {runs[0].label}, so a difference may come from them"
    return (note,) if others else ()


def _variant_notes(runs: Sequence[ScoredRun], metrics: Sequence[str]) -> tuple[str, ...]:
    """Return a note on the metrics whose signature (settings, model or version) differs between the runs."""
    signatures = [run.scores.get("signatures", {}) for run in runs]
    mixed = [name for name in metrics if len({own.get(name.partition("@")[0]) for own in signatures}) > 1]
    note = f"{', '.join(mixed)}: not the same variant in every run, see signatures in their scores.json"
    return (note,) if mixed else ()


def _metrics_to_show(runs: Sequence[ScoredRun], metrics: Sequence[str]) -> list[str]:
    """Return ``metrics``, or by default the headline metrics that have a value in every run."""
    known = [
        name
        for name in next(iter(runs[0].items.values()))["metrics"]
        if all(any(value is not None for value in run.column(name)) for run in runs)
    ]
    unknown = [name for name in metrics if name not in known]
    if unknown or not known:
        problem = f"metric {unknown[0]!r} does not have" if unknown else "no metric has"
        raise ConfigError(f"{problem} a value in every run: give one of {', '.join(known) or '(none)'}")
    # headlines selects by name; any value will do
    return list(metrics) or headlines({name: Value(0.0, 1, 1) for name in known}) or known


# ---- pair, test, rank ------------------------------------------------------------------------------


def flips_for(comparisons: int) -> int:
    """Return the number of sign flips for each of ``comparisons`` tests.

    The smallest p is 1 / (flips + 1). It must stay below the level of significance when it is multiplied by the number
    of tests, here by a factor of five or more.
    """
    return max(FLIPS, 100 * comparisons - 1)


def _pairs(runs: Sequence[ScoredRun], metrics: Sequence[str], clusters: Sequence[str]) -> tuple[Pair, ...]:
    """Return every pair of runs, with p-values after Holm over all metrics of all pairs."""
    columns = {(run.label, name): run.column(name) for run in runs for name in metrics}
    both = [(a.label, b.label, name) for a, b in combinations(runs, 2) for name in metrics]
    flips = flips_for(len(both))
    tested = [paired_difference(columns[a, name], columns[b, name], clusters, flips) for a, b, name in both]
    adjusted = holm([each.p_flip if each else None for each in tested])
    family = sum(p is not None for p in adjusted)
    rows: dict[tuple[str, str], list[MetricComparison]] = {(a, b): [] for a, b, _ in both}
    for (a, b, name), difference, p in zip(both, tested, adjusted, strict=True):
        if difference is not None:
            rows[a, b].append(MetricComparison(name, difference, p, family))
    return tuple(Pair(a, b, tuple(own)) for (a, b), own in rows.items())


def _ranking(runs: Sequence[ScoredRun], metric: str, pairs: Sequence[Pair]) -> Ranking:
    """Rank all runs by one metric; the means are over the questions that have a value in every run."""
    columns = {run.label: run.column(metric) for run in runs}
    known = [values for values in zip(*columns.values(), strict=True) if None not in values]
    means = {label: sum(row[at] or 0.0 for row in known) / max(1, len(known)) for at, label in enumerate(columns)}
    better = {
        (pair.b, pair.a) if side == "higher" else (pair.a, pair.b)
        for pair in pairs
        for side, names in pair.significant_sides.items()
        if metric in names
    }
    rank = ranks(means, lambda x, y: (x, y) in better)
    ends = {run.label: run.scores.get("metrics", {}).get(metric, {}).get("ci95") for run in runs}
    ci95 = {label: (ends[label][0], ends[label][1]) for label in rank if ends[label]}
    return Ranking(metric, {label: means[label] for label in rank}, rank, ci95)


# ---- the questions ---------------------------------------------------------------------------------


def _questions(runs: Sequence[ScoredRun], metrics: Sequence[str]) -> tuple[ComparedQuestion, ...]:
    """Return every question with what each run gave, those with the largest differences first."""
    found = []
    for key, line in runs[0].items.items():
        own = {run.label: run.items[key] for run in runs}
        found.append(
            ComparedQuestion(
                key,
                line["question"],
                tuple(line.get("expected", ())),
                str(line.get("question_type", "")),
                str(line.get("difficulty", "")),
                evidence=tuple(tuple(Span(**span) for span in group) for group in line.get("evidence", ())),
                given={label: each.get("actual") for label, each in own.items()},
                ranks={label: tuple(each["group_ranks"]) for label, each in own.items()},
                values={name: {label: each["metrics"].get(name) for label, each in own.items()} for name in metrics},
            )
        )
    return tuple(sorted(found, key=lambda each: (-max(each.spreads.values(), default=0.0), each.id)))
