"""self_contained: the question can be understood without the text it comes from."""

from __future__ import annotations

from kgsynth.base.records import Fact, Item, Rejection
from kgsynth.base.thresholds import LIMITS
from kgsynth.base.vocabulary import Flag, Role
from kgsynth.evidence.knowledge import Knowledge
from kgsynth.evidence.question_checks import wording_problem
from kgsynth.generation.filters.context import FilterContext
from kgsynth.generation.writing import Candidate
from kgsynth.golden.subtypes import traits_of
from kgsynth.language import language
from kgsynth.language.lengths import length_in_words


def judge(candidate: Candidate, context: FilterContext) -> Rejection | Item:
    """Reject a question that refers to the text or does not say what it is about."""
    item = candidate.item
    problem = wording_problem(item.question, item.language, define=traits_of(item.subtype).single_word)
    if not problem and (phrase := _unspecific_phrase(candidate)):
        problem = f"{phrase!r} refers to something outside the question"
    if not problem and (name := _missing_heading_name(candidate, context.knowledge)):
        problem = f"the fact holds for {name!r} only, which the question does not name"
    return Rejection("self_contained", problem) if problem else item


def _unspecific_phrase(candidate: Candidate) -> str:
    """Return a phrase of the question that does not say which one is meant, "" for none or if a heading says it."""
    item = candidate.item
    if traits_of(item.subtype).heading_scope:
        return ""
    question = str(item.metadata.get("plain") or item.question).casefold()
    unspecific = (p.text for fact in candidate.scenario.facts for p in fact.phrases if p.has(Flag.LOOSE))
    return next((text for text in unspecific if text.casefold() in question), "")


def _missing_heading_name(candidate: Candidate, knowledge: Knowledge) -> str:
    """Return the name in the heading above the evidence that a question without names must contain, "" for none.

    Under "Norway", next to "Canada" and "Poland", a sentence on "full-time employees" is about those in Norway.
    """
    question = candidate.item.question.casefold()
    for fact in candidate.scenario.facts:
        known = (p for n, p in enumerate(fact.phrases) if n != candidate.scenario.asked)
        if any(p.flags & {Flag.NAMED, Flag.CODE} and p.role != Role.TIME for p in known):
            continue
        headings = _name_headings(fact, knowledge, candidate.item.language)
        name = next((title for title in headings if title.casefold() not in question), "")
        if name:
            return name
    return ""


def _name_headings(fact: Fact, knowledge: Knowledge, code: str) -> list[str]:
    """Return the headings above a fact that are names in a list of names."""
    sections, path = knowledge.documents[fact.doc].sections, knowledge.statements.section_of(fact).path
    found = []
    for depth in range(1, len(path)):
        siblings = {s.path[depth] for s in sections if len(s.path) == depth + 1 and s.path[:depth] == path[:depth]}
        short = (title for title in siblings if length_in_words(title) <= LIMITS.name_heading_words)
        names = [title for title in short if knowledge.entities.is_name(title) or language(code).is_name(title)]
        enough = max(LIMITS.name_headings_min, LIMITS.name_heading_share * len(siblings))
        if path[depth] in names and len(names) >= enough:
            found.append(path[depth])
    return found
