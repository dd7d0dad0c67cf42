"""BM25 over texts, and the best of any scores."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

from kgsynth.language.words import words

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

BM25_K1, BM25_B = 1.2, 0.75
"""Robertson's saturation and length parameters of BM25."""


class BM25:
    """BM25 over the ``terms`` of a text, with the never negative idf log(1 + (N - n + 0.5) / (n + 0.5)).

    Example:
        >>> BM25(["the cat sat", "the dog ran"]).scores("cat").round(3).tolist()
        [0.693, 0.0]
    """

    def __init__(
        self,
        texts: Sequence[str],
        k1: float = BM25_K1,
        b: float = BM25_B,
        terms: Callable[[str], Iterable[str]] = words,
    ) -> None:
        import numpy as np
        from scipy.sparse import csr_array

        self.signature = f"bm25(k1={k1:g},b={b:g})"
        self._terms_of = terms
        self._rows: dict[str, int] = {}
        rows, columns, lengths = [], [], []
        counts: list[int] = []
        for column, text in enumerate(texts):
            found = Counter(terms(text))
            lengths.append(found.total())
            rows += [self._rows.setdefault(term, len(self._rows)) for term in found]
            columns += [column] * len(found)
            counts += found.values()
        length = np.array(lengths, dtype=float)
        norm = k1 * (1 - b + b * length / max(length.mean(), 1.0))
        term, chunk, count = np.array(rows, dtype=int), np.array(columns, dtype=int), np.array(counts)
        chunks_with = np.bincount(term, minlength=len(self._rows))
        idf = np.log(1 + (len(texts) - chunks_with + 0.5) / (chunks_with + 0.5))
        weights = idf[term] * count * (k1 + 1) / (count + norm[chunk])
        self._weights = csr_array((weights, (term, chunk)), shape=(len(self._rows), len(texts)))

    def scores(self, question: str) -> NDArray[np.float64]:
        """Return the BM25 score of every chunk."""
        import numpy as np

        weights = self._weights
        total = np.zeros(weights.shape[1])
        for row in (self._rows[term] for term in self._terms_of(question) if term in self._rows):
            cells = slice(weights.indptr[row], weights.indptr[row + 1])
            total[weights.indices[cells]] += weights.data[cells]
        return total


def best(scores: NDArray[Any], top: int) -> NDArray[np.intp]:
    """Return the ``top`` chunks with a score above 0, best first; equal scores keep the order of the documents."""
    import numpy as np

    kept = np.flatnonzero(scores > 0)
    if top < len(kept):
        lowest = np.partition(scores[kept], len(kept) - top)[len(kept) - top]
        kept = kept[scores[kept] >= lowest]
    first: NDArray[np.intp] = kept[np.argsort(-scores[kept], kind="stable")][:top]
    return first
