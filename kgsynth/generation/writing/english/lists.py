"""Questions that lists answer, asked by the sentence or heading that leads into them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from kgsynth.base.records import Document, Scenario, StructureFact
from kgsynth.base.vocabulary import StructureKind
from kgsynth.evidence.knowledge import Knowledge
from kgsynth.evidence.list_answers import said_in_short
from kgsynth.generation.writing.draft import UnwrittenError, Why
from kgsynth.generation.writing.english.drafts import QuestionDraft, said_step
from kgsynth.generation.writing.english.mention import is_specific, scoped
from kgsynth.generation.writing.english.short_scope import common_scope
from kgsynth.language.english.headings import heading_question
from kgsynth.language.english.lead_ins import counted, heading_list_question, lead_in_question
from kgsynth.language.english.question_checks import content_stems
from kgsynth.language.layout_words import gives_order

_IS_NO_MEMBER = re.compile(
    r"(?i)\b(?:the following|as follows|above|below|(?:previous|next|following|this) (?:section|step|page|chapter|example)|"  # noqa: E501
    r"see (?:the|our|also)|read more|learn more|click here)\b|\[[ x]?\]|https?://|[:(]$|\(\s*\)|\s[.,;]\s|\]\[|\]\(|\{%|^for (?:example|instance)\b|^(?:note|example)\b"  # noqa: E501
)
_OURS = re.compile(r"(?i)\b(?:our|we|us|this|these|those|my|do you like)\b")
_ASKS_FOR_MEMBERS = re.compile(r"(?:How|What|Which|Who|When|Where|Why)\b")
_MIN_CONTENT = 2  # content words of any question
_MIN_SPECIFIC = 4  # content words of a question that is understood without its document


def listing(scenario: Scenario, knowledge: Knowledge) -> Iterator[QuestionDraft]:
    """Yield the question that a list answers, alone if it is specific and with its scope."""
    (fact,) = scenario.structure
    names, lead = knowledge.statements.names, fact.subject.text
    if any(_IS_NO_MEMBER.search(value.text) for value in fact.values):
        raise UnwrittenError(Why.POINTS)
    question = lead_in_question(lead, names)
    document = knowledge.documents[fact.doc]
    if not question and lead == document.sections[fact.section].title and _fills_section(document, fact):
        question = heading_list_question(lead, names) or heading_question(lead, names)
        ordered = all(gives_order(value.text) for value in fact.values)
        question = "" if question.startswith("How do you ") and not ordered else question
    if not question or not _ASKS_FOR_MEMBERS.match(question) or _OURS.search(question):
        raise UnwrittenError(Why.HEADING)
    if counted(question) not in (0, len(fact.values)):
        raise UnwrittenError(Why.ANSWER)
    words = question[:-1].split()[1:]
    stems = content_stems(question)
    named = any(is_specific(word.strip("\"'“”(),"), names) for word in words if word not in ("a", "the"))
    if len(stems) - bool(counted(question)) < _MIN_CONTENT:
        raise UnwrittenError(Why.THIN)
    told = len(stems) >= _MIN_SPECIFIC - question.startswith("How do you ")
    texts = [question] if named and told else [*scoped(question, fact, knowledge, alone=told)]
    texts = texts or [*_about_all(question, knowledge, named=named)]
    if not texts:
        raise UnwrittenError(Why.PAGE)
    for text in texts:
        steps = (said_step(fact),)
        yield QuestionDraft(text, (said_in_short(fact),), "in_short", steps, answer_kind=_answer_kind(fact))


def _about_all(question: str, knowledge: Knowledge, *, named: bool) -> Iterator[str]:
    """Yield a question with the name that the whole folder is about, or as it is if that name is in it."""
    preposition, name = knowledge.derived(common_scope) or ("", "")
    if name and set(content_stems(name)) & set(content_stems(question)):
        yield question
    elif name and not named:
        yield f"{question[:-1]} {'in' if preposition == 'with' else preposition} {name}?"


def _answer_kind(fact: StructureFact) -> str:
    return "steps" if fact.kind == StructureKind.PROCEDURE else "list"


def _fills_section(document: Document, fact: StructureFact) -> bool:
    """Check whether a list is the whole text of its section."""
    start, end = fact.values[0].start, fact.values[-1].end
    blocks = (block for block in document.blocks if block.section == fact.section and block.kind != "heading")
    return all(start <= block.start and block.end <= end for block in blocks)
