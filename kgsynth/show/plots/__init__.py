"""Draw plots for reports with matplotlib; each is a ``Plot`` with SVG, PNG and CSV.

The SVG takes its colours from the page (``show/templates/style.css``), so it suits light and dark, and its text stays
text. The same data give the same bytes. matplotlib is imported when the first plot is drawn; where it is not installed,
a plot has only a sentence in place of its SVG.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from html import escape
from itertools import pairwise
from typing import Any, Concatenate, ParamSpec

from kgsynth.base.errors import installed, lack
from kgsynth.show.plots.drawing import (
    COLOURS,
    WIDTH,
    Plot,
    column_mark,
    figure,
    make_plot,
    mark,
    new_axes,
    plot_height,
    row_axes,
    row_mark,
    short,
)

__all__ = ["Plot", "bars", "columns", "funnel", "histogram", "matrix", "scatter", "whiskers"]

Args = ParamSpec("Args")
Interval = tuple[float, float]
_COUNTS_BOX = (0.1, 0.2, 0.87, 0.74)
_LABELS_IN_TIP = 4
_MAX_COLUMNS = 80  # side by side in the width of a plot; more would be thin lines


def _drawn(draw: Callable[Concatenate[str, str, Args], Plot]) -> Callable[Concatenate[str, str, Args], Plot]:
    """Return the function; without matplotlib, its plots only say how to get them."""

    @wraps(draw)
    def plot(name: str, title: str, /, *args: Args.args, **kwargs: Args.kwargs) -> Plot:
        if installed("matplotlib"):
            return draw(name, title, *args, **kwargs)
        return Plot(name, title, f'<p class="soft">{escape(lack("drawing plots", "matplotlib"))}</p>', b"", "")

    return plot


@_drawn
def bars(
    name: str, title: str, counts: Mapping[str, float], *, wanted: Mapping[str, float] | None = None, axis: str = ""
) -> Plot:
    """Draw a bar for each label with its number; a line marks the number in ``wanted`` if it is different.

    Example:
        >>> bars("types", "Questions by type", {"simple": 24, "reasoning": 12}).csv.splitlines()
        ['label,value', 'simple,24', 'reasoning,12']
    """
    values, goals = list(counts.values()), [(wanted or {}).get(label) for label in counts]
    most = max([*values, *(goal for goal in goals if goal is not None)], default=0) or 1
    with figure(WIDTH, plot_height(len(counts), axis)) as drawing:
        axes = row_axes(drawing, list(counts), axis)
        axes.barh(range(len(values)), values, height=0.62, color=COLOURS["accent"])
        for at, (value, goal) in enumerate(zip(values, goals, strict=True)):
            beside = f"{value:,g}" if goal is None or goal == value else f"{value:,g} of {goal:,g}"
            axes.text(max(value, goal or 0) + 0.015 * most, at, beside, va="center", color=COLOURS["soft"])
            if goal is not None and goal != value:
                axes.plot([goal, goal], [at - 0.4, at + 0.4], color=COLOURS["warn"], linewidth=2)
            row_mark(axes, at, f"{list(counts)[at]}: {value:,g}" + ("" if goal is None else f", wanted {goal:,g}"))
        axes.set_xlim(0, 1.22 * most)
        axes.set_xticks([])
        if wanted is None:
            return make_plot(name, title, drawing, ("label", "value"), zip(counts, values, strict=True))
        return make_plot(name, title, drawing, ("label", "value", "wanted"), zip(counts, values, goals, strict=True))


@_drawn
def funnel(name: str, title: str, steps: Sequence[tuple[str, int]]) -> Plot:
    """Draw a bar for the count of each step; a negative count is a loss, drawn from the end of the bar above.

    Example:
        >>> funnel("funnel", "Two of four stay", [("written", 4), ("duplicate", -2), ("valid", 2)]).csv.splitlines()[2]
        'duplicate,-2'
    """
    most = max((count for _, count in steps), default=0) or 1
    with figure(WIDTH, plot_height(len(steps), "")) as drawing:
        axes = row_axes(drawing, [label for label, _ in steps], "")
        left = 0
        for at, (step, count) in enumerate(steps):
            left = left + count if count < 0 else count
            colour, begin = ("bad", left) if count < 0 else ("accent", 0)
            axes.barh(at, abs(count), left=begin, height=0.66, color=COLOURS[colour], alpha=0.75 if count < 0 else 1)
            text = f"−{-count:,}" if count < 0 else f"{count:,}"
            axes.text(begin + abs(count) + 0.015 * most, at, text, va="center", color=COLOURS["soft"])
            row_mark(axes, at, f"{step}: {text}" + (f", {left:,} are left" if count < 0 else ""))
        axes.set_xlim(0, 1.18 * most)
        axes.set_xticks([])
        return make_plot(name, title, drawing, ("step", "count"), steps)


@_drawn
def whiskers(
    name: str,
    title: str,
    points: Sequence[tuple[str, float, Interval | None]],
    *,
    bounds: Interval | None = None,
    zero: bool = False,
    coloured: Sequence[bool] | None = None,
    axis: str = "",
) -> Plot:
    """Draw a dot for each value and a line for its interval; ``zero`` adds a line at 0, and colours for either side.

    ``coloured`` says which values have the colour of their side; by default those whose interval excludes 0.

    Example:
        >>> whiskers("metrics", "Recall", [("recall@5", 0.8, (0.7, 0.9))]).csv.splitlines()[1]
        'recall@5,0.8,0.7,0.9'
    """
    ends = [ends or (value, value) for _, value, ends in points]
    reach = [edge for end in ends for edge in end] + [0.0] * zero
    low, high = bounds or (min(reach, default=0), max(reach, default=1))
    room = (high - low) or 1
    with figure(WIDTH, plot_height(len(points), axis or "x")) as drawing:
        axes = row_axes(drawing, [label for label, _, _ in points], axis, ticks=True)
        if zero:
            axes.axvline(0, color=COLOURS["soft"], linewidth=1)
        for at, ((label, value, known), (left, right)) in enumerate(zip(points, ends, strict=True)):
            marked = coloured[at] if coloured is not None else left > 0 or right < 0
            side = "soft" if not marked else "good" if value > 0 else "bad"
            colour = COLOURS[side if zero else "accent"]
            shown = f"{value:+.3f}" if zero else f"{value:.3f}"
            axes.plot([left, right], [at, at], color=colour, linewidth=2, solid_capstyle="round")
            filled = colour if marked or not zero else COLOURS["line"]
            axes.plot([value], [at], "o", color=colour, markersize=5.5, markerfacecolor=filled)
            axes.text(high + 0.06 * room, at, shown, va="center", color=COLOURS["soft"])
            interval = f", 95 % interval {left:.3f} to {right:.3f}" if known else ""
            row_mark(axes, at, f"{label}: {shown}{interval}")
        axes.set_xlim(low - 0.04 * room, high + 0.26 * room)
        axes.locator_params(axis="x", nbins=6)
        axes.set_xticks([tick for tick in axes.get_xticks() if low - 1e-9 <= tick <= high + 1e-9])
        rows = ((label, value, *(ends or (None, None))) for label, value, ends in points)
        return make_plot(name, title, drawing, ("label", "value", "ci95_low", "ci95_high"), rows)


@_drawn
def scatter(
    name: str,
    title: str,
    points: Sequence[tuple[float, float, str]],
    *,
    axes: tuple[str, str],
    diagonal: bool = False,
    named: bool = False,
) -> Plot:
    """Draw points ``(x, y, label)``, larger where several coincide; ``named`` adds their labels.

    Example:
        >>> scatter("both", "A against B", [(0.5, 1.0, "q-1")], axes=("A", "B")).csv.splitlines()
        ['label,A,B', 'q-1,0.5,1.0']
    """
    points_at: dict[tuple[float, float], list[str]] = defaultdict(list)
    for x, y, label in points:
        points_at[x, y].append(label)
    with figure(WIDTH, 4.2) as drawing:
        panel = new_axes(drawing, (0.13, 0.13, 0.83, 0.83), "both")
        if diagonal and points_at:
            span = [min(min(pair) for pair in points_at), max(max(pair) for pair in points_at)]
            panel.plot(span, span, color=COLOURS["soft"], linewidth=1, linestyle=(0, (4, 3)))
        for x, y in sorted(points_at):
            colour = "accent" if not diagonal else "good" if y > x else "bad" if y < x else "soft"
            size = min(22, 5 + 3 * (len(points_at[x, y]) ** 0.5 - 1))
            style: dict[str, Any] = {"color": COLOURS[colour], "markersize": size, "alpha": 0.75, "markeredgewidth": 0}
            drawn = panel.plot([x], [y], "o", **style)
            mark(drawn[0], f"{axes[0]} {x:.4g}, {axes[1]} {y:.4g}: {_named(points_at[x, y])}")
        for x, y, label in points if named else ():
            panel.annotate(short(label), (x, y), (5, 4), textcoords="offset points", fontsize=8, color=COLOURS["soft"])
        panel.margins(0.09)
        panel.set_xlabel(axes[0])
        panel.set_ylabel(axes[1])
        return make_plot(name, title, drawing, ("label", *axes), ((label, x, y) for x, y, label in points))


@_drawn
def histogram(name: str, title: str, values: Sequence[float], *, axis: str, bins: int = 20) -> Plot:
    """Draw the number of values in each of ``bins`` ranges; the CSV has the counts.

    Example:
        >>> histogram("words", "Length", [1, 2, 2, 4], axis="words", bins=3).csv.splitlines()
        ['from,to,count', '1.0,2.0,1', '2.0,3.0,2', '3.0,4.0,1']
    """
    import numpy as np

    integers = all(float(value).is_integer() for value in values)
    spread = max(values, default=0) - min(values, default=0)
    counts, edges = np.histogram(values, bins=int(min(bins, max(1, spread))) if integers else bins)
    with figure(WIDTH, 2.6) as drawing:
        panel = new_axes(drawing, _COUNTS_BOX, "y")
        panel.bar(edges[:-1], counts, width=np.diff(edges) * 0.92, align="edge", color=COLOURS["accent"])
        for count, left, right in zip(counts.tolist(), edges[:-1].tolist(), edges[1:].tolist(), strict=True):
            column_mark(panel, left, right, f"{left:.4g} to {right:.4g}: {count:,}")
        panel.locator_params(axis="x", nbins=6)
        panel.locator_params(axis="y", nbins=5, integer=True)
        panel.set_xlabel(axis)
        rows = zip(edges[:-1].tolist(), edges[1:].tolist(), counts.tolist(), strict=True)
        return make_plot(name, title, drawing, ("from", "to", "count"), rows)


@_drawn
def columns(name: str, title: str, counts: Mapping[str, float], *, axis: str = "") -> Plot:
    """Draw an upright bar for each label, in their order.

    Labels that are rising numbers are drawn to scale, unless they are so far apart that bars would be lines.

    Example:
        >>> columns("words", "Length", {"4": 2, "5": 1}).csv.splitlines()
        ['label,value', '4,2', '5,1']
    """
    with figure(WIDTH, 2.6) as drawing:
        panel = new_axes(drawing, _COUNTS_BOX, "y")
        places = _places(list(counts))
        if places:
            wide = min((after - before for before, after in pairwise(places)), default=1.0)
            panel.bar(
                [place + wide / 2 for place in places], list(counts.values()), 0.86 * wide, color=COLOURS["accent"]
            )
            panel.locator_params(axis="x", nbins=8, integer=all(map(float.is_integer, places)))
        else:
            panel.bar(range(len(counts)), list(counts.values()), width=0.86, color=COLOURS["accent"])
            step = -(-len(counts) // 12) or 1
            panel.set_xticks(range(0, len(counts), step), [short(label) for label in list(counts)[::step]])
        for at, (label, count) in enumerate(counts.items()):
            left, right = (places[at], places[at] + wide) if places else (at - 0.5, at + 0.5)
            column_mark(panel, left, right, f"{label}: {count:,g}")
        panel.locator_params(axis="y", nbins=5, integer=True)
        panel.set_xlabel(axis)
        return make_plot(name, title, drawing, ("label", "value"), counts.items())


@_drawn
def matrix(
    name: str, title: str, rows: Sequence[str], columns: Sequence[str], cells: Sequence[Sequence[float | None]]
) -> Plot:
    """Draw a table as squares, darker for greater values; None is an empty cell.

    Example:
        >>> matrix("by", "Type by level", ["simple"], ["easy", "hard"], [[0.5, None]]).csv.splitlines()
        [',easy,hard', 'simple,0.5,']
    """
    most = max((cell for row in cells for cell in row if cell is not None), default=0) or 1
    with figure(WIDTH, 0.4 + 0.42 * len(rows)) as drawing:
        axes = row_axes(drawing, rows, "", top=0.36)
        for at, row in enumerate(cells):
            for across, cell in enumerate(row):
                if cell is not None:
                    strength = max(0.0, cell / most)
                    style: dict[str, Any] = {"color": COLOURS["accent"], "alpha": 0.08 + 0.5 * strength}
                    square = axes.barh(at, 0.94, left=across, height=0.9, **style)
                    mark(square[0], f"{rows[at]}, {columns[across]}: {cell:,.4g}")
                    axes.text(across + 0.47, at, f"{cell:,.3g}", va="center", ha="center", color=COLOURS["ink"])
        axes.set_xlim(0, max(1, len(columns)))
        axes.xaxis.tick_top()
        axes.set_xticks([across + 0.47 for across in range(len(columns))], [short(each) for each in columns])
        table = ([label, *row] for label, row in zip(rows, cells, strict=True))
        return make_plot(name, title, drawing, ("", *columns), table)


def _named(labels: Sequence[str]) -> str:
    """Return a few labels of the points in one place, and how many more there are."""
    more = f" and {len(labels) - _LABELS_IN_TIP} more" if len(labels) > _LABELS_IN_TIP else ""
    return ", ".join(labels[:_LABELS_IN_TIP]) + more


def _places(labels: Sequence[str]) -> list[float]:
    """Return the labels as numbers, or [] unless they are rising numbers that are not too far apart."""
    try:
        places = [float(label) for label in labels]
    except ValueError:
        return []
    gaps = [after - before for before, after in pairwise(places)]
    return places if gaps and min(gaps) > 0 and sum(gaps) / min(gaps) <= _MAX_COLUMNS else []
