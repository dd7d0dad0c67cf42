"""The HTML report of ``calibrate``: the agreement with a human set, and every system's score on both sets."""

from __future__ import annotations

from kgsynth.base.version import __version__
from kgsynth.comparison.calibration.text import best_first
from kgsynth.show.pages import render
from kgsynth.show.plots import scatter, whiskers
from kgsynth.show.report import Report
from kgsynth.statistics.rank_agreement import RankAgreement


def page(found: RankAgreement) -> Report:
    """Return the report of a calibration."""
    order = best_first(found)
    points = [(*found.systems[name], name) for name in order]
    axes = ("mean reciprocal rank on the human set", "on this set")
    measures = [("Kendall's tau", found.tau, found.tau_ci95), ("lexical bias", found.bias, found.bias_ci95)]
    pictures = (
        scatter("systems", "Each retriever on both sets; equal on the line", points, axes=axes, diagonal=True),
        whiskers("agreement", "Agreement, with 95 % intervals", measures, zero=True),
    )
    first, _, rest = found.verdict.partition(". ")
    html = render(
        "comparison/calibration/page.html",
        kind="Calibration",
        title=first.rstrip("."),
        lead=rest,
        version=__version__,
        pictures=pictures,
        found=found,
        order=order,
    )
    return Report(html, pictures)
