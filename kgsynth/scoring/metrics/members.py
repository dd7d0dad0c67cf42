"""Compare an answer with the members of a golden answer that is a list."""

from __future__ import annotations

from collections.abc import Sequence

from kgsynth.base.thresholds import LIMITS
from kgsynth.golden.answer_members import answer_members
from kgsynth.language.words import words
from kgsynth.scoring.metrics.factual_overlap import content_words


def member_recall(answer: str, golden: Sequence[str], code: str = "en") -> float:
    """Return the share of the members of a golden answer that are in the answer, with the best golden answer.

    A member is in the answer if most of its content words are, in any order.

    Example:
        >>> member_recall("You need a passport and two recent photos.", ["a passport; two photos; the fee"])
        0.6666666666666666
    """
    present = set(content_words(answer, code)) | set(words(answer))
    return max((_share(answer_members(each), present, code) for each in golden), default=0.0)


def _share(members: Sequence[str], present: set[str], code: str) -> float:
    found = 0
    for member in members:
        wanted = set(content_words(member, code) or words(member))
        found += bool(wanted) and len(wanted & present) >= LIMITS.member_found_share * len(wanted)
    return found / len(members) if members else 0.0
