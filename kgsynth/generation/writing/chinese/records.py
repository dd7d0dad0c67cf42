"""Chinese questions over records: a figure of a year, its change, and the records that share a value."""

from __future__ import annotations

from collections.abc import Iterator

from kgsynth.base.records import Scenario, StructureFact
from kgsynth.base.vocabulary import StructureKind
from kgsynth.evidence.knowledge import Knowledge
from kgsynth.evidence.list_answers import said
from kgsynth.evidence.quantities import Figure, figure_of, owner_of, table_of
from kgsynth.evidence.statements import column_of
from kgsynth.generation.writing.chinese.layout import belonging
from kgsynth.generation.writing.draft import QuestionDraft, UnwrittenError, Why, said_step
from kgsynth.golden.answer_members import joined_members
from kgsynth.language.chinese.headings import is_code_row, is_measure, record_question, records_named
from kgsynth.language.figures import change, without_unit

_SHARE = "%"


def figure(scenario: Scenario, knowledge: Knowledge) -> Iterator[QuestionDraft]:
    """Yield the question for a figure of a period."""
    (fact,) = scenario.structure
    found = _figure(fact)
    whose, measure = _measured(found, knowledge)
    answers = tuple(dict.fromkeys((found.text, found.text.replace(",", ""))))
    text = f"{whose}{_when(found)}的{measure}是多少？"
    yield QuestionDraft(text, answers, "figure", (said_step(fact),), answer_kind="computed")


def changed(scenario: Scenario, knowledge: Knowledge) -> Iterator[QuestionDraft]:
    """Yield the question by how much a figure rose or fell between two periods."""
    first, last = map(_figure, scenario.structure)
    if first.amount.after == _SHARE:
        raise UnwrittenError(Why.VALUE)  # the difference of two shares is written with English words
    whose, measure = _measured(last, knowledge)
    verb = "增加" if last.amount.value > first.amount.value else "减少"
    text = f"{whose}{_when(last)}的{measure}比{_when(first)}{verb}了多少？"
    steps = tuple(map(said_step, scenario.structure))
    yield QuestionDraft(text, (change(first.amount, last.amount),), "change", steps, answer_kind="computed")


def _figure(fact: StructureFact) -> Figure:
    found = figure_of(fact)
    if found is None or not found.amount.has_unit:
        raise UnwrittenError(Why.VALUE)
    return found


def _when(figure: Figure) -> str:
    return f"{figure.period.label}年" if figure.period.label.isdigit() else figure.period.label


def _measured(figure: Figure, knowledge: Knowledge) -> tuple[str, str]:
    """Return whose a figure is and what it measures."""
    fact = figure.fact
    document = knowledge.documents[fact.doc]
    measure = without_unit(fact.subject.text.strip(" :："))
    if table_of(fact, document.sections[fact.section].path):
        raise UnwrittenError(Why.COLUMN)
    if not is_measure(measure):
        raise UnwrittenError(Why.ROW)
    if not owner_of(document):
        raise UnwrittenError(Why.PAGE)
    return owner_of(document), measure


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
