"""Partners for questions about two facts: people compare things from similar chunks."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, TypeVar

from kgsynth.base.records import Fact
from kgsynth.base.thresholds import LIMITS
from kgsynth.evidence.knowledge import Knowledge

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

T = TypeVar("T")


def most_similar_first(
    knowledge: Knowledge, members: Sequence[T], fact_of: Callable[[T], Fact], following: int | None = None
) -> Iterator[tuple[T, Iterator[tuple[T, float]]]]:
    """Yield each member with the others, each with the cosine of the chunks of their facts, the most similar first.

    With ``following`` the others are that many members after it; otherwise they are all, itself included.
    """
    rows = knowledge.vectors[[min(knowledge.chunks.holding([fact_of(member)]), default=0) for member in members]]
    for number, member in enumerate(members):
        others = slice(None) if following is None else slice(number + 1, number + 1 + following)
        yield member, _sorted(members[others], (rows[others] @ rows[number]).round(4))


def _sorted(members: Sequence[T], cosines: NDArray[np.float32]) -> Iterator[tuple[T, float]]:
    for place in (-cosines).argsort(kind="stable"):
        yield members[place], cosines[place]


def are_related(one: Fact, other: Fact, cosine: float) -> bool:
    """Check whether two facts belong to one document or to similar chunks, so that somebody may compare them."""
    return one.doc == other.doc or cosine >= LIMITS.related_cosine
