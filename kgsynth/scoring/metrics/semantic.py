"""Answers by meaning, with a local embedding model: cosines of whole texts, and BERTScore of their tokens.

A model tells near from far, not right from wrong: "14 days" and "15 days" are near. The model is asked only when these
figures are wanted; a text longer than it reads is cut there. Left out: baseline rescaling and idf weights of BERTScore.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple, Protocol

from kgsynth.scoring.metrics.retrieval import harmonic

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_WINDOW = 256  # questions whose token vectors are held at one time


class TextEncoder(Protocol):
    """What gives the vectors: ``kgsynth.encoder.Encoder``."""

    signature: str
    max_tokens: int

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return one unit vector a text."""
        ...

    def encode_tokens(self, texts: Sequence[str]) -> list[NDArray[np.float32]]:
        """Return of each text one unit vector a token."""
        ...


class Meaning(NamedTuple):
    """What the model says of one answer: nearest golden answer, BERTScore with it, nearness to the question."""

    similarity: float
    bertscore: float
    relevancy: float


def measure(asked: Sequence[tuple[str, str, Sequence[str]]], encoder: TextEncoder) -> Iterator[Meaning]:
    """Yield the meaning of every (question, answer, golden answers); all is 0 for a blank answer.

    A cosine below 0 counts 0, and of several golden answers the best counts.
    """
    texts = sorted({text for question, answer, golden in asked for text in (question, answer, *golden)})
    vectors = dict(zip(texts, encoder.encode(texts), strict=True))
    for start in range(0, len(asked), _WINDOW):
        window = asked[start : start + _WINDOW]
        spoken = sorted({text for _, answer, golden in window for text in (answer, *golden)})
        tokens = dict(zip(spoken, encoder.encode_tokens(spoken), strict=True))
        for question, answer, golden in window:
            if not answer.strip():
                yield Meaning(0.0, 0.0, 0.0)
                continue
            yield Meaning(
                max((_cosine(vectors[answer], vectors[text]) for text in golden), default=0.0),
                max((bertscore(tokens[answer], tokens[text]) for text in golden), default=0.0),
                _cosine(vectors[answer], vectors[question]),
            )


def _cosine(a: NDArray[np.float32], b: NDArray[np.float32]) -> float:
    return min(max(float(a @ b), 0.0), 1.0)


def bertscore(said: NDArray[np.float32], wanted: NDArray[np.float32]) -> float:
    """Return BERTScore's F1 of two texts given as unit vectors of their tokens (Zhang et al. 2020).

    Precision is the mean, over the tokens said, of the cosine with the nearest token wanted; recall the other way.

    Example:
        >>> import numpy as np
        >>> one, other = np.eye(3, dtype=np.float32)[:2], np.eye(3, dtype=np.float32)[:1]
        >>> bertscore(one, other), bertscore(one, one)
        (0.6666666666666666, 1.0)
    """
    if not len(said) or not len(wanted):
        return float(len(said) == len(wanted))
    near = (said @ wanted.T).clip(0.0, 1.0)
    return harmonic(float(near.max(axis=1).mean()), float(near.max(axis=0).mean()))
