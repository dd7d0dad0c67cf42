"""Find near-duplicate questions by MinHash of their word shingles, without comparing all pairs."""

from __future__ import annotations

from typing import Any

from kgsynth.language.words import jaccard, shingles


class NearDuplicates:
    """An index of questions by their words; a question is identified by its number, in the order of ``add``.

    Example:
        >>> index = NearDuplicates(threshold=0.8)
        >>> index.add("How heavy is the Skua 3?")
        >>> index.similar("How heavy is the Skua 3 ?"), index.similar("Who leads the mill?")
        ([(1.0, 0)], [])
    """

    def __init__(self, threshold: float, permutations: int = 128) -> None:
        from datasketch import MinHashLSH

        self.questions: list[str] = []
        self._threshold, self._permutations = threshold, permutations
        self._index = MinHashLSH(threshold=threshold, num_perm=permutations)
        self._signatures: list[Any] = []

    def add(self, question: str) -> None:
        """Add a question."""
        self.questions.append(question)
        self._signatures.append(minhash(shingles(question), self._permutations))
        self._index.insert(len(self._signatures) - 1, self._signatures[-1])

    def similar(self, question: str) -> list[tuple[float, int]]:
        """Return ``(estimated Jaccard similarity, number)`` of the questions that are probably above the threshold."""
        own = minhash(shingles(question), self._permutations)
        return [(float(own.jaccard(self._signatures[number])), number) for number in self._index.query(own)]

    def alike(self, question: str) -> list[tuple[float, int]]:
        """Return ``(Jaccard similarity, number)`` of the questions found by ``similar`` that reach the threshold.

        Example:
            >>> index = NearDuplicates(threshold=0.3)
            >>> index.add("Who leads the mill?")
            >>> index.alike("Who leads the depot?")
            [(0.5, 0)]
        """
        own = shingles(question)
        found = [(jaccard(own, shingles(self.questions[number])), number) for _, number in self.similar(question)]
        return [(similarity, number) for similarity, number in found if similarity >= self._threshold]


def minhash(shingled: frozenset[str], permutations: int) -> Any:
    """Return the MinHash of a set of shingles."""
    from datasketch import MinHash

    signature = MinHash(num_perm=permutations, seed=1)
    signature.update_batch([shingle.encode("utf-8", "surrogatepass") for shingle in sorted(shingled)])
    return signature
