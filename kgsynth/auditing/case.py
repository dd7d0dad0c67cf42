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

from kgsynth.auditing.resources import Means
from kgsynth.base.records import PROSE, Analysis, Chunk, Document, Item, Span
from kgsynth.golden.dataset import Dataset
from kgsynth.language import LANGUAGES, language
from kgsynth.language.words import sentence_spans, words

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from kgsynth.evidence.answer_likelihood import Reader
    from kgsynth.evidence.bench import Bench
    from kgsynth.evidence.knowledge import Knowledge

_BLOCK = 256  # texts encoded between two ticks of the progress bar


class Statement(NamedTuple):
    """A sentence of prose: in which block of its document it stands, from where to where, and what a person reads."""

    doc: str
    block: int
    start: int
    end: int
    text: str


class Placed(NamedTuple):
    """The gold chunks of a question by group, the best rank of each group, the cosine of the first, and its lead."""

    golds: list[list[int]]
    ranks: list[int]
    margin: float
    best: float


class Case:
    """A golden set beside its documents, by id, with what the checks look up; ``mix`` is what its types should be.

    Example:
        >>> page = Document("a.md", "Ada leads it.", "A", "md", "", (), ())
        >>> item = Item("q", "Who leads it?", ("Ada",), "simple", "", "en", ((Span("a.md", 0, 3, "Ada"),),))
        >>> Case(Dataset([item]), {"a.md": page}).told(item)
        'Ada'
    """

    def __init__(
        self,
        dataset: Dataset,
        documents: Mapping[str, Document],
        means: Means | None = None,
        mix: Mapping[str, float] | None = None,
    ) -> None:
        self.dataset = dataset
        self.documents = documents
        self.means = means or Means()
        self.mix = mix
        self._statements: dict[str, list[Statement]] = {}

    @cached_property
    def sound(self) -> list[Item]:
        """The answerable items whose evidence stands where it says; of the others nothing can be looked up."""
        return [item for item in self.dataset if item.answerable and item.evidence and self._stands(item)]

    def _stands(self, item: Item) -> bool:
        spans = [span for group in item.evidence for span in group]
        held = {span: self.documents[span.doc].text for span in spans if span.doc in self.documents}
        return all(item.evidence) and all(s in held and s.text and held[s][s.start : s.end] == s.text for s in spans)

    # ---- sentences ---------------------------------------------------------------------------------

    def _of(self, doc: str) -> list[Statement]:
        if doc not in self._statements:
            self._statements[doc] = sorted(_read(self.documents[doc]), key=_start) if doc in self.documents else []
        return self._statements[doc]

    @cached_property
    def statements(self) -> list[Statement]:
        """Every sentence of prose, document by document."""
        return [each for doc in sorted(self.documents) for each in self._of(doc)]

    def around(self, span: Span) -> list[Statement]:
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

    @cached_property
    def reader(self) -> Reader:
        """Knows how rare each English word is among the sentences, and which of them hold it."""
        from kgsynth.evidence.answer_likelihood import Reader

        return Reader(each.text for each in self.statements)

    # ---- chunks and vectors ------------------------------------------------------------------------

    @cached_property
    def passages(self) -> Knowledge:
        """The chunks of the documents, to be looked up by place: those of the run, or of a common size."""
        import numpy as np

        chunks = self.means.filed.chunks if self.means.filed else list(_cut(self.documents))
        return self._known(chunks, np.zeros((len(chunks), 0), np.float32))

    @cached_property
    def bench(self) -> Bench:
        """The chunks with their vectors, and those of the questions; there must be an ``encode`` among the means."""
        from kgsynth.evidence.bench import Bench

        chunks, filed = self.passages.chunks, self.means.filed
        vectors = filed.vectors if filed else self._encode([chunk.text for chunk in chunks], "embedding the documents")
        bench = Bench(self._known(chunks, vectors), lambda texts: self._encode(texts, "embedding the questions"))
        bench.encode([item.question for item in self.dataset if item.question.strip()])
        return bench

    @cached_property
    def standings(self) -> list[tuple[Item, Placed]]:
        """The items whose evidence stands in chunks, with where these come for the question.

        Only of languages that are read: of others nobody has tried what the embedding model knows.
        """
        from kgsynth.evidence.embedding_rank import standing

        found = []
        for item in self.sound if self.means.encode else ():
            golds = [sorted(self.passages.chunks_of(group)) for group in item.evidence]
            if item.question.strip() and item.language in LANGUAGES and all(golds):
                ranks, margin, best, _ = standing(golds, self.bench.scores(item.question))
                found.append((item, Placed(golds, ranks, margin, best)))
        return found

    def _encode(self, texts: Sequence[str], stage: str) -> NDArray[np.float32]:
        import numpy as np

        if self.means.encode is None:
            raise ValueError("an audit by words alone has no vectors")
        rows = []
        with self.means.progress(stage, len(texts)) as progress:
            for start in range(0, len(texts), _BLOCK):
                rows.append(self.means.encode(texts[start : start + _BLOCK]))
                progress.update(len(rows[-1]))
        return np.concatenate(rows) if rows else np.zeros((0, 0), np.float32)

    # ---- facts -------------------------------------------------------------------------------------

    def facts(self, worth: Mapping[str, set[int]]) -> Knowledge:
        """Return the facts of the run, or else those of the blocks that are ``worth`` parsing, by document."""
        import numpy as np

        from kgsynth.auditing.run_files import parsed

        analyses = self.means.filed.analyses if self.means.filed else None
        if analyses is None and self.means.parse is not None:
            analyses = parsed(self.documents, worth, self.means.parse, self.means.progress)
        return self._known((), np.zeros((0, 0), np.float32), analyses or ())

    def _known(
        self, chunks: Sequence[Chunk], vectors: NDArray[np.float32], analyses: Sequence[Analysis] = ()
    ) -> Knowledge:
        import networkx as nx

        from kgsynth.evidence.knowledge import Knowledge

        return Knowledge(nx.MultiDiGraph(), self.documents.values(), chunks, analyses, (), vectors)


def telling(text: str, code: str) -> list[str]:
    """Return the content words of a text; for a language without a reader every word, or every pair of characters.

    Example:
        >>> telling("The pumps are run by Ada.", "en"), telling("抽水泵", "zh")
        (['pump', 'run', 'ada'], ['抽水', '水泵'])
    """
    if code in LANGUAGES:
        return language(code).content(text)
    tokens = words(text)
    return [a + b for a, b in pairwise(tokens)] or tokens


def _start(statement: Statement) -> int:
    return statement.start


def _read(document: Document) -> Iterator[Statement]:
    for number, block in enumerate(document.blocks):
        if block.kind in PROSE:
            for low, high in sentence_spans(block.text):
                yield Statement(document.id, number, *block.locate(low, high), block.text[low:high])


def _cut(documents: Mapping[str, Document]) -> Iterator[Chunk]:
    from kgsynth.documents.chunking import chunk

    for doc in sorted(documents):
        yield from chunk(documents[doc])
