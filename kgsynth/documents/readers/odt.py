"""Read text documents of LibreOffice: headings, lists, tables and notes as their XML has them."""

from __future__ import annotations

import re
import zlib
from typing import Any
from zipfile import BadZipFile

from kgsynth.base.vocabulary import ContainerKind
from kgsynth.documents.readers.block_drafts import ExtractedText, ParsedFile, Pieces, TextPiece
from kgsynth.documents.readers.nesting import TableGrid
from kgsynth.documents.readers.office_package import MONOSPACED, open_archive, xml_root
from kgsynth.documents.unsupported import ENCRYPTED, UnsupportedFileError

_NOT_TEXT = frozenset(
    "tracked-changes annotation annotation-end note-citation ruby-text sequence-decls forms bookmark desc title "
    "page-number page-count date time".split()
)
_CONTENTS_ELEMENTS = frozenset(
    ("table-of-content", "alphabetical-index", "illustration-index", "table-index", "bibliography")
)
_MAX_REPEATED = 100  # blanks, rows or columns written as one with a number
_PREFORMATTED = re.compile(r"preformatted|source.?code|code", re.I)
_QUOTATION = re.compile(r"quotation|quote|block.?text", re.I)
_MAX_ODT_BASES = 20


def read(data: bytes) -> ParsedFile:
    """Return the blocks of a text document; ``ParsedFile.text`` is their text.

    Raises:
        UnsupportedFileError: it is encrypted, damaged, or of another kind.
    """
    with open_archive(data) as archive:
        names = set(archive.namelist())
        if "content.xml" not in names:
            raise UnsupportedFileError("damaged: it is a zip archive, but not an .odt file")
        try:
            parts = {name: archive.read(name) for name in ("content.xml", "styles.xml", "meta.xml") if name in names}
            manifest = archive.read("META-INF/manifest.xml") if "META-INF/manifest.xml" in names else b""
        except (BadZipFile, zlib.error, EOFError, NotImplementedError, OSError, ValueError) as error:
            raise UnsupportedFileError("damaged: a part of it cannot be unpacked") from error
    if b"encryption-data" in manifest:
        raise UnsupportedFileError(ENCRYPTED)
    content = xml_root(parts["content.xml"])
    styles = {}
    for root in (xml_root(parts["styles.xml"]) if "styles.xml" in parts else None, content):
        for each in root.iter("{*}style", "{*}list-style") if root is not None else ():
            styles[_value(each, "name")] = each
    walk = _OdtWalk(styles)
    body = next(content.iter("{*}text"), None)
    walk.children(body if body is not None else content, "paragraph")
    walk.end_code()
    parsed = walk.extracted.parsed()
    named = any(draft.kind == "heading" and draft.level == 1 for draft in parsed.drafts)
    meta = xml_root(parts["meta.xml"]) if "meta.xml" in parts and not named else None
    title = next((each.text or "" for each in meta.iter("{*}title")), "") if meta is not None else ""
    return walk.extracted.parsed(" ".join(title.split()))


