"""The share of a set that a strict reader would keep, as the ranker estimates it; for sets of any origin."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from kgsynth.auditing.case import AuditCase
from kgsynth.base.choices import LANGUAGE_PACKAGES
from kgsynth.base.quotas import percent
from kgsynth.base.records import Item
from kgsynth.golden.metadata import with_scores
from kgsynth.golden.subtypes import SUBTYPES
from kgsynth.ranking.features import features, texts_to_embed
from kgsynth.ranking.model import Fitted, Rankers
from kgsynth.ranking.promise import fitted_json, fitted_to, promise
from kgsynth.ranking.surroundings import Surroundings


def keep_estimate(case: AuditCase) -> dict[str, Any] | None:
    """Return the estimated share with its interval, and what it rests on; None without a question for it.

    Only answerable items in a supported language are estimated. What cannot be computed, such as embeddings in a quick
    audit, is taken as the average.
    """
    asked = (item for item in case.dataset if item.answerable and item.question.strip())
    items = [item for item in asked if item.language in LANGUAGE_PACKAGES]
    around = Surroundings(case.documents)
    vectors = case.vectors if case.resources.encode else None
    if vectors is not None:
        vectors.add(item.golden_answers[0] for item in items if item.golden_answers)  # one feature asks with the answer
        compared = (text for item in items for text in texts_to_embed(item, around))
        vectors.add([item.question for item in items], compared)
    rankers, ranks = Rankers(), {item.id: ranked for item, ranked in case.ranked_items}
    keeps: list[tuple[float, Fitted]] = []
    for item in items:
        found = ranks.get(item.id)
        known = with_scores(item, rank=max(found.ranks), margin=found.margin) if found else item
        ranker = rankers.of(item.language)
        keeps.append((ranker.keep(features(known, around, vectors, kind=_kind(item))), ranker.fitted))
    estimate = promise(keeps)
    fitted = {item.language: rankers.of(item.language).fitted for item in items}
    return {**asdict(estimate), "rankers": fitted_json(fitted)} if estimate else None


def _kind(item: Item) -> str:
    """Return the subtype of an item that kgsynth wrote, "" for one of another tool."""
    return item.subtype if item.subtype in SUBTYPES else ""


def estimate_sentence(found: Mapping[str, Any]) -> str:
    """Return the estimate in words, with what it rests on.

    Example:
        >>> rankers = {"en": {"questions": 700, "folders": 14, "languages": ["en"]}}
        >>> estimate_sentence({"share": 0.5, "low": 0.4, "high": 0.6, "rankers": rankers}).partition(": ")[2]
        '50 % (95 % interval 40 to 60; fitted to 700 graded questions that rules wrote, of 14 folders)'
    """
    share, low, high = percent(found["share"]), *(f"{100 * found[key]:.0f}" for key in ("low", "high"))
    fitted = fitted_to(found["rankers"], "graded questions that rules wrote,")
    return f"estimated share a strict reader would keep: {share} (95 % interval {low} to {high}; fitted to {fitted})"
