"""Read AsciiDoc line by line: sections, lists, tables, blocks. Nothing is included, and no condition is evaluated."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from contextlib import nullcontext
from dataclasses import dataclass, field
from typing import NamedTuple

from kgsynth.base.vocabulary import ContainerKind
from kgsynth.documents.readers.block_drafts import NO_TARGET, ExtractedText, ParsedFile, Pieces, TextPiece
from kgsynth.documents.unsupported import UnsupportedFileError

_MAX_SUBSTITUTED = 2_000_000  # characters that the attributes of one file may stand for
_MAX_VALUE = 20_000  # characters of one attribute
_MAX_DEPTH = 12  # marks within marks
_BUILT_IN = {
    "amp": "&", "apos": "'", "asterisk": "*", "backslash": "\\", "backtick": "`", "blank": "", "caret": "^",
    "cpp": "C++", "deg": "°", "empty": "", "endsb": "]", "gt": ">", "lt": "<", "nbsp": "\u00a0", "plus": "+",
    "quot": '"', "sp": " ", "startsb": "[", "tilde": "~", "two-colons": "::", "two-semicolons": ";;", "vbar": "|",
    "wj": "", "zwsp": "",
}  # fmt: skip
_ATTRIBUTE_REFERENCE = re.compile(r"\\?\{([\w-]+)\}")
_ADOC_MARKUP = re.compile(
    r"""
      \\(?P<escaped>[*_`#^~+\\\[<{]|(?:link|xref|https?|footnote):)
    | \+\+\+(?P<raw3>.*?)\+\+\+
    | (?<!\w)\+\+(?P<raw2>.+?)\+\+(?!\w)
    | ["']`(?P<quoted>[^`]+)`["']
    | ``(?P<code2>.+?)``
    | (?<![\w`])`(?P<code1>[^`\s](?:[^`]*[^`\s])?)`(?!\w)
    | (?<![\w+])\+(?P<raw1>\S(?:[^+]*\S)?)\+(?![\w+])
    | \*\*(?P<strong2>.+?)\*\*
    | (?<![\w*])\*(?P<strong1>[^\s*](?:[^*]*[^\s*])?)\*(?![\w*])
    | (?:\[[^\[\]]*\])?\#\#(?P<marked2>.+?)\#\#
    | (?<![\w&])(?:\[[^\[\]]*\])?\#(?P<marked1>[^\s\#](?:[^\#]*[^\s\#])?)\#(?!\w)
    | __(?P<plain2>.+?)__
    | (?<!\w)_(?P<plain1>[^\s_](?:[^_]*[^\s_])?)_(?!\w)
    | \^(?P<high>[^\s^]+)\^ | ~(?P<low>[^\s~]+)~
    | <<(?P<cross>[^<>,]{1,300})(?:,\s*(?P<cross_text>[^<>]*?))?>>
    | footnote(?:ref)?:[^\s\[\]]*\[(?P<note>(?:[^\[\]]|\[[^\[\]]*\])*)\]
    | (?:kbd|btn|pass|stem|latexmath|asciimath|icon):[\w,]*\[(?P<shown>[^\]]*)\]
    | menu:(?P<menu>[^\s\[\]]+(?:[ ][^\s\[\]]+)*)\[(?P<menu_text>[^\]]*)\]
    | image:(?!:)[^\s\[\]]+\[(?P<image>[^\]]*)\]
    | anchor:[\w-]+\[(?P<anchor>[^\]]*)\]
    | (?<!\w)(?:link|xref|mailto):(?P<target>\+\+[^\s\[\]]+\+\+|[^\s\[\]]*)\[(?P<text>(?:[^\[\]]|\[[^\[\]]*\])*)\]
    | (?P<url>(?:https?|ftp|irc)://[^\s\[\]<>]*[^\s\[\]<>.,;:!?)'"*_`])(?:\[(?P<url_text>(?:[^\[\]]|\[[^\[\]]*\])*)\])?
    | \[\[\[?(?P<id>[\w:.-]+)(?:,[^\[\]]*)?\]?\]\]
    | (?P<break>[ ]\+)(?=\n|\Z)
    | (?P<dash>(?<=\w)--(?=\w)|(?<=[ ])--(?=[ ]))
    """,
    re.VERBOSE | re.DOTALL,
)
_CALLOUT_NUMBER = re.compile(
    r"[ \t]*(?://|#|;;|--)?[ \t]*(?:<!--)?<(?:\d{1,3}|\.)>(?:-->)?(?=[ \t]*$|[ \t]*<)", re.MULTILINE
)


@dataclass(slots=True)
class InlineText:
    """Reads inline markup with the attributes of one file; ``notes`` are the footnotes since they were last taken."""

    attributes: dict[str, str] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    substituted: int = 0

    def define(self, name: str, value: str) -> None:
        """Set an attribute; references in its value are replaced now, as AsciiDoc does."""
        self.attributes[name.lower()] = self.substitute(value)[:_MAX_VALUE]

    def substitute(self, text: str) -> str:
        """Return a text with references to known attributes replaced; others stay as they are.

        Raises:
            UnsupportedFileError: the attributes make too much text.
        """

        def value(match: re.Match[str]) -> str:
            name = match[1].lower()
            if match[0].startswith("\\"):
                return match[0][1:]
            found = self.attributes.get(name, _BUILT_IN.get(name))
            if found is None:
                return match[0]
            self.substituted += len(found)
            if self.substituted > _MAX_SUBSTITUTED:
                raise UnsupportedFileError("its attributes make too much text")
            return found

        return _ATTRIBUTE_REFERENCE.sub(value, text) if "{" in text else text

    def pieces(self, text: str) -> Pieces:
        """Return the pieces of a text with markup."""
        return self._parsed(self.substitute(text), TextPiece(""), 0)

    def _parsed(self, text: str, around: TextPiece, depth: int) -> Pieces:
        if depth > _MAX_DEPTH:
            return [around._replace(text=text)]
        pieces: Pieces = []
        at = 0
        for match in _ADOC_MARKUP.finditer(text):
            pieces.append(around._replace(text=text[at : match.start()]))
            pieces += self._marked(match, around, depth + 1)
            at = match.end()
        pieces.append(around._replace(text=text[at:]))
        return [piece for piece in pieces if piece.text]

    def _marked(self, match: re.Match[str], around: TextPiece, depth: int) -> Pieces:
        kind = match.lastgroup or ""
        value = match[kind] if kind else ""
        if kind in ("code1", "code2"):
            raw = value[1:-1] if len(value) > 2 and value[0] == value[-1] == "+" else ""
            code = around._replace(code=True)
            return [code._replace(text=raw)] if raw else [
                piece._replace(code=True) for piece in self._parsed(value, code, depth)
            ]  # fmt: skip
        if kind in ("strong1", "strong2"):
            return self._parsed(value, around._replace(strong=True), depth)
        if kind in ("plain1", "plain2", "marked1", "marked2", "high", "low"):
            return self._parsed(value, around, depth)
        if kind == "quoted":
            marks = "“”" if match[0][0] == '"' else "‘’"
            return [around._replace(text=marks[0]), *self._parsed(value, around, depth), around._replace(text=marks[1])]
        if kind in ("cross", "cross_text"):
            target = match["cross"].strip()
            target = target if "#" in target or target.endswith((".adoc", ".asciidoc")) else f"#{target}"
            return self._link(target, match["cross_text"] or match["cross"].strip().strip("#_"), around, depth)
        if kind == "text":
            target = match["target"].strip("+") if match["target"].startswith("++") else match["target"]
            shown = re.sub(r"(?:\^|,\s*(?:window|role|opts|options)=[^,\]]*)+$", "", value)
            target = f"mailto:{target}" if match[0].startswith("mailto:") else target
            named = match[0].startswith("xref:") and "#" not in target and "." not in target
            return self._link(
                f"#{target}" if named else target or NO_TARGET, shown or match["target"].strip("+#_"), around, depth
            )
        if kind in ("url", "url_text"):
            shown = re.sub(r"(?:\^|,\s*(?:window|role)=[^,\]]*)+$", "", match["url_text"] or "")
            return self._link(match["url"], shown or match["url"], around, depth)
        return self._kept(kind, value, match, around)

    def _kept(self, kind: str, value: str, match: re.Match[str], around: TextPiece) -> Pieces:
        if kind == "note":
            if value:
                self.notes.append(value)
            return []
        if kind in ("image", "anchor", "id"):
            return []
        if kind == "menu_text":
            value = " > ".join(part for part in (match["menu"], *re.split(r"\s*>\s*", value)) if part)
        shown = {"break": "\n", "dash": "—"}.get(kind, value)
        return [around._replace(text=shown)]

    def _link(self, target: str, shown: str, around: TextPiece, depth: int) -> Pieces:
        return self._parsed(shown, around._replace(link=target), depth) if not around.link else [
            around._replace(text=shown)
        ]  # fmt: skip


def without_callouts(code: str) -> str:
    """Return code without the numbers in angle brackets that explanations below it refer to.

    Example:
        >>> without_callouts("x = 1 # <1>")
        'x = 1'
    """
    return _CALLOUT_NUMBER.sub("", code)


# The cells of a table in AsciiDoc, with their places and whether they are heads.

_MAX_ADOC_SPAN = 1000
_MAX_ADOC_COLUMNS = 1000
_ADOC_CELL = re.compile(
    r"(?:(?<=\s)|^)(?:(?P<columns>\d{1,4})?(?:\.(?P<rows>\d{1,4}))?(?P<how>[+*]))?(?:[<^>]?(?:\.[<^>])?)(?P<style>[adehlmsv])?"
    r"(?<!\\)\|(?!=)|(?<!\\)\|",
    re.MULTILINE,
)
_ADOC_COLUMN = re.compile(r"(?:(?P<times>\d{1,3})\*)?[<^>.\d~]*(?P<style>[adehlmsv])?\s*$")
_ADOC_LIST_MARK = re.compile(r"^[ \t]*(?:[*.-]+|\d+\.)[ \t]+", re.MULTILINE)


class AsciidocCell(NamedTuple):
    """A cell: its text with markup, the fields of its container that say where it stands, and whether it is a head."""

    text: str
    place: dict[str, int]
    head: bool


class _RawCell(NamedTuple):
    text: str
    style: str = ""
    rows: int = 1
    columns: int = 1


def table_cells(lines: list[str], attributes: str, separator: str) -> Iterator[AsciidocCell]:
    """Yield the cells of a table, whose lines stand between its delimiters.

    Example:
        >>> [(cell.text, cell.head) for cell in table_cells(["|K |V", "", "|a", "|1"], "", "|")]
        [('K', True), ('V', True), ('a', False), ('1', False)]
    """
    named = dict(re.findall(r'(\w+)\s*=\s*"?([^",]*(?:,[^",=]*(?=[",]))*)', attributes))
    quoted = re.search(r'cols\s*=\s*"([^"]*)"', attributes)
    styles = _columns(quoted[1] if quoted else named.get("cols", ""))
    text = "\n".join(lines)
    values = separator in ",:" or named.get("format") in ("csv", "dsv", "tsv")
    cells = (
        list(_values(lines, separator))
        if values
        else list(_cells(text if separator == "|" else text.replace("!", "|")))
    )
    first_line = next((number for number, line in enumerate(lines) if line), 0)
    on_first = (
        _values(lines[first_line : first_line + 1], separator) if values else _cells(lines[first_line] if lines else "")
    )
    columns = len(styles) or sum(cell.columns for cell in on_first) or 1
    options = f"{attributes},"
    marked = re.search(r"%[\w%]*header|header[\",]", options) is not None
    implied = first_line == 0 and len(lines) > 1 and not lines[1] and "noheader" not in options
    yield from _placed(cells, min(columns, _MAX_ADOC_COLUMNS), styles, marked or implied)


def _placed(cells: list[_RawCell], columns: int, styles: list[str], has_head: bool) -> Iterator[AsciidocCell]:
    free_from: dict[int, int] = {}  # the row from which a column is free
    row = column = 0
    for cell in cells:
        while free_from.get(column, 0) > row or column >= columns:
            column += 1
            if column >= columns:
                row, column = row + 1, 0
        reach = min(cell.columns, columns - column)
        for taken in range(column, column + reach):
            free_from[taken] = row + cell.rows
        style = cell.style or (styles[column] if column < len(styles) else "")
        head = (has_head and row == 0) or style == "h"
        text = _ADOC_LIST_MARK.sub("", cell.text) if style == "a" else cell.text
        place = {"row": row, "column": column, "rows": cell.rows, "columns": reach}
        yield AsciidocCell(text, place, head)
        column += reach


def _columns(value: str) -> list[str]:
    """Return the style of each column, as ``cols="1,2a,3*"`` says."""
    found: list[str] = []
    for part in re.split(r"[,;]", value) if value.strip() else []:
        match = _ADOC_COLUMN.match(part.strip())
        times = int(match["times"] or 1) if match else 1
        found += [(match["style"] if match else None) or ""] * times
    return found[:_MAX_ADOC_COLUMNS]


def _cells(text: str) -> Iterator[_RawCell]:
    marks = list(_ADOC_CELL.finditer(text))
    for number, mark in enumerate(marks):
        end = marks[number + 1].start() if number + 1 < len(marks) else len(text)
        content = text[mark.end() : end].strip().replace("\\|", "|")
        times = min(int(mark["columns"] or 1), _MAX_ADOC_SPAN)
        rows = min(int(mark["rows"] or 1), _MAX_ADOC_SPAN)
        if mark["how"] == "*":
            yield from [_RawCell(content, mark["style"] or "")] * times
        else:
            yield _RawCell(content, mark["style"] or "", max(rows, 1), max(times, 1))


def _values(lines: list[str], separator: str) -> Iterator[_RawCell]:
    try:
        for row in csv.reader([line for line in lines if line], delimiter="," if separator in ",|" else separator):
            yield from (_RawCell(value.strip()) for value in row)
    except csv.Error:
        return


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
