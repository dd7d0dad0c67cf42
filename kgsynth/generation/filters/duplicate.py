"""duplicate: no accepted question, of this run or of an earlier set, asks the same."""

from __future__ import annotations

from kgsynth.base.records import Item, Rejection
from kgsynth.generation.filters.context import FilterContext
from kgsynth.generation.writing import Candidate


def judge(candidate: Candidate, context: FilterContext) -> Rejection | Item:
    """Reject a question with the words, the meaning, or the fact and asked phrase of an accepted one."""
    item, scenario = candidate.item, candidate.scenario
    if item.id in context.accepted.asked:
        return Rejection("duplicate", "has the question, the answers and the evidence text of another candidate")
    if scenario.structure or not scenario.facts:  # a question of an LLM is told by its words and meaning alone
        place: tuple[object, ...] = tuple(fact.id for fact in scenario.structure) or (item.question,)
    else:
        fact = scenario.facts[-1]
        place = (fact.id, fact.phrases[scenario.asked].start, item.question_type == "multi_context")
    if not item.answerable:
        place = (scenario.subtype, item.metadata.get("plain") or item.question)
    if place in context.accepted.asked:
        return Rejection("duplicate", f"asks the same fact as {context.accepted.asked[place]!r}")
    if rejection := like_accepted(item.question, context):
        return rejection
    context.accepted.asked |= {place: item.question, item.id: item.question}
    context.accepted.add(item.question)
    return item


def like_accepted(question: str, context: FilterContext) -> Rejection | None:
    """Return the rejection of a question with the words or the meaning of an accepted one, None if there is none."""
    words, meaning = context.accepted.most_similar(question), context.accepted.nearest(question)
    for found, rule in ((words, "duplicate"), (meaning, "paraphrase")):
        if found is not None and found[0] >= context.thresholds[rule]:
            return Rejection("duplicate", f"like {found[1]!r}", round(found[0], 4), context.thresholds[rule])
    return None
