"""What the styles and the numbering of a Word file make of its paragraphs: headings, code, quotes, lists.

Built-in styles have English names in the file, also where Word shows them in another language.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, NamedTuple

from kgsynth.base.vocabulary import ContainerKind

MAX_LEVEL = 9
"""The deepest heading of Word."""

_CODE_STYLES = re.compile(r"source ?code|html ?preformatted|preformatted ?text|code( ?block| ?text)?|verbatim", re.I)
_QUOTE_STYLES = re.compile(r"(intense )?quote|block ?text|quotations?|citation", re.I)
_CONTENTS_STYLES = re.compile(r"(toc|table \w+ (figures|authorities)|index|contents)( heading| \d+)?$", re.I)
MONOSPACED = re.compile(
    r"courier|consol|\bmono|mono\b|menlo|monaco|fixed|terminal|source code|fira code|inconsolata", re.I
)
"""The names of fonts in which code is written."""
_CHAPTER_HEADING = re.compile(r"heading (\d)$", re.I)
_WORD_NOTES = frozenset("note tip hint info important warning caution attention danger".split())
_LIST_CONTINUES = re.compile(r"list (continue|paragraph)", re.I)
_DEEPER_LIST = re.compile(r"list (?:bullet|number) (\d)$", re.I)
_WORD_OFF = frozenset(("0", "false", "off", "none"))
_MAX_WORD_BASES = 20  # styles on which a style is based, one on the other; Word allows 11


class Numbering(NamedTuple):
    """The list of a paragraph: ``kind`` is None for one that has no sign of its own and so continues an item."""

    number: str
    level: int
    kind: ContainerKind | None


@dataclass(frozen=True, slots=True)
class ParagraphStyle:
    """What a style makes of a paragraph or a run. ``level`` is the level of a heading, 0 for other text."""

    level: int = 0
    kind: str = "paragraph"
    note: str = ""
    part: ContainerKind | None = None  # of a definition list
    bold: bool = False
    mono: bool = False
    hidden: bool = False
    in_list: bool = False  # goes on with the item before it, if it has no number
    number: str = ""
    depth: int = 0


@cache
def _full_name(name: str) -> str:
    """Return the name of an element or attribute with its namespace."""
    from docx.oxml.ns import qn

    return str(qn(name))


def attribute(element: Any, name: str) -> str:
    """Return an attribute of a Word element, "" if it or the element is missing."""
    return "" if element is None else str(element.get(_full_name(name)) or "")


def child(element: Any, *path: str) -> Any:
    """Return the first element at a path of names below ``element``, None if there is none."""
    for name in path:
        if element is None:
            return None
        element = element.find(_full_name(name))
    return element


def is_on(element: Any) -> bool:
    """Check whether a switch such as "bold" is there and is not switched off."""
    return element is not None and attribute(element, "w:val").lower() not in _WORD_OFF


class Styles:
    """The styles and numberings of one file; ``styles`` and ``numbering`` are the root elements of their parts."""

    def __init__(self, styles: Any, numbering: Any) -> None:
        self._elements = {attribute(each, "w:styleId"): each for each in _all(styles, "w:style")}
        self._abstract = {attribute(each, "w:abstractNumId"): each for each in _all(numbering, "w:abstractNum")}
        self._numbers = {attribute(each, "w:numId"): each for each in _all(numbering, "w:num")}
        self._found: dict[str, ParagraphStyle] = {}
        default = (each for each in _all(styles, "w:style") if attribute(each, "w:type") == "paragraph")
        self.default = next(
            (attribute(each, "w:styleId") for each in default if attribute(each, "w:default") == "1"), ""
        )

    def style(self, id: str) -> ParagraphStyle:  # noqa: A002 - the word of the format
        """Return what a style makes of its paragraphs or runs, with the styles it is based on."""
        if id not in self._found:
            chain: list[Any] = []
            while id in self._elements and self._elements[id] not in chain and len(chain) < _MAX_WORD_BASES:
                chain.append(self._elements[id])
                id = attribute(child(chain[-1], "w:basedOn"), "w:val")  # noqa: A001
            made = ParagraphStyle()
            for element in reversed(chain):
                made = _with_style(made, element)
            self._found[attribute(chain[0], "w:styleId") if chain else id] = made
            return made
        return self._found[id]

    def numbering(self, number: str, level: int) -> Numbering:
        """Return the list that a number and level mean, by the definition they point to."""
        found = self._numbers.get(number)
        abstract = self._abstract.get(attribute(child(found, "w:abstractNumId"), "w:val"))
        linked = attribute(child(abstract, "w:numStyleLink"), "w:val")
        if linked:  # the levels are in the numbering of a style
            abstract = next(
                (each for each in self._abstract.values() if attribute(child(each, "w:styleLink"), "w:val") == linked),
                abstract,
            )
        levels = [*(child(each, "w:lvl") for each in _all(found, "w:lvlOverride")), *_all(abstract, "w:lvl")]
        wanted = next((each for each in levels if attribute(each, "w:ilvl") == str(level)), None)
        form, sign = attribute(child(wanted, "w:numFmt"), "w:val"), attribute(child(wanted, "w:lvlText"), "w:val")
        if form == "none" or (wanted is not None and not sign.strip() and child(wanted, "w:lvlPicBulletId") is None):
            return Numbering(number, level, None)
        return Numbering(number, level, ContainerKind.LIST if form in ("bullet", "") else ContainerKind.STEPS)

    def first_row_is_head(self, table_style: str) -> bool:
        """Check whether a style of tables sets the first row apart."""
        for _ in range(_MAX_WORD_BASES):
            element = self._elements.get(table_style)
            if element is None:
                return False
            if any(attribute(each, "w:type") == "firstRow" for each in _all(element, "w:tblStylePr")):
                return True
            table_style = attribute(child(element, "w:basedOn"), "w:val")
        return False


def _all(element: Any, name: str) -> list[Any]:
    from docx.oxml.ns import qn

    return [] if element is None else list(element.findall(qn(name)))


def _with_style(made: ParagraphStyle, element: Any) -> ParagraphStyle:
    """Return ``made``, what a style is based on, with what the style itself adds."""
    name = attribute(child(element, "w:name"), "w:val").strip()
    made = _by_name(made, name)
    outline = attribute(child(element, "w:pPr", "w:outlineLvl"), "w:val")
    if outline.isdecimal() and made.kind == "paragraph":
        made = replace(made, level=int(outline) + 1 if int(outline) < MAX_LEVEL else 0)
    number = attribute(child(element, "w:pPr", "w:numPr", "w:numId"), "w:val")
    depth = attribute(child(element, "w:pPr", "w:numPr", "w:ilvl"), "w:val")
    if deeper := _DEEPER_LIST.match(name):
        depth = str(int(deeper[1]) - 1)
    made = replace(made, number=number or made.number, depth=int(depth) if depth.isdecimal() else made.depth)
    look = child(element, "w:rPr")
    bold, font = child(look, "w:b"), attribute(child(look, "w:rFonts"), "w:ascii")
    return replace(
        made,
        bold=made.bold if bold is None else is_on(bold),
        mono=bool(MONOSPACED.search(font)) if font else made.mono or bool(_CODE_STYLES.match(name)),
        hidden=made.hidden or is_on(child(look, "w:vanish")),
    )


def _by_name(made: ParagraphStyle, name: str) -> ParagraphStyle:
    heading = _CHAPTER_HEADING.match(name)
    if heading:
        return replace(made, level=int(heading[1]), kind="paragraph")
    if name.lower() == "title":
        return replace(made, level=1)
    if _CONTENTS_STYLES.match(name):
        return replace(made, kind="navigation", level=0)
    if _CODE_STYLES.fullmatch(name):
        return replace(made, kind="code")
    if _QUOTE_STYLES.fullmatch(name):
        return replace(made, kind="quote")
    if name.lower() in ("definition term", "definition"):
        return replace(made, part=ContainerKind.TERM if name.lower().endswith("term") else ContainerKind.DETAIL)
    if name.lower().split(" ")[0] in _WORD_NOTES and not name.lower().endswith(("heading", "char")):
        return replace(made, note=name.lower().split(" ")[0])
    return replace(made, in_list=made.in_list or bool(_LIST_CONTINUES.match(name)))
