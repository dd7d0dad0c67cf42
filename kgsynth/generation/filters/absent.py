"""absent: a question without an answer is not answered after all, by a sentence that calls the thing something else.

``grounded`` has searched what names the thing. Here all other sentences are looked at: one that holds most of the other
words, weighed by rarity, and says them of nothing else that has a name, may mean the thing, or all things of its kind.
A predicate alone says so little that only the documents which name the thing count.
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
    """Turn away a question that a sentence may answer which does not name what is asked about."""
    item, scenario, knowledge = candidate.item, candidate.scenario, context.knowledge
    if item.answerable:
        return item
    limit, entity = context.thresholds["absent"], knowledge.entities[scenario.links[0][0]]
    docs = {mention.doc for mention in entity.mentions}
    terms = set() if traits_of(scenario.subtype).topic_only else _terms(scenario, knowledge)
    searched = 0
    for share, sentence in knowledge.statements.containing(terms, limit):
        searched += 1
        if (len(terms) > 1 or sentence.doc in docs) and not _of_another(sentence, scenario, knowledge):
            detail = f"{sentence.doc}:{sentence.start} may tell of {entity.name!r} by another name"
            return Rejection("absent", detail, round(share, 4), limit)
    return with_scores(item, documents_naming=len(docs), sentences_searched=searched)


def _terms(scenario: Scenario, knowledge: Knowledge) -> set[str]:
    """Return the lemmas of the predicate and of what else is said, without the thing and what is asked for."""
    fact, place = scenario.facts[0], scenario.links[0][1]
    whole = EntityRole(scenario.rivals[0], place, scenario.cuts[0]).whole
    without = {place, scenario.asked} if whole else {scenario.asked}
    return knowledge.statements.search_terms(
        fact, [n for n, p in enumerate(fact.phrases) if n not in without and p.role != Role.MANNER]
    )


def _of_another(sentence: Sentence, scenario: Scenario, knowledge: Knowledge) -> bool:
    """Say whether a sentence says it of a thing that has a name, which is then another one."""
    fact, place = scenario.facts[0], scenario.links[0][1]
    facts = [
        f for f in knowledge.statements.facts_ending_at(sentence.doc, sentence.end) if f.verb.lemma == fact.verb.lemma
    ]
    twins = [p for each in facts for p in each.phrases if p.role == fact.phrases[place].role]
    return bool(twins) and all(p.flags & {Flag.NAMED, Flag.CODE} for p in twins)
