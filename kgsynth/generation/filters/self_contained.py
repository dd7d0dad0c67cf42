"""self_contained: the question is understood without the text: nothing in it points elsewhere."""

from __future__ import annotations

from kgsynth.base.records import Fact, Item, Rejection
from kgsynth.base.vocabulary import Flag, Role
from kgsynth.evidence.knowledge import Knowledge
from kgsynth.evidence.question_checks import wording_problem
from kgsynth.generation.filters.context import FilterContext
from kgsynth.generation.writing import Candidate
from kgsynth.golden.subtypes import traits_of
from kgsynth.language import language
from kgsynth.language.words import length_in_words

_LONGEST = 3  # words of a name; a longer heading in title case may look like one


def judge(candidate: Candidate, context: FilterContext) -> Rejection | Item:
    """Turn away a question with a dangling reference, or too little to tell what it is about."""
    item = candidate.item
    fault = wording_problem(item.question, item.language, define=traits_of(item.subtype).single_word)
    if not fault and (loose := _loose(candidate)):
        fault = f"{loose!r} points outside the question"
    if not fault and (name := _unsaid(candidate, context.knowledge)):
        fault = f"it is told of {name!r} alone, which is not in the question"
    return Rejection("self_contained", fault) if fault else item


def _loose(candidate: Candidate) -> str:
    """Return a phrase of the question that leaves open which one is meant, "" for none or where a heading tells."""
    item = candidate.item
    if traits_of(item.subtype).heading_scope:
        return ""
    question = str(item.metadata.get("plain") or item.question).casefold()
    loose = (p.text for fact in candidate.scenario.facts for p in fact.phrases if p.has(Flag.LOOSE))
    return next((text for text in loose if text.casefold() in question), "")


def _unsaid(candidate: Candidate, knowledge: Knowledge) -> str:
    """Return the name that heads the evidence among headings that are all names, where the question has no name.

    Under "Norway", beside "Canada" and "Poland", a sentence on "full-time employees" is on those in Norway.
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
    """Return the headings over a fact that are names, as half of those beside them are."""
    sections, path = knowledge.documents[fact.doc].sections, knowledge.statements.section_of(fact).path
    found = []
    for depth in range(1, len(path)):
        beside = {s.path[depth] for s in sections if len(s.path) == depth + 1 and s.path[:depth] == path[:depth]}
        short = (title for title in beside if length_in_words(title) <= _LONGEST)
        names = [title for title in short if knowledge.entities.is_name(title) or language(code).is_name(title)]
        if path[depth] in names and len(names) >= 2 and len(beside) <= 2 * len(names):
            found.append(path[depth])
    return found
