"""Order the items of a review so that the uncertain ones come first."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from kgsynth.base.records import Item
from kgsynth.base.thresholds import DEFAULT_THRESHOLDS
from kgsynth.reviewing.store import SavedAnnotation
from kgsynth.reviewing.subject import Subject


def uncertain_first(subject: Subject, ids: Sequence[str], saved: Iterable[SavedAnnotation]) -> list[str]:
    """Return the ids by uncertainty: items that annotators decided differently, then by the distance of their scores.

    Controls keep their places, so that the order does not show them. Items of equal distance stay in their order.
    """
    decisions: dict[str, set[str]] = {}
    for each in saved:
        if each.annotation.decision:
            decisions.setdefault(each.item, set()).add(each.annotation.decision)
    items = {item.id: item for item in subject.items}
    scored = subject.mode == "questions"
    distances = {
        key: 0.0 if len(decisions.get(key, ())) > 1 else distance(items[key]) if scored else math.inf
        for key in ids
        if key in items
    }
    ordered = iter(sorted(distances, key=distances.__getitem__))
    return [next(ordered) if key in items else key for key in ids]


def distance(item: Item) -> float:
    """Return the least relative distance of a score of the item from its threshold: |score - threshold| / |threshold|.

    Without any score that has a threshold it is infinite.

    Example:
        >>> distance(Item("q-1", "Who?", ("Ada",), "simple", "", "en", (), metadata={"scores": {"leaking": 0.25}}))
        0.5
    """
    scores = item.metadata.get("scores") or {}
    limits = DEFAULT_THRESHOLDS
    return min(
        (abs(scores[name] - limit) / abs(limit) for name, limit in limits.items() if _is_number(scores.get(name))),
        default=math.inf,
    )


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and math.isfinite(value)
