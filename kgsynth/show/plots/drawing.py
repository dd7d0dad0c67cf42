"""The drawing under every plot: a figure of matplotlib, its calm axes, and its image in the colours of the page."""

from __future__ import annotations

import csv
import io
import logging
import re
import unicodedata
import warnings
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.axes import Axes as Axes
    from matplotlib.figure import Figure as Figure

COLOURS = {
    "ink": "#1d2327", "soft": "#5b666e", "line": "#dfe3e3", "accent": "#1f6f78", "good": "#2c7a4b", "warn": "#9a6400",
    "bad": "#b3261e",
}  # fmt: skip
"""The light colours of ``pages/style.css``; in an SVG each becomes the variable of that name."""
WIDTH = 4.9
"""Inches of a picture: half of a page's column, and still to be read at the width of a phone."""
_ROW, _LETTER, _LONGEST = 0.27, 0.08, 28
"""Inches of a row, of a letter of its label, and how many letters a label has at most."""
_CJK = ("Noto Sans CJK SC", "Noto Sans CJK JP", "Source Han Sans SC", "WenQuanYi Zen Hei", "Microsoft YaHei")

Row = Sequence[str | float | None]


@dataclass(frozen=True, slots=True)
class Plot:
    """A picture of figures: ``svg`` to put into a page, ``png`` and ``csv`` (the figures themselves) for elsewhere."""

    name: str
    title: str
    svg: str
    png: bytes
    csv: str


@contextmanager
def figure(width: float, height: float, layout: Any = None) -> Iterator[Figure]:
    """Give a figure of so many inches, to be drawn on and read with ``image`` inside the block."""
    logging.getLogger("matplotlib").setLevel(logging.ERROR)  # what it says of its own cache of fonts is not for users
    import matplotlib
    from matplotlib.figure import Figure as Drawing

    settings: dict[Any, Any] = {
        "svg.hashsalt": "kgsynth",
        "svg.fonttype": "none",
        "font.size": 10,
        "font.sans-serif": ["DejaVu Sans", *_fonts()],
        "text.parse_math": False,
    }
    with matplotlib.rc_context(settings), warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=r"Glyph \d+ ", category=UserWarning)
        yield Drawing(figsize=(width, height), layout=layout)


def image(drawing: Figure, kind: str, *, paper: bool = True) -> bytes:
    """Return a figure as the bytes of a "png" or "svg", the same each time; without ``paper`` one sees through it."""
    buffer = io.BytesIO()
    dated = {"Date": None} if kind == "svg" else None
    drawing.savefig(buffer, format=kind, dpi=150, transparent=not paper, metadata=dated)
    return buffer.getvalue()


def _fonts() -> list[str]:
    """Return a font with Chinese, Japanese and Korean letters, when there is one."""
    from matplotlib.font_manager import fontManager

    there = {entry.name for entry in fontManager.ttflist}
    return [name for name in _CJK if name in there][:1]


def plotted(name: str, title: str, drawing: Figure, head: Sequence[str], rows: Iterable[Row]) -> Plot:
    """Return a figure as a plot, with the rows it was drawn from as CSV below ``head``."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(head)
    writer.writerows(rows)
    svg = image(drawing, "svg", paper=False).decode()
    return Plot(name, title, _inline(svg, name, title), image(drawing, "png"), text.getvalue())


def _inline(svg: str, name: str, title: str) -> str:
    """Return an SVG to stand in a page: its colours and fonts are the page's, its ids its own."""
    svg = svg[svg.index("<svg") :]
    svg = re.sub(r"\s*<metadata>.*?</metadata>", "", svg, flags=re.DOTALL)
    svg = re.sub(r' id="[A-Za-z0-9.]+_\d+"', "", svg)
    svg = re.sub(r'(id="|url\(#|href="#)', rf"\g<1>{name}-", svg)
    svg = re.sub(r"font-family: [^;\"]+;? ?", "", svg)
    for variable, colour in COLOURS.items():
        svg = svg.replace(colour, f"var(--{variable})")
    return svg.replace("<svg ", f'<svg role="img" aria-label="{escape(title)}" ', 1)


def rows_of(drawing: Figure, labels: Sequence[str], axis: str, *, ticks: bool = False, top: float = 0.06) -> Axes:
    """Return axes with a row for each label, the first at the top, as wide as the labels leave room."""
    width, height = drawing.get_size_inches()
    left = 0.2 + _LETTER * max((_wide(short(label)) for label in labels), default=0)
    foot = 0.08 + (0.26 if ticks else 0) + (0.22 if axis else 0)
    axes = drawing.add_axes((left / width, foot / height, 1 - (left + 0.06) / width, 1 - (foot + top) / height))
    calm(axes)
    axes.set_yticks(range(len(labels)), [short(label) for label in labels])
    axes.tick_params(axis="y", labelcolor=COLOURS["ink"])
    axes.set_ylim(max(1, len(labels)) - 0.5, -0.5)
    axes.set_xlabel(axis)
    return axes


def calm(axes: Axes) -> None:
    """Take the frame and the strokes of its marks from an axis, and give its words the softer ink."""
    axes.spines[:].set_visible(False)
    axes.set_axisbelow(True)
    axes.tick_params(length=0, labelcolor=COLOURS["soft"])
    for each in (axes.xaxis, axes.yaxis):
        each.label.set_color(COLOURS["soft"])


def height_of(rows: int, axis: str) -> float:
    """Return the inches that so many rows need, with an axis named below them."""
    return 0.2 + _ROW * max(1, rows) + (0.5 if axis else 0)


def short(label: str) -> str:
    """Return a label as it is drawn, cut in its middle when it is long."""
    return label if len(label) <= _LONGEST else f"{label[: _LONGEST // 2]}…{label[-_LONGEST // 2 + 1 :]}"


def _wide(label: str) -> int:
    return sum(2 if unicodedata.east_asian_width(letter) in "WF" else 1 for letter in label)
