"""Read changelogs: what changed in which version."""

from __future__ import annotations

import re
from collections.abc import Iterator

from kgsynth.base.records import StructureFact
from kgsynth.base.vocabulary import ContainerKind, StructureKind
from kgsynth.documents.structure.outline import Outline

_VERSION_NUMBER = r"v?(?P<version>\d+\.\d+(?:\.\d+)*(?:[-.]?(?:a|b|rc|alpha|beta)\.?\d*)?)"
_RELEASE_DATE = r"\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}\.? [^\W\d]+\.? \d{4}|[^\W\d]+\.? \d{1,2},? \d{4}"
_VERSION_HEADING = re.compile(
    rf"^\W*(?:[^\W\d]\w*\s+)?{_VERSION_NUMBER}(?:\s*[^\w\s]?\s*[(\[]?(?:[^\W\d]+:?\s+)?(?:{_RELEASE_DATE})[)\]]?)?\W*$"
)
_MIN_VERSIONS = 2  # a document with one version heading is not a changelog


def changes(outline: Outline) -> Iterator[StructureFact]:
    """Yield each item below the heading of a version; a heading between them is the kind of change."""
    versions = {
        number: match
        for number, one in enumerate(outline.document.sections)
        if (match := _VERSION_HEADING.match(one.title))
    }
    if len(versions) < _MIN_VERSIONS:
        return
    at, level = 0, 0
    for number, section in enumerate(outline.document.sections):
        if number in versions:
            at, level = number, section.level
        elif section.level <= level:
            at = 0
        if not at:
            continue
        heads = (outline.heading(number),) if number != at else ()
        subject, name = outline.heading(at), versions[at]["version"]
        for part in _items(outline, number):
            value = outline.excerpt(outline.own_blocks[part])
            if value:
                yield outline.fact(StructureKind.CHANGE, number, subject, [value], heads=heads, name=name)


def _items(outline: Outline, section: int) -> list[int]:
    """Return the outermost list items of a section."""
    found: dict[int, None] = {}
    for block in outline.of_section[section]:
        number = outline.blocks[block].inside
        kinds = (
            [one.kind for one in (outline.document.containers[number], *outline.around(number))] if number >= 0 else []
        )
        if kinds.count(ContainerKind.ITEM) == 1 and kinds[0] == ContainerKind.ITEM:
            found[number] = None
    return list(found)
