"""answerable: the question asks for a clear kind of answer, and the evidence contains it and covers the question.

The golden answer must be of the kind that is asked for, complete, and not denied. A question that cannot be judged is
rejected.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kgsynth.base.records import Fact, Item, Rejection
from kgsynth.base.thresholds import LIMITS
from kgsynth.base.vocabulary import Role
from kgsynth.evidence.knowledge import Knowledge
from kgsynth.generation.filters.answered import evidence_text, headings_of
from kgsynth.generation.filters.context import FilterContext
from kgsynth.generation.writing import Candidate
from kgsynth.golden.metadata import with_scores
from kgsynth.language import language
from kgsynth.language.lengths import length_in_words


def judge(candidate: Candidate, context: FilterContext) -> Rejection | Item:
    """Reject a question that its evidence alone does not answer."""
    item = candidate.item
    if candidate.scenario.structure:
        return item
    reader = language(item.language)
    kind = reader.answer_kind(item.question)
    if not kind:
        return Rejection("answerable", "no clear kind of answer is asked for")
    if not reader.fits_kind(kind, item.golden_answers[0]):
        return Rejection("answerable", f"asks for a {kind}, but the answer is {item.golden_answers[0]!r}")
    text, answer = evidence_text(item, context.knowledge), item.golden_answers[0]
    evidence = set(reader.content_stems(text))
    found = answer in text  # where words are not spaced, an answer may be cut otherwise than in its sentence
    missing = [] if found else [word for word in reader.content_stems(answer) if word not in evidence]
    if missing:
        return Rejection("answerable", f"{missing[0]!r} of the answer is not in the evidence")
    if rest := _cut_off(candidate, context):
        return Rejection("answerable", f"the sentence continues the answer: {rest[:60]!r}")
    if denial := _denial(candidate, context):
        return Rejection("answerable", f"the evidence denies the answer: {denial[:60]!r}")
    asked = set(reader.content_stems(item.metadata.get("plain") or item.question))
    headings = set(reader.content_stems(headings_of(candidate.scenario, context.knowledge)))
    share = len(asked & (evidence | headings)) / len(asked) if asked else 0.0
    limit = context.thresholds["answerable"]
    if share < limit:
        return Rejection("answerable", "the evidence does not cover the question", round(share, 4), limit)
    return with_scores(item, answerable=share)


def _cut_off(candidate: Candidate, context: FilterContext) -> str:
    """Return the rest of the sentence if it continues the answer, "" if the answer is complete."""
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


def _denial(candidate: Candidate, context: FilterContext) -> str:
    """Return the sentence that denies, around the answer, what the question affirms, "" if none does."""
    knowledge, item = context.knowledge, candidate.item
    by_id = {fact.id: fact for fact in candidate.scenario.facts}
    for step in item.derivation["steps"]:
        fact, span = by_id.get(str(step.get("fact"))), step.get("find") or step.get("value")
        if fact is not None and span is not None:
            document = knowledge.documents[fact.doc]
            before = document.plain(fact.start, span["start"]) if fact.start < span["start"] else ""
            answer, after = document.plain(span["start"], span["end"]), document.plain(span["end"], fact.end)
            sentence, start = f"{before} {answer} {after}", len(before) + 1
            if language(item.language).denies(item.question, sentence, start, start + len(answer)):
                return sentence
    return ""


def _is_open(knowledge: Knowledge, fact: Fact, end: int) -> bool:
    """Check whether the text after an answer may belong to it: no other phrase or verb of the sentence begins there."""
    facts = knowledge.statements.facts_ending_at(fact.doc, fact.end)
    starts = [start for other in facts for start in (other.verb.start, *(p.start for p in other.phrases))]
    near = (start for start in starts if end <= start < end + LIMITS.answer_gap_chars)
    gaps = (knowledge.documents[fact.doc].plain(end, start) for start in near)
    return not any(length_in_words(gap) <= LIMITS.answer_gap_words and not any(map(str.isdigit, gap)) for gap in gaps)


def _is_clause(fact: Fact, span: Mapping[str, Any]) -> bool:
    """Check whether an answer is a whole clause, or a stretch of text that is not in a single phrase."""
    phrase = next((p for p in fact.phrases if p.start == span["start"] and span["end"] <= p.end), None)
    return phrase is None or phrase.role in {Role.CAUSE, Role.PURPOSE, Role.CONDITION, Role.OUTCOME}
