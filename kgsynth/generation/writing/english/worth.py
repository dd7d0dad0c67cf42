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
from kgsynth.generation.writing.english.drafts import says_what_it_is
from kgsynth.generation.writing.english.worth_facts import is_clear
from kgsynth.language.english.lexicon import LIGHT_VERBS
from kgsynth.language.english.phrases import balanced
from kgsynth.language.english.question_checks import odd_form

_VALUE_WORDS = re.compile(
    r"(?:when|how (?:often|long|much|many)|what percentage|(?:for|after) how long|within what time|"
    r"(?:until|since|by|from) when|in which year)\b",
    re.IGNORECASE,
)
"""The words that ask for a time or a value."""
_AUXILIARIES = frozenset(
    """am is are was were be been being do does did has have had can could may might must shall should will would
    need ought dare cannot""".split()
)
_FORMS_OF_BE = frozenset({"am", "is", "are", "was", "were", "be", "been"})
_RELATIVE_TIME = re.compile(r"(?i)\b(?:later|earlier|ago|next|same|that|this|afterwards)\b")
_PART_OF = re.compile(r"(?i)(?:an? )?(?:part|one|member|type|kind|form|number|some|example)s? of\b")
_VALUED = re.compile(
    r"(?i)(?:an? |the )?(?:\w+ )?(?:\w+est|most|last|first|only|core|critical|key|essential|major|crucial|central|"
    r"vital|fundamental|helpful|useful|aspect|component|feature|choice|journey)\b"
)
"""How definitions begin if they only say how important a thing is, or what it belongs to."""
_LEARN = re.compile(
    r"(?i)(?:learn|see|find out|read|understand|support|get started|make sure|ensure|make|help|avoid|do|get|have|be)\b"
)
"""How purposes begin for which nobody asks the way."""
_STRANDED = re.compile(r"\b(?:for|of|by|in|on|from|as|after|with)\?$")
_BRACKET_NOTE = re.compile(r"\[[^\]]*\]|\b\d+\.\d+ [A-Z]")
"""A note in brackets, or the number of a clause read as part of it: "5.2 Customer"."""
_OPEN_WORDS = frozenset("help achieve do make be have get use need want work happen this that it them so".split())
"""Words with which a purpose or condition says nothing by itself: "to help you achieve this"."""


def is_worth_asking(scenario: Scenario, knowledge: Knowledge, draft: QuestionDraft) -> bool:
    """Check whether people would ask a question on one sentence; questions of other subtypes always pass.

    Raises:
        UnwrittenError: they would not, and it is known why.
    """
    judge = _JUDGES.get(scenario.subtype)
    if judge is None:
        return True
    fact, text = scenario.facts[0], f"{draft.question} {draft.answers[0]}"
    cut = not balanced(draft.question) or not balanced(draft.answers[0]) or _BRACKET_NOTE.search(text)
    if cut or not _is_verb_group(fact):
        raise UnwrittenError(Why.MISREAD)
    if odd_form(draft.question, draft.answers[0]):
        raise UnwrittenError(Why.SENTENCE)
    return is_clear(scenario, knowledge, draft) and judge(scenario, knowledge, draft)


def _is_verb_group(fact: Fact) -> bool:
    """Check that the auxiliaries are real ones and fit the verb: not "became known", not "are … submit"."""
    auxiliaries, verb = fact.verb.auxiliaries, fact.verb
    if any(word not in _AUXILIARIES for word in auxiliaries[:1]):
        return False
    if any(word not in {"be", "been", "being", "have"} for word in auxiliaries[1:]):
        return False
    subject = fact.first(Role.SUBJECT)
    if auxiliaries and subject is not None and verb.start < subject.start < verb.end:
        return False  # "has the attribute enabled"
    progressive = auxiliaries[-1:] and auxiliaries[-1] in _FORMS_OF_BE and not verb.passive
    return not progressive or verb.form.endswith("ing")


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
    return len(set(phrase.lemmas) - _OPEN_WORDS) >= LIMITS.term_min_lemmas


