"""Read pages of MediaWiki: they are written out as HTML without templates, and read by the reader of HTML.

References, categories and pictures are left out. Of templates only infoboxes are read, as tables, and notes.
"""

from __future__ import annotations

import re
from html import escape
from typing import Any

from kgsynth.documents.readers import html
from kgsynth.documents.readers.block_drafts import ParsedFile
from kgsynth.documents.readers.nesting import NOTE_NAMES
from kgsynth.documents.unsupported import NESTED_TOO_DEEPLY, UnsupportedFileError

_LIST_MARK_SIGN, _BLOCK_START, _BLOCK_END, _SAME_LINE = "\ue000", "\ue001", "\ue002", "\ue003"
_OWN_SIGNS = re.compile("[\ue000-\ue003]")
_LIST_LINE = re.compile(rf"^(?P<marks>(?:{_LIST_MARK_SIGN}[*#:;])+)(?P<text>.*)$")
_DETAIL_ON_LINE = re.compile(rf"{_LIST_MARK_SIGN}:")
_STORED = re.compile(rf"{_BLOCK_START}(\d+){_BLOCK_END}")
_SWITCH = re.compile(r"__[A-Z]{3,}__")

_WIKI_SPACES_LEFT_OUT = ("file", "image", "category", "media", "datei", "bild", "kategorie", "文件", "分类")
_WIKI_INLINE = frozenset(
    "b i strong em code tt kbd samp var s u del ins sub sup small big span abbr cite q mark".split()
)
_WIKI_BLOCKS = frozenset("ul ol li dl dt dd blockquote p div center table tr td th caption tbody thead".split())
_CODE_BLOCKS = frozenset(("pre", "syntaxhighlight", "source"))
_WIKI_TAGS_LEFT_OUT = frozenset(
    "ref references gallery style script noinclude imagemap timeline score templatestyles indicator hr".split()
)
_LIST_TAGS = {"*": ("ul", "li"), "#": ("ol", "li"), ";": ("dl", "dt"), ":": ("dl", "dd")}
_OPEN_OR_CLOSED = re.compile(r"(?m)\{\{|\}\}|\[\[|\]\]|^[ :*#;]*\{\||^[ ]*\|\}")
_MAX_WIKI_OPEN = 200  # templates, tables or links: the parser reads what follows an open one again if nothing closes it
_MAX_WIKI_NESTING = 60  # templates, links and tags within each other


def read(text: str) -> ParsedFile:
    """Return the blocks of a wiki page; ``ParsedFile.text`` is their text.

    Example:
        >>> page = "== Keys ==\\nUse '''GET''' or [[Sets|a set]].<ref>Note</ref>\\n* one\\n** two\\n"
        >>> [(draft.kind, draft.text) for draft in read(page).drafts]
        [('heading', 'Keys'), ('paragraph', 'Use GET or a set.'), ('item', 'one'), ('item', 'two')]
    """
    import mwparserfromhell

    _check_what_is_open(text)
    text = _OWN_SIGNS.sub("", re.sub(r"\r\n?", "\n", text))
    try:
        code = mwparserfromhell.parse(_SWITCH.sub("", text), skip_style_tags=False)
    except mwparserfromhell.parser.ParserError as error:
        raise UnsupportedFileError("its wiki markup cannot be parsed") from error
    return html.read(_WikiPage().written(code))


def _check_what_is_open(text: str) -> None:
    """Check that the page does not open so many marks within each other that it takes hours to parse.

    Raises:
        UnsupportedFileError: it does.
    """
    opened = {"templates": 0, "tables": 0, "links": 0}
    for match in _OPEN_OR_CLOSED.finditer(text):
        mark = match[0].strip(" :*#;")
        what = "tables" if "|" in mark else "links" if mark[0] in "[]" else "templates"
        opened[what] = opened[what] + 1 if mark[0] in "{[" else max(opened[what] - 1, 0)
        if opened[what] > _MAX_WIKI_OPEN:
            close = {"templates": "}}", "tables": "|}", "links": "]]"}[what]
            raise UnsupportedFileError(
                f"more than {_MAX_WIKI_OPEN} {what} are open within each other; close each with {close}"
            )


