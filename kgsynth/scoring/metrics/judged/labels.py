"""People's labels of answers: read from a file, they correct the rate of right answers that a judge gives."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from statistics import fmean

from kgsynth.base.errors import ConfigError, InputError
from kgsynth.base.json_reading import parse_json
from kgsynth.base.records import content_id
from kgsynth.base.records_json import rounded
from kgsynth.scoring.metrics.item_score import ItemScore
from kgsynth.scoring.metrics.summary import Value
from kgsynth.show.tables import figure
from kgsynth.show.wording import many
from kgsynth.statistics.judge_error import (
    MIN_ANNOTATORS,
    MIN_ANSWERS,
    AnnotatorTest,
    LabelledVerdict,
    RateEstimate,
    Stratum,
    alternative_annotator,
    at_random,
    corrected_rate,
    error_rates,
    rate_by_error_rates,
    strata,
)
from kgsynth.statistics.rates import wilson

LABELLED_METRIC = "answer_correctness"
"""The judged metric that labels are compared with."""
RIGHT_FROM = 0.75
"""An answer counts as right by the judge from this on: grade 4 of 5."""
TO_LABEL = 30
"""How many answers are named to label next."""
UNCHECKED = "nobody checked this judge: label answers with kgsynth review, and give --labels"
_WORDS = {"correct": True, "right": True, "true": True, "1": True, "yes": True,
          "wrong": False, "incorrect": False, "false": False, "0": False, "no": False}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Label:
    """What one annotator says of the answer to a question; ``answer`` is the labelled text, None if unknown."""

    id: str
    right: bool
    annotator: str = ""
    answer: str | None = None


def read_labels(path: Path) -> tuple[Label, ...]:
    """Read labels, each with ``id``, ``right``, and if known ``annotator`` and ``answer``: lines of JSON, or a .csv.

    ``right`` is true or false, or a word such as correct or wrong; ``kgsynth review RUN --apply`` writes such a file.

    Raises:
        InputError: the file cannot be read, or a row has no id or no label.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
        table = csv.DictReader(io.StringIO(text)) if path.suffix.lower() == ".csv" else None
        rows: list[Mapping[str, object]] = [*(table or map(parse_json, filter(str.strip, text.splitlines())))]
    except (OSError, ValueError, csv.Error) as error:
        raise InputError(f"{path} is not a file of labels ({error}): give lines of JSON, or a .csv") from None
    return tuple(_label(row, f"{path}, label {at}") for at, row in enumerate(rows, 1))


def _label(row: Mapping[str, object], where: str) -> Label:
    key, said = row.get("id"), str(row.get("right", row.get("decision", ""))).strip().casefold()
    if not isinstance(key, str) or not key or said not in _WORDS:
        raise InputError(f'{where} needs an id and a label: write at least {{"id": "…", "right": true}}')
    answer = row.get("answer")
    return Label(key, _WORDS[said], str(row.get("annotator") or ""), answer if isinstance(answer, str) else None)


@dataclass(frozen=True, slots=True)
class JudgeCheck:
    """What labels show about a judge and the rate of right answers.

    ``labelled`` of the ``judged`` answers are compared; ``left_out`` labels are of other answers. ``judge_alone`` is
    the share that the judge calls right, ``error_rates`` are sensitivity and specificity. ``by_error_rates`` is None if
    the judge says next to nothing, or the labels were not drawn at random. ``test`` is None with too few labels.
    ``label_next`` has the answers to label next, and ``width_after`` is how wide the interval would then be.
    """

    judged: int
    labelled: int
    left_out: int
    judge_alone: float
    corrected: RateEstimate
    people_alone: RateEstimate
    error_rates: tuple[float | None, float | None]
    by_error_rates: RateEstimate | None
    test: AnnotatorTest | None
    label_next: tuple[str, ...]
    width_after: float

    @property
    def value(self) -> Value:
        """The corrected rate as a metric."""
        low, high = (round(end, 6) for end in self.corrected.ci95)
        return Value(round(self.corrected.value, 6), self.judged, self.judged, (low, high))

    def to_json(self) -> dict[str, object]:
        """Return what is written to scores.json."""
        named = {name: getattr(self, name) for name in ("corrected", "people_alone", "by_error_rates")}
        rates = {name: found and {"value": found.value, "ci95": found.ci95} for name, found in named.items()}
        found: dict[str, object] = rounded({**asdict(self), **rates, "may_replace": self.test and self.test.passed})
        return found

    @property
    def lines(self) -> Iterator[str]:
        """What a reader should know, one sentence each."""
        yield (
            f"right answers: {_shown(self.corrected)}, corrected by {many(self.labelled, 'label')} of "
            f"{many(self.judged, 'answer')}; the judge alone says {figure(self.judge_alone)}, the labels alone "
            f"{_shown(self.people_alone)}"
        )
        rates = "sensitivity {}, specificity {}".format(*map(figure, self.error_rates))
        yield f"{rates}; by these: {_shown(self.by_error_rates) if self.by_error_rates else 'no rate'}"
        if self.test is None:
            need = f"{MIN_ANNOTATORS} annotators with {MIN_ANSWERS} answers each that another one labelled too"
            yield f"whether this judge may replace a person here is not known: that needs {need}"
        else:
            verdict = "may" if self.test.passed else "may not"
            yield (
                f"this judge {verdict} replace a person here: it beats {self.test.winning_rate:.0%} of "
                f"{self.test.people} annotators, and agrees with the others as well as a person in "
                f"{self.test.advantage:.0%} of cases"
            )
        if self.label_next:
            width = self.corrected.ci95[1] - self.corrected.ci95[0]
            narrower = f"the interval would narrow from {width:.3f} to about {self.width_after:.3f}"
            yield f"label next ({len(self.label_next)}; {narrower}): {', '.join(self.label_next)}"


