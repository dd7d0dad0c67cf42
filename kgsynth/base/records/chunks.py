"""The part of a document that is retrieved as a unit."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Chunk:
    """A part of a document that is retrieved as a unit; ``text`` is ``Document.text[start:end]``.

    ``head`` has the head rows of the table in which the chunk begins, "" if it begins in none. They stand further up
    in the document.
    """

    id: str
    doc: str
    section: str
    start: int
    end: int
    text: str
    head: str = ""

    @property
    def searched(self) -> str:
        """The text that is searched and embedded: the head of the table, if there is one, and the text."""
        return f"{self.head}\n{self.text}" if self.head else self.text
