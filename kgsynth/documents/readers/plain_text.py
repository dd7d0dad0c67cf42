"""Read plain text: paragraphs are separated by empty lines; headings, lists and code are recognised by layout.

The text of the document is that of the file; wrapped lines are joined. Tables and wiki markup are not recognised.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from kgsynth.base.vocabulary import ContainerKind
from kgsynth.documents.readers.block_drafts import BlockDraft, CleanText, ParsedFile, TextPiece, meta_drafts
from kgsynth.documents.readers.nesting import Nesting
from kgsynth.language.text_words import ANY

_LINES = re.compile(r"[^\r\n]+|(?:\r\n?|\n)")
_UNDERLINE = re.compile(r"^\s*(=|-|~|\*|\^)\1{2,}\s*$")
_BULLET = re.compile(r"^[ \t]*(?:[-*+•‣◦]|\(?\d{1,3}[.)]|\(?[a-z][.)])[ \t]+(?=\S)")
_ASCII_ART = re.compile(r"^\s*[|+].*[|+]\s*$")
_CODE_INDENT = 4
_MAX_HEADING_CHARS = 80
_MAX_HEADING_WORDS = 12
_MIN_CAPITALS = 4
_UNDERLINE_LEVEL = {"=": 1, "*": 1, "-": 2, "~": 3, "^": 4}


@dataclass(frozen=True, slots=True)
class _TextLine:
    start: int
    text: str

    @property
    def indent(self) -> int:
        wide = self.text.expandtabs(8)
        return len(wide) - len(wide.lstrip())

    @property
    def end(self) -> int:
        return self.start + len(self.text.rstrip())


def read(text: str) -> ParsedFile:
    """Return the blocks of a plain text file; ``ParsedFile.text`` is ``text`` unchanged.

    Example:
        >>> [(d.kind, d.text) for d in read("KEY FACTS\\n\\nA key\\nis a string.\\n\\n- one\\n- two").drafts]
        [('heading', 'KEY FACTS'), ('paragraph', 'A key is a string.'), ('item', 'one'), ('item', 'two')]
    """
    blocks = _PlainTextBlocks(text)
    groups = _groups(text)
    for number, group in enumerate(groups):
        blocks.add(group, groups[number + 1] if number + 1 < len(groups) else [])
    blocks.found = [_code_block(text, draft) if draft.kind == "code" else draft for draft in blocks.found]
    drafts = blocks.found + meta_drafts(text, blocks.found)
    drafts.sort(key=lambda draft: draft.start)
    return ParsedFile(text, drafts, containers=tuple(blocks.nesting.found))


def _groups(text: str) -> list[list[_TextLine]]:
    """Return the groups of lines between empty lines."""
    groups: list[list[_TextLine]] = [[]]
    line_start = True
    for match in _LINES.finditer(text):
        if match.group()[0] in "\r\n":
            if line_start and groups[-1]:
                groups.append([])
            line_start = True
        elif match.group().strip():
            groups[-1].append(_TextLine(match.start(), match.group()))
            line_start = False
    return [group for group in groups if group]


class _PlainTextBlocks:
    """The walk over the groups of lines of one file; remembers the list that is open, if any."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.found: list[BlockDraft] = []
        self.nesting = Nesting()
        self.list = self.item = -1  # indexes of the containers that are open
        self.item_indent = self.item_text = -1
        self.number = -1

    def add(self, group: list[_TextLine], following: list[_TextLine]) -> None:
        if len(group) > 2 and _UNDERLINE.match(group[0].text) and _UNDERLINE.match(group[2].text):
            group = group[1:]  # a heading with a line above it too
        underlined = len(group) > 1 and _UNDERLINE.match(group[1].text)
        if underlined and _is_heading_like(group[0]) and not _BULLET.match(group[0].text):
            self._heading(group[0], group[1], _UNDERLINE_LEVEL[group[1].text.strip()[0]])
            group = group[2:]
        elif len(group) == 1 and not self._continues_list(group[0]) and (level := _heading_level(group[0], following)):
            self._heading(group[0], group[0], level)
            return
        if not group or all(_UNDERLINE.match(line.text) for line in group):
            return
        if any(_BULLET.match(line.text) for line in group) and not self._is_code(group):
            self._list(group)
        elif self.item_indent >= 0 and self.item_indent < group[0].indent <= self.item_text + 1:
            self._block("item", group)
        elif self._is_code(group):
            self._code(group)
        else:
            self.item_indent = -1
            self._block("quote" if all(line.text.lstrip()[0] == ">" for line in group) else "paragraph", group)

    def _continues_list(self, line: _TextLine) -> bool:
        """Check whether a line has the next number of the open list."""
        return self.item_indent >= 0 and 0 <= self.number == _number(line) - 1

    def _is_code(self, group: list[_TextLine]) -> bool:
        if sum(bool(_ASCII_ART.match(line.text)) for line in group) * 2 > len(group):
            return True
        base = max(self.item_indent, 0)
        indent = min(line.indent for line in group)
        nested = self.item_indent >= 0 and bool(_BULLET.match(group[0].text)) and indent <= base + 2 * _CODE_INDENT
        return indent >= base + _CODE_INDENT and not nested

    def _heading(self, line: _TextLine, last: _TextLine, level: int) -> None:
        self.item_indent = -1
        self._block("heading", [line], level=level, end=last.end)

    def _list(self, group: list[_TextLine]) -> None:
        if self.item_indent < 0 or not _BULLET.match(group[0].text):
            first = next(line for line in group if _BULLET.match(line.text))
            kind = ContainerKind.STEPS if _number(first) >= 0 else ContainerKind.LIST
            self.list = self.nesting.add(kind, -1, first.start)
        item: list[_TextLine] = []
        for line in group:
            if _BULLET.match(line.text) and item:
                self._block("item" if _BULLET.match(item[0].text) else "paragraph", item)
                item = []
            item.append(line)
        self._block("item" if _BULLET.match(item[0].text) else "paragraph", item)
        last = [line for line in group if _BULLET.match(line.text)][-1]
        mark = _BULLET.match(last.text)
        self.item_indent, self.number = last.indent, _number(last)
        self.item_text = len(mark.group().expandtabs(8)) if mark else last.indent

    def _code(self, group: list[_TextLine]) -> None:
        start, end = group[0].start, group[-1].end
        if self.found and self.found[-1].kind == "code" and not self.text[self.found[-1].end : start].strip():
            start = self.found.pop().start  # an empty line inside code
        self.found.append(BlockDraft("code", start, end, "", ()))

    def _block(self, kind: str, lines: list[_TextLine], *, level: int = 0, end: int = 0) -> None:
        clean = CleanText(self.text)
        for number, line in enumerate(lines):
            mark = _BULLET.match(line.text) if kind == "item" and number == 0 else None
            skip = mark.end() if mark else len(line.text) - len(line.text.lstrip(" \t>")) if kind == "quote" else 0
            if number:
                clean.add(TextPiece("\n"), lines[number - 1].start + len(lines[number - 1].text))
            clean.add(TextPiece(line.text[skip:]), line.start + skip)
        text, runs = clean.build()[:2]
        start = lines[0].start + len(lines[0].text) - len(lines[0].text.lstrip())
        if text:
            if kind == "item" and _BULLET.match(lines[0].text):
                self.item = self.nesting.add(ContainerKind.ITEM, self.list, start)
            inside = self.item if kind == "item" else -1
            self.found.append(BlockDraft(kind, start, end or lines[-1].end, text, runs, level, inside=inside))


