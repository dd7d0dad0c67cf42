"""Compare runs of ``score`` on one golden set: read them, pair their questions, test the differences, take notes."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from hashlib import sha256
from itertools import combinations
from pathlib import Path
from statistics import fmean
from typing import Any

from kgsynth.base.errors import ConfigError, InputError
from kgsynth.comparison.foreign_runs import read_foreign
from kgsynth.comparison.results import (
    PASS_RATE,
    ComparedQuestion,
    Comparison,
    MetricComparison,
    Pair,
    Ranking,
    checked_by,
    incomparable,
    primary_metric,
)
from kgsynth.golden.item_json import read_span
from kgsynth.scoring.measurable import finer_metrics
from kgsynth.scoring.metrics.answer_match import OF_WORDS, WORD_BY_WORD
from kgsynth.scoring.metrics.summary import Value
from kgsynth.scoring.run_results import read_items, read_scores
from kgsynth.scoring.text import headlines
from kgsynth.show.wording import joined
from kgsynth.statistics.multiple_testing import SIGNIFICANCE_LEVEL, holm, ranks
from kgsynth.statistics.paired_tests import FLIPS, paired_difference, smallest_detectable, too_easy_by


def run_notes(runs: Mapping[str, Mapping[str, Any]], primary: Sequence[str]) -> tuple[str, ...]:
    """Return the notes on runs; ``runs`` has their scores.json by label, ``primary`` the metrics that decide."""
    return (
        *(f"{label} failed on {n} questions" for label, scores in runs.items() if (n := scores.get("n_errors"))),
        *_golden_notes(runs),
        *document_notes(runs),
        *_one_sided_notes(runs),
        *_carried_notes(runs),
        *_word_notes(runs, primary),
        *_repeat_notes(runs, primary),
    )


def variant_notes(reasons: Mapping[str, str], force: bool) -> tuple[str, ...]:
    """Return a note for each setting that changes what metrics mean, with the metrics."""
    names: dict[str, list[str]] = {}
    for metric, reason in reasons.items():
        names.setdefault(reason, []).append(metric)
    tested = "tested because of --force" if force else "not tested; --force tests them"
    return tuple(f"not comparable: {reason} ({', '.join(own)}; {tested})" for reason, own in names.items())


def _golden_notes(runs: Mapping[str, Mapping[str, Any]]) -> tuple[str, ...]:
    """Return a note on the runs whose golden set is an update of the first run's."""
    first = next(iter(runs))
    updated = [label for label, scores in runs.items() if scores["golden"] != runs[first]["golden"]]
    note = f"{', '.join(updated)}: the same questions, answers and evidence text as {first}, but another file"
    return (note,) if updated else ()


def document_notes(runs: Mapping[str, Mapping[str, Any]]) -> tuple[str, ...]:
    """Return a note on the runs that were scored on other documents than the first one."""
    first = next(iter(runs))
    hashes = {label: scores.get("documents") for label, scores in runs.items()}
    others = [label for label, found in hashes.items() if found and hashes[first] not in (found, None, "")]
    note = f"{', '.join(others)}: scored on other documents than {first}, so a difference may come from them"
    return (note,) if others else ()


def _one_sided_notes(runs: Mapping[str, Mapping[str, Any]]) -> tuple[str, ...]:
    """Return a note if only some of the runs return passages, or answers."""
    found = {label: checked_by(scores) for label, scores in runs.items()}
    notes = []
    for what, compared in (("passages", "retrieval was"), ("answers", "answers were")):
        without = [label for label, own in found.items() if what not in own]
        if 0 < len(without) < len(runs):
            notes.append(f"{compared} not compared: no {what} of {joined(without)} could be checked")
    return tuple(notes)


def _carried_notes(runs: Mapping[str, Mapping[str, Any]]) -> tuple[str, ...]:
    """Return the caveats and notes that ``score`` gave with each run, each once with the runs it is of."""
    found: dict[str, list[str]] = {}
    for label, scores in runs.items():
        own = [scores.get("caveat"), *(scores.get("notes") or ())]
        for note in dict.fromkeys(note for note in own if note and note != WORD_BY_WORD):
            found.setdefault(note, []).append(label)
    return tuple(note if len(own) == len(runs) else f"{', '.join(own)}: {note}" for note, own in found.items())


def _word_notes(runs: Mapping[str, Mapping[str, Any]], primary: Sequence[str]) -> tuple[str, ...]:
    """Return the note on answers that were compared word by word, if that decides."""
    by_words = any("answers" in checked_by(scores) and not _by_meaning(scores) for scores in runs.values())
    return (WORD_BY_WORD,) if by_words and set(primary) & OF_WORDS else ()


