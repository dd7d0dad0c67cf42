"""answered: the reader, who goes by words and the embedding alone, finds the question answered by its evidence.

It sees what a share of covered words does not: one name or figure out of ten that the evidence lacks, a denial, an
opposite. It is a weak judge (see ``benchmarks/answerable_roc.py``), so only what it doubts most goes.
"""

from __future__ import annotations

from kgsynth.base.records import Item, Rejection
from kgsynth.evidence.answer_likelihood import WEIGHTS, AnswerFeatures, answer_features
from kgsynth.evidence.knowledge import Knowledge
from kgsynth.generation.filters.context import FilterContext
from kgsynth.generation.writing import Candidate
from kgsynth.golden.metadata import with_scores


def judge(candidate: Candidate, context: FilterContext) -> Rejection | Item:
    """Turn away a question that the reader does not find answered; of one in other words the plain one is read."""
    limit, reading = context.thresholds["answered"], read(candidate, context)
    score = round(reading.probability, 4)
    if score < limit:
        against = [name for name, value in reading._asdict().items() if value and WEIGHTS[name] < 0]
        return Rejection("answered", f"a reader doubts the answer: {', '.join(against) or 'unlike'}", score, limit)
    return with_scores(candidate.item, answered=score)


def read(candidate: Candidate, context: FilterContext) -> AnswerFeatures:
    """Read a question beside its evidence, with the headings over it."""
    item, knowledge = candidate.item, context.knowledge
    question, text = item.metadata.get("plain") or item.question, stated(item, knowledge)
    headings = " ".join(
        title for fact in candidate.scenario.facts for title in knowledge.statements.section_of(fact).path
    )
    cosine = context.vectors.cosine(question, text)
    return answer_features(question, text, context.word_index(item.language), cosine=cosine, headings=headings)


def stated(item: Item, knowledge: Knowledge) -> str:
    """Return what the evidence says, the first span of each group."""
    spans = (group[0] for group in item.evidence)
    return " ".join(knowledge.documents[span.doc].plain(span.start, span.end) for span in spans)
