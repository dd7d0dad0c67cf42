"""What a review came to: decisions, grades, how far annotators agree, who is stricter, what is in dispute."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from kgsynth.base.records import Item
from kgsynth.reviewing.judgement import CRITERIA, DECISIONS
from kgsynth.reviewing.store import Said
from kgsynth.reviewing.subject import Subject
from kgsynth.statistics.agreement import alpha, meaning
from kgsynth.statistics.unpaired_tests import mean, rate

FAR = 2
"""From how many grades apart on an item is in dispute."""


@dataclass(frozen=True, slots=True)
class Share:
    """The mean over ``items`` of the share of each one's annotators who decided so, with its 95 % interval."""

    value: float
    items: int
    ci95: tuple[float, float] | None


@dataclass(frozen=True, slots=True)
class Grades:
    """The grades of one criterion: their mean over items with its interval, their spread, and how far they agree."""

    n: int
    items: int
    mean: float
    ci95: tuple[float, float] | None
    sd: float
    counts: tuple[int, ...]
    alpha_ordinal: float | None
    alpha_interval: float | None


@dataclass(frozen=True, slots=True)
class Annotator:
    """One annotator: items decided, how often each decision, and how far the grades lie above the others' on average.

    ``bias`` is over the items and criteria that others have graded too, "all" over every criterion.
    """

    decided: int
    decisions: Mapping[str, int]
    bias: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Dispute:
    """An item on which annotators decided or edited differently, or graded ``FAR`` or more apart, and what each says.

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
    """All that ``--results`` tells; ``good`` is the share accepted or edited, of answers the share correct."""

    of: str
    items: int
    decided: int
    decided_twice: int
    good: Share | None
    decisions: Mapping[str, int]
    alpha_nominal: float | None
    grades: Mapping[str, Grades]
    annotators: Mapping[str, Annotator]
    disputes: tuple[Dispute, ...]

    def to_json(self) -> dict[str, Any]:
        """Return the results as plain values, with what the alpha of the decisions means in words."""
        return asdict(self) | {"meaning": meaning(self.alpha_nominal)}


def results(subject: Subject, ids: Sequence[str], said: Sequence[Said]) -> Results:
    """Sum up what annotators said of the items under review."""
    items = {item.id: item for item in subject.items}
    by_item = {at: [each for each in said if each.item == at and not each.judgement.empty] for at in ids}
    decided = [[each.judgement.decision for each in own if each.judgement.decision] for own in by_item.values()]
    good = DECISIONS[subject.of][0], "edit"
    names = sorted({each.annotator for each in said if not each.judgement.empty})
    return Results(
        of=subject.of,
        items=len(ids),
        decided=sum(map(bool, decided)),
        decided_twice=sum(len(own) > 1 for own in decided),
        good=_share([own for own in decided if own], good),
        decisions={name: sum(own.count(name) for own in decided) for name in DECISIONS[subject.of]},
        alpha_nominal=alpha(decided, "nominal"),
        grades={name: found for name in CRITERIA if (found := _grades(by_item.values(), name))},
        annotators={name: _annotator(name, subject.of, by_item) for name in names},
        disputes=tuple(
            each for each in map(_dispute, map(items.__getitem__, ids), by_item.values()) if _disputed(each)
        ),
    )


def _share(decided: Sequence[Sequence[str]], good: Sequence[str]) -> Share | None:
    if not decided:
        return None
    found = rate([sum(each in good for each in own) / len(own) for own in decided], sum(map(len, decided)))
    return Share(found.value, found.n, found.interval)


def _grades(by_item: Iterable[Sequence[Said]], name: str) -> Grades | None:
    units = [[each.judgement.grades[name] for each in own if name in each.judgement.grades] for own in by_item]
    units = [unit for unit in units if unit]
    every = [grade for unit in units for grade in unit]
    if not every:
        return None
    found = mean([math.fsum(unit) / len(unit) for unit in units])
    counts = Counter(every)
    return Grades(
        n=len(every),
        items=len(units),
        mean=found.value,
        ci95=found.interval,
        sd=math.sqrt(mean(every).variance),
        counts=tuple(counts[grade] for grade in range(1, 6)),
        alpha_ordinal=alpha(units, "ordinal"),
        alpha_interval=alpha(units, "interval"),
    )


def _annotator(name: str, of: str, by_item: Mapping[str, Sequence[Said]]) -> Annotator:
    own = [each for said in by_item.values() for each in said if each.annotator == name]
    apart: dict[str, list[float]] = {criterion: [] for criterion in CRITERIA}
    for each in own:
        for criterion, grade in each.judgement.grades.items():
            theirs = [
                other.judgement.grades[criterion]
                for other in by_item[each.item]
                if other.annotator != name and criterion in other.judgement.grades
            ]
            if theirs:
                apart[criterion].append(grade - math.fsum(theirs) / len(theirs))
    bias = {criterion: math.fsum(each) / len(each) for criterion, each in apart.items() if each}
    every = [each for found in apart.values() for each in found]
    decisions = Counter(each.judgement.decision for each in own)
    return Annotator(
        decided=sum(bool(each.judgement.decision) for each in own),
        decisions={decision: decisions[decision] for decision in DECISIONS[of]},
        bias=bias | ({"all": math.fsum(every) / len(every)} if every else {}),
    )


def _dispute(item: Item, own: Sequence[Said]) -> Dispute:
    return Dispute(
        item=item.id,
        question=item.question,
        decisions={each.annotator: each.judgement.decision for each in own if each.judgement.decision},
        grades={
            name: {each.annotator: each.judgement.grades[name] for each in own if name in each.judgement.grades}
            for name in CRITERIA
            if any(name in each.judgement.grades for each in own)
        },
        comments={each.annotator: each.judgement.comment for each in own if each.judgement.comment},
        words={
            each.annotator: (each.judgement.question, *each.judgement.answers)
            for each in own
            if each.judgement.decision == "edit"
        },
    )


def far_apart(dispute: Dispute) -> dict[str, Mapping[str, int]]:
    """Return the criteria of a dispute whose grades lie ``FAR`` or more apart."""
    return {name: given for name, given in dispute.grades.items() if max(given.values()) - min(given.values()) >= FAR}


def _disputed(dispute: Dispute) -> bool:
    return any(len(set(said.values())) > 1 for said in (dispute.decisions, dispute.words)) or bool(far_apart(dispute))
