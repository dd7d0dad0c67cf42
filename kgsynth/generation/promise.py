"""The share of a set that strict readers would keep, as the ranker estimates it: in all, and by question type."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from kgsynth.base.quotas import percent
from kgsynth.base.records import Item
from kgsynth.ranking.model import Fitted, Rankers
from kgsynth.ranking.promise import Promise, fitted_json, fitted_to, promise


@dataclass(frozen=True, slots=True)
class Promised:
    """The promise of a set and of each of its question types, and what the ranker for each language was fitted to."""

    all: Promise
    types: Mapping[str, Promise]
    fitted: Mapping[str, Fitted]

    def to_json(self) -> dict[str, Any]:
        """Return the promise as plain JSON values."""
        by_type = {name: asdict(each) for name, each in self.types.items()}
        return {**asdict(self.all), "types": by_type, "rankers": fitted_json(self.fitted)}


def promised(items: Iterable[Item], rankers: Rankers) -> Promised | None:
    """Return the promise of the items that have the score ``keep``, None if none has."""
    keeps: dict[str, list[tuple[float, Fitted]]] = {}
    fitted: dict[str, Fitted] = {}
    for item in items:
        if "keep" in (scores := item.metadata.get("scores") or {}):
            own = fitted.setdefault(item.language, rankers.of(item.language).fitted)
            keeps.setdefault(item.question_type, []).append((scores["keep"], own))
    total = promise([pair for pairs in keeps.values() for pair in pairs])
    each = {name: found for name, pairs in keeps.items() if (found := promise(pairs))}
    return Promised(total, each, fitted) if total else None


def promise_lines(found: Mapping[str, Any]) -> list[str]:
    """Return the promise in the manifest as lines for a terminal.

    Example:
        >>> all_of_them = Promise(0.5, 0.45, 0.55, 400)
        >>> found = Promised(all_of_them, {"simple": all_of_them}, {"en": Fitted(1700, 14, 0.29, 0.7, 0.0)})
        >>> print(*promise_lines(found.to_json()), sep="\\n")
        A strict reader would keep an estimated 50 % of the questions (95 % interval 45 to 55):
          simple 50 %
          The estimate is fitted to 1,700 graded questions of 14 folders; see docs/quality.md.
    """
    types = ", ".join(f"{name} {percent(each['share'])}" for name, each in found["types"].items())
    source = f"The estimate is fitted to {fitted_to(found['rankers'])}; see docs/quality.md."
    return [f"{promise_sentence(found)}:", f"  {types}", f"  {source}"]


def promise_sentence(found: Mapping[str, Any]) -> str:
    """Return the promise in the manifest as the beginning of a sentence."""
    low, high = (f"{100 * found[key]:.0f}" for key in ("low", "high"))
    share = percent(found["share"])
    return f"A strict reader would keep an estimated {share} of the questions (95 % interval {low} to {high})"
