"""Which values of a run gates and thresholds may be checked against: those of enough of the questions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from kgsynth.base.thresholds import LIMITS
from kgsynth.scoring.metrics import RUN_METRICS
from kgsynth.scoring.metrics.scores import ItemScore
from kgsynth.scoring.metrics.summary import Value


def assessable(values: Mapping[str, Value], results: Sequence[ItemScore], n_excluded: int) -> dict[str, Value]:
    """Return the values that gates may be checked against: none of those that too few of the questions show.

    ``n_excluded`` questions were not asked. Resources, such as latencies, are kept.
    """
    total = len(results) + n_excluded
    answerable = [each for each in results if each.question_type != "unanswerable"]
    found = dict(values)
    if n_excluded > LIMITS.left_out_share * total:
        others = "since the evidence of the others is not in the documents"
        why = f"only {len(results)} of {total} questions were asked, {others}"
        kept = {name for name, metric in RUN_METRICS.items() if metric.kind == "resources"}
        return {name: value if name in kept else replace(value, value=None, why=why) for name, value in values.items()}
    checked = sum(not each.not_checked for each in answerable)
    if checked and len(answerable) - checked > LIMITS.left_out_share * len(answerable):
        why = f"only {checked} of {len(answerable)} answerable questions could be checked"
        found["pass_rate"] = replace(values["pass_rate"], value=None, why=why)
    return found
