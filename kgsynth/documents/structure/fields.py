"""Read the fields at the top of a document: front matter, and header lines like "Author: Ada".

Fields that serve the page's technique say nothing of its subject: places of files, numbers for sorting, switches, names
of the page for a program, and values that are the same in each document of the folder.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator

from kgsynth.base.records import Document, Excerpt, StructureFact
from kgsynth.base.vocabulary import StructureKind
from kgsynth.documents.structure.outline import Outline
from kgsynth.language.layout_words import is_switch
from kgsynth.language.words import words

_FIELD_LINE = re.compile(
    r"^[\"']?(?P<name>\w[\w .-]{0,40}?)[\"']?[ \t]*[:=][ \t]+(?P<value>\S[^\n]{0,400}?)[ \t\r]*$", re.MULTILINE
)
_FOR_PROGRAMS = re.compile(
    r"^(?:[+-]?\d+|[./]\S*|\S+/|\S+\.(?:png|jpe?g|svg|gif|webp|ico|css|js|html?|md))$",
    re.I,
)
_LINTERS = frozenset({"cspell", "markdownlint", "prettier", "vale", "textlint", "eslint"})
_MIN_DOCUMENTS = 3  # of which all have the same value


def fields(outline: Outline) -> Iterator[StructureFact]:
    """Yield each field of one line that says something, with the title of the document as its subject."""
    title, pairs = outline.document.title, list(_pairs(outline))
    copied = any(name.text.lower() == "title" for name, _ in pairs)
    for name, value in pairs:
        if not (_is_technical(name.text.lower(), value.text) or (copied and _repeats(outline.document, name, value))):
            subject = Excerpt(title, name.start, name.start)
            yield outline.fact(StructureKind.FIELD, 0, subject, [value], heads=(name,), name=name.text.lower())


def shared_fields(documents: Iterable[Document]) -> frozenset[str]:
    """Return the names of the fields that have one and the same value in all documents, in three or more of them."""
    found: dict[str, list[str]] = defaultdict(list)
    for document in documents:
        if document.blocks and document.blocks[0].kind in ("meta", "navigation"):
            for name, value in _pairs(Outline(document)):
                found[name.text.lower()].append(value.text)
    return frozenset(name for name, values in found.items() if len(values) >= _MIN_DOCUMENTS and len(set(values)) == 1)


def _pairs(outline: Outline) -> Iterator[tuple[Excerpt, Excerpt]]:
    for block in outline.blocks:
        if block.kind not in ("meta", "navigation"):
            break
        for match in _FIELD_LINE.finditer(block.text):
            value = _unquoted(outline.part(block, *match.span("value")))
            if value.text.strip("[]{}|>- "):
                yield outline.part(block, *match.span("name")), value


def _is_technical(name: str, value: str) -> bool:
    return bool(_FOR_PROGRAMS.match(value)) or is_switch(value) or name in _LINTERS


def _repeats(document: Document, name: Excerpt, value: Excerpt) -> bool:
    """Check whether a field repeats words of the document's title or of the file's name, as a field "title" does."""
    file = document.id.rpartition("/")[2].partition(".")[0]
    known, own = [words(document.title), words(file.replace("_", "-"))], set(words(value.text))
    return bool(own) and any(own <= set(each) for each in known)


def _unquoted(value: Excerpt) -> Excerpt:
    if len(value.text) > 1 and value.text[0] == value.text[-1] and value.text[0] in "'\"":
        return Excerpt(value.text[1:-1], value.start + 1, value.end - 1)
    return value
