"""Tables with known content, made at random by a seed, and written in each format that has tables.

``table_of(seed)`` makes a table; ``WRITERS`` says for each file extension how tables become the bytes of a file.
"""

from __future__ import annotations

import csv
import html
import io
import random
import zipfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

_NAMES = "Team Pro Basic Harbour Depot Mill Bridge Tower Forest Lake Meadow Canyon Delta Ridge Summit Valley".split()
_MORE = "North South East West Upper Lower Old New Inner Outer".split()
_HEADS = (
    "Price (EUR)", "Latency (ms)", "Seats", "Storage [GB]", "Share", "Owner", "Colour", "Released", "Limit per day",
    "Weight (kg)", "Support", "Region",
)  # fmt: skip
_GROUPS = ("2023", "2024", "Monthly", "Yearly", "Europe", "Asia", "Small sites", "Large sites")
_WORDS = "red blue green fast slow none daily weekly by mail on request in Reykjavik up to 5 users".split()


@dataclass(frozen=True)
class MadeCell:
    """A cell with its place and reach; ``head`` is whether it is the head of columns or of a row."""

    text: str
    row: int
    column: int
    rows: int = 1
    columns: int = 1
    head: bool = False


@dataclass(frozen=True)
class MadeTable:
    """A table; ``answers`` are (row head, column heads) -> what stands there, for every cell with text."""

    cells: tuple[MadeCell, ...]
    rows: int
    columns: int
    header_rows: int
    answers: dict[tuple[str, tuple[str, ...]], str]

    def grid(self) -> list[list[str]]:
        """Return the text of each place, "" where a cell of another place reaches."""
        made = [[""] * self.columns for _ in range(self.rows)]
        for cell in self.cells:
            made[cell.row][cell.column] = cell.text
        return made


def table_of(
    seed: int, *, spans: bool = True, row_spans: bool = True, headers: int = 0, lines: bool = True, blanks: bool = True
) -> MadeTable:
    """Return a table: ``spans`` for merged cells, ``lines`` for cells of two lines, ``blanks`` for empty cells.

    ``headers`` is the number of header rows, 0 for one or two by chance; two need ``spans``. Without ``row_spans``
    only heads are merged.
    """
    chance = random.Random(seed)
    columns, body = chance.randint(3, 6), chance.randint(2, 7)
    headers = headers or (chance.choice((1, 2)) if spans else 1)
    heads = chance.sample(_HEADS, columns - 1)
    cells: list[MadeCell] = []
    above: list[tuple[str, ...]] = [()]
    cells.append(MadeCell("Name", 0, 0, headers, 1, True))
    if headers == 2:
        column = 1
        groups = chance.sample(_GROUPS, len(_GROUPS))
        while column < columns:
            width = min(chance.choice((1, 2, 2, 3)), columns - column)
            if column == 1 and columns > 2:
                width = max(width, 2)  # one head over several, or it is no second row
            if width == 1:
                cells.append(MadeCell(heads[column - 1], 0, column, 2, 1, True))
                above.append((heads[column - 1],))
            else:
                group = groups.pop()
                cells.append(MadeCell(group, 0, column, 1, width, True))
                for each in range(column, column + width):
                    cells.append(MadeCell(heads[each - 1], 1, each, head=True))
                    above.append((group, heads[each - 1]))
            column += width
    else:
        cells += [MadeCell(head, 0, number, head=True) for number, head in enumerate(heads, 1)]
        above += [(head,) for head in heads]
    names = chance.sample([f"{more} {name}" for more in _MORE for name in _NAMES], body)
    answers: dict[tuple[str, tuple[str, ...]], str] = {}
    taken: set[tuple[int, int]] = set()
    for number, name in enumerate(names):
        row = headers + number
        cells.append(MadeCell(name, row, 0, head=True))
        for column in range(1, columns):
            if (row, column) in taken:
                continue
            text = _value(chance, column, seed, lines)
            if blanks and chance.random() < 0.1:
                continue
            reach = 2 if spans and row_spans and number + 1 < body and chance.random() < 0.1 else 1
            taken.add((row + reach - 1, column))
            cells.append(MadeCell(text, row, column, reach, 1))
            for each in range(number, number + reach):
                answers[names[each], above[column]] = " ".join(text.split())
    return MadeTable(tuple(cells), headers + body, columns, headers, answers)


