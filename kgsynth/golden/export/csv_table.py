"""Write a table as CSV, in which no cell is a formula."""

from __future__ import annotations

import csv
import io

from kgsynth.golden.exchange.cells import guarded
from kgsynth.golden.export.columns import text_row
from kgsynth.golden.export.export_input import ExportInput, Rendered


def render(source: ExportInput) -> Rendered:
    """Return the file; it begins with a byte-order mark if it is not ASCII, without which Excel garbles it."""
    rows = list(map(text_row, source.items))
    if not source.raw:
        rows = [{name: guarded(cell) for name, cell in row.items()} for row in rows]
    file = io.StringIO()
    writer = csv.DictWriter(file, list(rows[0]), quoting=csv.QUOTE_ALL, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    text = file.getvalue()
    return Rendered({"": text.encode("utf-8" if text.isascii() else "utf-8-sig")})
