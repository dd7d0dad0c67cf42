"""Retrieval metrics: pure functions of one ranking, read as which evidence each passage covers.

A question asks for ``groups`` pieces of evidence. A passage that newly covers m of them stands for m relevant
entries of the ranking, one that covers none, or nothing new, for one entry that is not relevant; NDCG and MAP read
this list of entries. Precision asks of each passage whether it covers any evidence, new or not. With one passage to
a group these are trec_eval's own definitions. Which passage covers what, and means over questions, are left out.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from math import log2


@dataclass(frozen=True, slots=True)
class Relevance:
    """One ranking against one question: ``new[i]`` groups first covered by passage i, ``covers[i]`` any group at all.

    ``groups`` is how many there are to cover. Derived, all counted from 1 and ascending: ``found``, for every covered
    group the rank of the passage that did it; ``places``, where the relevant entries stand in the list of entries;
    ``covering``, the ranks of the passages that cover any.

    Raises:
        ValueError: no groups, more covered than there are, or lists of unequal length.

    Example:
        >>> Relevance(new=[2, 0, 1], covers=[True, True, True], groups=4).places
        (1, 2, 4)
    """

    new: Sequence[int]
    covers: Sequence[bool]
    groups: int
    found: tuple[int, ...] = field(init=False)
    places: tuple[int, ...] = field(init=False)
    covering: tuple[int, ...] = field(init=False)

    def __post_init__(self) -> None:
        found: list[int] = []
        places: list[int] = []
        ahead = 0  # entries beyond one that the passages so far stand for
        for rank, gained in enumerate(self.new, 1):
            if gained:
                found.extend([rank] * gained)
                places.extend(range(rank + ahead, rank + ahead + gained))
                ahead += gained - 1
        if self.groups < 1 or len(found) > self.groups or len(self.new) != len(self.covers):
            raise ValueError(
                f"{len(found)} groups covered of {self.groups}, {len(self.new)} gains for {len(self.covers)} passages"
            )
        object.__setattr__(self, "found", tuple(found))
        object.__setattr__(self, "places", tuple(places))
        object.__setattr__(self, "covering", tuple(rank for rank, any_ in enumerate(self.covers, 1) if any_))


def by_id(ranking: Sequence[str], groups: Sequence[Collection[str]]) -> Relevance:
    """Read a ranking of ids against groups of ids, any one of which covers its group.

    An id that comes again keeps its place and counts for nothing: the first occurrence counts.

    Example:
        >>> by_id(["a", "x", "a", "b"], [{"a"}, {"b", "c"}]).found
        (1, 4)
    """
    wanted: dict[str, list[int]] = {}
    for number, group in enumerate(groups):
        for unit in group:
            wanted.setdefault(unit, []).append(number)
    new, covers = [0] * len(ranking), [False] * len(ranking)
    seen: set[str] = set()
    covered: set[int] = set()
    for place, unit in enumerate(ranking):
        if unit in wanted and unit not in seen:
            seen.add(unit)
            gained = set(wanted[unit]) - covered
            covered |= gained
            new[place], covers[place] = len(gained), True
    return Relevance(new, covers, len(groups))


def precision(relevance: Relevance, k: int) -> float:
    """Return the passages among the first ``k`` that cover any evidence, over ``k``, however few came back.

    Example:
        >>> precision(by_id(["a", "x", "b"], ["a", "b", "c"]), 5)
        0.4
    """
    return bisect_right(relevance.covering, k) / k


def recall(relevance: Relevance, k: int) -> float:
    """Return the groups covered by the first ``k`` passages, over all groups.

    Example:
        >>> round(recall(by_id(["a", "x", "b"], ["a", "b", "c"]), 5), 2)
        0.67
    """
    return bisect_right(relevance.found, k) / relevance.groups


def harmonic(a: float, b: float) -> float:
    """Return the harmonic mean of two shares, 0 when both are 0.

    Example:
        >>> round(harmonic(0.9, 0.1), 2)
        0.18
    """
    return 2 * a * b / (a + b) if a + b else 0.0


def f1(relevance: Relevance, k: int) -> float:
    """Return the harmonic mean of precision@k and recall@k.

    Example:
        >>> f1(by_id(["a", "x", "b"], ["a", "b"]), 4)
        0.6666666666666666
    """
    return harmonic(precision(relevance, k), recall(relevance, k))


def hit(relevance: Relevance, k: int) -> float:
    """Return 1 when any evidence is covered by the first ``k`` passages, else 0 (trec_eval's success).

    Example:
        >>> hit(by_id(["x", "a"], ["a"]), 1), hit(by_id(["x", "a"], ["a"]), 2)
        (0.0, 1.0)
    """
    return float(bool(relevance.found) and relevance.found[0] <= k)


def ndcg(relevance: Relevance, k: int) -> float:
    """Return the normalised discounted gain of the first ``k`` entries: gain 1, discount log2(place + 1).

    The ideal is that of all groups, cut at ``k``, whatever was retrieved (Järvelin and Kekäläinen 2002, in
    trec_eval's form).

    Example:
        >>> round(ndcg(by_id(["x", "a"], ["a"]), 5), 4)
        0.6309
    """
    gained = sum(1 / log2(place + 1) for place in relevance.places if place <= k)
    return gained / _ideal(min(k, relevance.groups)) if gained else 0.0


@lru_cache(maxsize=1024)
def _ideal(entries: int) -> float:
    return sum(1 / log2(place + 1) for place in range(1, entries + 1))


def average_precision(relevance: Relevance) -> float:
    """Return the mean, over all groups, of the precision at the entry that covers each; 0 for one never covered.

    Its mean over questions is MAP.

    Example:
        >>> round(average_precision(by_id(["a", "x", "b"], ["a", "b", "c"])), 4)
        0.5556
    """
    return sum(number / place for number, place in enumerate(relevance.places, 1)) / relevance.groups


def reciprocal_rank(relevance: Relevance) -> float:
    """Return 1 over the rank of the first passage that covers a group, 0 when none does; its mean is MRR.

    Example:
        >>> round(sum(reciprocal_rank(by_id(r, ["a"])) for r in (["x", "x", "a"], ["a"], ["x"])) / 3, 3)
        0.444
    """
    return 1 / relevance.found[0] if relevance.found else 0.0


def context_precision(relevance: Relevance) -> float:
    """Return the mean of precision@rank over the ranks of the passages that cover any evidence.

    Other than average precision it divides by what was retrieved, not by what there is to find.

    Example:
        >>> round(context_precision(Relevance([1, 0, 1, 0, 1], [True, False, True, False, True], 3)), 4)
        0.7556
    """
    covering = relevance.covering
    return sum(number / rank for number, rank in enumerate(covering, 1)) / len(covering) if covering else 0.0


def context_recall(relevance: Relevance) -> float:
    """Return the groups covered by all that was retrieved, over all groups.

    Example:
        >>> context_recall(by_id(list("ACE"), list("ABCDE")))
        0.6
    """
    return len(relevance.found) / relevance.groups
