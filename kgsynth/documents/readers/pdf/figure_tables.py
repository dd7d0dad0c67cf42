"""Find tables of figures: rows of a text and of numbers in columns, below heads such as years, with or without rules.

A line with a text alone belongs to the row above or below it if the text had to be broken there; otherwise it heads the
rows below. A table without heads is left to the other finders.
"""

from __future__ import annotations

import re
from itertools import pairwise
from statistics import median
from typing import NamedTuple

from kgsynth.documents.readers.pdf.aligned_tables import (
    NEAR,
    AlignedTable,
    Placed,
    columns_of_lines,
    distance,
    placed_in,
    placed_table,
)
from kgsynth.documents.readers.pdf.head_lines import first_of_units, table_head
from kgsynth.documents.readers.pdf.page_lines import (
    GUTTER_WIDTH,
    Columns,
    Lines,
    Segment,
    Stretch,
    columns_of,
    covered,
    cut_at_gaps,
    cut_at_gutters,
    reading_order,
)
from kgsynth.documents.readers.pdf.page_lines import rows as group_rows
from kgsynth.documents.readers.pdf.page_rules import PageRules, Rule, joined_rules
from kgsynth.documents.readers.pdf.page_words import Box
from kgsynth.language.figures import is_currency, is_figure, is_row_number, is_unit, is_value, is_year, stated_unit

_MIN_ROWS = 2
_FIGURES_APART, _TEXT_APART = 0.4, 0.8  # font sizes between two figures, and between a text and a figure
_SIGN_APART = 3.0  # font sizes between a figure and the sign behind it
_ROWS_APART, _HEADS_APART = 3.0, 2.2  # font sizes between two lines
_MAX_LINES_ALONE = 4
_MAX_HEAD_LINES = 6
_LARGER = 1.15  # times: a heading
_NEARER = 0.1  # font sizes by which a line of a text is nearer than another row
_MOST_WIDTH = 0.8  # of a table, that a rule through it takes
_MAX_BAND = 2.2  # times the height of its lines: the shade behind a row
_COUNTED = re.compile(r"^\(?\d{1,3}\)?$")
_DOTS = re.compile(r"^[.·…]+$")
_EDGE = 1.5  # points within which left edges are one
_MIN_DOTS = 4  # of a leader; fewer are a sign for no figure


class _Line(NamedTuple):
    """A line as a row of a table: the texts at its left, and the figures behind them."""

    row: list[Segment]
    texts: list[Segment]
    figures: list[Segment]

    @property
    def size(self) -> float:
        """Return the font size of its first text."""
        return self.row[0].size

    @property
    def middle(self) -> float:
        """Return the height of its middle."""
        return (self.row[0].top + self.row[0].bottom) / 2

    @property
    def name(self) -> Segment:
        """Return the text that names it: the first that is not its number."""
        return self.texts[is_row_number(self.texts[0].text) and len(self.texts) > 1]

    @property
    def is_row(self) -> bool:
        """Return whether it may begin a table."""
        return len(self.figures) > 2 - bool(self.texts) and not self.is_head

    @property
    def is_head(self) -> bool:
        """Return whether its figures are years."""
        years = all(is_year(figure.text) for figure in self.figures)
        return years and len(self.figures) > bool(self.texts)

    @property
    def is_alone(self) -> bool:
        """Return whether it is a text alone, or with the number of its row."""
        numbered = len(self.texts) == 2 and is_row_number(self.texts[0].text)
        return (len(self.texts) == 1 or numbered) and not self.figures


def figure_tables(segments: list[Segment], rules: PageRules) -> tuple[list[AlignedTable], list[Segment]]:
    """Return the tables of figures among the segments of a page, and the segments outside them."""
    found: list[AlignedTable] = []
    if sum(_read(row).is_row for row in group_rows(segments)) < _MIN_ROWS:
        return found, segments
    taken: set[int] = set()
    for region in reading_order(segments):
        lines, at, free = _with_names([_read(row) for row in group_rows(region)]), 0, 0
        while at < len(lines):
            if not lines[at].is_row or _names_columns(lines, at, rules):
                at += 1
                continue
            end = _with_rest(lines, at, _end(lines, at), rules)
            first, table = _table(lines[free:end], at - free, rules) if end > at else (0, None)
            if table:
                found.append(table)
                taken |= {id(segment) for line in lines[free + first : end] for segment in line.row}
                free = end
            right, unclear = lines[at].row[-1].right, not table and end != at + 1
            at = max(end, at + 1)
            while unclear and at < len(lines) and _gap(*lines[at - 1 : at + 1]) <= _ROWS_APART * lines[at].size:
                unclear = bool(lines[at].figures) or lines[at].row[-1].right < right
                at += unclear  # a part of a table would have wrong heads
    return found, [segment for segment in segments if id(segment) not in taken]


