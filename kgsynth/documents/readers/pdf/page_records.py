"""What a page of a PDF holds when it is laid out: its lines in reading order, and its tables."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from kgsynth.base.records.documents import SourcePlace
from kgsynth.documents.readers.pdf.page_frame import Box
from kgsynth.documents.readers.pdf.page_words import TextStyle


class GridCell(NamedTuple):
    """The place of a cell in its table and on the page."""

    row: int
    column: int
    rows: int
    columns: int
    box: Box


class StyledText(NamedTuple):
    """The part of a line that is in one style and belongs to one link."""

    text: str
    style: TextStyle
    link: str = ""


@dataclass(slots=True)
class PageLine:
    """A line of text in the upright frame; ``column`` holds the left and right edge of the column it stands in.

    ``first_width`` is that of its first word, and ``second_left`` where the next one begins; ``hyphen`` is whether it
    ends in a hyphen that may be one of the line end. ``region`` counts the columns of a page, and ``place`` is where it
    stands as displayed.
    """

    box: Box
    parts: tuple[StyledText, ...]
    style: TextStyle
    place: SourcePlace
    column: tuple[float, float] = (0.0, 0.0)
    region: int = 0
    first_width: float = 0.0
    hyphen: bool = False
    second_left: float = 0.0

    @property
    def text(self) -> str:
        """Return its text."""
        return "".join(part.text for part in self.parts)

    @property
    def page(self) -> int:
        """Return the number of its page."""
        return self.place.page

    @property
    def size(self) -> float:
        """Return its font size, at least one point."""
        return max(self.style.size, 1.0)

    @property
    def mono(self) -> bool:
        """Return whether all of it is in a font of one width."""
        return all(part.style.mono for part in self.parts)

    @property
    def bold(self) -> bool:
        """Return whether all of its letters are bold."""
        return all(part.style.bold or not part.text.strip(" .,:;") for part in self.parts)


@dataclass(slots=True)
class PageTable:
    """A table on a page: the lines of each cell with its place; ``shaded`` holds the places with a background.

    ``head_rows`` is the number of rows that a rule sets apart, and ``ruled`` is whether rules make the cells;
    ``sure`` is whether it is clear which texts are in one row and what the heads stand above.
    """

    box: Box
    cells: list[tuple[GridCell, list[PageLine]]]
    page: int
    shaded: frozenset[tuple[int, int]] = frozenset()
    head_rows: int = 0
    region: int = 0
    ruled: bool = True
    sure: bool = True


@dataclass(slots=True)
class PageLayout:
    """The lines and tables of a page in reading order, its height in the upright frame, and the words left out."""

    number: int
    height: float
    items: list[PageLine | PageTable] = field(default_factory=list)
    turned_words: int = 0
    outside_words: int = 0
