"""Read HTML: the text a person reads, block by block, with menus, footers and the like marked as navigation.

Scripts, styles, forms, comments and hidden elements are left out. Nothing is fetched or run.
"""

from __future__ import annotations

import re
from contextlib import nullcontext
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Any

from kgsynth.base.vocabulary import ContainerKind
from kgsynth.documents.readers.block_drafts import NO_TARGET, ExtractedText, ParsedFile, Pieces, TextPiece
from kgsynth.documents.readers.nesting import MAX_CELL_SPAN, NOTE_NAMES, TableGrid
from kgsynth.documents.unsupported import NESTED_TOO_DEEPLY, UnsupportedFileError

if TYPE_CHECKING:
    from bs4 import Tag

_INLINE_TAGS = frozenset(
    "a abbr acronym b bdi bdo big br cite code data del dfn em font i img input ins kbd label mark output q rp rt ruby "
    "s samp small span strike strong sub sup time tt u var wbr math picture".split()
)
_SKIPPED_TAGS = frozenset(
    "script style template noscript svg head link meta button input select textarea iframe object embed audio video "
    "canvas map datalist rp dialog title".split()
)
_STRONG_TAGS = frozenset(("b", "strong"))
_CONTAINER_OF_TAG = {
    "ul": ContainerKind.LIST,
    "ol": ContainerKind.STEPS,
    "li": ContainerKind.ITEM,
    "dl": ContainerKind.TERMS,
    "dt": ContainerKind.TERM,
    "dd": ContainerKind.DETAIL,
}
_CODE_TAGS = frozenset(("code", "kbd", "samp", "tt", "var"))
_NAVIGATION_TAGS = frozenset(("nav", "footer", "aside", "menu"))
_NAVIGATION_ROLES = frozenset("navigation banner contentinfo search complementary menu menubar doc-toc".split())
_NAVIGATION_NAMES = re.compile(
    r"(?:^|[-_])(?:breadcrumbs?|toc|tableofcontents|sidebar|nav(?:bar|igation|header|footer)?|pagination|pager|footer|"
    r"cookies?|skip-?link|headerbar|menu|edit-?page|sphinxsidebar|related)(?:$|[-_])",
    re.IGNORECASE,
)
_ANCHOR_CLASSES = frozenset("headerlink anchor anchorjs-link header-anchor hash-link permalink heading-anchor".split())
_BLOCK_KINDS = {"li": "item", "dd": "item", "dt": "item", "blockquote": "quote"}
_CLOSED_BY: dict[str, tuple[str, ...]] = dict.fromkeys(
    "p h1 h2 h3 h4 h5 h6 ul ol dl table div pre blockquote section article footer nav".split(), ("p",)
)
_CLOSED_BY |= {"li": ("li", "p"), "dt": ("dt", "dd", "p"), "dd": ("dt", "dd", "p")}
_CLOSED_BY |= {"tr": ("tr", "td", "th", "p"), "td": ("td", "th", "p"), "th": ("td", "th", "p")}
_MAX_NESTING = 400  # tags; at 500 Python's recursion ends, and at 512 browsers flatten the tree
_HUGE_NUMBER = re.compile(r"&#[0-9]{1000,}+;?")  # too long for Python to convert, and no character
_NOTE_LINKS = frozenset("noteref doc-noteref backlink doc-backlink footnote-ref footnote-back footnote-backref".split())
_FOOTNOTE_MARK = re.compile(r"^\[?[\d*†‡]{1,3}\]?$")


def read(text: str) -> ParsedFile:
    """Return the blocks of an HTML file; ``ParsedFile.text`` is their text.

    Example:
        >>> page = "<nav><a href=/>Home</a></nav><h1>Keys</h1><p>Use <code>GET</code>.<script>x()</script>"
        >>> [(draft.kind, draft.text) for draft in read(page).drafts]
        [('navigation', 'Home'), ('heading', 'Keys'), ('paragraph', 'Use GET.')]
    """
    extracted = ExtractedText()
    title = add_page(extracted, text)
    parsed = extracted.parsed()
    named = any(draft.kind == "heading" and draft.level == 1 for draft in parsed.drafts)
    return parsed if named else replace(parsed, title=title)


