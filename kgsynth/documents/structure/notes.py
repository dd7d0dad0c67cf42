"""Read notes, warnings, changelogs, and the fields at the top of a document."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator

from kgsynth.base.records import Block, Document, Excerpt, StructureFact
from kgsynth.base.vocabulary import ContainerKind, StructureKind
from kgsynth.documents.structure.outline import Outline
from kgsynth.language.text_words import is_switch, names_changes, note_name
from kgsynth.language.words import words

_NOTE_ENDS = ":：!！.–—-"
_AFTER_NOTE_WORD = re.compile(rf"[\s{_NOTE_ENDS}]*")
_OPENING_MARKS = "\"'“‘«`([（「《<$@#*_/\\~+[{."


def notes(outline: Outline) -> Iterator[StructureFact]:
    """Yield each note with its section; its name is the kind of note, its head the title."""
    for number, container in outline.containers(ContainerKind.NOTE):
        blocks = outline.inside(number)
        if len(blocks) > 1 and note_name(outline.blocks[blocks[0]].text.rstrip(": ")):
            blocks = blocks[1:]  # a title that says no more than the kind of note
        content = outline.excerpt(blocks)
        if content:
            section, heading = outline.blocks[blocks[0]].section, outline.heading(outline.blocks[blocks[0]].section)
            titles = [outline.blocks[block] for block in outline.own_blocks[number]]
            heads = tuple(outline.part(each, 0, len(each.text)) for each in titles if each.kind == "meta" and each.text)
            yield outline.fact(
                StructureKind.WARNING, section, heading, [content], heads=heads, name=container.name, group=number
            )
    for block in outline.blocks:
        opening = _opening(block)
        if opening:
            rest = outline.part(block, opening, len(block.text))
            name = note_name(block.text[:opening])
            yield outline.fact(StructureKind.WARNING, block.section, outline.heading(block.section), [rest], name=name)


def _opening(block: Block) -> int:
    """Return where the text of a block begins that opens with a bold "Note:" or "Warning:"; 0 for another block."""
    if block.kind not in ("paragraph", "quote", "item") or not block.strong or block.strong[0][0] != 0:
        return 0
    match = _AFTER_NOTE_WORD.match(block.text, block.strong[0][1])
    stop = match.end() if match else block.strong[0][1]
    rest = block.text[stop:]
    if not note_name(block.text[:stop]) or not rest or not (rest[0].isalnum() or rest[0] in _OPENING_MARKS):
        return 0
    if block.kind == "item" and block.text[:1].islower():
        return 0  # a term in a list of terms: "notes: what the author adds"
    separate = block.text[:stop].rstrip()[-1:] in _NOTE_ENDS
    return stop if separate or not rest[0].islower() else 0  # "Note the deadline" does not begin a note


# Read changelogs: what changed in which version.

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


# Read the fields at the top of a document: front matter, and header lines like "Author: Ada".
#
# Fields that serve the page's technique say nothing of its subject: places of files, numbers for sorting, switches,
# names of the page for a program, and values that are the same in each document of the folder.

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
