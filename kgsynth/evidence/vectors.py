"""Embeddings of texts, each computed once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

from kgsynth.models.prefixes import NO_PREFIXES, Prefixes

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Encode = Callable[[Sequence[str]], NDArray[np.float32]]


class TextVectors:
    """The normalised embeddings of questions and other texts, computed on first use.

    ``prefixes`` are those of the embedding model, and ``encode`` embeds texts that have theirs. ``rows`` are the
    embeddings of the ``known`` texts, which have theirs too, in their order; they are not copied.
    """

    def __init__(
        self,
        encode: Encode,
        known: Sequence[str] = (),
        rows: NDArray[np.float32] | None = None,
        prefixes: Prefixes = NO_PREFIXES,
    ) -> None:
        self._encode = encode
        self._prefixes = prefixes
        self._vectors: dict[str, NDArray[np.float32]] = {}
        if rows is not None:
            self._vectors = dict(zip(known, rows, strict=True))

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

    def cosine_of_questions(self, one: str, other: str) -> float:
        """Return the cosine of two questions."""
        return float(self.of(one) @ self.of(other))

    def _as_question(self, text: str) -> str:
        return self._prefixes.question + text

    def _as_passage(self, text: str) -> str:
        return self._prefixes.passage + text
