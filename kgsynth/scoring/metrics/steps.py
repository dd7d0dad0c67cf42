"""What the steps of a system that searches several times cover: which evidence is found by which step.

The evidence groups of a question on several passages are its hops, in their order. A hop that no step finds is lost at
the step after the one that found the hop before it, where it would have been next.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest
from typing import NamedTuple

from kgsynth.base.records import Passage, RetrievalStep

Ranks = Sequence[int | None]


@dataclass(frozen=True, slots=True)
class StepCoverage:
    """What the steps of one answer cover; steps, ranks and hops are counted from 1.

    ``found_at`` is the step that first covered each evidence group, ``depths`` the rank down to which the passages of
    all steps are needed to cover it (None: never). ``repeats`` counts the ``n_later`` passages of later steps that an
    earlier one had retrieved. ``queries`` has a query per step, "" if it is not known.
    """

    queries: tuple[str, ...]
    found_at: tuple[int | None, ...] = ()
    depths: tuple[int | None, ...] = ()
    repeats: int = 0
    n_later: int = 0

    def recall(self, k: int) -> float:
        """Return the share of the evidence groups that the first ``k`` passages of the steps cover together."""
        return sum(depth is not None and depth <= k for depth in self.depths) / len(self.depths)


def cover_steps(steps: Sequence[RetrievalStep], ranks_of: Callable[[Sequence[Passage]], Ranks]) -> StepCoverage:
    """Return what ``steps`` cover; ``ranks_of`` gives the ranks at which a ranking covers the evidence groups.

    Example:
        >>> red, blue = Passage(text="red"), Passage(text="blue")
        >>> def ranks_of(ranking):  # the only evidence is the blue passage
        ...     return [ranking.index(blue) + 1 if blue in ranking else None]
        >>> found = cover_steps([RetrievalStep("x", (red,)), RetrievalStep("y", (red, blue))], ranks_of)
        >>> found.found_at, found.depths, found.repeats, found.n_later
        ((2,), (2,), 1, 2)
    """
    step_of = [at for at, step in enumerate(steps, 1) for _ in step.retrieved]
    by_rank = list(zip_longest(*(step.retrieved for step in steps)))
    depth_of = [rank for rank, row in enumerate(by_rank, 1) for passage in row if passage is not None]
    in_order = [passage for step in steps for passage in step.retrieved]
    in_turn = [passage for row in by_rank for passage in row if passage is not None]
    keys = [{_key(passage) for passage in step.retrieved} for step in steps]
    repeats = [
        _key(passage) in set[object]().union(*keys[:at])
        for at, step in enumerate(steps)
        if at
        for passage in step.retrieved
    ]
    return StepCoverage(
        queries=tuple(step.query or "" for step in steps),
        found_at=_at_ranks(step_of, ranks_of(in_order)),
        depths=_at_ranks(depth_of, ranks_of(in_turn)),
        repeats=sum(repeats),
        n_later=len(repeats),
    )


def _at_ranks(places: Sequence[int], ranks: Ranks) -> tuple[int | None, ...]:
    return tuple(None if rank is None else places[rank - 1] for rank in ranks)


def _key(passage: Passage) -> tuple[object, ...]:
    where = (passage.start, passage.end) if passage.start is not None else (passage.text or passage.id,)
    return (passage.doc, *where)


# ---- hops ------------------------------------------------------------------------------------------


class HopResult(NamedTuple):
    """One evidence group of a question: whether it was found, and the step that found it or at which it was lost.

    ``step`` is None for a system without steps, or if no step followed the one that found the hop before.
    """

    found: bool
    step: int | None = None


def hops_of(ranks: Ranks, steps: StepCoverage | None) -> tuple[HopResult, ...]:
    """Return the hops of a question with several evidence groups, none for others.

    ``ranks`` are the ranks at which the groups are covered; they count for a system without steps.

    Example:
        >>> hops_of((1, None), None)
        (HopResult(found=True, step=None), HopResult(found=False, step=None))
        >>> hops_of((1, None), StepCoverage(("x", "y"), (1, None)))[1]
        HopResult(found=False, step=2)
    """
    if steps is None:
        return tuple(HopResult(rank is not None) for rank in ranks) if len(ranks) > 1 else ()
    hops: list[HopResult] = []
    following: int | None = 1
    for step in steps.found_at if len(ranks) > 1 else ():
        if step is None:
            hops.append(HopResult(False, following))
        else:
            hops.append(HopResult(True, step))
            following = step + 1 if step < len(steps.queries) else None
    return tuple(hops)


@dataclass(frozen=True, slots=True)
class HopCount:
    """How many questions have a hop, and how many of them found it, at which steps; and at which it was lost.

    The steps of systems without steps are not counted; 0 stands for "no step followed".
    """

    hop: int
    questions: int
    found: int
    found_at: Mapping[int, int] = field(default_factory=dict)
    lost_at: Mapping[int, int] = field(default_factory=dict)

    @property
    def lost(self) -> int:
        """The number of questions in which the hop was not found."""
        return self.questions - self.found

    def to_json(self) -> dict[str, object]:
        """Return the counts as they are written to scores.json."""
        counts = {"hop": self.hop, "questions": self.questions, "found": self.found, "lost": self.lost}
        steps = {"found_at": dict(self.found_at), "lost_at": dict(self.lost_at)}
        return {**counts, **(steps if any(steps.values()) else {})}


def count_hops(questions: Iterable[tuple[Sequence[HopResult], bool]]) -> list[HopCount]:
    """Return the counts of each hop over questions, given by their hops and whether the system has steps.

    Example:
        >>> hops = (HopResult(True), HopResult(False))
        >>> [(each.hop, each.questions, each.lost) for each in count_hops([(hops, False)])]
        [(1, 1, 0), (2, 1, 1)]
    """
    counts: list[tuple[list[HopResult], list[int], list[int]]] = []
    for hops, stepped in questions:
        for at, hop in enumerate(hops):
            if at == len(counts):
                counts.append(([], [], []))
            known, found, lost = counts[at]
            known.append(hop)
            if stepped:
                (found if hop.found else lost).append(hop.step or 0)
    return [
        HopCount(at, len(hops), sum(hop.found for hop in hops), _counted(found), _counted(lost))
        for at, (hops, found, lost) in enumerate(counts, 1)
    ]


def _counted(steps: Sequence[int]) -> dict[int, int]:
    return {step: steps.count(step) for step in sorted(set(steps))}
