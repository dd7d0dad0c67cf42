"""Put what is to be judged to a model, and make figures of its replies; imported only when there is a judge.

A reply that cannot be used is no value, is counted and told, and the run goes on. When the budget is spent, what was
judged counts and the rest has no value.
"""

from __future__ import annotations

import hashlib
import statistics
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, closing, nullcontext
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from kgsynth.base.errors import BudgetError
from kgsynth.base.progress import Progress, silent
from kgsynth.models.llm import LLM, Failure, Prompt, ServedLLM, Usage
from kgsynth.models.llm.prompt_quoting import DATA, quoted
from kgsynth.models.llm.reply_shapes import outline
from kgsynth.scoring.metrics.case import Case
from kgsynth.scoring.metrics.declaration import NEEDS
from kgsynth.scoring.metrics.judged import CALLS, JUDGED, Judge
from kgsynth.scoring.metrics.judged.replies import WORTH, Claims, UnusableError
from kgsynth.scoring.metrics.judged.report import JudgeReport, Reply
from kgsynth.scoring.metrics.semantic import TextEncoder

TEMPERATURE = 0.0


@dataclass(frozen=True, slots=True)
class Judgement:
    """The cases with their judged figures, why a metric has none, how it went, and what a reader must know of it."""

    cases: list[Case]
    why: Mapping[str, str]
    report: JudgeReport
    notes: tuple[str, ...]
    signatures: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class _Task:
    """One request: the cases it is put for, and those of which there is nothing to ask; ``absent`` when that is all."""

    name: str
    asked: list[int]
    nothing: list[int]

    @property
    def absent(self) -> bool:
        return bool(self.nothing) and not self.asked


def open_model(judge: Judge, cache: Path | None) -> AbstractContextManager[LLM]:
    """Open the model that judges, with its replies kept in ``cache``; one that was given is the caller's to close.

    Raises:
        ConfigError: there is neither a server nor a key for one.
        InputError: the cache cannot be used.
    """
    if isinstance(judge.model, str):
        return closing(ServedLLM(judge.model, judge.settings, cache, judge.spending))
    return nullcontext(judge.model)


def judge_all(
    judge: Judge,
    model: LLM,
    cases: Sequence[Case],
    encoder: TextEncoder | None = None,
    progress: Progress = silent,
) -> Judgement:
    """Have ``model`` judge the cases: each request in turn on all of them, then all again for every repeat.

    ``encoder`` must be there when ``judge`` embeds.

    Raises:
        SystemUnreachableError: the model refuses us, or is down.
    """
    tasks = [_task(name, cases) for name in judge.calls]
    replies, stopped = _ask(tasks, cases, judge.repeats, model, encoder, progress)
    values = _values(tasks, judge, replies, len(cases))
    rows = [{metric: _mean(found[at]) for metric, found in values.items()} for at in range(len(cases))]
    asked = judge.repeats * sum(len(task.asked) for task in tasks)
    report = JudgeReport(
        model=model.name,
        metrics=judge.metrics,
        repeats=judge.repeats,
        asked=asked,
        unusable=sum(reply.failed is not None for reply in replies.values()),
        missing=asked - len(replies),
        stopped=stopped,
        verdicts=_verdicts(replies.values()),
        spread={metric: spread for metric, found in values.items() if (spread := _spread(found)) is not None},
        usage=_usage(model),
        replies=tuple(replies.values()),
    )
    return Judgement(
        cases=[replace(case, judged=row) for case, row in zip(cases, rows, strict=True)],
        why=_why(tasks, judge, report),
        report=report,
        notes=_notes(report),
        signatures={metric: _signature(metric, judge, model, encoder) for metric in judge.metrics},
    )


def _task(name: str, cases: Sequence[Case]) -> _Task:
    call = CALLS[name]
    defined = [at for at, case in enumerate(cases) if NEEDS[call.needs].holds(case)]
    asked = [at for at in defined if call.about(cases[at])]
    return _Task(name, asked, sorted({*defined} - {*asked}))


# ---- ask -------------------------------------------------------------------------------------------

_Replies = dict[tuple[int, str, int], Reply]
"""Every reply by repeat, request and case, in the order of these."""


def _ask(
    tasks: Sequence[_Task],
    cases: Sequence[Case],
    repeats: int,
    model: LLM,
    encoder: TextEncoder | None,
    progress: Progress,
) -> tuple[_Replies, str | None]:
    """Return all replies, and what the budget said when it did not allow them all."""
    replies: _Replies = {}
    stopped = None
    with progress("judging", repeats * sum(len(task.asked) for task in tasks)) as bar:
        for repeat in range(repeats):
            for name, asked in ((task.name, task.asked) for task in tasks):
                came: dict[int, Reply] = {}
                try:
                    prompts = [_prompt(name, cases[at], repeat) for at in asked]
                    for place, given in model.ask_all(prompts, CALLS[name].shape):
                        at = asked[place]
                        came[at] = _read(name, cases[at], repeat, given, encoder)
                        bar.update()
                except BudgetError as error:
                    stopped = str(error)
                replies |= {(repeat, name, at): came[at] for at in sorted(came)}
    return replies, stopped


