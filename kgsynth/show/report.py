"""Reports: what a command found, as one page that a browser shows without a network; records in, HTML out.

A page a command: ``generate``, ``audit``, ``score``, ``compare``; ``graph`` shows the graph. ``coverage`` says what was
asked about and what never, ``rows`` makes the lists that can be filtered. Left out: writing anything to disk, and the
drawing of plots, which is ``plots``'.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from kgsynth.show.plots import Plot

PAGE = "report.html"


@dataclass(frozen=True, slots=True)
class Report:
    """A page and the plots in it; ``files`` are what stands on disk: the page, and beside it every plot twice."""

    html: str
    plots: tuple[Plot, ...]

    def files(self) -> Iterator[tuple[str, bytes]]:
        """Yield the path of each file below the folder of the report, and what it holds.

        Example:
            >>> from kgsynth.show.plots import bars
            >>> [name for name, _ in Report("<!doctype html>", (bars("types", "By type", {"simple": 1}),)).files()]
            ['report.html', 'plots/types.png', 'plots/types.csv']
        """
        yield PAGE, self.html.encode()
        for plot in self.plots:
            yield f"plots/{plot.name}.png", plot.png
            yield f"plots/{plot.name}.csv", plot.csv.encode()
