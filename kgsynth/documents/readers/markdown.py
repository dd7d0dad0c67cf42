"""Read Markdown: blocks as a person sees them, each character tied to its place in the file.

Reads CommonMark with tables and strikethrough, front matter, and the templates of MkDocs, mdBook and Hugo, which are
not filled in. The text of the document is that of the file.
"""

from __future__ import annotations

import re
from itertools import accumulate
from typing import TYPE_CHECKING

from kgsynth.base.vocabulary import ContainerKind
from kgsynth.documents.readers.block_drafts import BlockDraft, CleanText, ParsedFile, meta_drafts
from kgsynth.documents.readers.markdown_html import fragment_drafts
from kgsynth.documents.readers.markdown_inline import SourceMap, add_inline, parser
from kgsynth.documents.readers.markdown_notes import NoteMark, add_notes, callout_name, note_marks
from kgsynth.documents.readers.markdown_templates import front_matter, hide_templates
from kgsynth.documents.readers.nesting import Nesting, TableGrid

if TYPE_CHECKING:
    from markdown_it.token import Token

_CONTAINER_OF_TOKEN = {
    "table_open": ContainerKind.TABLE,
    "th_open": ContainerKind.CELL,
    "td_open": ContainerKind.CELL,
    "bullet_list_open": ContainerKind.LIST,
    "ordered_list_open": ContainerKind.STEPS,
    "list_item_open": ContainerKind.ITEM,
}
_LINE_END = re.compile(r"\r\n?|\n")
_BAR = re.compile(r"(?<!\\)\|")
_NOT_BLANK = re.compile(r"\S")
_HEADING_MARK = re.compile(r"[\s>*+\-\d.)]*?#{1,6}(?=\s|$)")


def read(text: str) -> ParsedFile:
    """Return the blocks of a Markdown file; ``ParsedFile.text`` is ``text`` unchanged.

    Example:
        >>> [(draft.kind, draft.text) for draft in read("# Keys\\n\\nUse **`GET`** or\\n[MGET](mget.md).").drafts]
        [('heading', 'Keys'), ('paragraph', 'Use GET or MGET.')]
    """
    end, title = front_matter(text)
    copy = hide_templates(text)
    blocks = _MarkdownBlocks(text, copy, parser().parse(copy))
    drafts = blocks.drafts()
    add_notes([*note_marks(text, copy), *blocks.callouts], drafts, blocks.nesting)
    if text[:end].strip():
        drafts.append(BlockDraft("meta", 0, len(text[:end].rstrip()), text[:end].rstrip(), ((0, 0),)))
    drafts.sort(key=lambda draft: draft.start)
    drafts += meta_drafts(text, drafts)
    drafts.sort(key=lambda draft: draft.start)
    return ParsedFile(text, drafts, title, tuple(blocks.nesting.found))