def _with_names(lines: list[_Line]) -> list[_Line]:
    """Return the lines with a line of its own for each text that stands before the name of a row, and before others.

    Rows of numbers alone whose first number repeats are named by the first two.
    """
    named = [line.texts[0] for line in lines if line.figures and len(line.texts) == 1]
    repeated = {one.text for one, other in pairwise(named) if one.text == other.text}
    found = []
    for line in lines:
        first, second = next(iter(line.texts), None), next(iter([*line.texts[1:], *line.figures]), None)
        below = []
        if first and second and line.figures and not (is_row_number(first.text) or is_unit(second.text)):
            below = [each for each in named if first.right < each.left and abs(each.left - second.left) < _EDGE]
        if first and len(below) >= _MIN_ROWS:
            found.append(_Line([first], [first], []))
            others = [*line.texts[1:], *line.figures]
            count = max(len(line.texts) - 1, 1)
            line = _Line(others, others[:count], others[count:])
        elif first and len(line.figures) > 2 and is_year(first.text) and first.text in repeated:
            line = _Line(line.row, [Segment([*first.words, *line.figures[0].words])], line.figures[1:])
        found.append(line)
    return found


def _gap(above: _Line, line: _Line) -> float:
    return distance(above.row, line.row)


def _read(row: list[Segment]) -> _Line:
    led = _without_leaders(row)
    words = [word.text for segment in led for word in segment.words if is_figure(word.text) or is_currency(word.text)]
    signs_first = bool(words) and is_currency(words[0])
    parts = _with_signs([part for segment in led for part in _apart(segment, signs_first)])
    first = len(parts)
    while first and is_value(parts[first - 1].text):
        first -= 1
    texts, figures = parts[:first], parts[first:]
    if not texts and len(figures) > 2 and not all(is_year(part.text) for part in figures):
        texts, figures = figures[:1], figures[1:]  # a year or number names the row
    return _Line(row, texts, figures)


def _apart(segment: Segment, signs_first: bool) -> list[Segment]:
    """Return a segment in parts if figures follow each other in it, or a text, after a gap.

    If ``signs_first``, a currency sign begins a part: it stands before its figure.
    """
    groups = [[segment.words[0]]]
    for before, word in pairwise(segment.words):
        gap = word.left - before.right
        figures = [is_figure(each.text) or is_currency(each.text) for each in (before, word)]
        wide = _FIGURES_APART if all(figures) else _TEXT_APART
        own = signs_first and is_currency(word.text)
        if any(figures) and not word.glued and (own or gap >= wide * segment.size):
            groups.append([word])
        else:
            groups[-1].append(word)
    return [Segment(group) for group in groups] if len(groups) > 1 else [segment]


def _with_signs(parts: list[Segment]) -> list[Segment]:
    """Return the parts of a line with each currency sign, bracket and "%" that stands apart joined to its figure."""
    found: list[Segment] = []
    for part in parts:
        before = found[-1] if found else None
        sign_before = before and is_currency(before.text)
        sign = part.text.strip(")") in ("", "%") and before and part.left - before.right < _SIGN_APART * part.size
        if before and ((sign_before and is_figure(part.text)) or (sign and is_figure(before.text))):
            first, *rest = part.words
            found[-1] = Segment([*before.words, first._replace(glued=True), *rest])
        else:
            found.append(part)
    return found


def _without_leaders(row: list[Segment]) -> list[Segment]:
    """Return a line without the dots that lead from its first text to its figures."""
    words = [word for segment in row for word in segment.words]
    first = next((at for at, word in enumerate(words) if at and _DOTS.match(word.text)), len(words))
    end = next((at for at in range(first, len(words)) if not _DOTS.match(words[at].text)), len(words))
    if end == len(words) or is_figure(words[0].text):
        return row
    near = words[first].left - words[first - 1].right < words[0].style.size
    if sum(len(word.text) for word in words[first:end]) < _MIN_DOTS and not near:
        return row
    left = {id(word) for word in words[first:end]}
    found = []
    for segment in row:
        kept = [word for word in segment.words if id(word) not in left]
        if kept and kept[-1] is words[first - 1]:
            kept[-1] = kept[-1]._replace(text=kept[-1].text.rstrip(".…") or kept[-1].text)
        found += [Segment(kept)] if kept else []
    return found


