"""Problems of style: what makes a question clumsy, or likely to be wrong, although its grammar is right.

Readers graded several hundred questions blind; the problems that occurred most often with bad grades have the highest
penalties (``docs/quality.md``). What makes a question invalid is left to the filters.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from kgsynth.base.records import Fact, Scenario
from kgsynth.base.vocabulary import FactKind, Flag, Role
from kgsynth.evidence.knowledge import Knowledge
from kgsynth.generation.evolutions.eligibility import repeated
from kgsynth.generation.writing.draft import QuestionDraft
from kgsynth.generation.writing.english.drafts import contains_name
from kgsynth.generation.writing.english.question_words import type_of
from kgsynth.golden.subtypes import traits_of
from kgsynth.language.english.lexicon import FIRST_PERSON, LIGHT_VERBS

PENALTIES: dict[str, float] = {
    "aside": 0.2,  # its sentence gives an example, or is about the writer and the reader
    "bridge": 0.5,  # a thing is described instead of named, which most readers find hard
    "common answer": 0.3,  # the name is in so many documents that it can be guessed
    "condition without name": 0.8,  # "if a sensor fails" holds for many things
    "described by use": 0.4,  # "the command that Flask provides" does not say what the thing is
    "example name": 0.9,  # a name from a piece of code: "Why does word hold 5?"
    "negated": 0.3,  # what does not hold is rarely asked for, and has many answers
    "nested": 0.2,  # for each "that" or "which" beyond the first: hard to read
    "no name": 0.25,  # nothing in it has a name, so it may be about many things
    "subject asked": 0.3,  # it asks for what its sentence is about, which sounds reversed
    "unnamed bridge": 0.25,  # two facts may use a common noun for different things
    "unparsed": 0.3,  # a clause is repeated as it is: "Why is it that …?"
    "unspecific answer": 0.4,  # "if the index is too great" does not say which index
    "unspecific phrase": 0.3,  # "the tank" does not say which tank
    "vague bridge": 0.3,  # "the command that Flask can provide" may be one of several
    "vague verb": 0.35,  # "What does the depot have?" has many answers
    "what happens": 0.3,  # "What happens if …?" has more answers than other questions
    "which place": 0.2,  # "Which place won the war?" is not how people ask for a country
    "why can": 0.6,  # "Why can you use the option?" asks for a reason where the text gives a purpose
    "you": 0.15,  # it is about the reader of the text
}
"""Problem -> what it subtracts from the quality of a question, which runs from 0 to 1."""


def style_penalty(scenario: Scenario, knowledge: Knowledge, draft: QuestionDraft) -> float:
    """Return the sum of the penalties for the problems of a question."""
    return sum(PENALTIES[problem] for problem in style_problems(scenario, knowledge, draft))


def style_problems(scenario: Scenario, knowledge: Knowledge, draft: QuestionDraft) -> Iterator[str]:
    """Yield the problems of a question; the same one may come several times."""
    yield from _problems_of_words(scenario, draft.question.lower())
    yield from _problems_of_facts(scenario, knowledge)
    if traits_of(scenario.subtype).needs_name and not contains_name(scenario.facts[0], draft.question):
        yield "condition without name" if scenario.question_type == "conditional" else "no name"
    if traits_of(scenario.subtype).hidden_link:
        yield "bridge"
        yield from _problems_of_bridge(scenario, knowledge)


def _problems_of_words(scenario: Scenario, question: str) -> Iterator[str]:
    verb = scenario.facts[-1].verb
    conditional = scenario.question_type == "conditional"
    if verb.lemma in LIGHT_VERBS and question.startswith(("what ", "who ")) and not conditional:
        yield "vague verb"
    if question.startswith("what happens "):
        yield "what happens"
    if scenario.subtype == "purpose" and verb.modal in {"can", "may"}:
        yield "why can"
    if question.startswith("which place "):
        yield "which place"
    yield from ("nested" for _ in range(len(re.findall(r"\b(?:that|which|who|whom)\b", question[1:])) - 1))


def _problems_of_facts(scenario: Scenario, knowledge: Knowledge) -> Iterator[str]:
    fact = scenario.facts[-1]
    asked = fact.phrases[scenario.asked]
    entity = knowledge.entities.entity_of(fact, asked)
    if entity is not None and knowledge.entities.is_common(entity):
        yield "common answer"
    specific = scenario.question_type != "conditional" and asked.flags & {Flag.NAMED, Flag.CODE, Flag.NUMBER}
    if asked.role == Role.SUBJECT and not specific:
        yield "subject asked"
    if fact.kind == FactKind.OUTCOME:
        yield "unparsed"
    if any(each.verb.negated for each in scenario.facts):
        yield "negated"
    if any(p.has(Flag.YOU) for p in fact.phrases):
        yield "you"
    if any(p.has(Flag.CODE) and knowledge.entities.is_sample(p) for each in scenario.facts for p in each.phrases):
        yield "example name"
    if any(_is_aside(each) for each in scenario.facts):
        yield "aside"
    yield from ("unspecific phrase" for _, p in repeated(fact, scenario.asked) if p.has(Flag.LOOSE))
    if asked.has(Flag.LOOSE):
        yield "unspecific answer"


def _problems_of_bridge(scenario: Scenario, knowledge: Knowledge) -> Iterator[str]:
    for fact, (ident, place, _) in zip(scenario.facts, scenario.links, strict=False):
        entity = knowledge.entities[ident]
        if fact.verb.lemma != "be" or fact.phrases[place].role != Role.SUBJECT:
            yield "described by use"
            if fact.verb.lemma in LIGHT_VERBS or fact.verb.modal:
                yield "vague bridge"
        if entity.label == "TERM" and all(form.islower() for form in entity.forms):
            yield "unnamed bridge"
        if type_of(knowledge, entity) == "place" and fact.phrases[place].marker not in {"in", "into", "to"}:
            yield "vague bridge"


def _is_aside(fact: Fact) -> bool:
    """Check whether a sentence gives an example, or is about its writer and the reader."""
    text = fact.text.lower()
    return bool(set(re.findall(r"[a-z]+", text)) & FIRST_PERSON) or "for example" in text or "for instance" in text
