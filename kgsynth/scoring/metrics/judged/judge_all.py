"""Ask an LLM to judge all cases and compute metrics from its replies; imported only when there is a judge.

A reply that cannot be used gives no value, is counted and reported, and the run continues. When the budget is spent,
what was judged counts and the rest has no value.
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
from kgsynth.models.llm.prompts import DATA, outline, quoted
from kgsynth.scoring.metrics.declaration import METRIC_NEEDS
from kgsynth.scoring.metrics.judged import JUDGE_REQUESTS, JUDGED_METRICS, Judge
from kgsynth.scoring.metrics.judged.replies import CLAIM_VALUES, ClaimsReply, UnusableReplyError
from kgsynth.scoring.metrics.scored_case import ScoredCase

TEMPERATURE = 0.0
_NO_SUBJECT = {"answer": "the system gives no answers", "passages": "the system returns no passages"}


@dataclass(frozen=True, slots=True)
class JudgeReply:
    """One reply of the judge, a line of judged.jsonl.

    ``id`` is the question, ``call`` the request, and ``repeat`` counts from 0. ``failed`` says why the reply cannot be
    used, ``figures`` are the metrics computed from it.
    """

    id: str
    call: str
    repeat: int
    reply: Any
    failed: str | None
    figures: Mapping[str, float | None]


@dataclass(frozen=True, slots=True)
class JudgeReport:
    """How the judging went; ``to_json`` is ``judge`` of scores.json, without the replies.

    ``asked`` counts the replies needed, ``unusable`` those that failed or made no sense, ``missing`` those that the
    budget did not allow, for the reason ``stopped``. ``verdicts`` counts the claims by verdict. ``spread`` is the
    standard deviation of a metric over the repeats, on the questions with a value in each. ``usage`` is what this run
    has spent, by request.
    """

    model: str
    metrics: tuple[str, ...]
    repeats: int
    asked: int
    unusable: int
    missing: int
    stopped: str | None
    verdicts: Mapping[str, int]
    spread: Mapping[str, float]
    usage: Mapping[str, Any]
    replies: tuple[JudgeReply, ...] = ()

    def to_json(self) -> dict[str, object]:
        """Return the report as it is written to scores.json."""
        return {name: getattr(self, name) for name in self.__slots__ if name != "replies"}

    @property
    def lines(self) -> tuple[str, ...]:
        """What a reader of the results should know, one sentence each."""
        usages = [usage for name, usage in self.usage.items() if name != "cost"]
        calls, cached, tokens_in, tokens_out = (
            sum(usage[key] for usage in usages) for key in ("calls", "cached", "tokens_in", "tokens_out")
        )
        lines = [
            f"judged by {self.model}: {calls} calls, {cached} replies from the cache, {tokens_in:,} tokens in, "
            f"{tokens_out:,} out, cost {self.usage['cost']:g}"
        ]
        if self.verdicts:
            lines.append(f"claims: {', '.join(f'{count} {verdict}' for verdict, count in self.verdicts.items())}")
        if self.spread:
            spreads = ", ".join(f"{name} {spread:.3f}" for name, spread in self.spread.items())
            lines.append(f"standard deviation over {self.repeats} repeats of the judging: {spreads}")
        return tuple(lines)


@dataclass(frozen=True, slots=True)
class JudgeResult:
    """The cases with their judged metrics, why a metric has no value, the report, notes on it, and the signatures."""

    cases: list[ScoredCase]
    why: Mapping[str, str]
    report: JudgeReport
    notes: tuple[str, ...]
    signatures: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class _RequestCases:
    """The cases that a request is made for, and those with nothing to judge, both as places in the list of cases."""

    name: str
    asked: list[int]
    without_subject: list[int]


def open_model(judge: Judge, cache: Path | None) -> AbstractContextManager[LLM]:
    """Open the judging model with its replies cached in ``cache``; a model object stays open for its owner.

    Raises:
        ConfigError: there is neither a server nor a key for the model.
        InputError: the cache cannot be used.
    """
    if isinstance(judge.model, str):
        return closing(ServedLLM(judge.model, judge.settings, cache, judge.spending))
    return nullcontext(judge.model)


def judge_all(
    judge: Judge,
    model: LLM,
    cases: Sequence[ScoredCase],
    progress: Progress = silent,
) -> JudgeResult:
    """Let ``model`` judge the cases: each request on all cases before the next request, all of that once per repeat.

    Raises:
        SystemUnreachableError: the model refuses the requests, or is down.
    """
    requests = [_cases_of(name, cases) for name in judge.requests]
    replies, stopped = _ask(requests, cases, judge.repeats, model, progress)
    values = _metric_values(requests, judge, replies, len(cases))
    rows = [{metric: _mean(by_case[at]) for metric, by_case in values.items()} for at in range(len(cases))]
    asked = judge.repeats * sum(len(request.asked) for request in requests)
    report = JudgeReport(
        model=model.name,
        metrics=judge.metrics,
        repeats=judge.repeats,
        asked=asked,
        unusable=sum(reply.failed is not None for reply in replies.values()),
        missing=asked - len(replies),
        stopped=stopped,
        verdicts=_count_verdicts(replies.values()),
        spread={metric: spread for metric, found in values.items() if (spread := _spread(found)) is not None},
        usage=_usage(model),
        replies=tuple(replies.values()),
    )
    return JudgeResult(
        cases=[replace(case, judged=row) for case, row in zip(cases, rows, strict=True)],
        why=_why_missing(requests, judge, report),
        report=report,
        notes=_notes(report),
        signatures={metric: _signature(metric, judge, model) for metric in judge.metrics},
    )


def _cases_of(name: str, cases: Sequence[ScoredCase]) -> _RequestCases:
    request = JUDGE_REQUESTS[name]
    defined = [at for at, case in enumerate(cases) if METRIC_NEEDS[request.needs].holds(case)]
    asked = [at for at in defined if request.has_subject(cases[at])]
    return _RequestCases(name, asked, sorted({*defined} - {*asked}))


# ---- ask -------------------------------------------------------------------------------------------

_Replies = dict[tuple[int, str, int], JudgeReply]
"""Every reply by repeat, request and case, in this order."""


def _ask(
    requests: Sequence[_RequestCases],
    cases: Sequence[ScoredCase],
    repeats: int,
    model: LLM,
    progress: Progress,
) -> tuple[_Replies, str | None]:
    """Return all replies, and the reason why the budget did not allow all of them, or None."""
    replies: _Replies = {}
    stopped = None
    with progress("judging", repeats * sum(len(request.asked) for request in requests)) as bar:
        for repeat in range(repeats):
            for name, asked in ((request.name, request.asked) for request in requests):
                found: dict[int, JudgeReply] = {}
                try:
                    prompts = [_prompt(name, cases[at], repeat) for at in asked]
                    for place, reply in model.ask_all(prompts, JUDGE_REQUESTS[name].shape):
                        at = asked[place]
                        found[at] = _read(name, cases[at], repeat, reply)
                        bar.update()
                except BudgetError as error:
                    stopped = str(error)
                replies |= {(repeat, name, at): found[at] for at in sorted(found)}
    return replies, stopped


def _prompt(name: str, case: ScoredCase, repeat: int) -> Prompt:
    request = JUDGE_REQUESTS[name]
    texts = "\n\n".join(quoted(what, text) for what, text in request.texts(case))
    return Prompt(name, f"{request.system}\n{DATA}", texts, request.max_tokens, TEMPERATURE, repeat)


def _read(name: str, case: ScoredCase, repeat: int, reply: Any) -> JudgeReply:
    """Compute the metrics of a reply, or record why it cannot be used."""
    failed, figures = None, {}
    if isinstance(reply, Failure):
        failed, reply = reply.why, None
    else:
        metrics = JUDGE_REQUESTS[name].metrics
        try:
            figures = {metric: declared.compute(reply, case) for metric, declared in metrics.items()}
        except UnusableReplyError as error:
            failed = f"a reply that cannot be used: {error}"
    return JudgeReply(case.item.id, name, repeat, reply, failed, figures)


# ---- summarise -------------------------------------------------------------------------------------

_ByCase = list[list[float | None]]
"""The values of one metric: for each case a list with one value per repeat."""


def _metric_values(
    requests: Sequence[_RequestCases], judge: Judge, replies: _Replies, n_cases: int
) -> dict[str, _ByCase]:
    """Return the values of each metric of the judge, by case and repeat."""
    values: dict[str, _ByCase] = {metric: [[None] * judge.repeats for _ in range(n_cases)] for metric in judge.metrics}
    for request in requests:
        for metric in JUDGE_REQUESTS[request.name].metrics.keys() & values.keys():
            for at in request.without_subject if request.asked else ():
                values[metric][at] = [0.0] * judge.repeats
    for (repeat, _, at), reply in replies.items():
        for metric in reply.figures.keys() & values.keys():
            values[metric][at][repeat] = reply.figures[metric]
    return values


def _mean(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return statistics.fmean(known) if known else None


def _spread(by_case: _ByCase) -> float | None:
    """Return the standard deviation of the mean over the repeats, using the cases with a value in each repeat."""
    complete = [[value for value in case if value is not None] for case in by_case if None not in case]
    means = [statistics.fmean(repeat) for repeat in zip(*complete, strict=True)]
    return round(statistics.stdev(means), 6) if len(means) > 1 else None


def _count_verdicts(replies: Iterable[JudgeReply]) -> dict[str, int]:
    """Count the claims by verdict; return an empty dict if none was judged."""
    claims = (claim for each in replies if isinstance(each.reply, ClaimsReply) for claim in each.reply.claims)
    counts = Counter(claim.verdict for claim in claims)
    return {verdict: counts[verdict] for verdict in CLAIM_VALUES} if counts else {}


def _usage(model: LLM) -> dict[str, Any]:
    """Return what the judging used, by request, and its cost; other use of a shared budget is left out."""
    spent = {name: usage for name, usage in model.spending.by_stage.items() if name in JUDGE_REQUESTS}
    total = sum(spent.values(), Usage())
    cost = model.spending.budget.cost(total.tokens_in, total.tokens_out)
    return {**{name: asdict(spent[name]) for name in sorted(spent)}, "cost": round(cost, 6)}


def _why_missing(requests: Sequence[_RequestCases], judge: Judge, report: JudgeReport) -> dict[str, str]:
    """Return the reason to give for each judged metric that has no value at all."""
    why: dict[str, str] = {}
    for request in requests:
        replies = [reply for reply in report.replies if reply.call == request.name]
        if request.without_subject and not request.asked:
            reason = _NO_SUBJECT[JUDGE_REQUESTS[request.name].subject]
        elif report.stopped and not replies:
            reason = "the budget was spent"
        elif replies and all(reply.failed for reply in replies):
            reason = "the judge gave no reply that can be used"
        else:
            continue
        why |= dict.fromkeys(JUDGE_REQUESTS[request.name].metrics, reason)
    not_requested = "not requested: name it in --judge-metrics"
    return why | {name: not_requested for name in JUDGED_METRICS if name not in judge.metrics}


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


def _signature(metric: str, judge: Judge, model: LLM) -> str:
    """Return what a judged metric depends on: the model, the prompt, the temperature and the repeats."""
    request = next(request for request in JUDGE_REQUESTS.values() if metric in request.metrics)
    prompt_hash = hashlib.sha256(f"{request.system}\n{DATA}\n{outline(request.shape)}".encode()).hexdigest()[:8]
    return f"{model.name}|prompt:{prompt_hash}|temperature:{TEMPERATURE:g}|repeats:{judge.repeats}"
