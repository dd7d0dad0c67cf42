"""Metrics of citations and of steps: how a system uses the evidence between its first search and its answer."""

from __future__ import annotations

from kgsynth.scoring.metrics.citations import cited_count, supported_share
from kgsynth.scoring.metrics.claims import claims_stated
from kgsynth.scoring.metrics.scored_case import ScoredCase


def citation_precision(case: ScoredCase) -> float:
    """Return the share of what an answer cites that covers evidence; a number without a passage covers none."""
    cited = cited_count(case.answer) if case.answer else 0
    return len(case.cited.relevant_ranks) / cited if case.cited and cited else 0.0


def citation_support(case: ScoredCase) -> float | None:
    """Return the share of the sentences with a claim that cite its evidence, None if no sentence states a claim."""
    if case.cited_groups is None:
        return None
    stated = claims_stated(case.plain_answer, case.claim_sources, case.claim_cosines)
    return supported_share(stated, case.cited_groups, case.item.claims)


def repeated_retrieval(case: ScoredCase) -> float | None:
    """Return the share of the passages of later steps that are repeats, None if no later step has passages."""
    return case.steps.repeats / case.steps.n_later if case.steps and case.steps.n_later else None
