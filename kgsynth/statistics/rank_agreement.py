"""Do two question sets rank systems alike: Kendall's tau with its interval, and the lexical bias.

Intervals resample whole documents, independently for each of the two sets.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

from kgsynth.base.records_json import rounded
from kgsynth.base.thresholds import LIMITS
from kgsynth.statistics.intervals import BOOTSTRAP_SEED, resampled_means

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

    ``untied`` is the number of questions left out because their evidence is not in the documents, ``repeated`` of those
    left out because they ask the same as another.
    """

    values: NDArray[np.float64]
    clusters: tuple[str, ...]
    untied: int = 0
    repeated: int = 0

    @property
    def means(self) -> NDArray[np.float64]:
        """The mean of each system."""
        means: NDArray[np.float64] = self.values.mean(axis=0)
        return means


@dataclass(frozen=True, slots=True)
class RankAgreement:
    """How far a set agrees with a human one.

    ``halves`` is the mean tau between two halves of the human set, ``halves_range`` the lowest and highest of the
    splits; both are None for a single question. ``bias`` is lexical minus dense on the set, minus the same difference
    on the human set: above 0, the set favours word overlap. ``systems``, ``questions``, ``documents``, ``untied``
    and ``repeated`` give the human set first. ``by_writer`` compares the questions of each writer with ``neutral``:
    those of the rules, or the human set if there are none; it is empty if the set has one writer.
    """

    tau: float
    tau_ci95: tuple[float, float]
    halves: float | None
    halves_range: tuple[float, float] | None
    bias: float
    bias_ci95: tuple[float, float]
    systems: Mapping[str, tuple[float, float]]
    questions: tuple[int, int]
    documents: tuple[int, int]
    untied: tuple[int, int]
    repeated: tuple[int, int] = (0, 0)
    by_writer: Mapping[str, RankAgreement] = field(default_factory=dict)
    neutral: str = ""

    @property
    def shortage(self) -> str:
        """Why there are too few questions for a verdict; empty if there are enough."""
        limits = (LIMITS.calibration_min_questions, LIMITS.calibration_min_documents)
        for noun, counts, least in zip(("question", "document"), (self.questions, self.documents), limits, strict=True):
            for name, count in zip(("human", "golden"), counts, strict=True):
                if count < least:
                    size = f"{count} {noun}{'s' * (count != 1)}"
                    return f"the {name} set has {size}, and at least {least} are needed"
        return ""

    @property
    def verdict(self) -> str:
        """What the set can be used for, in two sentences; it rules only where the whole interval allows it."""
        if self.shortage:
            return f"Cannot tell whether the set ranks systems as the human set does: {self.shortage}."
        low, high = self.tau_ci95
        shown = f"Kendall's tau is {low:.2f} to {high:.2f}"
        if low >= EQUIVALENT_TAU:
            order = f"The set ranks systems as the human set does: {shown}."
        elif low >= SIMILAR_TAU:
            order = f"The set ranks systems much as the human set does, but may swap some that are close: {shown}."
        elif high < SIMILAR_TAU:
            order = f"The set does not rank systems as the human set does: {shown}. Do not choose a system by it alone."
        else:
            order = f"Cannot tell whether the set ranks systems as the human set does: {shown}, around {SIMILAR_TAU}."
        return f"{order} {self._bias_verdict}"

    @property
    def _bias_verdict(self) -> str:
        low, high = self.bias_ci95
        shown = f"relative to dense, BM25 scores {low:+.2f} to {high:+.2f} compared with the human set"
        if low > -NOTABLE_BIAS and high < NOTABLE_BIAS:
            return f"It has no notable lexical bias: {shown}."
        if low >= NOTABLE_BIAS or high <= -NOTABLE_BIAS:
            return f"It {'favours' if low > 0 else 'disfavours'} lexical retrieval: {shown}."
        return f"Cannot tell whether it has a lexical bias: {shown}, and {NOTABLE_BIAS} is notable."

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
    resampled = _resampled(human, rng), _resampled(golden, rng)
    tau, halves = kendall_tau(human.means, golden.means), _taus_of_halves(human, rng)
    return RankAgreement(
        tau=tau,
        tau_ci95=tau_interval(tau, _kendall_taus(*resampled)),
        halves=float(np.mean(halves)) if halves else None,
        halves_range=(min(halves), max(halves)) if halves else None,
        bias=bias(human.means, golden.means),
        bias_ci95=_ci95([bias(*means) for means in zip(*resampled, strict=True)]),
        systems={name: (float(a), float(b)) for name, a, b in zip(systems, human.means, golden.means, strict=True)},
        questions=(len(human.values), len(golden.values)),
        documents=(len(set(human.clusters)), len(set(golden.clusters))),
        untied=(human.untied, golden.untied),
        repeated=(human.repeated, golden.repeated),
    )


