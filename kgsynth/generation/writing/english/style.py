"""Flaws of style: what makes a question clumsy, or likely to be wrong, although its grammar is right.

Readers graded several hundred questions blind; the flaws that went with bad grades most often cost most
(``docs/quality.md``). Left out: what makes a question invalid. The filters reject that; here the better of two wins.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from kgsynth.base.records import Fact, Scenario
from kgsynth.base.vocabulary import FactKind, Flag, Role
from kgsynth.evidence.knowledge import Knowledge
from kgsynth.generation.evolutions.eligibility import repeated
from kgsynth.generation.writing.english.drafts import QuestionDraft, contains_name
from kgsynth.generation.writing.english.question_words import type_of
from kgsynth.golden.subtypes import traits_of
from kgsynth.language.english.lexicon import FIRST_PERSON, LIGHT_VERBS

FLAWS: dict[str, float] = {
    "aside": 0.2,  # its sentence gives an example, or is about the writer and the reader
    "bridge": 0.5,  # a thing is described instead of named, which most readers find hard
    "by its use": 0.4,  # "the command that Flask provides": known by what it does, not by what it is
    "common": 0.3,  # everybody knows the answer: the name is all over the corpus
    "denied": 0.3,
    "example name": 0.9,  # a name out of a piece of code: "Why does word hold 5?"
    "happens": 0.3,  # "What happens if …?" has more answers than other questions
    "loose": 0.3,  # "the tank": which one?
    "loose answer": 0.4,  # "if the index is too great": of what?
    "nameless": 0.25,  # nothing in it has a name of its own
    "nested": 0.2,  # for each "that" or "which" beyond the first
    "place as subject": 0.2,  # "Which place won the war?"
    "plain bridge": 0.25,  # what connects two facts has no name
    "says little": 0.35,  # "What does the depot have?"
    "subject asked": 0.3,  # it asks for what its sentence is about
    "two questions": 0.4,
    "unanchored": 0.8,  # its condition is about nothing that has a name
    "unparsed": 0.3,
    "vague bridge": 0.3,  # "the command that Flask provides" may be any
    "why of ability": 0.6,  # "Why can you use the option?"
    "you": 0.15,
}
"""Flaw -> what a question loses for it; quality runs from 0 to 1."""


def loss(scenario: Scenario, knowledge: Knowledge, draft: QuestionDraft) -> float:
    """Return what a phrasing loses for its flaws."""
    return sum(FLAWS[flaw] for flaw in flaws(scenario, knowledge, draft))


def flaws(scenario: Scenario, knowledge: Knowledge, draft: QuestionDraft) -> Iterator[str]:
    """Yield the flaws of a phrasing; the same one may come several times."""
    yield from _flaws_of_words(scenario, draft.question.lower())
    yield from _flaws_of_facts(scenario, knowledge)
    if traits_of(scenario.subtype).needs_name and not contains_name(scenario.facts[0], draft.question):
        yield "unanchored" if scenario.question_type == "conditional" else "nameless"
    if scenario.subtype == "compound":
        yield "two questions"
    if traits_of(scenario.subtype).hidden_link:
        yield "bridge"
        yield from _flaws_of_bridge(scenario, knowledge)


def _flaws_of_words(scenario: Scenario, question: str) -> Iterator[str]:
    fact = scenario.facts[-1]
    if (
        fact.verb.lemma in LIGHT_VERBS
        and re.match(r"(?:what|who) ", question)
        and scenario.question_type != "conditional"
    ):
        yield "says little"
    if question.startswith("what happens "):
        yield "happens"
    if scenario.subtype == "purpose" and fact.verb.modal in {"can", "may"}:
        yield "why of ability"
    if question.startswith("which place "):
        yield "place as subject"
    yield from ("nested" for _ in range(len(re.findall(r"\b(?:that|which|who|whom)\b", question[1:])) - 1))


def _flaws_of_facts(scenario: Scenario, knowledge: Knowledge) -> Iterator[str]:
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
        yield "subject asked"
    if fact.kind == FactKind.OUTCOME:
        yield "unparsed"
    if any(each.verb.negated for each in scenario.facts):
        yield "denied"
    if any(p.has(Flag.YOU) for p in fact.phrases):
        yield "you"
    if any(p.has(Flag.CODE) and knowledge.entities.is_sample(p) for each in scenario.facts for p in each.phrases):
        yield "example name"
    if any(_is_aside(each) for each in scenario.facts):
        yield "aside"
    yield from ("loose" for _, p in repeated(fact, scenario.asked) if p.has(Flag.LOOSE))
    if asked is not None and asked.has(Flag.LOOSE):
        yield "loose answer"


def _flaws_of_bridge(scenario: Scenario, knowledge: Knowledge) -> Iterator[str]:
    for fact, (ident, place, _) in zip(scenario.facts, scenario.links, strict=False):
        entity = knowledge.entities[ident]
        defined = fact.verb.lemma == "be" and fact.phrases[place].role == Role.SUBJECT
        if not defined:
            yield "by its use"
            if fact.verb.lemma in LIGHT_VERBS or fact.verb.modal:
                yield "vague bridge"
        if entity.label == "TERM" and all(form.islower() for form in entity.forms):
            yield "plain bridge"
        if type_of(knowledge, entity) == "place" and fact.phrases[place].marker not in {"in", "into", "to"}:
            yield "vague bridge"


def _is_aside(fact: Fact) -> bool:
    """Check whether a sentence gives an example or is about its writer and reader."""
    text = fact.text.lower()
    return bool(set(re.findall(r"[a-z]+", text)) & FIRST_PERSON) or "for example" in text or "for instance" in text
