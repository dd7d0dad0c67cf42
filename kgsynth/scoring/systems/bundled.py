"""The bundled retrievers over documents: BM25, dense, and both fused. They are baselines to compare a system with.

They return passages and no answers. Fusion is by reciprocal rank: it needs no tuning, and unlike a sum of standardised
scores it is not dominated by the outlier that a rare word gives BM25.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from kgsynth.base.choices import split_chunking
from kgsynth.base.errors import ConfigError, InputError
from kgsynth.base.records import Answer, Chunk, Document, Item, Passage
from kgsynth.base.version import __version__
from kgsynth.evidence.bm25 import BM25, best

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

RRF_CONSTANT = 60
"""The constant of reciprocal rank fusion (Cormack, Clarke and Büttcher 2009)."""


class Retriever(Protocol):
    """Scores every chunk for a question: an array (chunks,), higher is better."""

    signature: str

    def scores(self, question: str) -> NDArray[Any]:
        """Return one score per chunk; a chunk with 0 or less is not retrieved."""
        ...


class Dense:
    """Cosine of sentence embeddings by the model named."""

    def __init__(self, texts: Sequence[str], model: str) -> None:
        from kgsynth.models.encoder import load_encoder

        self._encoder = load_encoder(model)
        self._vectors = self._encoder.encode(list(texts))
        self._encoder.encode_questions([texts[0]])  # loads the model, which would count as time of the first question
        self.signature = f"dense({self._encoder.signature})"

    def scores(self, question: str) -> NDArray[np.float32]:
        """Return the cosine of every chunk with the question."""
        scores: NDArray[np.float32] = self._vectors @ self._encoder.encode_questions([question])[0]
        return scores


class Hybrid:
    """Fused rankings of several retrievers: the sum of 1 / (60 + rank) over those that retrieved the chunk."""

    def __init__(self, *parts: Retriever) -> None:
        self._parts = parts
        self.signature = f"rrf({RRF_CONSTANT},{','.join(part.signature for part in parts)})"

    def scores(self, question: str) -> NDArray[np.float64]:
        """Return the fused score of every chunk."""
        import numpy as np

        lists = [part.scores(question) for part in self._parts]
        total = np.zeros(len(lists[0]))
        for scores in lists:
            order = best(scores, len(scores))
            total[order] += 1 / (RRF_CONSTANT + np.arange(1, len(order) + 1))
        return total


class BundledSystem:
    """A retriever over chunks as a system: it returns ``top`` passages with offsets, and no answer."""

    takes_history = False

    def __init__(self, name: str, retriever: Retriever, chunks: Sequence[Chunk], top: int, origin: str) -> None:
        self.name = name
        self.signature = f"{retriever.signature}|top:{top}|{origin}|v:{__version__}"
        self._retriever, self._chunks, self._top = retriever, chunks, top

    def ask(self, item: Item) -> Answer:
        """Return the best chunks for the question."""
        start = time.perf_counter()
        scores = self._retriever.scores(item.question)
        passages = tuple(
            Passage(chunk.doc, chunk.start, chunk.end, chunk.text, chunk.id, round(float(scores[at]), 6))
            for at in best(scores, self._top).tolist()
            for chunk in (self._chunks[at],)
        )
        latency = round(time.perf_counter() - start, 6)
        return Answer(item.id, None, passages, latency, retrieved_nothing=not passages)

    def close(self) -> None:
        """Do nothing: nothing is open."""


def open_bundled(name: str, docs: Sequence[Document], chunking: str, top: int, model: str) -> BundledSystem:
    """Chunk the documents, index them, and return the retriever ``name`` (bm25, dense or hybrid) as a system.

    ``chunking`` is strategy:size:overlap, with size and overlap in words.

    Raises:
        ConfigError: the chunking has another form, or ``top`` is below 1.
        InputError: the documents have no text.
    """
    if top < 1:
        raise ConfigError(f"--top {top} would retrieve nothing: give 1 or more")
    from kgsynth.models.encoder import choose_model

    model = choose_model(model, {document.language for document in docs})
    chunks = list(_chunks(docs, chunking, model))
    if not chunks:
        raise InputError(f"the {len(docs)} documents have no text to retrieve: check --docs")
    texts = [chunk.searched for chunk in chunks]
    parts: list[Retriever] = []
    if name in ("bm25", "hybrid"):
        parts.append(BM25(texts))
    if name in ("dense", "hybrid"):
        parts.append(Dense(texts, model))
    retriever = parts[0] if len(parts) == 1 else Hybrid(*parts)
    content = hashlib.sha256("".join(f"{doc.id}\0{doc.sha256}\0" for doc in docs).encode()).hexdigest()[:16]
    return BundledSystem(name, retriever, chunks, top, f"chunking:{chunking}|docs:{content}")


def _chunks(docs: Sequence[Document], chunking: str, model: str) -> Iterable[Chunk]:
    from kgsynth.documents.chunking import chunk

    strategy, sizes = split_chunking(chunking)
    if sizes is None:
        raise ConfigError(f"--chunking {chunking!r} is not strategy:size:overlap, such as recursive:200:0")
    size, overlap = sizes
    encode = None
    if strategy == "semantic":
        from kgsynth.models.encoder import load_encoder

        encode = load_encoder(model).encode
    for document in docs:
        yield from chunk(document, strategy=strategy, size=size, overlap=overlap, encode=encode)
