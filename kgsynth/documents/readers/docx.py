"""Read Word files: the text in its order, with headings, lists, tables and notes by their styles and numbering.

Headers, footers, comments and deleted text are left out, inserted text is read. Footnotes follow their paragraph.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from kgsynth.base.vocabulary import ContainerKind
from kgsynth.documents.readers.block_drafts import ExtractedText, ParsedFile, Pieces, TextPiece
from kgsynth.documents.readers.docx_styles import MAX_LEVEL, Numbering, ParagraphStyle, Styles, attribute, child
from kgsynth.documents.readers.docx_tables import WordTable
from kgsynth.documents.readers.docx_text import ParagraphText
from kgsynth.documents.readers.flat_lists import FlatLists
from kgsynth.documents.readers.office_package import open_office_file
from kgsynth.documents.unsupported import UnsupportedFileError

_WORD_FILES = tuple(
    f"application/{name}.main+xml"
    for name in (
        "vnd.openxmlformats-officedocument.wordprocessingml.document",
        "vnd.openxmlformats-officedocument.wordprocessingml.template",
        "vnd.ms-word.document.macroEnabled",
        "vnd.ms-word.template.macroEnabledTemplate",
    )
)
_MAX_PARAGRAPHS = 200_000  # of a file: ten times as many as in the longest novels, and 20 seconds of reading
_NOTE_PARTS = ("footnotes", "endnotes")
_AROUND_PARAGRAPHS = frozenset(("sdt", "sdtContent", "ins", "moveTo", "customXml", "smartTag"))
_DULL_TITLES = re.compile(r"(?i)(untitled|document\d*|microsoft word\b.*|.*\.docx?)\s*$")


def read(data: bytes) -> ParsedFile:
    """Return the blocks of a Word file; ``ParsedFile.text`` is their text."""
    main = open_office_file(data, _main_part, ".docx")
    walk = _WordWalk(main)
    walk.blocks(main.element.body)
    walk.end()
    parsed = walk.extracted.parsed()
    title = " ".join((main.package.core_properties.title or "").split())
    if any(draft.kind == "heading" and draft.level == 1 for draft in parsed.drafts) or _DULL_TITLES.match(title):
        title = ""
    return walk.extracted.parsed(title)


def _main_part(file: Any) -> Any:
    """Return the main part of a file; documents with macros and templates are read like any other."""
    from docx.opc.part import PartFactory
    from docx.package import Package
    from docx.parts.document import DocumentPart

    PartFactory.part_type_for.update(dict.fromkeys(_WORD_FILES, DocumentPart))
    part = Package.open(file).main_document_part
    if not isinstance(part, DocumentPart) or part.element.body is None:
        raise ValueError("it has no Word document in it")
    paragraphs = int(part.element.xpath("count(//w:p)"))
    if paragraphs > _MAX_PARAGRAPHS:
        reach = f"{paragraphs:,} paragraphs, and at most {_MAX_PARAGRAPHS:,} are read"
        raise UnsupportedFileError(f"too large: it has {reach}; split it")
    return part


class _WordWalk:
    """The walk over the paragraphs and tables of one file."""

    def __init__(self, main: Any) -> None:
        self.extracted = ExtractedText()
        self.lists = FlatLists(self.extracted)
        parts = _parts(main)
        self.styles = Styles(parts.get("styles"), parts.get("numbering"))
        self.text = ParagraphText(self.styles, _targets(main))
        self.notes = {
            (name, attribute(each, "w:id")): each
            for name in _NOTE_PARTS
            if name in parts
            for each in parts[name]
            if attribute(each, "w:type") in ("", "normal")
        }
        self.code: Pieces = []
        self.kept_open: list[ContainerKind] = []  # a definition list or a note that the next paragraph may continue

    def blocks(self, parent: Any) -> None:
        """Read the content of ``parent``: the body, a cell, a text box."""
        elements = list(_flat(parent))
        later = self._later_numbers(elements)
        for element, numbers in zip(elements, later, strict=True):
            if _name(element) == "p":
                self._paragraph(element, numbers)
            else:
                self._end_code()
                self._end_group()
                if not self._goes_on(numbers):
                    self.lists.close()
                self._table(element)

    def end(self) -> None:
        """Close what is open."""
        self._end_code()
        self._end_group()
        self.lists.close()

    # ---- paragraphs ----

    def _paragraph(self, paragraph: Any, later: frozenset[str]) -> None:
        in_contents = self.text.in_contents
        pieces = self.text.pieces(paragraph)
        in_contents = in_contents or self.text.in_contents
        notes, boxes = self.text.take_notes(), self.text.take_boxes()
        style, level = self._style(paragraph)
        number = self._numbering(paragraph, style)
        if not any(piece.text.strip() for piece in pieces):
            if self.code and style.kind == "code":
                self.code.append(TextPiece("\n"))
        elif style.kind == "navigation" or in_contents:
            self.end()
            self.extracted.add("navigation", pieces)
        elif level:
            self.end()
            self.extracted.add("heading", pieces, level=level)
        else:
            self._text(paragraph, pieces, style, number, later)
        for note in notes:
            if note in self.notes:
                self._end_code()
                with self.extracted.within(ContainerKind.LIST):
                    self.extracted.add("item", self._joined(self.notes[note]))
        for box in boxes:
            self.end()
            self.blocks(box)
            self.end()

    def _text(
        self, paragraph: Any, pieces: Pieces, style: ParagraphStyle, number: Numbering | None, later: frozenset[str]
    ) -> None:
        code = style.kind == "code" or style.mono or self.text.typed_as_code
        if not code:
            self._end_code()
        if number and number.kind:
            self._end_code()
            self._end_group()
            self.lists.item(number.level, number.kind, number.number if number.kind == ContainerKind.STEPS else None)
        elif number and self.lists:
            self.lists.close_below(number.level)
        elif not (self.lists and (style.in_list or _indent(paragraph))) and not self._goes_on(later):
            if self.lists:
                self._end_code()
            self.lists.close()
        if code:
            self._end_group()
            self.code += [*([TextPiece("\n")] if self.code else []), *pieces]
        elif style.part:
            self._part_of_terms(style.part, pieces)
        elif style.note:
            self._keep_open(ContainerKind.NOTE, style.note)
            self.extracted.add("paragraph", pieces)
        else:
            self._end_group()
            self.extracted.add("item" if self.lists else style.kind, pieces)

    def _part_of_terms(self, part: ContainerKind, pieces: Pieces) -> None:
        self._keep_open(ContainerKind.TERMS, "")
        with self.extracted.within(part):
            self.extracted.add("item", pieces)

    def _keep_open(self, kind: ContainerKind, name: str) -> None:
        if self.kept_open != [kind]:
            self._end_group()
            self.extracted.nesting.enter(kind, self.extracted.length, name=name)
            self.kept_open = [kind]

    def _end_group(self) -> None:
        if self.kept_open:
            self.extracted.nesting.leave()
            self.kept_open = []

    def _end_code(self) -> None:
        if self.code:
            pieces, self.code = self.code, []
            self.extracted.add_code(pieces)

    def _style(self, paragraph: Any) -> tuple[ParagraphStyle, int]:
        """Return the style of a paragraph, and its level if it is a heading."""
        style = self.styles.style(attribute(child(paragraph, "w:pPr", "w:pStyle"), "w:val") or self.styles.default)
        outline = attribute(child(paragraph, "w:pPr", "w:outlineLvl"), "w:val")
        level = int(outline) + 1 if outline.isdecimal() else style.level
        return style, level if level <= MAX_LEVEL else 0

    def _numbering(self, paragraph: Any, style: ParagraphStyle) -> Numbering | None:
        own = child(paragraph, "w:pPr", "w:numPr")
        number = attribute(child(own, "w:numId"), "w:val") or style.number
        depth = attribute(child(own, "w:ilvl"), "w:val")
        level = int(depth) if depth.isdecimal() else style.depth
        return self.styles.numbering(number, min(level, MAX_LEVEL)) if number not in ("", "0") else None

    # ---- lists that go on after a table or a paragraph without a number ----

    def _later_numbers(self, elements: list[Any]) -> list[frozenset[str]]:
        """Return for each element the numbered lists that go on after it, before the next heading."""
        found, numbers = [], frozenset[str]()
        for element in reversed(elements):
            found.append(numbers)
            if _name(element) == "p":
                style, level = self._style(element)
                number = self._numbering(element, style)
                if level:
                    numbers = frozenset()
                elif number and number.kind == ContainerKind.STEPS and number.number not in numbers:
                    numbers |= {number.number}
        return found[::-1]

    def _goes_on(self, later: frozenset[str]) -> bool:
        return any(key in later for key in self.lists.open_keys())

    # ---- tables and notes ----

    def _table(self, element: Any) -> None:
        table = WordTable(element, self.styles)
        if table.lays_out:
            for cell in table.elements():
                self.blocks(cell)
                self.end()
            return
        joint = "\n\n"
        with self.extracted.within(ContainerKind.TABLE):
            for row in table.cells():
                for content, place in row:
                    pieces = self._joined(content)
                    with self.extracted.within(ContainerKind.CELL, **place):
                        self.extracted.add("cell", pieces, joint=joint)
                    joint = "\t"
                joint = "\n"

    def _joined(self, parent: Any) -> Pieces:
        """Return the text of all paragraphs of a cell or a note; text boxes and footnotes in it are left out."""
        pieces: Pieces = []
        for element in _flat(parent):
            if _name(element) == "p":
                pieces += [*([TextPiece("\n")] if pieces else []), *self.text.pieces(element)]
        self.text.take_notes()
        self.text.take_boxes()
        return pieces


def _parts(main: Any) -> dict[str, Any]:
    """Return the root elements of the parts beside the text, by the last word of what relates them to it."""
    from docx.oxml.parser import parse_xml

    names = ("styles", "numbering", *_NOTE_PARTS)
    related = ((rel.reltype.rpartition("/")[2], rel) for rel in main.rels.values() if not rel.is_external)
    return {name: parse_xml(rel.target_part.blob) for name, rel in related if name in names}


def _targets(main: Any) -> dict[str, str]:
    """Return the targets of links to other files, by the id of what relates them to the text."""
    return {name: rel.target_ref for name, rel in main.rels.items() if rel.is_external}


def _flat(parent: Any) -> Iterator[Any]:
    """Yield the paragraphs and tables of ``parent``, also those in content controls and in inserted text."""
    for element in parent:
        name = _name(element)
        if name in ("p", "tbl"):
            yield element
        elif name in _AROUND_PARAGRAPHS:
            yield from _flat(element)


def _name(element: Any) -> str:
    return element.tag.rpartition("}")[2] if isinstance(element.tag, str) else ""


def _indent(paragraph: Any) -> int:
    """Return how far a paragraph itself, not its style, is indented, in twentieths of a point."""
    found = child(paragraph, "w:pPr", "w:ind")
    value = attribute(found, "w:left") or attribute(found, "w:start")
    return int(value) if value.isdecimal() else 0
