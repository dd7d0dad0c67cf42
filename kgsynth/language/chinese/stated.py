"""What a form finds in a sentence: the parts of a fact with their roles, by their places in the sentence."""

from __future__ import annotations

from typing import NamedTuple

from kgsynth.base.vocabulary import FactKind, Flag, Role, VerbFlag


class Part(NamedTuple):
    """A part of a sentence, and what it does there; ``marker`` is the word it opens with that the answer lacks."""

    role: Role
    start: int
    end: int
    flags: frozenset[Flag] = frozenset()
    marker: str = ""
    label: str = ""


class Split(NamedTuple):
    """A sentence, where its clauses stand in it, and the names that its document is known to use.

    ``after`` is what follows it in its block; ``listed`` is whether it stands in an item of a list, ``step`` whether
    that list is numbered.
    """

    text: str
    clauses: tuple[tuple[int, int], ...]
    known: frozenset[str] = frozenset()
    after: str = ""
    listed: bool = False
    step: bool = False

    def clause(self, number: int) -> str:
        """Return the text of a clause."""
        start, end = self.clauses[number]
        return self.text[start:end]


class Stated(NamedTuple):
    """A fact as a form has read it; ``verb`` is the word on which the form rests, and where it stands."""

    parts: tuple[Part, ...]
    verb: str
    verb_start: int
    kind: FactKind = FactKind.CLAUSE
    flags: frozenset[VerbFlag] = frozenset()
