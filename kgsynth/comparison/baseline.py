"""Check new scores against an earlier run of the same golden set: a gate for each metric, failed by a significant loss.

The statistics are those of ``compare``: documents as units, the sign-flip test, Holm's correction over the metrics. A
loss that may be chance passes, and the gate says which loss the questions could have shown.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from kgsynth.base.errors import ConfigError, InputError
from kgsynth.base.json_reading import parse_json
from kgsynth.base.records_json import rounded
from kgsynth.comparison.results import PASS_RATE, MetricComparison
from kgsynth.comparison.runs import ScoredRun, compare_read, document_notes, metrics_to_show, read_run, scored_run
from kgsynth.scoring.metrics import METRICS, RUN_METRICS
from kgsynth.scoring.metrics.criteria import Checked
from kgsynth.scoring.metrics.judged import JUDGED_METRICS
from kgsynth.scoring.metrics.lookup import name_problem, split_name
from kgsynth.scoring.metrics.scores import Scores
from kgsynth.show.wording import many
from kgsynth.statistics.multiple_testing import SIGNIFICANCE_LEVEL

_THIS_RUN = "this run"
_ONE_DOCUMENT = (
    "not tested: the questions in both runs are about one document, and documents are the unit of the test; add "
    "questions about others"
)


@dataclass(frozen=True, slots=True)
class Baseline:
    """An earlier run, and the metrics to test; without any, the one that decides in ``compare`` is tested.

    Gates on judged metrics only warn unless ``strict``.
    """

    run: ScoredRun
    metrics: tuple[str, ...]
    strict: bool = False


def read_baseline(folder: str | Path, metrics: Sequence[str] = (), *, strict: bool = False) -> Baseline:
    """Read the folder of an earlier run, and check that the metrics can be tested.

    Raises:
        InputError: the folder is not a run of ``score``.
        ConfigError: a metric is unknown, has one value for the whole run, is not better when it is higher, or has no
            value in the earlier run.
    """
    run = read_run(Path(folder).resolve().name, Path(folder))
    known = [name for name in next(iter(run.items.values()))["metrics"] if any(v is not None for v in run.column(name))]
    for name in metrics:
        if problem := _problem(name, known):
            raise ConfigError(f"--baseline-metric {name!r} {problem}")
        if name not in known:
            raise ConfigError(
                f"--baseline-metric {name!r} has no value in the baseline {folder}: give one of {', '.join(known)}"
            )
    return Baseline(run, tuple(dict.fromkeys(metrics)), strict)


def check_baseline(scores: Scores, baseline: Baseline) -> Scores:
    """Return the scores with a gate for each metric of the baseline, and notes on what is not compared.

    The gates rest on the questions that are the same in both runs. A gate fails if the loss is significant, or if the
    metric cannot be tested.

    Raises:
        InputError: no question is the same in both runs.
    """
    content = parse_json(json.dumps(scores.to_json()))
    lines = {item.id: parse_json(json.dumps(item.to_json())) for item in scores.items}
    present = scored_run(_THIS_RUN, content, lines, Path())
    runs = _on_same_questions(baseline.run, present)
    notes = (*_question_notes(baseline.run, present, runs[0]), *document_notes({run.label: run.scores for run in runs}))
    return replace(scores, gates=(*scores.gates, *_gates(runs, baseline)), notes=(*scores.notes, *notes))


def _problem(name: str, own: Sequence[str]) -> str:
    """Return why a metric cannot be tested question by question for a loss, "" if it can."""
    if name == PASS_RATE:
        return ""
    if problem := name_problem(name, own):
        return problem
    if name in RUN_METRICS:
        return "is a metric of the run as a whole, without a value for each question; set a limit with --gate"
    metric = METRICS.get(split_name(name)[0])
    if metric and not metric.bounded:
        return "cannot be lost, since higher is not better; set a limit with --gate"
    return ""


# ---- the questions of both -------------------------------------------------------------------------


def _on_same_questions(before: ScoredRun, now: ScoredRun) -> tuple[ScoredRun, ScoredRun]:
    """Return both runs with only the questions whose text, answers and evidence are the same."""
    marks = {key: line.get("fingerprint") for key, line in before.items.items()}
    same = [key for key, line in now.items.items() if key in marks and line.get("fingerprint") == marks[key]]
    if not same:
        raise InputError(
            f"no question of this run is in {before.label}: score the same golden set, or leave out --baseline"
        )
    first, second = (replace(run, items={key: run.items[key] for key in same}) for run in (before, now))
    return first, second


def _question_notes(before: ScoredRun, now: ScoredRun, shared: ScoredRun) -> tuple[str, ...]:
    """Return a note on the questions that only one run has."""
    new, gone = (len(run.items) - len(shared.items) for run in (now, before))
    if not new and not gone:
        return ()
    return (
        f"{before.label} is compared on the {many(len(shared.items), 'question')} that "
        f"{'is' if len(shared.items) == 1 else 'are'} the same in both runs: {new} of this run are new or changed, "
        f"{gone} of {before.label} are no longer asked",
    )


# ---- the gates -------------------------------------------------------------------------------------


def _gates(runs: Sequence[ScoredRun], baseline: Baseline) -> list[Checked]:
    """Return the result for each metric, in the order in which they were named."""
    named, gates = baseline.metrics, dict[str, Checked]()
    valued = [name for name in named if all(any(v is not None for v in run.column(name)) for run in runs)]
    for name in named:
        gates[name] = _untested(name, baseline, "it has no value in this run")
    try:
        tested = valued or ([] if named else metrics_to_show(runs, ())[0])
    except ConfigError:
        tested = []
    if not named and not tested:
        return [_untested("any metric", baseline, "no metric has a value in both runs")]
    if tested:
        found = compare_read(runs, tested)
        rows = {row.metric: row for row in found.pairs[0].rows}
        for name in tested:
            gates[name] = _gate(name, rows.get(name), found.incomparable.get(name, ""), baseline)
    return list(gates.values())


def _gate(name: str, row: MetricComparison | None, different: str, baseline: Baseline) -> Checked:
    if different:
        reason = f"not comparable: {different}; score the baseline again in the same way"
        return _untested(name, baseline, reason)
    if row is None:
        return _untested(name, baseline, "no question has a value in both runs")
    found, p = row.difference, row.p_holm
    if p is None or found.ci95 is None:
        return _untested(name, baseline, _ONE_DOCUMENT)
    lost = is_loss(found.difference, p)
    warns = name in JUDGED_METRICS and not baseline.strict
    interval = "{:+.3f} to {:+.3f}".format(*found.ci95)
    text = f"{found.difference:+.3f}, 95 % interval {interval}, p {p:.3f}"
    return Checked(
        _name(name, baseline),
        "passed" if not lost else "warned" if warns else "failed",
        round(found.difference, 6),
        warns=warns,
        detail=f"{text}: {_verdict(row, lost=lost)}",
        numbers=rounded({"ci95": list(found.ci95), "p": p, "smallest": row.smallest, "questions": found.n}),
    )


def is_loss(difference: float, p_holm: float) -> bool:
    """Check whether a difference from the baseline is a significant loss.

    Example:
        >>> is_loss(-0.05, 0.04), is_loss(-0.05, 0.06), is_loss(0.05, 0.04)
        (True, False, False)
    """
    return difference < 0 and p_holm <= SIGNIFICANCE_LEVEL


def _verdict(row: MetricComparison, *, lost: bool) -> str:
    if lost:
        return "a significant loss"
    if row.significant:
        return "a significant gain"
    if row.smallest is None:
        return "not significant; no loss is found in 8 of 10 such comparisons"
    return f"not significant; a loss below {row.smallest:.2f} is found in fewer than 8 of 10 such comparisons"


def _untested(name: str, baseline: Baseline, why: str) -> Checked:
    return Checked(_name(name, baseline), "failed", None, why)


def _name(metric: str, baseline: Baseline) -> str:
    return f"{metric} against {baseline.run.label}"
