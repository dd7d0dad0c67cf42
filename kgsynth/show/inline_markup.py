"""Find the inline markup in a document's text, so that a page can show it rendered and still have every character.

What a reader of a format leaves out of a block (``Block.runs``) is markup. Nothing is parsed here a second time, and
nothing is replaced: a page hides the markup, and shows it again when its reader wants the text as written.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from kgsynth.base.records import Block, Document

Style = tuple[int, int, str]
"""``(start, end, style)``; the style is "b", "i", "s", "code", or "md" for markup."""

_FORMATS = frozenset({"md", "markdown", "rst"})
_VERBATIM_KINDS = frozenset({"meta", "navigation"})
_LIST_MARKS = re.compile(r"(?:[ \t]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+|>[ \t]?))*")
_LINK_TARGET = re.compile(r"\]\(.*|\]\[.*|<[^>]*>", re.DOTALL)
_SIGN = re.compile(r"\*\*|__|~~|\*|_")
_STYLE_OF_SIGN = {"**": "b", "__": "b", "~~": "s", "*": "i", "_": "i"}


def inline_styles(document: Document, start: int, end: int) -> list[Style]:
    """Return the styled places and the markup in ``document.text[start:end]``, in order; where two overlap, the later.

    Marks of lists and quotations are not inline markup. The lines around a code block are markup, its content is code.

    Example:
        >>> block = Block("paragraph", 0, 12, "Use GET.", ((0, 0), (4, 6), (7, 11)))  # of "Use **GET**."
        >>> inline_styles(Document("a.md", "Use **GET**.", "A", "md", "", (block,), ()), 0, 12)
        [(6, 9, 'b'), (4, 6, 'md'), (9, 11, 'md')]
    """
    if document.format.lstrip(".") not in _FORMATS:
        return []
    found: list[Style] = []
    for block in document.blocks:
        if block.start < end and start < block.end and block.kind not in _VERBATIM_KINDS:
            markup = list(_markup(block, document.text))
            found += [(block.start, block.end, "b")] if block.kind == "heading" else []
            if block.kind == "code":
                found += [(block.start, block.end, "code")]
            else:
                found += _emphasis(markup, document.text)
                found += [(*block.locate(low, high), "code") for low, high in block.code if low < high]
            found += [(low, high, "md") for low, high in markup]
    return found


def _markup(block: Block, text: str) -> Iterator[tuple[int, int]]:
    """Yield the places of a block that are not in the text that a person reads."""
    at = block.start
    if block.kind not in ("heading", "code") and (marks := _LIST_MARKS.match(text, at, block.end)):
        at = marks.end()
    for number, (shown, source) in enumerate(block.runs):
        stop = block.runs[number + 1][0] if number + 1 < len(block.runs) else len(block.text)
        if at < source:
            yield at, source
        at = max(at, source + stop - shown)
    if at < block.end:
        yield at, block.end


def _emphasis(markup: list[tuple[int, int]], text: str) -> Iterator[Style]:
    """Yield the places between two equal signs of emphasis."""
    opened: dict[str, int] = {}
    for low, high in markup:
        for sign in _SIGN.findall(_LINK_TARGET.sub("", text[low:high])):
            if sign in opened:
                yield opened.pop(sign), low, _STYLE_OF_SIGN[sign]
            else:
                opened[sign] = high
