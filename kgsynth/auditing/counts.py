"""The numbers of a set that was audited: counts, and distributions a page can draw. Left out: any judgement of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from statistics import fmean, quantiles
from typing import Any

from kgsynth.auditing.case import AuditCase
from kgsynth.auditing.coverage import sections_asked, share_asked
from kgsynth.auditing.question_wording import overlaps
from kgsynth.auditing.topics import untouched
from kgsynth.language.words import words

_TOPICS = 20
_RANKS = (1, 3, 5, 10, 50)
_BINS = 10


def figures(case: AuditCase) -> dict[str, Any]:
    """Return the counts of the set, its coverage of the documents, and the spread of lengths, overlap and ranks.

    The ranks are None where the audit went by words alone.
    """
    answers = [
        max(len(words(answer)) for answer in item.golden_answers) for item in case.dataset if item.golden_answers
    ]
    ranks = [min(placed.ranks) for _, placed in case.ranked]
    return {
        **case.dataset.stats(),
        **share_asked(case),
        "question_words": _spread([len(words(item.question)) for item in case.dataset]),
        "answer_words": _spread(answers),
        "overlap": _spread(overlaps(case), width=1 / _BINS),
        "rank": {**_spread(ranks), "within": {str(k): sum(r <= k for r in ranks) for k in _RANKS}} if ranks else None,
        "coverage": _coverage(case),
    }


def _spread(values: Sequence[float], width: float = 1) -> dict[str, Any]:
    """Return the mean, quartiles and ends of some values, and how many lie in each bin, by where it begins."""
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
    """Return how many items ask about each document and section, and which topics none asks about."""
    asked, every = sections_asked(case)
    of_document: Counter[str] = Counter()
    for item in case.dataset:
        of_document.update({span.doc for group in item.evidence for span in group})
    parts = Counter(doc for doc, _ in every)
    touched = Counter(doc for doc, _ in asked)
    return {
        "documents": [
            {"doc": doc, "items": of_document[doc], "sections": parts[doc], "sections_asked": touched[doc]}
            for doc in sorted(case.documents)
        ],
        "sections": {"all": len(every), "asked": len(asked)},
        "topics": [{"topic": word, "passages": count} for word, count in untouched(case)[:_TOPICS]],
    }
