"""Questions over the rows of one table: "Which plan has the largest maximum file size?", "Which fields are required?"."""  # noqa: E501

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from kgsynth.base.records import Scenario
from kgsynth.evidence.knowledge import Knowledge
from kgsynth.evidence.tables import column_of, extreme_row, matching_rows
from kgsynth.generation.writing.english.drafts import QuestionDraft, said_step
from kgsynth.generation.writing.english.mention import scoped
from kgsynth.generation.writing.english.tables import is_example, kind_of_rows, names_row
from kgsynth.golden.answer_members import joined_members
from kgsynth.language.english.column_heads import column_filter, column_superlative, names_attributes, names_documents


def across_rows(scenario: Scenario, knowledge: Knowledge) -> Iterator[QuestionDraft]:
    """Yield the question which row has the greatest or least value, or which rows have one value."""
    cells = scenario.structure
    first, head = cells[0], cells[0].heads[-1].text
    corner, kind = first.corner.text if first.corner else "", kind_of_rows(first, knowledge)
    named = all(names_row(cell.subject.text) for cell in cells)
    if (
        is_example(first, knowledge)
        or not kind
        or not named
        or len(first.heads) > 1
        or first.scope
        or names_documents(corner)
        or names_attributes(corner)
    ):
        return
    names, wanted = knowledge.statements.names, scenario.scope
    if wanted.startswith("="):
        question = column_filter(head, kind, wanted[1:], names)
        answer = joined_members(matching_rows(cells, wanted[1:]))
        operator, extra = "matching", {"equals": wanted[1:]}
    else:
        question = column_superlative(head, kind, wanted, [cell.values[0].text for cell in cells], names)
        answer = extreme_row(cells, wanted, knowledge.documents[first.doc].language)
        operator, extra = "extreme", {"direction": wanted}
    steps = tuple(said_step(cell) for cell in cells)
    for text in (
        scoped(question, first, knowledge, alone=knowledge.derived(_tables_by_corner)[corner] == 1) if question else ()
    ):
        members = "list" if operator == "matching" else ""
        yield QuestionDraft(text, (answer,), operator, steps, extra, answer_kind=members)


def _tables_by_corner(knowledge: Knowledge) -> Mapping[str, int]:
    """Return how many tables have each corner: rows of a kind that only one table lists need no scope."""
    tables = {(doc, group): cells[0].corner for (doc, group, _), cells in knowledge.derived(column_of).items()}
    return Counter(corner.text for corner in tables.values() if corner)
