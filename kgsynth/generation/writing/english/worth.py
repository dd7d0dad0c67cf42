"""Which questions on sentences people would ask, by their form alone; the others are not written.

A question is worth asking if it is about something with a name or about the topic of its page, asks for one definite
thing, and does not merely turn its sentence round.
"""

from __future__ import annotations

import re

from kgsynth.base.records import Fact, Phrase, Scenario
from kgsynth.base.thresholds import LIMITS
from kgsynth.base.vocabulary import FactKind, Flag, Role, VerbFlag
from kgsynth.evidence.knowledge import Knowledge
from kgsynth.generation.evolutions.eligibility import repeated
from kgsynth.generation.writing.draft import QuestionDraft, UnwrittenError, Why
from kgsynth.generation.writing.english.fact_checks import is_clear
from kgsynth.generation.writing.english.scope import rules_over
from kgsynth.language.english.lexicon import PATTERNS, WORDS
from kgsynth.language.english.phrases import balanced
from kgsynth.language.english.question_checks import odd_form


def is_worth_asking(scenario: Scenario, knowledge: Knowledge, draft: QuestionDraft) -> bool:
    """Check whether people would ask a question on one sentence; questions of other subtypes always pass.

    Raises:
        UnwrittenError: they would not, and it is known why.
    """
    judge = _JUDGES.get(scenario.subtype)
    if judge is None:
        return True
    fact, text = scenario.facts[0], f"{draft.question} {draft.answers[0]}"
    cut = not balanced(draft.question) or not balanced(draft.answers[0]) or PATTERNS["bracket_note"].search(text)
    adjective = any(p.role == Role.OTHER and p.has(Flag.ADJECTIVE) and not p.marker for p in fact.phrases)
    if cut or adjective or _splits_verb(fact):
        raise UnwrittenError(Why.MISREAD)
    if odd_form(draft.question, draft.answers[0]):
        raise UnwrittenError(Why.SENTENCE)
    return is_clear(scenario, knowledge, draft) and judge(scenario, knowledge, draft)


def _splits_verb(fact: Fact) -> bool:
    """Check whether the subject stands inside the verb, which was misread then: "has the attribute enabled"."""
    verb, subject = fact.verb, fact.first(Role.SUBJECT)
    return bool(verb.auxiliaries) and subject is not None and verb.start < subject.start < verb.end


def is_about(knowledge: Knowledge, fact: Fact, phrase: Phrase | None) -> bool:
    """Check whether a phrase has a name, or a word of the title or a heading over it."""
    if phrase is None:
        return False
    return bool(phrase.flags & {Flag.NAMED, Flag.CODE}) or in_titles(knowledge, fact, phrase)


def in_titles(knowledge: Knowledge, fact: Fact, phrase: Phrase) -> bool:
    """Check whether a phrase has a word of the title of its document, or of a heading over it."""
    stems = knowledge.statements.language_of(fact.doc).content_stems
    titles = (knowledge.documents[fact.doc].title, *knowledge.statements.section_of(fact).path)
    return bool(set(stems(phrase.text)) & set(stems(" ".join(titles))))


def says_something(phrase: Phrase) -> bool:
    """Check whether a purpose or condition has content of its own, at least two words of it."""
    return len(set(phrase.lemmas) - WORDS["open_words"]) >= LIMITS.term_min_lemmas


