"""Read Word files: mammoth writes them as HTML, and the reader of HTML reads that.

Before, each paragraph is given one style that says what it is, since mammoth does not look at what a style is based on.
Headers, footers, comments and deleted text are left out, inserted text is read. Footnotes follow their paragraph.
"""

from __future__ import annotations

import io
import posixpath
import re
import zipfile
from collections.abc import Iterator
from html import escape
from typing import Any

from kgsynth.documents.readers import html
from kgsynth.documents.readers.block_drafts import ParsedFile
from kgsynth.documents.readers.office_package import MONOSPACED, open_office_file, xml_root
from kgsynth.documents.unsupported import UnsupportedFileError

_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_MATH = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"
_RELATION = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"
_MAX_PARAGRAPHS = 100_000  # of a file: five times as many as in the longest novels, and 800 MB while they are read
_MAX_LISTS = 9  # levels of lists in Word
_MAX_WORD_BASES = 20  # styles on which a style is based, one on the other; Word allows 11
_DULL_TITLES = re.compile(r"(?i)(untitled|document\d*|microsoft word\b.*|.*\.docx?)\s*$")
_AROUND_TEXT = "sdt sdtContent ins moveTo customXml smartTag fldSimple dir bdo ruby rubyBase".split()
_NOT_SHOWN = "sdtPr sdtEndPr rubyPr rt".split()
_NOTE_STYLES = "note tip hint info important warning caution attention danger".split()
_ROLES = {
    r"heading ([1-6])": r"h\1",
    r"heading [7-9]": "h6",
    r"title": "h1",
    r"(toc|table \w+ (figures|authorities)|index|contents)( heading| \d+)?": "toc",
    r"source ?code|html ?preformatted|preformatted ?text|code( ?block| ?text)?|verbatim( char)?": "code",
    r"(intense )?quote|block ?text|quotations?|citation": "quote",
    r"definition term": "term",
    r"definition": "detail",
    rf"({'|'.join(_NOTE_STYLES)})( (?!heading|char).*)?": r"\1",
    r"list (continue|paragraph).*": "inside",
}  # what the English name of a built-in style says, also where Word shows another name
_NO_OTHER_STYLES = {"include_default_style_map": False, "include_embedded_style_map": False}
_PATHS = {
    "footnote": "div.footnotes > ul > li:fresh",
    "toc": "div.toc > p:fresh",
    "code": "pre:separator('\\n')",
    "quote": "blockquote > p:fresh",
    "term": "dl > dt:fresh",
    "detail": "dl > dd > p:fresh",
    **{f"h{level}": f"h{level}:fresh" for level in range(1, 7)},
    **{name: f"div.{name} > p:fresh" for name in _NOTE_STYLES},
}
for _level in range(_MAX_LISTS + 1):
    _outer = "ul|ol > li > " * _level
    _PATHS |= {f"{kind}{_level}": f"{_outer}{kind} > li:fresh" for kind in ("ul", "ol")}
    _PATHS |= {f"inside{_level}": f"{_outer}p:fresh", f"code{_level}": f"{_outer}pre:separator('\\n')"}


def read(data: bytes) -> ParsedFile:
    """Return the blocks of a Word file; ``ParsedFile.text`` is their text."""
    return html.read(open_office_file(data, _written, ".docx"))


def _written(file: io.BytesIO) -> str:
    """Return a file as HTML."""
    import mammoth
    from lxml import etree

    with zipfile.ZipFile(file) as package:
        names = sorted((name for name in package.namelist() if name.endswith((".xml", ".rels"))), key=len)
        roots = {name: xml_root(package.read(name)) for name in names if not name.startswith("customXml/")}
    by_tag = {root.tag: name for name, root in reversed(roots.items())}
    main = by_tag.get(f"{_W}document", "")
    if not main:
        raise ValueError("it has no Word document in it")
    folder, name = posixpath.split(main)
    links = roots.get(f"{folder}/_rels/{name}.rels", ())
    parts = {tag: roots.get(by_tag.get(_W + tag, ""), ()) for tag in ("styles", "numbering", "footnotes", "endnotes")}
    plain = _Plain(roots[main], parts, {each.get("Id") for each in links})
    plain.write()
    style_map = [f"p.{role} => {_PATHS[role]}" for role in sorted(plain.used & _PATHS.keys())]
    title = " ".join(
        next((root.findtext("{*}title") or "" for name, root in roots.items() if "core" in name), "").split()
    )
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as package:
        for name, root in roots.items():
            etree.strip_elements(root, etree.Entity, with_tail=False)
            package.writestr(name, etree.tostring(root, encoding="UTF-8"))
    style_map.append("r.code => code")
    made = mammoth.convert_to_html(packed, style_map="\n".join(style_map), **_NO_OTHER_STYLES)
    return f"<title>{'' if _DULL_TITLES.match(title) else escape(title)}</title>{made.value}"


