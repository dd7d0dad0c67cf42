"""Read AsciiDoc line by line: sections, lists, tables, blocks. Nothing is included, and no condition is evaluated."""

from __future__ import annotations

import re
from contextlib import nullcontext

from kgsynth.base.vocabulary import ContainerKind
from kgsynth.documents.readers.asciidoc_inline import InlineText, without_callouts
from kgsynth.documents.readers.asciidoc_tables import table_cells
from kgsynth.documents.readers.block_drafts import ExtractedText, ParsedFile, TextPiece

_ADOC_ATTRIBUTE = re.compile(r"^:(?P<name>!?[\w][\w-]*!?):(?:\s+(?P<value>.*))?$")
_ADOC_HEADING = re.compile(r"^(?P<marks>={1,6}|#{1,6})\s+(?P<title>\S.*?)(?:\s+(?P=marks))?\s*$")
_UNDERLINES = {"=": 1, "-": 2, "~": 3, "^": 4, "+": 5}
_BLOCK_ATTRIBUTES = re.compile(r"^\[(?P<attributes>[^\[\]]*(?:\"[^\"]*\"[^\[\]]*)*|\[[\w:.,\s-]+\])\]\s*$")
_BLOCK_TITLE = re.compile(r"^\.(?P<title>[^\s.].*)$")
_ADOC_ITEM = re.compile(
    r"^[ \t]*(?P<mark>\*{1,6}|-|\.{1,6}|\d{1,4}\.|[a-zA-Z]\.|[ivx]+\)|<(?:\d{1,3}|\.)>)[ \t]+(?P<text>\S.*)$"
)
_ADOC_TERM = re.compile(r"^[ \t]*(?P<term>\S.*?)(?P<mark>:{2,4}|;;)(?:[ \t]+(?P<text>\S.*))?$")
_CHECKBOX = re.compile(r"^\[[ xX*]\]\s+")
_ADOC_DELIMITER = re.compile(r"^(?:-{4,}|\.{4,}|={4,}|_{4,}|\*{4,}|\+{4,}|/{4,}|--|```.*|[|,:!]===)\s*$")
_ADMONITION = re.compile(r"^(?P<name>NOTE|TIP|IMPORTANT|WARNING|CAUTION):[ \t]+(?P<text>\S.*)$", re.DOTALL)
_ADOC_NOTES = frozenset("NOTE TIP IMPORTANT WARNING CAUTION".split())
_DIRECTIVE = re.compile(r"^(?P<name>include|ifdef|ifndef|ifeval|endif)::(?P<target>[^\[]*)\[(?P<text>.*)\]\s*$")
_BLOCK_MACRO = re.compile(r"^(?:image|video|audio|toc|icon)::\S*\[.*\]\s*$")
_ADOC_BREAK = re.compile(r"^(?:'{3,}|-{3}|\*{3}|<{3,})\s*$")
_MAX_BLOCKS_DEEP = 40  # blocks within blocks


def read(text: str) -> ParsedFile:
    """Return the blocks of an AsciiDoc file; ``ParsedFile.text`` is their text.

    Example:
        >>> page = "= Keys\\n:name: GET\\n\\nUse `{name}`.\\n\\n* one\\n** two\\n"
        >>> [(draft.kind, draft.text) for draft in read(page).drafts]
        [('heading', 'Keys'), ('paragraph', 'Use GET.'), ('item', 'one'), ('item', 'two')]
    """
    lines = [line.rstrip() for line in re.sub(r"\r\n?", "\n", text).expandtabs(8).split("\n")]
    walk = _AsciidocWalk()
    walk.blocks(walk.header(lines), "paragraph")
    names = list(dict.fromkeys(walk.includes))
    shown = ", ".join(names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "")
    remarks = (f"included files are not read: {shown}",) if names else ()
    return walk.extracted.parsed(remarks=remarks)


