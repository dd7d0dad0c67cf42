"""Read Markdown: blocks as a person sees them, each character tied to its place in the file.

Reads CommonMark with tables and strikethrough, front matter, and the templates of MkDocs, mdBook and Hugo, which are
not filled in. The text of the document is that of the file.
"""

from __future__ import annotations

import html
import re
from bisect import bisect_left, bisect_right
from collections import Counter
from functools import cache
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING, Any

from kgsynth.base.vocabulary import ContainerKind
from kgsynth.documents.readers.block_drafts import NO_TARGET, BlockDraft, CleanText, ParsedFile, TextPiece, meta_drafts
from kgsynth.documents.readers.markdown_source import (
    NoteMark,
    add_notes,
    callout_name,
    front_matter,
    hide_templates,
    note_marks,
)
from kgsynth.documents.readers.nesting import MAX_CELL_SPAN, Nesting, TableGrid
from kgsynth.language.words import HAN, HAN_EXTENSION, HANGUL, KANA

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

# Read a block of raw HTML inside Markdown: its text in place, without tags, scripts and styles.
#
# A small scanner is used because HTML parsers do not tie the text to its place in the file. ``html`` reads HTML
# files.

_HTML_TOKEN = re.compile(
    r"<!--.*?(?:-->|\Z)|<(?P<raw>script|style|svg)\b.*?(?:</(?P=raw)\s*>|\Z)"
    r"|<(?P<close>/?)(?P<tag>[a-zA-Z][\w-]*)(?:\s++(?:\"[^\"]*+\"|'[^']*+'|[^<>\"']++){0,400}+)?/?>|<[!?][^>]{0,10000}+>"
    r"|(?P<entity>&(?:#\d{1,7}|#[xX][\da-fA-F]{1,6}|\w{2,31});)|(?P<text>[^<&]+|[<&])",
    re.DOTALL,
)
_TAGS_INSIDE_TEXT = frozenset(
    "a abbr acronym b bdi bdo big cite code del dfn em font i img input ins kbd label mark q s samp small span "
    "strike strong sub sup time tt u var wbr".split()
)
_BOLD_TAGS = ("b", "strong")
_MARKING_TAGS = frozenset(("code", *_BOLD_TAGS))
_KIND_OF_TAG = {"blockquote": "quote", "pre": "code"} | {f"h{level}": "heading" for level in range(1, 7)}
_KIND_OF_TAG |= dict.fromkeys(("td", "th"), "cell") | dict.fromkeys(("li", "dd", "dt"), "item")
_KIND_OF_TAG |= dict.fromkeys(("nav", "footer", "aside"), "navigation")


_SPAN = re.compile(r"\b(rowspan|colspan)\s*=\s*[\"']?\s*(\d{1,6})", re.IGNORECASE)


def fragment_drafts(text: str, start: int, end: int, kind: str, nesting: Nesting) -> list[BlockDraft]:
    """Return the drafts of ``text[start:end]``, raw HTML, and add its tables to ``nesting``.

    ``kind`` is for text outside the tags of ``_KIND_OF_TAG``.

    Example:
        >>> source = "<p>A &amp; <b>B</b></p><li>C</li>"
        >>> [(draft.kind, draft.text) for draft in fragment_drafts(source, 0, 33, "paragraph", Nesting())]
        [('paragraph', 'A & B'), ('item', 'C')]
    """
    found: list[BlockDraft] = []
    tags, tables = _OpenTags(), _OpenTables(nesting)
    clean, edges = CleanText(text), [-1, -1]
    link = ""

    def close() -> None:
        nonlocal clean
        content, runs, code, strong, links, linked, _ = clean.build()
        if content:
            tag = tags.kinds[-1] if tags.kinds else ""
            level = int(tag[1]) if _KIND_OF_TAG.get(tag) == "heading" else 0
            own = _KIND_OF_TAG.get(tag, kind)
            start, end = edges
            found.append(BlockDraft(own, start, end, content, runs, level, code, linked, strong, links, nesting.inside))
        clean = CleanText(text)
        edges[0] = -1

    for match in _HTML_TOKEN.finditer(text, start, end):
        tag = (match.group("tag") or "").lower()
        if match.group("text") or match.group("entity"):
            piece = match.group("text") or html.unescape(match.group("entity"))
            if piece.strip():
                edges[0] = match.start() + len(piece) - len(piece.lstrip()) if edges[0] < 0 else edges[0]
                edges[1] = match.start() + len(match.group().rstrip())
            strong = any(tags.count[each] for each in _BOLD_TAGS)
            added = TextPiece(piece, tags.count["code"] > 0, link, strong)
            clean.add(added, match.start(), encoded=match.group("text") is None)
        elif tag == "br":
            clean.add(TextPiece(" "), match.start(), encoded=True)
        elif tag and (tag not in _TAGS_INSIDE_TEXT or tag in _MARKING_TAGS):
            if tag not in _MARKING_TAGS:
                close()
                tables.track(tag, bool(match.group("close")), match)
            tags.track(tag, bool(match.group("close")))
        elif tag == "a":
            link = "" if match.group("close") else NO_TARGET
    close()
    tables.end()
    return found