def _names_columns(lines: list[_Line], at: int, rules: PageRules) -> bool:
    """Check whether the figures of a line are the heads of columns: nothing names them, but the figures below.

    A line with a name is one if it is bold or above a rule through the table while the next is not.
    """
    below = next(
        (number for number in range(at + 1, min(at + _MAX_LINES_ALONE + 1, len(lines))) if lines[number].figures), at
    )
    parts, following = [*lines[at].texts, *lines[at].figures], lines[below].texts
    if below == at or not following or (at and lines[at - 1].figures and not lines[at - 1].is_head):
        return False
    if following[0].right < parts[0].left and all(is_figure(part.text) for part in parts):
        return True
    plain = all(_COUNTED.match(part.text) for part in lines[at].figures)
    if not plain or any(map(_COUNTED.match, (part.text for part in lines[below].figures))):
        return False
    bold = [all(part.style.bold for part in line) for line in (parts, [*following, *lines[below].figures])]
    return bold == [True, False] or _parted(lines, at, _through(rules.across, parts[0].left, parts[-1].right))


def _end(lines: list[_Line], at: int) -> int:
    """Return the end of the rows from ``at`` on: they share columns, and texts alone are between them."""
    columns = columns_of([*lines[at].texts, *lines[at].figures], GUTTER_WIDTH)
    end = at + 1
    for number in range(at + 1, len(lines)):
        line, size = lines[number], lines[number].size
        apart = _gap(lines[number - 1], line) > _ROWS_APART * size
        if apart or size > _LARGER * lines[at].size or number - end >= _MAX_LINES_ALONE or line.is_head:
            break
        if line.is_alone and line.texts[0].right < columns[-1][0]:
            if any(line.texts[0].left > each.texts[-1].right for each in lines[at:end] if each.texts):
                break
            continue
        merged = columns_of([*line.texts, *line.figures, *(Stretch(*column) for column in columns)], GUTTER_WIDTH)
        outside = not line.texts and 2 * len(line.figures) < len(columns)
        if (
            not line.figures
            or outside
            or len(merged) < len(columns)
            or _names_columns(lines, number, PageRules([], [], []))
        ):
            break
        columns, end = merged, number + 1
    if end == len(lines):
        return end
    *gaps, last = (_gap(*pair) for pair in pairwise(lines[at : end + 1]))
    firsts = [each.texts[0].right for each in lines[at:end] if each.texts]
    inside = len(lines[end].row) > 2 or lines[end].row[0].left > min(firsts, default=columns[0][0])
    if inside and last <= max(gaps, default=last) + 1 and not lines[end].is_head:
        return at  # the table goes on with other rows
    return end


def _table(lines: list[_Line], at: int, rules: PageRules) -> tuple[int, AlignedTable | None]:
    """Return the first line and the table whose first row is the line ``at``, None if it has no clear head."""
    rows = [line for line in lines[at:] if line.figures]
    mono = all(segment.style.mono for line in lines[at:] for segment in line.row)
    if len(rows) < _MIN_ROWS + mono:
        return 0, None
    names = [is_row_number(line.texts[0].text) and len(line.texts) > 1 for line in rows if line.texts]
    name = int(sum(names) * 2 > len(names))
    left = min(part.left for line in rows for part in (*line.texts[1 + name :], *line.figures))
    right = max((line.texts[name].right for line in rows if len(line.texts) > name), default=left)
    first, below = _head_lines(lines, at, (min(right, left), left), rules)
    if first == below and (at > 1 or len(rows) <= _MIN_ROWS):
        return 0, None  # only at the top of a page may it be the rest of a table
    body: Lines = [[*line.texts, *line.figures] for line in rows]
    cut = cut_at_gutters(
        [*([part for each in line.row for part in cut_at_gaps(each)] for line in lines[first:below]), *body]
    )
    head = cut[: below - first]
    for number, line in enumerate(rows, below - first):
        if line.texts and is_year(line.texts[0].words[0].text):  # "2013 51" is one name
            cut[number] = [line.texts[0], *(part for part in cut[number] if part.left > line.texts[0].right)]
    columns = columns_of_lines([], cut[below - first :])
    unit = bool(first_of_units(head, columns))
    columns = columns_of_lines(head[-2:-1] if unit else head[-1:], cut[below - first :])
    filled = {covered(columns, part.left, part.right)[0] for line in cut[below - first :] for part in line}
    if len(columns) > 2 and 1 not in filled:
        columns[:2] = [(columns[0][0], columns[1][1])]  # a head beside the names of the rows
    if len(columns) < 2:
        return 0, None
    through = _through(rules.across, columns[0][0], columns[-1][1])
    parts = dict(zip(map(id, rows), cut[below - first :], strict=True))
    lines = [_split_at(line, parts[id(line)]) if id(line) in parts else line for line in lines[below:]]
    placed = _joined(lines, columns, through, rules.shaded)
    texts = [[cell for row in placed if (cell := row[at]) and not is_value(cell[0].text)] for at in range(len(columns))]
    values = next((at for at in range(1, len(columns)) if 2 * len(texts[at]) < len(placed)), 1)
    sure = all(len(cell) < 2 or not any(is_figure(part.text) for part in cell) for row in placed for cell in row[1:])
    return first, placed_table(table_head(head, columns, rules, values), placed, columns, sure=sure)