def _value(chance: random.Random, column: int, seed: int, lines: bool) -> str:
    """Return a value; each column has one kind of them."""
    kind = random.Random(seed * 31 + column).randrange(6)
    number = chance.randint(1, 9999)
    made = (
        str(number), f"{number / 8:.15g}", f"${number}", f"{number % 100} %", f"{number} ms",
        " ".join(chance.sample(_WORDS, chance.randint(2, 4))),
    )[kind]  # fmt: skip
    return f"{made}\n{chance.choice(_WORDS)} {number}" if lines and kind > 3 and chance.random() < 0.2 else made


# ---- writers ---------------------------------------------------------------------------------------


def xlsx(tables: Sequence[MadeTable]) -> bytes:
    """Return a workbook with a sheet for every two tables, the second below the first."""
    import openpyxl

    book: Any = openpyxl.Workbook()
    book.remove(book.active)
    for number in range(0, len(tables), 2):
        sheet, row = book.create_sheet(f"Sheet {number}"), 1 + number % 3
        for table in tables[number : number + 2]:
            for cell in table.cells:
                place = {"row": row + cell.row, "column": 1 + number % 4 + cell.column}
                sheet.cell(**place, value=_typed(cell.text))
                if cell.rows > 1 or cell.columns > 1:
                    last = {"end_row": place["row"] + cell.rows - 1, "end_column": place["column"] + cell.columns - 1}
                    sheet.merge_cells(start_row=place["row"], start_column=place["column"], **last)
            row += table.rows + 1 + number % 2
    made = io.BytesIO()
    book.save(made)
    return made.getvalue()


def _typed(text: str) -> object:
    return float(text) if text.replace(".", "", 1).isdigit() and not text.startswith("20") else text


def ods(tables: Sequence[MadeTable]) -> bytes:
    """Return a workbook of OpenDocument, written by hand, with a sheet for each table."""
    sheets = []
    for number, table in enumerate(tables):
        rows = []
        for row in table.grid():
            cells = "".join(f"<table:table-cell{_ods_value(text)}</table:table-cell>" for text in row)
            rows.append(f"<table:table-row>{cells}</table:table-row>")
        sheets.append(f'<table:table table:name="T{number}">{"".join(rows)}</table:table>')
    names = "".join(
        f' xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"' for name in ("office", "table", "text")
    )
    body = f"<office:body><office:spreadsheet>{''.join(sheets)}</office:spreadsheet></office:body>"
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        archive.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
        archive.writestr("META-INF/manifest.xml", "<manifest/>")
        archive.writestr("content.xml", f"<office:document-content{names}>{body}</office:document-content>")
    return made.getvalue()


def _ods_value(text: str) -> str:
    shown = "".join(f"<text:p>{html.escape(line)}</text:p>" for line in text.split("\n"))
    if isinstance(_typed(text), float):
        return f' office:value-type="float" office:value="{text}">{shown}'
    return f' office:value-type="string">{shown}' if text else ">"


def delimited(tables: Sequence[MadeTable]) -> bytes:
    """Return comma-separated values, the tables parted by empty lines."""
    made = io.StringIO()
    writer = csv.writer(made)
    for table in tables:
        writer.writerows([*table.grid(), []])
    return made.getvalue().encode()


def page(tables: Sequence[MadeTable]) -> bytes:
    """Return an HTML page."""
    parts = []
    for table in tables:
        rows = []
        for row in range(table.rows):
            cells = sorted((cell for cell in table.cells if cell.row == row), key=lambda cell: cell.column)
            written, column = [], 0
            covered = {
                place
                for cell in table.cells
                for place in range(cell.column, cell.column + cell.columns)
                if cell.row < row < cell.row + cell.rows
            }
            for cell in cells:
                written += ["<td></td>" for place in range(column, cell.column) if place not in covered]
                tag = "th" if cell.head else "td"
                text = html.escape(cell.text).replace("\n", "<br>")
                written.append(f'<{tag} rowspan="{cell.rows}" colspan="{cell.columns}">{text}</{tag}>')
                column = cell.column + cell.columns
            rows.append(f"<tr>{''.join(written)}</tr>")
        parts.append(f"<table>{''.join(rows)}</table>")
    return f"<h1>Tables</h1>{''.join(parts)}".encode()


def pipes(tables: Sequence[MadeTable]) -> bytes:
    """Return a Markdown file; lines of a cell are parted by a tag, as Markdown has no other way."""
    parts = ["# Tables"]
    for table in tables:
        rows = [" | ".join(cell.replace("\n", "<br>") for cell in row) for row in table.grid()]
        parts.append("\n".join(f"| {row} |" for row in (rows[0], " | ".join(["---"] * table.columns), *rows[1:])))
    return "\n\n".join(parts).encode()


