"""The text of one paragraph of a Word file: its runs with their marks, links, fields, footnotes and text boxes."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from kgsynth.documents.readers.block_drafts import NO_TARGET, Pieces, TextPiece
from kgsynth.documents.readers.docx_styles import MONOSPACED, Styles, attribute, child, is_on

_AROUND_RUNS = frozenset(("ins", "moveTo", "smartTag", "sdt", "sdtContent", "fldSimple", "customXml", "dir", "bdo"))
_NOTE_MARKS = {"footnoteReference": "footnotes", "endnoteReference": "endnotes"}
_LINK_FIELD = re.compile(
    r'^\s*HYPERLINK\s+(?:"(?P<target>[^"]*)"|(?P<bare>[^\s"\\]+))?(?:.*?\\l\s+"(?P<anchor>[^"]*)")?'
)
_CONTENTS_FIELD = re.compile(r"^\s*(TOC|INDEX)\b")


class _Field(NamedTuple):
    """A field, such as a link or a page number: its instruction, and whether its result has begun."""

    instruction: str
    shown: bool
    link: str


class ParagraphText:
    """Reads paragraphs one after the other; a field may reach over several. ``targets`` has link targets by id."""

    def __init__(self, styles: Styles, targets: dict[str, str]) -> None:
        self._styles = styles
        self._targets = targets
        self._fields: list[_Field] = []
        self._notes: list[tuple[str, str]] = []
        self._boxes: list[Any] = []
        self._pieces: Pieces = []
        self.typed_as_code = False

    @property
    def in_contents(self) -> bool:
        """Return whether the text stands in a table of contents, by its field."""
        return any(_CONTENTS_FIELD.match(field.instruction) for field in self._fields)

    def pieces(self, paragraph: Any) -> Pieces:
        """Return the text of a paragraph; ``typed_as_code`` then says whether all of it has a monospaced font."""
        self._pieces = []
        self._fonts: set[bool] = set()
        self._inside(paragraph, "")
        self.typed_as_code = self._fonts == {True}
        return self._pieces

    def take_notes(self) -> list[tuple[str, str]]:
        """Return kind and id of the footnotes since the last call."""
        found, self._notes = self._notes, []
        return found

    def take_boxes(self) -> list[Any]:
        """Return the contents of the text boxes since the last call."""
        found, self._boxes = self._boxes, []
        return found

    def _inside(self, parent: Any, link: str) -> None:
        for element in parent:
            name = _local(element)
            if name == "r":
                self._run(element, link)
            elif name == "hyperlink":
                anchor = attribute(element, "w:anchor")
                target = self._targets.get(attribute(element, "r:id"), "") + (f"#{anchor}" if anchor else "")
                self._inside(element, target or NO_TARGET)
            elif name in _AROUND_RUNS:
                self._inside(element, link)
            elif name in ("oMath", "oMathPara"):
                self._pieces.append(
                    TextPiece("".join(part.text or "" for part in element.iter(_math_text())), link=link)
                )

    def _run(self, run: Any, link: str) -> None:
        look = child(run, "w:rPr")
        style = self._styles.style(attribute(child(look, "w:rStyle"), "w:val"))
        hidden, bold = child(look, "w:vanish"), child(look, "w:b")
        if is_on(hidden) or (hidden is None and style.hidden):
            return
        font = attribute(child(look, "w:rFonts"), "w:ascii")
        typed = bool(font and MONOSPACED.search(font))
        strong = style.bold if bold is None else is_on(bold)
        for element in run:
            name = _local(element)
            if name == "fldChar":
                self._field(attribute(element, "w:fldCharType"))
            elif name == "instrText" and self._fields:
                field = self._fields[-1]
                self._fields[-1] = field._replace(instruction=field.instruction + (element.text or ""))
            elif name in _NOTE_MARKS:
                self._notes.append((_NOTE_MARKS[name], attribute(element, "w:id")))
            elif name in ("drawing", "pict", "object", "AlternateContent"):
                self._boxes += _boxes(element)
            elif name == "ruby":
                for base in element:
                    if _local(base) == "rubyBase":
                        self._inside(base, link)
            elif all(field.shown for field in self._fields):
                text = _shown(name, element)
                if text.strip():
                    self._fonts.add(typed)
                target = link or next((field.link for field in self._fields if field.link), "")
                self._pieces.append(TextPiece(text, typed or style.mono, target, strong))

    def _field(self, step: str) -> None:
        if step == "begin":
            self._fields.append(_Field("", False, ""))
        elif step == "separate" and self._fields:
            instruction = self._fields[-1].instruction
            match = _LINK_FIELD.match(instruction)
            target = (match["target"] or match["bare"] or "") if match else ""
            anchor = f"#{match['anchor']}" if match and match["anchor"] else ""
            self._fields[-1] = _Field(instruction, True, target + anchor)
        elif step == "end" and self._fields:
            self._fields.pop()


def _shown(name: str, element: Any) -> str:
    if name == "t":
        return element.text or ""
    return {"tab": "\t", "br": "\n", "cr": "\n", "noBreakHyphen": "-"}.get(name, "")


def _boxes(element: Any) -> list[Any]:
    """Return the outermost contents of text boxes; of alternatives for newer and older programs, the first."""
    name = _local(element)
    if name == "txbxContent":
        return [element]
    if name == "AlternateContent":
        return next((found for each in element if (found := _boxes(each))), [])
    return [box for each in element for box in _boxes(each)]


def _local(element: Any) -> str:
    return element.tag.rpartition("}")[2] if isinstance(element.tag, str) else ""


def _math_text() -> str:
    return "{http://schemas.openxmlformats.org/officeDocument/2006/math}t"
