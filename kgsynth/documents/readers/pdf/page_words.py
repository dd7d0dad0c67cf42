"""Read the words of a PDF page, each with its box and its font.

pdfium is asked for a box at the two ends of a word only, which takes a fifth of the time of a box for each character.
"""

from __future__ import annotations

import re
from collections import Counter
from ctypes import addressof, byref, c_int, create_string_buffer
from dataclasses import dataclass
from itertools import pairwise, repeat
from typing import Any, NamedTuple

from kgsynth.documents.readers.pdf.page_frame import Box, PageFrame, upright
from kgsynth.documents.readers.pdf.page_links import LinkArea, link_at

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


def _char(code: int) -> str:
    """Return a character; a space for half a character, which pdfium returns for some fonts."""
    return chr(code) if 0 < code < 0xD800 or 0xDFFF < code < 0x110000 else " "


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
