"""Turn directives and roles of reStructuredText and Sphinx into what a reader sees, without running any of them.

``tolerant_docutils()`` makes docutils read unknown names this way while one file is parsed. Nothing is executed,
included or fetched; autodoc and the titles of cross references are not resolved.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from threading import Lock
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from docutils import nodes

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
