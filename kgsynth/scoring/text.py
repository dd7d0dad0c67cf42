"""Scores as text: Markdown for scores.md, and compact tables with bars for the terminal. Nothing is printed here."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from kgsynth.base.shares import percent
from kgsynth.documents.text_index import MIN_SIMILARITY
from kgsynth.scoring.metrics import GROUPS
from kgsynth.scoring.metrics.criteria import LEVELS, Checked
from kgsynth.scoring.metrics.failure_causes import CAUSE_ADVICE
from kgsynth.scoring.metrics.lookup import find_metric, nearest_to_five, split_name
from kgsynth.scoring.metrics.scores import Scores
from kgsynth.scoring.metrics.steps import HopCount
from kgsynth.scoring.metrics.summary import Value
from kgsynth.show.tables import aligned, bar, figure, table
from kgsynth.show.wording import many, with_history

WORD_METRICS = ("em", "token_f1")
"""Metrics that say little of long answers: two that say the same rarely share most of their words."""
_HEADLINE_METRICS = (
    "recall", "ndcg", "mrr", "file_recall", *WORD_METRICS, "claim_recall", "claim_precision", "refusal",
)  # fmt: skip
_ASKED_FOR = ("semantic", "judged")
"""Kinds of metrics that are computed only on request; the terminal shows them beside the main ones."""
FOLDER_HEAD = ("metric", "mean of the set", "whole folder", "95 % interval")
FOLDER_EXPLAINED = (
    "Only some documents were drawn for this set. Here each question has the weight 1 / the probability with which its "
    "documents were drawn. Gates and comparisons go by the mean of the set."
)
_MAX_FAILING_SHOWN = 20
_MAX_CAUSES_SHOWN = 3
_MAX_METRICS_SHOWN = 8
"""So many metrics are all shown in the terminal; of more, the main ones."""


def markdown(scores: Scores) -> str:
    """Return all scores as Markdown: gates, metrics, breakdowns, matching, causes and what was not measured."""
    parts = [
        f"# Scores of {scores.system}",
        f"**{scores.result[0].upper()}{scores.result[1:]}.** {_pass_rate(scores).capitalize()}.",
        f"{many(scores.n_items, 'question')}, {many(scores.n_errors, 'error')}, {len(scores.missing)} without an "
        f"answer record. A passage covers an evidence span if it holds at least {scores.cover:g} of its characters.",
        *(f"**Note:** {note}." for note in (scores.caveat, scores.saturated, *scores.notes) if note),
    ]
    if asked := repeat_lines(scores):
        parts += ["## Askings", "\n".join(f"- {line}" for line in asked)]
    if scores.gates:
        gates = [[gate.text, gate.outcome, gate.value_text] for gate in scores.gates]
        parts += ["## Gates", table(["gate", "result", "value"], gates)]
    values = {**scores.metrics, **scores.resources}
    for heading, rows in group_rows(values):
        parts += [f"## {heading}", table(["metric", "value", "95 % interval", "scored"], rows)]
    if rows := folder_rows(scores):
        parts += ["## Over the whole folder", FOLDER_EXPLAINED, table([*FOLDER_HEAD], rows)]
    missing = [[why, ", ".join(names)] for why, names in missing_by_reason(values).items()]
    if missing:
        parts += ["## Not measured", table(["reason", "metrics"], missing)]
    columns = headlines(scores.metrics)
    for field, slices in scores.by.items():
        if columns:
            head = [field, "n", *columns]
            parts += [f"## By {field.replace('_', ' ')}", table(head, slice_rows(slices, columns))]
    if scores.judge:
        parts += ["## The judge", "\n".join(f"- {line}" for line in judge_lines(scores))]
    matched = [[method, str(count)] for method, count in scores.matched.items()]
    similar = f"Similar text agrees in at least {percent(MIN_SIMILARITY)} of its letters and digits."
    sizes = f"Passages: {found}. " if (found := passage_sizes(scores.metrics)) else ""
    parts += ["## How passages were matched", table(["by", "passages"], matched), sizes + similar]
    if scores.refusals:
        cells = [[kind, refusals_text(row)] for kind, row in scores.refusals.items()]
        parts += ["## Refusals", table(["question", "answers"], cells)]
    parts += _outcome_sections(scores)
    if scores.hops:
        parts += ["## Hops of questions with several evidence groups", table(*hops_table(scores.hops))]
    if scores.missing:
        parts += ["## Questions without an answer record (counted 0)", ", ".join(scores.missing)]
    origin = (
        f"Golden set `{scores.golden}`; system `{scores.signature}`. Intervals treat source documents as independent. "
        "The exact variant of each metric is in scores.json under `signatures`."
    )
    return "\n\n".join([*parts, origin]) + "\n"


def terminal(scores: Scores) -> str:
    """Return what one decides by, in about twenty lines: the result, main metrics and worst causes; see the report."""
    parts = ["\n".join(_first_lines(scores))]
    alarming = [each for each in scores.thresholds if each.level != "passed"]
    if alarming:
        parts.append(aligned(*_thresholds(alarming)))
    measured = [name for name, value in scores.metrics.items() if value.value is not None]
    asked_for = (name for name in measured if find_metric(name).kind in _ASKED_FOR)
    main = measured if len(measured) <= _MAX_METRICS_SHOWN else [*headlines(scores.metrics), *asked_for]
    rows = [
        [name, figure(value.value), _bar(name, value, scores), _interval_and_count(value)]
        for name, value in (*((name, scores.metrics[name]) for name in main), *scores.own_metrics.items())
        if value.value is not None
    ]
    if rows:
        parts.append(aligned(["metric", "value", "", "95 % interval"], rows))
    if scores.causes:
        parts.append(aligned(*_worst_causes(scores)))
    overall = f"overall {overall_text(scores)}" if scores.overall else ""
    last = [line for line in (overall, *judge_lines(scores)) if line]
    return "\n\n".join([*parts, *(["\n".join(last)] if last else [])])


def _first_lines(scores: Scores) -> list[str]:
    """Return the result, and whatever limits what it says: notes, failures and gates."""
    caveat = f" – {scores.caveat}" if scores.caveat else ""
    notes = [note for note in (scores.saturated, *scores.notes) if note]
    lines = [f"{scores.system}: {scores.result}{caveat}", *(f"note: {note}" for note in notes)]
    if scores.n_errors or scores.missing:
        lines.append(
            f"counted 0: {many(scores.n_errors, 'error')}, {len(scores.missing)} without an answer record "
            f"{_first_ids(scores.missing)}".rstrip()
        )
    lines += [f"gate {gate.text}: {gate.outcome} ({gate.value_text})" for gate in scores.gates]
    lines += repeat_lines(scores)
    return [*lines, _pass_rate(scores)]


def repeat_lines(scores: Scores) -> list[str]:
    """Return what several askings show, one sentence each; nothing if every question was asked once."""
    judged = scores.judge.metrics if scores.judge else ()
    return [*scores.repeats.lines((*headlines(scores.metrics), *judged))] if scores.repeats else []


def judge_lines(scores: Scores) -> tuple[str, ...]:
    """Return what a reader should know of the judge, one sentence each: its error first, if people labelled answers."""
    return (*(scores.judge_check.lines if scores.judge_check else ()), *(scores.judge.lines if scores.judge else ()))


# ---- gates, thresholds, causes, overall score ------------------------------------------------------


def _outcome_sections(scores: Scores) -> list[str]:
    """Return the sections of scores.md on own metrics, thresholds, the overall score and the failed questions."""
    parts = []
    if scores.own_metrics:
        rows = [[name, figure(value.value), _interval_and_count(value)] for name, value in scores.own_metrics.items()]
        parts += ["## Own metrics", table(["own metric", "value", "95 % interval"], rows)]
    if scores.thresholds:
        parts += ["## Thresholds", table(*_thresholds(scores.thresholds))]
    parts += ["## Overall", f"overall {overall_text(scores, weights=True)}"]
    if scores.causes:
        failed = [item for item in scores.items if item.cause]
        rows = [
            [
                item.id,
                with_history(item.question, item.history),
                " or ".join(item.expected),
                item.actual or "–",
                str(item.cause),
            ]
            for item in failed[:_MAX_FAILING_SHOWN]
        ]
        parts += [
            "## Failed questions",
            table(*_causes(scores)),
            table(["id", "question", "expected", "actual", "likely cause"], rows),
        ]
        if len(failed) > _MAX_FAILING_SHOWN:
            parts.append(f"These are the first {_MAX_FAILING_SHOWN}; all are in items.jsonl.")
    return parts


def _thresholds(thresholds: Sequence[Checked]) -> tuple[list[str], list[list[str]]]:
    """Return the head and rows of a table of thresholds, the worst level first."""
    ordered = sorted(thresholds, key=lambda each: LEVELS.index(each.level))
    rows = [
        [
            each.metric,
            figure(each.value),
            *(f"{limit:g}" for limit in each.limits),
            each.outcome + (f" ({each.why})" if each.why else ""),
        ]
        for each in ordered
    ]
    return ["threshold", "value", "warn", "fail", "level"], rows


def _pass_rate(scores: Scores) -> str:
    if scores.pass_rate is None:
        return "no pass rate: no question was checked"
    return f"pass rate{scores.by_words} {percent(scores.pass_rate)} (of {many(scores.n_checked, 'checked question')})"


def _causes(scores: Scores) -> tuple[list[str], list[list[str]]]:
    rows = [[kind, str(count), CAUSE_ADVICE[kind]] for kind, count in scores.causes.items()]
    return ["likely cause", "questions", "what to try"], rows


def _worst_causes(scores: Scores) -> tuple[list[str], list[list[str]]]:
    """Return the same for the causes of most failures, and a row that counts the others."""
    head, rows = _causes(scores)
    rows.sort(key=lambda row: -int(row[1]))
    others = rows[_MAX_CAUSES_SHOWN:]
    more = [[many(len(others), "other cause"), str(sum(int(row[1]) for row in others)), ""]] if others else []
    return head, [*rows[:_MAX_CAUSES_SHOWN], *more]


def overall_text(scores: Scores, *, weights: bool = False) -> str:
    """Return the overall score with its components, and with its ``weights`` and what has no value."""
    overall = scores.overall
    if overall is None or overall.value is None:
        return "has no value: no weighted metric has one"
    components = ", ".join(f"{name} {figure(value)}" for name, value in overall.components.items())
    text = f"{figure(overall.value)}, questions that failed count 0 ({components})"
    if not weights:
        return text
    left_out = f"; without a value: {', '.join(overall.left_out)}" if overall.left_out else ""
    return f"{text}; weights {', '.join(f'{name} {weight:g}' for name, weight in overall.weights.items())}{left_out}"


# ---- metrics ---------------------------------------------------------------------------------------


def group_rows(values: Mapping[str, Value]) -> Iterator[tuple[str, list[list[str]]]]:
    """Yield the heading of each group of metrics with a row per metric that has a value."""
    for kind, heading in GROUPS.items():
        rows = [
            [name, _precise(value.value, kind), interval_text(value), f"{value.n_scored} of {value.n_total}"]
            for name, value in values.items()
            if value.value is not None and find_metric(name).kind == kind
        ]
        if rows:
            yield heading, rows


def folder_rows(scores: Scores) -> list[list[str]]:
    """Return a row for the pass rate and each main metric: its mean, and the estimate over the whole folder."""
    means = {name: value.value for name, value in scores.metrics.items()} | {"pass_rate": scores.pass_rate}
    return [
        [name, figure(means[name]), figure(scores.folder[name].value), interval_text(scores.folder[name])]
        for name in ("pass_rate", *headlines(scores.metrics))
        if name in scores.folder
    ]


def _bar(name: str, value: Value, scores: Scores) -> str:
    """Return the bar of a metric that is a share."""
    return bar(value.value) if name not in scores.own_metrics and find_metric(name).bounded else ""


def missing_by_reason(values: Mapping[str, Value]) -> dict[str, list[str]]:
    """Return the metrics without a value by the reason; a metric with cut-offs is named once, as name@k."""
    reasons: dict[str, list[str]] = {}
    for name, value in values.items():
        if value.value is None:
            reasons.setdefault(str(value.why), []).append(re.sub(r"@\d+", "@k", name))
    return {why: list(dict.fromkeys(names)) for why, names in reasons.items()}


def headlines(metrics: Mapping[str, Value]) -> list[str]:
    """Return the main metrics that have a value, each at its cut-off nearest 5; they are the columns of breakdowns.

    If most golden answers have claims, the metrics of words are left out.
    """
    claims, words = metrics.get("claim_recall"), metrics.get("em")
    left_out = WORD_METRICS if claims and words and 2 * claims.n_scored > words.n_scored else ()
    named = [name for name, value in metrics.items() if value.value is not None and name not in left_out]
    chosen = (nearest_to_five(name for name in named if split_name(name)[0] == base) for base in _HEADLINE_METRICS)
    return [name for name in chosen if name]


def interval_text(value: Value) -> str:
    """Return the 95 % interval as text, "" if there is none."""
    return f"{value.ci95[0]:.3f} to {value.ci95[1]:.3f}" if value.ci95 else ""


def _interval_and_count(value: Value) -> str:
    scored = "" if value.n_scored == value.n_total else f"({value.n_scored} of {value.n_total} scored)"
    return "  ".join(part for part in (interval_text(value), scored) if part)


def _precise(value: float, kind: str) -> str:
    """Return a value as text; resources get three significant digits, however small they are."""
    if kind != "resources":
        return figure(value)
    return f"{value:.3g}" if value < 1000 else f"{value:,.0f}"


def slice_rows(slices: Mapping[str, Mapping[str, Value]], columns: Sequence[str]) -> list[list[str]]:
    """Return a row per slice: its label, its number of questions, and its values of the columns."""
    return [
        [label, str(next(iter(values.values())).n_total), *(figure(values[column].value) for column in columns)]
        for label, values in slices.items()
    ]


def _first_ids(ids: Sequence[str]) -> str:
    shown = ", ".join(ids[:3]) + (" …" if len(ids) > 3 else "")
    return f"({shown})" if ids else ""


# ---- refusals, sizes of passages, hops -------------------------------------------------------------


def refusals_text(counts: Mapping[str, int]) -> str:
    """Return how many questions were answered and declined, and how many answers were empty if any were."""
    empty = f", {counts['empty']} empty" if counts.get("empty") else ""
    return f"{counts['answered']} answered, {counts['refused']} declined{empty}"


def passage_sizes(metrics: Mapping[str, Value]) -> str:
    """Return how many passages and words a question retrieves, "" if that is not known."""
    number, size = (
        metrics[name].value if name in metrics else None for name in ("passages_returned", "retrieved_words")
    )
    if not number or size is None:
        return ""
    return f"{number:.3g} per question, {size / number:,.0f} words on average ({size:,.0f} in all)"


def hops_table(hops: Sequence[HopCount]) -> tuple[list[str], list[list[str]]]:
    """Return the head and rows of a table of hops; with the steps if the system has any.

    Example:
        >>> hops_table([HopCount(1, 4, 4, {1: 4}), HopCount(2, 4, 1, {2: 1}, {2: 2, 0: 1})])[1]
        [['1', '4', '4', '1.000', '0', '1: 4', ''], ['2', '4', '1', '0.250', '3', '2: 1', '2: 2, no step followed: 1']]
    """
    rows = [
        [
            *map(str, (each.hop, each.questions, each.found)),
            figure(each.found / each.questions),
            str(each.lost),
            _by_step(each.found_at),
            _by_step(each.lost_at),
        ]
        for each in hops
    ]
    head = ["hop", "questions", "found", "share", "lost", "found at step", "lost at step"]
    shown = len(head) if any(each.found_at or each.lost_at for each in hops) else len(head) - 2
    return head[:shown], [row[:shown] for row in rows]


def _by_step(counts: Mapping[int, int]) -> str:
    return ", ".join(f"{step or 'no step followed'}: {count}" for step, count in counts.items())
