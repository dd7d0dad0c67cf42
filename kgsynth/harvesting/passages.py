"""Find the passage of the documents that is nearest to each question, and estimate whether it answers.

Nearness is by the words of the question, weighted by rarity, and by embeddings; the estimate is that of the rule
``answered``. This finds a passage and no golden answer.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from kgsynth.base.records import Chunk, Document, Span
from kgsynth.documents.chunking import chunk
from kgsynth.evidence.answer_likelihood import WordIndex, answer_features

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Encode = Callable[[Sequence[str]], NDArray[np.float32]]

PASSAGE_WORDS = 100
"""The most words of a passage, about a paragraph."""
LEAST_PROBABILITY = 0.45
"""Probability from which a passage is taken as evidence; ``answered`` asks for more, of a single statement."""


_AS_NEAR = 0.05
"""Passages of two versions of a page differ by less, in the sum of cosine and share of words."""
_YEAR = re.compile(r"[\W_]*(?<!\d)((?:19|20)\d\d)(?!\d)")


class FoundPassage(NamedTuple):
    """A passage, the probability that it answers the question, and the passages of other documents as near to it."""

    span: Span
    probability: float
    others: tuple[Span, ...] = ()

    @property
    def answers(self) -> bool:
        """Whether the passage is taken as the evidence of the question."""
        return self.probability >= LEAST_PROBABILITY


class PassageFinder:
    """The passages of some documents, with their words and embeddings."""

    def __init__(self, documents: Sequence[Document], encode: Encode) -> None:
        self._documents = {document.id: document for document in documents}
        self._passages: list[Chunk] = [each for document in documents for each in chunk(document, size=PASSAGE_WORDS)]
        self._encode = encode
        self._indexes: dict[str, WordIndex] = {}

    @cached_property
    def _vectors(self) -> NDArray[np.float32]:
        return self._encode([passage.searched for passage in self._passages])

    def find(self, question: str, vector: NDArray[np.float32], code: str) -> FoundPassage | None:
        """Return the passage nearest to a question in words and meaning, given its embedding; None without passages.

        Nearest is the highest sum of cosine and share of the question's words, weighted by rarity. If other documents
        have passages as near that answer too, they are named; of pages whose names differ in a year only, the one
        without a year or with the last one is taken, unless the question names the year.
        """
        if not self._passages:
            return None
        index, cosines = self._index(code), (self._vectors @ vector).round(4)
        scores = (index.shares(question).round(4) + cosines).round(4)
        near = (scores >= scores.max() - _AS_NEAR).nonzero()[0].tolist()
        best: dict[str, int] = {}
        for number in sorted(near, key=lambda at: (-scores[at], at)):
            best.setdefault(self._passages[number].doc, number)
        first, *rest = (self._judged(question, number, float(cosines[number]), index) for number in best.values())
        if not first.answers:
            return first
        found = {each: _edition(each.span.doc) for each in (first, *rest) if each.answers}
        editions = {each: year for each, (name, year) in found.items() if name == found[first][0]}
        current = max(editions, key=lambda each: (editions[each] in question, editions[each]))
        return current._replace(others=tuple(each.span for each in found if each is not current))

    def _judged(self, question: str, number: int, cosine: float, index: WordIndex) -> FoundPassage:
        passage = self._passages[number]
        document = self._documents[passage.doc]
        headings = " ".join((document.title, passage.section, passage.head))
        text = document.plain(passage.start, passage.end)
        features = answer_features(question, text, index, cosine=cosine, headings=headings)
        return FoundPassage(document.span(passage.start, passage.end), round(features.probability, 4))

    def _index(self, code: str) -> WordIndex:
        if code not in self._indexes:
            self._indexes[code] = WordIndex((passage.searched for passage in self._passages), code)
        return self._indexes[code]


def _edition(doc: str) -> tuple[str, str]:
    """Return the name of a document without the years in it, and the last of them; "now" sorts after any year.

    Example:
        >>> _edition("people/travel-2022.md"), _edition("people/travel.md")
        (('people/travel.md', '2022'), ('people/travel.md', 'now'))
    """
    return _YEAR.sub("", doc), max(_YEAR.findall(doc), default="now")
