"""A report: what a command found, as one HTML page with plots that needs no network."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from kgsynth.show.plots import Plot

PAGE = "report.html"


@dataclass(frozen=True, slots=True)
class Report:
    """A page and the plots in it."""

    html: str
    plots: tuple[Plot, ...]

    def files(self) -> Iterator[tuple[str, bytes]]:
        """Yield path and content of each file of the report: the page, and each plot as PNG and CSV.

        Example:
            >>> from kgsynth.show.plots import bars
            >>> [name for name, _ in Report("<!doctype html>", (bars("types", "By type", {"simple": 1}),)).files()]
            ['report.html', 'plots/types.png', 'plots/types.csv']
        """
        yield PAGE, self.html.encode()
        for plot in self.plots:
            yield f"plots/{plot.name}.png", plot.png
            mark = "" if plot.csv.isascii() else "\ufeff"  # without it, Excel takes UTF-8 for another encoding
            yield f"plots/{plot.name}.csv", (mark + plot.csv).encode()
