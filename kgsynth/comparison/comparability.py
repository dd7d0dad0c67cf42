"""Which metric decides a comparison, and which metrics mean the same in all runs."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from kgsynth.scoring.metrics.lookup import nearest_to_five
from kgsynth.show.wording import joined

PASS_RATE = "pass_rate"
"""The share of the checked questions that passed; of a question it is 1, 0, or no value if it was not checked."""
_PRIMARY = (PASS_RATE, "sub_em", "token_f1", "recall", "file_recall")
"""The metrics that decide by default: the first that every run has and that is not 0 for every question."""
_PRIMARY_OF_PASSAGES = ("recall", PASS_RATE, "file_recall")
"""The same for runs without answers, where recall says more than whether all evidence is in the first passages."""
_CHECKED_BY = {"context_recall": "passages", "sub_em": "answers"}
"""The metrics that have a value if questions pass by what they measure."""
_MAX_PARTS_NAMED = 3
_NAMES = {"cover": "--cover", "docs": "documents", "v": "kgsynth", "model": "embedding model"} | {
    "checked": "questions checked by"
}
"""What a part of a signature is called in a sentence, if not by its own name."""


def primary_metric(known: Sequence[str], informative: Iterable[str], *, answers: bool = True) -> str:
    """Return the metric that decides: the pass rate, else whether answers are correct, else whether evidence is found.

    ``known`` are the metrics that every run has, ``informative`` those that are not 0 for every question of every run.
    Without ``answers`` recall decides.

    Example:
        >>> primary_metric(["recall@1", "recall@5", "mrr", "sub_em"], ["recall@1", "recall@5", "mrr"])
        'recall@5'
        >>> primary_metric(["pass_rate", "recall@5"], ["pass_rate", "recall@5"], answers=False)
        'recall@5'
    """
    order = _PRIMARY if answers else _PRIMARY_OF_PASSAGES
    found = [nearest_to_five(name for name in informative if name.partition("@")[0] == base) for base in order]
    return next(filter(None, found), known[0])


def incomparable(scores: Sequence[Mapping[str, Any]], metrics: Sequence[str]) -> dict[str, str]:
    """Return the metrics that do not mean the same in all runs, with what differs; ``scores`` are their scores.json.

    That is a part of the metric's signature, such as --cover or the judge, or the documents that were searched.

    Example:
        >>> runs = [{"signature": "bm25", "signatures": {"mrr": f"mrr|cover:{share}|v:1"}} for share in (0.5, 0.9)]
        >>> incomparable(runs, ["mrr", "em"])
        {'mrr': '--cover 0.5 against 0.9'}
    """
    documents = [match[0] if (match := re.search(r"\bdocs:\w+", run.get("signature", ""))) else "" for run in scores]
    searched = _differing([text for text in documents if text])
    found = {}
    for metric in metrics:
        own = [_signature(run, metric) for run in scores]
        if reason := "; ".join(filter(None, (_differing(own), searched))):
            found[metric] = reason
    return found


def checked_by(run: Mapping[str, Any]) -> list[str]:
    """Return by what the questions of a run pass, "passages", "answers" or both; ``run`` is its scores.json."""
    metrics = run.get("metrics") or {}
    return [what for name, what in _CHECKED_BY.items() if metrics.get(name, {}).get("value") is not None]


def _signature(run: Mapping[str, Any], metric: str) -> str:
    """Return the signature of a metric without its name; that of the pass rate says what questions were checked by."""
    signatures = run.get("signatures") or {}
    if metric != PASS_RATE:
        return str(signatures.get(metric.partition("@")[0], "")).partition("|")[2]
    used = checked_by(run)
    own = [str(signatures.get(name, "")) for name, what in _CHECKED_BY.items() if what in used]
    return "|".join(
        (f"checked:{joined(used) or 'nothing'}", *dict.fromkeys(part for text in own for part in text.split("|")[1:]))
    )


def _differing(signatures: Sequence[str]) -> str:
    """Return which parts of the signatures differ, "" if none does."""
    if len(set(signatures)) < 2:
        return ""
    parts = [dict(part.partition(":")[::2] for part in text.split("|")) for text in signatures]
    names = [name for name in dict.fromkeys(name for own in parts for name in own) if _values(parts, name) != 1]
    names = ["checked"] if "checked" in names else names
    if len(names) > _MAX_PARTS_NAMED or not all(name in own for name in names for own in parts):
        return "another variant of the metric, see signatures in their scores.json"
    return ", ".join(
        f"{_NAMES.get(name, name)} {' against '.join(dict.fromkeys(own[name] for own in parts))}" for name in names
    )


def _values(parts: Sequence[Mapping[str, str]], name: str) -> int:
    return len({own.get(name) for own in parts})