def _shown(found: RateEstimate) -> str:
    return f"{found.value:.3f} (95 % interval {found.ci95[0]:.3f} to {found.ci95[1]:.3f})"


def check_judge(labels: Sequence[Label], results: Sequence[ItemScore]) -> JudgeCheck:
    """Compare a judge with people on the answers that both know.

    Raises:
        ConfigError: the judge did not grade answers, or no label is of an answer that it graded.
    """
    graded = {each.id: value for each in results if (value := each.metrics.get(LABELLED_METRIC)) is not None}
    judge = {key: value >= RIGHT_FROM for key, value in graded.items()}
    said = {each.id: each.actual for each in results}
    used = [label for label in labels if label.id in judge and label.answer in (None, said[label.id])]
    if not used:
        what = f"{LABELLED_METRIC} has no value" if not judge else f"none of {many(len(labels), 'label')} is of them"
        raise ConfigError(f"--labels are compared with {LABELLED_METRIC} of the same answers, and {what}: label these")
    people: dict[str, dict[str, bool]] = {}
    by_answer: dict[str, list[bool]] = {}
    for label in used:
        people.setdefault(label.annotator, {})[label.id] = label.right
        by_answer.setdefault(label.id, []).append(label.right)
    known = [LabelledVerdict(judge[key], fmean(own)) for key, own in by_answer.items()]
    called, total, both = sum(judge.values()), len(judge), strata(known, sum(judge.values()), len(judge))
    share = fmean(each.people for each in known)
    chosen, after = _next(judge, by_answer, both)
    return JudgeCheck(
        judged=total,
        labelled=len(known),
        left_out=len(labels) - len(used),
        judge_alone=called / total,
        corrected=(corrected := corrected_rate(known, called, total)),
        people_alone=RateEstimate(share, wilson(share, len(known))),
        error_rates=error_rates(known),
        by_error_rates=rate_by_error_rates(known, called, total) if at_random(both) else None,
        test=alternative_annotator(judge, people),
        label_next=chosen,
        width_after=(corrected.ci95[1] - corrected.ci95[0]) * after,
    )


def _next(
    judge: Mapping[str, bool], labelled: Iterable[str], both: tuple[Stratum, Stratum]
) -> tuple[tuple[str, ...], float]:
    """Return the answers whose labels would narrow the interval most, and to which part of its width.

    Each label goes to the verdict whose variance it lowers most; among the answers of a verdict chance decides.
    """
    taken = set(labelled)
    order = sorted(judge.keys() - taken, key=partial(content_id, "l"))
    left = {verdict: [key for key in order if judge[key] is verdict] for verdict in (True, False)}
    counts = {True: both[0].labelled, False: both[1].labelled}
    variances = {True: both[0].variance, False: both[1].variance}
    before, chosen = sum(variances.values()), list[str]()
    while len(chosen) < TO_LABEL and any(left.values()):
        gain = {verdict: variances[verdict] / (counts[verdict] + 2) for verdict in left if left[verdict]}
        verdict = max(gain, key=gain.__getitem__)
        chosen.append(left[verdict].pop(0))
        counts[verdict] += 1
        variances[verdict] *= counts[verdict] / (counts[verdict] + 1)
    return tuple(chosen), (sum(variances.values()) / before) ** 0.5
