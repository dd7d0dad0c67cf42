"""The overall score of a run and of each component: weighted means of metrics, reported with their weights.

In the overall score a question that failed counts 0, so that it does not contradict the pass rate; the components are
means of the metrics as they are.

An overall score hides more than it shows; use it to watch one system over time. A metric without a value is left out
and the other weights keep their proportions, so overall scores over different metrics cannot be compared.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from kgsynth.base.errors import ConfigError
from kgsynth.scoring.metrics.judged import JUDGED_METRICS
from kgsynth.scoring.metrics.lookup import find_metric, name_problem, nearest_to_five, split_name
from kgsynth.scoring.metrics.summary import Value

DEFAULT_WEIGHTS = {
    "recall": 2.0,
    "ndcg": 1.0,
    "mrr": 1.0,
    "token_f1": 2.0,
    "sub_em": 1.0,
    "refusal": 1.0,
    "route_accuracy": 1.0,
}
"""Metric -> default weight; a metric with cut-offs is taken at the one nearest 5."""

OPTIONAL_WEIGHTS = {
    "claim_recall": 2.0,
    "claim_precision": 1.0,
    "faithfulness": 1.0,
    "answer_relevancy": 1.0,
    "answer_correctness": 1.0,
    "contextual_relevancy": 1.0,
}
"""Metric that most runs lack -> default weight; used only if it has a value."""

COMPONENTS = {
    "retrieval": "retriever",
    "passages": "retriever",
    "routing": "router",
    "citations": "generator",
    "steps": "retriever",
    "answers": "generator",
    "semantic": "generator",
}
"""Kind of metric -> the component of a RAG system it measures; other kinds are components of their own."""


@dataclass(frozen=True, slots=True)
class OverallScore:
    """The weighted mean (None when no weighted metric has a value), that of each component, and the weights used."""

    value: float | None
    components: Mapping[str, float]
    weights: Mapping[str, float]
    left_out: tuple[str, ...]

    def as_value(self, n_items: int) -> Value:
        """Return the score as the value of a metric over ``n_items`` questions, for gates and thresholds."""
        scored = 0 if self.value is None else n_items
        return Value(self.value, scored, n_items, why="no weighted metric has a value" if scored == 0 else None)


def parse_weights(text: str, own: Collection[str] = ()) -> dict[str, float]:
    """Read weights as given on the command line; ``own`` are the names of the user's own metrics.

    Raises:
        ConfigError: names every piece that is not METRIC=WEIGHT, every metric that is unknown or unbounded, and
            weights that are negative or all 0.

    Example:
        >>> parse_weights("recall@5=2, token_f1=1")
        {'recall@5': 2.0, 'token_f1': 1.0}
    """
    weights: dict[str, float] = {}
    problems = []
    for piece in (part.strip() for part in text.split(",")):
        name, _, number = (part.strip() for part in piece.partition("="))
        try:
            weight = float(number)
        except ValueError:
            weight = math.nan
        if not 0 <= weight < math.inf:
            problems.append(f"{piece!r} is not METRIC=WEIGHT with a weight of 0 or more, such as recall@5=2")
        elif problem := name_problem(name, own):
            problems.append(f"{name!r} {problem}")
        elif name not in own and not find_metric(name).bounded:
            problems.append(f"{name!r} has no bounds, so it cannot be averaged with others")
        weights[name] = weight
    if not problems and not any(weights.values()):
        problems.append("all weights are 0, make at least one larger")
    if problems:
        raise ConfigError(f"--weights cannot be used: {'; '.join(problems)}")
    return weights


def with_failed_as_zero(
    values: Mapping[str, Value], rows: Sequence[Mapping[str, float | None]], failed: Sequence[bool]
) -> dict[str, Value]:
    """Return ``values`` with the means of ``rows``, one per question, in which questions that failed count 0.

    Values of the run as a whole stay as they are.

    Example:
        >>> with_failed_as_zero({"mrr": Value(0.75, 2, 2)}, [{"mrr": 1.0}, {"mrr": 0.5}], [False, True])["mrr"].value
        0.5
    """
    found = dict(values)
    for name in rows[0] if rows else ():
        pairs = [(row[name], bad) for row, bad in zip(rows, failed, strict=True)]
        known = [0.0 if bad else value for value, bad in pairs if value is not None]
        if known:
            found[name] = replace(values[name], value=round(math.fsum(known) / len(known), 6))
    return found


def overall_score(
    values: Mapping[str, Value],
    weights: Mapping[str, float] | None = None,
    passed_values: Mapping[str, Value] | None = None,
) -> OverallScore:
    """Return the weighted mean of ``values``, with the default weights if none are given.

    ``passed_values`` are those in which questions that failed count 0; the overall score is their mean.

    Example:
        >>> overall_score({"recall@5": Value(0.9, 9, 9), "mrr": Value(0.6, 9, 9)}).value
        0.8
    """
    wanted = _default_weights(values) if weights is None else weights
    used = {name: weight for name, weight in wanted.items() if weight and values[name].value is not None}
    by_component: dict[str, dict[str, float]] = {}
    for name, weight in used.items():
        by_component.setdefault(_component(name), {})[name] = weight
    return OverallScore(
        value=_weighted_mean(passed_values or values, used) if used else None,
        components={component: _weighted_mean(values, parts) for component, parts in by_component.items()},
        weights=used,
        left_out=tuple(name for name, weight in wanted.items() if weight and name not in used),
    )


def _component(name: str) -> str:
    if name in JUDGED_METRICS:
        return JUDGED_METRICS[name].component
    try:
        kind = find_metric(name).kind
    except KeyError:
        return "own metrics"
    return COMPONENTS.get(kind, kind)


def _default_weights(values: Mapping[str, Value]) -> dict[str, float]:
    weights = {}
    for base, weight in DEFAULT_WEIGHTS.items():
        if found := nearest_to_five(name for name in values if split_name(name)[0] == base):
            weights[found] = weight
    optional = {
        name: weight for name, weight in OPTIONAL_WEIGHTS.items() if name in values and values[name].value is not None
    }
    return weights | optional


def _weighted_mean(values: Mapping[str, Value], weights: Mapping[str, float]) -> float:
    total = math.fsum(weight * (values[name].value or 0.0) for name, weight in weights.items())
    return round(total / math.fsum(weights.values()), 6)
