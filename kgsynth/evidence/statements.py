"""Indexes of a corpus: its chunks by place, its sentences and facts by their words, and the cells of its tables."""

from __future__ import annotations

import math
import re
from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

from kgsynth.base.records import Analysis, Chunk, Document, Fact, Phrase, Section, Sentence, Span, StructureFact
from kgsynth.base.thresholds import LIMITS
from kgsynth.base.vocabulary import Flag, StructureKind
from kgsynth.language import Language, language

if TYPE_CHECKING:
    from kgsynth.evidence.knowledge import Knowledge

Column = tuple[str, int, int]


def column_of(knowledge: Knowledge) -> Mapping[Column, list[StructureFact]]:
    """Return the cells of each column, from the top; a column is a document, its table and its number there."""
    found: dict[Column, list[StructureFact]] = defaultdict(list)
    for fact in knowledge.structure:
        if fact.kind == StructureKind.CELL:
            found[fact.doc, fact.group, fact.column].append(fact)
    return found


# An index of chunks by document and offsets.


class ChunkIndex:
    """The chunks of a corpus in order; a chunk is identified by its number.

    Example:
        >>> index = ChunkIndex([Chunk("c-1", "a.md", "", 0, 9, "Ada leads"), Chunk("c-2", "a.md", "", 9, 13, " it.")])
        >>> index.overlapping("a.md", 4, 10), index[1].id
        ([0, 1], 'c-2')
    """

    def __init__(self, chunks: Sequence[Chunk]) -> None:
        self._chunks = chunks
        # for each document: the starts of its chunks, the furthest end up to each, and their numbers
        self._table: dict[str, tuple[list[int], list[int], list[int]]] = defaultdict(lambda: ([], [], []))
        for number in sorted(range(len(chunks)), key=lambda n: chunks[n].start):
            starts, reach, numbers = self._table[chunks[number].doc]
            starts.append(chunks[number].start)
            reach.append(max(chunks[number].end, reach[-1] if reach else 0))
            numbers.append(number)
        self._table.default_factory = None

    def __len__(self) -> int:
        return len(self._chunks)

    def __getitem__(self, number: int) -> Chunk:
        return self._chunks[number]

    def __iter__(self) -> Iterator[Chunk]:
        return iter(self._chunks)

    def overlapping(self, doc: str, start: int, end: int) -> list[int]:
        """Return the numbers of all chunks of ``doc`` that share a character with ``[start, end)``."""
        starts, reach, numbers = self._table.get(doc, ([], [], []))
        within = slice(bisect_right(reach, start), bisect_left(starts, end))
        return [n for n in numbers[within] if start < self._chunks[n].end]

    def holding(self, places: Iterable[Span | Fact]) -> set[int]:
        """Return the numbers of all chunks that share a character with one of the spans or facts."""
        return {n for place in places for n in self.overlapping(place.doc, place.start, place.end)}


WRITTEN_WORD = re.compile(r"[^\W\d_][\w’'-]*")
_ROUNDING = 1e-9  # error of sums of weights


