"""Is a place in the documents about a question? Its passage is compared with the best one, by the question's words.

A passage is a chunk of the default size with the headings over it. Words count by their rarity.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import cached_property
from itertools import pairwise

from kgsynth.base.records import Chunk, Document
from kgsynth.base.thresholds import LIMITS
from kgsynth.documents.chunking import chunk
from kgsynth.documents.text_index import Place
from kgsynth.language import LANGUAGES, language
from kgsynth.language.detection import script_language
from kgsynth.language.words import has_cjk, words


class QuestionPassages:
    """The passages of ``documents``, by their words.

    Example:
        >>> from kgsynth.base.records import Block, Section
        >>> def page(doc, text):
        ...     block = Block("paragraph", 0, len(text), text, ((0, 0),))
        ...     return Document(doc, text, doc, "md", "", (block,), (Section("s", doc, doc, 0, (doc,), 0, len(text)),))
        >>> pages = {"a.md": page("a.md", "Ada leads the depot."), "b.md": page("b.md", "Tim repairs the pump.")}
        >>> passages = QuestionPassages(pages)
        >>> passages.problem("Who leads the depot?", [Place("b.md", 0, 3)], None)
        'few words of the question are there, more are in a.md [0, 20)'
        >>> passages.problem("Who leads the depot?", [Place("a.md", 0, 3)], None)
        ''
    """

    def __init__(self, documents: Mapping[str, Document]) -> None:
        self._documents = documents
        self._holders: dict[str, dict[str, set[int]]] = {}

    def problem(self, question: str, places: Sequence[Place], doc: str | None) -> str:
        """Return why no place is about a question, "" if one is; only ``doc`` is searched if given."""
        code = script_language(question)
        holders = self._holders_of(code)
        scores: dict[int, float] = dict.fromkeys(self._numbers_in(doc), 0.0)
        for word in sorted(set(_terms(question, code)) & holders.keys()):
            for number in holders[word] & scores.keys():
                scores[number] += math.log(1 + len(self._chunks) / (1 + len(holders[word])))
        best = max(scores, key=lambda number: (scores[number], -number), default=None)
        if best is None or not scores[best]:
            return "no word of the question is in the documents"
        own = (number for place in places for number in self._holding(place))
        if (
            max((scores.get(number, 0.0) for number in own), default=0.0)
            >= LIMITS.evidence_passage_share * scores[best]
        ):
            return ""
        piece = self._chunks[best]
        return f"few words of the question are there, more are in {piece.doc} [{piece.start}, {piece.end})"

    @cached_property
    def _chunks(self) -> list[Chunk]:
        return [piece for doc in sorted(self._documents) for piece in chunk(self._documents[doc])]

    @cached_property
    def _numbers(self) -> dict[str, list[int]]:
        numbers: dict[str, list[int]] = defaultdict(list)
        for number, piece in enumerate(self._chunks):
            numbers[piece.doc].append(number)
        return dict(numbers)

    def _numbers_in(self, doc: str | None) -> Sequence[int]:
        return range(len(self._chunks)) if doc is None else self._numbers.get(doc, [])

    def _holding(self, place: Place) -> list[int]:
        found = ((number, self._chunks[number]) for number in self._numbers.get(place.doc, ()))
        return [n for n, piece in found if piece.start < (place.end or piece.end) and place.start < piece.end]

    def _holders_of(self, code: str) -> dict[str, set[int]]:
        """Return the numbers of the passages that hold each word, by the words of a language."""
        if code not in self._holders:
            holders: dict[str, set[int]] = defaultdict(set)
            for number, piece in enumerate(self._chunks):
                titles = self._documents[piece.doc].titles_over(piece.start, piece.end)
                for word in _terms(" ".join([*titles, piece.text]), code):
                    holders[word].add(number)
            self._holders[code] = dict(holders)
        return self._holders[code]


def _terms(text: str, code: str) -> list[str]:
    """Return the content words of a text; in an unsupported language all words, or all pairs of characters."""
    if code in LANGUAGES:
        return language(code).content_stems(text)
    tokens = words(text)
    return [a + b for a, b in pairwise(tokens)] if has_cjk(text) else tokens
