"""Questions for the members of a matter that have a section each: "What types of leave are there?"."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from kgsynth.base.records import Scenario, StructureFact
from kgsynth.evidence.knowledge import Knowledge
from kgsynth.generation.writing.english.comparisons import subject_of
from kgsynth.generation.writing.english.drafts import QuestionDraft, span_of
from kgsynth.generation.writing.english.mention import scoped
from kgsynth.generation.writing.english.scope import topic_of
from kgsynth.golden.answer_members import answer_members, joined_members
from kgsynth.language.english.headings import bare_title, plain_case
from kgsynth.language.english.kind_headings import KindQuestion, fits, kind_question, shared_noun
from kgsynth.language.english.question_checks import content_stems
from kgsynth.language.part_words import is_numbered

_STEPS = "What are the steps to "
_HOW = "How do you "
_HELP = re.compile(r"(?i)(?<=\w) (?:prevention|mitigation|protection)$")
_MIN_CONTENT = 2  # content words of any question


def parts(scenario: Scenario, knowledge: Knowledge) -> Iterator[QuestionDraft]:
    """Yield the questions that the headings below a heading answer, alone or with the subject of the document."""
    matter, *members = scenario.structure
    names = knowledge.statements.names
    titles = [member.subject.text for member in members]
    asked = kind_question(matter.subject.text, names) or _shared(matter.subject.text, titles, names)
    if asked is None or not fits(asked.to_do, titles):
        return
    sections = knowledge.documents[matter.doc].sections
    ordered = _is_task(asked) and is_numbered([sections[member.section].title for member in members])
    answer = joined_members(titles, steps=ordered)
    if answer_members(answer) != tuple(titles):
        return
    steps = tuple({"fact": fact.id, "find": span_of(fact.doc, fact.subject)} for fact in members)
    for text in dict.fromkeys(_texts(asked, matter, knowledge, ordered=ordered)):
        if len(set(content_stems(text))) >= _MIN_CONTENT:
            kind, extra = ("steps" if ordered else "list"), {"ordered": ordered, "together": scenario.scope}
            yield QuestionDraft(text, (answer,), "parts", steps, extra, answer_kind=kind)


def _shared(title: str, members: list[str], names: frozenset[str]) -> KindQuestion | None:
    """Return the question for members that end in the noun of their heading: "Worker signals"."""
    text = bare_title(title)
    if len(text.split()) < _MIN_CONTENT or not shared_noun(text, members):
        return None
    return KindQuestion(f"What {plain_case(text, names)} are there?", "no", "in")


def _is_task(asked: KindQuestion) -> bool:
    return asked.to_do == "only" or bool(re.search(r" (?:steps|stages|phases)\b", asked.text))


def _texts(asked: KindQuestion, matter: StructureFact, knowledge: Knowledge, *, ordered: bool) -> Iterator[str]:
    repeated = knowledge.derived(_headings)[bare_title(matter.subject.text).casefold()] > 1
    if not asked.preposition:
        yield from scoped(asked.text, matter, knowledge, alone=not repeated)
        if ordered and asked.text.startswith(_HOW) and not repeated:
            yield f"{_STEPS}{asked.text[len(_HOW) :]}"
        return
    known = set(content_stems(asked.text))
    path = knowledge.documents[matter.doc].sections[matter.section].path
    for title in reversed(path[:-1]):
        subject = _topic(title, asked.preposition, matter, knowledge)
        if set(content_stems(subject)) & known:
            yield asked.text
            return
        if subject:
            yield f"{asked.text[:-1]} {asked.preposition} {subject}?"
            return


def _topic(title: str, preposition: str, matter: StructureFact, knowledge: Knowledge) -> str:
    """Return what a question is about by a title: in capitals as there if it is a name, and no word for the help itself."""
    subject = subject_of(title, matter, knowledge)
    if subject and re.search(r"\b[A-Z]{2}", title) and topic_of(title).casefold() == subject.casefold():
        subject = topic_of(title)
    return _HELP.sub("", subject) if preposition in ("for", "against") else subject


def _headings(knowledge: Knowledge) -> Counter[str]:
    """Return how often the documents have each heading."""
    sections = (section for document in knowledge.documents.values() for section in document.sections[1:])
    return Counter(bare_title(section.title).casefold() for section in sections)
