"""One audit: the set, the documents, and what the checks look up in both, each made when it is first asked for.

Sentences and chunks need no model; vectors need the embedding model; facts need the parser, which reads only the blocks
that may answer a question of the set. Chunks, vectors and facts of a run over the same documents are used again.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from kgsynth.auditing.resources import Resources
from kgsynth.auditing.run_files import parse_blocks
from kgsynth.base.records import PROSE, Chunk, Document, Item, Span
from kgsynth.evidence.chunks import ChunkIndex
from kgsynth.evidence.embedding_rank import ChunkRanking, gold_rank
from kgsynth.evidence.statements import Statements
from kgsynth.evidence.vectors import TextVectors
from kgsynth.golden.dataset import Dataset
from kgsynth.language import LANGUAGES, language
from kgsynth.language.words import sentence_spans, words

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from kgsynth.evidence.answer_likelihood import Reader

_BLOCK = 256  # texts encoded between two ticks of the progress bar


class ProseSentence(NamedTuple):
    """A sentence of prose: in which block of its document it stands, from where to where, and what a person reads."""

    doc: str
    block: int
    start: int
    end: int
    text: str


class RankedEvidence(NamedTuple):
    """The gold chunks of a question by group, the best rank of each group, and the lead of the first gold chunk."""

    golds: list[list[int]]
    ranks: list[int]
    margin: float


class AuditCase:
    """A golden set beside its documents, by id, with what the checks look up; ``mix`` is what its types should be.

    Example:
        >>> page = Document("a.md", "Ada leads it.", "A", "md", "", (), ())
        >>> item = Item("q", "Who leads it?", ("Ada",), "simple", "", "en", ((Span("a.md", 0, 3, "Ada"),),))
        >>> AuditCase(Dataset([item]), {"a.md": page}).told(item)
        'Ada'
    """

    def __init__(
        self,
        dataset: Dataset,
        documents: Mapping[str, Document],
        resources: Resources | None = None,
        mix: Mapping[str, float] | None = None,
    ) -> None:
        self.dataset = dataset
        self.documents = documents
        self.resources = resources or Resources()
        self.mix = mix
        self._sentences: dict[str, list[ProseSentence]] = {}
        self._readers: dict[str, Reader] = {}

    @cached_property
    def sound(self) -> list[Item]:
        """The answerable items whose evidence stands where it says; of the others nothing can be looked up."""
        return [item for item in self.dataset if item.answerable and item.evidence and self._stands(item)]

    def _stands(self, item: Item) -> bool:
        spans = [span for group in item.evidence for span in group]
        held = {span: self.documents[span.doc].text for span in spans if span.doc in self.documents}
        return all(item.evidence) and all(s in held and s.text and held[s][s.start : s.end] == s.text for s in spans)

    # ---- sentences ---------------------------------------------------------------------------------

    def _of(self, doc: str) -> list[ProseSentence]:
        if doc not in self._sentences:
            self._sentences[doc] = sorted(_read(self.documents[doc]), key=_start) if doc in self.documents else []
        return self._sentences[doc]

    @cached_property
    def prose(self) -> list[ProseSentence]:
        """Every sentence of prose, document by document."""
        return [each for doc in sorted(self.documents) for each in self._of(doc)]

    def around(self, span: Span) -> list[ProseSentence]:
        """Return the sentences of prose that share a character with a span."""
        found = self._of(span.doc)
        first = max(0, bisect_left(found, span.start, key=_start) - 1)
        last = bisect_left(found, span.end, key=_start)
        return [each for each in found[first:last] if span.start < each.end]

    def sentences(self, item: Item) -> list[str]:
        """Return the sentences that the first span of each group of the evidence stands in, as a person reads them."""
        parts: list[str] = []
        for span in (group[0] for group in item.evidence if group):
            parts += [each.text for each in self.around(span)] or [" ".join(span.text.split())]
        return list(dict.fromkeys(parts))

    def told(self, item: Item) -> str:
        """Return these sentences as one text."""
        return " ".join(self.sentences(item))

    def reader(self, code: str) -> Reader:
        """Return what knows how rare each word of a language is among the sentences, and which of them hold it."""
        from kgsynth.evidence.answer_likelihood import Reader

        if code not in self._readers:
            self._readers[code] = Reader((each.text for each in self.prose), code)
        return self._readers[code]

    # ---- chunks and vectors ------------------------------------------------------------------------

    @cached_property
    def chunks(self) -> ChunkIndex:
        """The chunks of the documents: those of the run, or of the default size."""
        run = self.resources.run
        return ChunkIndex(run.chunks if run else list(_chunk(self.documents)))

    @cached_property
    def vectors(self) -> TextVectors:
        """The embeddings of questions; the embedding model must be among the resources."""
        return TextVectors(lambda texts: self._encode(texts, "embedding the questions"))

    @cached_property
    def ranking(self) -> ChunkRanking:
        """The chunks, to be ranked for a question; the embedding model must be among the resources."""
        run = self.resources.run
        texts = [chunk.text for chunk in self.chunks]
        rows = run.vectors if run else self._encode(texts, "embedding the documents")
        ranking = ChunkRanking(rows, self.vectors)
        ranking.expect(item.question for item in self.dataset if item.question.strip())
        return ranking

    @cached_property
    def ranked(self) -> list[tuple[Item, RankedEvidence]]:
        """The items whose evidence is in chunks, with the ranks of these chunks for the question.

        Only items in a supported language: for others nobody has measured what the embedding model knows.
        """
        found = []
        for item in self.sound if self.resources.encode else ():
            golds = [sorted(self.chunks.holding(group)) for group in item.evidence]
            if item.question.strip() and item.language in LANGUAGES and all(golds):
                rank = gold_rank(golds, self.ranking.cosines(item.question))
                found.append((item, RankedEvidence(golds, rank.ranks, rank.margin)))
        return found

    def _encode(self, texts: Sequence[str], stage: str) -> NDArray[np.float32]:
        import numpy as np

        if self.resources.encode is None:
            raise ValueError("this audit has no embedding model")
        rows = []
        with self.resources.progress(stage, len(texts)) as progress:
            for start in range(0, len(texts), _BLOCK):
                rows.append(self.resources.encode(texts[start : start + _BLOCK]))
                progress.update(len(rows[-1]))
        return np.concatenate(rows) if rows else np.zeros((0, 0), np.float32)

    # ---- facts -------------------------------------------------------------------------------------

    def statements(self, blocks: Mapping[str, set[int]]) -> Statements:
        """Return the sentences and facts of the run, or else those of some ``blocks``, given by document and number."""
        resources = self.resources
        analyses = resources.run.analyses if resources.run else None
        if analyses is None and resources.parse is not None:
            analyses = parse_blocks(self.documents, blocks, resources.parse, resources.progress)
        return Statements(self.documents.values(), analyses or ())


def telling(text: str, code: str) -> list[str]:
    """Return the content words of a text; for a language without a reader every word, or every pair of characters.

    Example:
        >>> telling("The pumps are run by Ada.", "en"), telling("抽水泵", "zh")
        (['pump', 'run', 'ada'], ['抽水', '水泵'])
    """
    if code in LANGUAGES:
        return language(code).content_stems(text)
    tokens = words(text)
    return [a + b for a, b in pairwise(tokens)] or tokens


def _start(statement: ProseSentence) -> int:
    return statement.start


def _read(document: Document) -> Iterator[ProseSentence]:
    for number, block in enumerate(document.blocks):
        if block.kind in PROSE:
            for low, high in sentence_spans(block.text):
                yield ProseSentence(document.id, number, *block.locate(low, high), block.text[low:high])


def _chunk(documents: Mapping[str, Document]) -> Iterator[Chunk]:
    from kgsynth.documents.chunking import chunk

    for doc in sorted(documents):
        yield from chunk(documents[doc])