def _factoid(scenario: Scenario, knowledge: Knowledge, draft: QuestionDraft) -> bool:
    fact, asked = scenario.facts[0], scenario.facts[0].phrases[scenario.asked]
    subject = fact.first(Role.SUBJECT)
    if asked.role == Role.PURPOSE:
        return _tells_how(knowledge, fact, asked, draft)
    if fact.verb.negated or fact.kind == FactKind.APPOSITION or subject is None:
        raise UnwrittenError(Why.DENIED if fact.verb.negated else Why.PASSING)
    if len(draft.question.split()) > LIMITS.usual_question_max:
        raise UnwrittenError(Why.LONG)
    if fact.kind == FactKind.COREFERENCE and not (subject.has(Flag.PROPER) and len(subject.text.split()) <= 3):
        raise UnwrittenError(Why.UNNAMED)
    words = draft.question.lower()
    value = bool(_VALUE_WORDS.match(words))
    about = [phrase for _, phrase in repeated(fact, scenario.asked)]
    if subject.has(Flag.SOME):
        raise UnwrittenError(Why.OPEN)
    if asked is subject and _is_title(knowledge, fact, asked):
        raise UnwrittenError(Why.KNOWN)
    if subject is asked or asked.role == Role.AGENT:
        if not any(is_about(knowledge, fact, phrase) for phrase in about):
            raise UnwrittenError(Why.UNNAMED)
    elif not (is_about(knowledge, fact, subject) or (subject.has(Flag.YOU) and value)):
        raise UnwrittenError(Why.UNNAMED)
    if fact.verb.has(VerbFlag.PAST) and not any(in_titles(knowledge, fact, phrase) for phrase in about):
        raise UnwrittenError(Why.PASSING)  # an event that a page only mentions
    if not (_is_value(draft) if value else _names_answer(knowledge, fact, asked, draft)):
        raise UnwrittenError(Why.INDEFINITE)
    return True


def _names_answer(knowledge: Knowledge, fact: Fact, asked: Phrase, draft: QuestionDraft) -> bool:
    """Check whether "who", "which" or "what" asks for a name, a role or a definite thing."""
    words, named = draft.question.lower(), bool(asked.flags & {Flag.NAMED, Flag.CODE})
    if re.match(r"(?:who|(?:by|to|from|with|for) whom)\b", words):
        role = asked.has(Flag.DEFINITE) and asked.has(Flag.MODIFIED) and not asked.has(Flag.PLURAL)
        return role or asked.has(Flag.NAMED)
    if words.startswith("what "):
        return asked.label != "PERSON" and _what(fact, asked, draft)
    if asked.role == Role.SUBJECT and fact.verb.lemma in LIGHT_VERBS:
        raise UnwrittenError(Why.OPEN)  # "Which page contains further guidance?"
    if not named and not (asked.has(Flag.DEFINITE) and fact.verb.passive and asked.role == Role.OTHER):
        return False
    stranded = _STRANDED.search(words) and not fact.verb.passive
    return not (stranded or re.search(r"['’]s? ", draft.answers[0]) or re.search(r"\bwhich place\b", words))


def _tells_how(knowledge: Knowledge, fact: Fact, purpose: Phrase, draft: QuestionDraft) -> bool:
    """Check whether a purpose is a task, and the advice for it is complete and names what to use."""
    before = any(
        p.start < fact.verb.start and p.text and p is not purpose for p in fact.phrases if p.role != Role.SUBJECT
    )
    task = re.sub(r"(?i)^how \w+ you ", "", draft.question)
    objects = [p for p in fact.phrases if p.role in {Role.OBJECT, Role.OTHER}]
    helped = any(_is_term(knowledge, fact, p) for p in objects) or is_about(knowledge, fact, purpose)
    vague = fact.verb.lemma in _CHAINED or before or _LEARN.match(task)
    if vague or not says_something(purpose) or not helped:
        raise UnwrittenError(Why.THIN)
    return True


def _is_title(knowledge: Knowledge, fact: Fact, phrase: Phrase) -> bool:
    """Check whether a phrase is the title of its document, so that nobody who reads about it would ask for it."""
    stems = knowledge.statements.language_of(fact.doc).content_stems
    return set(stems(phrase.text)) <= set(stems(knowledge.documents[fact.doc].title))


def _is_value(draft: QuestionDraft) -> bool:
    """Check that the answer to "how many" is a number with its noun, not a whole clause or the year of an event."""
    counts = draft.question.lower().startswith("how many ")
    year = re.match(r"(?:1\d|20)\d\d\b", draft.answers[0])
    if not counts and _RELATIVE_TIME.search(draft.answers[0]):
        return False  # "four years later" than what the sentence before says
    return not counts or (len(draft.answers[0].split()) <= LIMITS.defined_max_words and not year)