def kendall_tau(a: NDArray[np.float64], b: NDArray[np.float64]) -> float:
    """Return Kendall's tau-b of two sequences, 0 when one of them does not vary.

    Example:
        >>> import numpy as np
        >>> round(kendall_tau(np.array([1, 2, 3]), np.array([1, 3, 2])), 3), kendall_tau(np.ones(3), np.arange(3))
        (0.333, 0.0)
    """
    return float(_kendall_taus(a[None], b[None])[0])


def _kendall_taus(a: NDArray[np.float64], b: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return tau-b of each row of ``a`` with that of ``b`` (samples, systems)."""
    import numpy as np

    first, second = np.triu_indices(a.shape[1], 1)
    x, y = (np.sign(each[:, first] - each[:, second]) for each in (a, b))
    untied = np.sqrt((x != 0).sum(axis=1) * (y != 0).sum(axis=1))
    taus: NDArray[np.float64] = (x * y).sum(axis=1) / np.maximum(untied, 1)
    return taus


def _resampled(scores: SetScores, rng: np.random.Generator) -> NDArray[np.float64]:
    """Return the systems' means (samples, systems) over documents drawn with replacement."""
    import numpy as np

    labels = {label: at for at, label in enumerate(sorted(set(scores.clusters)))}
    member = np.array([labels[label] for label in scores.clusters])
    sums = np.zeros((len(labels), scores.values.shape[1]))
    np.add.at(sums, member, scores.values)
    return resampled_means(sums, np.bincount(member).astype(float)[:, None], rng)


def _taus_of_halves(scores: SetScores, rng: np.random.Generator) -> list[float]:
    """Return tau between two random halves of a set for each of ``HALVINGS`` splits; none for a single question."""
    taus: list[float] = []
    for _ in range(HALVINGS if len(scores.values) > 1 else 0):
        order, middle = rng.permutation(len(scores.values)), len(scores.values) // 2
        halves = (scores.values[half].mean(axis=0) for half in (order[:middle], order[middle:]))
        taus.append(kendall_tau(*halves))
    return taus


def tau_interval(tau: float, resampled: Sequence[float] | NDArray[np.float64]) -> tuple[float, float]:
    """Return a 95 % interval of tau from its bootstrap samples; it always contains ``tau``.

    Noise in the systems' means swaps systems that are close, so tau of two samples is lower than that of the two
    populations. Resampling adds the same noise a second time: bootstrap samples are lower again, and the percentile
    interval can be entirely below tau. The basic bootstrap interval (Davison and Hinkley 1997, section 5.2) reflects
    the samples at tau and so takes this bias away; where tau has no bias it takes too much. The interval returned goes
    from the lower end of the lower to the upper end of the higher of these two intervals.

    Example:
        >>> [round(end, 2) for end in tau_interval(0.9, [0.7, 0.75, 0.8, 0.85])]
        [0.7, 1.0]
    """
    low, high = _ci95(resampled)
    return max(-1.0, min(low, 2 * tau - high)), min(1.0, max(high, 2 * tau - low))


def _ci95(values: Sequence[float] | NDArray[np.float64]) -> tuple[float, float]:
    import numpy as np

    low, high = np.percentile(values, [2.5, 97.5])
    return float(low), float(high)
