"""The bundled retrievers in two dozen settings, from strong to hopeless: what a question set can be asked to rank.

Each has a weakness that real systems have: parts of words, a small vocabulary, the head of a passage alone, few
dimensions, noise. Left out: asking them question by question as a system (``bundled``).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import chain, pairwise
from typing import TYPE_CHECKING, Any

from kgsynth.language.words import words
from kgsynth.scoring.systems.bundled import BM25, FUSION

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Encode = Callable[[Sequence[str]], NDArray[np.float32]]

LEXICAL, DENSE = "bm25", "dense"
"""The two whose distance tells whether a question set flatters the words of its source."""

_LONG = 7
_SEED = 0


def variants(texts: Sequence[str], questions: Sequence[str], encode: Encode) -> Iterator[tuple[str, NDArray[Any]]]:
    """Yield the name of each setting and its scores (questions, texts), higher is better.

    ``encode`` gives one unit vector a text.

    Example:
        >>> import numpy as np
        >>> alike = lambda texts: np.ones((len(texts), 4), dtype=np.float32)
        >>> found = dict(variants(["the cat sat", "a dog"], ["cat"], alike))
        >>> len(found), found["bm25"].argmax(), found["dense"].tolist()
        (24, np.int64(0), [[4.0, 4.0]])
    """
    fused = {
        "hybrid": (LEXICAL, DENSE),
        "hybrid, weak": ("bm25, first 50 words", "dense, 64 dimensions"),
        "hybrid, weaker": ("bm25, 500 commonest words", "dense, 32 dimensions"),
    }
    parts = set(chain.from_iterable(fused.values()))
    held = {}
    for name, scores in chain(_lexical(texts, questions), _dense(texts, questions, encode)):
        if name in parts:
            held[name] = scores
        yield name, scores
    for name, (one, other) in fused.items():
        yield name, 1 / (FUSION + _ranks(held[one])) + 1 / (FUSION + _ranks(held[other]))
    yield "at random", _random().random((len(questions), len(texts)))


def _lexical(texts: Sequence[str], questions: Sequence[str]) -> Iterator[tuple[str, NDArray[Any]]]:
    import numpy as np

    settings: dict[str, Callable[[], BM25]] = {
        LEXICAL: lambda: BM25(texts),
        "bm25, length ignored": lambda: BM25(texts, b=0),
        "bm25, length in full": lambda: BM25(texts, k1=2, b=1),
        "bm25, long words": lambda: BM25(texts, terms=_long),
        "bm25, 3 letters": lambda: BM25(texts, terms=partial(_letters, n=3)),
        "bm25, 5 letters": lambda: BM25(texts, terms=partial(_letters, n=5)),
        "bm25, word pairs": lambda: BM25(texts, terms=_pairs),
    }
    for n in (2000, 500, 100):
        settings[f"bm25, {n} commonest words"] = partial(BM25, texts, terms=_commonest(texts, n))
    for n in (80, 50, 20):
        settings[f"bm25, first {n} words"] = partial(BM25, [" ".join(words(text)[:n]) for text in texts])
    for name, make in settings.items():
        retriever = make()
        yield name, np.array([retriever.scores(question) for question in questions], dtype=np.float32)


def _dense(texts: Sequence[str], questions: Sequence[str], encode: Encode) -> Iterator[tuple[str, NDArray[Any]]]:
    """Yield cosines in all dimensions, in few of them (random projections), and with noise on the question."""
    import numpy as np

    known, asked = encode(texts), encode(questions)
    width = known.shape[1]
    yield DENSE, asked @ known.T
    for dimensions in (128, 64, 32, 16):
        onto = _random().standard_normal((width, dimensions)).astype(np.float32)
        yield f"dense, {dimensions} dimensions", (asked @ onto) @ (known @ onto).T
    noise = _random().standard_normal(asked.shape).astype(np.float32) / np.sqrt(width)
    for share in (1, 2):
        yield f"dense, noise of {share}", (asked + share * noise) @ known.T


def _ranks(scores: NDArray[Any]) -> NDArray[Any]:
    """Return the rank of each score in its row, the best first; a score of 0 or less is as good as not retrieved."""
    import numpy as np

    order = np.argsort(-scores, axis=1, kind="stable")
    ranks = np.empty(scores.shape)
    np.put_along_axis(ranks, order, np.arange(1.0, scores.shape[1] + 1)[None, :], axis=1)
    ranks[scores <= 0] = np.inf
    return ranks


def _letters(text: str, n: int) -> Iterable[str]:
    """Yield the stretches of ``n`` letters of each word, its ends marked by blanks."""
    for word in words(text):
        framed = f" {word} "
        yield from (framed[at : at + n] for at in range(max(1, len(framed) - n + 1)))


def _pairs(text: str) -> Iterable[str]:
    return (f"{one} {other}" for one, other in pairwise(words(text)))


def _long(text: str) -> Iterable[str]:
    return (word for word in words(text) if len(word) >= _LONG)


def _commonest(texts: Sequence[str], n: int) -> Callable[[str], Iterable[str]]:
    """Return the words of a text that are among the ``n`` commonest of all texts."""
    counts = Counter(chain.from_iterable(map(words, texts)))
    kept = {word for word, _ in sorted(counts.items(), key=lambda entry: (-entry[1], entry[0]))[:n]}
    return lambda text: [word for word in words(text) if word in kept]


def _random() -> np.random.Generator:
    import numpy as np

    return np.random.default_rng(_SEED)