def _what(fact: Fact, asked: Phrase, draft: QuestionDraft) -> bool:
    """Check whether a question that opens with "what" asks for a definite thing."""
    subject = fact.first(Role.SUBJECT)
    specific = bool(asked.flags & {Flag.NAMED, Flag.CODE, Flag.NUMBER})
    if subject is None or _PART_OF.match(draft.answers[0]):
        return False
    if asked.role == Role.SUBJECT:
        attribute = fact.first(Role.ATTRIBUTE)
        if attribute is None or attribute.has(Flag.COORDINATED):
            raise UnwrittenError(Why.SENTENCE)
        if not (attribute.has(Flag.DEFINITE) and attribute.has(Flag.MODIFIED)):
            raise UnwrittenError(Why.OPEN)
        return specific
    if asked.role == Role.ATTRIBUTE:
        described = subject.has(Flag.DEFINITE) and subject.has(Flag.MODIFIED) and specific
        past = subject.has(Flag.PROPER) and fact.verb.has(VerbFlag.PAST)  # in the present it is a definition
        return described or (past and says_what_it_is(draft.answers[0]))
    if asked.role == Role.AGENT:
        return fact.verb.lemma not in LIGHT_VERBS
    if _STRANDED.search(draft.question):
        return fact.verb.passive or fact.verb.lemma in {"consist", "stand"}
    if asked.role != Role.OBJECT or fact.verb.lemma in LIGHT_VERBS:
        raise UnwrittenError(Why.SENTENCE)
    if subject.has(Flag.CODE) and not subject.has(Flag.COORDINATED):
        return True
    context = [p for _, p in repeated(fact) if p not in (subject, asked)]
    short = len(asked.text.split()) <= LIMITS.defined_max_words
    return short and bool(context) and bool(asked.flags & {Flag.PROPER, Flag.CODE, Flag.NUMBER})


def _definition(scenario: Scenario, knowledge: Knowledge, draft: QuestionDraft) -> bool:
    """Check that a sentence begins with what it defines, by a kind: "a tool that …", "the study of …"."""
    fact, attribute = scenario.facts[0], scenario.facts[0].phrases[scenario.asked]
    subject = fact.first(Role.SUBJECT)
    if subject is None or subject.flags & {Flag.NUMBER, Flag.SOME, Flag.PERSON} or subject.label == "PERSON":
        raise UnwrittenError(Why.TERM)
    if fact.kind != FactKind.CLAUSE or re.match(r"(?i)most\b|all\b|some\b|other\b", subject.text):
        raise UnwrittenError(Why.TERM)
    answer = draft.answers[0]
    kind = bool(re.match(r"(?i)an? ", answer)) or (subject.has(Flag.PLURAL) and not attribute.has(Flag.DEFINITE))
    restricted = bool(
        re.search(r"\w (?:that|which|who|whose|where|of|for|to|in|with|by|from|used|\w+ed|\w+ing)\b", answer)
    )
    named = bool(re.match(r"(?i)the \w+(?:[ -]\w+)? (?:of|that|which|by|for)\b", answer)) and not subject.has(
        Flag.PROPER
    )
    if _VALUED.match(answer) or _PART_OF.match(answer):
        raise UnwrittenError(Why.OPINION)
    if not ((kind and restricted) or named):
        raise UnwrittenError(Why.THIN)
    first = subject.start - fact.start <= len("The **`")  # at most an article or marks come before it
    if not first and not is_about(knowledge, fact, subject):
        raise UnwrittenError(Why.PASSING)
    return True


