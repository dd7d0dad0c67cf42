"""The agreement of a set with a human one as text for a terminal. Nothing is printed here."""

from __future__ import annotations

from kgsynth.show.tables import aligned, figure
from kgsynth.statistics.rank_agreement import RankAgreement


def terminal(found: RankAgreement) -> str:
    """Return the verdict, its statistics, and each system's score on both sets, best on the human set first."""
    rows = [[name, *map(figure, found.systems[name])] for name in best_first(found)]
    parts = [
        found.verdict,
        f"Kendall's tau {found.tau:.2f} over {len(rows)} systems; between two halves of the human set, tau is "
        f"{found.halves:.2f}. 95 % of bootstrap samples, which repeat some questions and so agree less, have a tau "
        f"from {found.tau_ci95[0]:.2f} to {found.tau_ci95[1]:.2f}.\n"
        f"Lexical bias {found.bias:+.3f} ({found.bias_ci95[0]:+.3f} to {found.bias_ci95[1]:+.3f}).",
        aligned(["mean reciprocal rank", "human", "this set"], rows),
        f"{found.questions[0]} questions of the human set and {found.questions[1]} of this set were asked.",
    ]
    for name, untied in zip(("the human set", "this set"), found.untied, strict=True):
        if untied:
            parts[-1] += f" Left out of {name}: {untied}, because their evidence is not in the documents."
    return "\n\n".join(parts)


def best_first(found: RankAgreement) -> list[str]:
    """Return the names of the systems, best on the human set first."""
    return sorted(found.systems, key=lambda name: (-found.systems[name][0], name))
