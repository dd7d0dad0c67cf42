"""Read changelogs: what changed in which version."""

from __future__ import annotations

import re
from collections.abc import Iterator

from kgsynth.base.records import Document, StructureFact
from kgsynth.base.vocabulary import ContainerKind, StructureKind
from kgsynth.documents.structure.outline import Outline
from kgsynth.language.layout_words import names_changes

_VERSION_NUMBER = r"v?(?P<version>\d+\.\d+(?:\.\d+)*(?:[-.]?(?:a|b|rc|alpha|beta)\.?\d*)?)"
_RELEASE_DATE = (
    r"\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{4}年\d{1,2}月\d{1,2}日|\d{1,2}\.? [^\W\d]+\.? \d{4}|[^\W\d]+\.? \d{1,2},? \d{4}"
)
_DATED = re.compile(_RELEASE_DATE)
_VERSION_HEADING = re.compile(
    rf"^\W*(?:[^\W\d]\w*\s+)?{_VERSION_NUMBER}(?:\s*[^\w\s]?\s*[(\[]?(?:[^\W\d]+:?\s+)?(?:{_RELEASE_DATE})[)\]）]?)?\W*$"
)
_MIN_VERSIONS = 2  # a document with one version heading is not a changelog


def changes(outline: Outline) -> Iterator[StructureFact]:
    """Yield each item below the heading of a version; a heading between them is the kind of change."""
    versions = {
        number: match
        for number, one in enumerate(outline.document.sections)
        if (match := _VERSION_HEADING.match(one.title))
    }
    if len(versions) < _MIN_VERSIONS or not _is_changelog(outline.document, list(versions)):
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
            value = outline.item(part)
            if value:
                yield outline.fact(StructureKind.CHANGE, number, subject, [value], heads=heads, name=name)


def _is_changelog(document: Document, versions: list[int]) -> bool:
    """Check whether changes are below versions: a title above them or the file name says so, or most have a date."""
    names = {document.id.rpartition("/")[2].partition(".")[0], document.title}
    names.update(title for number in versions for title in document.sections[number].path[:-1])
    dated = sum(bool(_DATED.search(document.sections[number].title)) for number in versions)
    return any(names_changes(name) for name in names) or 2 * dated > len(versions)


def _items(outline: Outline, section: int) -> list[int]:
    """Return the outermost items of the lists of a section; the steps of a task are not changes."""
    found: dict[int, None] = {}
    for block in outline.of_section[section]:
        number = outline.blocks[block].inside
        kinds = (
            [one.kind for one in (outline.document.containers[number], *outline.around(number))] if number >= 0 else []
        )
        if kinds[:2] == [ContainerKind.ITEM, ContainerKind.LIST] and kinds.count(ContainerKind.ITEM) == 1:
            found[number] = None
    return list(found)
