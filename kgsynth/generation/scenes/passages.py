"""Cut the documents into passages of a section each, the material of all scenes.

A passage is the own text of a section with its heading. Very short sections are joined with the next ones, long ones
are cut between blocks; a part of a table has the head of the table. Left out is what nobody asks about: references,
contents, licences, changelogs, lists of links, pure code. No passage goes on beyond a menu or a table of contents.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, overload

from kgsynth.base.records import PROSE, Block, Document, Span, containers_around
from kgsynth.base.vocabulary import ContainerKind, StructureKind
from kgsynth.documents.structure.outline import COLONS, Outline
from kgsynth.documents.table_rows import TableRows
from kgsynth.evidence.knowledge import Knowledge
from kgsynth.language.lengths import length_in_words
from kgsynth.language.part_words import names_apparatus

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_JOINED_BELOW = 60  # words of a section that says too little by itself
_JOINED_MAX = 250  # words of several sections together: more are several matters
_CUT_ABOVE = 450  # words of a section that holds several matters
_CUT_SIZE = 350  # words of a part of it, about
_MIN_READ_WORDS = 25  # words of a passage that are not code; fewer hold nothing worth asking
_MAX_CODE_SHARE = 0.7  # of the words
_MAX_LINK_SHARE = 0.5  # of the letters: a list of links leads elsewhere
_MENU_BLOCKS = 5  # links in a row that are a menu; fewer belong to the text around them
_MIN_BLOCK_WORDS = 3.0  # on average, outside tables: an index has fewer


@dataclass(frozen=True, slots=True)
class SectionPassage:
    """A passage: its spans, one unless it begins within a table, and the section it begins in.

    ``head`` is the head of that table. ``titles`` are those of all sections in it that have text.
    """

    span: Span
    section: int
    path: tuple[str, ...]
    titles: tuple[str, ...]
    words: int
    text: str
    head: Span | None = None

    @property
    def spans(self) -> tuple[Span, ...]:
        """The head of the table that it begins in, if it begins in one, and the passage."""
        return (self.head, self.span) if self.head else (self.span,)

    @property
    def title(self) -> str:
        """The title of the section it begins in."""
        return self.path[-1] if self.path else ""


class SectionPassages(Sequence[SectionPassage]):
    """The passages of a corpus, in its order; a passage is named by its number."""

    def __init__(self, knowledge: Knowledge) -> None:
        self._knowledge = knowledge
        changes = defaultdict(set)
        for fact in knowledge.structure:
            if fact.kind == StructureKind.CHANGE:
                changes[fact.doc].add(fact.section)
        self._passages = [
            each for document in knowledge.documents.values() for each in _passages(document, changes[document.id])
        ]
        self._places: dict[str, tuple[list[int], list[int]]] = {}  # document -> starts, numbers
        for number, passage in enumerate(self._passages):
            starts, numbers = self._places.setdefault(passage.span.doc, ([], []))
            starts.append(passage.span.start)
            numbers.append(number)

    def __len__(self) -> int:
        return len(self._passages)

    @overload
    def __getitem__(self, number: int) -> SectionPassage: ...

    @overload
    def __getitem__(self, number: slice) -> Sequence[SectionPassage]: ...

    def __getitem__(self, number: int | slice) -> SectionPassage | Sequence[SectionPassage]:
        return self._passages[number]

    def within(self, doc: str, start: int, end: int) -> list[int]:
        """Return the passages of a document that share a character with ``[start, end)``."""
        starts, numbers = self._places.get(doc, ([], []))
        first = max(0, bisect_right(starts, start) - 1)
        return [n for n in numbers[first : bisect_left(starts, end)] if self._passages[n].span.end > start]

    @cached_property
    def chunks(self) -> list[frozenset[int]]:
        """The chunks that share a character with each passage."""
        index = self._knowledge.chunks
        return [frozenset(index.overlapping(p.span.doc, p.span.start, p.span.end)) for p in self._passages]

    @cached_property
    def vectors(self) -> NDArray[np.float32]:
        """A vector of length 1 for each passage: the mean of its chunks' vectors, by their share of it."""
        import numpy as np

        made = np.zeros((len(self), self._knowledge.vectors.shape[1]), np.float32)
        for number, passage in enumerate(self._passages):
            for chunk in sorted(self.chunks[number]):
                place = self._knowledge.chunks[chunk]
                shared = min(place.end, passage.span.end) - max(place.start, passage.span.start)
                made[number] += shared * self._knowledge.vectors[chunk]
        lengths = np.linalg.norm(made, axis=1, keepdims=True)
        return np.asarray(made / np.where(lengths > 0, lengths, 1), dtype=np.float32)