class _OdtWalk:
    """The walk over the text of one file; ``styles`` are its styles by name."""

    def __init__(self, styles: dict[str, Any]) -> None:
        self.extracted = ExtractedText()
        self.styles = styles
        self.code: Pieces = []
        self.notes: list[Any] = []
        self.boxes: list[Any] = []

    def children(self, parent: Any, kind: str) -> None:
        for element in parent:
            self._element(element, kind)

    def _element(self, element: Any, kind: str) -> None:
        name = _local(element)
        if name in ("p", "h"):
            self._paragraph(element, kind, name == "h")
            return
        self.end_code()
        if name == "list":
            self._list(element, "", 1)
        elif name == "table":
            self._table(element, kind)
        elif name in _CONTENTS_ELEMENTS:
            self.children(element, "navigation")
        elif name not in _NOT_TEXT:
            self.children(element, kind)
        self.end_code()

    def end_code(self) -> None:
        """Add the lines of code before this place as one block."""
        if self.code:
            pieces, self.code = self.code, []
            self.extracted.add_code(pieces)

    def _paragraph(self, element: Any, kind: str, heading: bool) -> None:
        pieces = self._pieces(element, TextPiece(""))
        style = self._names(_value(element, "style-name"))
        if heading and kind != "navigation":
            self.end_code()
            level = _value(element, "outline-level")
            self.extracted.add("heading", pieces, level=int(level) if level.isdecimal() else 1)
        elif kind != "navigation" and any(map(_PREFORMATTED.match, style)):
            self.code += [*([TextPiece("\n")] if self.code else []), *pieces]
        else:
            self.end_code()
            named = "heading" if "Title" in style else "quote" if any(map(_QUOTATION.match, style)) else kind
            made = named if kind == "paragraph" else kind
            self.extracted.add(made, pieces, level=int(made == "heading"))
        notes, self.notes = self.notes, []
        for note in notes:
            with self.extracted.within(ContainerKind.LIST):
                self.extracted.add("item", self._pieces(note, TextPiece("")))
        boxes, self.boxes = self.boxes, []
        for box in boxes:
            self.children(box, kind)

    def _list(self, element: Any, style: str, level: int) -> None:
        style = _value(element, "style-name") or style
        definition = self.styles.get(style)
        ordered = definition is not None and any(
            _local(each) == "list-level-style-number" and _value(each, "num-format")
            for each in definition
            if _value(each, "level") == str(level)
        )
        with self.extracted.within(ContainerKind.STEPS if ordered else ContainerKind.LIST):
            for item in element:
                if _local(item) not in ("list-item", "list-header"):
                    continue
                with self.extracted.within(ContainerKind.ITEM):
                    for each in item:
                        if _local(each) == "list":
                            self.end_code()
                            self._list(each, style, level + 1)
                        else:
                            self._element(each, "item")
                    self.end_code()

    def _table(self, table: Any, kind: str) -> None:
        rows = [row for row in table.iter("{*}table-row") if _nearest(row, "table") is table]
        cells = [(row, [each for each in row if _local(each) == "table-cell"]) for row in rows]
        if sum(len(row) for _, row in cells) < 2 or len(list(table.iter("{*}table"))) > 1:
            for _, row in cells:
                for cell in row:
                    self.children(cell, kind)
            return
        grid, joint = TableGrid(), "\n\n"
        with self.extracted.within(ContainerKind.TABLE):
            for number, (row, found) in enumerate(cells):
                head = _local(row.getparent()) == "table-header-rows" or (
                    number == 0 and all(map(self._is_head, found))
                )
                for cell in found:
                    for _ in range(_count(cell, "number-columns-repeated")):
                        place = grid.place(_count(cell, "number-rows-spanned"), _count(cell, "number-columns-spanned"))
                        with self.extracted.within(ContainerKind.CELL, head=head, **place):
                            pieces: Pieces = []
                            for each in cell:
                                pieces += [*([TextPiece("\n")] if pieces else []), *self._pieces(each, TextPiece(""))]
                            self.extracted.add("cell", pieces, joint=joint)
                        joint = "\t"
                grid.next_row()
                joint = "\n"
        self.notes, self.boxes = [], []

    def _is_head(self, cell: Any) -> bool:
        """Check whether a cell has the style of a heading of a table."""
        names = [name for each in cell if _local(each) == "p" for name in self._names(_value(each, "style-name"))]
        return "Table_20_Heading" in names

    def _names(self, style: str) -> list[str]:
        """Return the names of a style and of those it is based on."""
        found: list[str] = []
        while style and style not in found and len(found) < _MAX_ODT_BASES:
            found.append(style)
            style = _value(self.styles.get(style), "parent-style-name")
        return found

    def _pieces(self, element: Any, around: TextPiece) -> Pieces:
        pieces: Pieces = [around._replace(text=re.sub(r"\s+", " ", element.text or ""))]
        for each in element:
            name = _local(each)
            if name == "s":
                pieces.append(around._replace(text=" " * _count(each, "c")))
            elif name in ("tab", "line-break"):
                pieces.append(around._replace(text="\t" if name == "tab" else "\n"))
            elif name == "note":
                self.notes += [body for body in each if _local(body) == "note-body"]
            elif name == "text-box":
                self.boxes.append(each)
            elif name == "a":
                pieces += self._pieces(each, around._replace(link=_value(each, "href") or "#"))
            elif name == "span":
                pieces += self._pieces(each, self._marked(each, around))
            elif name and name not in _NOT_TEXT:
                pieces += self._pieces(each, around)
            pieces.append(around._replace(text=re.sub(r"\s+", " ", each.tail or "")))
        return pieces

    def _marked(self, span: Any, around: TextPiece) -> TextPiece:
        for name in self._names(_value(span, "style-name")):
            look = next((each for each in self.styles.get(name, ()) if _local(each) == "text-properties"), None)
            font = _value(look, "font-name") or _value(look, "font-family")
            bold = _value(look, "font-weight") == "bold" or name == "Strong_20_Emphasis"
            code = name == "Source_20_Text" or bool(MONOSPACED.search(font))
            around = around._replace(strong=around.strong or bold, code=around.code or code)
        return around


def _local(element: Any) -> str:
    return element.tag.rpartition("}")[2] if isinstance(element.tag, str) else ""


def _value(element: Any, name: str) -> str:
    """Return an attribute in any namespace."""
    if element is None:
        return ""
    return next((str(value) for key, value in element.attrib.items() if key.rpartition("}")[2] == name), "")


def _count(element: Any, name: str) -> int:
    value = _value(element, name)
    return min(max(int(value), 1), _MAX_REPEATED) if value.isascii() and value.isdigit() and len(value) < 7 else 1


def _nearest(element: Any, name: str) -> Any:
    element = element.getparent()
    while element is not None and _local(element) != name:
        element = element.getparent()
    return element