class _Plain:
    """Writes into the text of a file what its styles, numbering, notes and text boxes make of it."""

    def __init__(self, root: Any, parts: dict[str, Any], links: set[str]) -> None:
        self.root, self.links = root, links
        self.styles = {_at(each, "styleId"): each for each in parts["styles"]}
        self.numbering = {
            (each.tag, _at(each, "abstractNumId") or _at(each, "numId")): each for each in parts["numbering"]
        }
        self.notes = {
            (f"{_W}{kind}Reference", _at(each, "id")): each
            for kind in ("footnote", "endnote")
            for each in parts[f"{kind}s"]
            if _at(each, "type") in ("", "normal")
        }
        self.roles: dict[str, str] = {}
        self.used: set[str] = set()

    def write(self) -> None:
        """Change the text so that mammoth sees what is meant."""
        from lxml import etree

        paragraphs = sum(1 for _ in self.root.iter(f"{_W}p"))
        if paragraphs > _MAX_PARAGRAPHS:
            reach = f"{paragraphs:,} paragraphs, and at most {_MAX_PARAGRAPHS:,} are read"
            raise UnsupportedFileError(f"too large: it has {reach}; split it")
        for root in (self.root, *self.notes.values()):
            etree.strip_elements(root, *(_W + name for name in _NOT_SHOWN), with_tail=False)
            etree.strip_tags(root, f"{_MATH}oMathPara", *(_W + name for name in _AROUND_TEXT))
        for table in list(self.root.iter(f"{_W}tbl")):
            self._table(table)
        self._move_notes_and_boxes()
        for parent in self.root.iter(f"{_W}body", f"{_W}tc"):
            self._paragraphs(parent)
        for element in list(self.root.iter(f"{_W}r", f"{_W}hyperlink", f"{_W}instrText", f"{_MATH}oMath")):
            self._inline(element)

    def _move_notes_and_boxes(self) -> None:
        """Move footnotes and text boxes behind their paragraphs; drawings, and all that they link to, are removed."""
        drawn = [_W + name for name in ("drawing", "pict", "object", "footnoteReference", "endnoteReference")]
        ends: dict[Any, Any] = {}
        for element in list(self.root.iter("{*}AlternateContent", *drawn)):
            paragraph = next(element.iterancestors(f"{_W}p"), None)
            if paragraph is None or next(element.iterancestors(f"{_W}tc", "{*}AlternateContent"), None) is not None:
                continue
            note = self.notes.get((element.tag, _at(element, "id")))
            found = [_in_one_paragraph(note)] if note is not None else _in_boxes(element)
            for each in found:
                ends.get(paragraph, paragraph).addnext(each)
                ends[paragraph] = each
        for element in list(self.root.iter("{*}AlternateContent", *drawn)):
            element.getparent().remove(element)

    # ---- tables ----

    def _table(self, table: Any) -> None:
        """Mark the first row as the head if it is set apart; a table that lays out the page is taken apart."""
        rows = table.findall(f"{_W}tr")
        cells = [row.findall(f"{_W}tc") for row in rows]
        if sum(map(len, cells)) < 2 or next(table.iterdescendants(f"{_W}tbl"), None) is not None:
            for each in table.findall(f"{_W}tr/{_W}tc/*"):
                table.addprevious(each)
            table.getparent().remove(table)
            return
        for row in rows:
            if before := _at(row.find(f"{_W}trPr/{_W}gridBefore"), "val"):
                empty = row.makeelement(f"{_W}tc")
                _sub(_sub(empty, "tcPr"), "gridSpan").set(f"{_W}val", before)
                row.insert(0, empty)
        if len(rows) > 1 and not _is_on(rows[0].find(f"{_W}trPr/{_W}tblHeader")):
            first, second = cells[:2]
            bold = any(map(_runs, first)) and all(_is_bold(cell) or not _runs(cell) for cell in first)
            shaded = all(map(_is_shaded, first)) and not any(map(_is_shaded, second))
            if first and (shaded or (bold and not all(map(_is_bold, second))) or self._first_row_is_styled(table)):
                _sub(_sub(rows[0], "trPr"), "tblHeader")

    def _first_row_is_styled(self, table: Any) -> bool:
        look = table.find(f"{_W}tblPr/{_W}tblLook")
        value = _at(look, "val")
        wanted = _at(look, "firstRow") in ("1", "true") or bool(
            re.fullmatch("[0-9A-Fa-f]{1,8}", value) and int(value, 16) & 0x20
        )
        styles = self._chain(_at(table.find(f"{_W}tblPr/{_W}tblStyle"), "val")) if wanted else ()
        return any(_at(part, "type") == "firstRow" for style in styles for part in style.iter(f"{_W}tblStylePr"))

    # ---- paragraphs ----

    def _paragraphs(self, parent: Any) -> None:
        """Give each paragraph the style that says what it is, and whether it goes on with the item before."""
        found = [self._list(each) for each in parent]
        later: list[set[str]] = [set() for _ in found]
        for place in range(len(found) - 1, 0, -1):
            kind, _, number = found[place]
            later[place - 1] = set() if kind[:1] == "h" else later[place] | ({number} if kind == "ol" else set())
        depth, numbers = 0, [""] * (_MAX_LISTS + 1)
        for element, (role, level, number), coming in zip(parent, found, later, strict=True):
            goes_on = bool(depth and coming.intersection(numbers[:depth]))
            if element.tag != f"{_W}p":
                depth = depth if goes_on else 0
                continue
            if element.get("note"):
                role = f"ul{depth}" if depth else "footnote"
            elif not _runs(element):
                role = role if role == "code" else ""
            elif role in ("ul", "ol"):
                depth, numbers[level] = level + 1, number if role == "ol" else ""
                role = f"{role}{level}"
            elif depth and role[:1] != "h" and (goes_on or number or role == "inside" or _is_indented(element)):
                role = f"{'code' if role == 'code' else 'inside'}{depth}"
            else:
                depth = 0
            self.used.add(role)
            look = _sub(element, "pPr")
            for each in look.findall(f"{_W}numPr"):
                look.remove(each)
            _sub(look, "pStyle").set(f"{_W}val", role)

    def _list(self, element: Any) -> tuple[str, int, str]:
        """Return what an element is, and the level and number of its list."""
        if element.tag != f"{_W}p":
            return "", 0, ""
        own = _at(element.find(f"{_W}pPr/{_W}pStyle"), "val")
        looks = [each.find(f"{_W}pPr") for each in (element, *self._chain(own))]
        role = _heading(looks[0]) or self._role(own)
        if role[:1] == "h":
            return role, 0, ""
        number, level = (_first(looks, f"numPr/{_W}{name}") for name in ("numId", "ilvl"))
        deeper = re.match(r"list (?:bullet|number) (\d)$", _first([self.styles.get(own)], "name").lower())
        depth = min(int(level), _MAX_LISTS - 1) if level.isdecimal() else 0
        if deeper and not _first(looks[:1], f"numPr/{_W}ilvl"):
            depth = int(deeper[1]) - 1
        if number not in ("", "0"):
            return self._kind(number, depth) or role, depth, number
        runs = _runs(element)
        typed = runs and all(MONOSPACED.search(_at(run.find(f"{_W}rPr/{_W}rFonts"), "ascii")) for run in runs)
        return "code" if typed else role, 0, ""

    def _kind(self, number: str, level: int) -> str:
        """Return "ul" or "ol" for a list; "" if its level has no sign, and so continues an item."""
        found = self.numbering.get((f"{_W}num", number))
        abstract = self.numbering.get((f"{_W}abstractNum", _first([found], "abstractNumId")))
        linked = _first([abstract], "numStyleLink")
        if linked:  # the levels are in the numbering of a style
            others = (each for each in self.numbering.values() if _first([each], "styleLink") == linked)
            abstract = next(others, abstract)
        levels = [each for one in (found, abstract) if one is not None for each in one.iter(f"{_W}lvl")]
        wanted = next((each for each in levels if _at(each, "ilvl") == str(level)), None)
        form, sign = _first([wanted], "numFmt"), _first([wanted], "lvlText")
        picture = wanted is not None and wanted.find(f"{_W}lvlPicBulletId") is not None
        if form == "none" or (wanted is not None and not sign.strip() and not picture):
            return ""
        return "ul" if form in ("bullet", "") else "ol"

    # ---- runs ----

    def _inline(self, element: Any) -> None:
        """Write what the styles and fonts of a run say into the run; write formulas as text."""
        if element.tag == f"{_W}hyperlink" and element.get(_RELATION) not in self.links:
            element.attrib.pop(_RELATION, None)
        elif element.tag == f"{_W}instrText":  # of a link: mammoth takes everything up to the last quotation mark
            target = re.sub(r'"\s+\\l\s+"', "#", element.text or "")
            element.text = re.sub(r'^(\s*HYPERLINK[^"]*"[^"]*").*', r"\1", target)
        elif element.tag == f"{_MATH}oMath":
            text = "".join(each.text or "" for each in element.iter(f"{_MATH}t"))
            element.clear()
            element.tag = f"{_W}r"
            _sub(element, "t").text = text
        elif element.tag == f"{_W}r":
            look = _sub(element, "rPr")
            style = _at(look.find(f"{_W}rStyle"), "val")
            looks = [look, *(each.find(f"{_W}rPr") for each in self._chain(style))]
            if _is_on(next(_each(looks, "vanish"), None)):
                element.clear()
                return
            bold = _is_on(next(_each(looks, "b"), None))
            code = self._role(style) == "code" or bool(MONOSPACED.search(_first(looks, "rFonts", "ascii")))
            look.clear()
            if bold:
                _sub(look, "b")
            if code:
                _sub(look, "rStyle").set(f"{_W}val", "code")

    # ---- styles ----

    def _chain(self, style: str) -> list[Any]:
        """Return the style of an id, and those that it is based on."""
        chain: list[Any] = []
        while style in self.styles and self.styles[style] not in chain and len(chain) < _MAX_WORD_BASES:
            chain.append(self.styles[style])
            style = _first(chain[-1:], "basedOn")
        return chain

    def _role(self, style: str) -> str:
        if style not in self.roles:
            made = ""
            for each in self._chain(style):
                name = _first([each], "name").strip().lower()
                found = (match.expand(role) for form, role in _ROLES.items() if (match := re.fullmatch(form, name)))
                made = made or next(found, "") or _heading(each.find(f"{_W}pPr"))
            self.roles[style] = made
        return self.roles[style]


