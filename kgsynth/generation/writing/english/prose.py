"""Questions on the facts of sentences: simple ones, reasons and purposes, conditions, and several facts in a row."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from kgsynth.base.records import Fact, Phrase, Scenario, Verb
from kgsynth.base.thresholds import LIMITS
from kgsynth.base.vocabulary import FactKind, Flag, Role
from kgsynth.evidence.knowledge import Knowledge
from kgsynth.generation.evolutions.eligibility import stands_alone
from kgsynth.generation.evolutions.prose import is_clear_together
from kgsynth.generation.writing.draft import QuestionDraft, UnwrittenError, Why
from kgsynth.generation.writing.english.drafts import (
    answers,
    asides,
    lookup_step,
    predicate_of,
    says_what_it_is,
    span_in,
    under_heading,
    unmarked,
)
from kgsynth.generation.writing.english.grammar import (
    AskedPhrase,
    active,
    as_question,
    in_sentence,
    inverted,
    inverted_clause,
    question,
)
from kgsynth.generation.writing.english.question_words import ask_for, type_of
from kgsynth.language.english.lexicon import PATTERNS, WORDS
from kgsynth.language.english.morphology import thing_used


def factoid(scenario: Scenario, knowledge: Knowledge) -> Iterator[QuestionDraft]:
    """Yield the question that asks for one phrase of a fact: "Which laboratory calibrates the Pike sensor?"."""
    fact = scenario.facts[0]
    if fact.phrases[scenario.asked].role == Role.PURPOSE:
        yield from _how_to(scenario, knowledge)
        return
    misread = fact.first(Role.AGENT) and not fact.verb.passive  # in "a page returned by X won't …" the verb is "won't"
    if misread:
        raise UnwrittenError(Why.SENTENCE)
    asked = ask_for(knowledge, fact, scenario.asked)
    if asked is None:
        raise UnwrittenError(Why.QUESTION_WORD)
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
    helper = fact.verb.modal if fact.verb.modal in {"can", "may", "must"} else "do"
    step = {"condition": span_in(fact, purpose.start, purpose.end)} | lookup_step(fact, done)
    yield QuestionDraft(as_question(f"how {helper} you {wanted}"), (done.answer,), "condition", (step,))


def use(scenario: Scenario, knowledge: Knowledge) -> Iterator[QuestionDraft]:
    """Yield the question what something is, or can be, used for."""
    fact = scenario.facts[0]
    purpose, used = fact.phrases[scenario.asked], thing_used(fact)
    if used is None:
        raise UnwrittenError(Why.SENTENCE)
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
    if not rest or PATTERNS["own_clause"].match(rest):
        return alone
    if PATTERNS["own_clause"].search(rest) or len(text.split()) > LIMITS.outcome_words:
        return alone if PATTERNS["relative_form"].match(rest) else None
    end = fact.end
    while not document.plain(end - 1, end).isalnum() and end > asked.end:
        end -= 1
    return AskedPhrase("what", document.plain(asked.start, end), asked.start, end)


# Reasoning questions: why, about one fact, and which or how many things, about several similar facts.


def cause(scenario: Scenario, knowledge: Knowledge) -> Iterator[QuestionDraft]:
    """Yield the question why a fact holds."""
    fact = scenario.facts[0]
    phrase = fact.phrases[scenario.asked]
    if phrase.marker in {"since", "as"} and not phrase.has(Flag.VERBAL):  # a date
        raise UnwrittenError(Why.CLAUSE)
    yield from _answered_by_clause(scenario, _why(fact, scenario.asked))


def purpose(scenario: Scenario, knowledge: Knowledge) -> Iterator[QuestionDraft]:
    """Yield the question why something is done."""
    fact = scenario.facts[0]
    if fact.first(Role.SUBJECT) is None:
        raise UnwrittenError(Why.SENTENCE)
    if not _is_explanation(fact, fact.phrases[scenario.asked]):
        raise UnwrittenError(Why.CLAUSE)
    yield from _answered_by_clause(scenario, _why(fact, scenario.asked))


def _is_explanation(fact: Fact, phrase: Phrase) -> bool:
    """Check whether a purpose explains what is done.

    "To" after an object may belong to the object ("offers functions to set flags"); after "use", or at the start of
    the sentence, it says why. "It was designed" without its purpose cannot be asked about.
    """
    others = [p for p in fact.phrases if p is not phrase and p.role not in {Role.SUBJECT, Role.MANNER}]
    if not others and fact.verb.lemma in WORDS["needs_purpose"]:
        return False
    return phrase.marker != "to" or fact.verb.lemma == "use" or phrase.start < fact.verb.start or not others


def _answered_by_clause(scenario: Scenario, text: str) -> Iterator[QuestionDraft]:
    """Yield the question that the asked clause answers, with its conjunction."""
    fact = scenario.facts[0]
    phrase = fact.phrases[scenario.asked]
    yield QuestionDraft(as_question(text), (in_sentence(phrase),), scenario.subtype, (lookup_step(fact, phrase),))


def _why(fact: Fact, asked: int) -> str:
    """Return the question with "why"; an outcome that could not be parsed is repeated unchanged."""
    if fact.kind == FactKind.OUTCOME:
        return f"why is it that {in_sentence(fact.phrases[1 - asked])}"
    return f"why {inverted_clause(fact, without=[asked, *asides(fact, keep=asked)])}"


# Conditional questions: what happens under a condition, when something happens, and what holds under a heading.
#
# Of a fact with two conditions the first is asked about; the question repeats the second.


def explicit(scenario: Scenario, knowledge: Knowledge) -> Iterator[QuestionDraft]:
    """Yield the questions about a fact with a condition: what happens then, one of its phrases, or when it holds."""
    fact = scenario.facts[0]
    condition = fact.place(Role.CONDITION)
    if fact.phrases[condition].marker in {"until", "till"}:
        raise UnwrittenError(Why.SENTENCE)
    if not _is_condition(fact, fact.phrases[condition]):
        raise UnwrittenError(Why.CLAUSE)
    complete = not PATTERNS["without_subject"].match(fact.phrases[condition].text)
    if fact.kind == FactKind.OUTCOME:
        other = fact.phrases[scenario.asked]
        text = in_sentence(other)
        if not complete or PATTERNS["comment"].match(text):
            raise UnwrittenError(Why.ANSWER if complete else Why.CLAUSE)
        start = other.start + len(text) - len(text.removeprefix("then "))
        answer = AskedPhrase("what", text.removeprefix("then "), start, other.end)
        yield _consequence(knowledge, fact, condition, answer)
    elif scenario.asked == condition:
        yield from _about_condition(fact, condition, knowledge, has_outcome=complete)
    else:
        wanted = ask_for(knowledge, fact, scenario.asked)
        if wanted is None or not complete:
            raise UnwrittenError(Why.CLAUSE if wanted else Why.QUESTION_WORD)
        front = -1 if fact.phrases[condition].has(Flag.DANGLING) else condition
        text = question(fact, scenario.asked, wanted, front=front, without=asides(fact))
        step = _under(fact, condition, wanted)
        yield QuestionDraft(text, answers(wanted, fact.phrases[scenario.asked]), "condition", (step,))


def _is_condition(fact: Fact, phrase: Phrase) -> bool:
    """Check whether a clause is a condition, not a point in time, a past event or a wish of the reader."""
    past = fact.verb.tag == "VBD" and phrase.marker in {"when", "once", "whenever"}
    split = " then" in phrase.text.lower()  # "if P then Q" is more than the condition
    return not (past or split or PATTERNS["readers_wish"].match(phrase.text))


def _about_condition(fact: Fact, condition: int, knowledge: Knowledge, *, has_outcome: bool) -> Iterator[QuestionDraft]:
    """Yield the question what happens under a condition, if it ``has_outcome``, and the question when that happens."""
    phrase = fact.phrases[condition]
    outcome = _outcome(knowledge, fact, condition)
    clear = has_outcome and not phrase.has(Flag.DANGLING)
    first = _duty(knowledge, fact, condition) if clear else None
    if first is None and clear and outcome is not None and not phrase.marker.startswith("only"):
        first = _consequence(knowledge, fact, condition, outcome)
    if first is not None and phrase.marker == "unless" and not first.question.startswith("What happens to "):
        first = None
    if first is not None:
        yield first
    why = _not_asked_when(fact, condition, has_outcome=has_outcome)
    why = why or (Why.SENTENCE if phrase.marker == "unless" else None)
    if why and first is None:
        raise UnwrittenError(why)
    if why:
        return
    text = as_question(f"when {inverted_clause(fact, without=[condition, *asides(fact, keep=condition)])}")
    yield QuestionDraft(text, (in_sentence(phrase),), "lookup", (lookup_step(fact, phrase),))


def _not_asked_when(fact: Fact, condition: int, *, has_outcome: bool) -> Why | None:
    """Return why it is not asked when a fact holds, None if it can be."""
    phrase = fact.phrases[condition]
    if any(p.role == Role.OTHER and not p.marker for p in fact.phrases):
        return Why.MISREAD
    unclear = (p.has(Flag.DANGLING) for n, p in enumerate(fact.phrases) if n != condition and p.role != Role.MANNER)
    if any(unclear) or not is_clear_together(fact, condition):
        return Why.POINTS
    if phrase.marker == "if" and not has_outcome:
        return Why.CLAUSE  # "if not defined" does not say what is not defined
    if fact.verb.negated and phrase.start > fact.verb.start and not (fact.verb.passive and phrase.marker == "if"):
        return Why.MISREAD  # "they do not stop if the tank is full": it is unclear what "not" denies
    return None


def _duty(knowledge: Knowledge, fact: Fact, condition: int) -> QuestionDraft | None:
    """Return the question what somebody must, should or can do under the condition, None for other facts."""
    subject, modal = fact.first(Role.SUBJECT), fact.verb.modal
    someone = subject is not None and bool(subject.flags & {Flag.YOU, Flag.PERSON})
    done = predicate_of(knowledge, fact, condition)
    if subject is None or not someone or modal not in {"must", "should", "can"} or done is None:
        return None
    doer = "you" if subject.has(Flag.YOU) else in_sentence(subject)
    if PATTERNS["pointing_advice"].match(done.answer):
        return None
    text = as_question(f"what {modal} {doer} do {in_sentence(fact.phrases[condition])}")
    return QuestionDraft(text, (done.answer,), "condition", (_under(fact, condition, done),))


def _consequence(knowledge: Knowledge, fact: Fact, condition: int, outcome: AskedPhrase) -> QuestionDraft:
    """Return the question what happens, happened or would happen under the condition, or what one should do then."""
    verb, subject = fact.verb, fact.first(Role.SUBJECT)
    opening = "what happens"
    if (fact.kind == FactKind.OUTCOME and verb.lemma == "do") or (subject is not None and subject.start == subject.end):
        opening = "what should you do"
    elif verb.modal == "would":
        opening = "what would happen"
    elif verb.tag == "VBD":
        opening = "what happened"
    if opening == "what happens" and verb.passive and subject is not None and _is_known(subject, verb):
        opening += f" to {in_sentence(subject)}"
        told = knowledge.documents[fact.doc].plain(verb.start, outcome.end).rstrip(".! ")
        outcome = replace(outcome, answer=told, start=verb.start)
    text = as_question(f"{opening} {in_sentence(fact.phrases[condition])}")
    return QuestionDraft(text, (outcome.answer,), "condition", (_under(fact, condition, outcome),))


def _is_known(subject: Phrase, verb: Verb) -> bool:
    """Check whether people can ask what happens to a subject: it stands first, and says what is meant."""
    unknown = subject.flags & {Flag.LOOSE, Flag.EMPTY, Flag.PERSON, Flag.POSSESSIVE, Flag.NUMBER}
    return stands_alone(subject) and not subject.has(Flag.PRONOUN) and not unknown and subject.end <= verb.start


def _under(fact: Fact, condition: int, asked: AskedPhrase) -> dict[str, Any]:
    """Return the step of a derivation that looks up an answer under a condition."""
    phrase = fact.phrases[condition]
    return {"condition": span_in(fact, phrase.start, phrase.end)} | lookup_step(fact, asked)


def _outcome(knowledge: Knowledge, fact: Fact, condition: int) -> AskedPhrase | None:
    """Return the main clause as an answer, None if it is interrupted, too long, a comment or has no subject first."""
    phrase = fact.phrases[condition]
    others = [p for n, p in enumerate(fact.phrases) if n != condition]
    start, end = min(p.start for p in others), max(fact.verb.end, *(p.end for p in others))
    if start < phrase.end and phrase.start < end:
        return None
    end = max(end, fact.end) if phrase.end <= start else end  # a condition that comes first holds for all the rest
    text = knowledge.documents[fact.doc].plain(start, end).rstrip(".! ")
    first = min(others, key=lambda p: p.start)
    subject_first = any(p.role == Role.SUBJECT and p.start == first.start for p in others)
    too_long = len(text.split()) > LIMITS.outcome_words
    if PATTERNS["comment"].match(text) or not subject_first or too_long:
        return None
    return AskedPhrase("what", text[:1].lower() + text[1:] if first.has(Flag.LOWERABLE) else text, start, end)


def scoped_value(scenario: Scenario, knowledge: Knowledge) -> Iterator[QuestionDraft]:
    """Yield the question for a value that differs elsewhere, with the heading or words that say where it holds."""
    fact = scenario.facts[0]
    asked = ask_for(knowledge, fact, scenario.asked)
    if asked is None:
        raise UnwrittenError(Why.QUESTION_WORD)
    text = question(fact, scenario.asked, asked, without=asides(fact))
    if scenario.scope:
        place = knowledge.entities.is_place(scenario.scope)
        text = under_heading(scenario.scope, text, knowledge.entities.proper_words, place=place)
        if not text:
            raise UnwrittenError(Why.HEADING)
    phrase = fact.phrases[scenario.asked]
    rivals = []
    for rival in scenario.rivals:
        same = (n for n, p in enumerate(rival.phrases) if (p.role, p.marker) == (phrase.role, phrase.marker))
        other = next((ask_for(knowledge, rival, place) for place in same), None)
        if other is not None:
            rivals.append(lookup_step(rival, other))
    steps = ({"scope": scenario.scope} | lookup_step(fact, asked),)
    yield QuestionDraft(text, answers(asked, phrase), "scoped", steps, {"rivals": rivals[: LIMITS.scoped_rivals]})
