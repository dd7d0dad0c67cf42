"""leaking: the question does not hold its own answer."""

from __future__ import annotations

from kgsynth.filters.bench import Bench, scored
from kgsynth.language import language
from kgsynth.quantities import digits
from kgsynth.records import Item, Rejection
from kgsynth.writing import Candidate

_NAMES_ITS_ANSWERS = frozenset({"comparison", "cross_document_comparison", "temporal_order"})


def judge(candidate: Candidate, bench: Bench) -> Rejection | Item:
    """Turn away a question in which too many of the answer's content words stand.

    Numbers count the same in words and in figures. A comparison names its answers, and is let through.
    """
    item = candidate.item
    if item.subtype in _NAMES_ITS_ANSWERS or not item.answerable:
        return item
    reader = language(item.language)
    free = reader.granted(item.question)
    answer = {word for word in reader.content(digits(item.golden_answers[0].lower())) if not free(word)}
    question = set(reader.content(digits(item.question.lower())))
    if not answer:
        return Rejection("leaking", "the answer says no more than the question", 1.0, bench.thresholds["leaking"])
    share = len(answer & question) / len(answer)
    limit = bench.thresholds["leaking"]
    if share >= limit:
        return Rejection("leaking", f"holds {', '.join(sorted(answer & question))}", round(share, 4), limit)
    return scored(item, leaking=share)
