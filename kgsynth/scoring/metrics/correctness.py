"""Is the answer to a question right? The rule by which a question passes, and the cause if its words do not tell it."""

from __future__ import annotations

from kgsynth.base.shares import percent
from kgsynth.base.thresholds import LIMITS
from kgsynth.golden.answer_members import MEMBER_KINDS, STEPS
from kgsynth.scoring.metrics.answer_verdict import judge_words
from kgsynth.scoring.metrics.failure_causes import Cause
from kgsynth.scoring.metrics.members import has_members, in_order
from kgsynth.scoring.metrics.scored_case import ScoredCase


def judge_answer(case: ScoredCase) -> tuple[bool, Cause | None]:
    """Return whether the answer is wrong, and why if that is known before its passages are looked at.

    An answer with claims is right if it states ``claims_passed_share`` of them, denies none, and at least
    ``claims_supported_share`` of its statements are supported. Any other is right if it contains a golden answer, or
    all its members, and ``judge_words`` has no objection; steps must come in their order.
    """
    if case.item.claims:
        return _judge_claims(case)
    members = case.golden_texts if case.item.answer_kind in MEMBER_KINDS else ()
    wrong, kind = judge_words(case, whole=any(_has_members(case, each) for each in members))
    if not wrong and case.item.answer_kind == STEPS and not any(_in_order(case, each) for each in members):
        return True, Cause("steps out of order")
    return wrong, Cause(kind) if kind else None


def _has_members(case: ScoredCase, golden: str) -> bool:
    return has_members(case.plain_answer, golden, case.item.language)


def _in_order(case: ScoredCase, golden: str) -> bool:
    return in_order(case.plain_answer, golden, case.item.language)


def _judge_claims(case: ScoredCase) -> tuple[bool, Cause | None]:
    found, claims = case.claim_scores, case.item.claims
    if not case.answered or not (found.stated or found.denied):
        return True, None
    if found.denied:
        return True, Cause("the answer denies it", found.denied[0])
    if found.recall < LIMITS.claims_passed_share:
        missing = next(claim.text for claim in claims if claim.text not in found.stated)
        return True, Cause("claims missing", f"{len(claims) - len(found.stated)} of {len(claims)}, such as {missing!r}")
    if found.precision < LIMITS.claims_supported_share:
        return True, Cause("answer not supported", f"{percent(found.precision)} of its statements are supported")
    return False, None
