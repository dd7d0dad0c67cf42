"""How far two question sets agree on the order of systems: Kendall's tau with its interval, and the lexical bias.

A question set is an array (questions, systems) of figures, and a label a question: the document it is about. As
elsewhere, documents are drawn whole, here those of both sets, each by itself.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from kgsynth.base.records_json import rounded
from kgsynth.statistics.bootstrap import SEED, draws

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

ALIKE, NEARLY = 0.9, 0.8
"""Two sets of judgements are taken for equivalent from a tau of 0.9 on, for noticeably different below 0.8 (Voorhees
2001, "Evaluation by highly relevant documents")."""
BIASED = 0.05
"""The lexical bias from which on a set is said to flatter, or to slight, the words of its source."""
HALVINGS = 20
"""How often the human set is split to see how far it agrees with itself."""


@dataclass(frozen=True, slots=True)
class Figures:
    """What the questions of one set give: ``values`` (questions, systems), and the document of each question.

    ``untied`` are how many questions could not be used, for their evidence is not in the documents.
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
class Agreement:
    """How far a set agrees with a human one; ``halves`` is the mean tau of two halves of the human set.

    ``bias`` is the lead of the lexical system over the dense one on the set, less that on the human set: above 0 the
    set flatters word overlap. ``systems``, ``questions`` and ``untied`` have the human set first.
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
        """What may be done with the set, in a few sentences."""
        if self.tau >= ALIKE:
            order = "The set ranks systems as the human set does."
        elif self.tau >= NEARLY:
            order = "The set ranks systems much as the human set does, but swaps some that are near one another."
        else:
            order = "The set does not rank systems as the human set does: do not choose a system by it alone."
        if abs(self.bias) < BIASED:
            return f"{order} It neither flatters nor slights the words of its source."
        found, stands = ("flatters", "better") if self.bias > 0 else ("slights", "worse")
        beside = f"lexical retrieval stands {abs(self.bias):.2f} {stands} beside dense than with the human set"
        return f"{order} It {found} the words of its source: {beside}."

    def to_json(self) -> dict[str, Any]:
        """Return the agreement as calibration.json holds it."""
        return {"verdict": self.verdict, **rounded(asdict(self))}


def agreement(human: Figures, golden: Figures, systems: Sequence[str], lexical: str, dense: str) -> Agreement:
    """Return how far ``golden`` agrees with ``human`` on the order of ``systems``, named column by column."""
    import numpy as np

    sides = [systems.index(lexical), systems.index(dense)]

    def bias(theirs: NDArray[np.float64], ours: NDArray[np.float64]) -> float:
        return float((ours[sides[0]] - ours[sides[1]]) - (theirs[sides[0]] - theirs[sides[1]]))

    rng = np.random.default_rng(SEED)
    drawn = list(zip(_drawn(human, rng), _drawn(golden, rng), strict=True))
    return Agreement(
        tau=tau(human.means, golden.means),
        tau_ci95=_ends([tau(*means) for means in drawn]),
        halves=_halves(human, rng),
        bias=bias(human.means, golden.means),
        bias_ci95=_ends([bias(*means) for means in drawn]),
        systems={name: (float(a), float(b)) for name, a, b in zip(systems, human.means, golden.means, strict=True)},
        questions=(len(human.values), len(golden.values)),
        untied=(human.untied, golden.untied),
    )


def tau(a: NDArray[np.float64], b: NDArray[np.float64]) -> float:
    """Return Kendall's tau-b of two rows of figures, 0 where one of them does not vary.

    Example:
        >>> import numpy as np
        >>> round(tau(np.array([1, 2, 3]), np.array([1, 3, 2])), 3), tau(np.ones(3), np.array([1, 2, 3]))
        (0.333, 0.0)
    """
    import numpy as np
    from scipy.stats import kendalltau

    if not (np.ptp(a) and np.ptp(b)):
        return 0.0
    return float(kendalltau(a, b).statistic)


def _drawn(figures: Figures, rng: np.random.Generator) -> NDArray[np.float64]:
    """Return the systems' means (draws, systems) over documents drawn with replacement."""
    import numpy as np

    labels = {label: at for at, label in enumerate(sorted(set(figures.clusters)))}
    member = np.array([labels[label] for label in figures.clusters])
    sums = np.zeros((len(labels), figures.values.shape[1]))
    np.add.at(sums, member, figures.values)
    return draws(sums, np.bincount(member).astype(float)[:, None], rng)


def _halves(figures: Figures, rng: np.random.Generator) -> float:
    import numpy as np

    if len(figures.values) < 2:
        return 1.0  # one question has no half
    found = []
    for _ in range(HALVINGS):
        order, middle = rng.permutation(len(figures.values)), len(figures.values) // 2
        found.append(tau(figures.values[order[:middle]].mean(axis=0), figures.values[order[middle:]].mean(axis=0)))
    return float(np.mean(found))


def _ends(values: Sequence[float]) -> tuple[float, float]:
    import numpy as np

    low, high = np.percentile(values, [2.5, 97.5])
    return float(low), float(high)
