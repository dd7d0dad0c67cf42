"""Find near-duplicate questions by the word shingles they share, without comparing all pairs."""

from __future__ import annotations

from collections import defaultdict
from math import ceil

from kgsynth.language.words import jaccard, shingles


class NearDuplicates:
    """An index of questions by their words; a question is identified by its number, in the order of ``add``.

    Example:
        >>> index = NearDuplicates(threshold=0.3)
        >>> index.add("Who leads the mill?")
        >>> index.alike("Who leads the depot?"), index.alike("How heavy is the Skua 3?")
        ([(0.5, 0)], [])
    """

    def __init__(self, threshold: float) -> None:
        self.questions: list[str] = []
        self._threshold = threshold
        self._shingles: list[frozenset[str]] = []
        self._numbers: dict[str, list[int]] = defaultdict(list)

    def add(self, question: str) -> None:
        """Add a question."""
        shingled = shingles(question)
        for each in self._first(shingled):
            self._numbers[each].append(len(self.questions))
        self.questions.append(question)
        self._shingles.append(shingled)

    def alike(self, question: str) -> list[tuple[float, int]]:
        """Return ``(Jaccard similarity, number)`` of each question that reaches the threshold, by number."""
        own = shingles(question)
        near = sorted({number for each in self._first(own) for number in self._numbers.get(each, ())})
        found = [(jaccard(own, self._shingles[number]), number) for number in near]
        return [(similarity, number) for similarity, number in found if similarity >= self._threshold]

    def _first(self, shingled: frozenset[str]) -> list[str]:
        """Return as many shingles as must have one in common with those of any set that reaches the threshold.

        Two such sets share at least the threshold's part of the larger one, so they cannot differ in all of the first
        shingles, in one order for all sets. Long shingles come first, since few questions have them.
        """
        shared = ceil(self._threshold * len(shingled) - 1e-9)  # as 0.7 * 10 is slightly more than 7
        return sorted(shingled, key=lambda each: (-len(each), each))[: len(shingled) - shared + 1]
