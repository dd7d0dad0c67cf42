"""Cut a document into chunks of a given size."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from kgsynth.base.errors import ConfigError
from kgsynth.base.records import Block, Chunk, Document, Section, content_id
from kgsynth.documents.table_rows import TableRows
from kgsynth.language.sentence_ends import sentence_spans
from kgsynth.language.words import CJK, count_words

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Encode = Callable[[Sequence[str]], NDArray[np.float32]]

TOKEN = re.compile(rf"[{CJK}][^\w\s]*|[^\s{CJK}]+")
"""The smallest unit: a run without blanks, or a Chinese, Japanese or Korean character with its punctuation."""


@dataclass(frozen=True, slots=True)
class Unit:
    """A stretch of text that is never split; ``breaks`` if a new chunk must start with it."""

    start: int
    end: int
    breaks: bool = False


def pack(
    document: Document, units: Iterator[Unit], size: int, overlap: int, tables: TableRows | None = None
) -> Iterator[Chunk]:
    """Yield chunks in order, each of as many units as fit into ``size`` words.

    A chunk that begins in one of the ``tables`` has the head of that table.
    """
    sections = SectionIndex(document)
    for start, end in _pack(document.text, units, size, overlap):
        made = make_chunk(document, start, end, sections)
        head = tables.head(start, size) if tables else ""
        yield replace(made, head=head) if head else made


def _pack(text: str, units: Iterator[Unit], size: int, overlap: int) -> Iterator[tuple[int, int]]:
    start = end = -1
    words = 0
    for unit in units:
        more = count_words(text[end : unit.end]) if end >= 0 else 0
        if end >= 0 and not unit.breaks and words + more <= size:
            end, words = unit.end, words + more
            continue
        if end >= 0:
            yield start, end
        own = count_words(text[unit.start : unit.end])
        start, end, words, last = unit.start, unit.end, own, (start, end)
        if overlap and last[1] >= 0 and not unit.breaks:
            start = _overlap_start(text, last, unit, min(overlap, size - own))
            words = count_words(text[start:end])
    if end >= 0:
        yield start, end


def _overlap_start(text: str, last: tuple[int, int], unit: Unit, words: int) -> int:
    """Return a start at most ``words`` words before ``unit`` and after the start of the ``last`` chunk."""
    start, left = unit.start, words - count_words(text[last[1] : unit.start])
    for token in reversed(list(TOKEN.finditer(text, *last))[1:]):
        left -= count_words(token.group())
        if left < 0:
            break
        start = token.start()
    return start


class SectionIndex:
    """Finds the deepest section of a document that contains a stretch of its text."""

    def __init__(self, document: Document) -> None:
        self._sections = document.sections
        self._starts = [section.start for section in document.sections]
        self._above = []
        path: list[int] = []
        for number, section in enumerate(document.sections):
            while len(path) > 1 and document.sections[path[-1]].level >= section.level:
                path.pop()
            self._above.append(path[-1] if path else 0)
            path.append(number)

    def find(self, start: int, end: int) -> Section:
        """Return the deepest section that contains ``[start, end)``, the first one if none does."""
        number = max(0, bisect_right(self._starts, start) - 1)
        while number and end > self._sections[number].end:
            number = self._above[number]
        return self._sections[number]


def make_chunk(document: Document, start: int, end: int, sections: SectionIndex) -> Chunk:
    """Return the chunk ``[start, end)``; its section is the deepest one that contains all of it."""
    text = document.text[start:end]
    section = sections.find(start, end)
    return Chunk(content_id("c", document.id, start, end, text), document.id, section.id, start, end, text)


# Cut a document into chunks, the units of retrieval, by one of four strategies.
#
# A chunk is a stretch of the document's own text. Chunks come in order and cover everything except meta blocks; sizes
# are counted in words. ``fixed`` looks at words only; all others keep the rows of a table whole, and give each part
# of a table the head rows with it.

_SMALL_SECTION_PART = 4  # a section of at most size / 4 words may share a chunk with its neighbour
_BREAK_PERCENTILE = 20  # of the similarities of neighbouring sentences; below it a semantic chunk ends


def chunk(
    document: Document,
    *,
    strategy: str = "recursive",
    size: int = 200,
    overlap: int = 0,
    encode: Encode | None = None,
) -> Iterator[Chunk]:
    """Return the chunks of ``document``, of at most ``size`` words, up to ``overlap`` of them from the chunk before.

    ``encode`` returns one normalised row per sentence; only ``semantic`` needs it. A single token longer than ``size``
    is a chunk by itself. Raises ConfigError for an unknown strategy, a size below 1, an overlap outside 0 to size - 1,
    or ``semantic`` without ``encode``.

    Example:
        >>> from kgsynth.documents.assembly import assemble
        >>> from kgsynth.documents.readers.markdown import read
        >>> reading = read("# A\\n\\nOne two. Three four.\\n\\n# B\\n\\nFive.")
        >>> document = assemble(reading, id="a.md", format="md", sha256="")
        >>> [piece.text for piece in chunk(document, strategy="sentence", size=3)]
        ['# A\\n\\nOne two.', 'Three four.', '# B\\n\\nFive.']
    """
    problems = []
    if strategy not in CHUNKERS:
        problems.append(f"there is no chunking strategy {strategy!r}: choose one of {', '.join(CHUNKERS)}")
    if size < 1:
        problems.append(f"the chunk size is {size}: give at least 1 word")
    if not 0 <= overlap < max(size, 1):
        problems.append(f"the overlap is {overlap}: give at least 0 and less than the chunk size {size}")
    if strategy == "semantic" and encode is None:
        problems.append("semantic chunks need an encoder: pass encode or choose another strategy")
    if problems:
        message = "; ".join(problems)
        raise ConfigError(f"{message[:1].upper()}{message[1:]}.")
    tables = None if strategy == "fixed" else TableRows(document)
    return pack(document, CHUNKERS[strategy](document, size, encode), size, overlap, tables)


# ---- units ----------------------------------------------------------------------------------------


def _fixed(document: Document, size: int, encode: Encode | None) -> Iterator[Unit]:
    """Yield the tokens of the document, without regard to sentences and sections."""
    for block in _blocks(document):
        yield from _tokens(document.text, block.start, block.end)


def _sentence(document: Document, size: int, encode: Encode | None) -> Iterator[Unit]:
    """Yield sentences; each section starts a chunk."""
    tables = TableRows(document)
    for group in _groups(document):
        yield from _starting_chunk(_with_headings(document.text, tables.together(group, size), size, keep_blocks=False))


def _recursive(document: Document, size: int, encode: Encode | None) -> Iterator[Unit]:
    """Yield blocks; one that is too long as sentences, and a sentence that is too long as tokens."""
    tables = TableRows(document)
    for group in _merge_small(document, _groups(document), size):
        yield from _starting_chunk(_with_headings(document.text, tables.together(group, size), size, keep_blocks=True))


def _semantic(document: Document, size: int, encode: Encode | None) -> Iterator[Unit]:
    """Yield sentences; each section, and each sentence unlike the one before it, starts a chunk."""
    import numpy as np

    tables = TableRows(document)
    groups = [
        list(_with_headings(document.text, tables.together(group, size), size, keep_blocks=False))
        for group in _groups(document)
    ]
    texts = [document.plain(unit.start, unit.end) for units in groups for unit in units]
    if not texts or encode is None:
        return
    rows = encode(texts)
    similarities = np.einsum("ij,ij->i", rows[:-1], rows[1:])
    threshold = float(np.percentile(similarities, _BREAK_PERCENTILE)) if len(similarities) else 0.0
    number = 0
    for units in groups:
        for unit in units:
            breaks = unit is units[0] or bool(similarities[number - 1] < threshold)
            yield Unit(unit.start, unit.end, breaks)
            number += 1


CHUNKERS: dict[str, Callable[[Document, int, Encode | None], Iterator[Unit]]] = {
    "fixed": _fixed,
    "sentence": _sentence,
    "recursive": _recursive,
    "semantic": _semantic,
}
"""From a strategy's name to the function that cuts a document into units."""


