"""The HTML report of ``calibrate``: the agreement with a human set, and every system's score on both sets."""

from __future__ import annotations

from dataclasses import replace

from kgsynth.base.version import __version__
from kgsynth.comparison.calibration.text import asked, best_first
from kgsynth.show.pages import Report, render
from kgsynth.show.plots import scatter, whiskers
from kgsynth.statistics.rank_agreement import HALVINGS, RankAgreement

_SCATTER_TITLE = "Each retriever on both sets, numbered as in the table; equal on the line"
_BOUNDS = (-1.0, 1.0)


def page(found: RankAgreement) -> Report:
    """Return the report of a calibration."""
    order = best_first(found)
    numbers = {name: str(at) for at, name in enumerate(order, 1)}
    points = [(*found.systems[name], name) for name in order]
    numbered = [(x, y, numbers[name]) for x, y, name in points]
    axes = ("mean reciprocal rank on the human set", "on this set")
    dots = scatter("systems", _SCATTER_TITLE, numbered, axes=axes, diagonal=True, named=True)
    pictures = (
        replace(dots, csv=scatter("systems", _SCATTER_TITLE, points, axes=axes).csv),  # with names, not numbers
        whiskers("tau", "Kendall's tau, with its 95 % interval", [("tau", found.tau, found.tau_ci95)], bounds=_BOUNDS),
        whiskers("bias", "Lexical bias, with its 95 % interval", [("bias", found.bias, found.bias_ci95)], zero=True),
    )
    first, _, rest = found.verdict.partition(". ")
    html = render(
        "comparison/calibration/page.html",
        kind="Calibration",
        title=first.rstrip("."),
        lead=f"{asked(found)} {rest}".rstrip(),
        version=__version__,
        pictures=pictures,
        found=found,
        tiles=[
            (
                f"{found.tau_ci95[0]:.2f} to {found.tau_ci95[1]:.2f}",
                f"Kendall's tau, 95 % interval; estimate {found.tau:.2f}",
            ),
            _halves_tile(found),
            (
                f"{found.bias_ci95[0]:+.2f} to {found.bias_ci95[1]:+.2f}",
                f"lexical bias, 95 % interval; estimate {found.bias:+.3f}",
            ),
        ],
        numbers=numbers,
    )
    return Report(html, pictures)


def _halves_tile(found: RankAgreement) -> tuple[str, str]:
    if found.halves is None or found.halves_range is None:
        return "–", "tau between two halves of the human set: it has one question"
    low, high = found.halves_range
    label = f"tau between two halves of the human set, lowest and highest of {HALVINGS} splits; mean {found.halves:.2f}"
    return f"{low:.2f} to {high:.2f}", label
