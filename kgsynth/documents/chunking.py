"""Cut a document into chunks, the units of retrieval, by one of four strategies.

A chunk is a stretch of the document's own text. Chunks cover all of it but its meta blocks, in order; sizes are counted
in words of that text. Leaves out: chunks made elsewhere (``own_chunks``) and encoders.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from kgsynth.base.errors import ConfigError
from kgsynth.base.records import Block, Chunk, Document
from kgsynth.documents.chunk_packing import TOKEN, Unit, packed
from kgsynth.documents.user_chunks import load_chunks
from kgsynth.language.words import count_words, sentence_spans

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Encode = Callable[[Sequence[str]], NDArray[np.float32]]

__all__ = ["CHUNKERS", "chunk", "load_chunks"]

_SMALL_SHARE = 4
_BREAK_PERCENTILE = 20


def chunk(
    document: Document,
    *,
    strategy: str = "recursive",
    size: int = 200,
    overlap: int = 0,
    encode: Encode | None = None,
) -> Iterator[Chunk]:
    """Return the chunks of ``document``: at most ``size`` words each, up to ``overlap`` of them from the one before.

    ``encode`` gives one normalised row per sentence and is needed for ``semantic`` alone. A single token longer than
    ``size`` is a chunk by itself. Raises ConfigError for an unknown strategy, a size below 1, an overlap outside
    of 0 to size - 1, or ``semantic`` without ``encode``.

    Example:
        >>> from kgsynth.documents.assembly import assemble
        >>> from kgsynth.documents.readers.markdown import read
        >>> reading = read("# A\\n\\nOne two. Three four.\\n\\n# B\\n\\nFive.")
        >>> document = assemble(reading, id="a.md", format="md", sha256="")
        >>> [piece.text for piece in chunk(document, strategy="sentence", size=3)]
        ['# A\\n\\nOne two.', 'Three four.', '# B\\n\\nFive.']
    """
    faults = []
    if strategy not in CHUNKERS:
        faults.append(f"there is no chunking strategy {strategy!r}: choose one of {', '.join(CHUNKERS)}")
    if size < 1:
        faults.append(f"the chunk size is {size}: give at least 1 word")
    if not 0 <= overlap < max(size, 1):
        faults.append(f"the overlap is {overlap}: give 0 or more, and less than the size, {size}")
    if strategy == "semantic" and encode is None:
        faults.append("semantic chunks need an encoder: pass encode, or choose another strategy")
    if faults:
        raise ConfigError("; ".join(faults)[:1].upper() + "; ".join(faults)[1:] + ".")
    return packed(document, CHUNKERS[strategy](document, size, encode), size, overlap)


# ---- units ----------------------------------------------------------------------------------------


def _fixed(document: Document, size: int, encode: Encode | None) -> Iterator[Unit]:
    """Yield the tokens of the document, whatever stands around them."""
    for start, end, _ in _stretches(document):
        yield from _tokens(document.text, start, end)


def _sentence(document: Document, size: int, encode: Encode | None) -> Iterator[Unit]:
    """Yield sentences, section by section."""
    for group in _groups(document):
        yield from _opened(_headed(document, group, size, whole=False))


def _recursive(document: Document, size: int, encode: Encode | None) -> Iterator[Unit]:
    """Yield blocks, those that are too long as sentences, and those as tokens; small neighbouring sections are one."""
    for group in _merged(document, list(_groups(document)), size):
        yield from _opened(_headed(document, group, size, whole=True))


def _semantic(document: Document, size: int, encode: Encode | None) -> Iterator[Unit]:
    """Yield sentences, section by section, with a break wherever neighbours are less alike than most."""
    import numpy as np

    groups = [list(_headed(document, group, size, whole=False)) for group in _groups(document)]
    texts = [document.plain(unit.start, unit.end) for units in groups for unit in units]
    if not texts or encode is None:
        return
    rows = encode(texts)
    alike = np.einsum("ij,ij->i", rows[:-1], rows[1:])
    floor = float(np.percentile(alike, _BREAK_PERCENTILE)) if len(alike) else 0.0
    number = 0
    for units in groups:
        for unit in units:
            breaks = unit is units[0] or bool(alike[number - 1] < floor)
            yield Unit(unit.start, unit.end, breaks)
            number += 1


CHUNKERS: dict[str, Callable[[Document, int, Encode | None], Iterator[Unit]]] = {
    "fixed": _fixed,
    "sentence": _sentence,
    "recursive": _recursive,
    "semantic": _semantic,
}
"""From a strategy's name to what cuts a document into units."""


def _stretches(document: Document) -> Iterator[tuple[int, int, Block]]:
    """Yield every block but meta ones, with where it stands."""
    for block in document.blocks:
        if block.kind != "meta" and document.text[block.start : block.end].strip():
            yield block.start, block.end, block


def _groups(document: Document) -> Iterator[list[Block]]:
    """Yield the blocks of each section; a section that is a heading alone goes with the next one."""
    held: list[Block] = []
    for _, _, block in _stretches(document):
        if held and block.section != held[-1].section and any(one.kind != "heading" for one in held):
            yield held
            held = []
        held.append(block)
    if held:
        yield held


def _merged(document: Document, groups: list[list[Block]], size: int) -> Iterator[list[Block]]:
    """Yield the groups, neighbours joined while they are siblings, each very small, and fit in one chunk."""
    held: list[Block] = []
    held_small = False
    for group in groups:
        small = _words(document, group) <= size // _SMALL_SHARE
        if held_small and small and _siblings(document, held, group) and _words(document, [*held, *group]) <= size:
            held = [*held, *group]
            continue
        if held:
            yield held
        held, held_small = group, small
    if held:
        yield held


def _words(document: Document, blocks: list[Block]) -> int:
    return count_words(document.text[blocks[0].start : blocks[-1].end])


def _siblings(document: Document, first: list[Block], second: list[Block]) -> bool:
    one, two = document.sections[first[-1].section], document.sections[second[0].section]
    return one.level == two.level > 0 and one.path[:-1] == two.path[:-1]


def _headed(document: Document, blocks: list[Block], size: int, *, whole: bool) -> Iterator[Unit]:
    """Yield the units of a group, each heading together with the first that follows it."""
    text = document.text
    heading: Unit | None = None
    for block in blocks:
        if block.kind == "heading":
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
        for unit in _cut(text, block, size, room, whole):
            if heading and words and count_words(text[heading.start : unit.end]) > size:
                yield from _tokens(text, heading.start, heading.end)  # a token too long to stand with anything
                heading = None
            yield Unit(heading.start, unit.end) if heading else unit
            heading = None
    if heading:
        yield from _fitting(text, heading.start, heading.end, size)


def _cut(text: str, block: Block, size: int, room: int, whole: bool) -> Iterator[Unit]:
    """Cut a block: kept whole if it may be and fits, else into sentences or lines, and those into tokens."""
    if whole and count_words(text[block.start : block.end]) <= room:
        yield Unit(block.start, block.end)
        return
    pieces = _lines if block.kind == "code" else sentence_spans
    for low, high in pieces(text[block.start : block.end]):
        for unit in _fitting(text, block.start + low, block.start + high, room):
            yield unit
            room = size


def _fitting(text: str, start: int, end: int, room: int) -> Iterator[Unit]:
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


def _opened(units: Iterator[Unit]) -> Iterator[Unit]:
    """Yield ``units``, the first marked as one that opens a chunk."""
    for number, unit in enumerate(units):
        yield Unit(unit.start, unit.end, number == 0)