def _blocks(document: Document) -> Iterator[Block]:
    """Yield the blocks that are not meta and have text."""
    for block in document.blocks:
        if block.kind != "meta" and document.text[block.start : block.end].strip():
            yield block


def _groups(document: Document) -> Iterator[list[Block]]:
    """Yield the blocks of each section; a section that is only a heading is joined to the next one."""
    group: list[Block] = []
    only_headings = True
    for block in _blocks(document):
        if group and block.section != group[-1].section and not only_headings:
            yield group
            group, only_headings = [], True
        group.append(block)
        only_headings = only_headings and block.kind == "heading"
    if group:
        yield group


def _merge_small(document: Document, groups: Iterator[list[Block]], size: int) -> Iterator[list[Block]]:
    """Yield the groups; neighbours are joined if they are small siblings and fit in one chunk together."""
    before: list[Block] = []
    before_small, words = False, 0
    for group in groups:
        own = count_words(document.text[group[0].start : group[-1].end])
        small = own <= size // _SMALL_SECTION_PART
        if before_small and small and _siblings(document, before, group):
            both = words + count_words(document.text[before[-1].end : group[-1].end])
            if both <= size:
                before += group
                words = both
                continue
        if before:
            yield before
        before, before_small, words = group, small, own
    if before:
        yield before


