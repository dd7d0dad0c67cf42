"""What a judge replies, by shape, and the figure each reply comes to: pure functions, each with its source.

In every shape the reasons stand before what is graded, so that the grade follows from it. A reply that speaks of
things that are not there, such as sentence 12 of 10, is no reply.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING, Literal

from kgsynth.language.words import words
from kgsynth.scoring.metrics import retrieval

if TYPE_CHECKING:
    from kgsynth.scoring.metrics.semantic import TextEncoder

Verdict = Literal["supported", "partly supported", "not supported", "contradicted"]
Grade = Literal[1, 2, 3, 4, 5]

WORTH: dict[Verdict, float] = {"supported": 1.0, "partly supported": 0.5, "not supported": 0.0, "contradicted": 0.0}
"""What a claim counts for by its verdict."""


class UnusableError(ValueError):
    """A reply has its shape and cannot be used all the same; the message says why."""


@dataclass(frozen=True, slots=True)
class Claim:
    """One claim of an answer, in its words, and what the passages say of it."""

    answer_says: str
    passages_say: str
    verdict: Verdict


@dataclass(frozen=True, slots=True)
class Claims:
    """All claims of an answer; none when it claims nothing."""

    claims: tuple[Claim, ...]


@dataclass(frozen=True, slots=True)
class Grades:
    """The grades of an answer, from 1 to 5."""

    reasoning: str
    relevancy: Grade
    correctness: Grade


@dataclass(frozen=True, slots=True)
class Statement:
    """One statement of the golden answer, and whether the passages hold it."""

    statement: str
    supported: bool


@dataclass(frozen=True, slots=True)
class Context:
    """What the passages are good for: the numbers of the sentences that help to answer, and the golden answer."""

    reasoning: str
    helpful_sentences: tuple[int, ...]
    statements: tuple[Statement, ...]


@dataclass(frozen=True, slots=True)
class Questions:
    """Questions that an answer answers, and whether it declines to answer any."""

    reasoning: str
    declines: bool
    questions: tuple[str, ...]


def faithfulness(reply: Claims, answer: str) -> float | None:
    """Return the claims that are supported, over all; a claim that is so in part counts a half. None without claims.

    After Es et al. 2023 (Ragas), where a claim is supported or not. Weak judges answer the question themselves and
    check that, so half of the words of a claim must stand in the answer.

    Example:
        >>> verdicts = ("supported", "supported", "not supported")
        >>> round(faithfulness(Claims(tuple(Claim("blue", "…", each) for each in verdicts)), "Blue."), 2)
        0.67
    """
    held = set(words(answer))
    for claim in reply.claims:
        said = words(claim.answer_says)
        if 2 * sum(word in held for word in said) < max(1, len(said)):
            raise UnusableError(f"it judges a claim the answer does not make, {claim.answer_says[:60]!r}")
    worth = [WORTH[claim.verdict] for claim in reply.claims]
    return sum(worth) / len(worth) if worth else None


def graded(grade: Grade) -> float:
    """Return a grade from 1 to 5 as a figure from 0 to 1: (grade - 1) / 4.

    Grades with their reasons first are those of G-Eval (Liu et al. 2023).

    Example:
        >>> graded(5), graded(3), graded(2)
        (1.0, 0.5, 0.25)
    """
    return (grade - 1) / 4


def context_precision(helpful: Collection[int], lengths: Sequence[int]) -> float:
    """Return the mean of precision@rank over the ranks of the passages with a helpful sentence, 0 without one (Ragas).

    ``lengths`` are the passages' numbers of sentences, which are counted through all of them, from 1.

    Example:
        >>> round(context_precision([1, 5, 6, 9], [2, 2, 2, 2, 1]), 4)
        0.7556
    """
    ends = list(accumulate(lengths))
    useful = {bisect_left(ends, number) for number in _known(helpful, sum(lengths))}
    flags = [place in useful for place in range(len(lengths))]
    return retrieval.context_precision(retrieval.Relevance([*map(int, flags)], flags, max(1, sum(flags))))


def context_recall(statements: Collection[Statement]) -> float:
    """Return the statements of the golden answer that the passages hold, over all (Ragas).

    Example:
        >>> context_recall([Statement(name, name in "ACE") for name in "ABCDE"])
        0.6
    """
    if not statements:
        raise UnusableError("it names no statement of the golden answer")
    return sum(each.supported for each in statements) / len(statements)


def contextual_relevancy(helpful: Collection[int], sentences: int) -> float:
    """Return the sentences that help to answer, over all of the passages (context relevance, Es et al. 2023).

    Example:
        >>> contextual_relevancy([1, 4], 8)
        0.25
    """
    return len(_known(helpful, sentences)) / sentences if sentences else 0.0


def reverse_relevancy(reply: Questions, question: str, encoder: TextEncoder) -> float:
    """Return the mean cosine of the question with those that the answer answers; 0 when it declines (Es et al. 2023).

    A cosine below 0 counts 0.
    """
    asked = [each for each in reply.questions if each.strip()]
    if reply.declines:
        return 0.0
    if not asked:
        raise UnusableError("it holds no question")
    vectors = encoder.encode([question, *asked])
    return float((vectors[1:] @ vectors[0]).clip(0.0, 1.0).mean())


def _known(numbers: Collection[int], most: int) -> set[int]:
    """Return the numbers of sentences, each once; raise for one that no sentence has."""
    strange = sorted(number for number in set(numbers) if not 1 <= number <= most)
    if strange:
        raise UnusableError(f"it names sentence {strange[0]} of {most}")
    return set(numbers)
