"""Read reStructuredText as a person sees it: the tree docutils parses, no more, walked block by block.

Roles and directives nobody has told docutils of are read by their looks (``rst_markup``); raw and included files are
never touched. Leaves out: cross-references, numbering, and all that needs a Sphinx project.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Any

from kgsynth.documents.readers.block_drafts import Extract, Reading
from kgsynth.documents.readers.rst_directives import inliner, tolerant

if TYPE_CHECKING:
    from docutils import nodes

Pieces = list[tuple[str, bool, bool]]

_PEP_HEADER = re.compile(r"\A\s*(?:[A-Z][\w-]*:[^\n]*\n(?:[ \t]+\S[^\n]*\n)*)+(?=\s|\Z)")
_PEP_FIELD = re.compile(r"^(PEP|Title):[ \t]*(.*(?:\n[ \t]+.*)*)", re.MULTILINE)
_NESTED_CODE = re.compile(r"``(\S(?:[^`]*\S)?)``")
_EMACS = re.compile(r"^\.\.\s+(?:Local Variables:|vim:).*\Z", re.MULTILINE | re.DOTALL)
_SILENT = frozenset("target substitution_definition pending raw footnote_reference meta decoration".split())


def read(text: str) -> Reading:
    """Return the blocks of a reStructuredText file; ``Reading.text`` is the text they hold.

    Example:
        >>> source = "Keys\\n====\\n\\nUse :func:`~redis.get` or the :doc:`guide </a/guide>`. [1]_\\n"
        >>> [(draft.kind, draft.text) for draft in read(source).drafts]
        [('heading', 'Keys'), ('paragraph', 'Use get() or the guide.')]
    """
    text = re.sub(r"\r\n?", "\n", text)
    header = _PEP_HEADER.match(text)
    fields = dict(_PEP_FIELD.findall(header.group())) if header else {}
    walk = _Walk()
    title = ""
    if header and {"PEP", "Title"} <= fields.keys():
        title = " ".join(f"PEP {fields['PEP'].strip()} – {fields['Title']}".split())
        for line in re.split(r"\n(?=\S)", header.group().strip()):
            walk.extract.add("meta", [(line, False, False)])
        text = text[header.end() :]
    document = _parse(_EMACS.sub("", text))
    walk.substitutions = dict(document.substitution_defs)
    walk.names = {key.lower(): key for key in walk.substitutions}
    walk.children(document, "paragraph", 0)
    return walk.extract.reading(title)


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
    with tolerant():
        Parser(inliner=inliner()).parse(text, document)
    return document


class _Walk:
    """The walk over one doctree."""

    def __init__(self) -> None:
        self.extract = Extract()
        self.substitutions: dict[str, Any] = {}
        self.names: dict[str, str] = {}
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
            self.extract.add(kind, self.inline(node), listing=listing)
        elif name in ("literal_block", "doctest_block", "math_block"):
            self.extract.add("code", [(node.astext(), False, False)])
        elif name in ("bullet_list", "enumerated_list", "definition_list", "option_list"):
            if not listing:
                self.lists += 1
            self.children(node, "item", listing or self.lists)
        elif name in ("block_quote", "legend"):
            self.children(node, "quote" if kind == "paragraph" and name == "block_quote" else kind, listing)
        elif name not in _SILENT and node.children:
            self.children(node, kind, listing)

    def _section(self, node: Any, kind: str, listing: int) -> None:
        self.level += 1
        self.children(node, "paragraph", 0)
        self.level -= 1

    def _title(self, node: Any, kind: str, listing: int) -> None:
        if node.parent is not None and node.parent.tagname in ("section", "document"):
            self.extract.add("heading", self.inline(node), level=max(1, self.level))
        else:  # the title of a box or a table
            self.extract.add("meta", self.inline(node))

    def _comment(self, node: Any, kind: str, listing: int) -> None:
        self.extract.add("meta", [(node.astext(), False, False)])

    def _image(self, node: Any, kind: str, listing: int) -> None:
        self.extract.add("meta", [(node.get("alt", ""), False, False)])

    def _reference(self, node: Any, kind: str, listing: int) -> None:
        self.children(node, kind, listing)  # outside of a paragraph it holds an image

    def _footnote(self, node: Any, kind: str, listing: int) -> None:
        self.lists += 1
        self.children(node, "item", self.lists)

    _citation = _footnote

    def _label(self, node: Any, kind: str, listing: int) -> None:
        """Leave out the mark of a footnote."""

    def _line_block(self, node: Any, kind: str, listing: int) -> None:
        pieces: Pieces = []
        for line in node.findall(lambda found: found.tagname == "line"):
            pieces += [*self.inline(line), ("\n", False, False)]
        self.extract.add(kind, pieces, listing=listing)

    def _system_message(self, node: Any, kind: str, listing: int) -> None:
        """Keep what docutils could not read, as it stands; what it says about it goes."""
        for child in node.children:
            if child.tagname == "literal_block":
                self.extract.add("code", [(child.astext(), False, False)])

    def _field_list(self, node: Any, kind: str, listing: int) -> None:
        leads = self.extract.leads()
        for field in node.children:
            if len(field.children) < 2 or field.tagname != "field":
                continue
            pieces = [*self.inline(field.children[0]), (": ", False, False)]
            body = field.children[1]
            if leads or not body.children or body.children[0].tagname != "paragraph":
                self.extract.add("meta" if leads else "item", [*pieces, (body.astext() if leads else "", False, False)])
                if not leads:
                    self.children(body, "item", listing)
                continue
            self.extract.add("item", [*pieces, *self.inline(body.children[0])], listing=listing)
            for child in body.children[1:]:
                self.visit(child, "item", listing)

    def _option_group(self, node: Any, kind: str, listing: int) -> None:
        self.extract.add(kind, [(node.astext(), True, False)], listing=listing)

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
                self.extract.add("cell", pieces, joint=joint)
                joint = "\t" if pieces else joint
            joint = "\n"

    # ---- inline ----

    def inline(self, node: Any, code: bool = False, link: bool = False) -> Pieces:
        pieces: Pieces = []
        for child in node.children:
            name = child.tagname
            if name == "#text":
                pieces += _unquoted(child.astext(), code, link)
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
        """Take the blank before a footnote mark with it, so that a full stop stands where it should."""
        if pieces and pieces[-1][0].endswith((" ", "\n")):
            pieces[-1] = (pieces[-1][0].rstrip(), *pieces[-1][1:])

    def _substitution(self, node: Any, code: bool, link: bool) -> Pieces:
        shown = " ".join(node.astext().split())
        definition = self.substitutions.pop(self.names.get(shown.lower(), shown), None)
        if definition is None:
            return [(shown, code, link)]
        pieces = self.inline(definition, code, link)  # taken out while it is read: it may name itself
        self.substitutions[self.names.get(shown.lower(), shown)] = definition
        return pieces


def _unquoted(text: str, code: bool, link: bool) -> Pieces:
    """Read the code marks reStructuredText cannot nest, as in a link's text, for what they mean."""
    if code or "``" not in text:
        return [(text, code, link)]
    return [(part, bool(number % 2), link) for number, part in enumerate(_NESTED_CODE.split(text)) if part]


def _is_text_block(node: Any) -> bool:
    return node.tagname in ("paragraph", "literal_block", "term", "line", "rubric")
