"""Find what a reader of the page sees and the text of a passage lacks: included code, names that a template writes."""

from __future__ import annotations

import re
from bisect import bisect_left

from kgsynth.base.records import Block, Document
from kgsynth.language.passage_words import lacks_word

_HIDDEN_BY_TEMPLATE = re.compile(
    r"\{%.{0,400}?%\}|\{\{.{0,400}?\}\}|\{\*.{0,400}?\*\}|\[\s*\]\([^)]*\)|\|\w+\|(?=[\s.,;])", re.S
)
_SOURCE_TARGET = re.compile(r"\]\([^()\n]*\)|\]\[[^\]\n]*\]|(?:href|src)=\"[^\"\n]*\"")
_HARMLESS = re.compile(r"^(?:/{3,}.*|:{3,}.*|-{3,}|<!--.*-->|\{[:#].*\}|\.\. _.*)$", re.S)
_PICTURE = re.compile(r"!\[[^\]]*\]\([^)]*\)(?:\{[^}]*\})?|<[^>]*>")


def has_lost_text(document: Document, start: int, end: int) -> bool:
    """Check whether the text of the blocks in ``[start, end)`` lacks something that the page shows there.

    Example:
        >>> from kgsynth.documents.assembly import assemble
        >>> from kgsynth.documents.readers.markdown import read
        >>> page = assemble(read("Ask in {% channel %}.\\n\\nAsk Ada."), id="a.md", format="md", sha256="")
        >>> has_lost_text(page, 0, 21), has_lost_text(page, 23, len(page.text))
        (True, False)
    """
    number = bisect_left(document.blocks, end, key=lambda block: block.start)
    after = document.blocks[number : number + 1]
    cut = any(block.kind == "navigation" and block.inside >= 0 for block in after)  # the last item is only a link
    return cut or any(_is_lost(document, block) for block in document.blocks_from(start, end))


def _is_lost(document: Document, block: Block) -> bool:
    if block.kind == "navigation":
        return True
    source = document.text[block.start : block.end]
    if block.kind == "meta":
        lines = (line.strip() for line in _PICTURE.sub("", source).splitlines())
        return not all(_HARMLESS.match(line) for line in lines if line)
    if block.kind == "code":
        return "{{#" in source or "<span style" in source or not block.text.strip()
    if _HIDDEN_BY_TEMPLATE.search(_SOURCE_TARGET.sub("]", source)) and not _HIDDEN_BY_TEMPLATE.search(block.text):
        return True
    return lacks_word(block.text)
