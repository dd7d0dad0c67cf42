"""Join the words of a page to segments, which are lines or the parts of lines that wide gaps set apart, and to rows."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from statistics import median

from kgsynth.documents.readers.pdf.page_frame import Box, around
from kgsynth.documents.readers.pdf.page_words import PageWord, TextStyle

_LINE_GAP = 1.0  # font sizes between two words of a segment, at most
_GAP_IN_RUN = 2.5  # if both were drawn as one piece, as the words of a justified line are
_GAP_IN_CODE = 12.0  # if both are in a font of one width
_OVERLAP = 0.5  # of the lower of two boxes in one line
_RAISED = 0.85  # of the font size beside it: a footnote mark or an exponent is smaller
_SUPERSCRIPTS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
_NOTE_MARK = re.compile(r"^(?:\(?(?:\d{1,3}|[a-z])\)|\d{1,3}|[a-z]|[*†‡§]{1,3})$")


@dataclass(slots=True)
class Segment:
    """Words in one line without a wide gap, in the upright frame."""

    words: list[PageWord]

    left: float = 0.0
    top: float = 0.0
    right: float = 0.0
    bottom: float = 0.0
    _style: TextStyle | None = None

    def __post_init__(self) -> None:
        self.left, self.top, self.right, self.bottom = around([word.box for word in self.words])

    @property
    def box(self) -> Box:
        """Return its place."""
        return self.left, self.top, self.right, self.bottom

    @property
    def text(self) -> str:
        """Return its words with blanks between them."""
        return join_words(self.words)

    @property
    def style(self) -> TextStyle:
        """Return the style of most of its letters."""
        if self._style is None:
            self._style = most_used(self.words)
        return self._style

    @property
    def size(self) -> float:
        """Return the font size of most of its letters, at least one point."""
        return max(self.style.size, 1.0)


def join_words(words: Sequence[PageWord]) -> str:
    """Return the text of words that follow each other."""
    return "".join(("" if word.glued or not number else " ") + word.text for number, word in enumerate(words))


def most_used(words: Sequence[PageWord]) -> TextStyle:
    """Return the style of most letters of the words."""
    counts: dict[TextStyle, int] = {}
    for word in words:
        counts[word.style] = counts.get(word.style, 0) + len(word.text)
    return max(counts, key=lambda style: (counts[style], style))


def segments(words: Sequence[PageWord], notes: Collection[str] = ()) -> list[Segment]:
    """Return the segments of a page or cell from top to bottom, and within a line from left to right.

    ``notes`` are the marks of the footnotes elsewhere on the page.
    """
    found: list[list[PageWord]] = []
    for word in words:
        if found and _follows(found[-1][-1], word):
            found[-1].append(word)
        else:
            found.append([word])
    made = [Segment(group) for row in rows([Segment(group) for group in found]) for group in _joined(row)]
    known = {*notes, *note_marks(each.words[0] for each in made)}
    for each in made:
        each.words = _without_marks(each.words, known) or each.words
    return made


def note_marks(words: Iterable[PageWord]) -> set[str]:
    """Return the marks of footnotes that some words are."""
    return {mark for word in words if (mark := word.text.strip("().,")) and _NOTE_MARK.match(mark)}


def rows(items: list[Segment]) -> list[list[Segment]]:
    """Return the segments grouped by line, from top to bottom, each line from left to right."""
    found: list[list[Segment]] = []
    reach: list[float] = []  # of each row, from the middle of which on another begins
    for item in sorted(items, key=lambda each: ((each.top + each.bottom) / 2, each.left)):
        if found and any(_in_line(other.box, item.box) for other in found[-1][-6:]):
            found[-1].append(item)
        else:
            found.append([item])
            reach.append(item.bottom)
    return [sorted(row, key=lambda each: each.left) for row in found]


def _in_line(one: Box, other: Box) -> bool:
    shared = min(one[3], other[3]) - max(one[1], other[1])
    lower = min(one[3] - one[1], other[3] - other[1])
    return shared > _OVERLAP * max(lower, 0.1)


def _follows(before: PageWord, word: PageWord) -> bool:
    """Check whether a word goes on with the segment of the word before it."""
    if not _in_line(before.box, word.box):
        return False
    size = max(before.style.size, word.style.size, 1.0)
    gap = word.left - before.right
    if gap < -0.5 * size and not word.glued:
        return False
    if before.style.mono and word.style.mono:
        return gap < _GAP_IN_CODE * size
    return gap < (_GAP_IN_RUN if before.run == word.run else _LINE_GAP) * size


def _joined(row: list[Segment]) -> list[list[PageWord]]:
    """Return the words of a line in groups that wide gaps separate, though drawn in any order."""
    groups = [list(row[0].words)]
    for item in row[1:]:
        if _follows(groups[-1][-1], item.words[0]):
            groups[-1] += item.words
        else:
            groups.append(list(item.words))
    return groups


def _without_marks(words: list[PageWord], notes: set[str]) -> list[PageWord]:
    """Return the words without the marks of footnotes; other small raised numbers become exponents."""
    size = max(word.style.size for word in words)
    if all(word.style.size >= _RAISED * size for word in words):
        return words
    line = median(word.bottom for word in words if word.style.size >= _RAISED * size)
    found: list[PageWord] = []
    for number, word in enumerate(words):
        raised = word.style.size < _RAISED * size and word.bottom < line - 0.12 * size and _NOTE_MARK.match(word.text)
        if not raised or number == 0:
            found.append(word)
        elif word.text.strip("()") not in notes:
            found.append(word._replace(text=word.text.translate(_SUPERSCRIPTS)))
    return found