def _siblings(document: Document, first: list[Block], second: list[Block]) -> bool:
    one, two = document.sections[first[-1].section], document.sections[second[0].section]
    return one.level == two.level > 0 and one.path[:-1] == two.path[:-1]


def _with_headings(
    text: str, parts: Iterable[tuple[Sequence[Block], bool]], size: int, *, keep_blocks: bool
) -> Iterator[Unit]:
    """Yield the units of a group, which are rows of tables and blocks, each heading joined to the first after it."""
    heading: Unit | None = None
    for blocks, is_row in parts:
        block = blocks[0]
        if block.kind == "heading" and not is_row:
            heading = Unit(heading.start if heading else block.start, block.end)
            continue
        room, words = size, 0
        if heading:
            words = count_words(text[heading.start : block.start])
            if words >= size:
                yield from _tokens(text, heading.start, heading.end)
                heading = None
            else:
                room = size - words
        row = Unit(min(each.start for each in blocks), max(each.end for each in blocks))
        for unit in [row] if is_row else _split_block(text, block, size, room, keep_blocks):
            if heading and words and count_words(text[heading.start : unit.end]) > size:
                yield from _tokens(text, heading.start, heading.end)  # a row or token too long to share a chunk
                heading = None
            yield Unit(heading.start, unit.end) if heading else unit
            heading = None
    if heading:
        yield from _unit_or_tokens(text, heading.start, heading.end, size)


def _split_block(text: str, block: Block, size: int, room: int, keep_blocks: bool) -> Iterator[Unit]:
    """Yield a block as one unit if ``keep_blocks`` and it fits in ``room`` words, otherwise its sentences or lines."""
    if keep_blocks and count_words(text[block.start : block.end]) <= room:
        yield Unit(block.start, block.end)
        return
    pieces = _lines if block.kind == "code" else sentence_spans
    for low, high in pieces(text[block.start : block.end]):
        for unit in _unit_or_tokens(text, block.start + low, block.start + high, room):
            yield unit
            room = size


def _unit_or_tokens(text: str, start: int, end: int, room: int) -> Iterator[Unit]:
    if count_words(text[start:end]) <= room:
        yield Unit(start, end)
    else:
        yield from _tokens(text, start, end)


def _lines(text: str) -> Iterator[tuple[int, int]]:
    for match in re.finditer(r"[^\r\n]*\S", text):
        yield match.span()


def _tokens(text: str, start: int, end: int) -> Iterator[Unit]:
    for match in TOKEN.finditer(text, start, end):
        yield Unit(match.start(), match.end())


def _starting_chunk(units: Iterator[Unit]) -> Iterator[Unit]:
    """Yield ``units``, the first marked to start a chunk."""
    for number, unit in enumerate(units):
        yield Unit(unit.start, unit.end, number == 0)