def add_page(extracted: ExtractedText, text: str) -> str:
    """Add the blocks of an HTML page to ``extracted``; return the title in its head."""
    text = _HUGE_NUMBER.sub("\ufffd", text)
    end = text.rfind(">") + 1  # no tag begins after it; the parser would look for the end of each from there on
    soup = _soup()(text[:end] + text[end:].replace("<", "&lt;"), "html.parser")
    walk = _HtmlWalk(extracted)
    walk.children(soup, "paragraph")
    walk.flush("paragraph")
    title = soup.find("title")
    return " ".join(title.get_text().split()) if title is not None else ""


@cache
def _soup() -> type[Any]:
    """Return a parser that, like a browser, closes elements that the next tag ends, as paragraphs on old pages."""
    from bs4 import BeautifulSoup

    class Soup(BeautifulSoup):
        def handle_starttag(self, name: str, *args: Any, **options: Any) -> Any:
            if len(self.tagStack) > _MAX_NESTING:
                raise UnsupportedFileError(NESTED_TOO_DEEPLY)
            while self.currentTag is not None and self.currentTag.name in _CLOSED_BY.get(name, ()):
                self.handle_endtag(self.currentTag.name)
            return super().handle_starttag(name, *args, **options)

    return Soup


class _HtmlWalk:
    """The walk over one page; text between two block elements is collected and then added as one block."""

    def __init__(self, extracted: ExtractedText) -> None:
        self.extracted = extracted
        self.pieces: Pieces = []

    def flush(self, kind: str, *, level: int = 0, joint: str = "\n\n") -> None:
        self.extracted.add(kind, self.pieces, level=level, joint=joint)
        self.pieces = []

    def children(self, element: Tag, kind: str) -> None:
        from bs4 import Tag

        for child in element.children:
            if isinstance(child, Tag):
                self.element(child, kind)
            elif _is_text(child):
                self.pieces.append(TextPiece(str(child)))

    def element(self, element: Tag, kind: str) -> None:
        name = element.name
        if name in _SKIPPED_TAGS or _hidden(element) or _is_footnote_mark(element):
            return
        if name in _INLINE_TAGS and not _holds_blocks(element):
            self._inline(element, TextPiece(""))
            return
        self.flush(kind)
        if _is_navigation(element):
            self.children(element, "navigation")
            self.flush("navigation")
        elif name in ("h1", "h2", "h3", "h4", "h5", "h6") and kind != "navigation":
            self._inline(element, TextPiece(""))
            self.flush("heading", level=int(name[1]))
        elif name == "pre":
            for line_end in element.find_all("br"):
                line_end.replace_with("\n")
            self.pieces.append(TextPiece(element.get_text()))
            with self.extracted.within(ContainerKind.CODE, name=_code_language(element)):
                self.flush("navigation" if kind == "navigation" else "code")
        elif name == "table":
            self._table(element, kind)
        else:  # in this function, since each call takes room that deep nesting needs
            inner = kind if kind == "navigation" else _BLOCK_KINDS.get(name, kind)
            inner = "item" if kind == "item" and inner == "quote" else inner
            note = _note_name(element)
            own = ContainerKind.NOTE if note else _CONTAINER_OF_TAG.get(name)
            with self.extracted.within(own, name=note) if own else nullcontext():
                self.children(element, inner)
                self.flush(inner)

    def _inline(self, element: Tag, around: TextPiece) -> None:
        """Add the text of an inline element; ``around`` has the marks of the elements around it."""
        from bs4 import Tag

        apart = element.name == "br" or element.name not in _INLINE_TAGS  # blocks in a cell stand on their own lines
        if apart:
            self.pieces.append(around._replace(text=" "))
        link = str(element.get("href") or NO_TARGET) if element.name == "a" else around.link
        code, strong = around.code or element.name in _CODE_TAGS, around.strong or element.name in _STRONG_TAGS
        for child in element.children:
            if not isinstance(child, Tag):
                if _is_text(child):
                    self.pieces.append(TextPiece(str(child), code, link, strong))
            elif child.name not in _SKIPPED_TAGS and not _hidden(child) and not _is_footnote_mark(child):
                self._inline(child, TextPiece("", code, link, strong))
        if apart:
            self.pieces.append(around._replace(text=" "))

    def _table(self, table: Tag, kind: str) -> None:
        from bs4 import Tag

        cell_kind = "navigation" if kind == "navigation" else "cell"
        caption = table.find("caption")
        joint = "\n\n"
        lays_out = _lays_out(table)
        with nullcontext() if lays_out else self.extracted.within(ContainerKind.TABLE):
            if isinstance(caption, Tag):
                self._inline(caption, TextPiece(""))
                self.flush("paragraph" if cell_kind == "cell" else cell_kind)
            grid = TableGrid()
            for row in table.find_all("tr"):
                if row.find_parent("table") is not table:
                    continue
                for cell in row.find_all(("td", "th"), recursive=False):
                    place = grid.place(_span(cell, "rowspan"), _span(cell, "colspan"))
                    with self.extracted.within(ContainerKind.CELL, head=cell.name == "th", **place):
                        self._inline(cell, TextPiece(""))
                        self.flush(cell_kind, joint=joint)
                    joint = "\t"
                grid.next_row()
                joint = "\n"