class _OpenTables:
    """The tables that are open, each with its grid, and whether a row and a cell of it are open."""

    def __init__(self, nesting: Nesting) -> None:
        self.nesting = nesting
        self.grids: list[TableGrid] = []
        self.rows: list[bool] = []
        self.cells: list[bool] = []

    def track(self, tag: str, closes: bool, match: re.Match[str]) -> None:
        """Open or close a table, a row or a cell; one that is not closed ends where the next begins."""
        if tag == "table" and not closes:
            self.nesting.enter(ContainerKind.TABLE, match.start())
            self.grids.append(TableGrid())
            self.rows.append(False)
            self.cells.append(False)
        elif tag == "table" and self.grids:
            self._leave_table()
        elif tag == "tr" and self.grids:
            self._leave_cell()
            if self.rows[-1]:
                self.grids[-1].next_row()
            self.rows[-1] = not closes
        elif tag in ("td", "th") and self.grids:
            self._leave_cell()
            if not closes:
                spans = {name.lower(): min(max(int(span), 1), MAX_CELL_SPAN) for name, span in _SPAN.findall(match[0])}
                place = self.grids[-1].place(spans.get("rowspan", 1), spans.get("colspan", 1))
                self.nesting.enter(ContainerKind.CELL, match.start(), head=tag == "th", **place)
                self.cells[-1] = True

    def end(self) -> None:
        """Close everything."""
        while self.grids:
            self._leave_table()

    def _leave_cell(self) -> None:
        if self.cells[-1]:
            self.nesting.leave()
            self.cells[-1] = False

    def _leave_table(self) -> None:
        self._leave_cell()
        self.nesting.leave()
        for each in (self.grids, self.rows, self.cells):
            each.pop()


class _OpenTags:
    """The tags that are open; ``kinds`` are those of ``_KIND_OF_TAG`` among them, ``count`` how often each is open."""

    def __init__(self) -> None:
        self.names: list[str] = []
        self.kinds: list[str] = []
        self.count: Counter[str] = Counter()

    def track(self, tag: str, closes: bool) -> None:
        """Open a tag, or close it with all that were opened after it."""
        if not closes:
            self.names.append(tag)
            self.count[tag] += 1
            if tag in _KIND_OF_TAG:
                self.kinds.append(tag)
            return
        name = "" if self.count[tag] else tag
        while name != tag:
            name = self.names.pop()
            self.count[name] -= 1
            if name in _KIND_OF_TAG:
                self.kinds.pop()


# Read inline Markdown: emphasis, code, links and entities, each character with its place in the file.
#
# markdown-it gives the lines of a block, but not the places of its inline tokens; ``parser`` adds them.

_CJK_BESIDE_EMPHASIS = re.compile(f"[{KANA}{HAN_EXTENSION}{HAN}{HANGUL}]")
_BREAK_TAG = re.compile(r"</?(?:br|p|div|li|hr)\b", re.IGNORECASE)