def _at(element: Any, name: str) -> str:
    """Return an attribute of a Word element, "" if it or the element is missing."""
    return "" if element is None else str(element.get(_W + name) or "")


def _each(parents: list[Any], name: str) -> Iterator[Any]:
    """Yield the first element of a name below each of the parents that has one."""
    found = (parent.find(_W + name) for parent in parents if parent is not None)
    return (element for element in found if element is not None)


def _first(parents: list[Any], name: str, attribute: str = "val") -> str:
    """Return an attribute of the first element of a name below the parents."""
    return next((value for element in _each(parents, name) if (value := _at(element, attribute))), "")


def _sub(parent: Any, name: str) -> Any:
    """Return the element of a name below ``parent``, which is made if it is not there."""
    found = parent.find(_W + name)
    if found is None:
        found = parent.makeelement(_W + name)
        parent.append(found)
    return found


def _heading(look: Any) -> str:
    level = _first([look], "outlineLvl")
    return f"h{min(int(level) + 1, 6)}" if level.isdecimal() and int(level) < _MAX_LISTS else ""


def _is_on(element: Any) -> bool:
    return element is not None and _at(element, "val").lower() not in ("0", "false", "off", "none")


def _runs(parent: Any) -> list[Any]:
    """Return the runs that show text."""
    return [run for run in parent.iter(f"{_W}r") if any((text.text or "").strip() for text in run.iter(f"{_W}t"))]


