"""Read text documents of LibreOffice: they are written out as HTML, and read by the reader of HTML."""

from __future__ import annotations

import re
import zlib
from html import escape
from typing import Any
from zipfile import BadZipFile

from kgsynth.documents.readers import html
from kgsynth.documents.readers.block_drafts import NO_TARGET, ParsedFile
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
    roots = {name: xml_root(part) for name, part in parts.items()}
    content = roots.pop("content.xml")
    styles = {
        _value(each, "name"): each
        for root in (*roots.values(), content)
        for each in root.iter("{*}style", "{*}list-style")
    }
    title = next((each.text or "" for each in roots["meta.xml"].iter("{*}title")), "") if "meta.xml" in roots else ""
    body = next(content.iter("{*}text"), content)
    return html.read(f"<title>{escape(title)}</title>{_OdtPage(styles).blocks(body)}")


class _OdtPage:
    """Writes one file as HTML; ``styles`` are its styles by name."""

    def __init__(self, styles: dict[str, Any]) -> None:
        self.styles = styles
        self.notes: list[Any] = []
        self.boxes: list[Any] = []

    def blocks(self, parent: Any) -> str:
        """Return the blocks in an element; lines of code that follow each other are one block."""
        return "".join(map(self._block, parent)).replace("</pre><pre>", "\n")

    def _block(self, element: Any) -> str:
        name = _local(element)
        if name in ("p", "h"):
            return self._paragraph(element)
        if name == "list":
            return self._list(element, "", 1)
        if name == "table":
            return self._table(element)
        if name in _CONTENTS_ELEMENTS:
            return f"<nav>{self.blocks(element)}</nav>"
        return "" if name in _NOT_TEXT else self.blocks(element)

    def _paragraph(self, element: Any) -> str:
        """Return a paragraph or heading, and after it its footnotes and text boxes."""
        text, styles = self._inline(element), self._names(_value(element, "style-name"))
        if _local(element) == "h":
            level = _value(element, "outline-level")
            tag = f"h{min(int(level), 6)}" if level.isdecimal() and int(level) else "h1"
        elif any(map(_PREFORMATTED.match, styles)):
            tag = "pre"
        else:
            tag = "h1" if "Title" in styles else "blockquote" if any(map(_QUOTATION.match, styles)) else "p"
        notes, boxes, self.notes, self.boxes = self.notes, self.boxes, [], []
        after = [f"<ul><li>{self._inline(note)}</li></ul>" for note in notes]
        return "".join((f"<{tag}>{text}</{tag}>", *after, *map(self.blocks, boxes)))

    def _list(self, element: Any, style: str, level: int) -> str:
        style = _value(element, "style-name") or style
        definition = self.styles.get(style)
        ordered = definition is not None and any(
            _local(each) == "list-level-style-number" and _value(each, "num-format")
            for each in definition
            if _value(each, "level") == str(level)
        )
        items = (item for item in element if _local(item) in ("list-item", "list-header"))
        made = "".join(
            "<li>"
            + "".join(
                self._list(each, style, level + 1) if _local(each) == "list" else self._block(each) for each in item
            )
            + "</li>"
            for item in items
        ).replace("</pre><pre>", "\n")
        return f"<ol>{made}</ol>" if ordered else f"<ul>{made}</ul>"

    def _table(self, table: Any) -> str:
        """Return a table; one of a single cell, or with tables in it, only lays out the page."""
        rows = [row for row in table.iter("{*}table-row") if next(row.iterancestors("{*}table")) is table]
        cells = [[each for each in row if _local(each) == "table-cell"] for row in rows]
        if sum(map(len, cells)) < 2 or next(table.iterdescendants("{*}table"), None) is not None:
            return "".join(self.blocks(cell) for found in cells for cell in found)
        made = []
        for number, (row, found) in enumerate(zip(rows, cells, strict=True)):
            styled = number == 0 and all(map(self._is_head, found))
            tag = "th" if styled or _local(row.getparent()) == "table-header-rows" else "td"
            made.append("<tr>")
            for cell in found:
                reach = (_count(cell, f"number-{name}-spanned") for name in ("rows", "columns"))
                start = "<{} rowspan={} colspan={}>".format(tag, *reach)
                text = "\n".join(map(self._inline, cell))
                made += [f"{start}{text}</{tag}>"] * _count(cell, "number-columns-repeated")
            made.append("</tr>")
        self.notes, self.boxes = [], []
        return f"<table>{''.join(made)}</table>"

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

    def _inline(self, element: Any) -> str:
        made = [_folded(element.text)]
        for each in element:
            name = _local(each)
            if name == "s":
                made.append(" " * _count(each, "c"))
            elif name in ("tab", "line-break"):
                made.append("\t" if name == "tab" else "\n")
            elif name == "note":
                self.notes += [body for body in each if _local(body) == "note-body"]
            elif name == "text-box":
                self.boxes.append(each)
            elif name == "a":
                made.append(f'<a href="{escape(_value(each, "href") or NO_TARGET)}">{self._inline(each)}</a>')
            elif name and name not in _NOT_TEXT:
                text = self._inline(each)
                made.append(self._marked(each, text) if name == "span" else text)
            made.append(_folded(each.tail))
        return "".join(made)

    def _marked(self, span: Any, text: str) -> str:
        """Return the text of a span, marked as bold and code where its styles say so."""
        bold = code = False
        for name in self._names(_value(span, "style-name")):
            look = next((each for each in self.styles.get(name, ()) if _local(each) == "text-properties"), None)
            font = _value(look, "font-name") or _value(look, "font-family")
            bold = bold or _value(look, "font-weight") == "bold" or name == "Strong_20_Emphasis"
            code = code or name == "Source_20_Text" or bool(MONOSPACED.search(font))
        text = f"<code>{text}</code>" if code else text
        return f"<b>{text}</b>" if bold else text


def _folded(text: str | None) -> str:
    return escape(re.sub(r"\s+", " ", text or ""))


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
