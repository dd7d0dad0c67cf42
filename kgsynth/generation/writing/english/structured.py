"""Questions on the layout of documents: what headings ask, and how two sections differ."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from kgsynth.base.records import Scenario, StructureFact
from kgsynth.evidence.derivation import said
from kgsynth.evidence.knowledge import Knowledge
from kgsynth.generation.writing.english.drafts import QuestionDraft
from kgsynth.generation.writing.english.scope import in_scope, topic_of
from kgsynth.language.english.headings import bare_title, heading_question, plain_case


def page_question(scenario: Scenario, knowledge: Knowledge) -> Iterator[QuestionDraft]:
    """Yield the question of a heading, with the heading of its document where it needs one."""
    (fact,) = scenario.structure
    question = heading_question(fact.subject.text, knowledge.statements.names)
    if question:
        yield from said_drafts(question, fact, knowledge)


def difference(scenario: Scenario, knowledge: Knowledge) -> Iterator[QuestionDraft]:
    """Yield the question how two things differ."""
    names = knowledge.statements.names
    titles = [bare_title(fact.subject.text) for fact in scenario.structure]
    if any(heading_question(title) or not _NAMES_THING.match(title) or _PART_OF_TEXT.match(title) for title in titles):
        return
    one, other = (plain_case(title, names) for title in titles)
    question = in_scope(f"What is the difference between {one} and {other}?", scenario.structure[0], knowledge)
    if question:
        yield _both(question, scenario, titles)


def two_scopes(scenario: Scenario, knowledge: Knowledge) -> Iterator[QuestionDraft]:
    """Yield the question how the same differs between the subjects of two documents."""
    names, title = knowledge.statements.names, bare_title(scenario.structure[0].subject.text)
    scopes = [topic_of(knowledge.documents[fact.doc].title) for fact in scenario.structure]
    if _PART_OF_TEXT.match(title) or not all(scopes) or any(heading_question(scope) for scope in scopes):
        return
    one, other = (plain_case(scope, names) for scope in scopes)
    asked = heading_question(title, names)
    if asked.startswith("How do you "):
        question = f"{asked[:-1]} in {one}, and how in {other}?"
    elif asked or not _NAMES_THING.match(title):
        return
    else:
        question = f"How do {one} and {other} differ in {plain_case(title, names)}?"
    yield _both(question, scenario, scopes)


_NAMES_THING = re.compile(r"^[\w\"'“(`.$@-][\w \"'”’()`./$@<>-]{1,50}$")
_PART_OF_TEXT = re.compile(
    r"(?i)^(?:(?:\w+ )?(?:introduction|overview|summary|notes?|examples?|usage|conclusions?|history|background|references|resources|links|"
    r"contacts?|details|descriptions?|steps|syntax|parameters|options|motivation|rationale|abstract|copyright|setup|general|other|"
    r"tips|info|information|use cases?|guidance|limits|specification|implementation|discussions?|thanks|recap|acknowledge?ments|"
    r"learn more|behavior change history|upon .*|before .*|after .*|during .*|for .*|with .*|without .*))(?: .*)?$"
)


def _both(question: str, scenario: Scenario, names: list[str]) -> QuestionDraft:
    answer = " ".join(f"{name}: {said(fact)}" for name, fact in zip(names, scenario.structure, strict=True))
    steps = tuple({**said_step(fact), "name": name} for name, fact in zip(names, scenario.structure, strict=True))
    return QuestionDraft(question, (answer,), "contrast", steps)


def said_drafts(question: str, fact: StructureFact, knowledge: Knowledge) -> Iterator[QuestionDraft]:
    """Yield the question with its scope, and what the layout says as its answer."""
    text = in_scope(question, fact, knowledge)
    if text:
        yield QuestionDraft(text, (said(fact),), "said", (said_step(fact),))


def said_step(fact: StructureFact) -> dict[str, Any]:
    """Return the step of a derivation that reads a fact of the layout."""
    return {"fact": fact.id, "doc": fact.doc}
