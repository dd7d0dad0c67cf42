"""The results of a comparison of runs as records, and which metrics mean the same in all runs."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from kgsynth.base.records import Span
from kgsynth.base.records_json import rounded
from kgsynth.scoring.metrics.lookup import nearest_to_five
from kgsynth.show.wording import joined
from kgsynth.statistics.multiple_testing import SIGNIFICANCE_LEVEL
from kgsynth.statistics.paired_tests import PairedDifference

PASS_RATE = "pass_rate"
"""The share of the checked questions that passed; of a question it is 1, 0, or no value if it was not checked."""
_PRIMARY = (PASS_RATE, "sub_em", "token_f1", "recall", "file_recall")
"""The metrics that decide by default: the first that every run has and that is not 0 for every question."""
_PRIMARY_OF_PASSAGES = ("recall", PASS_RATE, "file_recall")
"""The same for runs without answers, where recall says more than whether all evidence is in the first passages."""
_CHECKED_BY = {"context_recall": "passages", "sub_em": "answers"}
"""The metrics that have a value if questions pass by what they measure."""
_MAX_PARTS_NAMED = 3
_NAMES = {"cover": "--cover", "docs": "documents", "v": "kgsynth", "model": "embedding model"} | {
    "checked": "questions checked by"
}
"""What a part of a signature is called in a sentence, if not by its own name."""


def primary_metric(known: Sequence[str], informative: Iterable[str], *, answers: bool = True) -> str:
    """Return the metric that decides: the pass rate, else whether answers are correct, else whether evidence is found.

    ``known`` are the metrics that every run has, ``informative`` those that are not 0 for every question of every run.
    Without ``answers`` recall decides.

    Example:
        >>> primary_metric(["recall@1", "recall@5", "mrr", "sub_em"], ["recall@1", "recall@5", "mrr"])
        'recall@5'
        >>> primary_metric(["pass_rate", "recall@5"], ["pass_rate", "recall@5"], answers=False)
        'recall@5'
    """
    order = _PRIMARY if answers else _PRIMARY_OF_PASSAGES
    found = [nearest_to_five(name for name in informative if name.partition("@")[0] == base) for base in order]
    return next(filter(None, found), known[0])


def incomparable(scores: Sequence[Mapping[str, Any]], metrics: Sequence[str]) -> dict[str, str]:
    """Return the metrics that do not mean the same in all runs, with what differs; ``scores`` are their scores.json.

    That is a part of the metric's signature, such as --cover or the judge, or the documents that were searched.

    Example:
        >>> runs = [{"signature": "bm25", "signatures": {"mrr": f"mrr|cover:{share}|v:1"}} for share in (0.5, 0.9)]
        >>> incomparable(runs, ["mrr", "em"])
        {'mrr': '--cover 0.5 against 0.9'}
    """
    documents = [match[0] if (match := re.search(r"\bdocs:\w+", run.get("signature", ""))) else "" for run in scores]
    searched = _differing([text for text in documents if text])
    found = {}
    for metric in metrics:
        own = [_signature(run, metric) for run in scores]
        if reason := "; ".join(filter(None, (_differing(own), searched))):
            found[metric] = reason
    return found


def checked_by(run: Mapping[str, Any]) -> list[str]:
    """Return by what the questions of a run pass, "passages", "answers" or both; ``run`` is its scores.json."""
    metrics = run.get("metrics") or {}
    return [what for name, what in _CHECKED_BY.items() if metrics.get(name, {}).get("value") is not None]


def _signature(run: Mapping[str, Any], metric: str) -> str:
    """Return the signature of a metric without its name; that of the pass rate says what questions were checked by."""
    signatures = run.get("signatures") or {}
    if metric != PASS_RATE:
        return str(signatures.get(metric.partition("@")[0], "")).partition("|")[2]
    used = checked_by(run)
    own = [str(signatures.get(name, "")) for name, what in _CHECKED_BY.items() if what in used]
    return "|".join(
        (f"checked:{joined(used) or 'nothing'}", *dict.fromkeys(part for text in own for part in text.split("|")[1:]))
    )


def _differing(signatures: Sequence[str]) -> str:
    """Return which parts of the signatures differ, "" if none does."""
    if len(set(signatures)) < 2:
        return ""
    parts = [dict(part.partition(":")[::2] for part in text.split("|")) for text in signatures]
    every = dict.fromkeys(name for own in parts for name in own)
    names = [name for name in every if len({own.get(name) for own in parts}) != 1]
    names = ["checked"] if "checked" in names else names
    if len(names) > _MAX_PARTS_NAMED or not all(name in own for name in names for own in parts):
        return "another variant of the metric, see signatures in their scores.json"
    return ", ".join(
        f"{_NAMES.get(name, name)} {' against '.join(dict.fromkeys(own[name] for own in parts))}" for name in names
    )


@dataclass(frozen=True, slots=True)
class MetricComparison:
    """One metric of a pair of runs: its difference, and the p of the sign-flip test after Holm.

    Holm's correction is over all pairs: of the primary metrics, or of the exploratory ones; ``comparisons`` is their
    number. ``smallest`` is the smallest true difference that is probably found. A metric that is not ``comparable``
    does not mean the same in all runs and is not tested.
    """

    metric: str
    difference: PairedDifference
    p_holm: float | None
    comparisons: int
    smallest: float | None = None
    primary: bool = True
    comparable: bool = True

    @property
    def significant(self) -> bool:
        """Whether the two runs differ significantly on this metric."""
        return self.p_holm is not None and self.p_holm <= SIGNIFICANCE_LEVEL

    @property
    def caveat(self) -> str:
        """Why the 95 % interval and the decision seem to disagree; empty when they agree.

        The interval is not corrected for the number of comparisons, the decision is.
        """
        found = self.difference
        if found.ci95 is None or found.p_flip is None or self.p_holm is None:
            return ""
        excludes = found.ci95[0] > 0 or found.ci95[1] < 0
        if self.significant:
            return "" if excludes else "significant by the test, although the interval includes 0"
        if found.p_flip > SIGNIFICANCE_LEVEL:
            return "interval excludes 0, but the test is not significant even before correction" if excludes else ""
        if excludes:
            return f"interval excludes 0 before correction for {self.comparisons} comparisons; not significant after it"
        return f"p is {found.p_flip:.3f} before correction for {self.comparisons} comparisons; not significant after it"


@dataclass(frozen=True)
class ComparedQuestion:
    """One question with what each run gave: ``given`` and ``ranks`` by label, ``values`` by metric and label.

    ``ranks`` are those at which the evidence groups were covered, None for never. ``evidence`` is empty for runs of
    versions that did not write it to items.jsonl. ``compared`` are the metrics whose differences count.
    """

    id: str
    question: str
    expected: tuple[str, ...]
    question_type: str
    difficulty: str
    evidence: tuple[tuple[Span, ...], ...]
    given: Mapping[str, str | None]
    ranks: Mapping[str, tuple[int | None, ...]]
    values: Mapping[str, Mapping[str, float | None]]
    compared: tuple[str, ...]

    @cached_property
    def spreads(self) -> dict[str, float]:
        """The highest minus the lowest value of each compared metric that has two or more values, if they differ."""
        known = {name: [value for value in self.values[name].values() if value is not None] for name in self.compared}
        spreads = {name: round(max(own) - min(own), 6) for name, own in known.items() if len(own) > 1}
        return {name: spread for name, spread in spreads.items() if spread}

    @cached_property
    def lower(self) -> dict[str, list[str]]:
        """The metrics on which a run is lower than another, by label."""
        found: dict[str, list[str]] = {}
        for name in self.spreads:
            highest = max(value for value in self.values[name].values() if value is not None)
            for label, value in self.values[name].items():
                if value is not None and round(highest - value, 6) > 0:
                    found.setdefault(label, []).append(name)
        return found

    @property
    def differs(self) -> bool:
        """Whether a metric has different values in different runs."""
        return bool(self.spreads)

    @property
    def largest(self) -> str:
        """The metric with the largest spread, the first of several; the first compared metric if none differs."""
        return max(self.spreads, key=self.spreads.__getitem__) if self.differs else self.compared[0]


@dataclass(frozen=True, slots=True)
class Pair:
    """Two runs compared, always ``b`` − ``a``."""

    a: str
    b: str
    rows: tuple[MetricComparison, ...]

    @property
    def by_metric(self) -> dict[str, MetricComparison]:
        """The rows by metric; those that decide come first in ``rows``, and a metric without values has none."""
        return {row.metric: row for row in self.rows}

    @property
    def significant_sides(self) -> dict[str, list[str]]:
        """The primary metrics on which B is significantly "higher" and "lower" than A."""
        return self.sides(primary=True)

    def sides(self, *, primary: bool) -> dict[str, list[str]]:
        """Return the primary or the exploratory metrics on which B is significantly "higher" and "lower" than A."""
        found = [row for row in self.rows if row.significant and row.primary == primary]
        return {
            "higher": [row.metric for row in found if row.difference.difference > 0],
            "lower": [row.metric for row in found if row.difference.difference < 0],
        }


@dataclass(frozen=True, slots=True)
class Ranking:
    """The runs by one metric: label -> mean, highest first, and label -> rank (none if it is not comparable).

    ``ci95`` has the interval of the mean for runs whose scores.json has one.
    """

    metric: str
    means: Mapping[str, float]
    ranks: Mapping[str, int]
    ci95: Mapping[str, tuple[float, float]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two or more runs on one golden set; ``runs`` maps the label of each to its system, ``folders`` to its folder.

    ``pairs`` has every pair of runs, the earlier one as A; ``rankings`` has all runs, if there are more than two.
    ``questions`` are those with the largest differences first. Of the ``metrics``, the ``primary`` ones decide and the
    others are exploratory. ``incomparable`` are those that do not mean the same in all runs, with what differs; they
    are tested only if that was ``forced``. ``too_easy`` has the primary metrics on which no run differs and even the
    lowest is saturated (see ``statistics.detectable.too_easy_by``), with the smallest detectable difference;
    ``finer_metrics`` are those that leave more room. ``n_documents`` is 0 for runs of other tools.
    """

    golden: str
    n_items: int
    n_documents: int
    runs: Mapping[str, str]
    folders: Mapping[str, Path]
    metrics: tuple[str, ...]
    pairs: tuple[Pair, ...]
    rankings: tuple[Ranking, ...]
    questions: tuple[ComparedQuestion, ...]
    notes: tuple[str, ...]
    primary: tuple[str, ...] = ()
    incomparable: Mapping[str, str] = field(default_factory=dict)
    forced: bool = False
    too_easy: Mapping[str, float] = field(default_factory=dict)
    finer_metrics: tuple[str, ...] = ()

    @property
    def exploratory(self) -> tuple[str, ...]:
        """The metrics that are shown but do not decide."""
        return tuple(name for name in self.metrics if name not in self.primary)

    @property
    def comparisons(self) -> int:
        """The number of tests that Holm's correction of the primary metrics is over."""
        return self._comparisons(primary=True)

    @property
    def exploratory_comparisons(self) -> int:
        """The same for the exploratory metrics."""
        return self._comparisons(primary=False)

    def _comparisons(self, *, primary: bool) -> int:
        rows = (row for pair in self.pairs for row in pair.rows)
        return max((row.comparisons for row in rows if row.primary == primary), default=0)

    @property
    def smallest(self) -> dict[str, float | None]:
        """The smallest detectable difference of each primary metric that was tested, the largest of all pairs.

        A significant difference that has none, since all questions differ alike, is left out.
        """
        tested = [row for pair in self.pairs for row in pair.rows if row.primary and row.p_holm is not None]
        found: dict[str, list[float | None]] = {}
        for row in (row for row in tested if row.smallest is not None or not row.significant):
            found.setdefault(row.metric, []).append(row.smallest)
        return {name: max(each or 0 for each in own) if None not in own else None for name, own in found.items()}

    def higher_than(self, run: str) -> dict[str, list[str]]:
        """Return the runs that are significantly higher than ``run``, by metric."""
        found: dict[str, list[str]] = {}
        for pair in self.pairs:
            if run in (pair.a, pair.b):
                other, side = (pair.b, "higher") if run == pair.a else (pair.a, "lower")
                for metric in pair.significant_sides[side]:
                    found.setdefault(metric, []).append(other)
        return found

    def to_json(self) -> dict[str, object]:
        """Return the comparison as compare.json holds it, without the headline."""
        pairs = [
            {
                "a": pair.a,
                "b": pair.b,
                "metrics": {
                    row.metric: rounded(
                        asdict(row.difference)
                        | {"p_holm": row.p_holm, "significant": row.significant, "caveat": row.caveat or None}
                        | {"smallest": row.smallest, "primary": row.primary}
                    )
                    for row in pair.rows
                },
            }
            for pair in self.pairs
        ]
        return {
            "golden": self.golden,
            "n_items": self.n_items,
            "n_documents": self.n_documents,
            "runs": dict(self.runs),
            "family": {
                "method": "Holm",
                "level": SIGNIFICANCE_LEVEL,
                "metrics": list(self.primary),
                "pairs": len(self.pairs),
                "comparisons": self.comparisons,
                "exploratory": {"metrics": list(self.exploratory), "comparisons": self.exploratory_comparisons},
            },
            "incomparable": dict(self.incomparable),
            "forced": self.forced,
            "too_easy": rounded(self.too_easy),
            "finer_metrics": list(self.finer_metrics),
            "pairs": pairs,
            "rankings": [{**asdict(each), "means": rounded(each.means)} for each in self.rankings],
            "questions": [rounded(asdict(each)) for each in self.questions],
            "notes": list(self.notes),
        }
