"""A comparison as text: Markdown for compare.md, tables for the terminal. Nothing is printed here."""

from __future__ import annotations

from kgsynth.show.tables import aligned, table
from kgsynth.statistics.comparison import Changed, Comparison, Pair, Row

HEAD = ("metric", "A", "B", "B - A", "95 % interval", "p", "p Holm", "p t", "d", "B higher/same/lower", "could show")
"""The columns of a comparison."""
_SHOWN = 10
_WIDTH = 40
LEGEND = (
    "p: sign-flip test over documents; p Holm: the same, for all metrics shown; p t: t-test on the documents' totals; "
    "d: Cohen's d of the paired differences; could show: the true difference that this set finds 4 times of 5."
)


def markdown(comparison: Comparison) -> str:
    """Return the whole comparison as Markdown, every question that changed included."""
    parts = [
        "# Comparison of runs",
        table(["run", "system"], list(comparison.runs.items())),
        _extent(comparison),
        *(f"**Note:** {note}." for note in comparison.notes),
    ]
    for pair in comparison.pairs:
        parts += [f"## A {pair.a}, B {pair.b}", table(HEAD, [cells(row) for row in pair.rows]), verdict(pair)]
        if pair.changed:
            head = ["case", "question", "expected", "A gave", "B gave", "metric", "delta"]
            moved = [[each.id, *_change(each)] for each in pair.changed]
            parts += [f"### {len(pair.changed)} questions changed", table(head, moved)]
    if comparison.rankings:
        parts += ["## Ranking", table(*ranked(comparison)), TIES]
    return "\n\n".join([*parts, LEGEND, f"Golden set `{comparison.golden}`."]) + "\n"


def terminal(comparison: Comparison) -> str:
    """Return the comparison for a terminal: a table a pair, what it says, what changed most, and the ranking."""
    parts = [_extent(comparison)]
    for pair in comparison.pairs:
        names = (f"{letter} {label} ({comparison.runs[label]})" for letter, label in (("A", pair.a), ("B", pair.b)))
        parts += ["\n".join(names), aligned(HEAD, [cells(row) for row in pair.rows]), verdict(pair)]
        if pair.changed:
            more = f", the {_SHOWN} that moved most" if len(pair.changed) > _SHOWN else ""
            head = ["question", "expected", "A gave", "B gave", "metric", "delta"]
            moved = [_change(each, _WIDTH) for each in pair.changed[:_SHOWN]]
            parts.append(f"{len(pair.changed)} questions changed{more}:\n{aligned(head, moved)}")
    if comparison.rankings:
        parts += [aligned(*ranked(comparison)), TIES]
    parts += [f"note: {note}" for note in comparison.notes]
    return "\n\n".join([*parts, LEGEND])


def verdict(pair: Pair) -> str:
    """Say in one sentence on which metrics the data parts the two runs."""
    better = [row.metric for row in pair.rows if row.significant and row.found.difference > 0]
    worse = [row.metric for row in pair.rows if row.significant and row.found.difference < 0]
    said = [
        f"{pair.b} is {how} on {', '.join(names)}" for how, names in (("higher", better), ("lower", worse)) if names
    ]
    if not said:
        return "On no metric does the data part the two."
    rest = [row.metric for row in pair.rows if not row.significant]
    said += [f"on {', '.join(rest)} the data does not part the two"] if rest else []
    return "; ".join(said) + "."


TIES = "A rank is one more than the number of runs that are surely better; runs the data does not part share it."


def _extent(comparison: Comparison) -> str:
    return f"{len(comparison.runs)} runs on {comparison.n_items} questions from {comparison.n_documents} documents"


def cells(row: Row) -> list[str]:
    """Return a row of the table below ``HEAD``."""
    found = row.found
    ends = f"{found.ci95[0]:+.3f} to {found.ci95[1]:+.3f}" if found.ci95 else "–"
    chances = (_p(p) for p in (found.p_flip, row.p_holm, found.p_t))
    d, smallest = (_figure(value) for value in (found.cohens_d, found.smallest))
    counts = f"{found.higher}/{found.same}/{found.lower}"
    means = (f"{found.a:.3f}", f"{found.b:.3f}", f"{found.difference:+.3f}")
    return [row.metric, *means, ends, *chances, d, counts, smallest]


def _p(p: float | None) -> str:
    return "–" if p is None else "<0.001" if p < 0.001 else f"{p:.3f}"


def _figure(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"


def _change(changed: Changed, width: int = 500) -> list[str]:
    metric, delta = changed.largest
    texts = (changed.question, changed.expected, changed.a, changed.b)
    return [*(_cut(text, width) for text in texts), metric, f"{delta:+.3f}"]


def _cut(text: str, width: int) -> str:
    line = " ".join(text.split())
    return line if len(line) <= width else line[: width - 1] + "…"


def ranked(comparison: Comparison) -> tuple[list[str], list[list[str]]]:
    """Return a table with a row for each run and its rank and mean by each metric."""
    head = ["rank (mean)", *(ranking.metric for ranking in comparison.rankings)]
    rows = [
        [label, *(f"{ranking.ranks[label]} ({ranking.means[label]:.3f})" for ranking in comparison.rankings)]
        for label in comparison.rankings[0].ranks
    ]
    return head, rows
