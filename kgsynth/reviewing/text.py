"""The results of a review, and what ``--apply`` did, as text for the terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from kgsynth.reviewing.annotation import CRITERIA, REASONS
from kgsynth.reviewing.results import OUTCOMES, AnnotatorSummary, Dispute, GradeSummary, Results, disputed_grades
from kgsynth.reviewing.reviewed_set import ReviewedItem
from kgsynth.show.tables import aligned, figure
from kgsynth.statistics.krippendorff_alpha import interpretation

_GRADE_COLUMNS = ("criterion", "n", "mean", "95 % interval", "sd", "1 2 3 4 5", "alpha ordinal", "alpha interval")
_MAX_DISPUTES_SHOWN = 20


def terminal(results: Results) -> str:
    """Return the results as tables, followed by the disputed items."""
    return "\n".join(_lines(results))


def _lines(results: Results) -> Iterator[str]:
    number = len(results.annotators)
    yield f"{results.decided} of {results.items} {results.of} decided by {number} annotator{'s' * (number != 1)}"
    if not results.annotators:
        yield "no annotations yet: kgsynth review opens the page to make them"
        return
    yield from _decision_lines(results)
    if number > 1:
        yield f"agreement on the decision: Krippendorff's alpha {figure(results.alpha_nominal)} (nominal, over"
        yield f"  {results.decided_twice} items with two or more decisions); {interpretation(results.alpha_nominal)}"
    if results.grades:
        yield ""
        yield aligned(_GRADE_COLUMNS, [_grade_row(name, grades) for name, grades in results.grades.items()])
    yield ""
    yield aligned(
        ("annotator", "decided", *OUTCOMES[results.of], "median s", "bias", *CRITERIA),
        [_annotator_row(name, each) for name, each in results.annotators.items()],
    )
    if number > 1:
        yield "bias: how much higher than others the annotator grades the same items, on average"
        yield ""
        yield f"{len(results.disputes)} disputed items (different decisions or edits, or grades two or more apart)"
        for dispute in results.disputes[:_MAX_DISPUTES_SHOWN]:
            yield from _dispute_lines(dispute)
        if len(results.disputes) > _MAX_DISPUTES_SHOWN:
            yield f"  and {len(results.disputes) - _MAX_DISPUTES_SHOWN} more: --json has all"


def _decision_lines(results: Results) -> Iterator[str]:
    yield "decisions: " + ", ".join(f"{name} {count}" for name, count in results.decisions.items())
    for letter, count in results.reasons.items():
        if count:
            yield f"  rejected {count} times as {letter}: {REASONS[letter]}"
    if results.seconds is not None:
        yield f"time per item: median {_seconds(results.seconds)} s"
    for name, each in results.controls.items():
        yield f"planted controls: {name} caught {each['caught']} of {each['decided']} decided"
    if results.good:
        interval = f", 95 % interval {_interval(results.good.ci95)}" if results.good.ci95 else ""
        name = {"answers": "correct", "pairs": "the first preferred, a tie counting half"}.get(
            results.of, "accepted or edited"
        )
        yield f"{name}: {results.good.value:.3f} of {results.good.items} items{interval}"
    if results.of == "pairs":
        yield f"first: {results.systems[0]}, second: {results.systems[1]}"


def _grade_row(name: str, grades: GradeSummary) -> list[str]:
    counts = " ".join(map(str, grades.counts))
    alphas = figure(grades.alpha_ordinal), figure(grades.alpha_interval)
    return [name, str(grades.n), f"{grades.mean:.2f}", _interval(grades.ci95, 2), f"{grades.sd:.2f}", counts, *alphas]


def _annotator_row(name: str, each: AnnotatorSummary) -> list[str]:
    bias = [f"{each.bias[key]:+.2f}" if key in each.bias else "–" for key in ("all", *CRITERIA)]
    return [name, str(each.decided), *map(str, each.decisions.values()), _seconds(each.seconds), *bias]


def _seconds(value: float | None) -> str:
    return "–" if value is None else f"{value:.1f}"


def _dispute_lines(dispute: Dispute) -> Iterator[str]:
    yield f"  {dispute.item}  {dispute.question}"
    if len(set(dispute.decisions.values())) > 1:
        yield "      " + ", ".join(f"{name}: {decision}" for name, decision in dispute.decisions.items())
    for criterion, given in disputed_grades(dispute).items():
        yield f"      {criterion}: " + ", ".join(f"{name} {grade}" for name, grade in given.items())
    if len(set(dispute.words.values())) > 1:
        yield from (f"      edit by {name}: {' / '.join(words)}" for name, words in dispute.words.items())
    for name, comment in dispute.comments.items():
        yield f"      comment by {name}: {' '.join(comment.split())}"


def _interval(ends: tuple[float, float] | None, digits: int = 3) -> str:
    return f"{ends[0]:.{digits}f} to {ends[1]:.{digits}f}" if ends else "–"


def applied(reviewed: Sequence[ReviewedItem], on_tie: str) -> str:
    """Return what ``--apply`` did, with every tie and every edit that was not applied.

    Example:
        >>> from kgsynth.base.records import Item
        >>> print(applied([ReviewedItem(Item("q-1", "Who?", ("Ada",), "simple", "", "en", ()), decided=True)], "drop"))
        1 of 1 items decided: 1 kept (0 of them edited), 0 rejected; 0 undecided items stay unchanged
    """
    decided, rejected = sum(each.decided for each in reviewed), sum(bool(each.rejected) for each in reviewed)
    lines = [
        f"{decided} of {len(reviewed)} items decided: {decided - rejected} kept "
        f"({sum(each.edited for each in reviewed)} of them edited), {rejected} rejected; "
        f"{len(reviewed) - decided} undecided items stay unchanged"
    ]
    for each in reviewed:
        if each.tie:
            lines.append(f"tie, {'left out' if on_tie == 'drop' else 'kept'}: {each.item.id}  {each.item.question}")
        for finding in each.errors:
            lines.append(f"edit not applied: {each.item.id}  {finding.code}: {finding.message}; {finding.advice}")
    return "\n".join(lines)
