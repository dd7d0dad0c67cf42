"""The agreement of a set with a human one as text for a terminal and as a page with every system's scores."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from kgsynth.show.pages import Report, render
from kgsynth.show.plots import scatter, whiskers
from kgsynth.show.tables import aligned, figure
from kgsynth.show.wording import joined, many
from kgsynth.statistics.rank_agreement import HALVINGS, RankAgreement


def terminal(found: RankAgreement) -> str:
    """Return the verdict, its statistics, and each system's score on both sets, best on the human set first."""
    rows = [[name, *map(figure, found.systems[name])] for name in best_first(found)]
    parts = [
        found.verdict,
        f"{asked(found)}\n"
        f"Kendall's tau over {len(rows)} systems: {tau_text(found)}.\n"
        f"Between two halves of the human set: {halves_text(found)}.\n"
        f"Lexical bias: {bias_text(found)}." + "".join(f"\n{line}" for line in writers_text(found)),
        aligned(["mean reciprocal rank", "human", "this set"], rows),
    ]
    for name, untied in zip(("the human set", "this set"), found.untied, strict=True):
        if untied:
            parts.append(f"Left out of {name}: {many(untied, 'question')} without evidence in the documents.")
    return "\n\n".join(parts)


def asked(found: RankAgreement) -> str:
    """Say how many questions of each set were asked, about how many documents, and how many repeat others."""
    sizes = [
        f"{many(n, 'question')} of the {name} set (from {many(documents, 'document')}"
        + (f"; {many(repeated, 'repetition')} of them left out)" if repeated else ")")
        for name, n, documents, repeated in zip(
            ("human", "golden"), found.questions, found.documents, found.repeated, strict=True
        )
    ]
    return f"Asked: {joined(sizes)}."


def tau_text(found: RankAgreement) -> str:
    """Return the interval of tau, then tau."""
    return f"{found.tau_ci95[0]:.2f} to {found.tau_ci95[1]:.2f} (95 % interval; estimate {found.tau:.2f})"


def halves_text(found: RankAgreement) -> str:
    """Return the range of tau over the splits of the human set, then its mean."""
    if found.halves is None or found.halves_range is None:
        return "not known, because it has one question"
    low, high = found.halves_range
    return f"{low:.2f} to {high:.2f} (lowest and highest of {HALVINGS} splits; mean {found.halves:.2f})"


def bias_text(found: RankAgreement) -> str:
    """Return the interval of the lexical bias, then the bias."""
    return f"{found.bias_ci95[0]:+.3f} to {found.bias_ci95[1]:+.3f} (95 % interval; estimate {found.bias:+.3f})"


def writers_text(found: RankAgreement) -> Iterator[str]:
    """Say how far the questions of each language model rank the systems as a neutral set does, in one line."""
    if found.by_writer:
        shown = [
            f"{name} {'too few questions' if part.shortage else tau_text(part)}"
            for name, part in found.by_writer.items()
        ]
        yield f"Self-bias, by tau with {found.neutral}: {'; '.join(shown)}."


def best_first(found: RankAgreement) -> list[str]:
    """Return the names of the systems, best on the human set first."""
    return sorted(found.systems, key=lambda name: (-found.systems[name][0], name))


# ---- the page ------------------------------------------------------------------------------------

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
        lead=" ".join(filter(None, (asked(found), rest, *writers_text(found)))),
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
