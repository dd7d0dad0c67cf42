"""Style: what makes a question clumsy, or likely to be wrong, though the rules of grammar allow it.

Each fault has a name and a price. The prices follow what readers turned down: several hundred questions were graded
blind, and the faults that most often went with a bad mark cost most (``docs/quality.md``). Left out: what makes a
question invalid. That is for the filters; here the better of two is found.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from kgsynth.base.records import Fact, Scenario
from kgsynth.base.vocabulary import FactKind, Flag, Role
from kgsynth.evidence.knowledge import Knowledge
from kgsynth.generation.evolutions.eligibility import repeated
from kgsynth.generation.writing.english.drafts import Draft, anchored
from kgsynth.generation.writing.english.question_words import type_of
from kgsynth.golden.subtypes import traits_of
from kgsynth.language.english.lexicon import FIRST_PERSON, LIGHT_VERBS

PRICES: dict[str, float] = {
    "aside": 0.2,  # its sentence gives an example, or speaks of writer and reader
    "bridge": 0.5,  # a thing described instead of named is a riddle to most readers
    "bare bridge": 0.25,  # what ties two passages together has no name
    "common": 0.3,  # everybody knows the answer: the name is all over the corpus
    "denied": 0.3,
    "happens": 0.3,  # "What happens if …?" has more answers than other questions
    "inside out": 0.3,  # the thing that is told of is asked for
    "loose": 0.3,  # "the tank": which one?
    "loose answer": 0.4,  # "if the index is too great": of what?
    "nameless": 0.25,  # nothing in it has a name of its own
    "nested": 0.2,  # for each "that" or "which" beyond the first
    "odd place": 0.2,  # "Which place won the war?"
    "odd why": 0.6,  # "Why can you use the option?"
    "riddle": 0.4,  # "the command that Flask provides": known by what it does, not by what it is
    "sample": 0.9,  # a name out of a piece of code: "Why does word hold 5?"
    "says little": 0.35,  # "What does the depot have?"
    "stapled": 0.4,  # two questions in one
    "unanchored": 0.8,  # a condition on nothing that has a name
    "unparsed": 0.3,
    "vague bridge": 0.3,  # "the command that Flask provides" may be any
    "you": 0.15,
}
"""Fault -> what a question loses for it; quality runs from 0 to 1."""


def loss(scenario: Scenario, knowledge: Knowledge, draft: Draft) -> float:
    """Return what a phrasing loses for its faults."""
    return sum(PRICES[fault] for fault in faults(scenario, knowledge, draft))


def faults(scenario: Scenario, knowledge: Knowledge, draft: Draft) -> Iterator[str]:
    """Yield the faults of a phrasing, one by one; the same fault may come several times."""
    yield from _of_words(scenario, draft.question.lower())
    yield from _of_facts(scenario, knowledge)
    if traits_of(scenario.subtype).needs_name and not anchored(scenario.facts[0], draft.question):
        yield "unanchored" if scenario.question_type == "conditional" else "nameless"
    if scenario.subtype == "compound":
        yield "stapled"
    if traits_of(scenario.subtype).hidden_link:
        yield "bridge"
        yield from _of_bridge(scenario, knowledge)


def _of_words(scenario: Scenario, asks: str) -> Iterator[str]:
    fact = scenario.facts[-1]
    if fact.verb.lemma in LIGHT_VERBS and re.match(r"(?:what|who) ", asks) and scenario.question_type != "conditional":
        yield "says little"
    if asks.startswith("what happens "):
        yield "happens"
    if scenario.subtype == "purpose" and fact.verb.modal in {"can", "may"}:
        yield "odd why"
    if asks.startswith("which place "):
        yield "odd place"
    yield from ("nested" for _ in range(len(re.findall(r"\b(?:that|which|who|whom)\b", asks[1:])) - 1))


def _of_facts(scenario: Scenario, knowledge: Knowledge) -> Iterator[str]:
    fact = scenario.facts[-1]
    asked = fact.phrases[scenario.asked] if scenario.asked < len(fact.phrases) else None
    entity = knowledge.entities.entity_of(fact, asked) if asked is not None else None
    if entity is not None and knowledge.entities.is_common(entity):
        yield "common"
    known = (
        scenario.question_type != "conditional"
        and asked is not None
        and asked.flags & {Flag.NAMED, Flag.CODE, Flag.NUMBER}
    )
    if asked is not None and asked.role == Role.SUBJECT and not known:
        yield "inside out"
    if fact.kind == FactKind.OUTCOME:
        yield "unparsed"
    if any(each.verb.negated for each in scenario.facts):
        yield "denied"
    if any(p.has(Flag.YOU) for p in fact.phrases):
        yield "you"
    if any(p.has(Flag.CODE) and knowledge.entities.is_sample(p) for each in scenario.facts for p in each.phrases):
        yield "sample"
    if any(_leans(each) for each in scenario.facts):
        yield "aside"
    yield from ("loose" for _, p in repeated(fact, scenario.asked) if p.has(Flag.LOOSE))
    if asked is not None and asked.has(Flag.LOOSE):
        yield "loose answer"


def _of_bridge(scenario: Scenario, knowledge: Knowledge) -> Iterator[str]:
    for fact, (ident, place, _) in zip(scenario.facts, scenario.links, strict=False):
        entity = knowledge.entities[ident]
        defined = fact.verb.lemma == "be" and fact.phrases[place].role == Role.SUBJECT
        if not defined:
            yield "riddle"
            if fact.verb.lemma in LIGHT_VERBS or fact.verb.modal:
                yield "vague bridge"
        if entity.label == "TERM" and all(form.islower() for form in entity.forms):
            yield "bare bridge"
        if type_of(knowledge, entity) == "place" and fact.phrases[place].marker not in {"in", "into", "to"}:
            yield "vague bridge"


def _leans(fact: Fact) -> bool:
    """Say whether a sentence gives an example or speaks of its writer and reader."""
    text = fact.text.lower()
    return bool(set(re.findall(r"[a-z]+", text)) & FIRST_PERSON) or "for example" in text or "for instance" in text