@cache
def parser() -> MarkdownIt:
    """Return a parser that sets ``meta["at"]`` of each inline token: its offset into the block's content."""
    from markdown_it import MarkdownIt
    from markdown_it.parser_inline import ParserInline
    from markdown_it.rules_inline.state_inline import StateInline

    class PlacedState(StateInline):
        def pushPending(self) -> Token:  # noqa: N802 - the parser's own name
            token = super().pushPending()
            token.meta["at"] = max(0, self.src.rfind(token.content, 0, self.pos))
            return token

        def push(self, ttype: str, tag: str, nesting: Any) -> Token:
            """Note the parser's position at each token."""
            token = super().push(ttype, tag, nesting)
            token.meta["at"] = self.pos
            return token

        def scanDelims(self, start: int, canSplitWord: bool) -> Any:  # noqa: N802, N803
            """Let emphasis open after a Chinese character and close before one, even beside punctuation."""
            found = super().scanDelims(start, canSplitWord)
            before, after = self.src[start - 1 : start], self.src[start + found.length : start + found.length + 1]
            if self.src[start] != "*" or not before.strip() or not after.strip():
                return found
            return found._replace(
                can_open=found.can_open or bool(_CJK_BESIDE_EMPHASIS.match(before)),
                can_close=found.can_close or bool(_CJK_BESIDE_EMPHASIS.match(after)),
            )

    class PlacedInline(ParserInline):
        def parse(self, src: str, md: Any, env: Any, tokens: list[Token]) -> list[Token]:
            """Parse as the base class does, with a state that notes positions."""
            state = PlacedState(src, md, env, tokens)
            self.tokenize(state)
            for rule in self.ruler2.getRules(""):
                rule(state)
            found: list[Token] = state.tokens
            return found

    made = MarkdownIt("commonmark").enable("table")
    made.inline = PlacedInline()
    made.inline.ruler2.disable("fragments_join")
    made.core.ruler.disable("text_join")
    return made


class SourceMap:
    """Maps offsets into a block's content to offsets into the file."""

    def __init__(self, places: list[tuple[int, int]], content: str) -> None:
        self.content = content
        self.keys = [key for key, _ in places]
        self.values = [value for _, value in places]

    def source(self, at: int) -> int:
        """Return the offset in the file of the character at ``at``."""
        number = max(0, bisect_right(self.keys, at) - 1)
        return self.values[number] + at - self.keys[number]

    def add(self, clean: CleanText, piece: TextPiece, at: int) -> None:
        """Add ``piece`` to the text in stretches that are unbroken in the file too."""
        text = piece.text
        inside = self.keys[bisect_right(self.keys, at) : bisect_left(self.keys, at + len(text))]
        cuts = [0, *(key - at for key in inside), len(text)]
        for low, high in pairwise(cuts):
            clean.add(piece._replace(text=text[low:high]), self.source(at + low))


def add_inline(children: list[Token], clean: CleanText, places: SourceMap) -> str:
    """Add the text of inline tokens; return the alternative texts of the images among them."""
    links, strong, reached, images = [""], 0, 0, []
    for child in children:
        at = max(child.meta.get("at", 0), reached)
        if child.type in ("text", "text_special"):
            reached = _add_text(child, at, clean, places, TextPiece(child.content, False, links[-1], strong > 0))
        elif child.type == "code_inline":
            inside = at + len(child.markup)
            inside += _stripped_blanks(places.content, inside, child.content)
            places.add(clean, TextPiece(child.content, True, links[-1], strong > 0), inside)
            reached = inside + len(child.content) + len(child.markup)
        elif child.type in ("softbreak", "hardbreak"):
            newline = places.content.find("\n", at)
            clean.add(TextPiece("\n"), places.source(newline - 1) + 1)
        elif child.type == "html_inline":
            if _BREAK_TAG.match(child.content):
                clean.add(TextPiece(" "), places.source(at), encoded=True)
            reached = at + len(child.content)
        elif child.type == "image":
            images.append(child.content)
        elif child.type == "link_open":
            reached = at + (child.info == "auto")
            links.append(str(child.attrGet("href") or NO_TARGET))
        elif child.type == "link_close":
            links.pop()
        strong += child.nesting * (child.tag == "strong")
    return " ".join(images)


def _add_text(token: Token, at: int, clean: CleanText, places: SourceMap, piece: TextPiece) -> int:
    """Add a text token, an escape or an entity; return where it ends."""
    if token.info == "entity":
        clean.add(piece, places.source(at), encoded=True)
        return at + len(token.markup)
    if token.info == "escape" and token.content != token.markup:
        at += 1  # after the backslash
    places.add(clean, piece, at)
    return at + len(token.content)


def _stripped_blanks(content: str, at: int, code: str) -> int:
    """Return how many blanks, 0 or 1, the parser removed from the front of a piece of inline code."""
    return int(" ".join(content[at : at + len(code)].split("\n")) != code)


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
