"""Join tables that go on over the page: the same columns at the top of the next one, the head repeated or not."""

from __future__ import annotations

from kgsynth.documents.readers.pdf.page_records import GridCell, PageLine, PageTable
from kgsynth.documents.readers.pdf.text_blocks import TextBlock

_CONTINUED_NEAR = 4.0  # points by which the edges of the columns may differ

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
        if isinstance(block, PageTable):
            last_page = block.page
    return found


def _goes_on(before: PageTable, table: PageTable, last_page: int) -> bool:
    if table.page != last_page + 1:
        return False
    one, other = _edges(before), _edges(table)
    return len(one) == len(other) and all(
        abs(low - high) <= _CONTINUED_NEAR for low, high in zip(one, other, strict=True)
    )


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
    if rest and _is_cut(rest, repeated):
        last = {cell.column: lines for cell, lines in before.cells if cell.row + cell.rows == rows}
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


def _is_cut(cells: _Cells, row: int) -> bool:
    """Check whether the first row goes on with the last one of the page before: nothing in it begins a text."""
    texts = [" ".join(line.text for line in lines) for cell, lines in cells if cell.row == row]
    return bool(texts) and not texts[0] and any(texts) and all(not text or text[0].islower() for text in texts)
