"""What all filters need: the corpus, the thresholds, the embeddings, and the questions accepted so far."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING

from kgsynth.base.records import Item, Scenario
from kgsynth.base.run_folder import resume_array
from kgsynth.base.thresholds import DEFAULT_THRESHOLDS, LIMITS
from kgsynth.documents.text_index import Place
from kgsynth.evidence.answer_likelihood import WordIndex
from kgsynth.evidence.bm25 import BM25, best
from kgsynth.evidence.knowledge import Knowledge
from kgsynth.evidence.near_duplicates import NearDuplicates
from kgsynth.evidence.question_checks import names_and_numbers_in
from kgsynth.evidence.vectors import ChunkRanking, TextVectors
from kgsynth.generation.corpus import encode
from kgsynth.generation.run import Run
from kgsynth.golden.metadata import with_scores
from kgsynth.golden.spans import evidence_spans
from kgsynth.language.detection import guess_language
from kgsynth.ranking.features import Surroundings, features, search_features, texts_to_embed
from kgsynth.ranking.model import Rankers, shipped

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_MINHASH_PERMUTATIONS = 64  # the standard error of an estimated Jaccard similarity of 0.8 is 0.05


class FilterContext:
    """The corpus, the thresholds and the embeddings of the questions, shared by all filters."""

    def __init__(
        self,
        knowledge: Knowledge,
        vectors: TextVectors,
        thresholds: Mapping[str, float] | None = None,
        avoid: Sequence[str] = (),
        ranker: Path | None = None,
    ) -> None:
        self.knowledge = knowledge
        self.vectors = vectors
        self.thresholds = {**DEFAULT_THRESHOLDS, **(thresholds or {})}
        self.ranking = ChunkRanking(knowledge.vectors, vectors)
        self.accepted = AcceptedQuestions(vectors, self.thresholds["duplicate"])
        self.rankers = Rankers(ranker)
        self.surroundings = Surroundings(knowledge.documents)
        self._word_indexes: dict[str, WordIndex] = {}
        self.ranking.expect(avoid)
        for question in avoid:
            self.accepted.add(question)

    def word_index(self, code: str) -> WordIndex:
        """Return the words of the documents in one language."""
        if code not in self._word_indexes:
            documents, sentences = self.knowledge.documents, self.knowledge.statements.sentences
            own = (each.text for each in sentences if documents[each.doc].language == code)
            self._word_indexes[code] = WordIndex(own, code)
        return self._word_indexes[code]

    def ranked(self, items: Sequence[Item]) -> list[Item]:
        """Return answerable items with the score ``keep``, how likely a strict reader would keep them."""
        compared = (text for item in items for text in texts_to_embed(item, self.surroundings))
        self.vectors.add([item.question for item in items], compared)
        return [with_scores(item, keep=self.keep(item)) if item.answerable else item for item in items]

    def keep(self, item: Item) -> float:
        """Return how likely a strict reader would keep an item."""
        return self.rankers.of(item.language).keep(features(item, self.surroundings, self.vectors))

    def near(self, items: Sequence[Item]) -> list[int]:
        """Return the numbers of the chunks that have the evidence of questions, or are the nearest by their words."""
        chunks, found = self.knowledge.chunks, set[int]()
        for item in items:
            for spans in (*item.evidence, item.hard_negatives):
                found.update(chunks.holding(spans))
            found.update(map(int, best(self.lexical.scores(item.question), LIMITS.near_chunks)))
        return sorted(found)

    @cached_property
    def lexical(self) -> BM25:
        """BM25 over all chunks."""
        return BM25([chunk.searched for chunk in self.knowledge.chunks])

    def found(
        self, golds: Sequence[Sequence[int]], cosines: NDArray[np.float32], lexical: NDArray[np.float64]
    ) -> float:
        """Return how probably a retriever has all evidence of an item in its first five passages.

        ``golds`` are the numbers of the gold chunks by evidence group; the others are the scores of all chunks.
        """
        return shipped("found").keep(search_features(golds, cosines, lexical))


def embed(items: Sequence[Item], context: FilterContext, run: Run) -> None:
    """Embed questions and what they are compared with; an interrupted run reuses the file.

    That is the evidence, answers, headings and titles, and the chunks that are near by their words, unless all chunks
    have vectors.
    """
    chunks, (asking, stating) = context.knowledge.chunks, run.encoder.prefixes
    near = [] if context.knowledge.vectors.any() else context.near(items)
    compared = {text for item in items if item.answerable for text in texts_to_embed(item, context.surroundings)}
    compared |= {chunks[number].searched for number in near}
    texts = sorted({asking + item.question for item in items} | {stating + text for text in compared})
    with run.stage("embedding questions", len(texts)) as stage:
        rows = resume_array(run.run_folder, "questions", texts, make=partial(encode, run=run), on_progress=stage.update)
    found = dict(zip(texts, rows, strict=True))
    run.known.update(found)
    context.vectors.know(found)
    for number in near:
        context.knowledge.vectors[number] = found[stating + chunks[number].searched]


class AcceptedQuestions:
    """The questions accepted so far, searched by words or by meaning.

    One with other names or numbers asks for something else, however like it is, and is not found.
    ``asked`` maps what a question asks for, as the rule ``duplicate`` identifies it, to the question. ``items`` are
    those of this run, by the id with which they were accepted; their evidence may grow.
    """

    def __init__(self, vectors: TextVectors, threshold: float) -> None:
        self.asked: dict[object, str] = {}
        self.items: dict[str, Item] = {}
        self._at: dict[Place, list[str]] = defaultdict(list)
        self._vectors = vectors
        self.questions: list[str] = []
        self._names: list[frozenset[str]] = []
        self._index = NearDuplicates(threshold, _MINHASH_PERMUTATIONS)
        self._rows: NDArray[np.float32] | None = None

    def add(self, question: str) -> None:
        """Remember a question for the search of later duplicates."""
        import numpy as np

        number, row = len(self.questions), self._vectors.of(question)
        self._index.add(question)
        if self._rows is None or number == len(self._rows):  # doubled, so that growing takes linear time
            grown = np.zeros((max(64, 2 * number), len(row)), np.float32)
            grown[:number] = self._rows if self._rows is not None else 0.0
            self._rows = grown
        self._rows[number] = row
        self.questions.append(question)
        self._names.append(_names_in(question))

    def accept(self, item: Item) -> None:
        """Remember an item with its question, and for which evidence it was accepted."""
        self.add(item.question)
        self.items[item.id] = item
        for place in _places(item):
            self._at[place].append(item.id)

    def with_evidence_of(self, item: Item) -> list[Item]:
        """Return the accepted items that have a place of evidence in common with an item."""
        found = dict.fromkeys(name for place in _places(item) for name in self._at.get(place, ()))
        return [self.items[name] for name in found]

    def now(self, item: Item) -> Item:
        """Return an accepted item with the evidence that it got since."""
        return self.items.get(item.id, item)

    def most_similar(self, question: str) -> tuple[float, str] | None:
        """Return ``(Jaccard similarity, question)`` of the question with the most similar words, None without one."""
        names = _names_in(question)
        found = [pair for pair in self._index.similar(question) if self._names[pair[1]] == names]
        share, number = max(found, key=lambda pair: (pair[0], -pair[1]), default=(0.0, 0))
        return (share, self.questions[number]) if found else None

    def nearest(self, question: str) -> tuple[float, str] | None:
        """Return ``(cosine, question)`` of the nearest question, None before the first."""
        if self._rows is None:
            return None
        cosines = self._rows[: len(self.questions)] @ self._vectors.of(question)
        best = int(cosines.argmax())
        return (float(cosines[best]), self.questions[best]) if self._names[best] == _names_in(question) else None


def _names_in(question: str) -> frozenset[str]:
    return names_and_numbers_in(question, guess_language(question))


def _places(item: Item) -> list[Place]:
    return list(dict.fromkeys(Place(span.doc, span.start, span.end) for span in evidence_spans(item)))


def evidence_text(item: Item, knowledge: Knowledge) -> str:
    """Return the text of the first span of each evidence group."""
    spans = (group[0] for group in item.evidence)
    return " ".join(knowledge.documents[span.doc].plain(span.start, span.end) for span in spans)


def headings_of(scenario: Scenario, knowledge: Knowledge) -> str:
    """Return the headings above the facts of a scenario."""
    if scenario.structure:
        documents = knowledge.documents
        return " ".join(" ".join(documents[fact.doc].sections[fact.section].path) for fact in scenario.structure)
    return " ".join(title for fact in scenario.facts for title in knowledge.statements.section_of(fact).path)
