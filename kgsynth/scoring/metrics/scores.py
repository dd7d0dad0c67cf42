"""The results of a run as records: ``Scores`` becomes scores.json, ``ItemScore`` a line of items.jsonl."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence, Set
from dataclasses import asdict, dataclass, field, fields
from typing import Any

from kgsynth.base.names import MetricValues
from kgsynth.base.notebook import data_frame, html_table
from kgsynth.base.records import item_id
from kgsynth.scoring.metrics import ScoredCase
from kgsynth.scoring.metrics.answer_match import is_correct
from kgsynth.scoring.metrics.failure_causes import CAUSE_ADVICE, Cause, likely_cause
from kgsynth.scoring.metrics.gates import GateResult
from kgsynth.scoring.metrics.judged.report import JudgeReport
from kgsynth.scoring.metrics.overall_score import OverallScore
from kgsynth.scoring.metrics.summary import Value, cluster
from kgsynth.scoring.metrics.thresholds import ThresholdResult

_METRICS_IN_REPR = 4
SLICES = ("question_type", "subtype", "difficulty")
"""The fields of an item by which every metric is broken down."""


@dataclass(frozen=True, slots=True)
class ItemScore:
    """The result of one question; ``to_json`` is its line of items.jsonl.

    ``fingerprint`` changes with the question, its answers or the text of its evidence. ``group_ranks`` are the ranks at
    which the evidence groups were covered (None: never), ``matched`` says how each passage was matched,
    ``evidence`` has the spans of each group. ``cause`` is None when the question passed.
    """

    id: str
    question: str
    question_type: str
    subtype: str
    difficulty: str
    cluster: str
    fingerprint: str
    expected: tuple[str, ...]
    actual: str | None
    metrics: Mapping[str, float | None]
    group_ranks: tuple[int | None, ...]
    matched: tuple[str, ...]
    evidence: Sequence[Sequence[Mapping[str, object]]]
    cause: Cause | None

    @classmethod
    def of(cls, case: ScoredCase, row: Mapping[str, float | None]) -> ItemScore:
        """Return the result of the question of ``case``, with the likely cause if it failed."""
        item = case.item
        return cls(
            **{name: getattr(item, name) for name in ("id", "question", *SLICES)},
            cluster=cluster(item),
            fingerprint=item_id(item.question, item.golden_answers, item.evidence),
            expected=item.golden_answers,
            actual=case.answer.answer if case.answer else None,
            metrics=row,
            group_ranks=case.ranks,
            matched=case.methods,
            evidence=[[asdict(span) for span in group] for group in item.evidence],
            cause=likely_cause(case, row["context_recall"] is not None, _is_wrong(case, row)),
        )

    def to_json(self) -> dict[str, object]:
        """Return the result as it is written to items.jsonl."""
        line = {entry.name: getattr(self, entry.name) for entry in fields(self)}
        return {**line, "cause": str(self.cause) if self.cause else None, "try": self.cause and self.cause.advice}


def _is_wrong(case: ScoredCase, row: Mapping[str, float | None]) -> bool:
    """Check whether the answer is wrong; it is not when the system gives no answers or none is expected."""
    correct = case.answered and is_correct(case.answer_text, case.item.golden_answers, case.item.language)
    return row["em"] is not None and not correct


@dataclass(frozen=True, slots=True)
class Scores:
    """The results of one run; ``to_json`` is scores.json.

    ``by`` has the metrics of each slice, ``resources`` latency and failures (the only values that depend on time),
    ``signatures`` the variant of each metric, ``matched`` the number of passages by how they were matched. ``refusals``
    counts expected against actual answers and is None for a system that gives none. ``missing`` are the questions
    without an answer record, ``notes`` are sentences that a reader of the results must know. ``judge`` reports how an
    LLM judged, if one did. ``items`` are the results of the single questions, which go to items.jsonl.
    """

    golden: str
    system: str
    signature: str
    n_items: int
    n_errors: int
    metrics: Mapping[str, Value]
    by: Mapping[str, Mapping[str, Mapping[str, Value]]]
    resources: Mapping[str, Value]
    signatures: Mapping[str, str]
    gates: tuple[GateResult, ...]
    cover: float
    matched: Mapping[str, int]
    refusals: Mapping[str, Mapping[str, int]] | None
    missing: tuple[str, ...]
    notes: tuple[str, ...]
    thresholds: tuple[ThresholdResult, ...] = ()
    overall: OverallScore | None = None
    own_metrics: Mapping[str, Value] = field(default_factory=dict)
    judge: JudgeReport | None = None
    items: tuple[ItemScore, ...] = ()

    def __post_init__(self) -> None:
        for name in ("metrics", "own_metrics", "resources"):
            object.__setattr__(self, name, MetricValues(getattr(self, name)))

    def __repr__(self) -> str:
        """Return the system, the share of questions that passed, and the first metrics."""
        passed = f"{self.n_passed:,} of {self.n_items:,} questions passed"
        shown = [f"{name} {value.value:.3f}" for name, value in self._measured()][:_METRICS_IN_REPR]
        return f"Scores({self.system}: {'; '.join((passed, *shown))})"

    def _repr_html_(self) -> str:
        rows = [
            (name, f"{value.value:.3f}", "–" if value.ci95 is None else "{:.3f} to {:.3f}".format(*value.ci95))
            for name, value in self._measured()
        ]
        return html_table(repr(self), ("metric", "value", "95 % interval"), rows)

    def _measured(self) -> list[tuple[str, Value]]:
        """Return the metrics with a value, those at the cut-off 5 first."""
        found = [(name, value) for name, value in self.metrics.items() if value.value is not None]
        return sorted(found, key=lambda pair: not pair[0].endswith("@5"))

    def to_pandas(self) -> Any:
        """Return a DataFrame with one row per question: what it is, its likely cause of failure, and every metric.

        Raises:
            ConfigError: pandas is not installed.
        """
        names = ("id", "question", *SLICES, "expected", "actual")
        rows = [
            {name: getattr(item, name) for name in names}
            | {"cause": str(item.cause) if item.cause else None}
            | dict(item.metrics)
            for item in self.items
        ]
        metrics = dict.fromkeys(name for item in self.items for name in item.metrics)
        return data_frame(rows, (*names, "cause", *metrics))

    @property
    def passed(self) -> bool:
        """Whether no gate and no threshold failed."""
        return not self.failures

    @property
    def failures(self) -> list[str]:
        """The gates and thresholds that failed, as text; those that only warn are left out."""
        gates = [result.gate for result in self.gates if result.failed]
        sides = {True: "<=", False: ">="}  # with warn below fail, lower is better
        thresholds = [each for each in self.thresholds if each.level == "failed"]
        return gates + [f"{each.metric}{sides[each.warn < each.fail]}{each.fail:g}" for each in thresholds]

    @property
    def n_passed(self) -> int:
        """The number of questions that passed."""
        return self.n_items - sum(self.causes.values())

    @property
    def pass_rate(self) -> float:
        """The share of questions that passed."""
        return sum(item.cause is None for item in self.items) / max(1, self.n_items)

    @property
    def causes(self) -> dict[str, int]:
        """The number of failed questions by likely cause, in the order of ``CAUSE_ADVICE``."""
        counts = Counter(item.cause.kind for item in self.items if item.cause)
        return {kind: counts[kind] for kind in CAUSE_ADVICE if counts[kind]}

    def to_json(self) -> dict[str, object]:
        """Return the results as they are written to scores.json; ``by`` leaves out metrics without any value."""
        measured = {name for name, value in self.metrics.items() if value.value is not None}
        by = {
            field: {label: _values_to_json(values, measured) for label, values in slices.items()}
            for field, slices in self.by.items()
        }
        return {
            **{name: getattr(self, name) for name in ("golden", "system", "signature", "n_items", "n_errors")},
            "metrics": _values_to_json(self.metrics),
            "by": by,
            "gates": [result.to_json() for result in self.gates],
            **{name: getattr(self, name) for name in ("cover", "matched", "refusals", "missing", "notes")},
            "own_metrics": _values_to_json(self.own_metrics),
            "thresholds": [result.to_json() for result in self.thresholds],
            "overall": self.overall.to_json() if self.overall else None,
            "pass_rate": round(self.pass_rate, 6),
            "causes": self.causes,
            "signatures": dict(self.signatures),
            "resources": _values_to_json(self.resources),
            **({"judge": self.judge.to_json()} if self.judge else {}),
        }


def _values_to_json(values: Mapping[str, Value], only: Set[str] | None = None) -> dict[str, object]:
    return {name: value.to_json() for name, value in values.items() if only is None or name in only}
