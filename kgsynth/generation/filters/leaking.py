"""leaking: the question does not hold its own answer."""

from __future__ import annotations

from kgsynth.base.records import Item, Rejection
from kgsynth.evidence.bench import Bench, scored
from kgsynth.evidence.question_checks import given_away
from kgsynth.generation.writing import Candidate

_NAMES_ITS_ANSWERS = frozenset({"comparison", "cross_document_comparison", "temporal_order"})


def judge(candidate: Candidate, bench: Bench) -> Rejection | Item:
    """Turn away a question in which too many of the answer's content words stand.

    A comparison names its answers, and is let through.
    """
    item, limit = candidate.item, bench.thresholds["leaking"]
    if item.subtype in _NAMES_ITS_ANSWERS:
        return item
    share, held = given_away(item.question, item.golden_answers[0], item.language)
    if share >= limit:
        detail = f"holds {', '.join(held)}" if held else "the answer says no more than the question"
        return Rejection("leaking", detail, round(share, 4), limit)
    return scored(item, leaking=share)
