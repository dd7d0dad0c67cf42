"""What the verdicts of a judge say about the true rate, given labels of people for some of them.

``corrected_rate`` is prediction-powered inference, ``rate_by_error_rates`` goes by sensitivity and specificity, and
``alternative_annotator`` tests whether the judge may replace a person.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import NamedTuple

from kgsynth.statistics.multiple_testing import SIGNIFICANCE_LEVEL
from kgsynth.statistics.rates import wilson

_Z = 1.959964
_LEAST_YOUDEN = 0.05
"""With a sensitivity and specificity that sum to less than 1 + this, the verdicts say next to nothing."""
MIN_ANNOTATORS, MIN_ANSWERS = 3, 30
"""What the alternative annotator test needs: annotators, and answers of each that another one labelled too."""
EPSILON = 0.15
"""By how much people may be better than the judge, which costs less: 0.15 for skilled annotators (Calderon et al.)."""


class RateEstimate(NamedTuple):
    """A rate with its 95 % interval."""

    value: float
    ci95: tuple[float, float]


class LabelledVerdict(NamedTuple):
    """The verdict of the judge on an answer, and the share of the people who labelled it that say it is right."""

    judge: bool
    people: float


class Stratum(NamedTuple):
    """The answers with one verdict: their share of all, how many are labelled, and how many of these are right."""

    share: float
    labelled: int
    right: float

    @property
    def rate(self) -> float:
        """The share of right answers, drawn to one half by a right and a wrong half answer, so never 0 or 1."""
        return (self.right + 0.5) / (self.labelled + 1)

    @property
    def variance(self) -> float:
        """The variance that this stratum adds to the corrected rate."""
        return self.share**2 * self.rate * (1 - self.rate) / (self.labelled + 1)


def strata(labels: Sequence[LabelledVerdict], judged_right: int, judged: int) -> tuple[Stratum, Stratum]:
    """Return the answers that the judge calls right, ``judged_right`` of ``judged``, and the others."""
    found = []
    for verdict, number in ((True, judged_right), (False, judged - judged_right)):
        own = [label.people for label in labels if label.judge is verdict]
        found.append(Stratum(number / judged, len(own), math.fsum(own)))
    return found[0], found[1]


def at_random(both: Sequence[Stratum]) -> bool:
    """Check whether labels may be a random sample: as many of each verdict, within three standard errors."""
    share, n = both[0].share, both[0].labelled + both[1].labelled
    return abs(both[0].labelled / n - share) <= 3 * math.sqrt(share * (1 - share) / n) + 1 / n


def corrected_rate(labels: Sequence[LabelledVerdict], judged_right: int, judged: int) -> RateEstimate:
    """Return the rate of right answers by prediction-powered inference (Angelopoulos, Duchi and Zrnic 2023, PPI++).

    For verdicts of yes and no, PPI++ with the best weight is the post-stratified mean: the share that the judge calls
    right times the share of these that people call right, plus the same for the others. So the labels may be drawn
    from one verdict more than from the other. The interval is Wilson's (1927) with the effective number of labels.

    Example:
        >>> labels = [LabelledVerdict(at % 2 == 0, float(at % 2 == 0)) for at in range(100)]
        >>> found = corrected_rate(labels, 240, 400)
        >>> round(found.value, 3), [round(end, 3) for end in found.ci95]
        (0.6, [0.546, 0.648])
    """
    both = strata(labels, judged_right, judged)
    known = all(each.labelled or not each.share for each in both)
    exact = math.fsum(each.share * each.right / each.labelled for each in both if each.labelled)
    drawn, q = math.fsum(each.share * each.rate for each in both), both[0].share
    variance = math.fsum(each.variance for each in both) + (both[0].rate - both[1].rate) ** 2 * q * (1 - q) / judged
    return RateEstimate(exact if known else drawn, wilson(drawn, drawn * (1 - drawn) / variance))


def error_rates(labels: Sequence[LabelledVerdict]) -> tuple[float | None, float | None]:
    """Return sensitivity and specificity: the shares of right answers called right, and of wrong ones called wrong."""
    right = math.fsum(each.people for each in labels)
    wrong = len(labels) - right
    hits = math.fsum(each.people for each in labels if each.judge)
    passes = math.fsum(1 - each.people for each in labels if not each.judge)
    return (hits / right if right else None, passes / wrong if wrong else None)


def rate_by_error_rates(labels: Sequence[LabelledVerdict], judged_right: int, judged: int) -> RateEstimate | None:
    """Return the rate by sensitivity and specificity (Rogan and Gladen 1978), None if the judge says next to nothing.

    The interval is that of Lang and Reiczigel (2014), which counts how few labels the two rest on. It assumes that the
    labelled answers were drawn at random.

    Example:
        >>> labels = [LabelledVerdict(True, 1.0)] * 45 + [LabelledVerdict(False, 1.0)] * 5
        >>> labels += [LabelledVerdict(False, 0.0)] * 40 + [LabelledVerdict(True, 0.0)] * 10
        >>> round(rate_by_error_rates(labels, 220, 400).value, 3)  # (0.55 + 0.8 - 1) / (0.9 + 0.8 - 1)
        0.5
    """
    right = math.fsum(each.people for each in labels)
    sensitivity, specificity = error_rates(labels)
    if sensitivity is None or specificity is None or sensitivity + specificity - 1 < _LEAST_YOUDEN:
        return None
    n_right, n_wrong, n = right + 2, len(labels) - right + 2, judged + _Z**2
    se, sp = (sensitivity * right + 1) / n_right, (specificity * (n_wrong - 2) + 1) / n_wrong
    called = (judged_right + _Z**2 / 2) / n
    rate = min(1.0, max(0.0, (called + sp - 1) / (se + sp - 1)))
    of_right, of_wrong = se * (1 - se) / n_right, sp * (1 - sp) / n_wrong
    shift = 2 * _Z**2 * (rate * of_right - (1 - rate) * of_wrong)
    spread = math.sqrt(called * (1 - called) / n + rate**2 * of_right + (1 - rate) ** 2 * of_wrong)
    half = _Z * spread / (se + sp - 1)
    plain = (judged_right / judged + specificity - 1) / (sensitivity + specificity - 1)
    ends = (min(1.0, max(0.0, rate + shift + sign * half)) for sign in (-1, 1))
    return RateEstimate(min(1.0, max(0.0, plain)), (next(ends), next(ends)))


@dataclass(frozen=True, slots=True)
class AnnotatorTest:
    """The alternative annotator test: over how many people, the share of them that the judge beats, its advantage.

    ``advantage`` is the chance that the judge agrees with the other people at least as well as one of them does.
    """

    people: int
    winning_rate: float
    advantage: float

    @property
    def passed(self) -> bool:
        """Whether the judge may replace a person: it beats at least half of them."""
        return self.winning_rate >= 0.5


def alternative_annotator(
    judge: Mapping[str, bool], people: Mapping[str, Mapping[str, bool]], epsilon: float = EPSILON
) -> AnnotatorTest | None:
    """Test whether a judge may replace a person (Calderon, Reichart and Dror 2025, "The Alternative Annotator Test").

    ``judge`` has its verdict on each answer, ``people`` those of each annotator. Each annotator in turn is left out;
    judge and annotator are compared by how many of the others agree with them on each answer. The judge beats an
    annotator if it is significantly not worse by ``epsilon`` (t-test, Benjamini and Yekutieli's correction). Return
    None with fewer than ``MIN_ANNOTATORS`` people who labelled ``MIN_ANSWERS`` answers together with another.
    """
    from scipy.stats import false_discovery_control

    ps, advantages = [], []
    for name, own in sorted(people.items()):
        pairs = []
        for key, verdict in own.items():
            others = [labels[key] for other, labels in people.items() if other != name and key in labels]
            if others and key in judge:
                pairs.append((others.count(judge[key]), others.count(verdict)))
        if len(pairs) >= MIN_ANSWERS:
            ps.append(_p_not_worse([(person >= machine) - (machine >= person) for machine, person in pairs], epsilon))
            advantages.append(fmean(machine >= person for machine, person in pairs))
    if len(ps) < MIN_ANNOTATORS:
        return None
    dependent = math.fsum(1 / rank for rank in range(1, len(ps) + 1))  # what Benjamini and Yekutieli add to Hochberg's
    beaten = sum(dependent * p <= SIGNIFICANCE_LEVEL for p in false_discovery_control(ps).tolist())
    return AnnotatorTest(len(ps), beaten / len(ps), fmean(advantages))


def _p_not_worse(differences: Sequence[int], epsilon: float) -> float:
    """Return the p of a one-sided t-test that the mean of the differences is below ``epsilon``."""
    from scipy.special import stdtr

    n, mean = len(differences), fmean(differences)
    variance = math.fsum((each - mean) ** 2 for each in differences) / (n - 1)
    if not variance:
        return float(mean >= epsilon)
    return float(stdtr(n - 1, (mean - epsilon) / math.sqrt(variance / n)))