class _WikiPage:
    """Writes the nodes of a page as HTML."""

    def __init__(self) -> None:
        self.stored: list[str] = []
        self.depth = 0

    def written(self, code: Any) -> str:
        """Return blocks as HTML: lists and paragraphs are made of the lines, other blocks are put in their places."""
        made = _WikiLines().blocks(self.inline(code).split("\n"))
        return _STORED.sub(lambda match: self.stored[int(match[1])], made)

    def inline(self, code: Any) -> str:
        """Return nodes as HTML, with a sign for each block and each mark of a list."""
        self.depth += 1
        if self.depth > _MAX_WIKI_NESTING:
            raise UnsupportedFileError(NESTED_TOO_DEEPLY)
        made = "".join(self._node(node) for node in code.nodes)
        self.depth -= 1
        return made

    def _node(self, node: Any) -> str:
        kind = type(node).__name__
        if kind == "Text":
            return escape(str(node.value), quote=False)
        if kind == "Heading":
            return self._block(f"<h{node.level}>{self._line(node.title)}</h{node.level}>")
        if kind == "Wikilink":
            return self._link(node)
        if kind == "ExternalLink":
            shown = self._line(node.title) if node.title is not None else escape(str(node.url))
            return f'<a href="{escape(str(node.url))}">{shown}</a>'
        if kind == "HTMLEntity":
            return str(node)
        if kind == "Template":
            return self._template(node)
        return self._tag(node) if kind == "Tag" else ""

    def _line(self, code: Any) -> str:
        return " ".join(_signless(self.inline(code)).split())

    def _block(self, made: str) -> str:
        self.stored.append(made)
        return f"\n{_BLOCK_START}{len(self.stored) - 1}{_BLOCK_END}\n{_SAME_LINE}"

    def _link(self, node: Any) -> str:
        target = str(node.title).strip()
        space = target.partition(":")[0].strip().lower()
        if space in _WIKI_SPACES_LEFT_OUT:
            return ""
        target = target.lstrip(":")
        shown = self._line(node.text) if node.text is not None else escape(target)
        return f'<a href="{escape(target)}">{shown}</a>'

    def _template(self, node: Any) -> str:
        name = " ".join(str(node.name).split()).lower()
        parameters = [(str(each.name).strip(), each.value) for each in node.params]
        if name in NOTE_NAMES and parameters:
            return self._block(f'<div class="{name}">{self._stored_in(parameters[0][1])}</div>')
        if "infobox" not in name:
            return ""
        rows = [
            f"<tr><th>{escape(key.replace('_', ' '))}</th><td>{value}</td></tr>"
            for key, code in parameters
            if not key.isdigit() and (value := self._line(code))
        ]
        return self._block(f"<table>{''.join(rows)}</table>") if rows else ""

    def _tag(self, node: Any) -> str:
        tag, mark = str(node.tag).strip().lower(), str(node.wiki_markup or "")
        if mark in _LIST_TAGS:
            return _LIST_MARK_SIGN + mark
        if tag in _WIKI_TAGS_LEFT_OUT:
            return ""
        if tag == "br":
            return "<br>"
        contents = node.contents
        if contents is None:
            return ""
        if tag == "table":
            return self._block(f"<table>{self._rows(contents)}</table>")
        if tag in _CODE_BLOCKS:
            language = next((str(each.value) for each in node.attributes if str(each.name).strip() == "lang"), "")
            named = f' class="language-{escape(language)}"' if language else ""
            return self._block(f"<pre{named}>{escape(str(contents))}</pre>")
        if tag in ("nowiki", "math"):
            shown = escape(str(contents), quote=False)
            return f"<code>{shown}</code>" if tag == "math" else shown
        if tag in _WIKI_BLOCKS:
            return self._block(f"<{tag}{_reach(node)}>{self._stored_in(contents)}</{tag}>")
        return f"<{tag}>{self.inline(contents)}</{tag}>" if tag in _WIKI_INLINE else self.inline(contents)

    def _stored_in(self, code: Any) -> str:
        """Return the HTML of what a block contains; a single line is not a paragraph."""
        made = self.written(code)
        single = re.fullmatch(r"\s*<p>(.*)</p>\s*", made, re.DOTALL)
        return single[1] if single and "<p>" not in single[1] else made

    def _rows(self, contents: Any) -> str:
        """Return the rows of a table; its first cells may stand outside a row."""
        caption, rows, loose = "", [], []
        for node in contents.nodes:
            if type(node).__name__ != "Tag":
                continue
            if str(node.tag) in ("tr", "tbody", "thead") and node.contents is not None:
                inner = self._rows(node.contents) if str(node.tag) != "tr" else ""
                cells = "".join(self._cell(cell) for cell in node.contents.nodes if type(cell).__name__ == "Tag")
                rows.append(inner or f"<tr>{cells}</tr>")
            elif str(node.wiki_markup) == "|" and str(node.contents).startswith("+"):
                caption = f"<caption>{_without_plus(self._line(node.contents))}</caption>"
            else:
                loose.append(self._cell(node))
        first = f"<tr>{''.join(loose)}</tr>" if loose else ""
        return caption + first + "".join(rows)

    def _cell(self, node: Any) -> str:
        tag = str(node.tag)
        if tag not in ("td", "th") or node.contents is None:
            return ""
        return f"<{tag}{_reach(node)}>{self._stored_in(node.contents)}</{tag}>"


