"""How close the texts of two passages are, by their vectors and their words."""

from __future__ import annotations

import math
from collections import Counter
from itertools import pairwise

from kgsynth.evidence.knowledge import Knowledge
from kgsynth.generation.scenes.passages import SectionPassages, passages_of
from kgsynth.language.words import has_cjk, jaccard, shingles, words

_LEAST, _FULL = 0.15, 0.45  # cosine of vectors beyond the usual one, from which texts are close, and fully so
_WORDS_ALONE = (
    0.5  # how close texts with the same words are, whose vectors are not: the model may not know the language
)
_MOST_USUAL = 0.65  # cosine of any two passages; more only in a corpus on one matter
_LEAST_WORDS, _FULL_WORDS = 0.04, 0.2  # cosine of words, from which texts are close, and fully so
_SAME_FROM, _SAME_FULL, _SAME_LEFT = 0.62, 0.82, 0.2  # cosine from which two documents say the same; what is left then
_COPY_SHARE, _COPY_ACROSS = 0.35, 0.15  # share of pairs of words in common, in one document and across, of a copy
_MOST_RARITY = 4.0  # of a word (log of the passages for each that has it): a rarer one is chance
_MATTER_RARITY = 2.0  # of a word, from which on it says what a text is about
_FULL_COMPLEMENT = 60.0  # weight of words, shared and own, of passages that say much on one matter and not the same
_SHOWN_WORDS, _SHOWN_LETTERS, _SHOWN_TIMES, _SHOWN_RARITY = 3, 4, 2, 1.9


class Closeness:
    """Compares the passages of a corpus. Words are those of ``words``, or pairs of Chinese or Japanese characters."""

    def __init__(self, passages: SectionPassages) -> None:
        self._passages = passages
        self._pairs_of_words: dict[int, frozenset[str]] = {}
        self._counts = [Counter(terms(passage.text)) for passage in passages]
        found = Counter(word for own in self._counts for word in own)
        self._rarity = {word: min(_MOST_RARITY, math.log(len(passages) / count)) for word, count in found.items()}
        self._lengths = [math.sqrt(math.fsum(self._weight(own, word) ** 2 for word in own)) for own in self._counts]
        self._usual = _mean_cosine(passages)

    def _weight(self, own: Counter[str], word: str) -> float:
        """Return the weight of a word in a passage: tf-idf, with the logarithm of how often it stands there."""
        return (1 + math.log(own[word])) * self._rarity[word]

    @classmethod
    def of(cls, knowledge: Knowledge) -> Closeness:
        """Return the comparison of the passages of a corpus, made once: ``knowledge.derived(Closeness.of)``."""
        return cls(knowledge.derived(passages_of))

    def between(self, one: int, other: int) -> float:
        """Return how close two passages are, from 0 to 1: the geometric mean of how close vectors and words are.

        Words alone count half, since the embedding model may not know the language.
        Of two documents, texts whose vectors are nearly the same say the same, and are less than fully close.
        """
        vectors = self._passages.vectors
        beyond = (float(vectors[one] @ vectors[other]) - self._usual) / (1 - self._usual)
        by_vectors = min(1.0, max(0.0, (beyond - _LEAST) / (_FULL - _LEAST)))
        first, second = self._counts[one], self._counts[other]
        shared = math.fsum(self._weight(first, word) * self._weight(second, word) for word in first.keys() & second)
        lengths = self._lengths[one] * self._lengths[other]
        words_alike = shared / lengths if lengths else 0.0
        by_words = min(1.0, max(0.0, (words_alike - _LEAST_WORDS) / (_FULL_WORDS - _LEAST_WORDS)))
        found = max(math.sqrt(by_vectors * by_words), _WORDS_ALONE * by_words)
        if self._passages[one].span.doc != self._passages[other].span.doc:
            same = min(1.0, max(0.0, (beyond - _SAME_FROM) / (_SAME_FULL - _SAME_FROM)))
            found *= 1 - (1 - _SAME_LEFT) * same
        return round(found, 4)

    def complement(self, one: int, other: int) -> float:
        """Return how much each of two passages adds to the other on the matter of both, from 0 to 1.

        The geometric mean of the weight of the telling words that both have, and of those that the poorer of them has
        alone; divided by that of passages that complement each other fully.
        """
        first, second = self._counts[one], self._counts[other]
        shared = {word for word in first.keys() & second if self._rarity[word] >= _MATTER_RARITY}
        both = math.fsum(min(self._weight(first, word), self._weight(second, word)) for word in shared)
        added = min(math.fsum(self._weight(own, word) for word in own if word not in shared) for own in (first, second))
        return round(min(1.0, math.sqrt(both * added) / _FULL_COMPLEMENT), 4)

    def says_the_same(self, one: int, other: int) -> bool:
        """Check whether one passage copies much of the other."""
        within = self._passages[one].span.doc == self._passages[other].span.doc
        return jaccard(self._shingles(one), self._shingles(other)) > (_COPY_SHARE if within else _COPY_ACROSS)

    def _shingles(self, number: int) -> frozenset[str]:
        if number not in self._pairs_of_words:
            self._pairs_of_words[number] = shingles(self._passages[number].text)
        return self._pairs_of_words[number]

    def shared_words(self, one: int, other: int) -> list[str]:
        """Return a few words that matter most to both passages, the weightiest first."""
        first, second = self._counts[one], self._counts[other]
        shared = [
            word
            for word in first.keys() & second
            if min(first[word], second[word]) >= _SHOWN_TIMES
            and self._rarity[word] >= _SHOWN_RARITY
            and word.isalpha()
            and (len(word) >= _SHOWN_LETTERS or has_cjk(word))
        ]
        weights = {word: self._weight(first, word) * self._weight(second, word) for word in shared}
        return sorted(shared, key=lambda word: (-round(weights[word], 6), word))[:_SHOWN_WORDS]


def _mean_cosine(passages: SectionPassages) -> float:
    """Return the mean cosine of two passages: in a language that the embedding model does not know, all are alike."""
    count = len(passages)
    if count < 2:
        return 0.0
    total = passages.vectors.sum(axis=0, dtype="float64")
    return min(_MOST_USUAL, max(0.0, (float(total @ total) - count) / (count * (count - 1))))


def terms(text: str) -> list[str]:
    """Return the words of a text; of characters in a row, which are no words by themselves, the pairs."""
    found = words(text)
    return [
        *(word for word in found if not has_cjk(word)),
        *(one + other for one, other in pairwise(found) if has_cjk(one) and has_cjk(other)),
    ]
