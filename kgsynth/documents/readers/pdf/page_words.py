"""Open a PDF, and read the words of a page with their boxes, fonts and links.

Places are left, top, right, bottom in points from the top left corner of the page as displayed; a page whose text runs
up or down is read in a frame turned with it. pdfium is asked for a box at the two ends of a word only, which takes a
fifth of the time of a box for each character.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from ctypes import addressof, byref, c_int, create_string_buffer
from dataclasses import dataclass
from itertools import pairwise, repeat
from typing import Any, NamedTuple

from kgsynth.documents.readers.block_drafts import NO_TARGET
from kgsynth.documents.unsupported import ENCRYPTED, UnsupportedFileError

_MAX_PAGES = 20_000
_HEADER_WITHIN = 1024  # bytes, as readers of PDF accept


@contextmanager
def opened(data: bytes) -> Iterator[Any]:
    """Open a pypdfium2 document for the time of a ``with`` statement.

    Raises:
        UnsupportedFileError: it is damaged, encrypted, or has too many pages.
    """
    import pypdfium2
    import pypdfium2.raw as raw

    if b"%PDF-" not in data[:_HEADER_WITHIN]:
        raise UnsupportedFileError("damaged: it does not begin as a PDF does")
    try:
        document = pypdfium2.PdfDocument(data)
    except pypdfium2.PdfiumError as error:
        if error.err_code in (raw.FPDF_ERR_PASSWORD, raw.FPDF_ERR_SECURITY):
            raise UnsupportedFileError(ENCRYPTED) from error
        raise UnsupportedFileError("damaged: it cannot be opened as a PDF; save or print it as a PDF again") from error
    try:
        pages = len(document)
        if not pages:
            raise UnsupportedFileError("damaged: it has no pages")
        if pages > _MAX_PAGES:
            raise UnsupportedFileError(f"too large: {pages} pages, and at most {_MAX_PAGES} are read; split it")
        yield document
    finally:
        document.close()


# Turn places of a PDF page, whose origin is anywhere and whose page may be rotated, into places as displayed.
#
# A place is left, top, right, bottom in points from the top left corner of the page as displayed. Text that runs up
# or down the page is read in a frame turned with it: ``upright`` turns a place into that frame, ``displayed`` turns
# it back.

Box = tuple[float, float, float, float]


@dataclass(frozen=True, slots=True)
class PageFrame:
    """The visible box of a page in the units of the file, and its rotation in quarter turns clockwise."""

    left: float
    bottom: float
    right: float
    top: float
    turns: int

    @property
    def size(self) -> tuple[float, float]:
        """Return width and height as displayed."""
        width, height = self.right - self.left, self.top - self.bottom
        return (height, width) if self.turns % 2 else (width, height)

    def point(self, x: float, y: float) -> tuple[float, float]:
        """Return a point of the file as displayed.

        Example:
            >>> PageFrame(10, 20, 110, 220, 0).point(10, 220), PageFrame(10, 20, 110, 220, 1).point(10, 20)
            ((0, 0), (0, 0))
        """
        if self.turns == 0:
            return x - self.left, self.top - y
        if self.turns == 1:
            return y - self.bottom, x - self.left
        if self.turns == 2:
            return self.right - x, y - self.bottom
        return self.top - y, self.right - x

    def box(self, left: float, bottom: float, right: float, top: float) -> Box:
        """Return a box of the file as displayed."""
        return _box(self.point(left, bottom), self.point(right, top))

    def direction(self, x: float, y: float) -> int:
        """Return where text with this direction in the file runs as displayed: 0 right, 1 down, 2 left, 3 up."""
        turned = (0 if x > 0 else 2) if abs(x) >= abs(y) else (3 if y > 0 else 1)
        return (turned + self.turns) % 4

    def holds(self, box: Box) -> bool:
        """Check whether the middle of a box as displayed is on the page."""
        width, height = self.size
        return -1 <= (box[0] + box[2]) / 2 <= width + 1 and -1 <= (box[1] + box[3]) / 2 <= height + 1


def page_frame(page: Any) -> PageFrame:
    """Return the frame of a pypdfium2 page."""
    left, bottom, right, top = page.get_bbox()
    return PageFrame(left, bottom, right, top, page.get_rotation() // 90 % 4)


def upright(box: Box, direction: int, size: tuple[float, float]) -> Box:
    """Return a box as displayed in the frame in which text of this direction runs to the right.

    Example:
        >>> upright((10, 20, 30, 60), 3, (100, 200)), displayed((140, 10, 180, 30), 3, (100, 200))
        ((140, 10, 180, 30), (10, 20, 30, 60))
    """
    (left, top, right, bottom), (width, height) = box, size
    if direction == 0:
        return box
    if direction == 1:
        return top, width - right, bottom, width - left
    if direction == 2:
        return width - right, height - bottom, width - left, height - top
    return height - bottom, left, height - top, right


def displayed(box: Box, direction: int, size: tuple[float, float]) -> Box:
    """Return a box of the turned frame as displayed on the page of ``size``."""
    (left, top, right, bottom), (width, height) = box, size
    if direction == 0:
        return box
    if direction == 1:
        return width - bottom, left, width - top, right
    if direction == 2:
        return width - right, height - bottom, width - left, height - top
    return top, height - right, bottom, height - left


def around(boxes: list[Box]) -> Box:
    """Return the smallest box around all of them."""
    lefts, tops, rights, bottoms = zip(*boxes, strict=True)
    return min(lefts), min(tops), max(rights), max(bottoms)


def _box(one: tuple[float, float], other: tuple[float, float]) -> Box:
    return min(one[0], other[0]), min(one[1], other[1]), max(one[0], other[0]), max(one[1], other[1])


# Read the links of a PDF page: where they stand and what they point to. Nothing is followed.

_MAX_LINKS = 2_000  # of a page
_MAX_TARGET = 4_000  # bytes of an address


class LinkArea(NamedTuple):
    """A link at a place as displayed; one inside the file has no target."""

    box: Box
    target: str


def read_links(document: Any, page: Any, frame: PageFrame) -> list[LinkArea]:
    """Return the links of a pypdfium2 page."""
    import pypdfium2.raw as raw

    found: list[LinkArea] = []
    at, link, rect = c_int(0), raw.FPDF_LINK(), raw.FS_RECTF()
    while len(found) < _MAX_LINKS and raw.FPDFLink_Enumerate(page, byref(at), byref(link)):
        if not raw.FPDFLink_GetAnnotRect(link, byref(rect)):
            continue
        action = raw.FPDFLink_GetAction(link)
        target = NO_TARGET
        if action and raw.FPDFAction_GetType(action) == raw.PDFACTION_URI:
            buffer = create_string_buffer(_MAX_TARGET)
            raw.FPDFAction_GetURIPath(document, action, buffer, _MAX_TARGET)
            target = buffer.value.decode("utf-8", "replace") or NO_TARGET
        found.append(LinkArea(frame.box(rect.left, rect.bottom, rect.right, rect.top), target))
    return found


def link_at(links: list[LinkArea], box: Box) -> str:
    """Return the target of the link that contains the middle of a box, "" for none."""
    x, y = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
    return next(
        (link.target for link in links if link.box[0] <= x <= link.box[2] and link.box[1] <= y <= link.box[3]), ""
    )


MAX_CHARS = 200_000  # of a page
_GLYPH_WORD = re.compile(r"[^\s\x00\x02\ufffe]+[\x02\ufffe]?")
_PUNCTUATION = ".,;:!?()[]\"'“”‘’"
_HYPHENS = ("\x02", "\ufffe")  # what pdfium puts for a hyphen at the end of a line
_BOLD = re.compile(r"bold|black|heavy|demi|cmbx|cmssbx|-bd", re.I)
_MONO = re.compile(r"mono|courier|consol|cmtt|typewriter|inconsolata|menlo|monaco|nimbusmon|andale|code|fixed", re.I)
_BOLD_WEIGHT = 600
_FIXED_PITCH = 1  # in the flags of a font
_LIGATURES = {"ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "st", "ﬆ": "st", "\u00ad": "-"}
_TALL = 1.6  # a box taller than this many font sizes belongs to a font with wrong metrics


class TextStyle(NamedTuple):
    """How a piece of text is set: font size in points as displayed, bold, and in a font of one width."""

    size: float
    bold: bool = False
    mono: bool = False


class PageWord(NamedTuple):
    """A word, or a part of one in one style, in the upright frame of its page.

    ``glued`` is whether it follows the part before without a blank; ``hyphen`` whether it ends in a hyphen at the end
    of a line. ``run`` counts the pieces of text as they were drawn.
    """

    text: str
    left: float
    top: float
    right: float
    bottom: float
    style: TextStyle
    run: int
    glued: bool = False
    hyphen: bool = False
    link: str = ""

    @property
    def box(self) -> Box:
        """Return its place in the upright frame."""
        return self.left, self.top, self.right, self.bottom


@dataclass(slots=True)
class _Fonts:
    """The styles of the text objects of one page, asked for once each."""

    raw: Any
    text_page: Any
    frame: PageFrame
    known: dict[int, tuple[TextStyle, int, int]]
    outside: int = 0  # words that lie outside the visible page

    def style(self, index: int) -> tuple[TextStyle, int, int]:
        """Return style, direction and number of the text object that drew a character."""
        drawn = self.raw.FPDFText_GetTextObject(self.text_page, index)
        key = addressof(drawn.contents) if drawn else 0
        known = self.known.get(key)
        if known is None:
            known = self.known[key] = self._ask(index)
        return known

    def _ask(self, index: int) -> tuple[TextStyle, int, int]:
        raw, page = self.raw, self.text_page
        matrix, flags = raw.FS_MATRIX(), c_int()
        raw.FPDFText_GetMatrix(page, index, byref(matrix))
        scale = (matrix.c**2 + matrix.d**2) ** 0.5
        length = raw.FPDFText_GetFontInfo(page, index, None, 0, byref(flags))
        name = create_string_buffer(max(length, 1))
        raw.FPDFText_GetFontInfo(page, index, name, length, byref(flags))
        font = name.value.decode("utf-8", "replace")
        bold = bool(_BOLD.search(font)) or raw.FPDFText_GetFontWeight(page, index) >= _BOLD_WEIGHT
        mono = bool(_MONO.search(font)) or bool(flags.value & _FIXED_PITCH)
        size = round(raw.FPDFText_GetFontSize(page, index) * scale, 1)
        direction = self.frame.direction(matrix.a, matrix.b)
        return TextStyle(size, bold, mono), direction, len(self.known)


def read_words(page: Any, frame: PageFrame, links: list[LinkArea]) -> tuple[list[PageWord], int, int, int]:
    """Return the words of a pypdfium2 page as drawn and the direction of most of them.

    Words that run in another direction than most are left out and counted, and so are those outside the visible page.
    """
    import pypdfium2.raw as raw

    text_page = raw.FPDFText_LoadPage(page)
    try:
        count = min(max(raw.FPDFText_CountChars(text_page), 0), MAX_CHARS)
        chars = "".join(map(_char, map(raw.FPDFText_GetUnicode, repeat(text_page, count), range(count))))
        fonts = _Fonts(raw, text_page, frame, {})
        found: list[tuple[PageWord, int]] = []
        for match in _GLYPH_WORD.finditer(chars):
            at = match.start()
            for part in _by_link(fonts, match.group(), at, links) if links else (match.group(),):
                words = _parts(fonts, part, at, links)
                found += words if at == match.start() else [(word._replace(glued=True), to) for word, to in words]
                at += len(part)
    finally:
        raw.FPDFText_ClosePage(text_page)
    directions: Counter[int] = Counter()
    for word, direction in found:
        directions[direction] += len(word.text)
    most = min(directions, key=lambda each: (-directions[each], each), default=0)
    kept = [_turned(word, most, frame) for word, direction in found if direction == most]
    return kept, most, len(found) - len(kept), fonts.outside


_TEX_DASHES = {0x15: "–", 0x16: "—"}


def _char(code: int) -> str:
    """Return a character; a space for half a character, which pdfium returns for some fonts.

    Fonts of TeX without a map of their characters have dashes among the control characters.
    """
    return _TEX_DASHES.get(code) or chr(code) if 0 < code < 0xD800 or 0xDFFF < code < 0x110000 else " "


def _by_link(fonts: _Fonts, text: str, start: int, links: list[LinkArea]) -> list[str]:
    """Return a word in up to three parts: the punctuation before and after a link, which is not part of it."""
    bare = text.strip(_PUNCTUATION)
    low = start + len(text) - len(text.lstrip(_PUNCTUATION))
    high, end = low + len(bare), start + len(text)
    box = _box_of(fonts, low, high - 1) if bare and (low, high) != (start, end) else None
    if box is None:
        return [text]
    own, cuts = link_at(links, box), [start]
    for cut, outer in ((low, _box_of(fonts, start, low - 1)), (high, _box_of(fonts, high, end - 1))):
        if start < cut < end and outer and link_at(links, outer) != own:
            cuts.append(cut)
    return [text[one - start : other - start] for one, other in pairwise([*cuts, end])]


def _parts(fonts: _Fonts, text: str, start: int, links: list[LinkArea]) -> list[tuple[PageWord, int]]:
    """Return the parts of a word, each in one style, with their directions."""
    hyphen = text.endswith(_HYPHENS)
    last = start + len(text) - 1
    look = fonts.style(start)
    looks = [(start, look)]
    if last > start and fonts.style(last - hyphen)[:2] != look[:2]:
        for index in range(start + 1, last + 1 - hyphen):
            other = fonts.style(index)
            if other[:2] != looks[-1][1][:2]:
                looks.append((index, other))
    found = []
    for number, (low, (style, direction, run)) in enumerate(looks):
        high = looks[number + 1][0] if number + 1 < len(looks) else last + 1
        ends = hyphen and high > last
        box = _box_of(fonts, low, max(low, high - 1 - ends))
        if box is None or not fonts.frame.holds(box):
            fonts.outside += box is not None
            continue
        part = text[low - start : high - start]
        shown = _plain(part[:-1] + "-" if ends else part)
        link = link_at(links, box) if links else ""
        found.append((PageWord(shown, *box, style, run, low > start, ends, link), direction))
    return found


def _plain(text: str) -> str:
    """Return the text with ligatures as letters and bullets of symbol fonts as bullets."""
    if text.isascii():
        return text
    shown = "".join(_LIGATURES.get(char, char) for char in text)
    return re.sub("[\uf000-\uf0ff]", "•", shown)


def _box_of(fonts: _Fonts, first: int, last: int) -> Box | None:
    """Return the place of the characters from ``first`` to ``last`` as displayed."""
    raw, rect = fonts.raw, fonts.raw.FS_RECTF()
    if not raw.FPDFText_GetLooseCharBox(fonts.text_page, first, byref(rect)):
        return None
    left, bottom, right, top = rect.left, rect.bottom, rect.right, rect.top
    if last > first and raw.FPDFText_GetLooseCharBox(fonts.text_page, last, byref(rect)):
        left, right = min(left, rect.left), max(right, rect.right)
        bottom, top = min(bottom, rect.bottom), max(top, rect.top)
    return fonts.frame.box(left, bottom, right, top)


def _turned(word: PageWord, direction: int, frame: PageFrame) -> PageWord:
    """Return the word in the frame in which it runs to the right, no taller than a line."""
    size = word.style.size
    if direction == 0 and word.bottom - word.top <= _TALL * size:
        return word
    left, top, right, bottom = upright(word.box, direction, frame.size)
    if bottom - top > _TALL * size > 0:
        middle = (top + bottom) / 2
        top, bottom = middle - size * _TALL / 2, middle + size * _TALL / 2
    return word._replace(left=left, top=top, right=right, bottom=bottom)
