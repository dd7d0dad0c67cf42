"""The results of a run: ``Scores`` becomes scores.json."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Set
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

from kgsynth.base.names import MetricValues
from kgsynth.base.notebook import data_frame, html_table
from kgsynth.base.thresholds import LIMITS
from kgsynth.scoring.metrics.answer_match import WORD_BY_WORD
from kgsynth.scoring.metrics.criteria import Checked
from kgsynth.scoring.metrics.failure_causes import CAUSE_ADVICE
from kgsynth.scoring.metrics.item_score import SLICES, STATES, ItemScore
from kgsynth.scoring.metrics.overall_score import OverallScore
from kgsynth.scoring.metrics.repeats import Repeats
from kgsynth.scoring.metrics.steps import HopCount, count_hops
from kgsynth.scoring.metrics.summary import Value

if TYPE_CHECKING:
    from kgsynth.scoring.metrics.judged.judge_all import JudgeReport
    from kgsynth.scoring.metrics.judged.labels import JudgeCheck

_METRICS_IN_REPR = 4


@dataclass(frozen=True, slots=True)
class Scores:
    """The results of one run; ``to_json`` is scores.json.

    ``by`` has the metrics of each slice, ``resources`` latency and failures (the only values that depend on time),
    ``signatures`` the variant of each metric, ``matched`` the number of passages by how they were matched. ``refusals``
    counts expected against actual answers and is None for a system that gives none. ``missing`` are the questions
    without an answer record, ``notes`` are sentences that a reader of the results must know. ``judge`` reports how an
    LLM judged, if one did, ``judge_check`` what labels of people show about it, ``repeats`` what several askings show,
    if there were any. ``items`` are the results of the single questions, which go to items.jsonl. ``documents`` is the
    hash of the documents ("" without any), ``excluded`` has the questions that were not asked because their evidence is
    not in them, with the reason, and ``caveat`` what all retrieval metrics rest on, "" if all is well. ``saturated``
    says that the set is too easy for the system, "" if it is not. ``reused`` is the number of answers that an earlier
    run had saved; ``reuse`` says so in a sentence, which is in ``notes`` but not in scores.json. ``folder`` has the
    pass rate and the metrics from 0 to 1 estimated over all documents of a folder from which some were drawn.
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
    gates: tuple[Checked, ...]
    cover: float
    matched: Mapping[str, int]
    refusals: Mapping[str, Mapping[str, int]] | None
    missing: tuple[str, ...]
    notes: tuple[str, ...]
    thresholds: tuple[Checked, ...] = ()
    overall: OverallScore | None = None
    own_metrics: Mapping[str, Value] = field(default_factory=dict)
    judge: JudgeReport | None = None
    judge_check: JudgeCheck | None = None
    repeats: Repeats | None = None
    items: tuple[ItemScore, ...] = ()
    documents: str = ""
    excluded: Mapping[str, str] = field(default_factory=dict)
    caveat: str = ""
    saturated: str = ""
    reused: int = 0
    reuse: str = ""
    folder: Mapping[str, Value] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name in ("metrics", "own_metrics", "resources"):
            object.__setattr__(self, name, MetricValues(getattr(self, name)))

    def __repr__(self) -> str:
        """Return the system, how many questions passed, and the first metrics."""
        shown = [f"{name} {value.value:.3f}" for name, value in self._measured()][:_METRICS_IN_REPR]
        return f"Scores({self.system}: {'; '.join((self.result, *shown, *filter(None, [self.reuse])))})"

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
        names = ("id", "question", *SLICES, "expected", "actual", "state")
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
        """Whether any question was checked, and no gate and no threshold failed.

        Without gates and thresholds, no question failed, and at most a few were left out.
        """
        if self.gates or self.thresholds:
            return self.compared and not self.failed_checks
        return self.n_checked > 0 and not self.failures and not self._many_left_out

    @property
    def compared(self) -> bool:
        """Whether a gate can pass: a question was checked, or at least the documents of its passages were compared."""
        files = self.metrics.get("file_recall")
        by_file = bool(self.gates or self.thresholds) and files is not None and files.value is not None
        return self.n_checked > 0 or by_file

    @property
    def _many_left_out(self) -> bool:
        return len(self.excluded) > LIMITS.left_out_share * (self.n_items + len(self.excluded))

    @property
    def failures(self) -> list[tuple[str, str]]:
        """The id and the likely cause of each question that failed."""
        return [(item.id, str(item.cause)) for item in self.items if item.cause]

    @property
    def failed_checks(self) -> list[tuple[str, str | None]]:
        """The gates and thresholds that failed, each with the reason why its metric has no value, None if it has one.

        Those that only warn are left out.
        """
        return [
            (f"{result.text} ({result.detail})" if result.detail else result.text, result.why)
            for result in (*self.gates, *self.thresholds)
            if result.level == "failed"
        ]

    @property
    def questions(self) -> dict[str, int]:
        """The number of questions in each of ``STATES``."""
        counts = Counter(item.state for item in self.items)
        return {state: counts[state] for state in STATES}

    @property
    def n_passed(self) -> int:
        """The number of questions that passed."""
        return self.questions["passed"]

    @property
    def n_checked(self) -> int:
        """The number of questions that passed or failed."""
        return self.n_items - self.questions["not checked"]

    @property
    def pass_rate(self) -> float | None:
        """The share of the checked questions that passed, over all askings; None if none was checked."""
        shares = [share for item in self.items if (share := item.pass_share) is not None]
        return math.fsum(shares) / len(shares) if shares else None

    @property
    def by_words(self) -> str:
        """What to add to the title of a figure that depends on answers that were compared word by word only."""
        return " by words" if WORD_BY_WORD in self.notes else ""

    @property
    def result(self) -> str:
        """How many questions passed, failed and were not checked, in words.

        Example: ``15 of 20 questions passed, 3 failed, 2 were not checked``.
        """
        passed, failed, unchecked = self.questions.values()
        asked = f"{self.n_items:,} of {self.n_items + len(self.excluded):,} questions were asked; " * bool(
            self.excluded
        )
        if not self.n_checked:
            return f"{asked}none of {self.n_items:,} questions could be checked, so nothing passed"
        left = f", {unchecked:,} {'was' if unchecked == 1 else 'were'} not checked" if unchecked else ""
        first = " in the first asking" * bool(self.repeats)
        return f"{asked}{passed:,} of {self.n_items:,} questions passed{first}, {failed:,} failed{left}"

    @property
    def causes(self) -> dict[str, int]:
        """The number of failed questions by likely cause, in the order of ``CAUSE_ADVICE``."""
        counts = Counter(item.cause.kind for item in self.items if item.cause)
        return {kind: counts[kind] for kind in CAUSE_ADVICE if counts[kind]}

    @property
    def hops(self) -> list[HopCount]:
        """How often each evidence group of the questions with several of them was found and lost."""
        return count_hops((item.hops, bool(item.n_steps)) for item in self.items if item.hops)

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
            **{name: getattr(self, name) for name in ("cover", "matched", "refusals", "missing")},
            "notes": tuple(note for note in self.notes if note != self.reuse),
            "own_metrics": _values_to_json(self.own_metrics),
            "thresholds": [result.to_json() for result in self.thresholds],
            "overall": asdict(self.overall) if self.overall else None,
            "questions": self.questions,
            "pass_rate": None if self.pass_rate is None else round(self.pass_rate, 6),
            "causes": self.causes,
            **({"hops": [count.to_json() for count in hops]} if (hops := self.hops) else {}),
            "signatures": dict(self.signatures),
            "resources": _values_to_json(self.resources),
            **{name: getattr(self, name) for name in ("documents", "excluded", "caveat", "saturated")},
            **({"folder": _values_to_json(self.folder)} if self.folder else {}),
            **({"judge": self.judge.to_json()} if self.judge else {}),
            **({"judge_check": self.judge_check.to_json()} if self.judge_check else {}),
            **({"repeats": self.repeats.to_json()} if self.repeats else {}),
        }


def _values_to_json(values: Mapping[str, Value], only: Set[str] | None = None) -> dict[str, object]:
    return {name: value.to_json() for name, value in values.items() if only is None or name in only}
