"""One audit: the golden set, its documents, and everything the checks look up in them, computed on first use.

Sentences and chunks need no model, vectors need the embedding model, and facts need the parser, which reads only the
blocks that may answer a question. Chunks, vectors and facts of a ``generate`` run over the same documents are reused.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from kgsynth.auditing.resources import Resources
from kgsynth.base.records import PROSE, Document, Item, Span
from kgsynth.evidence.bm25 import BM25
from kgsynth.evidence.statements import ChunkIndex, Statements
from kgsynth.evidence.vectors import ChunkRanking, TextVectors, gold_rank
from kgsynth.golden.dataset import Dataset
from kgsynth.golden.spans import evidence_spans, in_place
from kgsynth.language import LANGUAGES, language
from kgsynth.language.sentence_ends import sentence_spans
from kgsynth.language.words import words
from kgsynth.show.coverage import CorpusCoverage, coverage

if TYPE_CHECKING:
    from kgsynth.evidence.answer_likelihood import WordIndex


class ProseSentence(NamedTuple):
    """A sentence of prose: its document, the number of its block, its offsets, and its text without markup."""

    doc: str
    block: int
    start: int
    end: int
    text: str


class RankedEvidence(NamedTuple):
    """The best rank of each evidence group of a question, and the lead of the best gold chunk over the next one."""

    ranks: list[int]
    margin: float


class AuditCase:
    """A golden set, its documents by id, and what the checks look up in both; ``mix`` is the intended mix of types.

    ``found_no_more`` says that the run which wrote the set found fewer questions than it was asked for. ``written`` is
    the set as it is; in ``dataset``, which most checks read, later turns of conversations have their standalone
    questions.

    Example:
        >>> page = Document("a.md", "Ada leads it.", "A", "md", "", (), ())
        >>> item = Item("q", "Who leads it?", ("Ada",), "simple", "", "en", ((Span("a.md", 0, 3, "Ada"),),))
        >>> AuditCase(Dataset([item]), {"a.md": page}).evidence_text(item)
        'Ada'
    """

    def __init__(
        self,
        dataset: Dataset,
        documents: Mapping[str, Document],
        resources: Resources | None = None,
        mix: Mapping[str, float] | None = None,
        found_no_more: bool = False,
    ) -> None:
        self.written = dataset
        self.dataset = with_full_questions(dataset)
        self.documents = documents
        self.resources = resources or Resources()
        self.mix = mix
        self.found_no_more = found_no_more
        self._sentences: dict[str, list[ProseSentence]] = {}
        self._word_indexes: dict[str, WordIndex] = {}

    @cached_property
    def valid_items(self) -> list[Item]:
        """The answerable items whose evidence is in place; for the others nothing can be looked up."""
        answerable = (item for item in self.dataset if item.answerable and item.evidence and all(item.evidence))
        return [item for item in answerable if all(in_place(span, self.documents) for span in evidence_spans(item))]

    @cached_property
    def coverage(self) -> CorpusCoverage:
        """Which documents and sections have questions."""
        return coverage(self.dataset, self.documents)

    # ---- sentences ---------------------------------------------------------------------------------

    def _sentences_of(self, doc: str) -> list[ProseSentence]:
        if doc not in self._sentences:
            found = _prose_sentences(self.documents[doc]) if doc in self.documents else ()
            self._sentences[doc] = sorted(found, key=_start)
        return self._sentences[doc]

    @cached_property
    def prose_sentences(self) -> list[ProseSentence]:
        """Every sentence of prose, document by document."""
        return [sentence for doc in sorted(self.documents) for sentence in self._sentences_of(doc)]

    def overlapping(self, span: Span) -> list[ProseSentence]:
        """Return the sentences of prose that share a character with a span."""
        sentences = self._sentences_of(span.doc)
        first = max(0, bisect_left(sentences, span.start, key=_start) - 1)
        last = bisect_left(sentences, span.end, key=_start)
        return [sentence for sentence in sentences[first:last] if span.start < sentence.end]

    def evidence_sentences(self, item: Item) -> list[str]:
        """Return the sentences around the first span of each evidence group, without markup."""
        texts: list[str] = []
        for span in (group[0] for group in item.evidence if group):
            texts += [sentence.text for sentence in self.overlapping(span)] or [" ".join(span.text.split())]
        return list(dict.fromkeys(texts))

    def evidence_text(self, item: Item) -> str:
        """Return the evidence sentences as one text."""
        return " ".join(self.evidence_sentences(item))

    def word_index(self, code: str) -> WordIndex:
        """Return the index of the prose sentences by the words of a language."""
        from kgsynth.evidence.answer_likelihood import WordIndex

        if code not in self._word_indexes:
            self._word_indexes[code] = WordIndex((sentence.text for sentence in self.prose_sentences), code)
        return self._word_indexes[code]

    # ---- chunks and vectors ------------------------------------------------------------------------

    @cached_property
    def chunks(self) -> ChunkIndex:
        """The chunks of the run, or chunks of the default size."""
        from kgsynth.documents.chunking import chunk

        run = self.resources.run
        default = (piece for doc in sorted(self.documents) for piece in chunk(self.documents[doc]))
        return ChunkIndex(run.chunks if run else list(default))

    @cached_property
    def vectors(self) -> TextVectors:
        """The embeddings of questions; needs the embedding model."""
        return TextVectors(
            lambda texts: self.resources.embed(texts, "embedding the questions"), prefixes=self.resources.prefixes
        )

    @cached_property
    def ranking(self) -> ChunkRanking:
        """The ranking of all chunks for a question; needs the embedding model."""
        run = self.resources.run
        texts = [self.resources.prefixes.passage + chunk.searched for chunk in self.chunks]
        rows = run.vectors if run else self.resources.embed(texts, "embedding the documents")
        ranking = ChunkRanking(rows, self.vectors)
        ranking.expect(item.question for item in self.dataset if item.question.strip())
        return ranking

    @cached_property
    def lexical(self) -> BM25:
        """BM25 over all chunks."""
        return BM25([chunk.searched for chunk in self.chunks])

    def golds(self, item: Item) -> list[list[int]]:
        """Return the numbers of the chunks with the evidence of an item, by group."""
        return [sorted(self.chunks.holding(group)) for group in item.evidence]

    @cached_property
    def ranked_items(self) -> list[tuple[Item, RankedEvidence]]:
        """The valid items whose evidence is in chunks, with the ranks of these chunks for the question.

        Only items in a supported language: the embedding model has not been measured on others.
        """
        found = []
        for item in self.valid_items if self.resources.encode else ():
            golds = self.golds(item)
            if item.question.strip() and item.language in LANGUAGES and all(golds):
                rank = gold_rank(golds, self.ranking.cosines(item.question))
                found.append((item, RankedEvidence(rank.ranks, rank.margin)))
        return found

    # ---- facts -------------------------------------------------------------------------------------

    def statements(self, blocks: Mapping[str, set[int]]) -> Statements:
        """Return the sentences and facts of the run, or of ``blocks``, given by document id and block number."""
        return Statements(self.documents.values(), self.resources.analyses(self.documents, blocks))


def content_words(text: str, code: str) -> list[str]:
    """Return the content words of a text; in an unsupported language every word, or every pair of characters.

    Example:
        >>> content_words("The pumps are run by Ada.", "en"), content_words("抽水泵", "ja")
        (['pump', 'run', 'ada'], ['抽水', '水泵'])
    """
    if code in LANGUAGES:
        return language(code).content_stems(text)
    tokens = words(text)
    return [a + b for a, b in pairwise(tokens)] or tokens


def with_full_questions(dataset: Dataset) -> Dataset:
    """Return a set in which the later turns of conversations have their standalone questions."""
    if not any(item.standalone for item in dataset):
        return dataset
    return Dataset(replace(item, question=item.full_question) for item in dataset)


def _start(sentence: ProseSentence) -> int:
    return sentence.start


def _prose_sentences(document: Document) -> Iterator[ProseSentence]:
    for number, block in enumerate(document.blocks):
        if block.kind in PROSE:
            for low, high in sentence_spans(block.text):
                yield ProseSentence(document.id, number, *block.locate(low, high), block.text[low:high])