def _lays_out(table: Tag) -> bool:
    """Check whether a table places things on the page, such as the sign and the text of a note, and holds no values."""
    for_note = str(table.get("summary") or "").strip().lower() in NOTE_NAMES
    return for_note or table.get("role") in ("presentation", "none") or table.find("table") is not None


def _span(cell: Tag, name: str) -> int:
    """Return over how many rows or columns a cell reaches."""
    value = str(cell.get(name) or "1").strip()
    return min(max(int(value), 1), MAX_CELL_SPAN) if value.isascii() and value.isdigit() and len(value) < 7 else 1


def _code_language(element: Tag) -> str:
    """Return the programming language that a class names, as highlighters write it: ``language-python``."""
    classes = [*_attribute_words(element, "class")]
    for child in element.find_all("code"):
        classes += _attribute_words(child, "class")
    return next((name.partition("-")[2] for name in classes if name.startswith(("language-", "lang-"))), "")


def _note_name(element: Tag) -> str:
    """Return the kind of note that an element is by its classes, "" for none."""
    if element.name not in ("div", "aside", "section", "blockquote"):
        return ""
    names = {
        name.lower().removeprefix("alert-").removeprefix("admonition-") for name in _attribute_words(element, "class")
    }
    return next((name for name in sorted(names) if name in NOTE_NAMES), "")


def _is_text(child: Any) -> bool:
    from bs4.element import NavigableString

    return type(child) is NavigableString  # subclasses are comments, doctypes and the like


def _holds_blocks(element: Tag) -> bool:
    return any(child.name not in _INLINE_TAGS and child.name not in _SKIPPED_TAGS for child in element.find_all(True))


def _hidden(element: Tag) -> bool:
    if element.has_attr("hidden") or element.get("aria-hidden") == "true":
        return True
    is_anchor = element.name == "a" and bool(_ANCHOR_CLASSES & set(_attribute_words(element, "class")))
    return is_anchor and len(element.get_text().strip()) <= 1


def _is_footnote_mark(element: Tag) -> bool:
    """Check whether an element is a footnote mark, or leads back to one."""
    if element.name == "a" and (
        element.get("epub:type") in _NOTE_LINKS
        or element.get("role") in _NOTE_LINKS
        or _NOTE_LINKS.intersection(_attribute_words(element, "class"))
    ):
        return True
    is_link = element.name == "sup" and element.find("a") is not None
    return is_link and bool(_FOOTNOTE_MARK.match(element.get_text().strip()))


def _is_navigation(element: Tag) -> bool:
    if element.name in _NAVIGATION_TAGS or element.get("role") in _NAVIGATION_ROLES:
        return True
    if element.name == "header":
        return element.find_parent(("article", "main")) is None and element.find("h1") is None
    if element.name not in ("div", "ul", "ol", "section", "p", "span", "table"):
        return False
    named = any(_NAVIGATION_NAMES.search(name) for key in ("class", "id") for name in _attribute_words(element, key))
    return named and not element.find(("h1", "main", "article"))


def _attribute_words(element: Tag, key: str) -> list[str]:
    value: Any = element.get(key) or []
    return value.split() if isinstance(value, str) else [str(word) for word in value]
