"""The result of ``generate``: the golden set, the funnel of candidates, and its part of the manifest."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import TYPE_CHECKING, Any

from kgsynth.base.notebook import html_table
from kgsynth.base.records import Item, Rejection, Scenario, Skipped
from kgsynth.base.shares import percent
from kgsynth.generation.scenes.passages import Scene
from kgsynth.ranking.promise import Promised
from kgsynth.statistics.multiple_testing import SIGNIFICANCE_LEVEL
from kgsynth.statistics.paired_tests import smallest_detectable, too_easy_by

if TYPE_CHECKING:
    from kgsynth.generation.renewal.summary import Renewal
    from kgsynth.generation.selection import Shortage
    from kgsynth.golden.dataset import Dataset

_HARDER_BY = 0.03
"""By how much fewer questions a retriever should find the evidence of, for a set to be called harder."""


@dataclass(frozen=True, slots=True)
class Funnel:
    """The number of scenarios and candidates after each step by question type.

    ``rejected`` is by type, then by rule; ``unwritten``, the scenarios without a candidate, by type, then by reason.
    """

    scenarios: Mapping[str, int]
    candidates: Mapping[str, int]
    valid: Mapping[str, int]
    rejected: Mapping[str, Mapping[str, int]]
    unwritten: Mapping[str, Mapping[str, int]]


def by_rule(rejected: Mapping[str, Mapping[str, int]]) -> dict[str, int]:
    """Return the number of rejected candidates, or unwritten scenarios, of all types by rule or reason, largest first.

    Example:
        >>> by_rule({"simple": {"leaking": 2}, "reasoning": {"leaking": 1, "hopeless": 4}})
        {'hopeless': 4, 'leaking': 3}
    """
    totals: Counter[str] = Counter()
    for rules in rejected.values():
        totals.update(rules)
    return dict(sorted(totals.items(), key=lambda pair: (-pair[1], pair[0])))


def count(
    scenarios: Iterable[Scenario | Scene],
    candidates: Iterable[Item],
    valid: Iterable[Item],
    rejected: Iterable[tuple[Item, Rejection]],
    unwritten: Mapping[tuple[str, str], int],
) -> Funnel:
    """Count the results of each step by question type; ``unwritten`` has scenarios by type and reason."""
    counts: dict[str, Counter[str]] = {}
    for item, rejection in rejected:
        counts.setdefault(item.question_type, Counter())[rejection.rule] += 1
    reasons: dict[str, dict[str, int]] = {}
    for (kind, reason), number in sorted(unwritten.items(), key=lambda pair: (-pair[1], pair[0])):
        reasons.setdefault(kind, {})[str(reason)] = number
    return Funnel(
        scenarios=Counter(scenario.question_type for scenario in scenarios),
        candidates=Counter(item.question_type for item in candidates),
        valid=Counter(item.question_type for item in valid),
        rejected=counts,
        unwritten=reasons,
    )


def power_of(items: Iterable[Item]) -> dict[str, Any]:
    """Return what a set can show of systems, as JSON values, by the scores ``found`` of its questions.

    ``found`` is their mean; ``difference`` is the smallest that ``compare`` probably finds between two systems, each of
    which finds by itself, None if it finds none; the set is ``too_easy`` if a system leaves too little room above it.
    """
    asked = [item for item in items if item.answerable and "found" in item.scores]
    asked.sort(key=lambda item: (abs(item.scores["found"] - 0.5), item.id))  # the most open first
    found, clusters = [item.scores["found"] for item in asked], [item.evidence[0][0].doc for item in asked]
    differing = round(math.fsum(2 * share * (1 - share) for share in found))
    seen = [(-1.0) ** at if at < differing else 0.0 for at in range(len(asked))]
    return {
        "questions": len(asked),
        "found": round(fmean(found), 4) if asked else None,
        "difference": smallest_detectable(seen, clusters, SIGNIFICANCE_LEVEL) if asked else None,
        "too_easy": too_easy_by(found, clusters) is not None,
    }


def power_lines(power: Mapping[str, Any]) -> list[str]:
    """Return what a set can show, given as JSON values, in a sentence; before it one on a set that is too easy.

    ``harder`` is what ``found`` would be with ``--difficulty hard``; there is none if that was not tried.

    Example:
        >>> easy = {"questions": 60, "found": 0.97, "difference": 0.132, "too_easy": True}
        >>> print(*power_lines(easy | {"harder": 0.88}), sep="\\n")
        Nearly all systems will pass this set; --difficulty hard makes a harder one (88 % found)
        The set tells apart systems that differ by 14 points or more (80 % power); a bundled retriever should find all evidence of 97 % of its questions in five passages
    """  # noqa: E501
    if not power["questions"]:
        return []
    harder = power.get("harder")
    advice = "; these documents give no harder one" if harder is not None else ""
    if harder is not None and power["found"] - harder >= _HARDER_BY:
        advice = f"; --difficulty hard makes a harder one ({percent(harder)} found)"
    easy = [f"Nearly all systems will pass this set{advice}"] if power["too_easy"] else []
    apart = "The set is too small to tell systems apart"
    if power["difference"]:
        points = math.ceil(100 * power["difference"])
        apart = f"The set tells apart systems that differ by {points} points or more (80 % power)"
    found = f"should find all evidence of {percent(power['found'])} of its questions in five passages"
    return [*easy, f"{apart}; a bundled retriever {found}"]


@dataclass(frozen=True, slots=True)
class Generated:
    """The golden set of a run, its shortage, the rejected candidates, and the files that were not read.

    ``documents``, ``chunks`` and ``facts`` are counts, ``drawn`` are the documents that questions were written about;
    ``health`` describes the graph in sentences; ``usage`` counts the LLM calls by stage (empty without an LLM);
    ``changes`` the settings changed since the last run there;
    ``promise`` is the share that a strict reader would keep, and ``power`` what the set can show (see ``power_of``).
    ``remarks`` are the paths of documents with what their readers noticed. ``renewal`` says what became of the set that
    the run went on from, None if it began without one.
    """

    folder: Path
    golden: Dataset
    shortage: Shortage
    funnel: Funnel
    documents: int
    drawn: tuple[str, ...]
    chunks: int
    facts: int
    rejected: tuple[tuple[Item, Rejection], ...]
    skipped: tuple[Skipped, ...]
    health: tuple[str, ...]
    usage: Mapping[str, object]
    promise: Promised
    power: Mapping[str, Any]
    changes: tuple[str, ...] = ()
    renewal: Renewal | None = None
    remarks: tuple[tuple[str, str], ...] = ()

    def __repr__(self) -> str:
        """Return the golden set, how many documents were read and candidates rejected, and the folder."""
        read = f"{self.documents:,} documents read, {len(self.rejected):,} candidates rejected"
        return f"Generated({self.golden!r}, {read}, in {self.folder})"

    def _repr_html_(self) -> str:
        funnel = self.funnel
        steps = (funnel.scenarios, funnel.candidates, funnel.valid)
        chosen = Counter(item.question_type for item in self.golden)
        types = sorted({*chosen, *(name for step in steps for name in step)})
        rows = [(name, *(step.get(name, 0) for step in steps), chosen[name]) for name in types]
        return html_table(repr(self), ("type", "scenarios", "candidates", "valid", "chosen"), rows)

    def to_pandas(self) -> Any:
        """Return a DataFrame with one row per question, as that of the golden set.

        Raises:
            ConfigError: pandas is not installed.
        """
        return self.golden.to_pandas()

    def to_manifest(self) -> dict[str, object]:
        """Return the entries of the manifest about the result, as JSON values."""
        funnel = self.funnel
        return {
            "counts": {
                "documents": self.documents,
                "drawn": len(self.drawn),
                "chunks": self.chunks,
                "facts": self.facts,
                "scenarios": dict(funnel.scenarios),
                "unwritten": dict(funnel.unwritten),
                "candidates": dict(funnel.candidates),
                "rejected": {kind: dict(rules) for kind, rules in funnel.rejected.items()},
                "valid": dict(funnel.valid),
                "golden": len(self.golden),
            },
            **({"drawn": list(self.drawn)} if len(self.drawn) < self.documents else {}),
            "skipped": [{"path": each.path, "reason": each.reason} for each in self.skipped],
            "remarks": [{"path": path, "remark": remark} for path, remark in self.remarks],
            "shortage": self.shortage.lines(funnel.rejected),
            "graph": list(self.health),
            "promise": self.promise.to_json(),
            "power": dict(self.power),
            **({"renewal": self.renewal.to_json()} if self.renewal else {}),
            **({"usage": dict(self.usage)} if self.usage else {}),
        }
