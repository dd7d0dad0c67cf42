"""The results of a review as text for a screen: who decided what, the grades, how far they agree, and the disputes."""

from __future__ import annotations

from collections.abc import Iterator

from kgsynth.reviewing.judgement import CRITERIA, DECISIONS
from kgsynth.reviewing.results import Annotator, Dispute, Grades, Results, far_apart
from kgsynth.reviewing.reviewed_set import Settled
from kgsynth.show.tables import aligned, figure
from kgsynth.statistics.agreement import meaning

_GRADES = ("criterion", "n", "mean", "95 % interval", "spread", "1 2 3 4 5", "alpha ordinal", "alpha interval")
_SHOWN = 20
"""How many disputes the text has; --json has all."""


def terminal(results: Results) -> str:
    """Return the results as tables, the disputes last."""
    return "\n".join(_lines(results))


def _lines(results: Results) -> Iterator[str]:
    number = len(results.annotators)
    yield f"{results.decided} of {results.items} {results.of} decided by {number} annotator{'s' * (number != 1)}"
    if not results.annotators:
        yield "nothing is judged yet: kgsynth review opens the page to do it"
        return
    told = ", ".join(f"{name} {count}" for name, count in results.decisions.items())
    yield f"decisions: {told}"
    if results.good:
        ends = f", 95 % interval {_ends(results.good.ci95)}" if results.good.ci95 else ""
        name = "correct" if results.of == "answers" else "accepted or edited"
        yield f"{name}: {results.good.value:.3f} of {results.good.items} items{ends}"
    if number > 1:
        yield f"agreement on the decision: Krippendorff's alpha {figure(results.alpha_nominal)} (nominal, "
        yield f"  over {results.decided_twice} items decided twice or more); {meaning(results.alpha_nominal)}"
    if results.grades:
        yield ""
        yield aligned(_GRADES, [_grades_row(name, grades) for name, grades in results.grades.items()])
    yield ""
    yield aligned(
        ("annotator", "decided", *DECISIONS[results.of], "bias", *CRITERIA),
        [_annotator_row(name, each) for name, each in results.annotators.items()],
    )
    if number > 1:
        yield "bias: how far the grades lie above those of the others for the same items, on average"
        yield ""
        yield f"{len(results.disputes)} items in dispute (other decisions or words, or grades two or more apart)"
        for dispute in results.disputes[:_SHOWN]:
            yield from _dispute(dispute)
        if len(results.disputes) > _SHOWN:
            yield f"  and {len(results.disputes) - _SHOWN} more: --json has all"


def _grades_row(name: str, grades: Grades) -> list[str]:
    counts = " ".join(map(str, grades.counts))
    alphas = figure(grades.alpha_ordinal), figure(grades.alpha_interval)
    return [name, str(grades.n), f"{grades.mean:.2f}", _ends(grades.ci95, 2), f"{grades.sd:.2f}", counts, *alphas]


def _annotator_row(name: str, each: Annotator) -> list[str]:
    bias = [f"{each.bias[key]:+.2f}" if key in each.bias else "–" for key in ("all", *CRITERIA)]
    return [name, str(each.decided), *map(str, each.decisions.values()), *bias]


def _dispute(dispute: Dispute) -> Iterator[str]:
    yield f"  {dispute.item}  {dispute.question}"
    if len(set(dispute.decisions.values())) > 1:
        yield "      " + ", ".join(f"{name}: {decision}" for name, decision in dispute.decisions.items())
    for criterion, given in far_apart(dispute).items():
        yield f"      {criterion}: " + ", ".join(f"{name} {grade}" for name, grade in given.items())
    if len(set(dispute.words.values())) > 1:
        yield from (f"      {name} would say: {' / '.join(words)}" for name, words in dispute.words.items())
    for name, comment in dispute.comments.items():
        yield f"      {name} says: {' '.join(comment.split())}"


def _ends(ends: tuple[float, float] | None, digits: int = 3) -> str:
    return f"{ends[0]:.{digits}f} to {ends[1]:.{digits}f}" if ends else "–"


def applied(settled: list[Settled], on_tie: str) -> str:
    """Return what ``--apply`` made of the set, with every tie and every edit that was not applied.

    Example:
        >>> from kgsynth.base.records import Item
        >>> print(applied([Settled(Item("q-1", "Who?", ("Ada",), "simple", "", "en", ()), decided=True)], "drop"))
        1 of 1 items were decided: 1 kept, 0 of them in new words, 0 turned away; 0 nobody decided stay as they are
    """
    decided = [each for each in settled if each.decided]
    away = sum(bool(each.why) for each in settled)
    lines = [
        f"{len(decided)} of {len(settled)} items were decided: {len(decided) - away} kept, "
        f"{sum(each.edited for each in settled)} of them in new words, {away} turned away; "
        f"{len(settled) - len(decided)} nobody decided stay as they are"
    ]
    for each in settled:
        if each.tie:
            lines.append(f"tie, {'left out' if on_tie == 'drop' else 'kept'}: {each.item.id}  {each.item.question}")
        for finding in each.faults:
            lines.append(f"edit not applied: {each.item.id}  {finding.code}: {finding.message}; {finding.advice}")
    return "\n".join(lines)
