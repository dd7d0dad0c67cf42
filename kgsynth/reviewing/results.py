"""The results of a review: decisions, grades, agreement between annotators, their bias, and the disputed items."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import permutations, product
from statistics import median
from typing import Any, Literal

from kgsynth.base.records import Item
from kgsynth.reviewing.annotation import CRITERIA, DECISIONS, GRADE_VALUES, REASONS
from kgsynth.reviewing.reviewed_set import ReviewedItem
from kgsynth.reviewing.store import SavedAnnotation
from kgsynth.reviewing.subject import Subject
from kgsynth.show.tables import aligned, figure
from kgsynth.statistics.rates import mean, rate

# Krippendorff's alpha: how far annotators who rate the same items agree.
#
# Source: Krippendorff, K. (2011), "Computing Krippendorff's Alpha-Reliability": 1 minus the observed disagreement
# divided by the disagreement expected by chance.

MeasurementLevel = Literal["nominal", "ordinal", "interval"]

RELIABLE, TENTATIVE = 0.8, 0.667
"""The least alpha for data to be reliable, and for tentative conclusions (Krippendorff 2004)."""


def krippendorff_alpha(units: Iterable[Sequence[Any]], level: MeasurementLevel) -> float | None:
    """Return Krippendorff's alpha of ``units``: for each rated item, its ratings without the missing ones.

    Units with fewer than two ratings are ignored. Ratings are labels when ``level`` is nominal, otherwise numbers:
    ordinal uses the number of ratings between two values, interval their squared difference. Return None when no item
    was rated twice or when all ratings are equal, because then no disagreement is expected by chance.

    Example:
        >>> round(krippendorff_alpha([["a", "a"], ["a", "b"], ["b", "b"], ["b"]], "nominal"), 3)
        0.444
    """
    paired = [list(unit) for unit in units if len(unit) > 1]
    counts = Counter(rating for unit in paired for rating in unit)
    distance = _squared_distances(counts, level)
    n = counts.total()
    if len(counts) < 2:
        return None
    observed = math.fsum(
        math.fsum(distance[pair] for pair in permutations(unit, 2)) / (len(unit) - 1) for unit in paired
    )
    expected = math.fsum(counts[a] * counts[b] * distance[a, b] for a, b in product(counts, repeat=2)) / (n - 1)
    return 1 - observed / expected


def _squared_distances(counts: Mapping[Any, int], level: MeasurementLevel) -> dict[tuple[Any, Any], float]:
    """Return the squared distance of every pair of ratings."""
    pairs = product(counts, repeat=2)
    if level == "nominal":
        return {(a, b): float(a != b) for a, b in pairs}
    if level == "interval":
        return {(a, b): float(a - b) ** 2 for a, b in pairs}
    order = sorted(counts)
    rank = {rating: sum(counts[lower] for lower in order[:at]) + counts[rating] / 2 for at, rating in enumerate(order)}
    return {(a, b): float(rank[a] - rank[b]) ** 2 for a, b in pairs}


def interpretation(alpha: float | None) -> str:
    """Say in words what an alpha means.

    Example:
        >>> interpretation(0.7)
        'agreement is good enough for tentative conclusions only (0.667 to 0.8)'
    """
    if alpha is None:
        return "not defined: no item has two annotators, or all decisions are the same"
    if alpha >= RELIABLE:
        return f"agreement is good: the decisions are reliable ({RELIABLE} and above)"
    if alpha >= TENTATIVE:
        return f"agreement is good enough for tentative conclusions only ({TENTATIVE} to {RELIABLE})"
    if alpha > 0:
        return f"agreement is too low to rely on (below {TENTATIVE}): discuss the disputed items"
    return "agreement is no better than chance: agree on what the decisions mean before continuing"


OUTCOMES = {**DECISIONS, "pairs": ("first", "second", "tie")}
"""What the results count, by what is under review: of pairs, which system is preferred instead of A or B."""

DISPUTED_GAP = 2
"""An item is disputed when two grades of one criterion differ by at least this."""


@dataclass(frozen=True, slots=True)
class Share:
    """A share averaged over ``items``: of each item's annotators, how many decided so; with its 95 % interval."""

    value: float
    items: int
    ci95: tuple[float, float] | None


