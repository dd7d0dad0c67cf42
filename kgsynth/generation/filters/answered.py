"""answered: the evidence probably answers the question, as estimated from words and embeddings.

The estimate (``evidence.answer_likelihood``) sees what a share of words does not: a name or figure that the evidence
lacks, a denial, an opposite. It is weak (see ``benchmarks/answerable_roc.py``), so only the lowest are rejected.
"""

from __future__ import annotations

from kgsynth.base.records import Item, Rejection, Scenario
from kgsynth.evidence.answer_likelihood import WEIGHTS, AnswerFeatures, answer_features
from kgsynth.evidence.knowledge import Knowledge
from kgsynth.generation.filters.context import FilterContext
from kgsynth.generation.writing import Candidate
from kgsynth.golden.metadata import with_scores


def judge(candidate: Candidate, context: FilterContext) -> Rejection | Item:
    """Reject a question that its evidence is unlikely to answer; of a reworded one the original is judged."""
    limit, reading = context.thresholds["answered"], read(candidate, context)
    score = round(reading.probability, 4)
    if score < limit:
        lowering = [name for name, value in reading._asdict().items() if value and WEIGHTS[name] < 0]
        return Rejection(
            "answered",
            f"the evidence probably does not answer it: {', '.join(lowering) or 'low similarity'}",
            score,
            limit,
        )
    return with_scores(candidate.item, answered=score)


def read(candidate: Candidate, context: FilterContext) -> AnswerFeatures:
    """Compare a question with its evidence and the headings above it."""
    item, knowledge = candidate.item, context.knowledge
    question, text = item.metadata.get("plain") or item.question, evidence_text(item, knowledge)
    cosine, headings = context.vectors.cosine(question, text), headings_of(candidate.scenario, knowledge)
    return answer_features(question, text, context.word_index(item.language), cosine=cosine, headings=headings)


def evidence_text(item: Item, knowledge: Knowledge) -> str:
    """Return the text of the first span of each evidence group."""
    spans = (group[0] for group in item.evidence)
    return " ".join(knowledge.documents[span.doc].plain(span.start, span.end) for span in spans)


def headings_of(scenario: Scenario, knowledge: Knowledge) -> str:
    """Return the headings above the facts of a scenario."""
    if scenario.structure:
        documents = knowledge.documents
        return " ".join(" ".join(documents[fact.doc].sections[fact.section].path) for fact in scenario.structure)
    return " ".join(title for fact in scenario.facts for title in knowledge.statements.section_of(fact).path)
