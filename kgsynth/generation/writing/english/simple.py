"""Simple questions: one phrase of one fact is asked for, or what a thing is."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from kgsynth.base.records import Scenario
from kgsynth.base.vocabulary import Role
from kgsynth.evidence.knowledge import Knowledge
from kgsynth.generation.writing.english.drafts import QuestionDraft, answers, asides, find, is_anchored, tells_what
from kgsynth.generation.writing.english.grammar import AskedPhrase, active, as_question, in_sentence, question
from kgsynth.generation.writing.english.question_words import ask_for, type_of


def factoid(scenario: Scenario, knowledge: Knowledge) -> Iterator[QuestionDraft]:
    """Yield the question that asks for one phrase of a fact: "Which laboratory calibrates the Pike sensor?"."""
    fact = scenario.facts[0]
    asked = ask_for(knowledge, fact, scenario.asked)
    if asked is None or not is_anchored(scenario):
        return
    in_active = active(fact, scenario.asked) if fact.phrases[scenario.asked].role == Role.AGENT else None
    if in_active is not None:  # "Who built it?" and not "By whom was it built?"
        words = "who" if asked.words == "whom" else asked.words
        asked = replace(asked, words=words, led="", stranded="")
        text = question(in_active, 0, asked, drop=asides(in_active))
    else:
        text = question(fact, scenario.asked, asked, drop=asides(fact))
    yield QuestionDraft(text, answers(asked, fact.phrases[scenario.asked]), "lookup", (find(fact, asked),))


def definition(scenario: Scenario, knowledge: Knowledge) -> Iterator[QuestionDraft]:
    """Yield the question what a thing is, or who a person is."""
    fact = scenario.facts[0]
    subject = next(p for p in fact.phrases if p.role == Role.SUBJECT)
    answer = fact.phrases[scenario.asked]
    asked = AskedPhrase("what", in_sentence(answer), answer.start, answer.end)
    if not tells_what(asked.answer):
        return
    verb = "are" if fact.verb.form == "are" else "is"
    entity = knowledge.entities.entity_of(fact, subject)
    word = "who" if entity is not None and type_of(knowledge, entity) == "person" else "what"
    yield QuestionDraft(
        as_question(f"{word} {verb} {in_sentence(subject)}"), (asked.answer,), "definition", (find(fact, asked),)
    )