def _code_block(text: str, draft: BlockDraft) -> BlockDraft:
    """Return a block of code, whose start and end are known, with its text."""
    lines, runs, length, at = [], [], 0, draft.start
    for line in re.split(r"\r\n?|\n", text[draft.start : draft.end]):
        runs.append((length, at))
        lines.append(line)
        length += len(line) + 1
        at += len(line) + (2 if text.startswith("\r\n", at + len(line)) else 1)
    return replace(draft, text="\n".join(lines), runs=tuple(runs))


def _is_heading_like(line: _TextLine) -> bool:
    title = line.text.strip()
    return len(title) <= _MAX_HEADING_CHARS and not title.endswith((".", ";", ",")) and any(map(str.isalnum, title))


def _heading_level(line: _TextLine, following: list[_TextLine]) -> int:
    """Return the level of a heading that is alone in its group; 0 if the line is not a heading."""
    title = line.text.strip()
    too_long = len(title.split()) > _MAX_HEADING_WORDS
    if too_long or not _is_heading_like(line) or line.indent >= _CODE_INDENT or title.endswith(":"):
        return 0
    in_list = len(following) == 1 and 0 <= _number(line) == _number(following[0]) - 1
    if ANY.patterns["numbered_heading"].match(title) and not in_list:
        number, *name = title.split(None, 1)
        return 0 if (name or [number])[0][0].islower() else number.rstrip(".").count(".") + 1
    letters = "".join(filter(str.isalpha, title))
    return int(len(letters) >= _MIN_CAPITALS and letters.isupper())


def _number(line: _TextLine) -> int:
    """Return the number at the start of a line, as in "2. Title"; -1 if there is none."""
    match = re.match(r"\s*(\d{1,9})[.)]\s", line.text)
    return int(match.group(1)) if match else -1
