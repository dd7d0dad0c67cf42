"""Group the lines of a PDF to paragraphs, items, headings-to-be and code, and join what a column or page cut in two."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from statistics import median

from kgsynth.documents.readers.pdf.hyphens import KnownWords
from kgsynth.documents.readers.pdf.list_marks import ListMark, list_mark
from kgsynth.documents.readers.pdf.page_records import PageLayout, PageLine, PageTable
from kgsynth.documents.readers.pdf.page_words import TextStyle

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
