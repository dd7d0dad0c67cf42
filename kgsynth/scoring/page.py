"""The HTML report of ``score``: metrics, breakdowns, likely causes of failures, and every question."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from statistics import median
from typing import NamedTuple

from kgsynth.base.records import Answer, Document, Item
from kgsynth.base.shares import percent
from kgsynth.base.thresholds import LIMITS
from kgsynth.language.lengths import length_in_words
from kgsynth.scoring.metrics import GROUPS
from kgsynth.scoring.metrics.answer_match import titled
from kgsynth.scoring.metrics.failure_causes import CAUSE_ADVICE
from kgsynth.scoring.metrics.item_score import ItemScore
from kgsynth.scoring.metrics.lookup import find_metric, nearest_to_five, split_name
from kgsynth.scoring.metrics.scores import Scores
from kgsynth.scoring.metrics.summary import Value
from kgsynth.scoring.passage_view import evidence_found, passage_views, step_views
from kgsynth.scoring.text import (
    FOLDER_EXPLAINED,
    FOLDER_HEAD,
    WORD_METRICS,
    folder_rows,
    group_rows,
    headlines,
    hops_table,
    interval_text,
    judge_lines,
    missing_by_reason,
    overall_text,
    passage_sizes,
    refusals_text,
    repeat_lines,
)
from kgsynth.show.illustrations import Illustrations
from kgsynth.show.pages import Report, render
from kgsynth.show.plots import Plot, bars, histogram, whiskers
from kgsynth.show.questions import DIFFICULTIES, MAX_QUESTIONS_LISTED, ListedQuestion, chips, filters, view
from kgsynth.show.tables import figure
from kgsynth.show.wording import FEW, cut, joined, many

_CHIP_CLASSES = {"passed": "good", "warned": "warn", "failed": "bad", "FAILED": "bad"}
_ANSWER_LETTERS, _ANSWER_LETTERS_IN_LIST = 1500, 160
"""The letters shown of an answer, in an open question and in the list."""
_MAX_SLICES_PLOTTED = 12
_FOR_LONG_ANSWERS = ("semantic_similarity", "rougeL")
_CAUSES_TITLE = "Likely causes, in the order in which they are checked"


class _Cell(NamedTuple):
    """A cell of a table; ``soft`` if it is grey."""

    text: str
    soft: bool = False


def page(
    scores: Scores,
    items: Sequence[Item],
    answers: Mapping[str, Answer],
    documents: Mapping[str, Document],
    docs: Path | None = None,
) -> Report:
    """Return the report of a run of ``score`` on ``items``, in the order of ``scores.items``.

    Pages of PDFs in the folder ``docs`` are drawn.
    """
    metric_plots, slice_plots = list(_metric_plots(scores)), list(_slice_plots(scores))
    cause_plots, resource_plots = (
        [bars("causes", _CAUSES_TITLE, scores.causes)] if len(scores.causes) > 1 else [],
        list(_resource_plots(answers)),
    )
    slices = list(_slice_tables(scores))
    plots = (*metric_plots, *slice_plots, *cause_plots, *resource_plots)
    order = ("failed", "not checked", "passed")
    failed_first = sorted(zip(items, scores.items, strict=True), key=lambda pair: order.index(pair[1].state))
    drawn = Illustrations(documents, docs)
    rows = [
        _row(item, result, answers[item.id], drawn, scores)
        for item, result in islice(failed_first, MAX_QUESTIONS_LISTED)
    ]
    html = render(
        "scoring/page.html",
        kind="Scores",
        title=_title(scores),
        lead=_lead(scores),
        figures=list(_figures(scores)),
        notes=[note for note in (scores.caveat, scores.saturated, *scores.notes) if note],
        checks=list(_checks(scores)),
        pictures=plots,
        metric_plots=metric_plots,
        groups=[*group_rows(scores.metrics), *_own_group(scores)],
        folder=(FOLDER_HEAD, folder_rows(scores), FOLDER_EXPLAINED) if scores.folder else (),
        missing=[(why, ", ".join(names)) for why, names in missing_by_reason(scores.metrics).items()],
        slice_plots=slice_plots,
        slices=slices,
        few=FEW if any(cell.soft for _, _, rows in slices for row in rows for cell in row) else 0,
        failing=_failing(scores),
        cause_plots=cause_plots,
        causes=[(kind, count, CAUSE_ADVICE[kind]) for kind, count in scores.causes.items()],
        hops=hops_table(scores.hops) if scores.hops else (),
        rows=rows,
        total=len(items),
        choices=filters(
            rows, {"state": "Result", "cause": "Cause", "type": "Type", "difficulty": "Difficulty"}, {"state": "failed"}
        ),
        resource_plots=resource_plots,
        resources=[
            (name, f"{value.value:,.3g}{_unit(name)} (n {value.n_scored})")
            for name, value in scores.resources.items()
            if value.value is not None
        ],
        facts=list(_facts(scores)),
        judge=judge_lines(scores),
    )
    return Report(html, plots)


def _failing(scores: Scores) -> str:
    """Return the heading above the causes of failure; without failures it says how many questions were checked."""
    failed = scores.questions["failed"]
    if failed:
        return f"Why {many(failed, 'question')} failed"
    if not scores.n_checked:
        return "No question was checked"
    return (
        "No question failed" if scores.n_checked == scores.n_items else f"None of {scores.n_checked:,} checked failed"
    )


def _title(scores: Scores) -> str:
    if scores.pass_rate is None:
        return f"{scores.system}: no question could be checked"
    statements = [f"passes {percent(scores.pass_rate)} of {many(scores.n_checked, 'question')}{scores.by_words}"]
    for name in _tiles(scores):
        value, (base, k) = scores.metrics[name], split_name(name)
        of, share = f"({many(value.n_scored, 'question')})", percent(value.value or 0.0)
        if base == "recall":
            statements.append(f"finds {share} of the evidence in its first {k} passages {of}")
        elif base == "claim_recall":
            statements.append(f"states {share} of the claims of the golden answers {of}")
        elif base == "token_f1":
            statements.append(f"shares {share} of the words of the golden answers {of}")
    return f"{scores.system} {joined(statements)}"


def _tiles(scores: Scores) -> list[str]:
    """Return the main metrics of the page; long golden answers are compared by claims, meaning or order, if at all."""
    names = headlines(scores.metrics)
    lengths = [min(map(length_in_words, item.expected)) for item in scores.items if item.expected]
    if not lengths or median(lengths) <= LIMITS.answer_max_words or "claim_recall" in names:
        return names
    measured = (name for name in _FOR_LONG_ANSWERS if name in scores.metrics and scores.metrics[name].value is not None)
    return [name for name in names if name not in WORD_METRICS] + [*islice(measured, 1)]


def _figures(scores: Scores) -> Iterator[tuple[str, str, str]]:
    """Yield the value of each main metric, its title, and its interval with the number of questions."""
    for name in _tiles(scores):
        value = scores.metrics[name]
        yield figure(value.value), titled(name, scores.notes), f"{interval_text(value)}, n {value.n_scored}".strip(", ")


def _lead(scores: Scores) -> str:
    parts = [f"{scores.result[0].upper()}{scores.result[1:]}."]
    if scores.pass_rate is not None:
        parts.append(f"Pass rate{scores.by_words} {percent(scores.pass_rate)}, n {scores.n_checked:,}.")
    checked = len(scores.gates) + sum(each.level != "not assessed" for each in scores.thresholds)
    if checked:
        kinds = [name for name, found in (("gates", scores.gates), ("thresholds", scores.thresholds)) if found]
        parts.append(f"{len(scores.failed_checks)} of {checked} {joined(kinds)} failed.")
    if scores.n_errors:
        parts.append(f"The system failed with an error on {many(scores.n_errors, 'question')}; each counts 0.")
    if scores.missing:
        parts.append(f"{many(len(scores.missing), 'question')} had no answer record; each counts 0.")
    return " ".join(parts)


def _checks(scores: Scores) -> Iterator[tuple[str, str, str, str, str]]:
    """Yield each gate and threshold with its value, its questions, its result, and the CSS class of the result."""
    values = {**scores.metrics, **scores.own_metrics, **scores.resources}
    counts = {name: f"{value.n_scored}" for name, value in values.items()} | {"pass_rate": f"{scores.n_checked}"}
    for gate in scores.gates:
        n = counts.get(gate.metric, "")
        yield f"gate {gate.text}", gate.value_text, n, gate.outcome, _CHIP_CLASSES[gate.outcome]
    for each in scores.thresholds:
        name = "{}: warn at {:g}, fail at {:g}".format(each.metric, *each.limits)
        n = counts.get(each.metric, "")
        yield name, each.value_text, n, each.level, _CHIP_CLASSES.get(each.level, "")


# ---- metrics ---------------------------------------------------------------------------------------


def _metric_plots(scores: Scores) -> Iterator[Plot]:
    """Yield one plot per group of the bounded metrics, those with cut-offs at the one nearest 5."""
    shown_cut_offs = (0, split_name(nearest_to_five(name for name in scores.metrics if "@" in name))[1])
    for kind, heading in GROUPS.items():
        points = [
            (name, value)
            for name, value in scores.metrics.items()
            if value.value is not None
            and find_metric(name).kind == kind
            and find_metric(name).bounded
            and split_name(name)[1] in shown_cut_offs
        ]
        if len(points) > 1:
            yield _metric_plot(f"metrics-{kind.replace(' ', '-')}", heading, points, bounds=(0, 1))
    own = [(name, value) for name, value in scores.own_metrics.items() if value.value is not None]
    if len(own) > 1:
        yield _metric_plot("metrics-own", "Own metrics", own)


def _metric_plot(
    name: str, heading: str, points: Sequence[tuple[str, Value]], bounds: tuple[float, float] | None = None
) -> Plot:
    """Return a plot of metrics; its title has the usual number of questions, a metric with another one its own."""
    usual = Counter(value.n_scored for _, value in points).most_common(1)[0][0]
    dots = [
        (metric if value.n_scored == usual else f"{metric} (n {value.n_scored})", value.value or 0.0, value.ci95)
        for metric, value in points
    ]
    return whiskers(name, f"{heading} (n {usual})", dots, bounds=bounds)


def _own_group(scores: Scores) -> Iterator[tuple[str, list[list[str]]]]:
    rows = [
        [name, figure(value.value), interval_text(value), f"{value.n_scored} of {value.n_total}"]
        for name, value in scores.own_metrics.items()
        if value.value is not None
    ]
    if rows:
        yield "Own metrics", rows


# ---- breakdowns ------------------------------------------------------------------------------------


def _slice_plots(scores: Scores) -> Iterator[Plot]:
    """Yield a plot of the first headline metric for each breakdown that has a few slices."""
    for name in headlines(scores.metrics)[:1]:
        for field, slices in scores.by.items():
            points = [
                (f"{label or 'none'} (n {found.n_total})", found.value, found.ci95)
                for label, values in sorted(slices.items(), key=_difficulty_order)
                if (found := values[name]).value is not None
            ]
            if 1 < len(points) <= _MAX_SLICES_PLOTTED:
                title = f"{name} by {field.replace('_', ' ')}"
                yield whiskers(f"by-{field.replace('_', '-')}", title, points, bounds=(0, 1))


def _slice_tables(scores: Scores) -> Iterator[tuple[str, list[str], list[list[_Cell]]]]:
    columns = _tiles(scores)
    for field, slices in scores.by.items():
        if columns and len(slices) > 1:
            rows = [
                [_Cell(label), _Cell(str(n)), *(_cell(values[column], n) for column in columns)]
                for label, values in slices.items()
                for n in [next(iter(values.values())).n_total]
            ]
            yield field.replace("_", " "), ["n", *columns], rows


def _cell(value: Value, n: int) -> _Cell:
    """Return a value of a slice of ``n`` questions, with its own number of questions if it has fewer."""
    own = "" if value.value is None or value.n_scored == n else f" (n {value.n_scored})"
    return _Cell(f"{figure(value.value)}{own}", soft=value.value is not None and value.n_scored < FEW)


def _difficulty_order(entry: tuple[str, object]) -> int:
    """Sort difficulties from easy to hard; other labels keep their order."""
    return DIFFICULTIES.index(entry[0]) if entry[0] in DIFFICULTIES else 0


def _resource_plots(answers: Mapping[str, Answer]) -> Iterator[Plot]:
    times = [answer.latency_s for answer in answers.values() if answer.latency_s is not None]
    if len(times) > 1:
        unit, scale = ("seconds", 1) if max(times) >= 1 else ("milliseconds", 1000)
        yield histogram("latency", "Latency of the answers", [scale * time for time in times], axis=unit)


def _unit(resource: str) -> str:
    """Return the unit of a resource metric, "" for a share or a count."""
    return " s" if resource.startswith("latency") else {"throughput": " answers per second"}.get(resource, "")


# ---- questions -------------------------------------------------------------------------------------


def _row(item: Item, result: ItemScore, answer: Answer, drawn: Illustrations, scores: Scores) -> ListedQuestion:
    """Return a question of the list; evidence and passages are shown only if it failed."""
    cause, documents = result.cause, drawn.documents
    keys = {
        "state": [result.state],
        "cause": [cause.kind] if cause else [],
        "type": [item.question_type],
        "difficulty": [item.difficulty],
    }
    metrics = [(name, result.metrics.get(name)) for name in headlines(scores.metrics)]
    more = {
        "history": item.history,
        "expected": " | ".join(item.golden_answers),
        "beside": cause is not None and answer.answer is not None,
        "given": cut(answer.answer, _ANSWER_LETTERS) if answer.answer is not None else None,
        "cause": str(cause) if cause else "",
        "not_checked": result.not_checked,
        "advice": cause.advice if cause else "",
        "figures": ", ".join(f"{name} {figure(value)}" for name, value in metrics if value is not None),
        "latency": "" if answer.latency_s is None else f"{answer.latency_s:.3g} s",
        "passages": passage_views(answer, item, result.group_ranks, documents) if cause else (),
        "steps": step_views(answer, result) if cause else (),
        "retrieved": many(len(answer.retrieved), "passage"),
    }
    given = cut(answer.answer, _ANSWER_LETTERS_IN_LIST) if answer.answer is not None else evidence_found(result)
    tags = (*([cause.kind] if cause else [result.state] if result.not_checked else []), *chips(item))
    return ListedQuestion(
        item.id, item.question, given, tags, keys, view(item, documents, drawn) if cause else None, more
    )


def _facts(scores: Scores) -> Iterator[tuple[str, str]]:
    matched = ", ".join(f"by {method} {count:,}" for method, count in scores.matched.items() if count)
    yield "system", scores.signature
    yield "golden set", scores.golden
    yield "evidence is covered", f"by a passage with at least {scores.cover:g} of its characters"
    yield "passages were matched", matched or "–"
    if sizes := passage_sizes(scores.metrics):
        yield "passages", sizes
    for kind, row in (scores.refusals or {}).items():
        yield f"{kind} questions", refusals_text(row)
    for line in repeat_lines(scores):
        yield "askings", line
    yield "overall", overall_text(scores, weights=True)