class Statements:
    """The sentences and facts of a corpus, in order.

    Example:
        >>> sentence = Sentence("a.md", 0, 0, 13, "Ada leads it.", ("ada", "lead"))
        >>> found = Statements((), [Analysis("a.md", (sentence,), (), ())]).containing({"ada", "lead"}, share=0.8)
        >>> [(share, sentence.text) for share, sentence in found]
        [(1.0, 'Ada leads it.')]
    """

    def __init__(self, documents: Iterable[Document], analyses: Iterable[Analysis]) -> None:
        self.documents: Mapping[str, Document] = {document.id: document for document in documents}
        analyses = list(analyses)
        self.sentences: Sequence[Sentence] = [s for analysis in analyses for s in analysis.sentences]
        names, common = _capitalised(self.sentences)
        self.names = names
        self.facts: Sequence[Fact] = [
            _with_lowerable(fact, names, common) for analysis in analyses for fact in analysis.facts
        ]

    def section_of(self, fact: Fact | StructureFact) -> Section:
        """Return the section a fact is in."""
        return self.documents[fact.doc].sections[fact.section]

    def language_of(self, doc: str) -> Language:
        """Return the language of a document, which must be a supported one."""
        return language(self.documents[doc].language)

    # ---- sentences ---------------------------------------------------------------------------------

    @cached_property
    def _postings(self) -> dict[str, list[int]]:
        table: dict[str, list[int]] = defaultdict(list)
        for number, sentence in enumerate(self.sentences):
            for lemma in sorted(set(sentence.lemmas)):
                table[lemma].append(number)
        return dict(table)

    def idf(self, lemma: str) -> float:
        """Return the rarity of a lemma among the sentences: ``log(1 + n / (1 + df))``."""
        return math.log(1 + len(self.sentences) / (1 + len(self._postings.get(lemma, ()))))

    def containing(self, lemmas: Iterable[str], share: float) -> Iterator[tuple[float, Sentence]]:
        """Yield ``(share, sentence)`` for each sentence with at least ``share`` of the lemmas, weighted by idf.

        Only the postings of the rarest lemmas are read: such a sentence must have one of them.
        """
        weights = {lemma: self.idf(lemma) for lemma in set(lemmas)}
        total = math.fsum(weights.values())  # fsum: independent of the order of a set
        if not total:
            return
        candidates: Counter[int] = Counter()
        needed = 0.0
        for lemma in sorted(weights, key=lambda x: (-weights[x], x)):
            if needed > (1 - share) * total + _ROUNDING:
                break
            needed += weights[lemma]
            candidates.update(self._postings.get(lemma, ()))
        for number in sorted(candidates):
            sentence = self.sentences[number]
            score = math.fsum(weights[lemma] for lemma in weights.keys() & set(sentence.lemmas)) / total
            if score >= share:
                yield score, sentence

    @cached_property
    def _sentence_at(self) -> dict[tuple[str, int], Sentence]:
        return {(sentence.doc, sentence.start): sentence for sentence in self.sentences}

    # ---- facts -------------------------------------------------------------------------------------

    def search_terms(self, fact: Fact, known: Iterable[int]) -> set[str]:
        """Return the lemmas of the ``known`` phrases of a fact and of its verb that its own sentence has.

        No sentence has "be" among its lemmas; a search for it would not even find the fact itself.
        """
        lemmas = {lemma for n in known for lemma in fact.phrases[n].lemmas} | {fact.verb.lemma}
        own = self._sentence_at.get((fact.doc, fact.start))
        return lemmas & set(own.lemmas) if own is not None else lemmas

    def facts_ending_at(self, doc: str, end: int) -> Sequence[Fact]:
        """Return the facts of the sentence that ends at ``end``; they may begin in the sentence before."""
        return self._facts_by_end.get((doc, end), ())

    @cached_property
    def _facts_by_end(self) -> dict[tuple[str, int], list[Fact]]:
        table: dict[tuple[str, int], list[Fact]] = defaultdict(list)
        for fact in self.facts:
            table[fact.doc, fact.end].append(fact)
        return dict(table)


# ---- capitals at the start of a sentence -----------------------------------------------------------


def _capitalised(sentences: Iterable[Sentence]) -> tuple[frozenset[str], frozenset[str]]:
    """Return the words that always have a capital inside sentences, and those that rarely have one."""
    met = Counter(
        m.group() for s in sentences for m in WRITTEN_WORD.finditer(s.text) if m.start() or m.group()[0].islower()
    )
    capital = {word for word in met if not word[0].islower()}
    names = frozenset(word for word in capital if word.lower() not in met)
    ratio = LIMITS.lower_case_ratio
    common = (word.capitalize() for word in met if word not in capital and met[word] > ratio * met[word.capitalize()])
    return names, frozenset(common)


def _with_lowerable(fact: Fact, names: frozenset[str], common: frozenset[str]) -> Fact:
    """Flag the phrases that begin with a common word at the start of the sentence as "lowerable"."""

    def flagged(phrase: Phrase) -> Phrase:
        first, *others = phrase.text.split() or [""]
        if first in names:
            return replace(phrase, flags=phrase.flags - {Flag.LOWERABLE})
        if first in common and phrase.start == fact.start and others and others[0].islower():
            return replace(phrase, flags=phrase.flags | {Flag.LOWERABLE})
        return phrase

    phrases = tuple(map(flagged, fact.phrases))
    return replace(fact, phrases=phrases) if phrases != fact.phrases else fact
