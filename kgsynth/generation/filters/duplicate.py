"""duplicate: no question asks what an accepted one, here or in an earlier set, has asked."""

from __future__ import annotations

from kgsynth.base.records import Item, Rejection
from kgsynth.evidence.bench import Bench
from kgsynth.generation.writing import Candidate

_OF_ALL_FACTS = frozenset(
    "aggregation arithmetic comparison cross_document_comparison side_by_side compound temporal_order".split()
)
"""Subtypes that ask for something all their facts make together."""


def judge(candidate: Candidate, bench: Bench) -> Rejection | Item:
    """Turn away a question with the words, the meaning, or the fact and answer of one already accepted."""
    item, scenario = candidate.item, candidate.scenario
    fact = scenario.facts[-1]
    place: tuple[object, ...] = (fact.id, fact.phrases[scenario.asked].start, item.question_type == "multi_context")
    if scenario.subtype in _OF_ALL_FACTS:
        place = (scenario.subtype, *(each.id for each in scenario.facts))
    if not item.answerable:
        place = (scenario.subtype, item.metadata.get("plain") or item.question)
    if place in bench.asked:
        return Rejection("duplicate", f"asks the same fact as {bench.asked[place]!r}")
    words, meaning = bench.alike(item.question), bench.nearest(item.question)
    for found, rule in ((words, "duplicate"), (meaning, "paraphrase")):
        if found is not None and found[0] >= bench.thresholds[rule]:
            return Rejection("duplicate", f"like {found[1]!r}", round(found[0], 4), bench.thresholds[rule])
    bench.asked[place] = item.question
    bench.accept(item.question)
    return item
