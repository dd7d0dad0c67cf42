"""Lines and tables that the reports of ``score`` share: refusals, sizes of passages, and hops."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from kgsynth.scoring.metrics.steps import HopCount
from kgsynth.scoring.metrics.summary import Value
from kgsynth.show.tables import figure


def refusals_text(counts: Mapping[str, int]) -> str:
    """Return how many questions were answered and declined, and how many answers were empty if any were."""
    empty = f", {counts['empty']} empty" if counts.get("empty") else ""
    return f"{counts['answered']} answered, {counts['refused']} declined{empty}"


def passage_sizes(metrics: Mapping[str, Value]) -> str:
    """Return how many passages and words a question retrieves, "" if that is not known."""
    number, size = (
        metrics[name].value if name in metrics else None for name in ("passages_returned", "retrieved_words")
    )
    if not number or size is None:
        return ""
    return f"{number:.3g} per question, {size / number:,.0f} words on average ({size:,.0f} in all)"


def hops_table(hops: Sequence[HopCount]) -> tuple[list[str], list[list[str]]]:
    """Return the head and rows of a table of hops; with the steps if the system has any.

    Example:
        >>> hops_table([HopCount(1, 4, 4, {1: 4}), HopCount(2, 4, 1, {2: 1}, {2: 2, 0: 1})])[1]
        [['1', '4', '4', '1.000', '0', '1: 4', ''], ['2', '4', '1', '0.250', '3', '2: 1', '2: 2, no step followed: 1']]
    """
    rows = [
        [
            *map(str, (each.hop, each.questions, each.found)),
            figure(each.found / each.questions),
            str(each.lost),
            _by_step(each.found_at),
            _by_step(each.lost_at),
        ]
        for each in hops
    ]
    head = ["hop", "questions", "found", "share", "lost", "found at step", "lost at step"]
    shown = len(head) if any(each.found_at or each.lost_at for each in hops) else len(head) - 2
    return head[:shown], [row[:shown] for row in rows]


def _by_step(counts: Mapping[int, int]) -> str:
    return ", ".join(f"{step or 'no step followed'}: {count}" for step, count in counts.items())