def passages_of(knowledge: Knowledge) -> SectionPassages:
    """Return the passages of the corpus, cut once: ``knowledge.derived(passages_of)``."""
    return SectionPassages(knowledge)


# ---- sections ------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Piece:
    """Blocks of one or several sections in a row."""

    sections: tuple[int, ...]
    blocks: tuple[Block, ...]
    words: int


def _passages(document: Document, changed: set[int]) -> Iterator[SectionPassage]:
    """Yield the passages of a document in order; ``changed`` are the sections of a changelog."""
    if names_apparatus(PurePosixPath(document.id).stem):
        return
    pieces: list[_Piece] = []
    tables = TableRows(document)
    for piece in _sections(document, changed):
        pieces += _cut(document, piece, tables) if piece.words > _CUT_ABOVE else [piece]
    for piece in _joined(document, pieces):
        if _is_worth_reading(piece):
            yield _made(document, piece, tables)


def _sections(document: Document, changed: set[int]) -> Iterator[_Piece]:
    """Yield the own text of each section, with its heading."""
    outline = Outline(document)
    menus = _menus(document)
    headings = {block.section: block for block in document.blocks if block.kind == "heading"}
    for number, section in enumerate(document.sections):
        content = [document.blocks[block] for block in outline.of_section.get(number, ())]
        if not content or number in changed or any(map(names_apparatus, section.path[min(number, 1) :])):
            continue
        head = [headings[number]] if number in headings else []
        for _, run in groupby(content, lambda block: bisect_left(menus, block.start)):
            blocks = list(run)
            words = sum(length_in_words(block.text) for block in blocks)
            yield _Piece((number,), (*(head if blocks[0] is content[0] else ()), *blocks), words)


def _menus(document: Document) -> list[int]:
    """Return where menus, tables of contents and the like begin, which part the text before and after them."""
    runs = (list(run) for kind, run in groupby(document.blocks, lambda block: block.kind) if kind == "navigation")
    return [run[0].start for run in runs if len(run) >= _MENU_BLOCKS]


