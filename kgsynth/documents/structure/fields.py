"""Read the fields at the top of a document: front matter, and header lines like "Author: Ada"."""

from __future__ import annotations

import re
from collections.abc import Iterator

from kgsynth.base.records import Excerpt, StructureFact
from kgsynth.base.vocabulary import StructureKind
from kgsynth.documents.structure.outline import Outline

_FIELD_LINE = re.compile(
    r"^[\"']?(?P<name>\w[\w .-]{0,40}?)[\"']?[ \t]*[:=][ \t]+(?P<value>\S[^\n]{0,400}?)[ \t\r]*$", re.MULTILINE
)


def fields(outline: Outline) -> Iterator[StructureFact]:
    """Yield each field of one line, with the title of the document as its subject."""
    title = outline.document.title
    for block in outline.blocks:
        if block.kind not in ("meta", "navigation"):
            break
        for match in _FIELD_LINE.finditer(block.text):
            name, value = outline.part(block, *match.span("name")), outline.part(block, *match.span("value"))
            value = _unquoted(value)
            if value.text.strip("[]{}|>- "):
                subject = Excerpt(title, block.start, block.start)
                yield outline.fact(StructureKind.FIELD, 0, subject, [value], heads=(name,), name=name.text.lower())


def _unquoted(value: Excerpt) -> Excerpt:
    if len(value.text) > 1 and value.text[0] == value.text[-1] and value.text[0] in "'\"":
        return Excerpt(value.text[1:-1], value.start + 1, value.end - 1)
    return value
