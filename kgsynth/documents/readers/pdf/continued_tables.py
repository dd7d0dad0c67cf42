"""Join tables that go on over the page: the same columns at the top of the next one, the head repeated or not."""

from __future__ import annotations

from kgsynth.documents.readers.pdf.page_records import GridCell, PageLine, PageTable
from kgsynth.documents.readers.pdf.text_blocks import TextBlock
from kgsynth.language.figures import is_row_number

_CONTINUED_NEAR = 4.0  # points by which the edges of the columns may differ
_GOES_ON = (",", ";", "(", "-")  # at the end of a text that a page cut

_Cells = list[tuple[GridCell, list[PageLine]]]


def join_tables(blocks: list[TextBlock | PageTable]) -> list[TextBlock | PageTable]:
    """Return the blocks with each table that follows its first part on the page before joined to it."""
    found: list[TextBlock | PageTable] = []
    last_page = 0
    for block in blocks:
        before = found[-1] if found else None
        if isinstance(block, PageTable) and isinstance(before, PageTable) and _goes_on(before, block, last_page):
            _append(before, block)
        else:
            found.append(block)
            if isinstance(block, PageTable) and not block.ruled:
                block.sure = block.sure and _has_first(block)
        if isinstance(block, PageTable):
            last_page = block.page
    return found


def _goes_on(before: PageTable, table: PageTable, last_page: int) -> bool:
    one, other = _edges(before), _edges(table)
    repeated = _repeated(before.cells, table.cells)
    if table.page != last_page + 1 or (table.head_rows and not repeated):
        return False
    if table.head_rows and repeated >= table.head_rows:
        return len(one) == len(other)
    return len(one) == len(other) and all(
        abs(low - high) <= _CONTINUED_NEAR for low, high in zip(one, other, strict=True)
    )


def _has_first(table: PageTable) -> bool:
    """Check whether each row below the heads has a text in its first column, or in the one after row numbers."""
    rows = [(cell, lines) for cell, lines in table.cells if cell.row >= table.head_rows and lines]
    numbers = [lines[0].text for cell, lines in rows if cell.column == 0]
    named = {cell.row for cell, _ in rows if cell.column <= bool(numbers) * all(map(is_row_number, numbers))}
    return named == {cell.row for cell, _ in table.cells if cell.row >= table.head_rows}


def _edges(table: PageTable) -> list[float]:
    """Return the left edges of the columns."""
    edges: dict[int, float] = {}
    for cell, _ in table.cells:
        edges[cell.column] = min(edges.get(cell.column, cell.box[0]), cell.box[0])
    return [edges[column] for column in sorted(edges)]


def _append(before: PageTable, table: PageTable) -> None:
    """Add the rows of the second part, without the rows of a head that it repeats."""
    repeated = _repeated(before.cells, table.cells)
    rest = [(cell, lines) for cell, lines in table.cells if cell.row >= repeated]
    rows = max(cell.row + cell.rows for cell, _ in before.cells)
    last = {cell.column: lines for cell, lines in before.cells if cell.row + cell.rows == rows}
    if rest and _is_cut(list(last.values()), rest, repeated):
        for cell, lines in rest:
            if cell.row == repeated and cell.column in last:
                last[cell.column] += lines
        rest = [(cell, lines) for cell, lines in rest if cell.row > repeated]
        rows -= 1
    before.cells += [(cell._replace(row=cell.row - repeated + rows), lines) for cell, lines in rest]
    shaded = {(row - repeated + rows, column) for row, column in table.shaded if row >= repeated}
    before.shaded = before.shaded | shaded


def _repeated(one: _Cells, other: _Cells) -> int:
    """Return the number of rows at the top that are the same in both."""
    count = 0
    while count < 4 and _row(one, count) and _row(one, count) == _row(other, count):
        count += 1
    return count


def _row(cells: _Cells, row: int) -> list[str]:
    return [" ".join(line.text for line in lines) for cell, lines in cells if cell.row == row]


def _is_cut(last: list[list[PageLine]], cells: _Cells, row: int) -> bool:
    """Check whether the first row goes on with the last one of the page before.

    It is one text in small letters, it has no text in the first column nor where the last row has no text, or a text
    of the last row has no end.
    """
    texts = _row(cells, row)
    if not any(texts):
        return False
    if any(lines and lines[-1].text.endswith(_GOES_ON) for lines in last):
        return True
    if sum(map(bool, texts)) == 1 and max(texts)[0].islower():
        return True
    filled = all(lines or not text for lines, text in zip(last, texts, strict=False))
    begins = [text for text in texts if text and not text[0].islower()]
    return not texts[0] and filled and len(begins) < max(2, len(texts) - 1)
