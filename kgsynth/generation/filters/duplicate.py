"""duplicate: no accepted question, of this run or of an earlier set, asks the same."""

from __future__ import annotations

from kgsynth.base.records import Item, Rejection
from kgsynth.generation.filters.context import FilterContext
from kgsynth.generation.writing import Candidate
from kgsynth.golden.subtypes import traits_of


def judge(candidate: Candidate, context: FilterContext) -> Rejection | Item:
    """Reject a question with the words, the meaning, or the fact and asked phrase of an accepted one."""
    item, scenario = candidate.item, candidate.scenario
    if item.id in context.accepted.asked:
        return Rejection("duplicate", "has the question, the answers and the evidence text of another candidate")
    if scenario.structure:
        place: tuple[object, ...] = tuple(fact.id for fact in scenario.structure)
    else:
        fact = scenario.facts[-1]
        place = (fact.id, fact.phrases[scenario.asked].start, item.question_type == "multi_context")
    if traits_of(scenario.subtype).joint:
        place = (scenario.subtype, *(each.id for each in scenario.facts))
    if not item.answerable:
        place = (scenario.subtype, item.metadata.get("plain") or item.question)
    if place in context.accepted.asked:
        return Rejection("duplicate", f"asks the same fact as {context.accepted.asked[place]!r}")
    words, meaning = context.accepted.most_similar(item.question), context.accepted.nearest(item.question)
    for found, rule in ((words, "duplicate"), (meaning, "paraphrase")):
        if found is not None and found[0] >= context.thresholds[rule]:
            return Rejection("duplicate", f"like {found[1]!r}", round(found[0], 4), context.thresholds[rule])
    context.accepted.asked |= {place: item.question, item.id: item.question}
    context.accepted.add(item.question)
    return item