def _factoid(scenario: Scenario, knowledge: Knowledge, draft: QuestionDraft) -> bool:
    fact, asked = scenario.facts[0], scenario.facts[0].phrases[scenario.asked]
    subject = fact.first(Role.SUBJECT)
    if asked.role == Role.PURPOSE:
        return _tells_how(fact, asked, draft)
    denied = fact.verb.negated and not (asked is subject and fact.verb.modal in {"can", "may", "must"})
    if denied or fact.kind == FactKind.APPOSITION or subject is None:
        raise UnwrittenError(Why.DENIED if denied else Why.PASSING)
    if len(draft.question.split()) > LIMITS.usual_question_max:
        raise UnwrittenError(Why.LONG)
    if fact.kind == FactKind.COREFERENCE and not (subject.has(Flag.PROPER) and len(subject.text.split()) <= 3):
        raise UnwrittenError(Why.UNNAMED)
    words = draft.question.lower()
    value, what = bool(PATTERNS["value_words"].match(words)), words.startswith("what ")
    rules = rules_over(fact, knowledge)
    about = [phrase for _, phrase in repeated(fact, scenario.asked)]
    if subject.has(Flag.SOME):
        raise UnwrittenError(Why.OPEN)
    if asked is subject and _is_title(knowledge, fact, asked):
        raise UnwrittenError(Why.KNOWN)
    if subject is asked or asked.role == Role.AGENT:
        if (value or not rules) and not any(is_about(knowledge, fact, phrase) for phrase in about):
            raise UnwrittenError(Why.UNNAMED)
    elif not (is_about(knowledge, fact, subject) or (value and subject.has(Flag.YOU)) or (rules and not what)):
        raise UnwrittenError(Why.UNNAMED)
    if fact.verb.has(VerbFlag.PAST) and not any(in_titles(knowledge, fact, phrase) for phrase in about):
        raise UnwrittenError(Why.PASSING)  # an event that a page only mentions
    if not value and not _names_answer(fact, asked, draft):
        raise UnwrittenError(Why.INDEFINITE)
    return True


def _names_answer(fact: Fact, asked: Phrase, draft: QuestionDraft) -> bool:
    """Check whether "who", "which" or "what" asks for a name, a role or a definite thing."""
    words, named = draft.question.lower(), bool(asked.flags & {Flag.NAMED, Flag.CODE})
    if re.match(r"(?:who|(?:by|to|from|with|for) whom)\b", words):
        role = asked.has(Flag.DEFINITE) or (asked.has(Flag.COMPOUND) and asked.role in {Role.SUBJECT, Role.AGENT})
        return named or (role and asked.role != Role.ATTRIBUTE)
    if words.startswith("what "):
        return _what(fact, asked, draft)
    if asked.role == Role.SUBJECT and fact.verb.lemma in WORDS["light_verbs"]:
        raise UnwrittenError(Why.OPEN)  # "Which page contains further guidance?"
    if re.search(r"\bwhich place\b", words):
        return False  # "From which place does Ada lead the team?" is not how people ask
    return named or (asked.has(Flag.DEFINITE) and fact.verb.passive and asked.role == Role.OTHER)


def _tells_how(fact: Fact, purpose: Phrase, draft: QuestionDraft) -> bool:
    """Check whether a purpose is a task, and the advice for it is complete."""
    before = any(
        p.start < fact.verb.start and p.text and p is not purpose for p in fact.phrases if p.role != Role.SUBJECT
    )
    task = re.sub(r"(?i)^how \w+ you ", "", draft.question)
    if before or PATTERNS["learn"].match(task):
        raise UnwrittenError(Why.THIN)
    return True


def _is_title(knowledge: Knowledge, fact: Fact, phrase: Phrase) -> bool:
    """Check whether a phrase is the title of its document, so that nobody who reads about it would ask for it."""
    stems = knowledge.statements.language_of(fact.doc).content_stems
    return set(stems(phrase.text)) <= set(stems(knowledge.documents[fact.doc].title))


def _what(fact: Fact, asked: Phrase, draft: QuestionDraft) -> bool:
    """Check whether a question that opens with "what" asks for a definite thing."""
    subject = fact.first(Role.SUBJECT)
    specific = bool(asked.flags & {Flag.NAMED, Flag.CODE, Flag.NUMBER})
    if subject is None or PATTERNS["part_of"].match(draft.answers[0]):
        return False
    if asked.role == Role.SUBJECT:
        attribute = fact.first(Role.ATTRIBUTE)
        if attribute is None:
            raise UnwrittenError(Why.SENTENCE)
        if not attribute.has(Flag.DEFINITE):
            raise UnwrittenError(Why.OPEN)
        return specific
    if asked.role == Role.ATTRIBUTE:
        return subject.has(Flag.DEFINITE) and subject.has(Flag.MODIFIED) and specific
    if asked.role == Role.AGENT:
        return True
    if PATTERNS["stranded"].search(draft.question):
        return fact.verb.passive or fact.verb.lemma in {"consist", "stand"}
    if asked.role != Role.OBJECT or fact.verb.lemma in WORDS["light_verbs"]:
        raise UnwrittenError(Why.SENTENCE)
    if subject.has(Flag.CODE):
        return True
    context = [p for _, p in repeated(fact) if p not in (subject, asked)]
    short = len(asked.text.split()) <= LIMITS.defined_max_words
    return short and bool(context) and bool(asked.flags & {Flag.PROPER, Flag.CODE, Flag.NUMBER})


