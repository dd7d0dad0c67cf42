"""Questions for the members of a matter that have a section each: "What types of leave are there?"."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from kgsynth.base.records import Scenario, StructureFact
from kgsynth.evidence.knowledge import Knowledge
from kgsynth.generation.writing.draft import UnwrittenError, Why
from kgsynth.generation.writing.english.comparisons import subject_of
from kgsynth.generation.writing.english.drafts import QuestionDraft, span_of
from kgsynth.generation.writing.english.mention import is_specific, scoped
from kgsynth.generation.writing.english.page_questions import says_its_subject
from kgsynth.generation.writing.english.scope import topic_of
from kgsynth.generation.writing.english.written_names import as_written
from kgsynth.golden.answer_members import answer_members, joined_members
from kgsynth.language.english.headings import bare_title, heading_question, plain_case
from kgsynth.language.english.kind_headings import KindQuestion, fits, kind_question, say_something, shared_noun
from kgsynth.language.english.morphology import is_word
from kgsynth.language.english.question_checks import content_stems
from kgsynth.language.part_words import is_numbered

_ASKS_STEPS = "What are the steps to "
_ASKS_HOW = "How do you "
_HELP = re.compile(r"(?i)(?<=\w) (?:prevention|mitigation|protection)$")
_SAYS_HOW_TO = re.compile(r"(?i)\bhow to\b")
_ASKS_SORTS = re.compile(r"What (?:[\w-]+ ){0,3}(?:types|kinds|sorts|forms|categories|classes) of ")
_MIN_WORDS_ALONE = 3  # content words of a question for a kind that is understood without its document
_MIN_WORDS_IN_SCOPE = 2  # content words of any question


def parts(scenario: Scenario, knowledge: Knowledge) -> Iterator[QuestionDraft]:
    """Yield the questions that the headings below a heading answer, alone or with the subject of the document."""
    matter, *members = scenario.structure
    names = knowledge.statements.names
    titles = [member.subject.text for member in members]
    forms = (kind_question(matter.subject.text, names), _shared(matter.subject.text, titles, names))
    asked = next((form for form in forms if form and fits(form.to_do, titles)), None)
    if asked is None or (asked is not forms[1] and not _is_answered(asked, titles)):
        raise UnwrittenError(Why.HEADING)
    sections = knowledge.documents[matter.doc].sections
    ordered = _has_order(asked, sections[matter.section].title) and is_numbered(
        [sections[member.section].title for member in members]
    )
    if asked.to_do == "steps" and not ordered:
        return
    answer = joined_members(titles, steps=ordered)
    if answer_members(answer) != tuple(titles):
        return
    steps = tuple({"fact": fact.id, "find": span_of(fact.doc, fact.subject)} for fact in members)
    texts = (as_written(text, matter, knowledge) for text in _texts(asked, matter, knowledge, ordered=ordered))
    for text in dict.fromkeys(texts):
        if len(set(content_stems(text))) >= _MIN_WORDS_IN_SCOPE:
            kind, extra = ("steps" if ordered else "list"), {"ordered": ordered, "together": scenario.scope}
            yield QuestionDraft(text, (answer,), "parts", steps, extra, answer_kind=kind)


def _is_answered(asked: KindQuestion, titles: list[str]) -> bool:
    """Check whether headings answer a question; topics only tell where to read on, as a table of contents does."""
    if asked.text.endswith("are there?"):
        return _ASKS_SORTS.match(asked.text) is not None
    return asked.to_do not in ("any", "only", "ordered") or say_something(titles)


def _shared(title: str, members: list[str], names: frozenset[str]) -> KindQuestion | None:
    """Return the question for members that end in the noun of their heading: "Worker signals"."""
    text = bare_title(title)
    if len(text.split()) < _MIN_WORDS_IN_SCOPE or not shared_noun(text, members) or heading_question(text, names):
        return None
    return KindQuestion(f"What {plain_case(text, names)} are there?", "no", "in")


def _has_order(asked: KindQuestion, title: str) -> bool:
    """Check whether numbered members are steps: those of a task may be advice that is only counted."""
    return _SAYS_HOW_TO.search(title) is not None or bool(
        re.search(r" (?:steps|stages|phases)\b|^What should you do ", asked.text)
    )


def _texts(asked: KindQuestion, matter: StructureFact, knowledge: Knowledge, *, ordered: bool) -> Iterator[str]:
    repeated = knowledge.derived(_headings)[bare_title(matter.subject.text).casefold()] > 1
    if not asked.preposition or asked.text.endswith("are there?"):
        alone = not repeated and _stands_alone(asked.text, knowledge)
        found = [
            text
            for text in scoped(asked.text, matter, knowledge, alone=alone)
            if not _names_field(text, matter, knowledge)
        ]
        yield from found or ([] if repeated else [asked.text])
        if ordered and asked.text.startswith(_ASKS_HOW) and not repeated:
            yield f"{_ASKS_STEPS}{asked.text[len(_ASKS_HOW) :]}"
        return
    known = set(content_stems(asked.text))
    path = knowledge.documents[matter.doc].sections[matter.section].path
    for title in reversed(path[:-1]):
        subject = _topic(title, asked.preposition, matter, knowledge)
        if set(content_stems(subject)) & known:
            yield from scoped(asked.text, matter, knowledge, alone=_stands_alone(asked.text, knowledge))
            return
        if subject:
            preposition = asked.preposition
            if preposition == "against" and subject.lower().endswith("security"):
                preposition = "for"
            yield f"{asked.text[:-1]} {preposition} {subject}?"
            return


def _names_field(question: str, matter: StructureFact, knowledge: Knowledge) -> bool:
    """Check whether a question ends in a word that is the label of a field in its document."""
    last = question[:-1].rpartition(" in ")[2]
    return f"\n{last}:" in knowledge.documents[matter.doc].text


def _stands_alone(question: str, knowledge: Knowledge) -> bool:
    """Check whether a question says what it is about; the noun for the kind says little."""
    names = knowledge.statements.names
    if not question.startswith("What ") or question.startswith("What should"):
        return says_its_subject(question, names)
    named = any(is_specific(word.strip("?,"), names) for word in question.split()[1:])
    return named or len(set(content_stems(question))) >= _MIN_WORDS_ALONE


def _topic(title: str, preposition: str, matter: StructureFact, knowledge: Knowledge) -> str:
    """Return what a question is about by a title, in capitals if it is a name, without a word for the help itself."""
    subject = subject_of(title, matter, knowledge)
    if subject and re.search(r"\b[A-Z]{2}", title) and topic_of(title).casefold() == subject.casefold():
        subject = topic_of(title)
    if subject.startswith("the ") and not is_word(subject.split()[-1].lower()):
        subject = subject.removeprefix("the ")  # "the Redis server", but "Redis"
    return _HELP.sub("", subject) if preposition in ("for", "against") else subject


def _headings(knowledge: Knowledge) -> Counter[str]:
    """Return how often the documents have each heading."""
    sections = (section for document in knowledge.documents.values() for section in document.sections[1:])
    return Counter(bare_title(section.title).casefold() for section in sections)
