"""Chinese questions over records: which of them share a value."""

from __future__ import annotations

from collections.abc import Iterator

from kgsynth.base.records import Scenario, StructureFact
from kgsynth.base.vocabulary import StructureKind
from kgsynth.evidence.knowledge import Knowledge
from kgsynth.evidence.list_answers import said
from kgsynth.evidence.statements import column_of
from kgsynth.generation.writing.chinese.layout import belonging
from kgsynth.generation.writing.draft import QuestionDraft, UnwrittenError, Why, said_step
from kgsynth.golden.answer_members import joined_members
from kgsynth.language.chinese.headings import is_code_row, record_question, records_named


def members(scenario: Scenario, knowledge: Knowledge) -> Iterator[QuestionDraft]:
    """Yield the question for all records of a class that share a value."""
    facts, first = scenario.structure, scenario.structure[0]
    owner, records = _class(first, knowledge)
    tables = {(fact.doc, fact.group, fact.column) for fact in facts}
    cells = [cell for place in sorted(tables) for cell in knowledge.derived(column_of)[place]]
    others = [said(cell) for cell in cells if cell not in facts]
    question = record_question(first.heads[-1].text, records, said(first), others)
    if not question:
        raise UnwrittenError(Why.COLUMN)
    answer = joined_members([fact.subject.text for fact in facts])
    steps = tuple(map(said_step, facts))
    yield QuestionDraft(f"{owner}{question}", (answer,), "members", steps, answer_kind="list")


def _class(fact: StructureFact, knowledge: Knowledge) -> tuple[str, str]:
    """Return what the records of a class belong to, "" for things that people name alone, and what they are called."""
    if fact.kind != StructureKind.CELL or fact.corner is None:
        raise UnwrittenError(Why.ROW)
    if is_code_row(fact.subject.text):
        owner, records = belonging(fact, knowledge)
        owner = f"{owner}的" if owner else ""
    else:
        path = knowledge.documents[fact.doc].sections[fact.section].path
        owner, records = "", records_named(fact.corner.text, path[::-1])
    if not records or (is_code_row(fact.subject.text) and not owner):
        raise UnwrittenError(Why.ROW)
    return owner, records