def _without_plus(caption: str) -> str:
    return caption.removeprefix("+").strip()


def _signless(made: str) -> str:
    return _STORED.sub(
        "", _OWN_SIGNS.sub(lambda match: "" if match[0] in (_LIST_MARK_SIGN, _SAME_LINE) else match[0], made)
    )


def _reach(node: Any) -> str:
    """Return the attributes of a cell that say over how many rows and columns it reaches."""
    found = ((str(each.name).strip().lower(), str(each.value).strip().strip("\"'")) for each in node.attributes)
    return "".join(f' {name}="{escape(value)}"' for name, value in found if name in ("rowspan", "colspan", "class"))


class _WikiLines:
    """Makes blocks of lines: lists by their marks, code by its indent, paragraphs between empty lines."""

    def __init__(self) -> None:
        self.made: list[str] = []
        self.marks = ""
        self.waiting: list[str] = []
        self.tag = "p"

    def blocks(self, lines: list[str]) -> str:
        """Return the HTML of the lines."""
        for line in lines:
            match, shown = _LIST_LINE.match(line), line.strip(f" {_SAME_LINE}")
            if match:
                self._list_line(match["marks"].replace(_LIST_MARK_SIGN, ""), match["text"])
            elif not shown or _STORED.fullmatch(shown):
                self._flush("p", close_lists=bool(shown))
                self.made.append(shown)
            else:
                code = line.startswith(" ")
                self._flush("pre" if code else "p", close_lists=True, same=True)
                self.waiting.append(line[1:] if code or line.startswith(_SAME_LINE) else line)
        self._flush("p", close_lists=True)
        return "\n".join(self.made)

    def _list_line(self, marks: str, text: str) -> None:
        self._flush("p")
        self.made.append(_list_change(self.marks, marks))
        self.marks = marks
        term, *details = _DETAIL_ON_LINE.split(text) if marks.endswith(";") else [text]
        self.made.append(term.strip())
        if details:
            self.made.append(f"</dt><dd>{' '.join(details).strip()}")
            self.marks = marks[:-1] + ":"

    def _flush(self, tag: str, *, close_lists: bool = False, same: bool = False) -> None:
        """Write the lines that wait, unless they go on with the same tag; ``tag`` is that of the next."""
        if self.waiting and not (same and tag == self.tag):
            self.made.append(f"<{self.tag}>" + "\n".join(self.waiting) + f"</{self.tag}>")
            self.waiting = []
        self.tag = tag
        if close_lists and self.marks:
            self.made.append(_list_change(self.marks, ""))
            self.marks = ""


def _list_change(before: str, after: str) -> str:
    """Return the tags that close lists and items, and open others, between two lines with their marks."""
    same = 0
    while same < min(len(before), len(after)) and _LIST_TAGS[before[same]][0] == _LIST_TAGS[after[same]][0]:
        same += 1
    closed = "".join(f"</{_LIST_TAGS[mark][1]}></{_LIST_TAGS[mark][0]}>" for mark in reversed(before[same:]))
    opened = "".join("<{}><{}>".format(*_LIST_TAGS[mark]) for mark in after[same:])
    if same and same == len(after):
        closed += f"</{_LIST_TAGS[before[same - 1]][1]}><{_LIST_TAGS[after[same - 1]][1]}>"
    return closed + opened
