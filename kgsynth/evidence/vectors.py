"""The embeddings of texts, each computed once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Encode = Callable[[Sequence[str]], NDArray[np.float32]]


class TextVectors:
    """Looks up the normalised embedding of a text, and computes those it has not met.

    ``known`` are texts whose embeddings are there already, the rows of ``rows`` in their order; they are not copied.
    """

    def __init__(self, encode: Encode, known: Sequence[str] = (), rows: NDArray[np.float32] | None = None) -> None:
        self._encode = encode
        self._vectors: dict[str, NDArray[np.float32]] = {}
        if rows is not None:
            self._vectors = dict(zip(known, rows, strict=True))

    def add(self, texts: Iterable[str]) -> None:
        """Compute the embeddings of those texts that are new, in one call."""
        new = [text for text in dict.fromkeys(texts) if text not in self._vectors]
        if new:
            self._vectors.update(zip(new, self._encode(new), strict=True))

    def of(self, text: str) -> NDArray[np.float32]:
        """Return the embedding of a text, shape (d,)."""
        self.add([text])
        return self._vectors[text]

    def rows(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return the embeddings of several texts, shape (texts, d)."""
        import numpy as np

        self.add(texts)
        return np.stack([self._vectors[text] for text in texts]) if texts else np.zeros((0, 0), np.float32)

    def cosine(self, one: str, other: str) -> float:
        """Return how similar two texts are, from -1 to 1."""
        return float(self.of(one) @ self.of(other))