class _MarkdownBlocks:
    """The walk over the block tokens of one file; ``copy`` is what the parser read, with templates hidden."""

    def __init__(self, text: str, copy: str, tokens: list[Token]) -> None:
        self.text = text
        self.copy = copy
        self.tokens = tokens
        self.starts = [0, *(match.end() for match in _LINE_END.finditer(text))]
        self.ends = [*(match.start() for match in _LINE_END.finditer(text)), len(text)]
        lines = [text[start:end] for start, end in zip(self.starts, self.ends, strict=True)]
        self.firsts = [end - len(line.lstrip()) for line, end in zip(lines, self.ends, strict=True)]
        filled = (
            start + len(line.rstrip()) if line.strip() else 0 for line, start in zip(lines, self.starts, strict=True)
        )
        self.lasts = list(accumulate(filled, max))
        self.found: list[BlockDraft] = []
        self.nesting = Nesting()
        self.callouts: list[NoteMark] = []
        self.open_tokens: list[str] = []
        self.grid = TableGrid()
        self.cell_at = -1

    def drafts(self) -> list[BlockDraft]:
        for number, token in enumerate(self.tokens):
            if token.nesting > 0:
                self._enter(token)
            elif token.nesting < 0:
                self._leave(token)
            elif token.type in ("fence", "code_block"):
                self._code(token)
            elif token.type == "html_block":
                first, last = _lines(token)
                kind = self._block_kind() if self.open_tokens else "paragraph"
                self.found += fragment_drafts(self.text, self.starts[first], self._last(last), kind, self.nesting)
            elif token.type == "inline":
                self._inline(token, self.tokens[number - 1])
        return self.found

    def _enter(self, token: Token) -> None:
        if token.type == "tr_open":
            self.cell_at = self._first(_lines(token)[0])
        if token.type == "blockquote_open":
            first, last = _lines(token)
            if name := callout_name(self.text, self.starts[first], self.ends[first]):
                self.callouts.append(NoteMark(self._first(first), self._last(last), name))
        kind = _CONTAINER_OF_TOKEN.get(token.type)
        if kind == ContainerKind.CELL:
            self.nesting.enter(kind, self.cell_at, head=token.tag == "th", **self.grid.place(1, 1))
        elif kind:
            self.grid = TableGrid()
            self.nesting.enter(kind, self._first(_lines(token)[0]))
        self.open_tokens.append(token.type)

    def _leave(self, token: Token) -> None:
        opened = self.open_tokens.pop()
        if opened in _CONTAINER_OF_TOKEN:
            self.nesting.leave()
        if opened == "tr_open":
            self.grid.next_row()

    def _block_kind(self) -> str:
        if any(name in ("td_open", "th_open") for name in self.open_tokens):
            return "cell"
        if "list_item_open" in self.open_tokens:
            return "item"
        return "quote" if "blockquote_open" in self.open_tokens else "paragraph"

    def _first(self, line: int) -> int:
        """Return the offset of the first character of ``line`` that is not white space."""
        return self.firsts[line]

    def _last(self, line: int) -> int:
        """Return the offset at which the lines before ``line`` end, without trailing white space."""
        return self.lasts[min(line, len(self.ends)) - 1]

    # ---- code ----

    def _code(self, token: Token) -> None:
        first, last = _lines(token)
        at = first + (token.type == "fence")
        lines, runs, length = [], [], 0
        for number, line in enumerate(token.content.removesuffix("\n").split("\n")):
            if at + number >= min(last, len(self.starts)):
                break
            start, end = self.starts[at + number], self.ends[at + number]
            source = self.text[start:end]  # with the templates that were hidden from the parser
            kept = source[max(0, len(source) - len(line)) :]
            if len(kept) != len(line) or source[: len(source) - len(kept)].strip(" \t>"):
                kept = source.lstrip()
            lines.append(kept)
            runs.append((length, end - len(kept)))
            length += len(kept) + 1
        code = "\n".join(lines).rstrip()
        if code and not code.removeprefix("{{#").startswith(("include", "rustdoc_include")):
            runs = [run for run in runs if run[0] < len(code)]
            start = min(self._first(first), runs[0][1])
            with self.nesting.within(ContainerKind.CODE, start, name=(token.info.split() or [""])[0]):
                inside = self.nesting.inside
                self.found.append(BlockDraft("code", start, self._last(last), code, tuple(runs), inside=inside))

    # ---- prose ----

    def _inline(self, token: Token, opener: Token) -> None:
        heading = opener.type == "heading_open"
        kind = "heading" if heading else self._block_kind()
        first, last = _lines(token)
        if heading:
            last = _lines(opener)[1]
        places = self._cell_places(token) if kind == "cell" else self._line_places(token, opener)
        if not places:
            return
        clean = CleanText(self.text)
        images = add_inline(token.children or [], clean, SourceMap(places, token.content))
        text, runs, code, strong, links, linked, _ = clean.build()
        start, end = self._first(first), self._last(last)
        if kind == "cell":
            start, self.cell_at = self.cell_at, self._cell_end(places[-1][1] + len(token.content), self.ends[first])
            end = self.cell_at
        level = int(opener.tag[1]) if heading else 0
        if text:
            inside = self.nesting.inside
            self.found.append(BlockDraft(kind, start, end, text, runs, level, code, linked, strong, links, inside))
        elif images:
            self.found.append(_image_draft(self.text, images, start, end))

    def _line_places(self, token: Token, opener: Token) -> list[tuple[int, int]]:
        """Return pairs (offset into the token's content, offset into the file), one for each of its lines."""
        places: list[tuple[int, int]] = []
        at = 0
        for number, line in enumerate(token.content.split("\n")):
            row = _lines(token)[0] + number
            stripped = line.strip()
            if stripped and row < len(self.starts):
                place = self._find(stripped, row, opener)
                if place is not None:
                    places.append((at + line.index(stripped), place))
            at += len(line) + 1
        return places

    def _find(self, stripped: str, row: int, opener: Token) -> int | None:
        start, end = self.starts[row], self.ends[row]
        if opener.type == "heading_open" and opener.markup.startswith("#"):
            mark = _HEADING_MARK.match(self.text, start, end)
            place = self.text.find(stripped, mark.end() if mark else start, end)
            if place >= 0:
                return place
        return self._find_hidden(stripped, start, end)

    def _find_hidden(self, stripped: str, start: int, end: int) -> int | None:
        """Find a line in what the parser read, where its templates are blanks and its offsets are those of the file."""
        if self.text.endswith(stripped, start, end):
            return end - len(stripped)
        found = self.copy.rfind(stripped, start, end)
        return found if found >= 0 else None

    def _cell_places(self, token: Token) -> list[tuple[int, int]]:
        row_end = self.ends[_lines(token)[0]]
        if not token.content:
            self.cell_at = self._cell_end(self.cell_at, row_end)
            return []
        pattern = "".join(
            r"[\s\S]" if char == " " else r"\\?\|" if char == "|" else re.escape(char) for char in token.content
        )
        match = re.compile(pattern).search(self.text, self.cell_at, row_end)
        if match is None:
            return []
        places, at = [(0, match.start())], match.start()
        for number, char in enumerate(token.content):
            if char == "|" and self.text[at] == "\\":
                at += 1
                places.append((number, at))
            at += 1
        return places

    def _cell_end(self, at: int, row_end: int) -> int:
        """Return the end of the cell that contains ``at``: after its bar, or at the end of the row."""
        bar = _BAR.search(self.text, at, row_end)
        if bar is None or not _NOT_BLANK.search(self.text, bar.end(), row_end):
            return at + len(self.text[at:row_end].rstrip())
        return bar.end()


def _lines(token: Token) -> tuple[int, int]:
    """Return the first line of a block token and the line after its last."""
    first, last = token.map or (0, 1)
    return first, last


def _image_draft(text: str, alternative: str, start: int, end: int) -> BlockDraft:
    """Return the meta block of a line that has only images; its text is their alternative text."""
    at = text.find(alternative, start, end)
    if not alternative or at < 0:
        return BlockDraft("meta", start, end, "", ((0, start),))
    return BlockDraft("meta", start, end, alternative, ((0, at),))