@dataclass(frozen=True, slots=True)
class GradeSummary:
    """The grades of one criterion: their mean over items with its interval, standard deviation, counts, agreement."""

    n: int
    items: int
    mean: float
    ci95: tuple[float, float] | None
    sd: float
    counts: tuple[int, ...]
    alpha_ordinal: float | None
    alpha_interval: float | None


@dataclass(frozen=True, slots=True)
class AnnotatorSummary:
    """One annotator: the number of items decided, the number of each decision, the median seconds, and the bias.

    ``bias`` maps a criterion to how much higher than others the annotator grades the same items, on average; "all" is
    over every criterion.
    """

    decided: int
    decisions: Mapping[str, int]
    bias: Mapping[str, float]
    seconds: float | None


@dataclass(frozen=True, slots=True)
class Dispute:
    """An item that annotators decided, edited or graded differently, and what each of them said.

    ``words`` are those of the edits: the question, then the answers.
    """

    item: str
    question: str
    decisions: Mapping[str, str]
    grades: Mapping[str, Mapping[str, int]]
    comments: Mapping[str, str]
    words: Mapping[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Results:
    """All results; ``of`` is what was reviewed, ``good`` the share accepted or edited (of answers: correct).

    Of pairs, the decisions name the preferred one of the two ``systems``, and ``good`` is the share of the first one,
    of which a tie counts half.

    ``reasons`` maps the letter of each reason to the number of rejections for it;
    ``seconds`` is the median time of the decisions whose time was measured.
    """

    of: str
    items: int
    decided: int
    decided_twice: int
    good: Share | None
    decisions: Mapping[str, int]
    reasons: Mapping[str, int]
    seconds: float | None
    alpha_nominal: float | None
    grades: Mapping[str, GradeSummary]
    annotators: Mapping[str, AnnotatorSummary]
    disputes: tuple[Dispute, ...]
    systems: tuple[str, str] = ("", "")

    def to_json(self) -> dict[str, Any]:
        """Return the results as plain values, with the meaning of the decisions' alpha in words."""
        return asdict(self) | {"meaning": interpretation(self.alpha_nominal)}


def results(subject: Subject, ids: Sequence[str], saved: Sequence[SavedAnnotation]) -> Results:
    """Return the results of a review from all annotations of the items ``ids``."""
    items = {item.id: item for item in subject.items}
    filled = [_unblinded(each, subject) for each in saved if not each.annotation.empty]
    by_item = {item: [each for each in filled if each.item == item] for item in ids}
    decided = [[each.annotation.decision for each in own if each.annotation.decision] for own in by_item.values()]
    names = sorted({each.annotator for each in filled})
    disputes = (_dispute(items[item], own) for item, own in by_item.items())
    return Results(
        of=subject.mode,
        items=len(ids),
        decided=sum(map(bool, decided)),
        decided_twice=sum(len(own) > 1 for own in decided),
        good=_share([own for own in decided if own]),
        decisions={name: sum(own.count(name) for own in decided) for name in OUTCOMES[subject.mode]},
        reasons=_reason_counts(each for own in by_item.values() for each in own),
        seconds=_median_seconds(each for own in by_item.values() for each in own),
        alpha_nominal=krippendorff_alpha(decided, "nominal"),
        grades={name: found for name in CRITERIA if (found := _grade_summary(by_item.values(), name))},
        annotators={name: _annotator_summary(name, subject.mode, by_item) for name in names},
        disputes=tuple(filter(_disputed, disputes)),
        systems=subject.systems,
    )


def _unblinded(saved: SavedAnnotation, subject: Subject) -> SavedAnnotation:
    """Return an annotation with the system that was preferred in place of A or B."""
    decision = saved.annotation.decision
    if subject.mode != "pairs" or decision not in ("a", "b"):
        return saved
    preferred = "second" if (decision == "b") != subject.swapped(saved.item) else "first"
    return replace(saved, annotation=replace(saved.annotation, decision=preferred))


def _share(decided: Sequence[Sequence[str]]) -> Share | None:
    if not decided:
        return None
    worth = {"accept": 1.0, "edit": 1.0, "correct": 1.0, "first": 1.0, "tie": 0.5}
    found = rate(
        [math.fsum(worth.get(each, 0.0) for each in own) / len(own) for own in decided], sum(map(len, decided))
    )
    return Share(found.value, found.n, found.interval)


def _reason_counts(saved: Iterable[SavedAnnotation]) -> dict[str, int]:
    counts = Counter(letter for each in saved for letter in each.annotation.reasons)
    return {letter: counts[letter] for letter in REASONS}


def _median_seconds(saved: Iterable[SavedAnnotation]) -> float | None:
    times = [each.annotation.seconds for each in saved if each.annotation.decision and each.annotation.seconds]
    return median(times) if times else None


def _grade_summary(by_item: Iterable[Sequence[SavedAnnotation]], name: str) -> GradeSummary | None:
    units = [[each.annotation.grades[name] for each in own if name in each.annotation.grades] for own in by_item]
    units = [unit for unit in units if unit]
    every = [grade for unit in units for grade in unit]
    if not every:
        return None
    found = mean([math.fsum(unit) / len(unit) for unit in units])
    return GradeSummary(
        n=len(every),
        items=len(units),
        mean=found.value,
        ci95=found.interval,
        sd=math.sqrt(mean(every).variance),
        counts=tuple(map(every.count, GRADE_VALUES)),
        alpha_ordinal=krippendorff_alpha(units, "ordinal"),
        alpha_interval=krippendorff_alpha(units, "interval"),
    )


def _annotator_summary(name: str, mode: str, by_item: Mapping[str, Sequence[SavedAnnotation]]) -> AnnotatorSummary:
    own = [each for annotations in by_item.values() for each in annotations if each.annotator == name]
    differences: dict[str, list[float]] = {criterion: [] for criterion in CRITERIA}
    for each in own:
        for criterion, grade in each.annotation.grades.items():
            theirs = [
                other.annotation.grades[criterion]
                for other in by_item[each.item]
                if other.annotator != name and criterion in other.annotation.grades
            ]
            if theirs:
                differences[criterion].append(grade - math.fsum(theirs) / len(theirs))
    bias = {criterion: math.fsum(values) / len(values) for criterion, values in differences.items() if values}
    every = [value for values in differences.values() for value in values]
    decisions = Counter(each.annotation.decision for each in own)
    return AnnotatorSummary(
        decided=sum(bool(each.annotation.decision) for each in own),
        decisions={decision: decisions[decision] for decision in OUTCOMES[mode]},
        bias=bias | ({"all": math.fsum(every) / len(every)} if every else {}),
        seconds=_median_seconds(own),
    )


def _dispute(item: Item, own: Sequence[SavedAnnotation]) -> Dispute:
    """Return what every annotator said about an item, disputed or not."""
    by_name = {each.annotator: each.annotation for each in own}
    grades = {
        criterion: {name: each.grades[criterion] for name, each in by_name.items() if criterion in each.grades}
        for criterion in CRITERIA
    }
    return Dispute(
        item=item.id,
        question=item.question,
        decisions={name: each.decision for name, each in by_name.items() if each.decision},
        grades={criterion: given for criterion, given in grades.items() if given},
        comments={name: each.comment for name, each in by_name.items() if each.comment},
        words={name: (each.question, *each.answers) for name, each in by_name.items() if each.decision == "edit"},
    )


def disputed_grades(dispute: Dispute) -> dict[str, Mapping[str, int]]:
    """Return the criteria of a dispute whose grades differ by ``DISPUTED_GAP`` or more."""
    gaps = {name: max(given.values()) - min(given.values()) for name, given in dispute.grades.items()}
    return {name: dispute.grades[name] for name, gap in gaps.items() if gap >= DISPUTED_GAP}


def _disputed(dispute: Dispute) -> bool:
    differ = any(len(set(values.values())) > 1 for values in (dispute.decisions, dispute.words))
    return differ or bool(disputed_grades(dispute))


# The results of a review, and what ``--apply`` did, as text for the terminal.

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