def _is_indented(paragraph: Any) -> bool:
    indent = paragraph.find(f"{_W}pPr/{_W}ind")
    return (_at(indent, "left") or _at(indent, "start")) not in ("", "0")


def _is_bold(cell: Any) -> bool:
    runs = _runs(cell)
    return bool(runs) and all(_is_on(run.find(f"{_W}rPr/{_W}b")) for run in runs)


def _is_shaded(cell: Any) -> bool:
    return _at(cell.find(f"{_W}tcPr/{_W}shd"), "fill").lower() not in ("", "auto", "ffffff")


def _in_boxes(element: Any) -> list[Any]:
    """Return the paragraphs and tables of text boxes; of alternatives for newer and older programs, the first."""
    box = f"{_W}txbxContent"
    if element.tag.endswith("AlternateContent"):
        element = next((each for each in element if next(each.iter(box), None) is not None), element)
    outer = [each for each in element.iter(box) if next(each.iterancestors(box), None) is None]
    return [each for one in outer for each in one]


def _in_one_paragraph(note: Any) -> Any:
    made = note.makeelement(f"{_W}p", note="1")
    for paragraph in list(note.iter(f"{_W}p")):
        for run in list(paragraph.iter(f"{_W}r")):
            made.append(run)
        _sub(made[-1] if len(made) else made, "br")
    return made
