"""Simple questions: they ask for one phrase of one fact, what a thing is, or what it is used for."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from kgsynth.base.records import Fact, Phrase, Scenario
from kgsynth.base.thresholds import LIMITS
from kgsynth.base.vocabulary import FactKind, Flag, Role
from kgsynth.evidence.knowledge import Knowledge
from kgsynth.generation.writing.draft import UnwrittenError, Why
from kgsynth.generation.writing.english.drafts import (
    QuestionDraft,
    answers,
    asides,
    check_anchored,
    lookup_step,
    predicate_of,
    says_what_it_is,
    span_in,
    unmarked,
)
from kgsynth.generation.writing.english.grammar import AskedPhrase, active, as_question, in_sentence, inverted, question
from kgsynth.generation.writing.english.question_words import ask_for, type_of
from kgsynth.language.english.verbs import thing_used


def factoid(scenario: Scenario, knowledge: Knowledge) -> Iterator[QuestionDraft]:
    """Yield the question that asks for one phrase of a fact: "Which laboratory calibrates the Pike sensor?"."""
    fact = scenario.facts[0]
    if fact.phrases[scenario.asked].role == Role.PURPOSE:
        yield from _how_to(scenario, knowledge)
        return
    asked = ask_for(knowledge, fact, scenario.asked)
    if asked is None:
        raise UnwrittenError(Why.QUESTION_WORD)
    check_anchored(scenario)
    in_active = active(fact, scenario.asked) if fact.phrases[scenario.asked].role == Role.AGENT else None
    if in_active is not None:  # "Who built it?", not "By whom was it built?"
        words = "who" if asked.words == "whom" else asked.words
        asked = replace(asked, words=words, fronted="", stranded="")
        text = question(in_active, 0, asked, without=asides(in_active))
    else:
        text = question(fact, scenario.asked, asked, without=asides(fact))
    yield QuestionDraft(text, answers(asked, fact.phrases[scenario.asked]), "lookup", (lookup_step(fact, asked),))


def _how_to(scenario: Scenario, knowledge: Knowledge) -> Iterator[QuestionDraft]:
    """Yield the question how a purpose is achieved: "How do you share sensitive files?" of "Use OMB MAX to share …"."""
    fact = scenario.facts[0]
    purpose = fact.phrases[scenario.asked]
    wanted = unmarked(purpose).replace(" and to ", " and ")
    done = predicate_of(knowledge, fact, scenario.asked)
    if purpose.marker not in {"to", "in order to", "so as to"}:
        raise UnwrittenError(Why.CLAUSE)
    if done is None:
        raise UnwrittenError(Why.ANSWER)
    check_anchored(scenario)
    helper = fact.verb.modal if fact.verb.modal in {"can", "may", "must"} else "do"
    step = {"condition": span_in(fact, purpose.start, purpose.end)} | lookup_step(fact, done)
    yield QuestionDraft(as_question(f"how {helper} you {wanted}"), (done.answer,), "condition", (step,))


def use(scenario: Scenario, knowledge: Knowledge) -> Iterator[QuestionDraft]:
    """Yield the question what something is, or can be, used for."""
    fact = scenario.facts[0]
    purpose, used = fact.phrases[scenario.asked], thing_used(fact)
    if used is None:
        raise UnwrittenError(Why.SENTENCE)
    check_anchored(scenario)
    first, after = inverted(fact.verb) if fact.verb.passive else ("can", "be used")
    text = as_question(f"what {first} {in_sentence(used)} {after} for")
    yield QuestionDraft(text, (in_sentence(purpose),), "lookup", (lookup_step(fact, purpose),))


def definition(scenario: Scenario, knowledge: Knowledge) -> Iterator[QuestionDraft]:
    """Yield the question what a thing is, or who a person is."""
    fact = scenario.facts[0]
    subject = next(p for p in fact.phrases if p.role == Role.SUBJECT)
    asked = fact.phrases[scenario.asked]
    answer = in_sentence(asked)
    if not says_what_it_is(answer):
        raise UnwrittenError(Why.OPINION)
    verb = "are" if fact.verb.form == "are" else "is"
    entity = knowledge.entities.entity_of(fact, subject)
    word = "who" if entity is not None and type_of(knowledge, entity) == "person" else "what"
    text = as_question(f"{word} {verb} {in_sentence(subject)}")
    whole = _whole_definition(knowledge, fact, asked)
    if whole is None:
        raise UnwrittenError(Why.ANSWER)
    yield QuestionDraft(text, (whole.answer,), "definition", (lookup_step(fact, whole),))


def _whole_definition(knowledge: Knowledge, fact: Fact, asked: Phrase) -> AskedPhrase | None:
    """Return the definition to the end of its sentence, or to a clause of its own; None if it would be cut short."""
    document = knowledge.documents[fact.doc]
    text = document.plain(asked.start, fact.end).rstrip(".! ")
    rest = text[len(asked.text) :]
    alone = AskedPhrase("what", in_sentence(asked), asked.start, asked.end)
    if fact.kind == FactKind.APPOSITION:
        return alone  # after it, the sentence goes on about the thing itself
    if document.text[fact.end : fact.end + 1].isalnum():
        return None  # the parser has cut the sentence inside a name: "on the Edge.Cuts layer"
    if not text.startswith(asked.text) or not rest or _OWN_CLAUSE.match(rest):
        return alone
    if _OWN_CLAUSE.search(rest) or len(text.split()) > LIMITS.outcome_words:
        return alone if _RELATIVE.match(rest) else None
    end = fact.end
    while not document.plain(end - 1, end).isalnum() and end > asked.end:
        end -= 1
    whole = document.plain(asked.start, end)
    return AskedPhrase("what", whole[:1].lower() + whole[1:] if asked.has(Flag.LOWERABLE) else whole, asked.start, end)


_OWN_CLAUSE = re.compile(
    r"\s*(?:[;:]|\s[–—-]{1,2}\s|,? (?:but|so|although|though|while|because|since|whereas|however|when|if|unless|see)\b)"
)
_RELATIVE = re.compile(r", (?:which|who|where|such as|including)\b")
