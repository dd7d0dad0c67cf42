"""The report of ``score``: what a system came to, where it does well and where not, and why each question failed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice

from kgsynth.base.records import Answer, Document, Item
from kgsynth.base.version import __version__
from kgsynth.scoring.metrics import GROUPS, find
from kgsynth.scoring.metrics.failure_causes import ADVICE
from kgsynth.scoring.metrics.scores import ItemScore, Scores
from kgsynth.scoring.metrics.summary import Value
from kgsynth.scoring.retrieved import retrieved
from kgsynth.scoring.text import headlines, interval, lacking
from kgsynth.show.pages import render
from kgsynth.show.plots import Plot, bars, histogram, whiskers
from kgsynth.show.question_list import DIFFICULTIES, MAX_QUESTIONS_LISTED, ListedQuestion, chips, filters
from kgsynth.show.question_view import view
from kgsynth.show.report import Report
from kgsynth.show.tables import figure
from kgsynth.show.wording import cut, joined, many

_MOODS = {"passed": "good", "warned": "warn", "failed": "bad", "FAILED": "bad"}
_SAID, _BRIEF = 1500, 160
"""Letters that are shown of an answer, and in the list."""
_SLICES = 12
"""A break-down with more parts than these is not drawn."""


def page(
    scores: Scores, items: Sequence[Item], answers: Mapping[str, Answer], documents: Mapping[str, Document]
) -> Report:
    """Return the report of a run of ``score`` on ``items``, in their order, with what was answered to each."""
    whole, parts = list(_metric_plots(scores)), list(_part_plots(scores))
    causes, timed = list(_cause_plots(scores)), list(_resource_plots(answers))
    ordered = sorted(zip(items, scores.items, strict=True), key=lambda pair: pair[1].cause is None)
    rows = [
        _row(item, found, answers[item.id], documents, scores) for item, found in islice(ordered, MAX_QUESTIONS_LISTED)
    ]
    values = {**scores.metrics, **scores.own_metrics}
    html = render(
        "scoring/page.html",
        kind="Scores",
        title=_title(scores),
        lead=_lead(scores),
        version=__version__,
        figures=[(figure(values[name].value), name, interval(values[name])) for name in headlines(scores.metrics)],
        notes=scores.notes,
        standards=list(_standards(scores)),
        pictures=[*whole, *parts, *causes, *timed],
        metric_plots=whole,
        groups=list(_groups(scores)),
        lacking=[(why, ", ".join(names)) for why, names in lacking(scores.metrics).items()],
        part_plots=parts,
        parts=list(_parts(scores)),
        failing_said=_failing(scores),
        cause_plots=causes,
        causes=[(kind, count, ADVICE[kind]) for kind, count in scores.causes.items()],
        rows=rows,
        total=len(items),
        choices=filters(
            rows,
            {"state": "Result", "cause": "Cause", "type": "Type", "difficulty": "Difficulty"},
            {"state": "failing"},
        ),
        resource_plots=timed,
        resources=[
            (name, f"{value.value:,.3g}") for name, value in scores.resources.items() if value.value is not None
        ],
        facts=list(_facts(scores)),
        judge=scores.judge.lines if scores.judge else (),
    )
    return Report(html, (*whole, *parts, *causes, *timed))


def _title(scores: Scores) -> str:
    shown = headlines(scores.metrics)
    said = []
    for name in shown:
        base, _, cut = name.partition("@")
        share = f"{scores.metrics[name].value:.0%}"
        if base == "recall":
            said.append(f"finds {share} of the evidence in its first {cut} passages")
        elif base == "token_f1":
            said.append(f"shares {share} of the words of the golden answers")
    return (
        f"{scores.system} {' and '.join(said)}"
        if said
        else f"{scores.system}, scored on {many(scores.n_items, 'question')}"
    )


def _lead(scores: Scores) -> str:
    good = scores.n_items - sum(scores.causes.values())
    parts = [f"Nothing is amiss with {good:,} of {many(scores.n_items, 'question')} ({scores.pass_rate:.0%})."]
    held = len(scores.gates) + sum(each.level != "not assessed" for each in scores.thresholds)
    if held:
        parts.append(f"Of {many(held, 'standard')} {len(scores.failures)} failed.")
    if scores.n_errors:
        parts.append(f"It failed with an error on {many(scores.n_errors, 'question')}, each counted 0.")
    if scores.missing:
        parts.append(f"{many(len(scores.missing), 'question')} had no record, each counted 0.")
    return " ".join(parts)


def _failing(scores: Scores) -> str:
    failed = sum(scores.causes.values())
    return f"Why {many(failed, 'question')} failed" if failed else "No question failed"


def _standards(scores: Scores) -> Iterator[tuple[str, str, str, str]]:
    for gate in scores.gates:
        yield f"gate {gate.gate}", gate.why or figure(gate.value), gate.told, _MOODS[gate.told]
    for held in scores.thresholds:
        name = f"{held.metric}: warn at {held.warn:g}, fail at {held.fail:g}"
        yield name, figure(held.value), held.level, _MOODS.get(held.level, "")


# ---- metrics ---------------------------------------------------------------------------------------


def _metric_plots(scores: Scores) -> Iterator[Plot]:
    """Draw a plot a group: of metrics with cut-offs the one nearest 5, of those that lie between 0 and 1."""
    cuts = sorted({int(name.partition("@")[2]) for name in scores.metrics if "@" in name}, key=lambda cut: abs(cut - 5))
    for kind, heading in GROUPS.items():
        points = [
            (name, value.value, value.ci95)
            for name, value in scores.metrics.items()
            if value.value is not None
            and find(name).kind == kind
            and find(name).bounded
            and name.partition("@")[2] in ("", str(cuts[0] if cuts else ""))
        ]
        if points:
            yield whiskers(f"metrics-{kind.replace(' ', '-')}", heading, points, bounds=(0, 1))
    own = [(name, value.value, value.ci95) for name, value in scores.own_metrics.items() if value.value is not None]
    if own:
        yield whiskers("metrics-own", "Own metrics", own)


def _groups(scores: Scores) -> Iterator[tuple[str, list[list[str]]]]:
    for kind, heading in GROUPS.items():
        rows = [
            [name, figure(value.value), interval(value), f"{value.n_scored} of {value.n_total}"]
            for name, value in scores.metrics.items()
            if value.value is not None and find(name).kind == kind
        ]
        if rows:
            yield heading, rows


# ---- break-downs -----------------------------------------------------------------------------------


def _part_plots(scores: Scores) -> Iterator[Plot]:
    for name in headlines(scores.metrics)[:1]:
        for field, slices in scores.by.items():
            points = [
                (f"{label or 'none'} (n {found.n_total})", found.value, found.ci95)
                for label, values in sorted(slices.items(), key=_level)
                if (found := values[name]).value is not None
            ]
            if 1 < len(points) <= _SLICES:
                title = f"{name} by {field.replace('_', ' ')}"
                yield whiskers(f"by-{field.replace('_', '-')}", title, points, bounds=(0, 1))


def _parts(scores: Scores) -> Iterator[tuple[str, list[str], list[list[str]]]]:
    columns = headlines(scores.metrics)
    for field, slices in scores.by.items():
        if columns and len(slices) > 1:
            rows = [[label, *_cells(values, columns)] for label, values in slices.items()]
            yield field.replace("_", " "), ["n", *columns], rows


def _level(part: tuple[str, object]) -> int:
    """Put the difficulties in their order; what is none keeps its own."""
    return DIFFICULTIES.index(part[0]) if part[0] in DIFFICULTIES else 0


def _cells(values: Mapping[str, Value], columns: Sequence[str]) -> list[str]:
    return [str(next(iter(values.values())).n_total), *(figure(values[column].value) for column in columns)]


def _cause_plots(scores: Scores) -> Iterator[Plot]:
    if scores.causes:
        yield bars("causes", "Likely causes, the first that holds in the order of a system's steps", scores.causes)


def _resource_plots(answers: Mapping[str, Answer]) -> Iterator[Plot]:
    times = [answer.latency_s for answer in answers.values() if answer.latency_s is not None]
    if len(times) > 1:
        unit, scale = ("seconds", 1) if max(times) >= 1 else ("milliseconds", 1000)
        yield histogram("latency", "How long an answer took", [scale * time for time in times], axis=unit)


# ---- questions -------------------------------------------------------------------------------------


def _row(
    item: Item, found: ItemScore, answer: Answer, documents: Mapping[str, Document], scores: Scores
) -> ListedQuestion:
    """Return a question; one with which nothing is amiss unfolds to its answers alone."""
    cause = found.cause
    keys = {
        "state": ["failing" if cause else "nothing amiss"],
        "cause": [cause.kind] if cause else [],
        "type": [item.question_type],
        "difficulty": [item.difficulty],
    }
    shown = [(name, found.metrics.get(name)) for name in headlines(scores.metrics)]
    more = {
        "expected": " | ".join(item.golden_answers),
        "given": cut(answer.answer, _SAID) if answer.answer is not None else None,
        "cause": str(cause) if cause else "",
        "advice": cause.advice if cause else "",
        "figures": ", ".join(f"{name} {figure(value)}" for name, value in shown if value is not None),
        "latency": "" if answer.latency_s is None else f"{answer.latency_s:.3g} s",
        "passages": retrieved(answer, item, found.group_ranks, documents) if cause else (),
        "retrieved": many(len(answer.retrieved), "passage"),
    }
    given = cut(answer.answer, _BRIEF) if answer.answer is not None else _ranks(found)
    tags = (*([cause.kind] if cause else []), *chips(item))
    return ListedQuestion(item.id, item.question, given, tags, keys, view(item, documents) if cause else None, more)


def _ranks(found: ItemScore) -> str:
    ranks = [str(rank) for rank in found.group_ranks if rank is not None]
    if not ranks:
        return "none of its evidence found" if found.group_ranks else ""
    return f"{len(ranks)} of {many(len(found.group_ranks), 'piece')} of evidence found, at rank {joined(ranks)}"


def _facts(scores: Scores) -> Iterator[tuple[str, str]]:
    yield "system", scores.signature
    yield "golden set", scores.golden
    yield "evidence counts as covered", f"at {scores.cover:g} of its characters"
    yield (
        "passages were matched",
        ", ".join(f"by {way} {count:,}" for way, count in scores.matched.items() if count) or "–",
    )
    for kind, row in (scores.refusals or {}).items():
        yield f"{kind} questions", f"{row['answered']} answered, {row['refused']} declined"
    if scores.overall and scores.overall.value is not None:
        weights = ", ".join(f"{name} {weight:g}" for name, weight in scores.overall.weights.items())
        yield "overall", f"{figure(scores.overall.value)} by the weights {weights}"
