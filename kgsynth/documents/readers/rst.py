"""Read reStructuredText as a person sees it: the tree that docutils parses, walked block by block.

Roles and directives that docutils does not know are read as ``rst_directives`` says. Files are never included. Cross
references, numbering and everything else that needs a Sphinx project are not resolved.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Any

from kgsynth.documents.readers.block_drafts import ExtractedText, ParsedFile, Pieces
from kgsynth.documents.readers.rst_directives import inliner, tolerant_docutils
from kgsynth.documents.unsupported import UnsupportedFileError

if TYPE_CHECKING:
    from docutils import nodes

_PEP_HEADER = re.compile(r"\A\s*(?:[A-Z][\w-]*:[^\n]*\n(?:[ \t]+\S[^\n]*\n)*)+(?=\s|\Z)")
_PEP_FIELD = re.compile(r"^(PEP|Title):[ \t]*(.*(?:\n[ \t]+.*)*)", re.MULTILINE)
_NESTED_CODE = re.compile(r"``(\S(?:[^`]*\S)?)``")
_EDITOR_SETTINGS = re.compile(r"^\.\.\s+(?:Local Variables:|vim:).*\Z", re.MULTILINE | re.DOTALL)
_MAX_SUBSTITUTIONS = 20_000  # written out in one file: fewer than a reader would ever see, and done in a second
_SKIPPED_NODES = frozenset("target substitution_definition pending raw footnote_reference meta decoration".split())


def read(text: str) -> ParsedFile:
    """Return the blocks of a reStructuredText file; ``ParsedFile.text`` is their text.

    Example:
        >>> source = "Keys\\n====\\n\\nUse :func:`~redis.get` or the :doc:`guide </a/guide>`. [1]_\\n"
        >>> [(draft.kind, draft.text) for draft in read(source).drafts]
        [('heading', 'Keys'), ('paragraph', 'Use get() or the guide.')]
    """
    text = re.sub(r"\r\n?", "\n", text)
    header = _PEP_HEADER.match(text)
    fields = dict(_PEP_FIELD.findall(header.group())) if header else {}
    walk = _RstWalk()
    title = ""
    if header and {"PEP", "Title"} <= fields.keys():
        title = " ".join(f"PEP {fields['PEP'].strip()} – {fields['Title']}".split())
        for line in re.split(r"\n(?=\S)", header.group().strip()):
            walk.extracted.add("meta", [(line, False, False)])
        text = text[header.end() :]
    document = _parse(_EDITOR_SETTINGS.sub("", text))
    walk.substitutions = dict(document.substitution_defs)
    walk.names = {key.lower(): key for key in walk.substitutions}
    walk.children(document, "paragraph", 0)
    return walk.extracted.parsed(title)


@cache
def _settings() -> Any:
    from docutils.frontend import get_default_settings
    from docutils.parsers.rst import Parser

    settings = get_default_settings(Parser)
    settings.file_insertion_enabled = False
    settings.raw_enabled = False
    settings.report_level = settings.halt_level = 5
    settings.warning_stream = False
    settings.line_length_limit = 10**9
    settings.syntax_highlight = "none"
    settings.pep_references = settings.rfc_references = settings.smart_quotes = False
    settings._disable_config = True
    return settings


def _parse(text: str) -> nodes.document:
    from docutils.parsers.rst import Parser
    from docutils.utils import new_document

    document = new_document("", _settings().copy())
    with tolerant_docutils():
        Parser(inliner=inliner()).parse(text, document)
    return document


class _RstWalk:
    """The walk over the tree of one file."""

    def __init__(self) -> None:
        self.extracted = ExtractedText()
        self.substitutions: dict[str, Any] = {}
        self.names: dict[str, str] = {}
        self.substituted = 0
        self.level = 0
        self.lists = 0

    def children(self, node: Any, kind: str, listing: int) -> None:
        for child in node.children:
            self.visit(child, kind, listing)

    def visit(self, node: Any, kind: str, listing: int) -> None:
        name = node.tagname
        handler = getattr(self, f"_{name}", None)
        if handler is not None:
            handler(node, kind, listing)
        elif name in ("paragraph", "term", "rubric", "classifier", "caption", "attribution", "subtitle"):
            self.extracted.add(kind, self.inline(node), listing=listing)
        elif name in ("literal_block", "doctest_block", "math_block"):
            self.extracted.add("code", [(node.astext(), False, False)])
        elif name in ("bullet_list", "enumerated_list", "definition_list", "option_list"):
            if not listing:
                self.lists += 1
            self.children(node, "item", listing or self.lists)
        elif name in ("block_quote", "legend"):
            self.children(node, "quote" if kind == "paragraph" and name == "block_quote" else kind, listing)
        elif name not in _SKIPPED_NODES and node.children:
            self.children(node, kind, listing)

    def _section(self, node: Any, kind: str, listing: int) -> None:
        self.level += 1
        self.children(node, "paragraph", 0)
        self.level -= 1

    def _title(self, node: Any, kind: str, listing: int) -> None:
        if node.parent is not None and node.parent.tagname in ("section", "document"):
            self.extracted.add("heading", self.inline(node), level=max(1, self.level))
        else:  # the title of a box or a table
            self.extracted.add("meta", self.inline(node))

    def _comment(self, node: Any, kind: str, listing: int) -> None:
        self.extracted.add("meta", [(node.astext(), False, False)])

    def _image(self, node: Any, kind: str, listing: int) -> None:
        self.extracted.add("meta", [(node.get("alt", ""), False, False)])

    def _reference(self, node: Any, kind: str, listing: int) -> None:
        self.children(node, kind, listing)  # outside a paragraph it contains an image

    def _footnote(self, node: Any, kind: str, listing: int) -> None:
        self.lists += 1
        self.children(node, "item", self.lists)

    _citation = _footnote

    def _label(self, node: Any, kind: str, listing: int) -> None:
        """Leave out a footnote mark."""

    def _line_block(self, node: Any, kind: str, listing: int) -> None:
        pieces: Pieces = []
        for line in node.findall(lambda found: found.tagname == "line"):
            pieces += [*self.inline(line), ("\n", False, False)]
        self.extracted.add(kind, pieces, listing=listing)

    def _system_message(self, node: Any, kind: str, listing: int) -> None:
        """Keep the source that docutils could not read; leave out its message."""
        for child in node.children:
            if child.tagname == "literal_block":
                self.extracted.add("code", [(child.astext(), False, False)])

    def _field_list(self, node: Any, kind: str, listing: int) -> None:
        at_top = self.extracted.at_top()
        for field in node.children:
            if len(field.children) < 2 or field.tagname != "field":
                continue
            pieces = [*self.inline(field.children[0]), (": ", False, False)]
            body = field.children[1]
            if at_top or not body.children or body.children[0].tagname != "paragraph":
                own_kind, text = ("meta", body.astext()) if at_top else ("item", "")
                self.extracted.add(own_kind, [*pieces, (text, False, False)])
                if not at_top:
                    self.children(body, "item", listing)
                continue
            self.extracted.add("item", [*pieces, *self.inline(body.children[0])], listing=listing)
            for child in body.children[1:]:
                self.visit(child, "item", listing)

    def _option_group(self, node: Any, kind: str, listing: int) -> None:
        self.extracted.add(kind, [(node.astext(), True, False)], listing=listing)

    def _table(self, node: Any, kind: str, listing: int) -> None:
        joint = "\n\n"
        for part in node.children:
            if part.tagname == "title":
                self._title(part, kind, listing)
        for row in node.findall(lambda found: found.tagname == "row"):
            for entry in row.children:
                pieces: Pieces = []
                for text in entry.findall(_is_text_block):
                    pieces += [*self.inline(text), (" ", False, False)]
                self.extracted.add("cell", pieces, joint=joint)
                joint = "\t" if pieces else joint
            joint = "\n"

    # ---- inline ----

    def inline(self, node: Any, code: bool = False, link: bool = False) -> Pieces:
        pieces: Pieces = []
        for child in node.children:
            name = child.tagname
            if name == "#text":
                pieces += _split_nested_code(child.astext(), code, link)
            elif name == "footnote_reference":
                self._drop_mark(pieces)
            elif name == "substitution_reference":
                pieces += self._substitution(child, code, link)
            elif name in ("image", "raw", "system_message", "target") and not child.children:
                continue
            elif name == "citation_reference":
                pieces.append((f"[{child.astext()}]", code, link))
            elif name != "system_message":
                pieces += self.inline(child, code or name == "literal", link or name == "reference")
        return pieces

    def _drop_mark(self, pieces: Pieces) -> None:
        """Remove the blank before a footnote mark, so that a full stop follows its word."""
        if pieces and pieces[-1][0].endswith((" ", "\n")):
            pieces[-1] = (pieces[-1][0].rstrip(), *pieces[-1][1:])

    def _substitution(self, node: Any, code: bool, link: bool) -> Pieces:
        self.substituted += 1
        if self.substituted > _MAX_SUBSTITUTIONS:
            raise UnsupportedFileError("its substitutions stand for too much text")
        shown = " ".join(node.astext().split())
        definition = self.substitutions.pop(self.names.get(shown.lower(), shown), None)
        if definition is None:
            return [(shown, code, link)]
        pieces = self.inline(definition, code, link)  # removed while it is read: it may refer to itself
        self.substitutions[self.names.get(shown.lower(), shown)] = definition
        return pieces


def _split_nested_code(text: str, code: bool, link: bool) -> Pieces:
    """Read the code marks that reStructuredText cannot nest, as in the text of a link."""
    if code or "``" not in text:
        return [(text, code, link)]
    return [(part, bool(number % 2), link) for number, part in enumerate(_NESTED_CODE.split(text)) if part]


def _is_text_block(node: Any) -> bool:
    return node.tagname in ("paragraph", "literal_block", "term", "line", "rubric")