def _prompt(name: str, case: Case, repeat: int) -> Prompt:
    call = CALLS[name]
    texts = "\n\n".join(quoted(what, text) for what, text in call.texts(case))
    return Prompt(name, f"{call.system}\n{DATA}", texts, call.max_tokens, TEMPERATURE, repeat)


def _read(name: str, case: Case, repeat: int, given: Any, encoder: TextEncoder | None) -> Reply:
    """Make figures of what the model gave."""
    failed, figures = None, {}
    if isinstance(given, Failure):
        failed, given = given.why, None
    else:
        try:
            figures = {metric: figure.compute(given, case, encoder) for metric, figure in CALLS[name].figures.items()}
        except UnusableError as error:
            failed = f"a reply that cannot be used: {error}"
    return Reply(case.item.id, name, repeat, given, failed, figures)


# ---- sum up ----------------------------------------------------------------------------------------

_Found = list[list[float | None]]
"""The figures of one metric: of each case one a repeat."""


def _values(tasks: Sequence[_Task], judge: Judge, replies: _Replies, cases: int) -> dict[str, _Found]:
    """Return of each metric wanted what every case has in every repeat."""
    values: dict[str, _Found] = {metric: [[None] * judge.repeats for _ in range(cases)] for metric in judge.metrics}
    for task in tasks:
        for metric in CALLS[task.name].figures.keys() & values.keys():
            for at in task.nothing if task.asked else ():
                values[metric][at] = [0.0] * judge.repeats
    for (repeat, _, at), reply in replies.items():
        for metric in reply.figures.keys() & values.keys():
            values[metric][at][repeat] = reply.figures[metric]
    return values


def _mean(figures: Sequence[float | None]) -> float | None:
    known = [figure for figure in figures if figure is not None]
    return statistics.fmean(known) if known else None


def _spread(found: _Found) -> float | None:
    """Return the standard deviation of the mean over the repeats, of the cases that have a value in each."""
    whole = [[figure for figure in case if figure is not None] for case in found if None not in case]
    means = [statistics.fmean(repeat) for repeat in zip(*whole, strict=True)]
    return round(statistics.stdev(means), 6) if len(means) > 1 else None


def _verdicts(replies: Iterable[Reply]) -> dict[str, int]:
    """Count the claims by verdict; nothing when none was judged."""
    counts = Counter(claim.verdict for each in replies if isinstance(each.reply, Claims) for claim in each.reply.claims)
    return {verdict: counts[verdict] for verdict in WORTH} if counts else {}


def _usage(model: LLM) -> dict[str, Any]:
    """Return what the judging has used: of each request, and its cost; another's use of the same budget stays out."""
    spent = {name: usage for name, usage in model.spending.by_stage.items() if name in CALLS}
    total = sum(spent.values(), Usage())
    cost = model.spending.budget.cost(total.tokens_in, total.tokens_out)
    return {**{name: asdict(spent[name]) for name in sorted(spent)}, "cost": round(cost, 6)}


def _why(tasks: Sequence[_Task], judge: Judge, report: JudgeReport) -> dict[str, str]:
    """Say of the metrics that may have no value at all why that would be."""
    why: dict[str, str] = {}
    for task in tasks:
        of_call = [reply for reply in report.replies if reply.call == task.name]
        if task.absent:
            reason = CALLS[task.name].absent
        elif report.stopped and not of_call:
            reason = "the budget was spent"
        elif of_call and all(reply.failed for reply in of_call):
            reason = "the judge gave no reply that can be used"
        else:
            continue
        why |= dict.fromkeys(CALLS[task.name].figures, reason)
    return why | {name: "not asked for: name it in --judge-metrics" for name in JUDGED if name not in judge.metrics}


def _notes(report: JudgeReport) -> tuple[str, ...]:
    notes = []
    if report.unusable:
        first = next(reply for reply in report.replies if reply.failed)
        notes.append(
            f"{report.unusable} of {report.asked} replies of the judge cannot be used and give no value, the first "
            f"({first.call} of {first.id}): {first.failed}"
        )
    if report.stopped:
        notes.append(f"the judge {report.stopped}: {report.missing} of {report.asked} replies are missing")
    return tuple(notes)


def _signature(metric: str, judge: Judge, model: LLM, encoder: TextEncoder | None) -> str:
    """Return what a judged figure depends on: the model, the wording, how it was drawn, and how often."""
    call = next(call for call in CALLS.values() if metric in call.figures)
    wording = hashlib.sha256(f"{call.system}\n{DATA}\n{outline(call.shape)}".encode()).hexdigest()[:8]
    embedded = f"|model:{encoder.signature}" if encoder and JUDGED[metric].embeds else ""
    return f"{model.name}|prompt:{wording}|temperature:{TEMPERATURE:g}|repeats:{judge.repeats}{embedded}"
