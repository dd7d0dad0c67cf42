"""One figure for a whole run, and one for each component: means of metrics by weights that are always told.

An overall score hides more than it says; it is for watching one system over time. A metric without a value is left
out and the others keep their proportions, so overall scores of runs with other metrics cannot be compared.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from dataclasses import asdict, dataclass

from kgsynth.base.errors import ConfigError
from kgsynth.scoring.metrics import find
from kgsynth.scoring.metrics.gates import unknown
from kgsynth.scoring.metrics.judged import JUDGED
from kgsynth.scoring.metrics.summary import Value

WEIGHTS = {
    "recall": 2.0,
    "ndcg": 1.0,
    "mrr": 1.0,
    "token_f1": 2.0,
    "sub_em": 1.0,
    "refusal": 1.0,
    "route_accuracy": 1.0,
    "document_coverage": 1.0,
}
"""Metric -> weight when nothing is said; of a metric with cut-offs the one nearest 5 is taken."""

JUDGED_WEIGHTS = {"faithfulness": 1.0, "answer_relevancy": 1.0, "answer_correctness": 1.0, "contextual_relevancy": 1.0}
"""The like for metrics that a judge has given a value; without one nothing is said of them."""

COMPONENTS = {
    "retrieval": "retriever",
    "passages": "retriever",
    "routing": "router",
    "answers": "generator",
    "semantic": "generator",
    "heuristics": "generator",
}
"""Kind of metric -> the component of a RAG system it speaks of; another kind stands for itself, judged metrics say."""


@dataclass(frozen=True, slots=True)
class Overall:
    """The weighted mean (None when no weighted metric has a value), that of each component, and the weights used."""

    value: float | None
    components: Mapping[str, float]
    weights: Mapping[str, float]
    left_out: tuple[str, ...]

    def to_json(self) -> dict[str, object]:
        """Return it as scores.json holds it."""
        return asdict(self)


def parse_weights(text: str, own: Collection[str] = ()) -> dict[str, float]:
    """Read weights as the command line gives them; ``own`` are the names of the user's own metrics.

    Raises:
        ConfigError: with every piece that is no METRIC=WEIGHT, every metric that is none or has no bounds, and
            weights below 0 or all 0.

    Example:
        >>> parse_weights("recall@5=2, token_f1=1")
        {'recall@5': 2.0, 'token_f1': 1.0}
    """
    weights: dict[str, float] = {}
    faults = []
    for piece in (part.strip() for part in text.split(",")):
        name, _, number = (part.strip() for part in piece.partition("="))
        try:
            weight = float(number)
        except ValueError:
            weight = math.nan
        if not 0 <= weight < math.inf:
            faults.append(f"{piece!r} is no METRIC=WEIGHT with a weight of 0 or more, such as recall@5=2")
        elif fault := unknown(name, own) or _unbounded(name, own):
            faults.append(f"{name!r} {fault}")
        weights[name] = weight
    if not faults and not any(weights.values()):
        faults.append("all are 0, give one more")
    if faults:
        raise ConfigError(f"--weights cannot be used: {'; '.join(faults)}")
    return weights


def overall(values: Mapping[str, Value], weights: Mapping[str, float] | None = None) -> Overall:
    """Return the weighted mean of ``values``, by ``WEIGHTS`` when no weights are given.

    Example:
        >>> overall({"recall@5": Value(0.9, 9, 9), "mrr": Value(0.6, 9, 9)}).value
        0.8
    """
    wanted = _default(values) if weights is None else weights
    used = {name: weight for name, weight in wanted.items() if weight and values[name].value is not None}
    parts: dict[str, list[str]] = {}
    for name in used:
        parts.setdefault(_component(name), []).append(name)
    return Overall(
        value=_mean(values, used) if used else None,
        components={part: _mean(values, {name: used[name] for name in names}) for part, names in parts.items()},
        weights=used,
        left_out=tuple(name for name, weight in wanted.items() if weight and name not in used),
    )


def _component(name: str) -> str:
    if name in JUDGED:
        return JUDGED[name].component
    try:
        kind = find(name).kind
    except KeyError:
        return "own metrics"
    return COMPONENTS.get(kind, kind)


def _default(values: Mapping[str, Value]) -> dict[str, float]:
    weights = {}
    for base, weight in WEIGHTS.items():
        named = [name for name in values if name.partition("@")[0] == base]
        if named:
            weights[min(named, key=_from_five)] = weight
    judged = {
        name: weight for name, weight in JUDGED_WEIGHTS.items() if name in values and values[name].value is not None
    }
    return weights | judged


def _from_five(name: str) -> tuple[int, int]:
    cut = int(name.partition("@")[2] or 0)
    return abs(cut - 5), cut


def _mean(values: Mapping[str, Value], weights: Mapping[str, float]) -> float:
    total = math.fsum(weight * (values[name].value or 0.0) for name, weight in weights.items())
    return round(total / math.fsum(weights.values()), 6)


def _unbounded(name: str, own: Collection[str]) -> str:
    bounded = name in own or find(name).bounded
    return "" if bounded else "has no bounds, so it cannot be weighed with others"