def _cause(scenario: Scenario, knowledge: Knowledge, draft: QuestionDraft) -> bool:
    fact = scenario.facts[0]
    if fact.phrases[scenario.asked].role != Role.CAUSE:
        effects = [p for n, p in repeated(fact, scenario.asked)]
        if not any(is_about(knowledge, fact, p) or len(p.lemmas) > LIMITS.term_min_lemmas for p in effects):
            raise UnwrittenError(Why.UNNAMED)
        return True
    if fact.kind == FactKind.OUTCOME and (
        fact.verb.lemma == "do" or fact.phrases[scenario.asked].marker not in {"because", "since"}
    ):
        raise UnwrittenError(Why.CLAUSE)  # half sentences are cut rightly only at a conjunction; commands are no facts
    objects = sum(p.role == Role.OBJECT and not p.marker for p in fact.phrases)
    if objects > 1 and fact.first(Role.DATIVE) is None:
        raise UnwrittenError(Why.MISREAD)  # a list that the parser has split
    is_state = fact.verb.lemma == "be" and fact.kind != FactKind.OUTCOME and not fact.verb.passive
    if is_state and fact.first(Role.ATTRIBUTE) is None:
        raise UnwrittenError(Why.SENTENCE)  # "Loss is due to …"
    _check_subject(knowledge, fact)
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


_CHAINED = frozenset(
    """act agree aim attempt become begin call come continue decide fail go have hope know learn like manage need plan
    prefer proceed refuse remain seek serve start tend try wait want wish work""".split()
)
"""Verbs that an infinitive or "for" completes: "went on to lead" does not give a purpose."""


def _purpose(scenario: Scenario, knowledge: Knowledge, draft: QuestionDraft) -> bool:
    fact, purpose = scenario.facts[0], scenario.facts[0].phrases[scenario.asked]
    if fact.verb.lemma in {*_CHAINED, "be"} or fact.verb.negated:
        raise UnwrittenError(Why.CLAUSE)
    if not says_something(purpose):
        raise UnwrittenError(Why.THIN)
    if fact.verb.lemma == "use" and not fact.verb.passive and fact.first(Role.OBJECT) is None:
        raise UnwrittenError(Why.MISREAD)  # "usernames used for …": a participle read as a verb
    if purpose.has(Flag.DEICTIC) or re.search(r"\b(?:this|that|these|those|it) *$", draft.answers[0]):
        raise UnwrittenError(Why.POINTS)
    _check_subject(knowledge, fact)
    return True


def _explicit(scenario: Scenario, knowledge: Knowledge, draft: QuestionDraft) -> bool:
    fact = scenario.facts[0]
    condition = fact.first(Role.CONDITION)
    if condition is None or not says_something(condition):
        raise UnwrittenError(Why.THIN)
    words = draft.question.lower()
    if _ASKS_OUTCOME.match(words):
        event = condition.marker in {"when", "once"} and _PAST.search(condition.text)
        if event or condition.marker not in _CASES:
            raise UnwrittenError(Why.CLAUSE)
        half = fact.kind == FactKind.OUTCOME and len(draft.answers[0].split()) <= LIMITS.definition_min_words
        if half or re.search(r"\b(?:is|are|was|were|be)$", draft.answers[0]):
            raise UnwrittenError(Why.ANSWER)
        if not is_about(knowledge, fact, condition) and len(condition.lemmas) <= LIMITS.term_min_lemmas:
            raise UnwrittenError(Why.UNNAMED)
        return True
    if scenario.asked == fact.place(Role.CONDITION):
        if re.search(r"\b(?:their|its|his|her|them)\b", words) or _PRONOUN_FIRST.match(condition.text):
            raise UnwrittenError(Why.POINTS)
        if fact.verb.modal not in {"must", "may", "can", "should", "will", "shall"}:
            raise UnwrittenError(Why.INDEFINITE)
        _check_subject(knowledge, fact)
        return True
    asked = fact.phrases[scenario.asked]
    opening = words.rpartition(", ")[2]
    value = _VALUE_WORDS.match(opening)
    if not (_is_value(draft) if value else asked.has(Flag.NAMED) and opening.startswith("who ")):
        raise UnwrittenError(Why.INDEFINITE)
    return True


_CASES = frozenset({"if", "when", "whenever", "once", "in case", "in case of", "in the event of"})
_ASKS_OUTCOME = re.compile(r"what (?:happens|happened|would happen|(?:must|should|can|do) .+ do) ")
_PAST = re.compile(r"(?i)^\w+ .*?\b(?:was|were|had|did|\w+ed)\b(?! by\b)")
_PRONOUN_FIRST = re.compile(r"(?i)\w+ (?:they|it|he|she|this|that)\b")


_JUDGES = {
    "factoid": _factoid,
    "definition": _definition,
    "cause": _cause,
    "use": _purpose,
    "purpose": _purpose,
    "explicit": _explicit,
}
"""Subtype -> the check whether its questions are worth asking."""
