"""Do two question sets rank systems alike: Kendall's tau with its interval, and the lexical bias.

Intervals resample whole documents, independently for each of the two sets.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from kgsynth.base.records_json import rounded
from kgsynth.statistics.bootstrap import BOOTSTRAP_SEED, resampled_means

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

EQUIVALENT_TAU, SIMILAR_TAU = 0.9, 0.8
"""Two sets of judgements are equivalent from a tau of 0.9 and noticeably different below 0.8 (Voorhees 2001,
"Evaluation by highly relevant documents")."""
NOTABLE_BIAS = 0.05
"""From this lexical bias, positive or negative, a set is said to favour or disfavour lexical retrieval."""
HALVINGS = 20
"""How often the human set is split at random to measure its agreement with itself."""


@dataclass(frozen=True, slots=True)
class SetScores:
    """The scores of one question set: ``values`` (questions, systems), and the document of each question.

    ``untied`` is the number of questions left out because their evidence is not in the documents.
    """

    values: NDArray[np.float64]
    clusters: tuple[str, ...]
    untied: int = 0

    @property
    def means(self) -> NDArray[np.float64]:
        """The mean of each system."""
        means: NDArray[np.float64] = self.values.mean(axis=0)
        return means


@dataclass(frozen=True, slots=True)
class RankAgreement:
    """How far a set agrees with a human one; ``halves`` is the mean tau between two halves of the human set.

    ``bias`` is lexical minus dense on the set, minus the same difference on the human set: above 0, the set favours
    word overlap. ``systems``, ``questions`` and ``untied`` give the human set first.
    """

    tau: float
    tau_ci95: tuple[float, float]
    halves: float
    bias: float
    bias_ci95: tuple[float, float]
    systems: Mapping[str, tuple[float, float]]
    questions: tuple[int, int]
    untied: tuple[int, int]

    @property
    def verdict(self) -> str:
        """What the set can be used for, in a few sentences."""
        if self.tau >= EQUIVALENT_TAU:
            order = "The set ranks systems as the human set does."
        elif self.tau >= SIMILAR_TAU:
            order = "The set ranks systems much as the human set does, but swaps some that are close."
        else:
            order = "The set does not rank systems as the human set does: do not choose a system by it alone."
        if abs(self.bias) < NOTABLE_BIAS:
            return f"{order} It has no notable lexical bias."
        direction, how = ("favours", "higher") if self.bias > 0 else ("disfavours", "lower")
        relative = f"relative to dense, BM25 scores {abs(self.bias):.2f} {how} than on the human set"
        return f"{order} It {direction} lexical retrieval: {relative}."

    def to_json(self) -> dict[str, Any]:
        """Return the agreement as calibration.json holds it."""
        return {"verdict": self.verdict, **rounded(asdict(self))}


def rank_agreement(
    human: SetScores, golden: SetScores, systems: Sequence[str], lexical: str, dense: str
) -> RankAgreement:
    """Return how far ``golden`` ranks ``systems`` (the names of the columns) as ``human`` does.

    ``lexical`` and ``dense`` name the two systems whose difference gives the lexical bias.
    """
    import numpy as np

    word, vector = systems.index(lexical), systems.index(dense)

    def bias(theirs: NDArray[np.float64], ours: NDArray[np.float64]) -> float:
        return float((ours[word] - ours[vector]) - (theirs[word] - theirs[vector]))

    rng = np.random.default_rng(BOOTSTRAP_SEED)
    resampled = list(zip(_resampled(human, rng), _resampled(golden, rng), strict=True))
    return RankAgreement(
        tau=kendall_tau(human.means, golden.means),
        tau_ci95=_ci95([kendall_tau(*means) for means in resampled]),
        halves=_tau_of_halves(human, rng),
        bias=bias(human.means, golden.means),
        bias_ci95=_ci95([bias(*means) for means in resampled]),
        systems={name: (float(a), float(b)) for name, a, b in zip(systems, human.means, golden.means, strict=True)},
        questions=(len(human.values), len(golden.values)),
        untied=(human.untied, golden.untied),
    )


def kendall_tau(a: NDArray[np.float64], b: NDArray[np.float64]) -> float:
    """Return Kendall's tau-b of two sequences, 0 when one of them does not vary.

    Example:
        >>> import numpy as np
        >>> round(kendall_tau(np.array([1, 2, 3]), np.array([1, 3, 2])), 3), kendall_tau(np.ones(3), np.arange(3))
        (0.333, 0.0)
    """
    import numpy as np
    from scipy.stats import kendalltau

    if not (np.ptp(a) and np.ptp(b)):
        return 0.0
    return float(kendalltau(a, b).statistic)


def _resampled(scores: SetScores, rng: np.random.Generator) -> NDArray[np.float64]:
    """Return the systems' means (samples, systems) over documents drawn with replacement."""
    import numpy as np

    labels = {label: at for at, label in enumerate(sorted(set(scores.clusters)))}
    member = np.array([labels[label] for label in scores.clusters])
    sums = np.zeros((len(labels), scores.values.shape[1]))
    np.add.at(sums, member, scores.values)
    return resampled_means(sums, np.bincount(member).astype(float)[:, None], rng)


def _tau_of_halves(scores: SetScores, rng: np.random.Generator) -> float:
    """Return the mean tau between two random halves of a set, 1 for a single question."""
    import numpy as np

    if len(scores.values) < 2:
        return 1.0
    taus = []
    for _ in range(HALVINGS):
        order, middle = rng.permutation(len(scores.values)), len(scores.values) // 2
        halves = (scores.values[half].mean(axis=0) for half in (order[:middle], order[middle:]))
        taus.append(kendall_tau(*halves))
    return float(np.mean(taus))


def _ci95(values: Sequence[float]) -> tuple[float, float]:
    import numpy as np

    low, high = np.percentile(values, [2.5, 97.5])
    return float(low), float(high)
