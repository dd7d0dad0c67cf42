"""A system that was asked every question several times: how often it is right, what wavers, and how large its noise is.

pass@k, the chance that one of k askings is right, is the unbiased estimator of Chen et al. (2021, "Evaluating Large
Language Models Trained on Code"); all of k, the chance that each is right, that of Yao et al. (2024, "τ-bench").
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from statistics import fmean, variance
from typing import TYPE_CHECKING

from kgsynth.base.errors import ConfigError
from kgsynth.base.records_json import rounded
from kgsynth.scoring.metrics.item_score import ItemScore
from kgsynth.scoring.metrics.scored_case import ScoredCase
from kgsynth.scoring.metrics.summary import Value, summarise
from kgsynth.show.tables import figure
from kgsynth.show.wording import many

if TYPE_CHECKING:
    from kgsynth.scoring.metrics.judged.judge_all import JudgeReport
    from kgsynth.scoring.systems import System

_MAX_NAMED = 10
"""How many flaky questions a line of text names; scores.json has all."""
PASS_RATE_NOISE = "pass_rate"
ASKED_ONCE = "every question was asked once: give --repeats"
"""Why a run without repeats has no share of questions that passed every time."""


@dataclass(frozen=True, slots=True)
class FlakyQuestion:
    """A question that the system got right in ``passed`` of the ``checked`` askings, not in all and not in none."""

    id: str
    passed: int
    checked: int


@dataclass(frozen=True, slots=True)
class Noise:
    """The standard error of a metric of one asking of all questions: from the system, and from its judge.

    ``judge`` is None for a metric that is not judged, and if the judge gave one reply to each answer; then ``system``
    includes its noise.
    """

    system: float
    judge: float | None = None


@dataclass(frozen=True, slots=True)
class Repeats:
    """What ``n`` askings of every question show; ``errors`` counts the failures in all of them.

    ``pass_at`` and ``all_of`` have, for each k, the chance that one of k askings is right, and that all are.
    """

    n: int
    errors: int
    pass_at: Mapping[int, Value]
    all_of: Mapping[int, Value]
    flaky: tuple[FlakyQuestion, ...]
    noise: Mapping[str, Noise]
    questions: int

    def to_json(self) -> dict[str, object]:
        """Return what is written to scores.json."""
        rates = {name: {str(k): v.to_json() for k, v in getattr(self, name).items()} for name in ("pass_at", "all_of")}
        return {**rounded(asdict(self)), **rates}

    def lines(self, metrics: Sequence[str]) -> Iterator[str]:
        """Yield what a reader should know, with the noise of the pass rate and of these ``metrics``."""
        errors = f", {many(self.errors, 'error')}" * bool(self.errors)
        n, one = self.n, self.pass_at
        rates = {"pass@1": one[1], f"pass@{n}": one[n], f"all of {n}": self.all_of[n]}
        ends = {name: " ({:.3f} to {:.3f})".format(*value.ci95) if value.ci95 else "" for name, value in rates.items()}
        shown = ", ".join(f"{name} {figure(value.value)}{ends[name]}" for name, value in rates.items())
        yield f"asked {n} times{errors}: {shown}"
        if self.flaky:
            named = ", ".join(f"{each.id} ({each.passed} of {each.checked})" for each in self.flaky[:_MAX_NAMED])
            more = ", …" * (len(self.flaky) > _MAX_NAMED)
            count = f"{many(len(self.flaky), 'flaky question')} of {self.questions:,}"
            yield f"{count}, right in some askings only: {named}{more}"
        else:
            yield "no question is flaky: each is right in all askings or in none"
        known = [(name, self.noise[name]) for name in (PASS_RATE_NOISE, *metrics) if name in self.noise]
        if known:
            judge = {name: f" (its judge {figure(n.judge)})" * (n.judge is not None) for name, n in known}
            noise = ", ".join(f"{name} {figure(each.system)}{judge[name]}" for name, each in known)
            yield f"standard error of one asking, apart from the choice of questions: {noise}"


def repeat_folders(folder: Path | None, system: System, repeats: int) -> list[Path | None]:
    """Return where the answers of each asking are kept: in the folder itself, then in ``repeats/2`` and so on.

    Raises:
        ConfigError: ``repeats`` is below 1, or the system gives the same answers when it is asked again.
    """
    if repeats < 1:
        raise ConfigError(f"--repeats {repeats} is not valid: give a whole number of 1 or more")
    if repeats > 1 and getattr(system, "asked_once", False):
        raise ConfigError(f"--repeats {repeats}: {system.name} has one answer to each question: give the system itself")
    return [folder, *(folder / "repeats" / str(n) if folder else None for n in range(2, repeats + 1))]


def mean_row(rows: Sequence[Mapping[str, float | None]]) -> dict[str, float | None]:
    """Return the mean of each metric of one question over its askings, None where it never has a value.

    Example:
        >>> mean_row([{"em": 1.0, "mrr": None}, {"em": 0.0, "mrr": None}])
        {'em': 0.5, 'mrr': None}
    """
    known = {name: [value for row in rows if (value := row.get(name)) is not None] for name in rows[0]}
    return {name: fmean(values) if values else None for name, values in known.items()}


def joined_results(
    rounds: Sequence[Sequence[ItemScore]], rows: Sequence[Mapping[str, float | None]]
) -> list[ItemScore]:
    """Return the results of the first asking, with the mean metrics and whether each asking passed."""
    return [
        replace(askings[0], metrics=row, passes=tuple(each.right for each in askings))
        for askings, row in zip(zip(*rounds, strict=True), rows, strict=True)
    ]


def measure_repeats(
    results: Sequence[ItemScore],
    rounds: Sequence[Sequence[ItemScore]],
    cases: Sequence[Sequence[ScoredCase]],
    reports: Sequence[JudgeReport],
) -> Repeats:
    """Return what the askings show: ``results`` joined, and by asking the results, cases and reports of the judge."""
    n, ks = len(rounds), range(1, len(rounds) + 1)
    counts = [(each.passes.count(True), n - each.passes.count(None)) for each in results]
    rates = [{f"{name}{k}": rate(c, total, k) for k in ks for name, rate in _RATES.items()} for c, total in counts]
    reasons = dict.fromkeys(rates[0], "no question could be checked")
    found = summarise(rates, [each.cluster for each in results], reasons)
    flaky = (FlakyQuestion(r.id, c, total) for r, (c, total) in zip(results, counts, strict=True) if 0 < c < total)
    return Repeats(
        n=n,
        errors=sum(case.answer is not None and case.answer.error is not None for own in cases for case in own),
        pass_at={k: found[f"one{k}"] for k in ks},
        all_of={k: found[f"all{k}"] for k in ks},
        flaky=tuple(sorted(flaky, key=lambda each: each.id)),
        noise=_noise(rounds, cases, reports),
        questions=len(results),
    )


_RATES: Mapping[str, Callable[[int, int, int], float | None]] = {
    "one": lambda c, n, k: 1 - math.comb(n - c, k) / math.comb(n, k) if k <= n else None,
    "all": lambda c, n, k: math.comb(c, k) / math.comb(n, k) if k <= n else None,
}
"""The chances of one right asking among k, and of k right askings, if c of n were right."""


def _noise(
    rounds: Sequence[Sequence[ItemScore]], cases: Sequence[Sequence[ScoredCase]], reports: Sequence[JudgeReport]
) -> dict[str, Noise]:
    """Return the noise of each metric that has any.

    The variance of a question over the askings is that of the system and of the judge together. That of the judge is
    known from its repeats on one answer. A question whose replies are all the same has no noise of the system.
    """
    said = ([case.answer and replace(case.answer, latency_s=None) for case in own] for own in zip(*cases, strict=True))
    same = [all(each == own[0] for each in own) for own in said]
    judge = _judge_variances(reports)
    ids, found = [each.id for each in rounds[0]], {}
    for name in (PASS_RATE_NOISE, *rounds[0][0].metrics):
        values = (
            [{**each.metrics, PASS_RATE_NOISE: each.right}[name] for each in own] for own in zip(*rounds, strict=True)
        )
        known = [[float(value) for value in own if value is not None] for own in values]
        questions, own = sum(map(bool, known)), judge.get(name, {})
        spread = math.fsum(
            variance(each) - own.get(key, 0.0)
            for each, key, alike in zip(known, ids, same, strict=True)
            if len(each) > 1 and not alike
        )
        if any(len(each) > 1 for each in known):
            of_judge = math.sqrt(math.fsum(own.values())) / questions if own else None
            found[name] = Noise(math.sqrt(max(0.0, spread)) / questions, of_judge)
    return found


def _judge_variances(reports: Sequence[JudgeReport]) -> dict[str, dict[str, float]]:
    """Return by metric and question the variance of the judge's mean over its repeats, averaged over the askings."""
    found: dict[str, dict[str, list[float]]] = {}
    for report in reports:
        values: dict[tuple[str, str], list[float]] = {}
        for reply in report.replies:
            for name, value in reply.figures.items():
                if value is not None:
                    values.setdefault((name, reply.id), []).append(value)
        for (name, key), own in values.items():
            if len(own) > 1:
                found.setdefault(name, {}).setdefault(key, []).append(variance(own) / len(own))
    return {name: {key: fmean(own) for key, own in by_id.items()} for name, by_id in found.items()}
