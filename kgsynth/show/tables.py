"""Draw tables in Markdown and for a terminal, and the numbers and bars in them."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

_BAR_WIDTH = 20
_EIGHTHS = " ▏▎▍▌▋▊▉"


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a Markdown table; a bar inside a cell is escaped, and white space is folded.

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
    """Return a table for a terminal, its columns aligned; a Chinese character takes two places.

    Example:
        >>> print(aligned(["a", "n"], [["中", "1"]]))
        a   n
        中  1
    """
    lines = [head, *rows]
    widths = [max(display_width(line[at]) for line in lines) for at in range(len(head))]
    padded = (
        "  ".join(cell + " " * (width - display_width(cell)) for cell, width in zip(line, widths, strict=True))
        for line in lines
    )
    return "\n".join(line.rstrip() for line in padded)


def figure(value: float | None) -> str:
    """Return a number with three decimals, a very small one with three digits.

    Example:
        >>> figure(0.25), figure(0.000139), figure(0.0), figure(None)
        ('0.250', '0.000139', '0.000', '–')
    """
    if value is None:
        return "–"
    return f"{value:.3g}" if 0 < abs(value) < 0.0005 else f"{value:.3f}"  # a short latency is not 0


def bar(value: float | None) -> str:
    """Return a number from 0 to 1 as a bar of twenty characters.

    Example:
        >>> bar(0.55)
        '███████████·········'
    """
    full, eighths = divmod(round((value or 0.0) * _BAR_WIDTH * 8), 8)
    filled = "█" * full + (_EIGHTHS[eighths] if eighths else "")
    return filled + "·" * (_BAR_WIDTH - len(filled))


def display_width(text: str) -> int:
    """Return the number of places that a text takes in a terminal; a Chinese character takes two.

    Example:
        >>> display_width("中 a")
        4
    """
    return sum(2 if unicodedata.east_asian_width(letter) in "WF" else 1 for letter in text)
