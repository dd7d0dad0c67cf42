"""Golden answers that are lists: members parted by semicolons, and steps with their numbers."""

from __future__ import annotations

import re
from collections.abc import Sequence

STEPS = "steps"
"""The kind of answer whose members come in an order."""
COMPOSED = "composed"
"""The kind of a long answer, which is compared by its claims."""
MEMBER_KINDS = frozenset({"list", STEPS})
"""Kinds of answers that have members."""

_STEP = re.compile(r"(?:^|(?<=\s))(?P<number>\d{1,2})\. ")


def joined_members(members: Sequence[str], *, steps: bool = False) -> str:
    """Return the answer that has these members.

    Example:
        >>> joined_members(["red", "blue"]), joined_members(["Stop.", "Wait."], steps=True)
        ('red; blue', '1. Stop. 2. Wait.')
    """
    if steps:
        return " ".join(f"{number}. {member}" for number, member in enumerate(members, 1))
    return "; ".join(members)


def answer_members(answer: str) -> tuple[str, ...]:
    """Return the members of an answer that ``joined_members`` made, in order; the whole answer if it has one.

    Example:
        >>> answer_members("red; blue"), answer_members("1. Stop. 2. Wait 3. times."), answer_members("red")
        (('red', 'blue'), ('Stop.', 'Wait', 'times.'), ('red',))
    """
    starts: list[re.Match[str]] = []
    for match in _STEP.finditer(answer):
        if int(match["number"]) == len(starts) + 1 and (starts or match.start() == 0):
            starts.append(match)
    if len(starts) > 1:
        ends = [*(match.start() for match in starts[1:]), len(answer)]
        return tuple(answer[match.end() : end].strip() for match, end in zip(starts, ends, strict=True))
    return tuple(part for part in map(str.strip, answer.split(";")) if part)
