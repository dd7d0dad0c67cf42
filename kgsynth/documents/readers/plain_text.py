"""Read plain text: paragraphs by empty lines, headings, lists and code by their looks.

The text of the document is the file's own; hard-wrapped lines are joined. Leaves out: tables and wiki markup.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from kgsynth.documents.readers.block_drafts import Draft, Reading, Weave, uncovered
from kgsynth.language.shared_words import SECTION_WORD

_LINES = re.compile(r"[^\r\n]+|(?:\r\n?|\n)")
_UNDERLINE = re.compile(r"^\s*(=|-|~|\*|\^)\1{2,}\s*$")
_NUMBERED = re.compile(rf"^(?:{SECTION_WORD}\s+\w+[.:]?\s|\d+(?:\.\d+)*\.?\s+|[A-Z]\.\d+(?:\.\d+)*\.?\s+)\S", re.I)
_BULLET = re.compile(r"^[ \t]*(?:[-*+•‣◦]|\(?\d{1,3}[.)]|\(?[a-z][.)])[ \t]+(?=\S)")
_ART = re.compile(r"^\s*[|+].*[|+]\s*$")
_CODE_INDENT = 4
_LONGEST_HEADING = 80
_HEADING_WORDS = 12
_FEWEST_CAPITALS = 4
_MARK_LEVEL = {"=": 1, "*": 1, "-": 2, "~": 3, "^": 4}


@dataclass(frozen=True, slots=True)
class _Line:
    start: int
    text: str

    @property
    def indent(self) -> int:
        wide = self.text.expandtabs(8)
        return len(wide) - len(wide.lstrip())

    @property
    def end(self) -> int:
        return self.start + len(self.text.rstrip())


def read(text: str) -> Reading:
    """Return the blocks of a plain text file; ``Reading.text`` is ``text`` itself.

    Example:
        >>> [(d.kind, d.text) for d in read("KEY FACTS\\n\\nA key\\nis a string.\\n\\n- one\\n- two").drafts]
        [('heading', 'KEY FACTS'), ('paragraph', 'A key is a string.'), ('item', 'one'), ('item', 'two')]
    """
    blocks = _Blocks(text)
    groups = _groups(text)
    for number, group in enumerate(groups):
        blocks.take(group, groups[number + 1] if number + 1 < len(groups) else [])
    drafts = blocks.found + uncovered(text, blocks.found)
    return Reading(text, sorted(drafts, key=lambda draft: draft.start))


def _groups(text: str) -> list[list[_Line]]:
    """Return the runs of lines between empty ones."""
    groups: list[list[_Line]] = [[]]
    fresh = True
    for match in _LINES.finditer(text):
        if match.group()[0] in "\r\n":
            if fresh and groups[-1]:
                groups.append([])
            fresh = True
        elif match.group().strip():
            groups[-1].append(_Line(match.start(), match.group()))
            fresh = False
    return [group for group in groups if group]


class _Blocks:
    """The walk over the groups of one file; remembers whether a list is open and which marks head sections."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.found: list[Draft] = []
        self.listing = 0
        self.item_indent = self.item_text = -1
        self.number = -1

    def take(self, group: list[_Line], following: list[_Line]) -> None:
        if len(group) > 1 and _UNDERLINE.match(group[0].text) and len(group) > 2 and _UNDERLINE.match(group[2].text):
            group = group[1:]  # a heading with a line above it, too
        if len(group) > 1 and _UNDERLINE.match(group[1].text) and _short(group[0]) and not _BULLET.match(group[0].text):
            self._heading(group[0], group[1], _MARK_LEVEL[group[1].text.strip()[0]])
            group = group[2:]
        elif len(group) == 1 and not self._goes_on(group[0]) and (level := _heading_level(group[0], following)):
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

    def _goes_on(self, line: _Line) -> bool:
        """Say whether a line goes on counting where the open list stopped."""
        return self.item_indent >= 0 and 0 <= self.number == _number(line) - 1

    def _is_code(self, group: list[_Line]) -> bool:
        if sum(bool(_ART.match(line.text)) for line in group) * 2 > len(group):
            return True
        outer = max(self.item_indent, 0)
        lowest = min(line.indent for line in group)
        nested = self.item_indent >= 0 and bool(_BULLET.match(group[0].text)) and lowest <= outer + 2 * _CODE_INDENT
        return lowest >= outer + _CODE_INDENT and not nested

    def _heading(self, line: _Line, last: _Line, level: int) -> None:
        self.item_indent = -1
        self._block("heading", [line], level=level, end=last.end)

    def _list(self, group: list[_Line]) -> None:
        if self.item_indent < 0 or not _BULLET.match(group[0].text):
            self.listing += 1
        held: list[_Line] = []
        for line in group:
            if _BULLET.match(line.text) and held:
                self._block("item" if _BULLET.match(held[0].text) else "paragraph", held)
                held = []
            held.append(line)
        self._block("item" if _BULLET.match(held[0].text) else "paragraph", held)
        last = [line for line in group if _BULLET.match(line.text)][-1]
        mark = _BULLET.match(last.text)
        self.item_indent, self.number = last.indent, _number(last)
        self.item_text = len(mark.group().expandtabs(8)) if mark else last.indent

    def _code(self, group: list[_Line]) -> None:
        start, end = group[0].start, group[-1].end
        if self.found and self.found[-1].kind == "code" and not self.text[self.found[-1].end : start].strip():
            start = self.found.pop().start  # an empty line inside of code
        lines, runs, length, at = [], [], 0, start
        for line in re.split(r"\r\n?|\n", self.text[start:end]):
            runs.append((length, at))
            lines.append(line)
            length += len(line) + 1
            at += len(line) + (2 if self.text.startswith("\r\n", at + len(line)) else 1)
        self.found.append(Draft("code", start, end, "\n".join(lines), tuple(runs)))

    def _block(self, kind: str, lines: list[_Line], *, level: int = 0, end: int = 0) -> None:
        weave = Weave(self.text)
        for number, line in enumerate(lines):
            mark = _BULLET.match(line.text) if kind == "item" and number == 0 else None
            skip = mark.end() if mark else len(line.text) - len(line.text.lstrip(" \t>")) if kind == "quote" else 0
            if number:
                weave.add("\n", lines[number - 1].start + len(lines[number - 1].text))
            weave.add(line.text[skip:], line.start + skip)
        text, runs, _ = weave.woven()
        start = lines[0].start + len(lines[0].text) - len(lines[0].text.lstrip())
        if text:
            listing = self.listing if kind == "item" else 0
            self.found.append(Draft(kind, start, end or lines[-1].end, text, runs, level, listing=listing))


def _short(line: _Line) -> bool:
    bare = line.text.strip()
    return len(bare) <= _LONGEST_HEADING and not bare.endswith((".", ";", ",")) and any(map(str.isalnum, bare))


def _heading_level(line: _Line, following: list[_Line]) -> int:
    """Return the level of a heading that stands alone on its line; 0 for a line that is none."""
    bare = line.text.strip()
    if not _short(line) or len(bare.split()) > _HEADING_WORDS or line.indent >= _CODE_INDENT or bare.endswith(":"):
        return 0
    letters = [char for char in bare if char.isalpha()]
    if _NUMBERED.match(bare) and not (len(following) == 1 and 0 <= _number(line) == _number(following[0]) - 1):
        name = bare.split(None, 1)[-1].strip()
        return bare.split()[0].rstrip(".").count(".") + 1 if name[:1].isupper() or not name[:1].islower() else 0
    return (
        1
        if len(letters) >= _CODE_INDENT and all(not char.islower() for char in letters) and "".join(letters).isupper()
        else 0
    )


def _number(line: _Line) -> int:
    """Return the number a line opens with, as in "2. Title"; -1 for none."""
    match = re.match(r"\s*(\d+)[.)]\s", line.text)
    return int(match.group(1)) if match else -1
