"""The bundled retrievers over documents: BM25, dense, both fused, and variants from strong to useless."""

from __future__ import annotations

import hashlib
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import chain, pairwise
from typing import TYPE_CHECKING, Any, Protocol

from kgsynth.base.choices import split_chunking
from kgsynth.base.errors import ConfigError, InputError
from kgsynth.base.records import Answer, Chunk, Document, Item, Passage
from kgsynth.base.version import __version__
from kgsynth.evidence.bm25 import BM25, best
from kgsynth.language.words import words

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Encode = Callable[[Sequence[str]], NDArray[np.float32]]

RRF_CONSTANT = 60
"""The constant of reciprocal rank fusion (Cormack, Clarke and Büttcher 2009).

It needs no tuning, and unlike a sum of standardised scores it is not dominated by the outlier that a rare word gives
BM25.
"""


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


# ---- variants for a question set to rank ---------------------------------------------------------
#
# Each variant has a weakness of real systems: word fragments, a small vocabulary, only the start of a passage, few
# dimensions, or noise.

LEXICAL, DENSE = "bm25", "dense"
"""The two variants whose difference shows whether a question set favours the words of its source."""

_LONG_WORD_LETTERS = 7
_NOISE_SEED = 0


def variants(
    texts: Sequence[str], questions: Sequence[str], encode: Encode, encode_questions: Encode | None = None
) -> Iterator[tuple[str, NDArray[Any]]]:
    """Yield the name of each variant and its scores, an array (questions, texts), higher is better.

    ``encode`` returns one unit vector per text, and ``encode_questions`` one per question, if that differs.

    Example:
        >>> import numpy as np
        >>> encode = lambda texts: np.ones((len(texts), 4), dtype=np.float32)
        >>> found = dict(variants(["the cat sat", "a dog"], ["cat"], encode))
        >>> len(found), found["bm25"].argmax(), found["dense"].tolist()
        (24, np.int64(0), [[4.0, 4.0]])
    """
    fused = {
        "hybrid": (LEXICAL, DENSE),
        "hybrid, weak": ("bm25, first 50 words", "dense, 64 dimensions"),
        "hybrid, weaker": ("bm25, 500 commonest words", "dense, 32 dimensions"),
    }
    needed = set(chain.from_iterable(fused.values()))
    kept = {}
    for name, scores in chain(
        _lexical(texts, questions), _dense(encode(texts), (encode_questions or encode)(questions))
    ):
        if name in needed:
            kept[name] = scores
        yield name, scores
    for name, (one, other) in fused.items():
        yield name, 1 / (RRF_CONSTANT + _ranks(kept[one])) + 1 / (RRF_CONSTANT + _ranks(kept[other]))
    yield "at random", _random().random((len(questions), len(texts)))


def _lexical(texts: Sequence[str], questions: Sequence[str]) -> Iterator[tuple[str, NDArray[Any]]]:
    import numpy as np

    settings: dict[str, Callable[[], BM25]] = {
        LEXICAL: lambda: BM25(texts),
        "bm25, length ignored": lambda: BM25(texts, b=0),
        "bm25, length in full": lambda: BM25(texts, k1=2, b=1),
        "bm25, long words": lambda: BM25(texts, terms=_long_words),
        "bm25, 3 letters": lambda: BM25(texts, terms=partial(_letter_ngrams, n=3)),
        "bm25, 5 letters": lambda: BM25(texts, terms=partial(_letter_ngrams, n=5)),
        "bm25, word pairs": lambda: BM25(texts, terms=_word_pairs),
    }
    for n in (2000, 500, 100):
        settings[f"bm25, {n} commonest words"] = partial(BM25, texts, terms=_most_common(texts, n))
    for n in (80, 50, 20):
        settings[f"bm25, first {n} words"] = partial(BM25, [" ".join(words(text)[:n]) for text in texts])
    for name, make in settings.items():
        retriever = make()
        yield name, np.array([retriever.scores(question) for question in questions], dtype=np.float32)


def _dense(
    text_vectors: NDArray[np.float32], question_vectors: NDArray[np.float32]
) -> Iterator[tuple[str, NDArray[Any]]]:
    """Yield cosines in all dimensions, in a few dimensions (random projections), and with noise on the question."""
    import numpy as np

    width = text_vectors.shape[1]
    yield DENSE, question_vectors @ text_vectors.T
    for dimensions in (128, 64, 32, 16):
        projection = _random().standard_normal((width, dimensions)).astype(np.float32)
        yield f"dense, {dimensions} dimensions", (question_vectors @ projection) @ (text_vectors @ projection).T
    noise = _random().standard_normal(question_vectors.shape).astype(np.float32) / np.sqrt(width)
    for factor in (1, 2):
        yield f"dense, noise of {factor}", (question_vectors + factor * noise) @ text_vectors.T


def _ranks(scores: NDArray[Any]) -> NDArray[Any]:
    """Return the rank of each score in its row, from 1 for the best; a score of 0 or less has an infinite rank."""
    import numpy as np

    order = np.argsort(-scores, axis=1, kind="stable")
    ranks = np.empty(scores.shape)
    np.put_along_axis(ranks, order, np.arange(1.0, scores.shape[1] + 1)[None, :], axis=1)
    ranks[scores <= 0] = np.inf
    return ranks


def _letter_ngrams(text: str, n: int) -> Iterable[str]:
    """Yield the sequences of ``n`` letters of each word, with a blank before and after the word."""
    for word in words(text):
        framed = f" {word} "
        yield from (framed[at : at + n] for at in range(max(1, len(framed) - n + 1)))


def _word_pairs(text: str) -> Iterable[str]:
    return (f"{one} {other}" for one, other in pairwise(words(text)))


def _long_words(text: str) -> Iterable[str]:
    return (word for word in words(text) if len(word) >= _LONG_WORD_LETTERS)


def _most_common(texts: Sequence[str], n: int) -> Callable[[str], Iterable[str]]:
    """Return a function that keeps the words of a text that are among the ``n`` most common of all texts."""
    counts = Counter(chain.from_iterable(map(words, texts)))
    kept = {word for word, _ in sorted(counts.items(), key=lambda entry: (-entry[1], entry[0]))[:n]}
    return lambda text: [word for word in words(text) if word in kept]


def _random() -> np.random.Generator:
    import numpy as np

    return np.random.default_rng(_NOISE_SEED)