def grid_tables(tables: Sequence[MadeTable]) -> bytes:
    """Return reStructuredText with grid tables; merged cells have no line between them."""
    return "\n\n".join(["Tables\n======", *(_grid_table(table) for table in tables)]).encode()


_WIDTH, _STEP = 60, 4  # characters of a column, and lines of a row


def _grid_table(table: MadeTable) -> str:
    """Draw the lines around each cell, then the corners, then the texts."""
    right, bottom = table.columns * _WIDTH, table.rows * _STEP
    canvas = [[" "] * (right + 1) for _ in range(bottom + 1)]
    covered = {
        (row, column)
        for cell in table.cells
        for row in range(cell.row, cell.row + cell.rows)
        for column in range(cell.column, cell.column + cell.columns)
    }
    empty = [
        MadeCell("", row, column)
        for row in range(table.rows)
        for column in range(table.columns)
        if (row, column) not in covered
    ]
    cells = [*table.cells, *empty]
    boxes = [
        (cell.row * _STEP, cell.column * _WIDTH, (cell.row + cell.rows) * _STEP, (cell.column + cell.columns) * _WIDTH)
        for cell in cells
    ]
    for top, left, low, far in boxes:
        for line in (top, low):
            canvas[line][left : far + 1] = ("=" if line == table.header_rows * _STEP else "-") * (far - left + 1)
    for top, left, low, far in boxes:
        for line in range(top + 1, low):
            canvas[line][left] = canvas[line][far] = "|"
    for top, left, low, far in boxes:
        for line, at in ((top, left), (top, far), (low, left), (low, far)):
            canvas[line][at] = "+"
    for cell in cells:
        for number, text in enumerate(cell.text.split("\n")):
            at = cell.column * _WIDTH + 2
            canvas[cell.row * _STEP + 1 + number][at : at + len(text)] = text
    return "\n".join("".join(line).rstrip() for line in canvas)


def docx(tables: Sequence[MadeTable]) -> bytes:
    """Return a Word file; the header rows repeat on each page, as Word marks them."""
    from docx import Document
    from docx.oxml import OxmlElement

    made: Any = Document()
    made.add_heading("Tables", 1)
    for table in tables:
        made.add_paragraph("")
        grid = made.add_table(table.rows, table.columns)
        for cell in table.cells:
            place = grid.cell(cell.row, cell.column)
            if cell.rows > 1 or cell.columns > 1:
                place = place.merge(grid.cell(cell.row + cell.rows - 1, cell.column + cell.columns - 1))
            place.text = cell.text
        for row in range(table.header_rows):
            grid.rows[row]._tr.get_or_add_trPr().append(OxmlElement("w:tblHeader"))
    data = io.BytesIO()
    made.save(data)
    return data.getvalue()


def pptx(tables: Sequence[MadeTable]) -> bytes:
    """Return slides, each with a table whose first row is marked as its header."""
    from pptx import Presentation

    made: Any = Presentation()
    for number, table in enumerate(tables):
        slide = made.slides.add_slide(made.slide_layouts[5])
        slide.shapes.title.text = f"Table {number}"
        grid = slide.shapes.add_table(table.rows, table.columns, 0, 0, 9_000_000, 3_000_000).table
        for cell in table.cells:
            place = grid.cell(cell.row, cell.column)
            if cell.rows > 1 or cell.columns > 1:
                place.merge(grid.cell(cell.row + cell.rows - 1, cell.column + cell.columns - 1))
            place.text = cell.text
    data = io.BytesIO()
    made.save(data)
    return data.getvalue()


@dataclass(frozen=True)
class TableFormat:
    """How a format writes tables, and what it cannot: merged cells, several header rows, cells of two lines."""

    write: Callable[[Sequence[MadeTable]], bytes]
    spans: bool = True
    headers: int = 0
    lines: bool = True
    row_spans: bool = True

    def tables(self, seeds: Sequence[int]) -> list[MadeTable]:
        """Return a table for each seed that this format can hold."""
        traits = {"spans": self.spans, "row_spans": self.row_spans, "lines": self.lines}
        return [table_of(seed, headers=self.headers, **traits) for seed in seeds]


WRITERS = {
    ".csv": TableFormat(delimited, spans=False),
    ".docx": TableFormat(docx),
    ".html": TableFormat(page),
    ".md": TableFormat(pipes, spans=False),
    ".ods": TableFormat(ods, spans=False),
    ".pptx": TableFormat(pptx, headers=1),
    ".rst": TableFormat(grid_tables),
    ".xlsx": TableFormat(xlsx),
}
"""From the extension of a format with tables to how it is written; a format without a reader is not tested."""