def _head_lines(lines: list[_Line], at: int, ends: tuple[float, float], rules: PageRules) -> tuple[int, int]:
    """Return the first line of the head above the row ``at``, and the line after it; both are ``at`` for none.

    ``ends`` are where the first texts of the rows end, and where what follows them begins.
    """
    right, left = ends
    first = below = at
    for number in range(at - 1, max(at - _MAX_HEAD_LINES - _MAX_LINES_ALONE, 0) - 1, -1):
        row, size = [part for each in lines[number].row for part in cut_at_gaps(each)], lines[number].size
        over = [part for part in row if part.left >= right - size / 2]
        beside = [part for part in row if part.right <= min([left, *(each.left for each in over)])]
        corner = first < at and (not over or number + 1 < first)  # a line of the first head alone
        near = _gap(lines[number], lines[number + 1]) <= (NEAR if corner else _HEADS_APART) * size
        small = all(_COUNTED.match(each.text) for each in lines[number].figures)
        lone = first < at and (number == 0 or not lines[number - 1].figures)
        counted = (lone and small) or _names_columns(lines, number, rules)
        data = lines[number].texts and not counted and not all(is_year(each.text) for each in lines[number].figures)
        if near and data and len(row) > 1:
            return at, at  # a row that does not fit: a part of a table would have wrong heads
        if not near or data or (len(over) + len(beside) < len(row) and len(row) == 1):
            break
        if len(over) + len(beside) < len(row):
            return at, at  # it is not clear where its texts belong
        if len(row) == 1 and first < at and _is_unit(row[0].text):
            break  # it is above the table
        if over:
            first, below = number, below if first < at else number + 1
    return first, below


def _is_unit(text: str) -> bool:
    return text[0] in "([" and text[-1] in ")]" and bool(stated_unit(text))


def _split_at(line: _Line, parts: list[Segment]) -> _Line:
    """Return a line with its texts cut as ``parts`` are."""
    first = line.figures[0].left
    return _Line(
        line.row, [part for part in parts if part.left < first], [part for part in parts if part.left >= first]
    )


def _through(across: list[Rule], left: float, right: float) -> list[float]:
    """Return the heights of the rules that run through most of the width between two places."""
    width = right - left
    return [y for y, low, high in joined_rules(across) if min(high, right) - max(low, left) > _MOST_WIDTH * width]


def _parted(lines: list[_Line], at: int, through: list[float]) -> bool:
    """Check whether a rule runs between a line and the next one."""
    middles = [line.middle for line in lines[at : at + 2]]
    return any(middles[0] < y < middles[-1] for y in through)


def _joined(lines: list[_Line], columns: Columns, through: list[float], shaded: list[Box]) -> list[Placed]:
    """Return the rows, with each line of a text that was broken joined to the row it belongs to."""
    joins, gaps = _joins(lines, columns, through, shaded)
    found: list[Placed] = []
    waiting: list[Segment] = []
    for at, line in enumerate(lines):
        row = placed_in([*line.texts, *line.figures], columns)
        before, after = at > 0 and joins[at - 1], at < len(joins) and joins[at]
        if before and after and line.is_alone:
            nearer = gaps[at - 1] - gaps[at]
            before, after = nearer <= 0 or not lines[at - 1].figures, nearer > 0 or not lines[at + 1].figures
        if line.is_alone and before and not waiting and found and not after:
            column = next(number for number, cell in enumerate(row) if cell)
            found[-1][column] += line.texts
        elif line.is_alone and after:
            waiting = [*line.texts, *waiting]
        else:
            for text in waiting:
                column = covered(columns, text.left, text.right)[0]
                row[column] = [text, *row[column]]
            found.append(row)
            waiting = []
    return found