def _definition(scenario: Scenario, knowledge: Knowledge, draft: QuestionDraft) -> bool:
    """Check that a sentence begins with what it defines, by a kind: "a tool that …", "the study of …"."""
    fact = scenario.facts[0]
    subject = fact.first(Role.SUBJECT)
    if subject is None or subject.flags & {Flag.NUMBER, Flag.SOME, Flag.PERSON}:
        raise UnwrittenError(Why.TERM)
    if fact.kind != FactKind.CLAUSE:
        raise UnwrittenError(Why.TERM)
    answer = draft.answers[0]
    kind = bool(re.match(r"(?i)an? ", answer)) or subject.has(Flag.PLURAL)
    restricted = bool(
        re.search(r"\w (?:that|which|who|whose|where|of|for|to|in|with|by|from|used|\w+ed|\w+ing)\b", answer)
    )
    if not (kind and restricted):
        raise UnwrittenError(Why.THIN)
    return True


def _explanation(scenario: Scenario, knowledge: Knowledge, draft: QuestionDraft) -> bool:
    _check_subject(knowledge, scenario.facts[0])
    return True


def _check_subject(knowledge: Knowledge, fact: Fact) -> None:
    if not _has_subject(knowledge, fact):
        raise UnwrittenError(Why.UNNAMED)


def _has_subject(knowledge: Knowledge, fact: Fact) -> bool:
    """Check whether the subject has a name, is the topic or a term, or "you"; or a half sentence names something."""
    if fact.kind == FactKind.OUTCOME:
        return any(is_about(knowledge, fact, p) for p in fact.phrases if p.role == Role.OUTCOME)
    subject = fact.first(Role.SUBJECT)
    if subject is None:
        return False
    others = [p for p in fact.phrases if p.role in {Role.OBJECT, Role.OTHER, Role.ATTRIBUTE}]
    if subject.has(Flag.YOU):
        return any(_is_term(knowledge, fact, p) for p in others)
    return _is_term(knowledge, fact, subject)


def _is_term(knowledge: Knowledge, fact: Fact, phrase: Phrase) -> bool:
    """Check whether a phrase has a name, is the topic, or has two words of content that say which thing is meant."""
    several = len(phrase.lemmas) >= LIMITS.term_min_lemmas and not phrase.has(Flag.LOOSE)
    return several or is_about(knowledge, fact, phrase)


def _explicit(scenario: Scenario, knowledge: Knowledge, draft: QuestionDraft) -> bool:
    fact = scenario.facts[0]
    condition = fact.first(Role.CONDITION)
    if condition is None or not says_something(condition):
        raise UnwrittenError(Why.THIN)
    words = draft.question.lower()
    if PATTERNS["asks_outcome"].match(words):
        event = condition.marker in {"when", "once"} and PATTERNS["told_in_past"].search(condition.text)
        if event:
            raise UnwrittenError(Why.CLAUSE)
        half = fact.kind == FactKind.OUTCOME and len(draft.answers[0].split()) <= LIMITS.definition_min_words
        if half:
            raise UnwrittenError(Why.ANSWER)
        few = len(condition.lemmas) <= LIMITS.term_min_lemmas and not rules_over(fact, knowledge)
        if few and not is_about(knowledge, fact, condition):
            raise UnwrittenError(Why.UNNAMED)
        return True
    if scenario.asked == fact.place(Role.CONDITION):
        if PATTERNS["pronoun_first"].match(condition.text):
            raise UnwrittenError(Why.POINTS)
        lays_down = fact.verb.modal in {"must", "may", "can", "should", "will", "shall"}
        if not lays_down and not rules_over(fact, knowledge):
            raise UnwrittenError(Why.INDEFINITE)
        _check_subject(knowledge, fact)
        return True
    if not PATTERNS["value_words"].match(words.rpartition(", ")[2]):
        raise UnwrittenError(Why.INDEFINITE)
    return True


_JUDGES = {
    "factoid": _factoid,
    "definition": _definition,
    "cause": _explanation,
    "use": _explanation,
    "purpose": _explanation,
    "explicit": _explicit,
}
"""Subtype -> the check whether its questions are worth asking."""