def _joined(document: Document, pieces: Sequence[_Piece]) -> list[_Piece]:
    """Join each very short piece with the next, or with the one before it at the end of its part of the document."""
    found: list[_Piece] = []
    menus = _menus(document)
    for piece in pieces:
        last = found[-1] if found else None
        if last and bisect_left(menus, last.blocks[-1].start) < bisect_left(menus, piece.blocks[0].start):
            found.append(piece)
            continue
        small = last is not None and (last.words < _JOINED_BELOW or piece.words < _JOINED_BELOW // 2)
        if last and small and last.words + piece.words <= _JOINED_MAX and _stand_together(document, last, piece):
            sections = tuple(dict.fromkeys((*last.sections, *piece.sections)))
            found[-1] = _Piece(sections, (*last.blocks, *piece.blocks), last.words + piece.words)
        else:
            found.append(piece)
    return found


def _stand_together(document: Document, one: _Piece, other: _Piece) -> bool:
    """Check whether a piece goes on with a subsection or a sibling of the first section of the one before it."""
    first, second = document.sections[one.sections[0]], document.sections[other.sections[0]]
    above = first.path[:-1] if len(first.path) > 1 else first.path
    between = range(one.sections[-1] + 1, other.sections[0])
    return second.path[: len(above)] == above and len(between) <= 1


def _is_worth_reading(piece: _Piece) -> bool:
    """Check whether a person finds something to ask about: prose or a table, not links, code or an index alone."""
    content = [block for block in piece.blocks if block.kind != "heading"]
    code = sum(length_in_words(block.text) for block in content if block.kind == "code")
    if piece.words - code < _MIN_READ_WORDS or code > _MAX_CODE_SHARE * piece.words:
        return False
    letters = sum(len(block.text) for block in content)
    if sum(end - start for block in content for start, end, _ in block.links) > _MAX_LINK_SHARE * letters:
        return False
    told = [length_in_words(block.text) for block in content if block.kind in PROSE]
    return any(block.kind == "cell" for block in content) or sum(told) >= _MIN_BLOCK_WORDS * max(1, len(told))


def _made(document: Document, piece: _Piece, tables: TableRows) -> SectionPassage:
    start, end = _edges(document, piece.blocks)
    first = document.sections[piece.sections[0]]
    head = tables.head(piece.blocks[0].start, _CUT_SIZE) if piece.blocks[0].kind == "cell" else ""
    at = document.text.rfind(head, 0, start) if head else -1
    return SectionPassage(
        span=document.span(start, end),
        section=piece.sections[0],
        path=first.path,
        titles=tuple(document.sections[number].title for number in piece.sections),
        words=piece.words,
        text=" ".join(block.text for block in piece.blocks),
        head=document.span(at, at + len(head)) if at >= 0 else None,
    )


def _edges(document: Document, blocks: Sequence[Block]) -> tuple[int, int]:
    """Return where blocks begin and end, with the marks of the lists and tables that begin and end with them."""
    start, end = min(block.start for block in blocks), max(block.end for block in blocks)
    first, last = (
        [document.containers[number] for number in containers_around(document.containers, block.inside)]
        for block in (blocks[0], blocks[-1])
    )
    low = min((each.start for each in first if each.end <= end), default=start)
    ending = (each.end for each in last if each.start >= start and _has_marks_only(document.text[end : each.end]))
    return (min(low, start) if _has_marks_only(document.text[low:start]) else start), max((end, *ending))


def _has_marks_only(text: str) -> bool:
    return not text.strip(_MARKS_AROUND)


_MARKS_AROUND = " \t\r\n|-*+#>:=`~"


# ---- long sections -------------------------------------------------------------------------------------


def _cut(document: Document, piece: _Piece, tables: TableRows) -> Iterator[_Piece]:
    """Cut a long section into parts of much the same size, between blocks that do not belong together."""
    units = _units(document, piece.blocks, tables)
    sizes = [sum(length_in_words(block.text) for block in unit if block.kind != "heading") for unit in units]
    left = sum(sizes)
    parts = -(-left // _CUT_SIZE)
    made: list[Block] = []
    words = 0
    for unit, size in zip(units, sizes, strict=True):
        full = words >= left / max(parts, 1) - size / 2 or words + size > _CUT_ABOVE
        if made and words and full and parts > 1:
            yield _Piece(piece.sections, tuple(made), words)
            left, parts, made, words = left - words, parts - 1, [], 0
        made += unit
        words += size
    yield _Piece(piece.sections, tuple(made), words)


def _units(document: Document, blocks: Sequence[Block], tables: TableRows) -> list[list[Block]]:
    """Return the blocks in groups that are not parted: rows of a table, a lead or term with what follows it."""
    units: list[list[Block]] = []
    for unit, _ in tables.together(blocks, _CUT_ABOVE):
        if units and _leads_on(units[-1][-1], document):
            units[-1] += unit
        else:
            units.append(list(unit))
    return units


_ENDS_OPEN = re.compile(rf"[{''.join(COLONS)},，]\W*$")


def ends_open(text: str) -> bool:
    """Check whether a text leads into something that does not follow: it ends with a colon or a comma.

    Example:
        >>> ends_open("The plans are:"), ends_open("There are plans.")
        (True, False)
    """
    return bool(_ENDS_OPEN.search(text))


def _leads_on(block: Block, document: Document) -> bool:
    is_term = block.inside >= 0 and document.containers[block.inside].kind == ContainerKind.TERM
    return block.kind == "heading" or is_term or (block.kind != "cell" and ends_open(block.text))