def _repeat_notes(runs: Mapping[str, Mapping[str, Any]], primary: Sequence[str]) -> Iterator[str]:
    """Yield a note on each run that asked its questions several times, with the noise of one asking."""
    for label, repeats in ((label, scores["repeats"]) for label, scores in runs.items() if scores.get("repeats")):
        known = ((name, repeats["noise"][name]["system"]) for name in primary if name in repeats["noise"])
        noise = joined([f"{value:.3f} in {name}" for name, value in known])
        one = f"; one asking alone has a standard error of {noise} from asking again" * bool(noise)
        yield f"{label}: each question was asked {repeats['n']} times and counts with its mean{one}"


def _by_meaning(scores: Mapping[str, Any]) -> bool:
    """Check whether a judge or an embedding model looked at the answers of a run too."""
    similarity = (scores.get("metrics") or {}).get("semantic_similarity", {})
    return "judge" in scores or similarity.get("value") is not None


# ---- compare -------------------------------------------------------------------------------------
#
# No system is asked: only files that ``score`` wrote are read.

_ITEM_KEYS = ("question", "cluster", "metrics", "group_ranks")
"""What a line of items.jsonl must have besides its id."""
_MAX_EXPLORED = 60
"""With more exploratory comparisons, their smallest detectable differences would take minutes."""


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


def compare(
    runs: Sequence[str | Path], metrics: Sequence[str] = (), *, only: Collection[str] = (), force: bool = False
) -> Comparison:
    """Compare every pair of runs; ``runs`` are folders of ``score`` or files of other tools, the baseline first.

    ``metrics`` are those that decide, and only they are shown; by default one decides, and the headline metrics that
    have a value in every run are shown too. ``only`` restricts the questions to those with one of these
    tags, ``force`` tests also metrics that do not mean the same in all runs.

    Raises:
        ConfigError: there are fewer than two runs, a metric has no value in one of them, or no question has a tag.
        InputError: a folder is not a run, or the runs are on different golden sets.
    """
    read = read_runs(runs)
    if only:
        tagged = {key for key, line in read[0].items.items() if set(only) & set(line.get("tags") or ())}
        if not tagged:
            raise ConfigError(
                f"no question of {read[0].label} has the tag {' or '.join(only)}: give one that some have"
            )
        read = [replace(run, items={key: run.items[key] for key in sorted(tagged)}) for run in read]
    return compare_read(read, metrics, force=force)


def compare_read(read: Sequence[ScoredRun], metrics: Sequence[str] = (), *, force: bool = False) -> Comparison:
    """Compare runs that are already read; see ``compare``.

    Raises:
        ConfigError: a metric has no value in one of them.
    """
    primary, shown = metrics_to_show(read, metrics)
    clusters = [read[0].items[key]["cluster"] for key in sorted(read[0].items)]
    reasons = incomparable([run.scores for run in read], shown)
    apart = {(a.label, b.label): incomparable([a.scores, b.scores], shown) for a, b in combinations(read, 2)}
    withheld = set() if force else {(*pair, metric) for pair, own in apart.items() for metric in own}
    families = (primary, [name for name in shown if name not in primary])
    tested = [_pairs(read, family, clusters, withheld, primary=family is primary) for family in families if family]
    first = read[0]
    pairs = tuple(
        Pair(own[0].a, own[0].b, tuple(row for pair in own for row in pair.rows)) for own in zip(*tested, strict=True)
    )
    return Comparison(
        golden=first.scores["golden"],
        n_items=len(clusters),
        n_documents=0 if first.folder.is_file() else len(set(clusters)),
        runs={run.label: run.scores["system"] for run in read},
        folders={run.label: run.folder for run in read},
        metrics=tuple(shown),
        pairs=pairs,
        rankings=tuple(_ranking(read, metric, pairs, ranked=force or metric not in reasons) for metric in shown)
        if len(read) > 2
        else (),
        questions=_questions(read, shown, () if force else reasons),
        notes=(*run_notes({run.label: run.scores for run in read}, primary), *variant_notes(reasons, force)),
        primary=tuple(primary),
        incomparable=reasons,
        forced=force and bool(reasons),
        **_too_easy(read, pairs, clusters),
    )


# ---- read ------------------------------------------------------------------------------------------


def _labels(runs: Sequence[str | Path]) -> dict[str, Path]:
    """Label each run by the name of its folder, or by its path where two folders have the same name."""
    paths = [Path(run) for run in runs]
    if len(set(paths)) < len(paths) or (len(paths) < 2 and not any(path.is_file() for path in paths)):
        raise ConfigError(f"{len(paths)} runs given, {len(set(paths))} of them different: give two or more, each once")
    names = [path.resolve().name for path in paths]
    return {name if names.count(name) == 1 else str(path): path for name, path in zip(names, paths, strict=True)}


