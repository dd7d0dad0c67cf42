"""What a report is drawn with: tables in Markdown and for a screen, figures, bars. What they tell is not known here."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

_BAR = 20
_EIGHTHS = " ▏▎▍▌▋▊▉"


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a Markdown table; a bar or a line break inside a cell is escaped.

    Example:
        >>> print(table(["a"], [["x|y"]]))
        | a |
        |---|
        | x\\|y |
    """
    lines = [[" ".join(cell.replace("|", "\\|").split()) for cell in row] for row in (head, *rows)]
    shown = [f"| {' | '.join(line)} |" for line in lines]
    return "\n".join([shown[0], "|" + "---|" * len(head), *shown[1:]])


def aligned(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a table whose columns line up, a Chinese character taking two places.

    Example:
        >>> print(aligned(["a", "n"], [["中", "1"]]))
        a   n
        中  1
    """
    lines = [head, *rows]
    widths = [max(_width(line[at]) for line in lines) for at in range(len(head))]
    padded = (
        "  ".join(cell + " " * (width - _width(cell)) for cell, width in zip(line, widths, strict=True))
        for line in lines
    )
    return "\n".join(line.rstrip() for line in padded)


def figure(value: float | None) -> str:
    """Return a figure in three decimals, a very small one in three digits.

    Example:
        >>> figure(0.25), figure(0.000139), figure(0.0), figure(None)
        ('0.250', '0.000139', '0.000', '–')
    """
    if value is None:
        return "–"
    return f"{value:.3g}" if 0 < abs(value) < 0.0005 else f"{value:.3f}"  # a short latency is not none


def bar(value: float | None) -> str:
    """Return a share as a bar of twenty places.

    Example:
        >>> bar(0.55)
        '███████████·········'
    """
    whole, eighths = divmod(round((value or 0.0) * _BAR * 8), 8)
    filled = "█" * whole + (_EIGHTHS[eighths] if eighths else "")
    return filled + "·" * (_BAR - len(filled))


def _width(text: str) -> int:
    return sum(2 if unicodedata.east_asian_width(letter) in "WF" else 1 for letter in text)
