"""Scores as text: Markdown for scores.md, a compact table with bars for the terminal. Nothing is printed here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from kgsynth.documents.text_index import MIN_SIMILARITY
from kgsynth.scoring.metrics import GROUPS, find
from kgsynth.scoring.metrics.failure_causes import ADVICE
from kgsynth.scoring.metrics.resources import PROCESS
from kgsynth.scoring.metrics.scores import Scores
from kgsynth.scoring.metrics.summary import Value
from kgsynth.scoring.metrics.thresholds import LEVELS
from kgsynth.show.tables import aligned, bar, figure, table

_HEADLINES = ("recall", "ndcg", "mrr", "file_recall", "em", "token_f1", "refusal")
_OPTIONAL = ("reranking", "routing", "semantic", "judged")
"""Kinds that most runs lack; on the screen nothing is said of them then."""
_FAILING = 20


def markdown(scores: Scores) -> str:
    """Return the whole of the scores as Markdown: what was scored, gates, metrics, and the break-downs."""
    parts = [
        f"# Scores of {scores.system}",
        f"{scores.n_items} questions, {scores.n_errors} errors, {len(scores.missing)} without a record. "
        f"Evidence counts as covered at {scores.cover:g} of its characters.",
        *(f"**Note:** {note}." for note in scores.notes),
    ]
    if scores.gates:
        verdicts = [[gate.gate, gate.told, figure(gate.value)] for gate in scores.gates]
        parts += ["## Gates", table(["gate", "verdict", "value"], verdicts)]
    values = {**scores.metrics, **scores.resources}
    for kind, heading in GROUPS.items():
        rows = [
            [name, _fine(value.value, kind), interval(value), f"{value.n_scored} of {value.n_total}"]
            for name, value in values.items()
            if find(name).kind == kind and value.value is not None
        ]
        if rows:
            parts += [f"## {heading}", table(["metric", "value", "95 % interval", "scored"], rows)]
    lost = [[why, ", ".join(names)] for why, names in lacking(values).items()]
    if lost:
        parts += ["## Not measured", table(["why", "metrics"], lost)]
    for field, slices in scores.by.items():
        columns = headlines(scores.metrics)
        if columns:
            rows = [[label, str(_total(values)), *_figures(values, columns)] for label, values in slices.items()]
            parts += [f"## By {field.replace('_', ' ')}", table([field, "n", *columns], rows)]
    if scores.judge:
        parts += ["## The judge", "\n".join(f"- {line}" for line in scores.judge.lines)]
    matched = [[way, str(count)] for way, count in scores.matched.items()]
    floor = f"Similar text is alike in {100 * MIN_SIMILARITY:.0f} % of its letters and digits or more."
    parts += ["## How passages were matched", table(["by", "passages"], matched), floor]
    if scores.refusals:
        cells = [[kind, str(row["answered"]), str(row["refused"])] for kind, row in scores.refusals.items()]
        parts += ["## Refusals", table(["question", "answered", "declined"], cells)]
    parts += judged(scores)
    if scores.missing:
        parts += ["## Questions without a record (counted 0)", ", ".join(scores.missing)]
    golden = (
        f"Golden set `{scores.golden}`; system `{scores.signature}`; intervals by bootstrap over source documents. "
        "Which variant of a metric each is, scores.json says under `signatures`."
    )
    return "\n\n".join([*parts, golden]) + "\n"


def terminal(scores: Scores) -> str:
    """Return a compact account for a terminal: metrics with bars, break-downs, gates, refusals, time, errors."""
    parts = [f"{scores.system} on {scores.n_items} questions", *_compact(scores.metrics)]
    columns = headlines(scores.metrics)
    for field in ("question_type", "difficulty"):
        slices = scores.by[field]
        if columns and len(slices) > 1:
            rows = [[label, str(_total(values)), *_figures(values, columns)] for label, values in slices.items()]
            parts.append(aligned([f"by {field.replace('_', ' ')}", "n", *columns], rows))
    expected = {name: value for name, value in scores.metrics.items() if find(name).kind not in _OPTIONAL}
    lost = "\n".join(f"no value, {why}: {', '.join(names)}" for why, names in lacking(expected).items())
    parts += [lost] if lost else []
    matched = ", ".join(f"{way} {count}" for way, count in scores.matched.items() if count) or "none retrieved"
    ends = [f"passages matched by: {matched}", *(f"note: {note}" for note in scores.notes)]
    if scores.refusals:
        cells = (
            f"of {kind} {row['answered']} answered, {row['refused']} declined" for kind, row in scores.refusals.items()
        )
        ends.append(f"questions {'; '.join(cells)}")
    ends += _taken(scores.resources)
    if scores.n_errors or scores.missing:
        ends.append(
            f"counted 0: {scores.n_errors} errors, {len(scores.missing)} without a record {_some(scores.missing)}"
        )
    ends += scores.judge.lines if scores.judge else ()
    parts += judged_briefly(scores)
    ends += [f"gate {gate.gate}: {gate.told} ({gate.why or figure(gate.value)})" for gate in scores.gates]
    return "\n\n".join([*parts, "\n".join(line.rstrip() for line in ends)])


# ---- what the figures were held against ------------------------------------------------------------


def judged(scores: Scores) -> list[str]:
    """Return the sections of scores.md on own metrics, thresholds, the overall score and the failing questions."""
    parts = []
    if scores.own_metrics:
        own = [[name, figure(value.value), _aside(value)] for name, value in scores.own_metrics.items()]
        parts += ["## Own metrics", table(["metric", "value", "95 % interval"], own)]
    if scores.thresholds:
        parts += ["## Thresholds", table(*_thresholds(scores))]
    parts += ["## Overall", _overall(scores), "## Failing questions", _pass_rate(scores)]
    if scores.causes:
        failing = [item for item in scores.items if item.cause][:_FAILING]
        cells = [
            [item.id, item.question, " or ".join(item.expected), item.actual or "–", str(item.cause)]
            for item in failing
        ]
        head = ["case", "question", "expected", "actual", "likely cause"]
        parts += [table(["likely cause", "questions", "what to try"], _causes(scores)), table(head, cells)]
        parts += [f"The first {_FAILING}; all are in items.jsonl."] if sum(scores.causes.values()) > _FAILING else []
    return parts


def judged_briefly(scores: Scores) -> list[str]:
    """Return the same for a terminal, without the questions themselves."""
    parts = []
    if scores.own_metrics:
        own = [[name, figure(value.value), _aside(value)] for name, value in scores.own_metrics.items()]
        parts.append(aligned(["own metric", "value", "95 % interval"], own))
    if scores.thresholds:
        parts.append(aligned(*_thresholds(scores)))
    parts.append(_pass_rate(scores))
    if scores.causes:
        parts.append(aligned(["likely cause", "questions", "what to try"], _causes(scores)))
    return [*parts, _overall(scores)]


def _thresholds(scores: Scores) -> tuple[list[str], list[list[str]]]:
    """Return a table of the thresholds, the worst level first, what was not assessed last."""
    held = sorted(scores.thresholds, key=lambda each: LEVELS.index(each.level))
    shown = {"failed": "FAILED"}
    head = ["threshold", "value", "warn", "fail", "level"]
    return head, [
        [each.metric, figure(each.value), f"{each.warn:g}", f"{each.fail:g}", shown.get(each.level, each.level)]
        for each in held
    ]


def _pass_rate(scores: Scores) -> str:
    good = scores.n_items - sum(scores.causes.values())
    return f"nothing amiss with {good} of {scores.n_items} questions: a pass rate of {scores.pass_rate:.3f}"


def _causes(scores: Scores) -> list[list[str]]:
    return [[kind, str(count), ADVICE[kind]] for kind, count in scores.causes.items()]


def _overall(scores: Scores) -> str:
    found = scores.overall
    if found is None or found.value is None:
        return "overall: no weighted metric has a value"
    parts = ", ".join(f"{name} {figure(value)}" for name, value in found.components.items())
    weights = ", ".join(f"{name} {weight:g}" for name, weight in found.weights.items())
    out = f"; without a value: {', '.join(found.left_out)}" if found.left_out else ""
    return f"overall {figure(found.value)} ({parts}); weights {weights}{out}"


# ---- the metrics -----------------------------------------------------------------------------------


def _compact(metrics: Mapping[str, Value]) -> list[str]:
    """Return a table of the metrics with cut-offs, these side by side, and for each group one of those without."""
    cuts = sorted({_cut(name) for name in metrics} - {0})
    shown = {name: value for name, value in metrics.items() if value.value is not None}
    middle = min(cuts, key=_from_five, default=0)
    at_k: list[list[str]] = []
    for base in dict.fromkeys(name.partition("@")[0] for name in shown if "@" in name):
        figures = [figure(value.value) if (value := shown.get(f"{base}@{k}")) else "" for k in cuts]
        at_k.append([base, *figures, *_drawn(f"{base}@{middle}", shown)])
    whole: dict[str, list[list[str]]] = {}
    for name, value in shown.items():
        if "@" not in name:
            whole.setdefault(find(name).kind, []).append([name, figure(value.value), *_drawn(name, shown)])
    tables = []
    if at_k:
        tables.append(aligned(["metric", *(f"@{k}" for k in cuts), "", f"95 % interval @{middle}"], at_k))
    for kind, heading in GROUPS.items():
        if kind in whole:
            tables.append(aligned([heading.lower(), "value", "", "95 % interval"], whole[kind]))
    return tables


def _drawn(name: str, shown: Mapping[str, Value]) -> list[str]:
    """Return the bar and the interval of a metric, both empty when it was not measured."""
    if name not in shown:
        return ["", ""]
    return [bar(shown[name].value) if find(name).bounded else "", _aside(shown[name])]


def _cut(name: str) -> int:
    return int(name.partition("@")[2] or 0)


def _taken(resources: Mapping[str, Value]) -> list[str]:
    """Return a line on time and failures, and one on processor and memory where these were measured."""
    shown = {
        name: f"{name} {_fine(value.value, 'resources')}"
        for name, value in resources.items()
        if value.value is not None
    }
    used = [name for name in PROCESS if name in shown]
    lines = [f"time and failures: {', '.join(text for name, text in shown.items() if name not in used)}"]
    if used:
        of = resources[used[0]]
        lines.append(
            f"processor and memory: {', '.join(shown[name] for name in used)}, of {of.n_scored} of {of.n_total} answers"
        )
    return lines


def lacking(values: Mapping[str, Value]) -> dict[str, list[str]]:
    """Return the metrics without a value by the reason, each named once for all its cut-offs."""
    reasons: dict[str, list[str]] = {}
    for name, value in values.items():
        if value.value is None:
            reasons.setdefault(str(value.why), []).append(name.replace(f"@{_cut(name)}", "@k"))
    return {why: list(dict.fromkeys(names)) for why, names in reasons.items()}


def _from_five(cut: int) -> tuple[int, int]:
    return abs(cut - 5), cut


def headlines(metrics: Mapping[str, Value]) -> list[str]:
    """Return the few metrics that break-downs show: of each headline the cut-off nearest 5, if it has a value."""
    chosen = []
    for base in _HEADLINES:
        named = [name for name in metrics if name.partition("@")[0] == base and metrics[name].value is not None]
        chosen += sorted(named, key=lambda name: _from_five(_cut(name)))[:1]
    return chosen


def interval(value: Value) -> str:
    """Return the 95 % interval as text, "" when there is none."""
    return f"{value.ci95[0]:.3f} to {value.ci95[1]:.3f}" if value.ci95 else ""


def _aside(value: Value) -> str:
    scored = "" if value.n_scored == value.n_total else f"({value.n_scored} of {value.n_total} scored)"
    return "  ".join(part for part in (interval(value), scored) if part)


def _fine(value: float, kind: str) -> str:
    """Return a figure; seconds and rates in three digits, however small."""
    if kind != "resources":
        return figure(value)
    return f"{value:.3g}" if value < 1000 else f"{value:,.0f}"


def _figures(values: Mapping[str, Value], columns: Sequence[str]) -> list[str]:
    return [figure(values[column].value) for column in columns]


def _total(values: Mapping[str, Value]) -> int:
    return next(iter(values.values())).n_total


def _some(ids: Sequence[str]) -> str:
    shown = ", ".join(ids[:3]) + (" …" if len(ids) > 3 else "")
    return f"({shown})" if ids else ""