class _AsciidocWalk:
    """The walk over the lines of one file."""

    def __init__(self) -> None:
        self.extracted = ExtractedText()
        self.inline = InlineText()
        self.includes: list[str] = []
        self.open_marks: list[str] = []  # the lists that are open, each with an item
        self.attributes = self.title = ""
        self.depth = 0
        self.lines: list[str] = []
        self.at = 0

    def header(self, lines: list[str]) -> list[str]:
        """Read the title, authors and attributes at the top; return the lines after them."""
        at = 0
        while at < len(lines) and (not lines[at] or lines[at].startswith("//") or self._defines(lines[at])):
            at += 1
        match = _ADOC_HEADING.match(lines[at]) if at < len(lines) else None
        if match is None or len(match["marks"]) > 1:
            return lines[at:]
        self._add("heading", match["title"], level=1)
        at += 1
        while at < len(lines) and lines[at]:
            if not self._defines(lines[at]) and not lines[at].startswith("//"):
                self._add("meta", lines[at])
            at += 1
        return lines[at:]

    def blocks(self, lines: list[str], kind: str) -> None:
        """Read the lines of the file, or of a block in it; ``kind`` is that of plain paragraphs."""
        around = (self.lines, self.at, self.open_marks)
        self.lines, self.at, self.open_marks, self.depth = lines, 0, [], self.depth + 1
        attached = blank = False
        while self.at < len(self.lines):
            line = self.lines[self.at]
            if not line or line == "+":
                if line and blank and len(self.open_marks) > 1:
                    self._close(len(self.open_marks) - 1)
                blank, attached = not line, attached or bool(line)
                self.at += 1
            elif self._is_set_aside(line, blank):
                self.at += 1
            else:
                self._block(line, kind, attached, blank)
                attached = blank = False
        self._close(0)
        self.lines, self.at, self.open_marks = around
        self.depth -= 1

    # ---- lines without text ----

    def _defines(self, line: str) -> bool:
        match = _ADOC_ATTRIBUTE.match(line)
        if match:
            self.inline.define(match["name"].strip("!"), match["value"] or "")
        return match is not None

    def _is_set_aside(self, line: str, blank: bool) -> bool:
        """Check whether a line is a comment, an attribute, a directive or says something of the next block."""
        directive = _DIRECTIVE.match(line)
        if directive:
            if directive["name"] == "include":
                self.includes.append(directive["target"])
            elif directive["text"] and directive["name"] in ("ifdef", "ifndef"):
                self._add("item" if self.open_marks else "paragraph", directive["text"])
            return True
        if line.startswith("//") and not line.startswith("///"):
            self._close(0 if blank else len(self.open_marks))
            return True
        if self._defines(line) or _ADOC_BREAK.match(line) or _BLOCK_MACRO.match(line):
            return True
        attributes, title = _BLOCK_ATTRIBUTES.match(line), _BLOCK_TITLE.match(line)
        if attributes and not (line.startswith("[[") and line.endswith("]]")):
            self.attributes = f"{self.attributes},{attributes['attributes']}".strip(",")
        elif title and not _ADOC_ITEM.match(line):
            self.title = title["title"]
        return bool(attributes or (title and not _ADOC_ITEM.match(line)))

    def _block(self, line: str, kind: str, attached: bool, blank: bool) -> None:
        item, term, heading = _ADOC_ITEM.match(line), _ADOC_TERM.match(line), _ADOC_HEADING.match(line)
        delimiter = _ADOC_DELIMITER.match(line)
        if delimiter is None and item:
            self._item(item)
            return
        if delimiter is None and term and not line.startswith(("http:", "https:")):
            self._term(term)
            return
        if not attached and (blank or heading or delimiter) and not self._awaits_detail():
            self._close(0)
        inner = "item" if self.open_marks else kind
        attributes, self.attributes = self.attributes, ""
        title, self.title = self.title, ""
        if heading and not attached:
            self._add("heading", heading["title"], level=len(heading["marks"]))
            self.at += 1
        elif delimiter:
            self._delimited(line, inner, attributes, title)
        elif not attached and self._underlined(line):
            self._add("heading", line, level=_UNDERLINES[self.lines[self.at + 1][0]])
            self.at += 2
        else:
            if title:
                self._add(inner, title)
            self._paragraph(inner, attributes)

    def _awaits_detail(self) -> bool:
        """Check whether the open term has no detail yet."""
        found = self.extracted.nesting.found
        return bool(self.open_marks) and found[-1].kind == ContainerKind.DETAIL and self._detail_from == (
            self.extracted.length
        )  # fmt: skip

    def _underlined(self, line: str) -> bool:
        below = self.lines[self.at + 1] if self.at + 1 < len(self.lines) else ""
        same = len(below) > 2 and len(set(below)) == 1 and below[0] in _UNDERLINES
        return same and abs(len(below) - len(line)) <= 1 and line[:1].isalnum()

    # ---- lists ----

    _detail_from = -1

    def _close(self, count: int) -> None:
        """Close lists until ``count`` are open."""
        while len(self.open_marks) > count:
            self.open_marks.pop()
            self.extracted.nesting.leave()
            self.extracted.nesting.leave()

    def _open(self, mark: str, kind: ContainerKind) -> None:
        """Go to the list that ``mark`` belongs to: an open one, or a new one in the open item."""
        if mark in self.open_marks:
            self._close(self.open_marks.index(mark) + 1)
            self.extracted.nesting.leave()
        else:
            self.open_marks.append(mark)
            self.extracted.nesting.enter(kind, self.extracted.length)
        self.attributes = self.title = ""

    def _item(self, item: re.Match[str]) -> None:
        mark = item["mark"]
        ordered = mark[0] in ".<" or mark[-1] in ".)"
        same = "1." if mark[-1:] == "." and mark[0] != "." else "<" if mark[0] == "<" else mark
        title = self.title
        if title and same not in self.open_marks:
            self._add("item" if self.open_marks else "paragraph", title)
        self._open(same, ContainerKind.STEPS if ordered else ContainerKind.LIST)
        self.extracted.nesting.enter(ContainerKind.ITEM, self.extracted.length)
        self.at += 1
        self._add("item", "\n".join([_CHECKBOX.sub("", item["text"]), *self._more_lines()]))

    def _term(self, term: re.Match[str]) -> None:
        self._open(term["mark"], ContainerKind.TERMS)
        with self.extracted.within(ContainerKind.TERM):
            self._add("item", term["term"])
        self.at += 1
        self.extracted.nesting.enter(ContainerKind.DETAIL, self.extracted.length)
        self._detail_from = self.extracted.length
        text = [term["text"]] if term["text"] else []
        self._add("item", "\n".join(text + self._more_lines()))

    def _more_lines(self) -> list[str]:
        """Return the lines that continue a paragraph or an item."""
        found = []
        while self.at < len(self.lines):
            line = self.lines[self.at]
            is_item = _ADOC_ITEM.match(line) or (_ADOC_TERM.match(line) if self.open_marks else None)
            if not line or line == "+" or _ADOC_DELIMITER.match(line) or _BLOCK_ATTRIBUTES.match(line):
                break
            if (is_item and self.open_marks) or _DIRECTIVE.match(line):
                break
            if not (line.startswith("//") and not line.startswith("///")):
                found.append(line.strip())
            self.at += 1
        return found

    # ---- paragraphs and blocks ----

    def _paragraph(self, kind: str, attributes: str) -> None:
        style = re.split(r"[,#.%]", attributes)[0].strip()
        indented = self.lines[self.at].startswith(" ")
        if style in ("source", "listing", "literal") or (indented and kind != "item"):
            first = self.at
            while self.at < len(self.lines) and self.lines[self.at]:
                self.at += 1
            self._code("\n".join(self.lines[first : self.at]), _language(attributes))
            return
        text = "\n".join(self._more_lines())
        if not text:
            self.at += 1
        note = _ADMONITION.match(text)
        if note or style in _ADOC_NOTES:
            with self.extracted.within(ContainerKind.NOTE, name=(note["name"] if note else style).lower()):
                self._add("paragraph", note["text"] if note else text)
        else:
            self._add("quote" if style in ("quote", "verse") else kind, text)

    def _delimited(self, line: str, kind: str, attributes: str, title: str) -> None:
        fence = line.startswith("```")
        ending = "```" if fence else line
        self.at += 1
        end = next((n for n in range(self.at, len(self.lines)) if self.lines[n] == ending), len(self.lines))
        inside = self.lines[self.at : end]
        style = re.split(r"[,#.%]", attributes)[0].strip()
        note = style.lower() if style in _ADOC_NOTES else ""
        if line[1:] == "===" and line[0] != "=":
            self._table(line[0], inside, attributes, title)
        elif fence or line.startswith(("----", "....")):
            if title:
                self._add(kind, title)
            self._code("\n".join(inside), line[3:].strip() if fence else _language(attributes))
        elif not line.startswith(("////", "++++")) and self.depth < _MAX_BLOCKS_DEEP:
            quoted = kind == "paragraph" and (line.startswith("____") or style in ("quote", "verse"))
            with self.extracted.within(ContainerKind.NOTE, name=note) if note else nullcontext():
                if title:
                    self._add("quote" if quoted else kind, title)
                after = end + 1
                self.blocks(inside, "quote" if quoted else "paragraph" if note else kind)
                end = after - 1
        self.at = end + 1

    def _code(self, code: str, language: str) -> None:
        self.extracted.add_code([TextPiece(without_callouts(code))], language)

    def _table(self, separator: str, lines: list[str], attributes: str, title: str) -> None:
        joint = "\n\n"
        with self.extracted.within(ContainerKind.TABLE):
            if title:
                self._add("paragraph", title)
            row = 0
            for cell in table_cells(lines, attributes, separator):
                if joint != "\n\n":
                    joint = "\t" if cell.place["row"] == row else "\n"
                row = cell.place["row"]
                with self.extracted.within(ContainerKind.CELL, head=cell.head, **cell.place):
                    self._add("cell", cell.text, joint=joint)
                joint = "\t"

    def _add(self, kind: str, text: str, *, level: int = 0, joint: str = "\n\n") -> None:
        self.extracted.add(kind, self.inline.pieces(text), level=level, joint=joint)
        if kind != "cell":
            notes, self.inline.notes = self.inline.notes, []
            for note in notes:
                with self.extracted.within(ContainerKind.LIST):
                    self.extracted.add("item", self.inline.pieces(note))


def _language(attributes: str) -> str:
    """Return the programming language of a block, as in "source,python"."""
    parts = [part.strip().strip('"') for part in attributes.split(",")]
    named = [part.partition("=")[2].strip('"') for part in parts if part.startswith(("lang=", "language="))]
    style = re.split(r"[#.%]", parts[0])[0]
    return (named or (parts[1:2] if style in ("source", "") and "=" not in "".join(parts[1:2]) else []) or [""])[0]
