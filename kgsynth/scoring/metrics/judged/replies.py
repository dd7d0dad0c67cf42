"""The shapes of the judge's replies, and the metrics computed from them: pure functions, each with its source.

In every shape the reasoning comes before the grade, so that the grade follows from it. A reply about something that
does not exist, such as sentence 12 of 10, cannot be used.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Literal

from kgsynth.language.words import words
from kgsynth.scoring.metrics import retrieval

GoldenVerdict = Literal["stated", "contradicted", "not stated"]
ClaimVerdict = Literal["supported", "partly supported", "not supported", "contradicted"]
Grade = Literal[1, 2, 3, 4, 5]

CLAIM_VALUES: dict[ClaimVerdict, float] = {
    "supported": 1.0,
    "partly supported": 0.5,
    "not supported": 0.0,
    "contradicted": 0.0,
}
"""The value of a claim by its verdict."""


class UnusableReplyError(ValueError):
    """A reply has the right shape but cannot be used; the message says why."""


@dataclass(frozen=True, slots=True)
class JudgedClaim:
    """One claim of an answer, in its own words, and what the passages say about it."""

    answer_says: str
    passages_say: str
    verdict: ClaimVerdict


@dataclass(frozen=True, slots=True)
class ClaimsReply:
    """All claims of an answer; empty when it claims nothing."""

    claims: tuple[JudgedClaim, ...]


@dataclass(frozen=True, slots=True)
class JudgedGoldenClaim:
    """One claim of the golden answer by its number, and what the answer says about it."""

    number: int
    answer_says: str
    verdict: GoldenVerdict


@dataclass(frozen=True, slots=True)
class GoldenClaimsReply:
    """Every claim of the golden answer, and the numbers of the answer's sentences that nothing supports."""

    reasoning: str
    claims: tuple[JudgedGoldenClaim, ...]
    unsupported_sentences: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class GradesReply:
    """The grades of an answer, from 1 to 5."""

    reasoning: str
    relevancy: Grade
    correctness: Grade


@dataclass(frozen=True, slots=True)
class GoldenStatement:
    """One statement of the golden answer, and whether the passages support it."""

    statement: str
    supported: bool


@dataclass(frozen=True, slots=True)
class ContextReply:
    """The numbers of the passages' sentences that help to answer, and the statements of the golden answer."""

    reasoning: str
    helpful_sentences: tuple[int, ...]
    statements: tuple[GoldenStatement, ...]


def faithfulness(reply: ClaimsReply, answer: str) -> float | None:
    """Return the share of claims that are supported, partly supported ones counting half; None without claims.

    After Es et al. 2023 (Ragas), where a claim is either supported or not. Weak judges tend to check their own answer
    instead, so at least half of the words of each claim must be in the answer.

    Example:
        >>> verdicts = ("supported", "supported", "not supported")
        >>> round(faithfulness(ClaimsReply(tuple(JudgedClaim("blue", "…", each) for each in verdicts)), "Blue."), 2)
        0.67
    """
    answer_words = set(words(answer))
    for claim in reply.claims:
        claim_words = words(claim.answer_says)
        if 2 * sum(word in answer_words for word in claim_words) < max(1, len(claim_words)):
            raise UnusableReplyError(f"it judges a claim the answer does not make, {claim.answer_says[:60]!r}")
    values = [CLAIM_VALUES[claim.verdict] for claim in reply.claims]
    return sum(values) / len(values) if values else None


def stated_share(reply: GoldenClaimsReply, claims: int) -> float:
    """Return the share of the golden answer's claims that the answer states.

    Example:
        >>> judged = [JudgedGoldenClaim(at, "…", each) for at, each in enumerate(("stated", "contradicted"), 1)]
        >>> stated_share(GoldenClaimsReply("…", tuple(judged), ()), 2)
        0.5
    """
    numbers = [claim.number for claim in reply.claims]
    if sorted(numbers) != list(range(1, claims + 1)):
        raise UnusableReplyError(f"it judges the claims {numbers} of {claims}")
    return sum(claim.verdict == "stated" for claim in reply.claims) / claims


def supported_share(reply: GoldenClaimsReply, sentences: int) -> float:
    """Return the share of the answer's sentences that the claims or the evidence support.

    Example:
        >>> supported_share(GoldenClaimsReply("…", (), (2,)), 4)
        0.75
    """
    return 1 - len(_checked_numbers(reply.unsupported_sentences, sentences)) / sentences


def grade_to_score(grade: Grade) -> float:
    """Return a grade from 1 to 5 as a score from 0 to 1: (grade - 1) / 4.

    Grading after giving reasons follows G-Eval (Liu et al. 2023).

    Example:
        >>> grade_to_score(5), grade_to_score(3), grade_to_score(2)
        (1.0, 0.5, 0.25)
    """
    return (grade - 1) / 4


def context_precision(helpful: Collection[int], sentence_counts: Sequence[int]) -> float:
    """Return the mean of precision@rank over the ranks of the passages with a helpful sentence, 0 without one (Ragas).

    ``sentence_counts`` has the number of sentences of each passage; sentences are numbered from 1 across all passages.

    Example:
        >>> round(context_precision([1, 5, 6, 9], [2, 2, 2, 2, 1]), 4)
        0.7556
    """
    ends = list(accumulate(sentence_counts))
    useful = {bisect_left(ends, number) for number in _checked_numbers(helpful, sum(sentence_counts))}
    flags = [place in useful for place in range(len(sentence_counts))]
    return retrieval.context_precision(retrieval.Relevance([*map(int, flags)], flags, max(1, sum(flags))))


def context_recall(statements: Collection[GoldenStatement]) -> float:
    """Return the share of the golden answer's statements that the passages support (Ragas).

    Example:
        >>> context_recall([GoldenStatement(name, name in "ACE") for name in "ABCDE"])
        0.6
    """
    if not statements:
        raise UnusableReplyError("it names no statement of the golden answer")
    return sum(each.supported for each in statements) / len(statements)


def contextual_relevancy(helpful: Collection[int], sentences: int) -> float:
    """Return the share of the passages' sentences that help to answer (context relevance, Es et al. 2023).

    Example:
        >>> contextual_relevancy([1, 4], 8)
        0.25
    """
    return len(_checked_numbers(helpful, sentences)) / sentences if sentences else 0.0


def _checked_numbers(numbers: Collection[int], most: int) -> set[int]:
    """Return the distinct sentence numbers; raise an error if one is not between 1 and ``most``."""
    wrong = sorted(number for number in set(numbers) if not 1 <= number <= most)
    if wrong:
        raise UnusableReplyError(f"it names sentence {wrong[0]} of {most}")
    return set(numbers)
