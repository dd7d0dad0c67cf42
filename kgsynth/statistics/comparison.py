"""What a comparison of runs came to, as records; compare.json is ``Comparison``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field

from kgsynth.base.records_json import rounded
from kgsynth.statistics.paired_tests import Difference

LEVEL = 0.05
"""The level at which a difference, after Holm, is called one."""


@dataclass(frozen=True, slots=True)
class Row:
    """One metric of a pair of runs: the difference, and the p of its sign-flip test after Holm over the metrics."""

    metric: str
    found: Difference
    p_holm: float | None

    @property
    def significant(self) -> bool:
        """Whether the data parts the two runs on this metric."""
        return self.p_holm is not None and self.p_holm <= LEVEL


@dataclass(frozen=True, slots=True)
class Changed:
    """One question on which two runs differ: what was expected, what each gave, and by how much each metric moved."""

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
        """The metric that moved most, the first of them, and by how much."""
        return max(self.deltas.items(), key=lambda entry: abs(entry[1]))


@dataclass(frozen=True, slots=True)
class Pair:
    """Two runs side by side: ``b`` less ``a``; ``changed`` has what moved most first.

    ``points`` hold of every metric shown the values of a and b by question; compare.json leaves them to items.jsonl.
    """

    a: str
    b: str
    rows: tuple[Row, ...]
    changed: tuple[Changed, ...]
    points: Mapping[str, Mapping[str, tuple[float, float]]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Ranking:
    """The runs by one metric: label -> mean, best first, and label -> rank, ties where the data does not part them.

    ``ci95`` has the interval of a mean where the run has one for all its questions.
    """

    metric: str
    means: Mapping[str, float]
    ranks: Mapping[str, int]
    ci95: Mapping[str, tuple[float, float]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two or more runs on one golden set; ``runs`` maps the label of each to its system.

    ``pairs`` hold every later run against the first, ``rankings`` all runs when there are more than two.
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
                    row.metric: rounded(asdict(row.found) | {"p_holm": row.p_holm, "significant": row.significant})
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
