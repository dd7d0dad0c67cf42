"""How much of a document is shown around evidence: whole words, and no part of a table, of code or of a list item."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable

from kgsynth.base.records import Block, Document
from kgsynth.base.vocabulary import ContainerKind

_MAX_WORD = 40  # characters
_MAX_CODE = 1000  # characters of a code block with evidence in it that are shown above and below the evidence
_KEPT_WHOLE = frozenset({"code", "item"})


def around_span(document: Document, start: int, end: int, around: int) -> tuple[int, int]:
    """Return the part of a document to show with ``text[start:end]``: at most ``around`` characters on each side.

    It ends before a table, whose text says nothing without its lines, and before a code block or list item that
    does not fit. Evidence inside a code block is shown with all of it if that is not very long, otherwise by lines.
    """
    text = document.text
    first, last = word_edge(text, start - around, start), word_edge(text, end + around, end)
    begin = max(0, bisect_right(document.blocks, min(first, start), key=_block_start) - 1)
    near = document.blocks[begin : bisect_left(document.blocks, max(last, end), key=_block_start)]
    own = [block for block in near if block.start < end and start < block.end]
    above = _kept((block for block in reversed(near) if first < block.end <= start), document, first, last)
    below = _kept((block for block in near if block.start >= end), document, first, last)
    first, last = max([first, *(block.end for block in above)]), min([last, *(block.start for block in below)])
    for block in own:
        if block.kind == "code":
            first, last = _with_code(block, text, (first, last), (start, end))
        elif _in_table(block, document):
            first, last = max(first, min(block.start, start)), min(last, max(block.end, end))
    while first < start and text[first].isspace():
        first += 1
    while last > end and text[last - 1].isspace():
        last -= 1
    return first, last


def word_edge(text: str, wanted: int, span: int) -> int:
    """Return the offset between ``wanted`` and the span that is nearest to ``wanted`` and not inside a word.

    Text without spaces, such as Chinese, is cut at ``wanted``.

    Example:
        >>> word_edge("Ada leads it", 6, 0), word_edge("Ada leads it", 6, 12)
        (3, 10)
    """
    wanted = min(max(wanted, 0), len(text))
    if wanted < span:
        places = range(wanted, min(span, wanted + _MAX_WORD) + 1)
        return next((at for at in places if at in (0, span) or text[at - 1].isspace()), wanted)
    places = range(wanted, max(span, wanted - _MAX_WORD) - 1, -1)
    return next((at for at in places if at in (span, len(text)) or text[at].isspace()), wanted)


def _kept(blocks: Iterable[Block], document: Document, first: int, last: int) -> list[Block]:
    """Return the first block, from the evidence outwards, before which the shown text ends; [] for none."""
    for block in blocks:
        cut = block.start < first or last < block.end
        if _in_table(block, document) or (cut and block.kind in _KEPT_WHOLE):
            return [block]
    return []


def _with_code(block: Block, text: str, shown: tuple[int, int], span: tuple[int, int]) -> tuple[int, int]:
    """Return what is shown with evidence inside a code block: the block, of a long one whole lines."""
    first, last = shown
    if span[0] - block.start <= _MAX_CODE:
        first = min(first, block.start)
    else:
        first = text.rfind("\n", block.start, max(first, block.start)) + 1 or block.start
    if block.end - span[1] <= _MAX_CODE:
        return first, max(last, block.end)
    line_end = text.find("\n", min(last, block.end), block.end)
    return first, line_end if line_end >= 0 else block.end


def _block_start(block: Block) -> int:
    return block.start


def _in_table(block: Block, document: Document) -> bool:
    number = block.inside
    while number >= 0:
        container = document.containers[number]
        if container.kind in (ContainerKind.TABLE, ContainerKind.CELL):
            return True
        number = container.parent
    return block.kind == "cell"
