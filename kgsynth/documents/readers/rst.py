"""Read reStructuredText as a person sees it: the tree that docutils parses, walked block by block.

Roles and directives that docutils does not know are read as the part on directives says. Files are never included.
Cross references, numbering and everything else that needs a Sphinx project are not resolved.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from threading import Lock
from typing import TYPE_CHECKING, Any

from kgsynth.base.vocabulary import ContainerKind
from kgsynth.documents.readers.block_drafts import NO_TARGET, ExtractedText, ParsedFile, Pieces, TextPiece
from kgsynth.documents.readers.nesting import NOTE_NAMES, TableGrid
from kgsynth.documents.unsupported import UnsupportedFileError

if TYPE_CHECKING:
    from docutils import nodes

# Turn directives and roles of reStructuredText and Sphinx into what a reader sees, without running any of them.
#
# ``tolerant_docutils()`` makes docutils read unknown names this way while one file is parsed. Nothing is executed,
# included or fetched; autodoc and the titles of cross references are not resolved.

_lock = Lock()
_MAX_DIGITS = 9  # of the number of a list item, as in Markdown; a longer number is not that of the next item

_CODE_DIRECTIVES = frozenset(
    "code code-block sourcecode code-cell ipython doctest testcode testoutput testsetup math prompt console "
    "productionlist graphviz digraph mermaid uml plantuml jinja program-output".split()
)
_CODE_IN_ARGUMENT = frozenset(("math", "productionlist", "prompt"))
_NAVIGATION_DIRECTIVES = frozenset(("toctree", "contents", "autosummary", "sectnum"))
_META_DIRECTIVES = frozenset(
    "include literalinclude raw highlight highlightlang index module currentmodule py:module py:currentmodule meta "
    "image automodule autoclass autofunction automethod autodata autoattribute autoexception autoenum autoproperty "
    "autodecorator automodsumm role default-role default-domain tabularcolumns click title date "
    "codeauthor moduleauthor sectionauthor footer header target-notes "
    "todolist bibliography namespace c:namespace cpp:namespace program".split()
)
_OBJECT_DIRECTIVES = frozenset(
    "function class method classmethod staticmethod attribute property data exception decorator decoratormethod member "
    "type struct macro enum enumerator union var option cmdoption envvar describe object confval setting directive "
    "opcode pdbcommand command variable".split()
)
_VERSION_NOTES = {
    "versionadded": "Added in version {}",
    "versionchanged": "Changed in version {}",
    "deprecated": "Deprecated since version {}",
    "versionremoved": "Removed in version {}",
    "deprecated-removed": "Deprecated since version {}",
}
_DOCUTILS_DIRECTIVES = frozenset(
    "table list-table csv-table replace unicode container compound epigraph highlights pull-quote line-block figure "
    "parsed-literal topic note tip hint important warning caution attention danger error".split()
)
_NAMES_A_CLASS = re.compile(r"[A-Z.(]")  # elsewhere ".. class::" sets the style of what follows
_OBJECT_NAME = re.compile(r"(?:[a-z]+:)?(\w+)$")
_TEXT_ROLES = frozenset(
    "ref doc term numref any pep rfc emphasis strong title title-reference t sub sup subscript superscript math abbr "
    "abbreviation dfn guilabel menuselection download eq cite index all issue gh pr pull commit user bpo pypi "
    "cpython-issue cpython-pr deprecated deferred source cve cwe manpage mailheader newsgroup".split()
)
_ROLE_PREFIXES = {"pep": "PEP ", "rfc": "RFC ", "issue": "#", "gh": "gh-", "pr": "#", "pull": "#", "bpo": "bpo-"}
_ROLE_PREFIXES |= {"cpython-issue": "gh-", "cpython-pr": "gh-"}
_SILENT_ROLES = frozenset(("raw", "index", "raw-html", "anchor"))


def role_text(role: str, text: str) -> tuple[str, bool]:
    """Return what a reader sees of an interpreted text, and whether it is code.

    Example:
        >>> role_text("class", "~flask.Flask"), role_text("doc", "the guide </a/b>"), role_text("pep", "8")
        (('Flask', True), ('the guide', False), ('PEP 8', False))
    """
    name = role.lower().rsplit(":", 1)[-1]
    if name in _SILENT_ROLES:
        return "", False
    code = name not in _TEXT_ROLES
    title, bracket, target = text.rpartition("<")
    explicit = bool(bracket) and target.find(">") == len(target) - 1
    if explicit and title.rstrip():
        return title.rstrip().lstrip("!"), code
    shown = (target[:-1] if explicit else text).lstrip("!")
    if shown.startswith("~"):
        shown = re.split(r"[./]", shown[1:].rstrip("./"))[-1]
    if name in ("pep", "rfc"):
        shown = shown.partition("#")[0]
    if code and re.match(r"\.\w", shown):
        shown = shown[1:]  # ".Flask" means Flask in any module
    if name == "doc":
        shown = shown.rstrip("/").rsplit("/", 1)[-1]
    if name in ("func", "meth", "function", "method") and re.fullmatch(r"[\w.]+", shown):
        shown += "()"
    prefix = _ROLE_PREFIXES.get(name, "")
    return ("" if shown.lower().startswith(prefix.lower()) and prefix else prefix) + shown, code


@contextmanager
def tolerant_docutils() -> Iterator[None]:
    """Let docutils read unknown directives as ``_directive`` does, while one file is parsed."""
    from docutils.parsers.rst import directives, states

    converters = states.Body.enum.converters
    with _lock:
        builtin, arabic = directives.directive, converters["arabic"]

        def lookup(name: str, language: Any, document: Any) -> Any:
            if name.lower() in _DOCUTILS_DIRECTIVES:
                return builtin(name.lower(), language, document)
            return _directive(), []

        directives.directive = lookup  # type: ignore[assignment]
        converters["arabic"] = lambda number: int(number[:_MAX_DIGITS])
        try:
            yield
        finally:
            directives.directive = builtin
            converters["arabic"] = arabic


def inliner() -> Any:
    """Return an inline parser that reads every role with ``role_text``."""
    from docutils import nodes
    from docutils.parsers.rst import states
    from docutils.utils import unescape

    def interpreted(rawsource: str, text: str, role: str, lineno: int) -> Any:
        shown, code = role_text(role or "title", str(unescape(text)))
        return [nodes.literal(rawsource, shown) if code else nodes.inline(rawsource, shown)], []

    parser = states.Inliner()  # a subclass would lose the private patterns of the class
    parser.interpreted = interpreted  # type: ignore[method-assign]
    return parser


class _AnyOption(dict[str, Callable[[str], str]]):
    """An option table that accepts every option with any value."""

    def __bool__(self) -> bool:
        return True

    def __getitem__(self, key: str) -> Callable[[str], str]:
        return lambda value: value or ""

    def __contains__(self, key: object) -> bool:
        return True


@cache
def _directive() -> type[Any]:
    from docutils.parsers.rst import Directive

    class AnyDirective(Directive):
        has_content = True
        optional_arguments = 1000
        final_argument_whitespace = True
        option_spec = _AnyOption()

        def run(self) -> list[nodes.Node]:
            return _read_directive(self)

    return AnyDirective


def _read_directive(directive: Any) -> list[nodes.Node]:
    """Return what a reader sees of a directive: code, a comment if it is not shown, or an opening and its content."""
    from docutils import nodes

    name = directive.name.lower()
    argument = " ".join(directive.arguments)
    if name in _CODE_DIRECTIVES:
        first = directive.arguments if name in _CODE_IN_ARGUMENT else []  # for the others it is the language
        return _literal("\n".join([*first, *directive.content]))
    if name in _META_DIRECTIVES or name in _NAVIGATION_DIRECTIVES or name.startswith("auto"):
        return [nodes.comment("", f"{directive.name} {argument}".strip())]
    found = _opening(directive, name, argument)
    box = nodes.container()
    directive.state.nested_parse(directive.content, directive.content_offset, box, match_titles=True)
    return [*found, *box.children]


def _opening(directive: Any, name: str, argument: str) -> list[nodes.Node]:
    """Return what is shown above the content: a version, a signature, a label."""
    from docutils import nodes

    match = _OBJECT_NAME.match(name)
    if name in _VERSION_NOTES:
        return _version(directive, name)
    is_object = match is not None and match.group(1) in _OBJECT_DIRECTIVES
    if is_object and argument and (name != "class" or _NAMES_A_CLASS.search(argument)):
        return _literal("\n".join(line.strip() for line in _signature(directive)))
    if name in ("rubric", "seealso"):
        return _parsed(directive, argument)
    return [nodes.comment("", argument)] if argument else []


def _signature(directive: Any) -> list[str]:
    """Return the lines of the block with its arguments: those before its options or its first empty line."""
    lines = [line.strip() for line in directive.block_text.split("::", 1)[1].split("\n")]
    stop = next((number for number, line in enumerate(lines) if number and (not line or line[0] == ":")), len(lines))
    return [line for line in lines[:stop] if line]


def _version(directive: Any, name: str) -> list[nodes.Node]:
    """Return the opening sentence of a version note, or put it before the first paragraph of its content."""
    from docutils import nodes

    version, _, rest = " ".join(" ".join(directive.arguments).split()).partition(" ")
    opening = _VERSION_NOTES[name].format(version)
    content = directive.content
    if rest:
        return _parsed(directive, f"{opening}: {rest}")
    if content and content[0].strip() and not content[0].startswith((" ", "-", "*", "..")):
        content[0] = f"{opening}: {content[0]}"
        return []
    return [nodes.paragraph("", f"{opening}.")]


def _parsed(directive: Any, text: str) -> list[nodes.Node]:
    from docutils import nodes

    if not text:
        return []
    inline, _ = directive.state.inline_text(text, directive.lineno)
    return [nodes.paragraph("", "", *inline)]


def _literal(text: str) -> list[nodes.Node]:
    from docutils import nodes

    return [nodes.literal_block(text, text)] if text.strip() else []


_PEP_HEADER = re.compile(r"\A\s*(?:[A-Z][\w-]*:[^\n]*\n(?:[ \t]+\S[^\n]*\n)*)+(?=\s|\Z)")
_PEP_FIELD = re.compile(r"^(PEP|Title):[ \t]*(.*(?:\n[ \t]+.*)*)", re.MULTILINE)
_NESTED_CODE = re.compile(r"``(\S(?:[^`]*\S)?)``")
_EDITOR_SETTINGS = re.compile(r"^\.\.\s+(?:Local Variables:|vim:).*\Z", re.MULTILINE | re.DOTALL)
_CONTAINER_OF_NODE = {
    "table": ContainerKind.TABLE,
    "bullet_list": ContainerKind.LIST,
    "enumerated_list": ContainerKind.STEPS,
    "list_item": ContainerKind.ITEM,
    "definition_list": ContainerKind.TERMS,
    "field_list": ContainerKind.TERMS,
    "option_list": ContainerKind.TERMS,
    "term": ContainerKind.TERM,
    "option_group": ContainerKind.TERM,
    "definition": ContainerKind.DETAIL,
    "description": ContainerKind.DETAIL,
} | dict.fromkeys(NOTE_NAMES, ContainerKind.NOTE)
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
            walk.extracted.add("meta", [TextPiece(line)])
        text = text[header.end() :]
    document = _parse(_EDITOR_SETTINGS.sub("", text))
    walk.substitutions = dict(document.substitution_defs)
    walk.names = {key.lower(): key for key in walk.substitutions}
    walk.children(document, "paragraph")
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

    def children(self, node: Any, kind: str) -> None:
        for child in node.children:
            self.visit(child, kind)

    def visit(self, node: Any, kind: str) -> None:
        name = node.tagname
        if name in _CONTAINER_OF_NODE:
            note = _CONTAINER_OF_NODE[name] == ContainerKind.NOTE
            with self.extracted.within(_CONTAINER_OF_NODE[name], name=name if note else ""):
                self._plain(node, kind if note or name == "table" else "item")
        else:
            self._plain(node, kind)

    def _plain(self, node: Any, kind: str) -> None:
        name = node.tagname
        handler = getattr(self, f"_{name}", None)
        if handler is not None:
            handler(node, kind)
        elif name in ("paragraph", "term", "rubric", "classifier", "caption", "attribution", "subtitle"):
            self.extracted.add(kind, self.inline(node))
        elif name in ("literal_block", "doctest_block", "math_block"):
            self._code(node)
        elif name in ("block_quote", "legend"):
            self.children(node, "quote" if kind == "paragraph" and name == "block_quote" else kind)
        elif name not in _SKIPPED_NODES and node.children:
            self.children(node, kind)

    def _code(self, node: Any) -> None:
        language = next((name for name in node.get("classes", ()) if name != "code"), "")
        self.extracted.add_code([TextPiece(node.astext())], language)

    def _section(self, node: Any, kind: str) -> None:
        self.level += 1
        self.children(node, "paragraph")
        self.level -= 1

    def _title(self, node: Any, kind: str) -> None:
        if node.parent is not None and node.parent.tagname in ("section", "document"):
            self.extracted.add("heading", self.inline(node), level=max(1, self.level))
        else:  # the title of a box or a table
            self.extracted.add("meta", self.inline(node))

    def _comment(self, node: Any, kind: str) -> None:
        self.extracted.add("meta", [TextPiece(node.astext())])

    def _image(self, node: Any, kind: str) -> None:
        self.extracted.add("meta", [TextPiece(node.get("alt", ""))])

    def _reference(self, node: Any, kind: str) -> None:
        self.children(node, kind)  # outside a paragraph it contains an image

    def _footnote(self, node: Any, kind: str) -> None:
        with self.extracted.within(ContainerKind.LIST):
            self.children(node, "item")

    _citation = _footnote

    def _label(self, node: Any, kind: str) -> None:
        """Leave out a footnote mark."""

    def _line_block(self, node: Any, kind: str) -> None:
        pieces: Pieces = []
        for line in node.findall(lambda found: found.tagname == "line"):
            pieces += [*self.inline(line), TextPiece("\n")]
        self.extracted.add(kind, pieces)

    def _system_message(self, node: Any, kind: str) -> None:
        """Keep the source that docutils could not read; leave out its message."""
        for child in node.children:
            if child.tagname == "literal_block":
                self._code(child)

    def _field_list(self, node: Any, kind: str) -> None:
        at_top = self.extracted.at_top()
        for field in node.children:
            if len(field.children) < 2 or field.tagname != "field":
                continue
            pieces = [*self.inline(field.children[0]), TextPiece(": ")]
            body = field.children[1]
            if at_top:
                self.extracted.add("meta", [*pieces, TextPiece(body.astext())])
                continue
            with self.extracted.within(ContainerKind.ITEM):
                blocks = list(body.children)
                if blocks and blocks[0].tagname == "paragraph":
                    pieces += self.inline(blocks.pop(0))
                self.extracted.add("item", pieces)
                for child in blocks:
                    self.visit(child, "item")

    def _option_group(self, node: Any, kind: str) -> None:
        self.extracted.add(kind, [TextPiece(node.astext(), code=True)])

    def _table(self, node: Any, kind: str) -> None:
        joint = "\n\n"
        for part in node.children:
            if part.tagname == "title":
                self._title(part, kind)
        stubs = list(node.findall(lambda found: found.tagname == "colspec"))
        grid = TableGrid()
        for row in node.findall(lambda found: found.tagname == "row"):
            for entry in row.children:
                place = grid.place(entry.get("morerows", 0) + 1, entry.get("morecols", 0) + 1)
                stub = place["column"] < len(stubs) and bool(stubs[place["column"]].get("stub"))
                with self.extracted.within(ContainerKind.CELL, head=stub or row.parent.tagname == "thead", **place):
                    pieces: Pieces = []
                    for text in entry.findall(_is_text_block):
                        pieces += [*self.inline(text), TextPiece(" ")]
                    self.extracted.add("cell", pieces, joint=joint)
                joint = "\t" if pieces else joint
            grid.next_row()
            joint = "\n"

    # ---- inline ----

    def inline(self, node: Any, around: TextPiece = TextPiece("")) -> Pieces:  # noqa: B008 - immutable
        """Return the pieces of an inline node; ``around`` has the marks of the nodes around it."""
        pieces: Pieces = []
        for child in node.children:
            name = child.tagname
            if name == "#text":
                pieces += _split_nested_code(around._replace(text=child.astext()))
            elif name == "footnote_reference":
                self._drop_mark(pieces)
            elif name == "substitution_reference":
                pieces += self._substitution(child, around)
            elif name in ("image", "raw", "system_message", "target") and not child.children:
                continue
            elif name == "citation_reference":
                pieces.append(around._replace(text=f"[{child.astext()}]"))
            elif name != "system_message":
                link = str(child.get("refuri") or NO_TARGET) if name == "reference" else around.link
                code, strong = around.code or name == "literal", around.strong or name == "strong"
                pieces += self.inline(child, TextPiece("", code, link, strong))
        return pieces

    def _drop_mark(self, pieces: Pieces) -> None:
        """Remove the blank before a footnote mark, so that a full stop follows its word."""
        if pieces and pieces[-1].text.endswith((" ", "\n")):
            pieces[-1] = pieces[-1]._replace(text=pieces[-1].text.rstrip())

    def _substitution(self, node: Any, around: TextPiece) -> Pieces:
        self.substituted += 1
        if self.substituted > _MAX_SUBSTITUTIONS:
            raise UnsupportedFileError("its substitutions make too much text")
        shown = " ".join(node.astext().split())
        definition = self.substitutions.pop(self.names.get(shown.lower(), shown), None)
        if definition is None:
            return [around._replace(text=shown)]
        pieces = self.inline(definition, around)  # removed while it is read: it may refer to itself
        self.substitutions[self.names.get(shown.lower(), shown)] = definition
        return pieces


def _split_nested_code(piece: TextPiece) -> Pieces:
    """Read the code marks that reStructuredText cannot nest, as in the text of a link."""
    if piece.code or "``" not in piece.text:
        return [piece]
    parts = enumerate(_NESTED_CODE.split(piece.text))
    return [piece._replace(text=part, code=bool(number % 2)) for number, part in parts if part]


def _is_text_block(node: Any) -> bool:
    """Check whether a node of a cell is text that the author wrote; docutils' own messages are paragraphs too."""
    own = node.tagname != "paragraph" or node.parent.tagname != "system_message"
    return own and node.tagname in ("paragraph", "literal_block", "term", "line", "rubric")
