"""What a question on a sentence must not be, seen from its fact: half of what is said, or asked the wrong way round."""

from __future__ import annotations

import re
from collections import Counter, defaultdict

from kgsynth.base.records import Fact, Phrase, Scenario
from kgsynth.base.thresholds import LIMITS
from kgsynth.base.vocabulary import Flag, Role
from kgsynth.evidence.knowledge import Knowledge
from kgsynth.generation.evolutions.eligibility import without_marker
from kgsynth.generation.evolutions.prose import defines
from kgsynth.generation.writing.draft import QuestionDraft, UnwrittenError, Why
from kgsynth.generation.writing.english.scope import common_scope
from kgsynth.generation.writing.english.written_names import lacks_article
from kgsynth.language.english.lexicon import PATTERNS
from kgsynth.language.english.morphology import thing_used
from kgsynth.language.english.question_checks import content_stems

_NO_THING = re.compile(r"^(?:the )?[A-Z]?[a-z]+ (?:\d+|[IVX]+|[A-Z])$|^[\d\"'“]|^[A-Z]\w?$")
"""A thing by a number or letter, or a quotation: "Stage 3"."""
_WHEN_WEAK = re.compile(r"(?i)^(?:\w+ [\w ]+, )?when (?:can|could|may|might|shall|will you|would)\b")
_THIRD_PERSON = re.compile(r"(?i)\b(?:it|its|they|them|their|he|his|she|her|one)\b")
_OBLIGES = re.compile(r"(?i)\b(?:must|should|ought to|needs? to|have to|has to|be careful|care)\b|^an? \w+ is to\b")


_POINTS_AWAY = re.compile(r"(?i)\b(?:this|these|those|such|also|do so|other)\b|^it is usually\b")
"""What an outcome has that is one of several, or points to what is said elsewhere."""
_NO_OUTCOME = re.compile(r"(?i)(?:when|if|unless|do not|don['’]t)\b|\w+$")


def is_clear(scenario: Scenario, knowledge: Knowledge, draft: QuestionDraft) -> bool:
    """Check that a question asks for what its fact says, all of it, with a verb that was read rightly."""
    if lacks_article(scenario.facts[0], knowledge, draft.question) or _disagrees(scenario.facts[0]):
        raise UnwrittenError(Why.MISREAD)
    check = _CHECKS.get(scenario.subtype)
    return check is None or check(scenario, knowledge, draft)


def _disagrees(fact: Fact) -> bool:
    """Check whether a verb does not agree with its subject, so that it probably is a noun: "ZUS benefit of 80 %"."""
    subject, verb = fact.first(Role.SUBJECT), fact.verb
    plural = subject is None or subject.flags & {Flag.PLURAL, Flag.COORDINATED, Flag.PRONOUN, Flag.YOU, Flag.FIRST}
    return verb.tag == "VBP" and verb.lemma not in {"be", "do"} and not (verb.modal or verb.auxiliaries or plural)


def _sentence(knowledge: Knowledge, fact: Fact) -> str:
    return knowledge.documents[fact.doc].plain(fact.start, fact.end)


def _factoid(scenario: Scenario, knowledge: Knowledge, draft: QuestionDraft) -> bool:
    fact, asked = scenario.facts[0], scenario.facts[0].phrases[scenario.asked]
    subject = fact.first(Role.SUBJECT)
    if asked.role == Role.PURPOSE:
        return True
    if draft.question.startswith(("What was ", "What is ")) and subject is not None and _is_person(knowledge, fact):
        raise UnwrittenError(Why.QUESTION_WORD)
    open_agent = asked.role in {Role.SUBJECT, Role.AGENT}
    if open_agent and re.match(r"What (?:can|may|could|might|will|should) ", draft.question):
        raise UnwrittenError(Why.OPEN)  # several things can
    common = knowledge.derived(common_scope)
    known = {*content_stems(draft.question), *(content_stems(common[1]) if common else ())}
    counted = draft.question.startswith("How")
    if not counted and set(content_stems(draft.answers[0])) <= known:
        raise UnwrittenError(Why.KNOWN)
    return True


def _is_person(knowledge: Knowledge, fact: Fact) -> bool:
    """Check whether a subject is a person: by its label, or because what it is said to be is one."""
    subject, attribute = fact.first(Role.SUBJECT), fact.first(Role.ATTRIBUTE)
    if subject is None:
        return False
    human = attribute is not None and bool(PATTERNS["human"].search(attribute.head))
    return subject.label == "PERSON" or subject.has(Flag.PERSON) or (subject.has(Flag.PROPER) and human)


def _advised_against(knowledge: Knowledge, fact: Fact) -> bool:
    """Check whether a heading, or the words before a sentence, say that it is not to be done."""
    document = knowledge.documents[fact.doc]
    before = document.text[max(0, fact.start - LIMITS.evidence_gap) : fact.start].rpartition("\n\n")[2]
    path = knowledge.statements.section_of(fact).path
    return any(PATTERNS["advised_against"].search(text) for text in (*path, before, _sentence(knowledge, fact)))


