"""Retrieval metrics: pure functions of one ranking, given as which evidence each passage covers.

A question has ``n_groups`` evidence groups. For NDCG and MAP the ranking is read as a list of entries: a passage that
newly covers m groups counts as m relevant entries, any other passage as one irrelevant entry. Precision counts a
passage that covers any evidence, new or not. With one passage per group these are trec_eval's definitions.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from math import log2


@dataclass(frozen=True, slots=True)
class Relevance:
    """Which evidence groups the passages of one ranking cover.

    For passage i, ``newly_covered[i]`` counts the groups that it is the first to cover, and ``covers_any[i]`` says
    whether it covers any group. ``n_groups`` is the number of groups to cover. Three lists are derived, ascending and
    counted from 1: ``group_ranks``, the rank at which each covered group was covered; ``entry_positions``, those of the
    relevant entries in the list of entries; ``relevant_ranks``, the ranks of the passages that cover any group.

    Raises:
        ValueError: there are no groups, more are covered than exist, or the lists differ in length.

    Example:
        >>> Relevance(newly_covered=[2, 0, 1], covers_any=[True, True, True], n_groups=4).entry_positions
        (1, 2, 4)
    """

    newly_covered: Sequence[int]
    covers_any: Sequence[bool]
    n_groups: int
    group_ranks: tuple[int, ...] = field(init=False)
    entry_positions: tuple[int, ...] = field(init=False)
    relevant_ranks: tuple[int, ...] = field(init=False)

    def __post_init__(self) -> None:
        ranks: list[int] = []
        positions: list[int] = []
        extra_entries = 0  # passages so far that cover several groups push later entries down
        for rank, gained in enumerate(self.newly_covered, 1):
            if gained:
                ranks.extend([rank] * gained)
                positions.extend(range(rank + extra_entries, rank + extra_entries + gained))
                extra_entries += gained - 1
        if self.n_groups < 1 or len(ranks) > self.n_groups or len(self.newly_covered) != len(self.covers_any):
            raise ValueError(
                f"{len(ranks)} of {self.n_groups} groups covered, {len(self.newly_covered)} gains for "
                f"{len(self.covers_any)} passages"
            )
        object.__setattr__(self, "group_ranks", tuple(ranks))
        object.__setattr__(self, "entry_positions", tuple(positions))
        object.__setattr__(self, "relevant_ranks", tuple(rank for rank, any_ in enumerate(self.covers_any, 1) if any_))


def by_id(ranking: Sequence[str], groups: Sequence[Collection[str]]) -> Relevance:
    """Return the relevance of a ranking of ids, where any id of a group covers that group.

    A repeated id keeps its rank but counts as irrelevant: only its first occurrence counts.

    Example:
        >>> by_id(["a", "x", "a", "b"], [{"a"}, {"b", "c"}]).group_ranks
        (1, 4)
    """
    groups_of: dict[str, list[int]] = {}
    for number, group in enumerate(groups):
        for unit in group:
            groups_of.setdefault(unit, []).append(number)
    newly_covered, covers_any = [0] * len(ranking), [False] * len(ranking)
    seen: set[str] = set()
    covered: set[int] = set()
    for place, unit in enumerate(ranking):
        if unit in groups_of and unit not in seen:
            seen.add(unit)
            gained = set(groups_of[unit]) - covered
            covered |= gained
            newly_covered[place], covers_any[place] = len(gained), True
    return Relevance(newly_covered, covers_any, len(groups))


def precision(relevance: Relevance, k: int) -> float:
    """Return the share of the first ``k`` passages that cover evidence; missing passages count as irrelevant.

    Example:
        >>> precision(by_id(["a", "x", "b"], ["a", "b", "c"]), 5)
        0.4
    """
    return bisect_right(relevance.relevant_ranks, k) / k


def recall(relevance: Relevance, k: int) -> float:
    """Return the share of the evidence groups that the first ``k`` passages cover.

    Example:
        >>> round(recall(by_id(["a", "x", "b"], ["a", "b", "c"]), 5), 2)
        0.67
    """
    return bisect_right(relevance.group_ranks, k) / relevance.n_groups


def harmonic_mean(a: float, b: float) -> float:
    """Return the harmonic mean of two shares, 0 when both are 0.

    Example:
        >>> round(harmonic_mean(0.9, 0.1), 2)
        0.18
    """
    return 2 * a * b / (a + b) if a + b else 0.0


def f1(relevance: Relevance, k: int) -> float:
    """Return the harmonic mean of precision@k and recall@k.

    Example:
        >>> f1(by_id(["a", "x", "b"], ["a", "b"]), 4)
        0.6666666666666666
    """
    return harmonic_mean(precision(relevance, k), recall(relevance, k))


def hit(relevance: Relevance, k: int) -> float:
    """Return 1 when the first ``k`` passages cover any evidence, otherwise 0 (trec_eval's success).

    Example:
        >>> hit(by_id(["x", "a"], ["a"]), 1), hit(by_id(["x", "a"], ["a"]), 2)
        (0.0, 1.0)
    """
    return float(bool(relevance.group_ranks) and relevance.group_ranks[0] <= k)


def ndcg(relevance: Relevance, k: int) -> float:
    """Return the normalised discounted gain of the first ``k`` entries, with gain 1 and discount log2(position + 1).

    The ideal ranking has all groups first, cut at ``k`` (Järvelin and Kekäläinen 2002, as in trec_eval).

    Example:
        >>> round(ndcg(by_id(["x", "a"], ["a"]), 5), 4)
        0.6309
    """
    gained = sum(1 / log2(position + 1) for position in relevance.entry_positions if position <= k)
    return gained / _ideal_gain(min(k, relevance.n_groups)) if gained else 0.0


@lru_cache(maxsize=1024)
def _ideal_gain(entries: int) -> float:
    return sum(1 / log2(position + 1) for position in range(1, entries + 1))


def average_precision(relevance: Relevance) -> float:
    """Return the mean over all groups of the precision at the entry that covers the group, 0 for one not covered.

    Its mean over questions is MAP.

    Example:
        >>> round(average_precision(by_id(["a", "x", "b"], ["a", "b", "c"])), 4)
        0.5556
    """
    precisions = (number / position for number, position in enumerate(relevance.entry_positions, 1))
    return sum(precisions) / relevance.n_groups


def reciprocal_rank(relevance: Relevance) -> float:
    """Return 1 over the rank of the first passage that covers a group, 0 when none does; the mean is MRR.

    Example:
        >>> round(sum(reciprocal_rank(by_id(r, ["a"])) for r in (["x", "x", "a"], ["a"], ["x"])) / 3, 3)
        0.444
    """
    return 1 / relevance.group_ranks[0] if relevance.group_ranks else 0.0


def context_precision(relevance: Relevance) -> float:
    """Return the mean of precision@rank over the ranks of the passages that cover evidence.

    Unlike average precision, it divides by the relevant passages retrieved, not by the groups to find.

    Example:
        >>> round(context_precision(Relevance([1, 0, 1, 0, 1], [True, False, True, False, True], 3)), 4)
        0.7556
    """
    ranks = relevance.relevant_ranks
    return sum(number / rank for number, rank in enumerate(ranks, 1)) / len(ranks) if ranks else 0.0


def context_recall(relevance: Relevance) -> float:
    """Return the share of the evidence groups that all retrieved passages cover.

    Example:
        >>> context_recall(by_id(list("ACE"), list("ABCDE")))
        0.6
    """
    return len(relevance.group_ranks) / relevance.n_groups