def _with_rest(lines: list[_Line], at: int, end: int, rules: PageRules) -> int:
    """Return the end of the rows with the lines in which the text of the last one goes on."""
    if end - at < _MIN_ROWS:
        return end
    columns = columns_of([part for line in lines[at:end] for part in (*line.texts, *line.figures)], GUTTER_WIDTH)
    through = _through(rules.across, columns[0][0], columns[-1][1])
    while end < len(lines) and len(columns) > 1 and lines[end].is_alone and lines[end].texts[0].right < columns[-1][0]:
        if not _joins(lines[at : end + 1], columns, through, rules.shaded)[0][-1]:
            break
        end += 1
    return end


def _joins(
    lines: list[_Line], columns: Columns, through: list[float], shaded: list[Box]
) -> tuple[list[bool], list[float]]:
    """Return for each line but the last whether its text goes on in the next one, and the gap between them."""
    texts = [text for line in lines for text in line.texts if line.figures or text.left < columns[0][1]]
    limit = min(max((text.right for text in texts), default=columns[0][1]), columns[1][0])
    pairs = list(pairwise(range(len(lines))))
    both = [at for at, low in pairs if lines[at].figures and lines[low].figures]
    parted = [_parted(lines, at, through) for at, _ in pairs]
    ruled = bool(both) and sum(parted[at] for at in both) > _MOST_WIDTH * len(both)
    gaps = [_gap(*pair) for pair in pairwise(lines)]
    usual = median(gaps[at] for at in both) if both else None
    joins = []
    alone = {id(low) for up, low in pairwise(lines) if up.is_alone}
    labels = [line.name for line in lines if line.figures and line.texts and id(line) not in alone]
    capital = sum(not label.text[0].islower() for label in labels) > _MOST_WIDTH * len(labels)
    for at, low in pairs:
        upper, lower = lines[at], lines[low]
        one, other = _beside_each_other(upper, lower)
        if one is None or other is None or parted[at] or not _may_go_on(one, other):
            joins.append(False)
        elif ruled or any(_in_band(band, lines[at], lines[low]) for band in shaded):
            joins.append(True)
        else:
            more = usual - gaps[at] if usual is not None else 0.0
            small = capital and not one.style.bold
            starts = [line.texts[0].left for line in lines if line.figures and line.texts and line is not lower]
            goes_on = capital and other.text[0].islower()
            stands_in = other.left > one.left + 2 and any(abs(left - other.left) < 1 for left in starts) and not goes_on
            joins.append(not (stands_in and abs(more) < 1) and _goes_on(one, other, limit - small * limit, more))
    return joins, gaps


def _beside_each_other(upper: _Line, lower: _Line) -> tuple[Segment | None, Segment | None]:
    """Return the texts of two lines that may be one, since one of the lines has no other."""
    if not (upper.is_alone or lower.is_alone) or not (upper.texts and lower.texts):
        return None, None
    near = [
        (one, other)
        for one in upper.texts
        for other in lower.texts
        if one.left < other.right and other.left < one.right
    ]
    return near[0] if near else (None, None)


def _may_go_on(text: Segment, following: Segment) -> bool:
    alike = text.style.bold == following.style.bold
    return alike and not text.text.endswith((":", "：")) and following.left <= text.right


def _in_band(band: Box, *lines: _Line) -> bool:
    """Check whether a shaded area is that of the row which the lines make, and not of more."""
    middles, row = [line.middle for line in lines], lines[0].row
    inside = band[0] <= row[0].right and row[0].left <= band[2] and band[1] < middles[0] < middles[-1] < band[3]
    return inside and band[3] - band[1] < _MAX_BAND * (lines[-1].row[0].bottom - row[0].top)


def _goes_on(text: Segment, following: Segment, limit: float, more: float) -> bool:
    """Check whether a text goes on in the next line: nearer than rows are, or in small letters that had no room.

    ``more`` is how much larger the gap between rows is.
    """
    word = following.words[0]
    room = limit - text.right > 0.3 * text.size + word.right - word.left
    return more > _NEARER * text.size or (not room and more > -1 and following.text[0].islower())
