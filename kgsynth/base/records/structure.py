"""What the layout of a document says without a sentence: cells of tables, members of lists, terms, steps, answers."""

from __future__ import annotations

from dataclasses import dataclass

from kgsynth.base.vocabulary import StructureKind


@dataclass(frozen=True, slots=True)
class Excerpt:
    """A piece of a document as a person reads it, and its place ``[start, end)`` in ``Document.text``."""

    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class StructureFact:
    """One thing that the layout of a document says, with the place of everything it rests on.

    ``subject`` is the head of a row, a term, a parameter, a task, a question, or what a list lists; ``values`` are the
    cell, the members, the steps, the detail or the passages; ``heads`` are column heads, the word that names the
    attribute ("Default"), the lead of a list whose subject is its heading, or the heading that a lead, term or question
    needs to be understood. ``name`` is the attribute, the kind of a note, the target of a link, the unit of a cell, or
    the whole question that two headings ask. ``group`` is the index of the table or list in ``Document.containers``, -1
    for none; a cell has its ``row`` and ``column`` there, and in ``corner`` the head of
    the column that names the rows ("Plan"). ``scope`` is what else a cell needs to be understood: the heads that stand
    above its row for several rows ("Cost of sales:"), and the text above the table that gives the unit.
    """

    id: str
    kind: StructureKind
    doc: str
    section: int
    subject: Excerpt
    values: tuple[Excerpt, ...]
    heads: tuple[Excerpt, ...] = ()
    name: str = ""
    group: int = -1
    row: int = 0
    column: int = 0
    corner: Excerpt | None = None
    scope: tuple[Excerpt, ...] = ()

    @property
    def excerpts(self) -> tuple[Excerpt, ...]:
        """Return everything that the fact rests on."""
        return (self.subject, *self.heads, *self.values, *self.scope)
