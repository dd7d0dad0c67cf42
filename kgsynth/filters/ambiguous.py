"""ambiguous: no other place in the corpus gives a different answer; places that give the same become evidence.

Every sentence that holds most of the question's words, weighed by rarity, is a rival. One that also holds the answer is a
second copy of the evidence; one with another value where the answer should stand makes the question ambiguous.
"""

from __future__ import annotations

from dataclasses import replace

from kgsynth.filters.bench import Bench, scored
from kgsynth.knowledge import Knowledge
from kgsynth.records import Fact, Item, Phrase, Rejection, Sentence, Span, item_id
from kgsynth.writing import Candidate

_COPIES = 8  # alternative spans kept for one group


def judge(candidate: Candidate, bench: Bench) -> Rejection | Item:
    """Turn away a question that another sentence answers otherwise; add the copies of its evidence to its groups."""
    item, knowledge, limit = candidate.item, bench.knowledge, bench.thresholds["ambiguous"]
    groups = []
    for number, fact in enumerate(candidate.scenario.facts):
        sought = sought_phrase(candidate, number)
        asked = {lemma for n, p in enumerate(fact.phrases) if n != sought and p.role != "manner" for lemma in p.lemmas}
        copies = []
        for share, sentence in knowledge.sentences_with(asked | {fact.verb.lemma}, limit):
            if (sentence.doc, sentence.start) == (fact.doc, fact.start) or _is_rival_on_purpose(candidate, sentence):
                continue
            if _holds(sentence, fact.phrases[sought]):
                copies.append(_span(knowledge, sentence))
            elif rival := other_value(knowledge, sentence, fact, sought):
                place = f"{sentence.doc}:{sentence.start}"
                return Rejection("ambiguous", f"{place} says {rival!r}", round(share, 4), limit)
        groups.append(tuple(dict.fromkeys((*item.evidence[number], *copies[:_COPIES]))))
    evidence = tuple(groups)
    found = sum(map(len, evidence)) - len(evidence)
    return scored(
        replace(item, evidence=evidence, id=item_id(item.question, item.golden_answers, evidence)), copies=found
    )


def sought_phrase(candidate: Candidate, number: int) -> int:
    """Return which phrase of fact ``number`` is unknown to the asker: the answer in the last, the bridge before it."""
    scenario = candidate.scenario
    if scenario.subtype == "intersection":
        return scenario.links[0][1 + number]
    if scenario.subtype == "comparison":
        return scenario.links[0][1 + number]
    return scenario.asked if number == len(scenario.facts) - 1 else scenario.links[number][1]


def other_value(knowledge: Knowledge, sentence: Sentence, fact: Fact, sought: int) -> str:
    """Return what another sentence says in the place of the answer, "" when it says nothing there.

    A fact of the same predicate with a phrase of the same role and preposition, whose words are not the answer's.
    """
    answer = fact.phrases[sought]
    for other in knowledge.facts_at.get((sentence.doc, sentence.start), ()):
        if other.verb.lemma != fact.verb.lemma or other.verb.negated != fact.verb.negated:
            continue
        for phrase in other.phrases:
            if (phrase.role, phrase.marker) == (answer.role, answer.marker) and _differs(phrase, answer):
                return phrase.text
    return ""


def _differs(phrase: Phrase, answer: Phrase) -> bool:
    one, other = set(phrase.lemmas), set(answer.lemmas)
    return bool(one) and bool(other) and not (one <= other or other <= one)


def _holds(sentence: Sentence, answer: Phrase) -> bool:
    return bool(answer.lemmas) and set(answer.lemmas) <= set(sentence.lemmas)


def _is_rival_on_purpose(candidate: Candidate, sentence: Sentence) -> bool:
    """A scoped question names what sets it apart from its rivals, so they do not make it ambiguous."""
    return any((rival.doc, rival.start) == (sentence.doc, sentence.start) for rival in candidate.scenario.rivals)


def _span(knowledge: Knowledge, sentence: Sentence) -> Span:
    return knowledge.documents[sentence.doc].span(sentence.start, sentence.end)
