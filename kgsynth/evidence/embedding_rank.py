"""The ranks of the gold chunks of a question among all chunks, by the embedding model."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from kgsynth.base.thresholds import LIMITS
from kgsynth.evidence.vectors import TextVectors

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_QUESTIONS_RANKED_AT_ONCE = 64  # questions whose cosines with all chunks are computed in one matrix product


class ChunkRanking:
    """The cosines of all chunks with a question."""

    def __init__(self, chunk_vectors: NDArray[np.float32], questions: TextVectors) -> None:
        self._chunks = chunk_vectors
        self._questions = questions
        self._order: dict[str, int] = {}
        self._block: dict[str, NDArray[np.float32]] = {}

    def expect(self, questions: Iterable[str]) -> None:
        """Embed questions in one call; cosines of neighbouring questions are then computed together."""
        new = [question for question in dict.fromkeys(questions) if question not in self._order]
        self._questions.add(new)
        self._order.update(zip(new, range(len(self._order), len(self._order) + len(new)), strict=True))

    def cosines(self, question: str) -> NDArray[np.float32]:
        """Return the cosine of every chunk with a question, shape (chunks,)."""
        self.expect([question])
        if question not in self._block:
            first = self._order[question] // _QUESTIONS_RANKED_AT_ONCE * _QUESTIONS_RANKED_AT_ONCE
            names = list(self._order)[first : first + _QUESTIONS_RANKED_AT_ONCE]
            products = self._questions.rows(names) @ self._chunks.T
            self._block = dict(zip(names, products, strict=True))
        return self._block[question]


class GoldRank(NamedTuple):
    """The rank of the gold chunks of a question, by group, and their lead over the next chunk.

    The rank of a group is the rank of its best chunk. ``best`` is the highest cosine of a gold chunk; ``others`` are
    all cosines, with those of gold chunks set to -1.
    """

    ranks: list[int]
    margin: float
    best: float
    others: NDArray[np.float32]


def gold_rank(golds: Sequence[Sequence[int]], cosines: NDArray[np.float32]) -> GoldRank:
    """Return the ranks of the gold chunks, given by group, among all chunks by their ``cosines``.

    Example:
        >>> import numpy as np
        >>> found = gold_rank([[0], [2]], np.array([0.5, 0.75, 0.25, 0.25]))
        >>> found.ranks, found.margin
        ([2, 3], -0.25)
    """
    every = sorted({n for gold in golds for n in gold})
    others = cosines.copy()
    others[every] = -1.0
    best = float(cosines[every].max())
    margin = best - float(others.max()) if len(others) > len(every) else 1.0
    return GoldRank([int((cosines > cosines[gold].max()).sum()) + 1 for gold in golds], margin, best, others)


def hopeless_rank(threshold: float, chunks: int) -> float:
    """Return the rank beyond which no retriever can be expected to find a chunk; it grows with the corpus."""
    return max(threshold, LIMITS.hopeless_chunk_share * chunks)


def margin_counts(golds: Sequence[Sequence[int]], chunks: int) -> bool:
    """Check whether a lead over the next chunk is meaningful: one evidence group, and enough other chunks."""
    return len(golds) == 1 and chunks >= len(set(golds[0])) + LIMITS.other_chunks_for_margin
