"""What a run of ``generate`` made and how it came to be just that: the funnel, and the manifest drawn from it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from kgsynth.base.records import Item, Rejection, Scenario, Skipped

if TYPE_CHECKING:
    from kgsynth.generation.selection import Shortage
    from kgsynth.golden.dataset import Dataset


@dataclass(frozen=True, slots=True)
class Funnel:
    """How many there were after each step, by question type; ``rejected`` by type, then by the rule they fell to."""

    scenarios: Mapping[str, int]
    candidates: Mapping[str, int]
    valid: Mapping[str, int]
    rejected: Mapping[str, Mapping[str, int]]

    @property
    def fallen(self) -> Mapping[str, int]:
        """How many candidates of all types each rule turned away, the one that took most first.

        Example:
            >>> Funnel({}, {}, {}, {"simple": {"leaking": 2}, "reasoning": {"leaking": 1, "hopeless": 4}}).fallen
            {'hopeless': 4, 'leaking': 3}
        """
        totals: Counter[str] = Counter()
        for rules in self.rejected.values():
            totals.update(rules)
        return dict(sorted(totals.items(), key=lambda pair: (-pair[1], pair[0])))


def count(
    scenarios: Iterable[Scenario],
    candidates: Iterable[Item],
    valid: Iterable[Item],
    rejected: Iterable[tuple[Item, Rejection]],
) -> Funnel:
    """Count by question type what came out of each step."""
    by_rule: dict[str, Counter[str]] = {}
    for item, rejection in rejected:
        by_rule.setdefault(item.question_type, Counter())[rejection.rule] += 1
    return Funnel(
        scenarios=Counter(scenario.question_type for scenario in scenarios),
        candidates=Counter(item.question_type for item in candidates),
        valid=Counter(item.question_type for item in valid),
        rejected=by_rule,
    )


@dataclass(frozen=True, slots=True)
class Generated:
    """The golden set of a run, its shortage, the rejected candidates, and the files that were not read.

    ``documents``, ``chunks`` and ``facts`` are counts; ``health`` describes the graph in sentences; ``usage`` counts
    the LLM calls by stage, empty without an LLM; ``changes`` are the settings that differ from the earlier run in the
    folder.
    """

    folder: Path
    golden: Dataset
    shortage: Shortage
    funnel: Funnel
    documents: int
    chunks: int
    facts: int
    rejected: tuple[tuple[Item, Rejection], ...]
    skipped: tuple[Skipped, ...]
    health: tuple[str, ...]
    usage: Mapping[str, object]
    changes: tuple[str, ...] = ()

    def told(self) -> dict[str, object]:
        """Return what the manifest tells of the result, as plain JSON values."""
        funnel = self.funnel
        return {
            "counts": {
                "documents": self.documents,
                "chunks": self.chunks,
                "facts": self.facts,
                "scenarios": dict(funnel.scenarios),
                "candidates": dict(funnel.candidates),
                "rejected": {kind: dict(rules) for kind, rules in funnel.rejected.items()},
                "valid": dict(funnel.valid),
                "golden": len(self.golden),
            },
            "skipped": [{"path": each.path, "reason": each.reason} for each in self.skipped],
            "shortage": self.shortage.lines(funnel.rejected),
            "graph": list(self.health),
            **({"usage": dict(self.usage)} if self.usage else {}),
        }
