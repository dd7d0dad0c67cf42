"""absent: no sentence answers an unanswerable question without naming its subject.

``grounded`` has searched the sentences that name the subject. This rule searches all others: a sentence that contains
most of the question's other words, weighted by rarity, and does not state them about another named thing may mean the
subject. If the question has only one other word, only documents that name the subject count.
"""

from __future__ import annotations

from kgsynth.base.records import Item, Rejection, Scenario, Sentence
from kgsynth.base.vocabulary import Flag, Role
from kgsynth.evidence.entities import EntityRole
from kgsynth.evidence.knowledge import Knowledge
from kgsynth.generation.filters.context import FilterContext
from kgsynth.generation.writing import Candidate
from kgsynth.golden.metadata import with_scores
from kgsynth.golden.subtypes import traits_of


def judge(candidate: Candidate, context: FilterContext) -> Rejection | Item:
    """Reject a question that a sentence may answer although it does not name the subject."""
    item, scenario, knowledge = candidate.item, candidate.scenario, context.knowledge
    if item.answerable:
        return item
    limit, entity = context.thresholds["absent"], knowledge.entities[scenario.links[0][0]]
    docs = {mention.doc for mention in entity.mentions}
    terms = set() if traits_of(scenario.subtype).topic_only else _terms(scenario, knowledge)
    searched = 0
    for share, sentence in knowledge.statements.containing(terms, limit):
        searched += 1
        if (len(terms) > 1 or sentence.doc in docs) and not _about_another(sentence, scenario, knowledge):
            detail = f"{sentence.doc}:{sentence.start} may be about {entity.name!r} under another name"
            return Rejection("absent", detail, round(share, 4), limit)
    return with_scores(item, documents_naming=len(docs), sentences_searched=searched)


def _terms(scenario: Scenario, knowledge: Knowledge) -> set[str]:
    """Return the lemmas of the fact without those of its subject, of the asked phrase and of manner."""
    fact, place = scenario.facts[0], scenario.links[0][1]
    without = {scenario.asked}
    if EntityRole(scenario.rivals[0], place, scenario.cuts[0]).whole:
        without.add(place)
    return knowledge.statements.search_terms(
        fact, [n for n, p in enumerate(fact.phrases) if n not in without and p.role != Role.MANNER]
    )


def _about_another(sentence: Sentence, scenario: Scenario, knowledge: Knowledge) -> bool:
    """Check whether a sentence with the same predicate is about another named thing."""
    fact, place = scenario.facts[0], scenario.links[0][1]
    facts = knowledge.statements.facts_ending_at(sentence.doc, sentence.end)
    phrases = [p for f in facts if f.verb.lemma == fact.verb.lemma for p in f.phrases]
    subjects = [p for p in phrases if p.role == fact.phrases[place].role]
    return bool(subjects) and all(p.flags & {Flag.NAMED, Flag.CODE} for p in subjects)
