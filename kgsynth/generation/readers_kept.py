"""What strict readers kept of the questions of each type: measured on other folders, and no promise for these.

The source is docs/quality.md, "On folders nobody had tuned on" (2026-11): a question is kept if it is valid and worth
asking. Every question was graded by two readers.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple


class KeptShare(NamedTuple):
    """The share of gradings that kept the question, in per cent, and the number of gradings."""

    percent: int
    gradings: int


KEPT_HEAD = (
    "Share of questions of each type that strict readers would keep (on four other folders; n gradings by two readers)"
)
"""What the shares are, and where they were measured."""

READERS_KEPT = {
    "simple": KeptShare(31, 120),
    "reasoning": KeptShare(31, 80),
    "multi_context": KeptShare(0, 80),
    "conditional": KeptShare(24, 70),
}
"""Question type -> what readers kept of the questions written by rules."""

REWORDED_KEPT = KeptShare(52, 62)
"""What readers kept of the questions of all types that a strong language model reworded."""


def kept_lines(types: Iterable[str], *, reworded: bool) -> list[str]:
    """Return what readers kept of questions of these types, as lines for a terminal.

    Example:
        >>> kept_lines(["simple", "unanswerable"], reworded=False)[1]
        '  simple 31 % (n=120), unanswerable not measured'
    """
    if reworded:
        return [f"{KEPT_HEAD}:", f"  all types, reworded by a strong language model {_text(REWORDED_KEPT)}"]
    return [f"{KEPT_HEAD}:", "  " + ", ".join(f"{name} {_text(READERS_KEPT.get(name))}" for name in types)]


def kept_by_type(types: Iterable[str], *, reworded: bool) -> dict[str, str]:
    """Return what readers kept of questions of each type, for a table; of reworded ones types were not told apart.

    Example:
        >>> kept_by_type(["simple", "unanswerable"], reworded=False)
        {'simple': '31 % (n=120)', 'unanswerable': 'not measured'}
    """
    return {name: _text(REWORDED_KEPT if reworded else READERS_KEPT.get(name)) for name in types}


def _text(share: KeptShare | None) -> str:
    return f"{share.percent} % (n={share.gradings})" if share else "not measured"
