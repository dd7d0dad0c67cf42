"""Embeddings of texts, each computed once, and the ranks of the gold chunks among all chunks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from kgsynth.base.thresholds import LIMITS
from kgsynth.models.text_encoder import NO_PREFIXES, Prefixes

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Encode = Callable[[Sequence[str]], NDArray[np.float32]]


class TextVectors:
    """The normalised embeddings of questions and other texts, computed on first use.

    ``prefixes`` are those of the embedding model, and ``encode`` embeds texts that have theirs.
    """

    def __init__(self, encode: Encode, prefixes: Prefixes = NO_PREFIXES) -> None:
        self._encode = encode
        self._prefixes = prefixes
        self._vectors: dict[str, NDArray[np.float32]] = {}

    def know(self, found: Mapping[str, NDArray[np.float32]]) -> None:
        """Take the embeddings of texts that have their prefixes; the rows are not copied."""
        self._vectors.update(found)

    def add(self, questions: Iterable[str], texts: Iterable[str] = ()) -> None:
        """Compute the embeddings of new questions and other texts in one call."""
        wanted = [*map(self._as_question, questions), *map(self._as_passage, texts)]
        new = [text for text in dict.fromkeys(wanted) if text not in self._vectors]
        if new:
            self._vectors.update(zip(new, self._encode(new), strict=True))

    def of(self, question: str) -> NDArray[np.float32]:
        """Return the embedding of a question, shape (dimensions,)."""
        self.add([question])
        return self._vectors[self._as_question(question)]

    def rows(self, questions: Sequence[str]) -> NDArray[np.float32]:
        """Return the embeddings of several questions, shape (questions, dimensions)."""
        import numpy as np

        self.add(questions)
        found = [self._vectors[self._as_question(question)] for question in questions]
        return np.stack(found) if found else np.zeros((0, 0), np.float32)

    def cosine(self, question: str, text: str) -> float:
        """Return the cosine of a question and a text that may answer it."""
        self.add([question], [text])
        return float(self._vectors[self._as_question(question)] @ self._vectors[self._as_passage(text)])

    def _as_question(self, text: str) -> str:
        return self._prefixes.question + text

    def _as_passage(self, text: str) -> str:
        return self._prefixes.passage + text


# The ranks of the gold chunks of a question among all chunks, by the embedding model.

_QUESTIONS_RANKED_AT_ONCE = 64  # questions whose cosines with all chunks are computed in one matrix product


class ChunkRanking:
    """The cosines of all chunks with a question, -1 for those that have no vector."""

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
            products[:, ~self._chunks.any(axis=1)] = -1.0
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
    others: NDArray[Any]


def gold_rank(golds: Sequence[Sequence[int]], cosines: NDArray[Any]) -> GoldRank:
    """Return the ranks of the gold chunks, given by group, among all chunks by their ``cosines``, or scores from 0 on.

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
