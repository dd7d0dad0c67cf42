"""Write tables with known content as PDF: with rules around each cell, with three rules (booktabs), or with none."""

from __future__ import annotations

import io
import random
from collections.abc import Sequence
from functools import partial
from typing import Any

from table_maker import MadeTable, TableFormat

_Style = tuple[Any, ...]


def pdf(look: str, tables: Sequence[MadeTable]) -> bytes:
    """Return a PDF in which each table stands below a heading; ``look`` is ruled, booktabs or borderless."""
    from reportlab.lib.styles import getSampleStyleSheet
    from reportlab.platypus import Paragraph, SimpleDocTemplate, Table

    sheet = getSampleStyleSheet()
    story: list[Any] = []
    for number, table in enumerate(tables):
        chance = random.Random(f"{look} {number} {sorted(table.answers)}")
        styles = [*_spans(table), *_rules(table, look, chance), *_places(table, look, chance)]
        story.append(Paragraph(f"Part {number}", sheet["Heading1"]))
        story.append(Paragraph("The values of this part of the report were taken in the harbour.", sheet["Normal"]))
        story.append(Table(table.grid(), style=styles, repeatRows=table.header_rows, spaceBefore=8, spaceAfter=8))
        story.append(Paragraph("They were read again by another person on the following day.", sheet["Normal"]))
    buffer = io.BytesIO()
    SimpleDocTemplate(buffer, pagesize=(842, 595), leftMargin=40, rightMargin=40, invariant=1).build(story)
    return buffer.getvalue()


def _spans(table: MadeTable) -> list[_Style]:
    return [
        ("SPAN", (cell.column, cell.row), (cell.column + cell.columns - 1, cell.row + cell.rows - 1))
        for cell in table.cells
        if cell.rows > 1 or cell.columns > 1
    ]


def _rules(table: MadeTable, look: str, chance: random.Random) -> list[_Style]:
    """Return the rules, and what sets the head apart."""
    last = table.header_rows - 1
    bold = ("FONTNAME", (0, 0), (-1, last), "Helvetica-Bold")
    if look == "borderless":
        return [bold]
    if look == "ruled":
        shaded = ("BACKGROUND", (0, 0), (-1, last), "lightgrey")
        marks = [bold] if table.header_rows > 1 else chance.choice(([bold], [shaded], [bold, shaded]))
        return [("GRID", (0, 0), (-1, -1), 0.5, "black"), *marks]
    below_groups = [
        ("LINEBELOW", (cell.column, 0), (cell.column + cell.columns - 1, 0), 0.4, "black")
        for cell in table.cells
        if cell.head and cell.columns > 1
    ]
    ends = [("LINEABOVE", (0, 0), (-1, 0), 1, "black"), ("LINEBELOW", (0, -1), (-1, -1), 1, "black")]
    return [*ends, ("LINEBELOW", (0, last), (-1, last), 0.5, "black"), *below_groups, *chance.choice(([], [bold]))]


def _places(table: MadeTable, look: str, chance: random.Random) -> list[_Style]:
    """Return where the texts stand in their cells: numbers at the left, at the right or in the middle."""
    upright = "TOP" if look != "ruled" else chance.choice(("TOP", "MIDDLE", "BOTTOM"))
    found: list[_Style] = [("VALIGN", (0, 0), (-1, -1), upright)]
    for column in range(1, table.columns):
        found.append(("ALIGN", (column, 0), (column, -1), chance.choice(("LEFT", "RIGHT", "CENTER"))))
    found += [
        ("ALIGN", (cell.column, 0), (cell.column + cell.columns - 1, 0), "CENTER")
        for cell in table.cells
        if cell.head and cell.columns > 1
    ]
    return found


PDF_WRITERS = {
    "ruled": TableFormat(partial(pdf, "ruled")),
    "booktabs": TableFormat(partial(pdf, "booktabs"), row_spans=False),
    "borderless": TableFormat(partial(pdf, "borderless"), row_spans=False),
}
"""From the look of tables in a PDF to how they are written."""