def read_runs(runs: Sequence[str | Path]) -> list[ScoredRun]:
    """Read two or more runs of ``score`` or of another tool on one golden set.

    Raises:
        ConfigError: there are fewer than two runs, or one is given twice.
        InputError: a folder is not a run, or the runs are on different golden sets. Sets are the same if their
            questions, answers and the text of their evidence are, wherever it is.
    """
    labels = _labels(runs).items()
    read = [run for label, at in labels for run in (_foreign(label, at) if at.is_file() else [read_run(label, at)])]
    if len(read) < 2:
        raise ConfigError(f"{read[0].folder} has answers of one system only: give another run to compare with")
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
    return scored_run(label, scores, items, folder)


def _foreign(label: str, path: Path) -> list[ScoredRun]:
    """Return the runs of all systems in a file of another tool."""
    found = read_foreign(path)
    note = "the file does not say which documents questions come from, so they are taken to be independent"
    runs = []
    for system, items in found.items():
        name = f"{label}: {system}" if len(found) > 1 else label
        questions = sha256("\n".join(sorted(items)).encode()).hexdigest()
        runs.append(ScoredRun(name, {"golden": questions, "system": system or label, "notes": [note]}, items, path))
    return runs


def scored_run(
    label: str, scores: Mapping[str, Any], items: Mapping[str, Mapping[str, Any]], folder: Path
) -> ScoredRun:
    """Return a run whose scores.json and lines of items.jsonl are known."""
    return ScoredRun(label, scores, _with_pass_rate(items), folder)


def _with_pass_rate(items: Mapping[str, Mapping[str, Any]]) -> Mapping[str, Mapping[str, Any]]:
    """Return the lines of items.jsonl with the pass rate as the first metric; early versions did not write it."""
    if not all("state" in line for line in items.values()):
        return items
    found = {}
    for key, line in items.items():
        known = [float(each) for each in line.get("passes", ()) if each is not None]
        share = fmean(known) if known else {"passed": 1.0, "failed": 0.0}.get(line["state"])
        found[key] = {**line, "metrics": {PASS_RATE: share, **line["metrics"]}}
    return found