def _definition(scenario: Scenario, knowledge: Knowledge, draft: QuestionDraft) -> bool:
    fact = scenario.facts[0]
    subject = fact.first(Role.SUBJECT)
    if subject is None or _NO_THING.match(subject.text):
        raise UnwrittenError(Why.TERM)
    document = knowledge.documents[fact.doc]
    before = re.sub(r"(?i)\b(?:an?|the)\b|[^\w,]", "", document.plain(fact.start, subject.start))
    if PATTERNS["type_or_owner"].match(draft.answers[0]):
        raise UnwrittenError(Why.THIN)
    if before and before[-1] != ",":
        raise UnwrittenError(Why.MISREAD)  # words before the subject that no comma separates are its own
    if knowledge.derived(_defined_often)[_subject_key(subject)] > 1:
        raise UnwrittenError(Why.OPEN)
    return True


def _subject_key(subject: Phrase) -> frozenset[str]:
    """Return the stems by which two definitions are of the same thing."""
    return frozenset(content_stems(subject.text))


def _defined_often(knowledge: Knowledge) -> Counter[frozenset[str]]:
    """Return in how many different ways the corpus says what each thing is."""
    found: dict[frozenset[str], set[frozenset[str]]] = defaultdict(set)
    for fact in knowledge.statements.facts:
        subject, attribute = fact.first(Role.SUBJECT), fact.first(Role.ATTRIBUTE)
        if subject is not None and attribute is not None and defines(fact):
            found[_subject_key(subject)].add(frozenset(content_stems(attribute.text)))
    return Counter({key: len(ways) for key, ways in found.items()})


def _use(scenario: Scenario, knowledge: Knowledge, draft: QuestionDraft) -> bool:
    fact = scenario.facts[0]
    used = thing_used(fact)
    if used is None or not _purpose(scenario, knowledge, draft):
        raise UnwrittenError(Why.SENTENCE)
    mentions = sum(1 for _ in knowledge.statements.containing(used.lemmas, share=1.0))
    if mentions > LIMITS.purpose_mentions:
        raise UnwrittenError(Why.OPEN)  # what is mentioned more often has other uses
    return True


def _purpose(scenario: Scenario, knowledge: Knowledge, draft: QuestionDraft) -> bool:
    fact, purpose = scenario.facts[0], scenario.facts[0].phrases[scenario.asked]
    if purpose.marker == "so that" and purpose.has(Flag.APART):
        raise UnwrittenError(Why.CLAUSE)  # a result
    why = draft.question.startswith("Why ")
    if why and (purpose.marker == "for" or fact.verb.modal in {"can", "may", "might", "could", "will"}):
        raise UnwrittenError(Why.CLAUSE)  # "behave alike for moving symbols" says when, or of what
    if PATTERNS["one_of_several"].search(_sentence(knowledge, fact)) or _SOME.search(draft.question):
        raise UnwrittenError(Why.OPEN)
    if _advised_against(knowledge, fact):
        raise UnwrittenError(Why.CLAUSE)
    return True


_SOME = re.compile(r"(?i)\b(?:some|several|multiple|a maximum of|any|certain|various|lots of|many|issues)\b")


def _explicit(scenario: Scenario, knowledge: Knowledge, draft: QuestionDraft) -> bool:
    fact, question, answer = scenario.facts[0], draft.question, draft.answers[0]
    condition = fact.first(Role.CONDITION)
    if condition is None or not _is_separated(knowledge, fact, condition):
        raise UnwrittenError(Why.MISREAD)
    if re.search(r"(?i)\b(?:still|even)\b", _sentence(knowledge, fact)):
        raise UnwrittenError(Why.CLAUSE)  # the condition changes nothing
    if _WHEN_WEAK.match(question):
        raise UnwrittenError(Why.OPEN)
    if _THIRD_PERSON.search(question):
        raise UnwrittenError(Why.POINTS)
    if not re.match(r"(?i)(?:what|when)\b", question):
        return True
    if question.startswith("What"):
        _check_outcome(question, answer)
    stems = content_stems(without_marker(condition))
    if question.startswith("What happens"):
        if _OBLIGES.search(answer):
            raise UnwrittenError(Why.SENTENCE)  # what one must do does not happen
        named = condition.has(Flag.CODE) or question.startswith("What happens to ")
        few = not named and len(stems) < LIMITS.event_min_words
    else:
        few = PATTERNS["broad"].search(question) is not None
    if few:
        raise UnwrittenError(Why.THIN)
    return True


def _check_outcome(question: str, answer: str) -> None:
    """Check that an answer says what happens or what to do under a condition.

    Raises:
        UnwrittenError: it does not.
    """
    if _POINTS_AWAY.search(answer):
        raise UnwrittenError(Why.POINTS)
    if question.startswith("What can"):
        raise UnwrittenError(Why.OPEN)  # one of the things that are possible
    if _NO_OUTCOME.match(answer):
        raise UnwrittenError(Why.ANSWER)


def _is_separated(knowledge: Knowledge, fact: Fact, condition: Phrase) -> bool:
    """Check that a comma ends a condition that comes first; without one the parser may have cut it wrongly."""
    after = [p.start for p in fact.phrases if p.start >= condition.end and p.end > p.start]
    if condition.start > min(p.start for p in fact.phrases) or not after:
        return True
    follows = knowledge.documents[fact.doc].plain(condition.end, max(min(after), condition.end + 1))
    return "," in follows or any(p.has(Flag.YOU) and p.start == min(after) for p in fact.phrases)


_CHECKS = {
    "factoid": _factoid,
    "definition": _definition,
    "use": _use,
    "purpose": _purpose,
    "explicit": _explicit,
}
