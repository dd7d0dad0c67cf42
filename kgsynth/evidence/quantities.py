"""Compare quantities, and figures of tables over periods: of a year or a day, and by how much two of them differ."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from kgsynth.base.records import Document, StructureFact
from kgsynth.base.vocabulary import StructureKind
from kgsynth.language.figures import Period, TableFigure, amount_of, note_mark, period_of, stated_unit, without_unit
from kgsynth.language.text_words import ANY, reporter


class Figure(NamedTuple):
    """An amount with the period that it holds for, its cell, and what it measures if a head says so."""

    fact: StructureFact
    period: Period
    amount: TableFigure
    measure: str = ""

    @property
    def text(self) -> str:
        """The figure as a person says it: "$4,512 million", "12.5%"."""
        return self.amount.shown(self.amount.value)


def figure_of(fact: StructureFact) -> Figure | None:
    """Return the figure in a cell whose heads name one period; None for another cell, or a figure below zero.

    Example:
        >>> from kgsynth.base.records import Excerpt
        >>> row, head, value = Excerpt("Net sales", 0, 9), Excerpt("2023", 10, 14), Excerpt("$ 4,512", 20, 27)
        >>> cell = StructureFact("t-1", StructureKind.CELL, "a.md", 0, row, (value,), heads=(head,), name="millions")
        >>> figure_of(cell).text
        '$4,512 million'
    """
    if fact.kind != StructureKind.CELL or not fact.heads:
        return None
    amount, heads = amount_of(fact.values[0].text.strip(), fact.name), [head.text for head in fact.heads]
    if not amount:
        return None
    if period := period_of(" ".join(heads)):
        return Figure(fact, period, amount)
    *above, last = heads
    period = period_of(last)
    measured = period and above and not any(map(ANY.patterns["period_year"].search, above))
    return Figure(fact, period, amount, " ".join(above)) if period and measured else None


def row_of(fact: StructureFact) -> tuple[str, ...]:
    """Return what the row of a cell is called, without a remark in brackets, after the heads above it that are no unit.

    The unit may stand in brackets in one table and not in another: "Gross margin (% of revenue)".
    """
    above = (head.text for head in fact.scope if not stated_unit(head.text, whole=True))
    row = fact.subject.text.removesuffix(note_mark(fact.subject.text))
    return (*above, ANY.patterns["remark_at_end"].sub("", without_unit(row)))


def table_of(fact: StructureFact, path: Sequence[str]) -> str:
    """Return the title of a table whose rows are things, "" for one whose rows are what is measured.

    The corner of the latter is empty, or has the unit or the name of the statement: "Balance sheet".
    """
    corner = fact.corner.text if fact.corner else ""
    measures = stated_unit(corner, whole=True) or ANY.patterns["statement_title"].search(corner)
    return "" if not corner or measures else path[-1]


def plain_value(fact: StructureFact) -> str:
    """Return the value of a record in the form in which two are the same."""
    return fact.values[0].text.strip(" .").casefold()


def owners(documents: Mapping[str, Document]) -> dict[str, str]:
    """Return whose figures each document has, "" if nothing says it.

    A name is written as in the document that has most of it: "Acme" is "Acme Pumps Inc.".
    """
    named = {doc: reporter(document.title, document.text) for doc, document in documents.items()}
    known = sorted({*filter(None, named.values())}, key=lambda name: (-len(name), name))
    whole = {name: next(each for each in known if f"{each} ".startswith(f"{name} ")) for name in known}
    return {
        doc: whole.get(name) or reporter(documents[doc].title, documents[doc].text, known)
        for doc, name in named.items()
    }