def metrics_to_show(runs: Sequence[ScoredRun], metrics: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return the primary metrics, and all to show: ``metrics`` for both, or one and the main metrics of all runs."""
    known = [
        name
        for name in next(iter(runs[0].items.values()))["metrics"]
        if all(any(value is not None for value in run.column(name)) for run in runs)
    ]
    unknown = [name for name in metrics if name not in known]
    if unknown or not known:
        problem = f"metric {unknown[0]!r} does not have" if unknown else "no metric has"
        raise ConfigError(f"{problem} a value in every run: give one of {', '.join(known) or '(none)'}")
    if metrics:
        return list(dict.fromkeys(metrics)), list(dict.fromkeys(metrics))
    # headlines selects by name; any value will do
    main = headlines({name: Value(0.0, 1, 1) for name in known}) or known
    informative = [name for name in known if any(any(run.column(name)) for run in runs)]
    rest = [name for name in informative if name != PASS_RATE]
    used = [checked_by(run.scores) for run in runs]
    same = all(each == used[0] for each in used)
    primary = primary_metric(main, informative if same else rest, answers=used[0] != ["passages"])
    shown = (*([PASS_RATE] if PASS_RATE in known else []), primary_metric(main, rest), *main)
    return [primary], list(dict.fromkeys(shown))


# ---- pair, test, rank ------------------------------------------------------------------------------


def flips_for(comparisons: int) -> int:
    """Return the number of sign flips for each of ``comparisons`` tests.

    The smallest p is 1 / (flips + 1). It must stay below the level of significance when it is multiplied by the number
    of tests, here by a factor of five or more.
    """
    return max(FLIPS, 100 * comparisons - 1)


def _pairs(
    runs: Sequence[ScoredRun],
    metrics: Sequence[str],
    clusters: Sequence[str],
    withheld: Set[tuple[str, str, str]],
    *,
    primary: bool,
) -> tuple[Pair, ...]:
    """Return every pair of runs, with p-values after Holm over all ``metrics`` of all pairs but the ``withheld``."""
    columns = {(run.label, name): run.column(name) for run in runs for name in metrics}
    both = [(a.label, b.label, name) for a, b in combinations(runs, 2) for name in metrics]
    flips = flips_for(len(both))
    tested = [paired_difference(columns[a, name], columns[b, name], clusters, flips) for a, b, name in both]
    kept = [each.p_flip if each and key not in withheld else None for each, key in zip(tested, both, strict=True)]
    adjusted = holm(kept)
    family = sum(p is not None for p in adjusted)
    rows: dict[tuple[str, str], list[MetricComparison]] = {(a, b): [] for a, b, _ in both}
    for (a, b, name), difference, p in zip(both, tested, adjusted, strict=True):
        if difference is not None:
            detectable = p is not None and (primary or family <= _MAX_EXPLORED)
            smallest = _smallest(columns[a, name], columns[b, name], clusters, family) if detectable else None
            rows[a, b].append(
                MetricComparison(name, difference, p, family, smallest, primary, (a, b, name) not in withheld)
            )
    return tuple(Pair(a, b, tuple(own)) for (a, b), own in rows.items())


def _smallest(
    a: Sequence[float | None], b: Sequence[float | None], clusters: Sequence[str], comparisons: int
) -> float | None:
    """Return the smallest difference that is probably significant in Holm's first step, the strictest."""
    known = [(y - x, own) for x, y, own in zip(a, b, clusters, strict=True) if x is not None and y is not None]
    return smallest_detectable([each for each, _ in known], [own for _, own in known], SIGNIFICANCE_LEVEL / comparisons)


def _too_easy(runs: Sequence[ScoredRun], pairs: Sequence[Pair], clusters: Sequence[str]) -> dict[str, Any]:
    """Return the fields ``too_easy`` and ``finer_metrics`` of a comparison."""
    tested = [row for pair in pairs for row in pair.rows if row.primary and row.p_holm is not None]
    easy = {}
    for name in dict.fromkeys(row.metric for row in tested):
        own = [row for row in tested if row.metric == name]
        lowest, room = _lowest(runs, name), 1 - min(min(row.difference.a, row.difference.b) for row in own)
        if any(row.significant for row in own) or not all(0 <= value <= 1 for value in lowest if value is not None):
            continue
        by_size = too_easy_by(lowest, clusters, SIGNIFICANCE_LEVEL / own[0].comparisons)
        by_runs = [row.smallest for row in own if row.smallest is not None]  # of partly right questions it is smaller
        if by_size is not None and room < min(by_runs, default=by_size):
            easy[name] = max(by_runs, default=by_size)
    names = set(next(iter(runs[0].items.values()))["metrics"]) - {row.metric for row in tested}
    finer = finer_metrics({name: _lowest(runs, name) for name in names}, clusters) if easy else ()
    return {"too_easy": easy, "finer_metrics": finer}


def _lowest(runs: Sequence[ScoredRun], metric: str) -> list[float | None]:
    """Return the values of the run with the lowest mean."""
    return min((run.column(metric) for run in runs), key=lambda own: math.fsum(value or 0.0 for value in own))


def _ranking(runs: Sequence[ScoredRun], metric: str, pairs: Sequence[Pair], *, ranked: bool) -> Ranking:
    """Rank all runs by one metric; the means are over the questions that have a value in every run.

    If the metric does not mean the same in all runs, they are not ``ranked``.
    """
    columns = {run.label: run.column(metric) for run in runs}
    known = [values for values in zip(*columns.values(), strict=True) if None not in values]
    means = {label: sum(row[at] or 0.0 for row in known) / max(1, len(known)) for at, label in enumerate(columns)}
    better = {
        (pair.b, pair.a) if row.difference.difference > 0 else (pair.a, pair.b)
        for pair in pairs
        for row in pair.rows
        if row.metric == metric and row.significant
    }
    rank = ranks(means, lambda x, y: (x, y) in better)
    ends = {run.label: run.scores.get("metrics", {}).get(metric, {}).get("ci95") for run in runs}
    ci95 = {label: (ends[label][0], ends[label][1]) for label in rank if ends[label]}
    return Ranking(metric, {label: means[label] for label in rank}, rank if ranked else {}, ci95)


# ---- the questions ---------------------------------------------------------------------------------


def _questions(
    runs: Sequence[ScoredRun], metrics: Sequence[str], incomparable: Collection[str]
) -> tuple[ComparedQuestion, ...]:
    """Return every question with what each run gave, those with the largest differences first.

    Differences on metrics that are ``incomparable`` do not count, unless all are.
    """
    compared = tuple(name for name in metrics if name not in incomparable) or tuple(metrics)
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
                evidence=tuple(
                    tuple(read_span(span, "evidence") for span in group) for group in line.get("evidence", ())
                ),
                given={label: each.get("actual") for label, each in own.items()},
                ranks={label: tuple(each["group_ranks"]) for label, each in own.items()},
                values={name: {label: each["metrics"].get(name) for label, each in own.items()} for name in metrics},
                compared=compared,
            )
        )
    return tuple(sorted(found, key=lambda each: (-max(each.spreads.values(), default=0.0), each.id)))
