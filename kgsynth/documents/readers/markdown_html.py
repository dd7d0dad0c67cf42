"""Read a block of raw HTML inside Markdown: its text in place, without tags, scripts and styles.

A small scanner is used because HTML parsers do not tie the text to its place in the file. ``html`` reads HTML files.
"""

from __future__ import annotations

import html
import re
from collections import Counter

from kgsynth.base.vocabulary import ContainerKind
from kgsynth.documents.readers.block_drafts import NO_TARGET, BlockDraft, CleanText, TextPiece
from kgsynth.documents.readers.nesting import MAX_CELL_SPAN, Nesting, TableGrid

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
