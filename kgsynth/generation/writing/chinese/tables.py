"""Questions on the cells of tables: 田讯3号的电池寿命是多少？"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping

from kgsynth.base.records import Scenario, StructureFact
from kgsynth.evidence.derivation import said
from kgsynth.evidence.knowledge import Knowledge
from kgsynth.evidence.tables import column_of
from kgsynth.generation.writing.chinese.layout import in_common_scope, refers_out, said_draft, without_stop
from kgsynth.generation.writing.draft import QuestionDraft, UnwrittenError, Why
from kgsynth.language.chinese.column_heads import cell_question, row_name
from kgsynth.language.chinese.headings import bare_title

_IS_OWNER = re.compile(r"^\S{2,12}(?:接口|API|命令|函数|协议|插件|组件)$")
"""A title that names what has parameters."""


def look_up(scenario: Scenario, knowledge: Knowledge) -> Iterator[QuestionDraft]:
    """Yield the question for the value of a cell that no other table gives."""
    (fact,) = scenario.structure
    if len(fact.heads) > 1 or fact.scope:
        raise UnwrittenError(Why.COLUMN)
    if refers_out(said(fact)):
        raise UnwrittenError(Why.POINTS)
    if knowledge.derived(_cells_of)[_key(fact)] > 1:
        raise UnwrittenError(Why.PAGE)
    cells = knowledge.derived(column_of)[fact.doc, fact.group, fact.column]
    values = [said(fact), *(said(cell) for cell in cells if cell is not fact)]
    corner = fact.corner.text if fact.corner else ""
    title = bare_title(knowledge.documents[fact.doc].title)
    owner = title if _IS_OWNER.search(title) else ""
    question = cell_question(fact.heads[-1].text, fact.subject.text, values, corner=corner, owner=owner)
    if not question:
        raise UnwrittenError(Why.COLUMN if row_name(fact.subject.text, corner) else Why.ROW)
    if fact.subject.text.isascii() and not owner:
        question = in_common_scope(question, knowledge, code=True)
    yield said_draft(question, fact, without_stop(said(fact)))


def _key(fact: StructureFact) -> tuple[str, str]:
    return fact.subject.text.casefold(), fact.heads[-1].text.casefold() if fact.heads else ""


def _cells_of(knowledge: Knowledge) -> Mapping[tuple[str, str], int]:
    """Return how many tables have a cell for each row and column."""
    return Counter(_key(cell) for cells in knowledge.derived(column_of).values() for cell in cells)
