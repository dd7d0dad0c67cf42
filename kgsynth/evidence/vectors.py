"""Embeddings of texts, each computed once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Encode = Callable[[Sequence[str]], NDArray[np.float32]]


class TextVectors:
    """The normalised embeddings of texts, computed on first use.

    ``rows`` are the embeddings of the ``known`` texts, in their order; they are not copied.
    """

    def __init__(self, encode: Encode, known: Sequence[str] = (), rows: NDArray[np.float32] | None = None) -> None:
        self._encode = encode
        self._vectors: dict[str, NDArray[np.float32]] = {}
        if rows is not None:
            self._vectors = dict(zip(known, rows, strict=True))

    def add(self, texts: Iterable[str]) -> None:
        """Compute the embeddings of new texts in one call."""
        new = [text for text in dict.fromkeys(texts) if text not in self._vectors]
        if new:
            self._vectors.update(zip(new, self._encode(new), strict=True))

    def of(self, text: str) -> NDArray[np.float32]:
        """Return the embedding of a text, shape (dimensions,)."""
        self.add([text])
        return self._vectors[text]

    def rows(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return the embeddings of several texts, shape (texts, dimensions)."""
        import numpy as np

        self.add(texts)
        return np.stack([self._vectors[text] for text in texts]) if texts else np.zeros((0, 0), np.float32)

    def cosine(self, one: str, other: str) -> float:
        """Return the cosine of two texts."""
        return float(self.of(one) @ self.of(other))
