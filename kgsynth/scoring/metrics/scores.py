"""What a run came to, as one record, and question by question; scores.json and items.jsonl are these records."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field, fields

from kgsynth.base.records import item_id
from kgsynth.scoring.metrics import Case
from kgsynth.scoring.metrics.answer_match import right
from kgsynth.scoring.metrics.failure_causes import ADVICE, Cause, cause
from kgsynth.scoring.metrics.gates import Verdict
from kgsynth.scoring.metrics.judged.report import JudgeReport
from kgsynth.scoring.metrics.overall_score import Overall
from kgsynth.scoring.metrics.summary import Value, cluster
from kgsynth.scoring.metrics.thresholds import Held

SLICES = ("question_type", "subtype", "difficulty")
"""The fields of an item by which every metric is broken down."""


@dataclass(frozen=True, slots=True)
class ItemScore:
    """What one question came to; ``to_json`` is its line of items.jsonl.

    ``fingerprint`` changes with the question, its answers or its evidence. ``group_ranks`` has the rank at which each
    group of evidence was covered (None: never), ``matched`` how each passage was matched. ``cause`` is None unless
    something is amiss.
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
    cause: Cause | None

    @classmethod
    def of(
        cls, case: Case, ranks: Sequence[int | None], matched: Sequence[str], row: Mapping[str, float | None]
    ) -> ItemScore:
        """Return what the question of ``case`` came to, with the likely cause when it failed."""
        item = case.item
        return cls(
            **{name: getattr(item, name) for name in ("id", "question", *SLICES)},
            cluster=cluster(item),
            fingerprint=item_id(item.question, item.golden_answers, item.evidence),
            expected=item.golden_answers,
            actual=case.answer.answer if case.answer else None,
            metrics=row,
            group_ranks=tuple(ranks),
            matched=tuple(matched),
            cause=cause(case, ranks, row["context_recall"] is not None, _wrong(case, row)),
        )

    def to_json(self) -> dict[str, object]:
        """Return the line as items.jsonl holds it."""
        line = {entry.name: getattr(self, entry.name) for entry in fields(self)}
        return {**line, "cause": str(self.cause) if self.cause else None, "try": self.cause and self.cause.advice}


def _wrong(case: Case, row: Mapping[str, float | None]) -> bool:
    """Say whether an answer is wrong; of a system or a question without answers none is."""
    return row["em"] is not None and not (case.answered and right(case.said, case.item.golden_answers))


@dataclass(frozen=True, slots=True)
class Scores:
    """What one run came to; ``to_json`` is scores.json. ``matched`` counts passages by how they were matched.

    In scores.json ``by`` leaves out the metrics that have no value at all. ``resources`` are latencies and failures,
    the only figures that hold time; ``signatures`` says of each metric which variant it is. ``refusals`` counts
    answers, expected against actual, and is None for a system that gives none. ``notes`` are sentences a reader of the
    figures must know. ``judge`` says how a language model judged, if one did. ``items`` are the questions one by one,
    which items.jsonl holds.
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
    gates: tuple[Verdict, ...]
    cover: float
    matched: Mapping[str, int]
    refusals: Mapping[str, Mapping[str, int]] | None
    missing: tuple[str, ...]
    notes: tuple[str, ...]
    thresholds: tuple[Held, ...] = ()
    overall: Overall | None = None
    own_metrics: Mapping[str, Value] = field(default_factory=dict)
    judge: JudgeReport | None = None
    items: tuple[ItemScore, ...] = ()

    @property
    def passed(self) -> bool:
        """Whether no gate failed, and no value is on the failing level of a threshold."""
        return not self.failures

    @property
    def failures(self) -> list[str]:
        """Every gate that failed and every threshold that was missed, each as text; those that warn are left out."""
        gates = [verdict.gate for verdict in self.gates if verdict.failed]
        sides = {True: "<=", False: ">="}  # with warn below fail, less is better
        missed = [each for each in self.thresholds if each.level == "failed"]
        return gates + [f"{each.metric}{sides[each.warn < each.fail]}{each.fail:g}" for each in missed]

    @property
    def pass_rate(self) -> float:
        """The share of questions with which nothing is amiss."""
        return sum(item.cause is None for item in self.items) / max(1, self.n_items)

    @property
    def causes(self) -> dict[str, int]:
        """How many questions failed for each likely cause, in the order of ``ADVICE``."""
        counts = Counter(item.cause.kind for item in self.items if item.cause)
        return {kind: counts[kind] for kind in ADVICE if counts[kind]}

    def to_json(self) -> dict[str, object]:
        """Return the scores as scores.json holds them."""
        head = {name: getattr(self, name) for name in ("golden", "system", "signature", "n_items", "n_errors")}
        tail = {name: getattr(self, name) for name in ("cover", "matched", "refusals", "missing", "notes")}
        has = {name for name, value in self.metrics.items() if value.value is not None}
        by = {
            field: {label: _plain(values, has) for label, values in slices.items()} for field, slices in self.by.items()
        }
        gates = [verdict.to_json() for verdict in self.gates]
        judged = {
            "own_metrics": _plain(self.own_metrics),
            "thresholds": [each.to_json() for each in self.thresholds],
            "overall": self.overall.to_json() if self.overall else None,
            "pass_rate": round(self.pass_rate, 6),
            "causes": self.causes,
        }
        ends: dict[str, object] = {"signatures": dict(self.signatures), "resources": _plain(self.resources)}
        if self.judge:
            ends["judge"] = self.judge.to_json()
        return {**head, "metrics": _plain(self.metrics), "by": by, "gates": gates, **tail, **judged, **ends}


def _plain(values: Mapping[str, Value], only: Set[str] | None = None) -> dict[str, object]:
    return {name: value.to_json() for name, value in values.items() if only is None or name in only}
