"""What all plots share: a matplotlib figure, axes without a frame, and an SVG in the colours of the page."""

from __future__ import annotations

import csv
import io
import logging
import re
import warnings
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from html import escape
from itertools import accumulate
from typing import TYPE_CHECKING, Any, Literal

from kgsynth.golden.exchange.cells import guarded
from kgsynth.show.tables import display_width
from kgsynth.show.wording import visible

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes as Axes
    from matplotlib.figure import Figure as Figure

COLOURS = {
    "ink": "#1d2327", "soft": "#5b666e", "line": "#dfe3e3", "accent": "#1f6f78", "good": "#2c7a4b", "warn": "#9a6400",
    "bad": "#b3261e",
}  # fmt: skip
"""The light colours of ``show/templates/style.css``; in an SVG each becomes the CSS variable of that name."""
WIDTH = 4.9
"""Width of a plot in inches: half of a page's column, and readable on a phone."""
_ROW_HEIGHT, _LETTER_WIDTH = 0.27, 0.08  # inches, of a row and of a letter in its label
_MAX_LABEL_WIDTH = 28  # in places of a terminal: a Chinese character takes two
_TIP = "tip:"
"""Before the text of a tooltip in the id of an artist; in the SVG of a page it becomes a title."""
_CJK_FONTS = (
    "Noto Sans CJK SC", "Noto Sans CJK JP", "Source Han Sans SC", "Noto Sans SC", "WenQuanYi Zen Hei",
    "WenQuanYi Micro Hei", "PingFang SC", "Hiragino Sans GB", "Microsoft YaHei", "SimHei",
)  # fmt: skip

CsvRow = Sequence[str | float | None]


@dataclass(frozen=True, slots=True)
class Plot:
    """A plot as ``svg`` for a page, and as ``png`` and ``csv`` (its data) for files."""

    name: str
    title: str
    svg: str
    png: bytes
    csv: str


@contextmanager
def figure(width: float, height: float, layout: Any = None) -> Iterator[Figure]:
    """Yield a figure of this size in inches; draw on it and call ``image`` inside the block."""
    logging.getLogger("matplotlib").setLevel(logging.ERROR)  # its messages about the font cache are not for users
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
    """Return a figure as the bytes of a "png" or "svg", always the same; without ``paper`` it is transparent."""
    buffer = io.BytesIO()
    dated = {"Date": None} if kind == "svg" else None
    drawing.savefig(buffer, format=kind, dpi=150, transparent=not paper, metadata=dated)
    return visible(buffer.getvalue().decode()).encode() if kind == "svg" else buffer.getvalue()


def _fonts() -> list[str]:
    """Return the first installed font with Chinese, Japanese and Korean letters, if there is one."""
    from matplotlib.font_manager import fontManager

    there = {entry.name for entry in fontManager.ttflist}
    return [name for name in _CJK_FONTS if name in there][:1]


def make_plot(name: str, title: str, drawing: Figure, head: Sequence[str], rows: Iterable[CsvRow]) -> Plot:
    """Return a figure as a plot; ``head`` and ``rows`` become its CSV."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(head)
    writer.writerows([guarded(cell) if isinstance(cell, str) else cell for cell in row] for row in rows)
    svg = image(drawing, "svg", paper=False).decode()
    return Plot(name, title, _inline_svg(svg, name, title), image(drawing, "png"), text.getvalue())


def _inline_svg(svg: str, name: str, title: str) -> str:
    """Return an SVG for use inside a page: with the colours and fonts of the page, and with unique ids."""
    svg = svg[svg.index("<svg") :]
    svg = re.sub(r"\s*<metadata>.*?</metadata>", "", svg, flags=re.DOTALL)
    svg = re.sub(r' id="[A-Za-z0-9.]+_\d+"', "", svg)
    svg = re.sub(r'(id="|url\(#|href="#)', rf"\g<1>{name}-", svg)
    svg = re.sub(r"font-family: [^;\"]+;? ?", "", svg)
    for variable, colour in COLOURS.items():
        svg = svg.replace(colour, f"var(--{variable})")
    svg = re.sub(rf'<g id="{name}-{_TIP}([^"]*)">', r'<g class="mark"><title>\1</title>', svg)
    return svg.replace("<svg ", f'<svg role="img" aria-label="{escape(title)}" ', 1)


def row_axes(drawing: Figure, labels: Sequence[str], axis: str, *, ticks: bool = False, top: float = 0.06) -> Axes:
    """Return axes with one row per label, the first at the top, in the space to the right of the labels."""
    width, height = drawing.get_size_inches()
    left = 0.2 + _LETTER_WIDTH * max((display_width(short(label)) for label in labels), default=0)
    foot = 0.08 + (0.26 if ticks else 0) + (0.22 if axis else 0)
    box = (left / width, foot / height, 1 - (left + 0.06) / width, 1 - (foot + top) / height)
    axes = new_axes(drawing, box, "x" if ticks else "")
    axes.set_yticks(range(len(labels)), [short(label) for label in labels])
    axes.tick_params(axis="y", labelcolor=COLOURS["ink"])
    axes.set_ylim(max(1, len(labels)) - 0.5, -0.5)
    axes.set_xlabel(axis)
    return axes


def new_axes(drawing: Figure, box: tuple[float, float, float, float], grid: Literal["", "x", "y", "both"] = "") -> Axes:
    """Return axes in ``box`` (left, bottom, width, height), without a frame and tick marks, with lines of the grid."""
    axes = drawing.add_axes(box)
    axes.spines[:].set_visible(False)
    axes.set_axisbelow(True)
    axes.tick_params(length=0, labelcolor=COLOURS["soft"])
    for each in (axes.xaxis, axes.yaxis):
        each.label.set_color(COLOURS["soft"])
    if grid:
        axes.grid(axis=grid, color=COLOURS["line"], linewidth=0.8)
    return axes


def mark(artist: Artist, text: str) -> None:
    """Give a drawn mark a tooltip; in a page it is shown by pointer, touch and keyboard."""
    artist.set_gid(_TIP + text)


def row_mark(axes: Axes, at: int, text: str) -> None:
    """Give a row a tooltip: an invisible stripe over the whole row, so that a thin mark is hit too."""
    mark(axes.axhspan(at - 0.5, at + 0.5, alpha=0, zorder=9), text)


def column_mark(axes: Axes, left: float, right: float, text: str) -> None:
    """Give a column from ``left`` to ``right`` a tooltip."""
    mark(axes.axvspan(left, right, alpha=0, zorder=9), text)


def plot_height(rows: int, axis: str) -> float:
    """Return the height in inches for this number of rows, with the label of the axis if there is one."""
    return 0.2 + _ROW_HEIGHT * max(1, rows) + (0.5 if axis else 0)


def short(label: str) -> str:
    """Return a label as it is drawn, shortened in the middle if it is long."""
    if display_width(label) <= _MAX_LABEL_WIDTH:
        return label
    first, last = _fitting(label, _MAX_LABEL_WIDTH // 2), _fitting(label[::-1], _MAX_LABEL_WIDTH // 2 - 1)
    return f"{label[:first]}…{label[len(label) - last :]}"


def _fitting(text: str, width: int) -> int:
    """Return how many characters at the start of a text take at most ``width`` places."""
    widths = accumulate(map(display_width, text))
    return sum(reached <= width for reached in widths)
