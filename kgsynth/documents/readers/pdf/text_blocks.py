"""Group the lines of a PDF to paragraphs, items, headings and code, without running heads, and join what a page cut."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from statistics import median
from typing import Any, NamedTuple

from kgsynth.documents.readers.pdf.page_lines import PageLayout, PageLine, PageTable
from kgsynth.documents.readers.pdf.page_words import TextStyle

_LAST = re.compile(r"([^\W\d_]+)[-‐]$")
_FIRST = re.compile(r"^([^\W\d_]+)")
_MIN_HALF = 3  # letters of a half that may be a word
_MIN_SHARE = 0.015  # of the lines end in a hyphen where words are broken; fewer are compounds that met the end
_AROUND = ".,;:!?()[]“”\"'"


@dataclass(slots=True)
class KnownWords:
    """The words of a document, and how many of its lines end in a hyphen."""

    counts: Counter[str] = field(default_factory=Counter)
    lines: int = 0
    hyphens: int = 0

    def add(self, line: str, hyphen: bool) -> None:
        """Count the words of a line; the two halves at its ends count too."""
        self.counts.update(word.strip(_AROUND).casefold() for word in line.split())
        self.lines += 1
        self.hyphens += hyphen

    def is_one_word(self, before: str, after: str) -> bool:
        """Check whether a word was broken without a hyphen, as in narrow cells: elsewhere only the whole word occurs.

        Example:
            >>> known = KnownWords()
            >>> known.add("set MAX_RETRIES to the", False)
            >>> known.is_one_word("MAX_RETR", "IES"), known.is_one_word("set", "MAX_RETRIES")
            (True, False)
        """
        last, first = (before.split() or [""])[-1].casefold(), (after.split() or [""])[0].casefold()
        return bool(self.counts[last + first]) and self.counts[last] <= 1

    def is_break(self, before: str, after: str) -> bool:
        """Check whether the hyphen at the end of a line only breaks a word.

        Example:
            >>> known = KnownWords()
            >>> known.add("a well of known docu-", True)
            >>> [known.is_break(*halves) for halves in (("docu-", "ments"), ("well-", "known"))]
            [True, False]
        """
        last, first = _LAST.search(before), _FIRST.match(after)
        if not last or not first or not first[1][0].islower():
            return False
        one, other = last[1].casefold(), first[1].casefold()
        if self.counts[one + other]:
            return True
        if self.counts[f"{one}-{other}"] or self.hyphens < _MIN_SHARE * self.lines:
            return False
        return not (min(len(one), len(other)) >= _MIN_HALF and self.counts[one] and self.counts[other])


# Recognise the marks of list items: bullets, numbers and letters.

_BULLETS = "•‣◦▪▫●○■□▶►➢➤✓✔❖–—*·∙⁃-"
_LIST_MARK = re.compile(
    rf"^(?:(?P<bullet>[{re.escape(_BULLETS)}]|o(?=\s))|\(?(?P<number>\d{{1,3}})[.)]|\(?(?P<letter>[a-zA-Z]|[ivx]{{2,5}})[.)])(?=\s|$)\s*"
)


class ListMark(NamedTuple):
    """The mark of an item: the bullet, or "" and the value of its number or letter; ``length`` is that in the text."""

    bullet: str
    value: int
    style: str
    length: int


def list_mark(text: str) -> ListMark | None:
    """Return the mark that a line begins with, None for none.

    Example:
        >>> list_mark("• one"), list_mark("12. two"), list_mark("-3 is less")
        (ListMark(bullet='•', value=0, style='•', length=2), ListMark(bullet='', value=12, style='1', length=4), None)
    """
    match = _LIST_MARK.match(text)
    if not match:
        return None
    if match["bullet"]:
        return ListMark(match["bullet"], 0, match["bullet"], match.end())
    if match["number"]:
        return ListMark("", int(match["number"]), "1", match.end())
    letter = match["letter"]
    value = ord(letter.lower()) - ord("a") + 1 if len(letter) == 1 else 0
    return ListMark("", value, "A" if letter.isupper() else "a", match.end())


def is_mark(text: str) -> bool:
    """Check whether a text is nothing but a mark."""
    found = list_mark(text)
    return found is not None and found.length == len(text)


_INDENT = 0.8  # font sizes by which the first line of a paragraph stands in
_WIDER = 1.22  # times the usual distance of lines: a new paragraph
_CODE_APART = 3.0  # times the usual distance: the most between two lines of a piece of code
_SIZE = 1.12  # times: another font size
_SHORT = 0.75  # of the width of a column: a line that ends before, though the next word had room, was ended
_MONO_SHARE = 0.9  # of the letters: then a font of one width is not for code
_ENDS = (".", "!", "?", ":", ";", "。", "！", "？", "：", "”", '."', ".)", "…")
_DOUBTFUL = frozenset("-–—*o·")  # bullets that may be a word of a line
_NOTE_SIZE = 0.93  # of the body: a footnote or caption is smaller


@dataclass(slots=True)
class TextBlock:
    """Lines that belong together; ``mark`` is that of a list item, ``level`` that of a heading."""

    lines: list[PageLine]
    code: bool = False
    mark: ListMark | None = None
    level: int = 0

    @property
    def text(self) -> str:
        """Return its text, as its lines have it."""
        return " ".join(line.text for line in self.lines)

    @property
    def left(self) -> float:
        """Return the left edge of its first line."""
        return self.lines[0].box[0]


@dataclass(slots=True)
class BodyStyle:
    """The usual style of a document: its font size, weight and distance of lines in font sizes."""

    style: TextStyle
    pitch: float
    mono: bool
    words: KnownWords = field(default_factory=KnownWords)


def body_style(layouts: Iterable[PageLayout]) -> BodyStyle:
    """Return the style of most letters of the document."""
    letters: Counter[TextStyle] = Counter()
    pitches: Counter[float] = Counter()
    words = KnownWords()
    for layout in layouts:
        before: PageLine | None = None
        for item in layout.items:
            lines = [item] if isinstance(item, PageLine) else [line for _, found in item.cells for line in found]
            for line in lines:
                words.add(line.text, line.hyphen)
                for part in line.parts:
                    letters[part.style] += len(part.text)
            if not isinstance(item, PageLine):
                before = None
                continue
            if before and before.region == item.region and abs(before.size - item.size) < 0.3:
                pitches[round((item.box[3] - before.box[3]) / item.size, 1)] += len(item.text)
            before = item
    total, mono = sum(letters.values()), sum(count for style, count in letters.items() if style.mono)
    is_mono = mono > _MONO_SHARE * total
    usual = {style: count for style, count in letters.items() if is_mono or not style.mono}
    style = max(usual, key=lambda each: (usual[each], each), default=TextStyle(10.0))
    likely = {pitch: count for pitch, count in pitches.items() if 0.9 <= pitch <= 2.6}
    pitch = max(likely, key=lambda each: (likely[each], -each), default=1.2)
    return BodyStyle(style, pitch, is_mono, words)


def text_blocks(layouts: Iterable[PageLayout], body: BodyStyle) -> list[TextBlock | PageTable]:
    """Return the blocks and tables of a document in the order in which they are read."""
    found: list[TextBlock | PageTable] = []
    for layout in layouts:
        fresh = True
        for item in layout.items:
            last = found[-1] if found else None
            if isinstance(item, PageTable):
                found.append(item)
            elif not fresh and isinstance(last, TextBlock) and _belongs(last, item, body):
                last.lines.append(item)
            else:
                code = item.mono and not body.mono
                found.append(TextBlock([item], code, None if code else list_mark(item.text)))
            fresh = False
    return _joined(_without_false_marks(found), body)


def _belongs(block: TextBlock, line: PageLine, body: BodyStyle) -> bool:
    """Check whether a line of the same page goes on with the block before it."""
    before = block.lines[-1]
    if line.region != before.region:
        return False
    size = max(line.size, before.size)
    pitch = (line.box[3] - before.box[3]) / size
    code = line.mono and not body.mono
    if code or block.code:
        return code and block.code and 0 < pitch <= _CODE_APART * body.pitch
    own = median(
        [(low.box[3] - up.box[3]) / size for up, low in zip(block.lines, block.lines[1:], strict=False)] or [0]
    )
    if pitch <= 0.3 or pitch > _WIDER * max(own, body.pitch if len(block.lines) == 1 else own):
        return False
    if max(line.size, before.size) > _SIZE * min(line.size, before.size):
        return False
    if before.bold != line.bold and not (before.parts[-1].style.bold and line.parts[0].style.bold):
        return False
    return not _starts(block, before, line)


def _starts(block: TextBlock, before: PageLine, line: PageLine) -> bool:
    """Check whether a line near the one before begins a paragraph or item: by mark, indent, or the end before."""
    size, ended = line.size, before.text.endswith(_ENDS)
    had_room = _had_room(before, line)
    mark = list_mark(line.text)
    certain = had_room or ended or (mark is not None and _goes_on(block.mark, mark))
    if mark and (certain or (mark.bullet and mark.bullet not in _DOUBTFUL)):
        return True
    usual = block.lines[-1].box[0]
    flush = len(block.lines) > 1 and abs(block.lines[-2].box[0] - usual) < size / 4
    indented = line.box[0] > usual + _INDENT * size
    if indented and (had_room or ended or flush) and not (block.mark and len(block.lines) == 1):
        return True
    if line.box[0] < usual - _INDENT * size and (len(block.lines) > 1 or block.mark or had_room):
        return True
    width = before.column[1] - before.column[0]
    short = before.box[2] < before.column[1] - (1 - _SHORT) * width
    if line.text[:1].islower():
        return False
    return had_room and not before.bold and (ended or (short and before.size <= _SIZE * size and not block.mark))


def _had_room(before: PageLine, line: PageLine) -> bool:
    """Check whether the first word of a line would have fitted into the line before."""
    return before.box[2] + 0.3 * line.size + line.first_width < before.column[1] - 0.5 * line.size


def _goes_on(one: ListMark | None, other: ListMark) -> bool:
    """Check whether one mark follows the other in a list."""
    return one is not None and one.style == other.style and (bool(one.bullet) or other.value == one.value + 1)


def _without_false_marks(blocks: list[TextBlock | PageTable]) -> list[TextBlock | PageTable]:
    """Take back the numbers and letters that neither begin a list nor go on with one, as in "12. March".

    Those in brackets below a table, and stars, are the marks of its footnotes.
    """
    reached: dict[str, int] = {}
    below_table = False
    for block in blocks:
        below_table = isinstance(block, PageTable) or (below_table and block.text.startswith(("(", "*")))
        if isinstance(block, TextBlock) and below_table:
            block.mark = None
        mark = block.mark if isinstance(block, TextBlock) else None
        if isinstance(block, TextBlock) and mark and not mark.bullet:
            if mark.value != 1 and reached.get(mark.style) != mark.value - 1:
                block.mark = None
            else:
                reached[mark.style] = mark.value
    return blocks


def _joined(blocks: list[TextBlock | PageTable], body: BodyStyle) -> list[TextBlock | PageTable]:
    """Join paragraphs and code that a column or page cut in two; footnotes between the halves come after them."""
    found: list[TextBlock | PageTable] = []
    open_block: TextBlock | None = None
    for block in blocks:
        if isinstance(block, PageTable):
            open_block = None
        elif open_block and _continues(open_block, block):
            open_block.lines += block.lines
            continue
        elif not (open_block and _is_note(block, body)):
            open_block = block
        found.append(block)
    return found


def _is_note(block: TextBlock, body: BodyStyle) -> bool:
    return block.lines[0].style.size < _NOTE_SIZE * body.style.size and not block.code


def _continues(block: TextBlock, other: TextBlock) -> bool:
    """Check whether a block at the top of a column or page goes on with the last one of the column before."""
    before, line = block.lines[-1], other.lines[0]
    if (before.page, before.region) == (line.page, line.region) or other.mark or block.code != other.code:
        return False
    if block.code:
        return line.page == before.page + 1
    if abs(before.size - line.size) > 0.3 or before.bold or line.bold:
        return False
    if before.text.endswith(_ENDS) or _had_room(before, line):
        return before.hyphen and line.text[:1].islower()
    return line.text[:1].islower() or before.text.endswith((",", "-")) or not _is_indented(other)


def _is_indented(block: TextBlock) -> bool:
    line = block.lines[0]
    return line.box[0] > line.column[0] + _INDENT * line.size


# Decide which blocks of a PDF are headings, and at which level: by size, weight, number, and the outline.

_LARGER = 1.1  # times the size of the body
_HEADING_MAX_LINES = 4
_MAX_CHARS = 200
_HEADING_MAX_WORDS = 14  # of a heading in the size of the body
_MAX_LEVEL = 6
_MAX_OUTLINE = 20_000  # entries
_HEADING_NUMBER = re.compile(r"^(?:[A-Z]|\d{1,3})((?:\.\d{1,3})*)\.?\s+\S")
LEADERS = re.compile(r"(?:\.\s?){4,}\s*[\divxlc]+$")
"""The dots and the page number that end a line of a table of contents."""
_STOPS = (".", ",", ";", ":")


class OutlineEntry(NamedTuple):
    """A bookmark: the title, the number of its page, and its depth from 1."""

    title: str
    page: int
    level: int


def read_outline(document: Any) -> list[OutlineEntry]:
    """Return the bookmarks of a pypdfium2 document, empty if there are none or they are damaged."""
    import pypdfium2

    found: list[OutlineEntry] = []
    try:
        for entry in document.get_toc(max_depth=_MAX_LEVEL):
            target = entry.get_dest()
            index = target.get_index() if target else None
            found.append(OutlineEntry(_key(entry.get_title()), -1 if index is None else index + 1, entry.level + 1))
            if len(found) >= _MAX_OUTLINE:
                break
    except pypdfium2.PdfiumError:
        return []
    return found


def mark_headings(blocks: Iterable[TextBlock], body: BodyStyle, outline: list[OutlineEntry]) -> None:
    """Set the level of each block that is a heading."""
    by_page: dict[tuple[str, int], int] = {(entry.title, entry.page): entry.level for entry in reversed(outline)}
    found: list[tuple[TextBlock, int]] = []  # with its depth in the outline
    for block in blocks:
        if block.code and not _in_outline(block, by_page):
            continue
        depth = _in_outline(block, by_page)
        if depth or _is_heading(block, body):
            found.append((block, depth))
    levels = _levels(found)
    for block, depth in found:
        block.level = min(levels[_look(block)] if not depth else depth + levels[None], _MAX_LEVEL)
        block.mark, block.code = None, False
    _count_numbers([block for block, depth in found if not depth])


def _key(title: str) -> str:
    """Return a title without its number, case and blanks, by which a bookmark and its heading are compared."""
    return re.sub(r"^[\d.]+|\W+", "", title.casefold())


def _in_outline(block: TextBlock, by_page: dict[tuple[str, int], int]) -> int:
    key = _key(block.text) if len(block.lines) <= _HEADING_MAX_LINES else ""
    return by_page.get((key, block.lines[0].page), 0) if key else 0


def _is_heading(block: TextBlock, body: BodyStyle) -> bool:
    """Check whether a block is set as a heading: larger than the text, or bold where the text is not."""
    text, size = block.text, min(line.size for line in block.lines)
    if len(block.lines) > _HEADING_MAX_LINES or len(text) > _MAX_CHARS or sum(map(str.isalnum, text)) < 2:
        return False
    if (block.mark and block.mark.bullet) or LEADERS.search(text):
        return False
    if size >= _LARGER * body.style.size:
        return not (text.endswith(_STOPS) and len(text.split()) > _HEADING_MAX_WORDS)
    bold = all(line.bold for line in block.lines) and not body.style.bold and size >= 0.95 * body.style.size
    return bold and len(block.lines) <= 2 and len(text.split()) <= _HEADING_MAX_WORDS and not text.endswith(_STOPS)


def _look(block: TextBlock) -> tuple[float, bool]:
    return round(max(line.size for line in block.lines)), block.lines[0].bold


def _levels(found: list[tuple[TextBlock, int]]) -> dict[Any, int]:
    """Return the level of each look, larger first; under None, by how much the levels of the outline are deeper.

    A look that the outline knows has the level of most of its headings there.
    """
    looks = sorted({_look(block) for block, _ in found}, reverse=True)
    known: dict[tuple[float, bool], Counter[int]] = defaultdict(Counter)
    for block, depth in found:
        if depth:
            known[_look(block)][depth] += 1
    top = next((block for block, _ in found), None)
    first_depth = next((depth for block, depth in found), 0)
    tops = sum(counts[1] for counts in known.values())
    shift = int(top is not None and not first_depth and tops > 1 and _look(top) == looks[0])
    levels: dict[Any, int] = {None: shift}
    level = 0
    for look in looks:
        if known[look]:
            level = known[look].most_common(1)[0][0] + shift
        else:
            level += 1
        levels[look] = level
    return levels


def _count_numbers(blocks: list[TextBlock]) -> None:
    """Set numbered headings of one look apart by the parts of their numbers: 2.1 is below 2."""
    by_look: dict[tuple[float, bool], list[tuple[TextBlock, int]]] = defaultdict(list)
    for block in blocks:
        match = _HEADING_NUMBER.match(block.text)
        if match:
            by_look[_look(block)].append((block, match[1].count(".")))
    for numbered in by_look.values():
        least = min(depth for _, depth in numbered)
        for block, depth in numbered:
            block.level = min(block.level + depth - least, _MAX_LEVEL)


# Leave out running heads, feet and page numbers: lines at the edge of many pages that differ in digits only.

_EDGE_LINES = 3  # at the top and at the foot of a page
_MIN_PAGES = 3
_RUNNING_MOST_LINES = 0.6  # share of all lines that heads may be
_MOST_PAGES = 0.4  # share of the pages that have a head in one place: then each line there is one
_RUNNING_NEAR = 8.0  # points by which their height on the page may differ
_RUNNING_NUMBER = re.compile(r"\d+|\b[ivxlc]{1,6}\b")


def drop_running_heads(layouts: list[PageLayout]) -> int:
    """Remove running heads, feet and page numbers from the pages, return how many lines they were.

    Heads of left and right pages, and of chapters, may differ: a head is on three pages, or on both of two.
    """
    texts: dict[tuple[str, bool], list[tuple[float, int, PageLine]]] = defaultdict(list)
    for number, layout in enumerate(layouts):
        for line, above in _edge_lines(layout):
            at = line.box[1] if above else layout.height - line.box[3]
            texts[_RUNNING_NUMBER.sub("#", line.text.casefold()), above].append((at, number, line))
    dropped: set[int] = set()
    needed = min(_MIN_PAGES, max(len(layouts), 2))
    for found in texts.values():
        for at, _, line in found:
            alike = {number: other for height, number, other in found if abs(height - at) <= _RUNNING_NEAR}
            both = len(layouts) > 2 or len({other.text for other in alike.values()}) > 1 or line.size < 10
            if len(alike) >= needed and both:
                dropped.add(id(line))
    dropped |= _in_the_same_place(layouts, dropped)
    if len(dropped) > _RUNNING_MOST_LINES * sum(len(layout.items) for layout in layouts):
        return 0  # what is on every page is the text
    for layout in layouts:
        layout.items = [item for item in layout.items if id(item) not in dropped]
    return len(dropped)


def _in_the_same_place(layouts: list[PageLayout], dropped: set[int]) -> set[int]:
    """Return the lines, such as the names of short chapters, at the place where most pages have a running head."""
    edges = [(layout, line, above) for layout in layouts for line, above in _edge_lines(layout)]
    places = [_place(*edge) for edge in edges]
    taken = Counter(place for place, (_, line, _) in zip(places, edges, strict=True) if id(line) in dropped)
    usual = {place for place, count in taken.items() if count >= max(_MIN_PAGES, _MOST_PAGES * len(layouts))}
    return {id(line) for place, (_, line, _) in zip(places, edges, strict=True) if place in usual}


def _place(layout: PageLayout, line: PageLine, above: bool) -> tuple[int, float, bool]:
    return round((line.box[3] if above else layout.height - line.box[3]) / 2), line.size, above


def _edge_lines(layout: PageLayout) -> list[tuple[PageLine, bool]]:
    """Return the first and last lines of a page by height, and whether each is one of the first."""
    lines = sorted((item for item in layout.items if isinstance(item, PageLine)), key=lambda line: line.box[1])
    tops = sorted({round(line.box[1]) for line in lines})
    above = set(tops[:_EDGE_LINES])
    below = set(tops[-_EDGE_LINES:])
    half = layout.height / 2
    found = [(line, True) for line in lines if round(line.box[1]) in above and line.box[3] < half]
    return found + [(line, False) for line in lines if round(line.box[1]) in below and line.box[1] > half]
