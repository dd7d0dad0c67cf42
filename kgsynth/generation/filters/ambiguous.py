"""ambiguous: no other sentence of the corpus gives a different answer; sentences that give the same become evidence.

Every sentence is examined that contains most of the question's words, weighted by rarity. If it states the same
answer, it is another copy of the evidence, as are statements of the fact in other words (``evidence.citing``). If it
has another value in place of the answer, the question is ambiguous. If it denies the fact or is about something else,
it is neither. Other answers in a sentence that shares neither words nor predicate are not found.
"""

from __future__ import annotations

from dataclasses import replace

from kgsynth.base.records import Item, Rejection
from kgsynth.base.vocabulary import FactKind, Role
from kgsynth.evidence.citing import other_statements, with_alternatives
from kgsynth.evidence.other_answers import AskedFact, other_sentences, other_value, scope_of, states
from kgsynth.generation.filters.context import FilterContext
from kgsynth.generation.writing import Candidate


def judge(candidate: Candidate, context: FilterContext) -> Rejection | Item:
    """Reject a question with another answer elsewhere; add the copies of its evidence to the evidence groups."""
    if candidate.scenario.structure:
        return with_alternatives(candidate.item, other_statements(candidate.item, context.knowledge))
    item, statements, limit = candidate.item, context.knowledge.statements, context.thresholds["ambiguous"]
    on_purpose = {(rival.doc, rival.end) for rival in candidate.scenario.rivals}
    groups = []
    for number, group in enumerate(item.evidence):
        sought = sought_of(candidate, number)
        copies = []
        scope = scope_of(item, sought.fact, statements)
        for share, sentence, others in other_sentences(sought, scope, statements, limit):
            if (sentence.doc, sentence.end) in on_purpose:
                continue
            if states(sentence, others, sought):
                copies.append(statements.documents[sentence.doc].span(sentence.start, sentence.end))
            elif rival := other_value(others, sought):
                detail = f"{sentence.doc}:{sentence.start} says {rival!r}"
                return Rejection("ambiguous", detail, round(share, 4), limit)
        groups.append(tuple(dict.fromkeys((*group, *copies))))
    item = replace(item, evidence=tuple(groups))
    return with_alternatives(item, other_statements(item, context.knowledge))


def sought_of(candidate: Candidate, number: int) -> AskedFact:
    """Return which phrases of fact ``number`` the question contains and which it asks for.

    The last fact is asked for the answer, the facts before it for the bridge.
    """
    item, scenario = candidate.item, candidate.scenario
    fact, answer = scenario.facts[number], item.golden_answers[0]
    if item.derivation.get("operator") == "condition":
        condition = fact.place(Role.CONDITION)
        if fact.kind == FactKind.OUTCOME or scenario.asked == condition:
            return AskedFact(fact, (condition,), None, answer, item.language)
    place = scenario.asked if number == len(scenario.facts) - 1 else scenario.links[number][1]
    known = tuple(n for n, phrase in enumerate(fact.phrases) if n != place and phrase.role != Role.MANNER)
    return AskedFact(fact, known, fact.phrases[place], answer, item.language)
