"""Scores as text: Markdown for scores.md, and compact tables with bars for the terminal. Nothing is printed here."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from kgsynth.documents.text_index import MIN_SIMILARITY
from kgsynth.scoring.metrics import GROUPS
from kgsynth.scoring.metrics.failure_causes import CAUSE_ADVICE
from kgsynth.scoring.metrics.lookup import find_metric, nearest_to_five, split_name
from kgsynth.scoring.metrics.resources import PROCESS_METRICS
from kgsynth.scoring.metrics.scores import Scores
from kgsynth.scoring.metrics.summary import Value
from kgsynth.scoring.metrics.thresholds import THRESHOLD_LEVELS
from kgsynth.scoring.report_lines import hops_table, passage_sizes, refusals_text
from kgsynth.show.tables import aligned, bar, figure, table
from kgsynth.show.wording import many, with_history

WORD_METRICS = ("em", "token_f1")
"""Metrics that say little of long answers: two that say the same rarely share most of their words."""
_HEADLINE_METRICS = (
    "recall", "ndcg", "mrr", "file_recall", *WORD_METRICS, "claim_recall", "claim_precision", "refusal",
)  # fmt: skip
_OPTIONAL_KINDS = ("citations", "steps", "reranking", "routing", "semantic", "judged")
"""Kinds of metrics that most runs lack; the terminal does not list them as missing."""
_MAX_FAILING_SHOWN = 20


def markdown(scores: Scores) -> str:
    """Return all scores as Markdown: gates, metrics, breakdowns, matching, causes and what was not measured."""
    parts = [
        f"# Scores of {scores.system}",
        f"**{scores.result[0].upper()}{scores.result[1:]}.** {_pass_rate(scores).capitalize()}.",
        f"{many(scores.n_items, 'question')}, {many(scores.n_errors, 'error')}, {len(scores.missing)} without an "
        f"answer record. A passage covers an evidence span if it holds at least {scores.cover:g} of its characters.",
        *(f"**Note:** {note}." for note in (scores.caveat, scores.saturated, *scores.notes) if note),
    ]
    if scores.gates:
        gates = [[gate.gate, gate.outcome, gate.value_text] for gate in scores.gates]
        parts += ["## Gates", table(["gate", "result", "value"], gates)]
    values = {**scores.metrics, **scores.resources}
    for heading, rows in group_rows(values):
        parts += [f"## {heading}", table(["metric", "value", "95 % interval", "scored"], rows)]
    missing = [[why, ", ".join(names)] for why, names in missing_by_reason(values).items()]
    if missing:
        parts += ["## Not measured", table(["reason", "metrics"], missing)]
    columns = headlines(scores.metrics)
    for field, slices in scores.by.items():
        if columns:
            head = [field, "n", *columns]
            parts += [f"## By {field.replace('_', ' ')}", table(head, slice_rows(slices, columns))]
    if scores.judge:
        parts += ["## The judge", "\n".join(f"- {line}" for line in scores.judge.lines)]
    matched = [[method, str(count)] for method, count in scores.matched.items()]
    similar = f"Similar text agrees in at least {100 * MIN_SIMILARITY:.0f} % of its letters and digits."
    parts += ["## How passages were matched", table(["by", "passages"], matched), similar]
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
    """Return a compact report for a terminal: the result and what limits it, then metrics, breakdowns and details."""
    parts = ["\n".join(_first_lines(scores)), *_outcome_tables(scores), *_metric_tables(scores.metrics)]
    columns = headlines(scores.metrics)
    for field in ("question_type", "difficulty", "turn"):
        if columns and len(slices := scores.by.get(field, {})) > 1:
            parts.append(aligned([f"by {field.replace('_', ' ')}", "n", *columns], slice_rows(slices, columns)))
    return "\n\n".join([*parts, "\n".join(_last_lines(scores))])


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
    lines += [f"gate {gate.gate}: {gate.outcome} ({gate.value_text})" for gate in scores.gates]
    return [*lines, _pass_rate(scores)]


def _last_lines(scores: Scores) -> list[str]:
    """Return the lines on what was not measured, on matching, refusals, resources and the judge."""
    expected = {name: value for name, value in scores.metrics.items() if find_metric(name).kind not in _OPTIONAL_KINDS}
    lines = [
        f"{many(len(names), 'metric')} not measured: {why} ({', '.join(names[:3])}{', …' if len(names) > 3 else ''})"
        for why, names in missing_by_reason(expected).items()
    ]
    matched = ", ".join(f"{method} {count}" for method, count in scores.matched.items() if count) or "none retrieved"
    lines += [f"passages matched by: {matched}", *passage_sizes(scores.metrics)]
    lines += [
        f"{kind} questions: {refusals_text(row)}" for kind, row in (scores.refusals or {}).items() if any(row.values())
    ]
    return [*lines, *_resource_lines(scores.resources), *(scores.judge.lines if scores.judge else ())]


# ---- gates, thresholds, causes, overall score ------------------------------------------------------


def _outcome_sections(scores: Scores) -> list[str]:
    """Return the sections of scores.md on own metrics, thresholds, the overall score and the failed questions."""
    parts = []
    if scores.own_metrics:
        parts += ["## Own metrics", table(*_own_metrics(scores))]
    if scores.thresholds:
        parts += ["## Thresholds", table(*_thresholds(scores))]
    parts += ["## Overall", _overall(scores)]
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


def _outcome_tables(scores: Scores) -> list[str]:
    """Return the same for a terminal, the thresholds first, without the single questions."""
    parts = []
    if scores.thresholds:
        parts.append(aligned(*_thresholds(scores)))
    if scores.causes:
        parts.append(aligned(*_causes(scores)))
    if scores.own_metrics:
        parts.append(aligned(*_own_metrics(scores)))
    if any(item.n_steps for item in scores.items) and scores.hops:
        parts.append(aligned(*hops_table(scores.hops)))
    return [*parts, _overall(scores)]


def _own_metrics(scores: Scores) -> tuple[list[str], list[list[str]]]:
    rows = [[name, figure(value.value), _interval_and_count(value)] for name, value in scores.own_metrics.items()]
    return ["own metric", "value", "95 % interval"], rows


def _thresholds(scores: Scores) -> tuple[list[str], list[list[str]]]:
    """Return the head and rows of a table of the thresholds, the worst level first."""
    ordered = sorted(scores.thresholds, key=lambda each: THRESHOLD_LEVELS.index(each.level))
    rows = [
        [
            each.metric,
            figure(each.value),
            f"{each.warn:g}",
            f"{each.fail:g}",
            each.level.replace("failed", "FAILED") + (f" ({each.why})" if each.why else ""),
        ]
        for each in ordered
    ]
    return ["threshold", "value", "warn", "fail", "level"], rows


def _pass_rate(scores: Scores) -> str:
    if scores.estimate or scores.pass_rate is None:
        return scores.estimate.wanted if scores.estimate else "no pass rate: no question was checked"
    return f"pass rate{scores.by_words} {scores.pass_rate:.3f} (of {many(scores.n_checked, 'checked question')})"


def _causes(scores: Scores) -> tuple[list[str], list[list[str]]]:
    rows = [[kind, str(count), CAUSE_ADVICE[kind]] for kind, count in scores.causes.items()]
    return ["likely cause", "questions", "what to try"], rows


def _overall(scores: Scores) -> str:
    overall = scores.overall
    if overall is None or overall.value is None:
        return "overall: no weighted metric has a value"
    components = ", ".join(f"{name} {figure(value)}" for name, value in overall.components.items())
    weights = ", ".join(f"{name} {weight:g}" for name, weight in overall.weights.items())
    left_out = f"; without a value: {', '.join(overall.left_out)}" if overall.left_out else ""
    return f"overall {figure(overall.value)}, questions that failed count 0 ({components}); weights {weights}{left_out}"


# ---- metrics ---------------------------------------------------------------------------------------


def _metric_tables(metrics: Mapping[str, Value]) -> list[str]:
    """Return one table of the metrics with cut-offs, side by side, and one table per group of those without."""
    cut_offs = sorted({split_name(name)[1] for name in metrics} - {0})
    shown = {name: value for name, value in metrics.items() if value.value is not None}
    middle = split_name(nearest_to_five(name for name in metrics if "@" in name))[1]
    at_k: list[list[str]] = []
    for base in dict.fromkeys(split_name(name)[0] for name in shown if "@" in name):
        figures = [figure(value.value) if (value := shown.get(f"{base}@{k}")) else "" for k in cut_offs]
        at_k.append([base, *figures, *_bar_and_interval(f"{base}@{middle}", shown)])
    by_kind: dict[str, list[list[str]]] = {}
    for name, value in shown.items():
        if "@" not in name:
            row = [name, figure(value.value), *_bar_and_interval(name, shown)]
            by_kind.setdefault(find_metric(name).kind, []).append(row)
    tables = []
    if at_k:
        tables.append(aligned(["metric", *(f"@{k}" for k in cut_offs), "", f"95 % interval @{middle}"], at_k))
    for kind, heading in GROUPS.items():
        if kind in by_kind:
            tables.append(aligned([heading.lower(), "value", "", "95 % interval"], by_kind[kind]))
    return tables


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


def _bar_and_interval(name: str, shown: Mapping[str, Value]) -> list[str]:
    """Return the bar and the interval of a metric, both empty if it has no value."""
    if name not in shown:
        return ["", ""]
    return [bar(shown[name].value) if find_metric(name).bounded else "", _interval_and_count(shown[name])]


def _resource_lines(resources: Mapping[str, Value]) -> list[str]:
    """Return a line on time and failures, and one on processor and memory if these were measured."""
    shown = {
        name: f"{name} {_precise(value.value, 'resources')}"
        for name, value in resources.items()
        if value.value is not None
    }
    process = [name for name in PROCESS_METRICS if name in shown]
    lines = [f"time and failures: {', '.join(text for name, text in shown.items() if name not in process)}"]
    if process:
        value = resources[process[0]]
        measured = f"measured for {value.n_scored} of {value.n_total} answers"
        lines.append(f"processor and memory: {', '.join(shown[name] for name in process)}, {measured}")
    return lines


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
