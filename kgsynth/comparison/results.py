"""The results of a comparison of runs as records; compare.json is ``Comparison``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field

from kgsynth.base.records_json import rounded
from kgsynth.statistics.paired_tests import PairedDifference

SIGNIFICANCE_LEVEL = 0.05
"""A difference is significant when its p-value after Holm is at most this."""


@dataclass(frozen=True, slots=True)
class MetricComparison:
    """One metric of a pair of runs: its difference, and the p of the sign-flip test after Holm over the metrics."""

    metric: str
    difference: PairedDifference
    p_holm: float | None

    @property
    def significant(self) -> bool:
        """Whether the two runs differ significantly on this metric."""
        return self.p_holm is not None and self.p_holm <= SIGNIFICANCE_LEVEL


@dataclass(frozen=True, slots=True)
class ChangedQuestion:
    """One question on which two runs differ: the expected answer, what each run gave, each metric's B − A."""

    id: str
    question: str
    expected: str
    a: str
    b: str
    deltas: Mapping[str, float]
    question_type: str = ""
    difficulty: str = ""

    @property
    def largest(self) -> tuple[str, float]:
        """The first metric with the largest change, and that change."""
        return max(self.deltas.items(), key=lambda entry: abs(entry[1]))


@dataclass(frozen=True, slots=True)
class Pair:
    """Two runs compared, always ``b`` − ``a``; ``changed`` has the largest changes first.

    ``points`` maps each metric to the values of a and b by question id; it is not written to compare.json.
    """

    a: str
    b: str
    rows: tuple[MetricComparison, ...]
    changed: tuple[ChangedQuestion, ...]
    points: Mapping[str, Mapping[str, tuple[float, float]]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Ranking:
    """The runs by one metric: label -> mean, highest first, and label -> rank.

    ``ci95`` has the interval of the mean for runs whose scores.json has one.
    """

    metric: str
    means: Mapping[str, float]
    ranks: Mapping[str, int]
    ci95: Mapping[str, tuple[float, float]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two or more runs on one golden set; ``runs`` maps the label of each to its system.

    ``pairs`` compares every later run with the first; ``rankings`` has all runs, if there are more than two.
    """

    golden: str
    n_items: int
    n_documents: int
    runs: Mapping[str, str]
    pairs: tuple[Pair, ...]
    rankings: tuple[Ranking, ...]
    notes: tuple[str, ...]

    def to_json(self) -> dict[str, object]:
        """Return the comparison as compare.json holds it."""
        pairs = [
            {
                "a": pair.a,
                "b": pair.b,
                "metrics": {
                    row.metric: rounded(asdict(row.difference) | {"p_holm": row.p_holm, "significant": row.significant})
                    for row in pair.rows
                },
                "changed": [asdict(changed) for changed in pair.changed],
            }
            for pair in self.pairs
        ]
        return {
            "golden": self.golden,
            "n_items": self.n_items,
            "n_documents": self.n_documents,
            "runs": dict(self.runs),
            "pairs": pairs,
            "rankings": [{**asdict(each), "means": rounded(each.means)} for each in self.rankings],
            "notes": list(self.notes),
        }
