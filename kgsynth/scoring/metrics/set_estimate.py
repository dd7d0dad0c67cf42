"""The estimate of one metric for a whole golden set of which only some questions were asked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from kgsynth.scoring.metrics.summary import Value


@dataclass(frozen=True, slots=True)
class SetEstimate:
    """The estimate of ``metric`` over all ``questions``, with its 95 % interval, after ``asked`` of them.

    ``target`` is the half width that was wanted, ``runs`` the number of earlier runs that it rests on.
    """

    metric: str
    value: float
    ci95: tuple[float, float]
    asked: int
    questions: int
    target: float
    runs: int

    @property
    def text(self) -> str:
        """The estimate in words."""
        low, high = self.ci95
        return (
            f"{self.metric} of the whole set is estimated as {self.value:.3f} (95 % interval {low:.3f} to {high:.3f}) "
            f"from {self.asked} of its {self.questions} questions"
        )

    @property
    def wanted(self) -> str:
        """How narrow the interval was to be."""
        return f"an interval of {self.target:g} on either side was wanted"

    @property
    def note(self) -> str:
        """What a reader must know of the other figures."""
        return (
            f"the questions that {self.runs} earlier runs show to be most telling were asked first, and they are not "
            "typical of the set, so no other metric is given"
        )

    @property
    def why_missing(self) -> str:
        """Why every other metric has no value."""
        return f"only {self.asked} of {self.questions} questions were asked (--until), and they are not typical"

    def only(self, values: Mapping[str, Value]) -> dict[str, Value]:
        """Return metrics with the estimate in its place, and the others without a value."""
        shown = Value(
            round(self.value, 6), self.asked, self.questions, (round(self.ci95[0], 6), round(self.ci95[1], 6))
        )
        missing = Value(None, 0, self.questions, why=self.why_missing)
        return {name: shown if name == self.metric else missing for name in values}

    def to_json(self) -> dict[str, object]:
        """Return the estimate as it is written to scores.json."""
        ends = [round(end, 6) for end in self.ci95]
        found: dict[str, object] = {"metric": self.metric, "value": round(self.value, 6), "ci95": ends}
        return found | {"asked": self.asked, "questions": self.questions, "target": self.target, "runs": self.runs}
