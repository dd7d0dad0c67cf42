"""answerable: four criteria, all of which must hold; what cannot be judged fails.

Self-contained; a clear kind of answer, which the golden one is of; the evidence contains the answer; the evidence
covers what the question speaks of, so that it answers completely.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kgsynth.base.records import Fact, Item, Rejection
from kgsynth.base.vocabulary import Role
from kgsynth.evidence.knowledge import Knowledge
from kgsynth.generation.filters.context import FilterContext
from kgsynth.generation.writing import Candidate
from kgsynth.golden.metadata import with_scores
from kgsynth.language import language
from kgsynth.language.words import length_in_words

_COMPUTED = frozenset({"difference", "count"})
"""Operators whose answer need not stand in the evidence; ``grounded`` has computed it again."""


def judge(candidate: Candidate, context: FilterContext) -> Rejection | Item:
    """Turn away a question that its evidence alone does not answer."""
    item, documents = candidate.item, context.knowledge.documents
    reader = language(item.language)
    kind = reader.answer_kind(item.question)
    if not kind:
        return Rejection("answerable", "no clear kind of answer is asked for")
    if not reader.fits_kind(kind, item.golden_answers[0]):
        return Rejection("answerable", f"asks for a {kind}, the answer is {item.golden_answers[0]!r}")
    shown = " ".join(documents[span.doc].plain(span.start, span.end) for group in item.evidence for span in group[:1])
    held = set(reader.content_stems(shown))
    computed = item.derivation.get("operator") in _COMPUTED
    missing = [word for word in reader.content_stems(item.golden_answers[0]) if word not in held]
    if missing and not computed:
        return Rejection("answerable", f"the evidence does not hold {missing[0]!r} of the answer")
    titles = " ".join(
        title for fact in candidate.scenario.facts for title in context.knowledge.statements.section_of(fact).path
    )
    if rest := _cut_off(candidate, context):
        return Rejection("answerable", f"the answer goes on: {rest[:60]!r}")
    asked = set(reader.content_stems(item.metadata.get("plain") or item.question))
    share = len(asked & (held | set(reader.content_stems(titles)))) / len(asked) if asked else 0.0
    limit = context.thresholds["answerable"]
    if share < limit:
        return Rejection("answerable", "the evidence does not cover the question", round(share, 4), limit)
    return with_scores(item, answerable=share)


def _cut_off(candidate: Candidate, context: FilterContext) -> str:
    """Return what goes on behind an answer that its sentence has not ended with, "" when it is whole."""
    knowledge = context.knowledge
    by_id = {fact.id: fact for fact in candidate.scenario.facts}
    for step in candidate.item.derivation["steps"]:
        fact, span = by_id.get(str(step.get("fact"))), step.get("find")
        if fact is not None and span is not None:
            rest = knowledge.documents[fact.doc].plain(span["end"], fact.end).strip()
            reader = language(candidate.item.language)
            if _is_open(knowledge, fact, span["end"]) and reader.continues(rest, clause=_is_clause(fact, span)):
                return rest
    return ""


def _is_open(knowledge: Knowledge, fact: Fact, end: int) -> bool:
    """Say whether what follows an answer may belong to it: no other phrase or verb of its sentence begins there."""
    facts = knowledge.statements.facts_ending_at(fact.doc, fact.end)
    begins = [place for other in facts for place in (other.verb.start, *(p.start for p in other.phrases))]
    gaps = (knowledge.documents[fact.doc].plain(end, place) for place in begins if end <= place < end + 30)
    return not any(length_in_words(gap) <= 2 and not any(map(str.isdigit, gap)) for gap in gaps)


def _is_clause(fact: Fact, span: Mapping[str, Any]) -> bool:
    """Say whether an answer is a clause of its own, which ends where its sentence does."""
    phrase = next((p for p in fact.phrases if (p.start, p.end) == (span["start"], span["end"])), None)
    return phrase is None or phrase.role in {Role.CAUSE, Role.PURPOSE, Role.CONDITION, Role.OUTCOME}
