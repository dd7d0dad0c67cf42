"""Where the embedding model ranks the gold chunks of a question among all chunks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from kgsynth.evidence.bench import Bench

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


_CROWD = 20  # other chunks


class Standing(NamedTuple):
    """Where the gold chunks of a question stand among all: each group's best rank, from 1, and the lead of the first.

    ``best`` is the cosine of the first gold chunk, ``others`` all cosines with those of the gold chunks struck out.
    """

    ranks: list[int]
    margin: float
    best: float
    others: NDArray[np.float32]


def standing(golds: Sequence[Sequence[int]], scores: NDArray[np.float32]) -> Standing:
    """Return where the gold chunks, by group, stand by the ``scores`` of all chunks.

    Example:
        >>> import numpy as np
        >>> found = standing([[0], [2]], np.array([0.5, 0.75, 0.25, 0.25]))
        >>> found.ranks, found.margin
        ([2, 3], -0.25)
    """
    every = sorted({n for gold in golds for n in gold})
    others = scores.copy()
    others[every] = -1.0
    best = float(scores[every].max())
    margin = best - float(others.max()) if len(others) > len(every) else 1.0
    return Standing([int((scores > scores[gold].max()).sum()) + 1 for gold in golds], margin, best, others)


def beyond_reach(bench: Bench) -> float:
    """Return the rank behind which a chunk is found by no retriever: never less than a fiftieth of the chunks."""
    return max(bench.thresholds["hopeless"], 0.02 * len(bench.knowledge.chunks))


def leads_many(golds: Sequence[Sequence[int]], chunks: int) -> bool:
    """Say whether the gold chunks are of one group, and enough others are there for a lead to mean something."""
    return len(golds) == 1 and chunks >= len(set(golds[0])) + _CROWD
