"""Compare answers by meaning with a local embedding model: cosines of whole texts, and BERTScore of their tokens.

Similarity is not correctness: "14 days" and "15 days" are similar. Texts longer than the model reads are truncated.
BERTScore is computed without baseline rescaling and idf weights.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple, Protocol

from kgsynth.scoring.metrics.retrieval import harmonic_mean

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_QUESTIONS_PER_BATCH = 256  # bounds the token vectors in memory


class TextEncoder(Protocol):
    """The embedding model, such as ``kgsynth.models.encoder.Encoder``."""

    signature: str
    max_tokens: int

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return one unit vector per text."""
        ...

    def encode_questions(self, questions: Sequence[str]) -> NDArray[np.float32]:
        """Return one unit vector per question."""
        ...

    def encode_tokens(self, texts: Sequence[str]) -> list[NDArray[np.float32]]:
        """Return one array per text, with one unit vector per token."""
        ...


class SemanticScores(NamedTuple):
    """How similar one answer is to the nearest golden answer (cosine and BERTScore) and to the question (cosine)."""

    similarity: float
    bertscore: float
    relevancy: float


def semantic_scores(cases: Sequence[tuple[str, str, Sequence[str]]], encoder: TextEncoder) -> Iterator[SemanticScores]:
    """Yield the scores of every (question, answer, golden answers); all are 0 for a blank answer.

    A negative cosine counts 0. With several golden answers, the highest score counts.
    """
    texts = sorted({text for _, answer, golden in cases for text in (answer, *golden)})
    questions = sorted({question for question, _, _ in cases})
    vectors = dict(zip(texts, encoder.encode(texts), strict=True))
    asked = dict(zip(questions, encoder.encode_questions(questions), strict=True))
    for start in range(0, len(cases), _QUESTIONS_PER_BATCH):
        batch = cases[start : start + _QUESTIONS_PER_BATCH]
        answers = sorted({text for _, answer, golden in batch for text in (answer, *golden)})
        tokens = dict(zip(answers, encoder.encode_tokens(answers), strict=True))
        for question, answer, golden in batch:
            if not answer.strip():
                yield SemanticScores(0.0, 0.0, 0.0)
                continue
            yield SemanticScores(
                max((_cosine(vectors[answer], vectors[text]) for text in golden), default=0.0),
                max((bertscore(tokens[answer], tokens[text]) for text in golden), default=0.0),
                _cosine(vectors[answer], asked[question]),
            )


def _cosine(a: NDArray[np.float32], b: NDArray[np.float32]) -> float:
    return min(max(float(a @ b), 0.0), 1.0)


def bertscore(answer: NDArray[np.float32], golden: NDArray[np.float32]) -> float:
    """Return BERTScore's F1 of two texts, each given as unit vectors of its tokens (Zhang et al. 2020).

    Precision is the mean, over the tokens of the answer, of the cosine with the nearest golden token; recall is the
    same with the roles exchanged.

    Example:
        >>> import numpy as np
        >>> one, other = np.eye(3, dtype=np.float32)[:2], np.eye(3, dtype=np.float32)[:1]
        >>> bertscore(one, other), bertscore(one, one)
        (0.6666666666666666, 1.0)
    """
    if not len(answer) or not len(golden):
        return float(len(answer) == len(golden))
    cosines = (answer @ golden.T).clip(0.0, 1.0)
    return harmonic_mean(float(cosines.max(axis=1).mean()), float(cosines.max(axis=0).mean()))
