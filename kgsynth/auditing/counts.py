"""The statistics of an audited set: counts, and distributions that a page can draw."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from statistics import fmean, quantiles
from typing import Any

from kgsynth.auditing.case import AuditCase
from kgsynth.auditing.coverage import topics_without_questions
from kgsynth.auditing.question_wording import overlaps
from kgsynth.golden.metadata import with_scores
from kgsynth.language.text_words import says_yes_or_no
from kgsynth.language.words import words
from kgsynth.ranking.features import Surroundings, features, texts_to_embed
from kgsynth.ranking.model import Rankers
from kgsynth.ranking.promise import is_estimated, promised

_MAX_TOPICS = 20
_RANK_CUTOFFS = (1, 3, 5, 10, 50)
_SHARE_BINS = 10


def set_statistics(case: AuditCase) -> dict[str, Any]:
    """Return the counts of the set, its coverage of the documents, and the distributions of lengths, overlap and ranks.

    The ranks are None without an embedding model.
    """
    answers = [
        max(len(words(answer)) for answer in item.golden_answers) for item in case.dataset if item.golden_answers
    ]
    ranks = [min(evidence.ranks) for _, evidence in case.ranked_items]
    within = {str(k): sum(rank <= k for rank in ranks) for k in _RANK_CUTOFFS}
    return {
        **case.dataset.stats(),
        "documents_long": len(case.coverage.long),
        "documents_asked": len(case.coverage.long) - len(case.coverage.unasked),
        "question_words": _distribution([len(words(item.question)) for item in case.dataset]),
        "answer_words": _distribution(answers),
        "overlap": _distribution(overlaps(case), width=1 / _SHARE_BINS),
        "rank": {**_distribution(ranks), "within": within} if ranks else None,
        "coverage": _coverage(case),
        "keep": _keep_estimate(case),
        "yes_no": sum(any(map(says_yes_or_no, item.golden_answers)) for item in case.dataset),
    }


def _distribution(values: Sequence[float], width: float = 1) -> dict[str, Any]:
    """Return the mean, quartiles and extremes of some values, and how many are in each bin, by the start of the bin."""
    if not values:
        return {"n": 0, "mean": None, "quartiles": None, "least": None, "most": None, "bins": {}}
    quartiles = quantiles(values, n=4, method="inclusive") if len(values) > 1 else [values[0]] * 3
    bins = Counter(
        round(min(int(value / width + 1e-9), round(1 / width) - 1 if width < 1 else value) * width, 9)
        for value in values
    )
    return {
        "n": len(values),
        "mean": round(fmean(values), 4),
        "quartiles": [round(value, 4) for value in quartiles],
        "least": round(min(values), 4),
        "most": round(max(values), 4),
        "bins": {f"{start:g}": bins[start] for start in sorted(bins)},
    }


def _coverage(case: AuditCase) -> dict[str, Any]:
    """Return how many items ask about each document and section, and the topics without questions."""
    pages = case.coverage.documents
    return {
        "documents": [
            {"doc": page.doc, "items": page.questions, "sections": page.sections, "sections_asked": len(page.asked)}
            for page in pages
        ],
        "sections": {"all": case.coverage.sections, "asked": case.coverage.sections_asked},
        "topics": [{"topic": word, "passages": count} for word, count in topics_without_questions(case)[:_MAX_TOPICS]],
    }


def _keep_estimate(case: AuditCase) -> dict[str, Any]:
    """Return the promise of the set, as the rankers of today estimate it.

    What cannot be computed, such as embeddings in a quick audit, is taken as the average.
    """
    rankers = Rankers()
    items = list(filter(is_estimated, case.dataset))
    if not items:
        return promised(case.dataset, rankers).to_json()
    around = Surroundings(case.documents)
    vectors = case.vectors if case.resources.encode else None
    if vectors is not None:
        vectors.add(item.golden_answers[0] for item in items if item.golden_answers)  # one feature asks with the answer
        compared = (text for item in items for text in texts_to_embed(item, around))
        vectors.add([item.question for item in items], compared)
    ranks = {item.id: ranked for item, ranked in case.ranked_items}
    keeps: dict[str, float] = {}
    for item in items:
        found = ranks.get(item.id)
        known = with_scores(item, rank=max(found.ranks), margin=found.margin) if found else item
        keeps[item.id] = rankers.of(item.language).keep(features(known, around, vectors, kind=item.subtype))
    ranked = (with_scores(item, keep=keeps[item.id]) if item.id in keeps else item for item in case.dataset)
    return promised(ranked, rankers).to_json()
