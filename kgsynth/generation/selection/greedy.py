"""The greedy choice: the candidate with the greatest gain first, with penalties for what the set already has.

The gain of a candidate is

    quality - diversity · (its greatest cosine to a chosen question) - penalties,

which is maximal marginal relevance (Carbonell and Goldstein 1998) with penalties for the documents (so large that only
a much better question comes before one on a new document), sections, joined facts, subtypes and difficulties that the
set already has.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kgsynth.base.records import Document, Item, Span
from kgsynth.language.words import is_long

Floats = NDArray[np.float64]

DOCUMENT, SECTION, FACT, SUBTYPE, DIFFICULTY, DIVERSITY = 0.6, 0.2, 0.6, 0.3, 0.2, 0.5
"""The weights of the penalties, where quality runs from 0 to 1."""
FAR = 0.2
"""What is lost when the embedding model ranks the evidence 64th or worse: people ask nearer to what they look for."""

SHORT = 0.2
"""What is lost on documents of few words: a long one without a question is missed more."""

_NO_QUALITY = 0.5  # of an item that carries no score


class GreedyPicker:
    """The state of the greedy choice: the penalty of every candidate, kept up to date with each one chosen."""

    def __init__(self, items: list[Item], vectors: NDArray[Any] | None, documents: Mapping[str, Document]) -> None:
        self.items = items
        self._vectors = vectors
        self._closest = np.zeros(len(items))
        scores = [item.metadata.get("scores", {}) for item in items]
        self._base = np.array([own.get("quality", _NO_QUALITY) for own in scores], float)
        self._base -= FAR * np.minimum(np.log2([max(1.0, own.get("rank", 1.0)) for own in scores]) / 6, 1.0)
        short = {doc: not is_long(page) for doc, page in documents.items()}
        self._base -= SHORT * np.array([_share_of(item, short) for item in items], float)
        self._free = np.ones(len(items), bool)
        self._asked = [set(asked(item)) for item in items]
        self._askers = _index(self._asked)
        docs = [sorted({span.doc for span in _places(item)}) for item in items]
        sections = [_sections(item, documents) for item in items]
        facts = [_joined(item) for item in items]
        self._spread = [
            (weight, keys, np.array([len(own) for own in keys], float), _index(keys))
            for weight, keys in ((DOCUMENT, docs), (SECTION, sections), (FACT, facts))
        ]
        self._used: Counter[Hashable] = Counter()
        self._subtypes = _Shares([(item.question_type, item.subtype) for item in items])
        self._difficulties = _Shares([item.difficulty for item in items])

    def of_type(self, kind: str) -> NDArray[np.intp]:
        """Return the places of the items of one type."""
        return np.array([place for place, item in enumerate(self.items) if item.question_type == kind], np.intp)

    def open(self, members: NDArray[np.intp]) -> bool:
        """Say whether any of ``members`` can still be chosen."""
        return bool(self._free[members].any())

    def pick(self, members: NDArray[np.intp], n: int) -> list[int]:
        """Choose up to ``n`` of ``members``, the greatest gain first."""
        picked: list[int] = []
        while len(picked) < n and self.open(members):
            free = members[self._free[members]]
            gain = self._base[free] - DIVERSITY * self._closest[free]
            gain -= SUBTYPE * self._subtypes.of(free) + DIFFICULTY * self._difficulties.of(free)
            best = int(free[np.argmax(np.round(gain, 9))])
            self._take(best)
            picked.append(best)
        return picked

    def _take(self, place: int) -> None:
        self._free[place] = False
        for key in self._asked[place]:
            self._free[self._askers[key]] = False
        for weight, keys, counts, index in self._spread:
            for key in keys[place]:
                before = self._used[key]
                self._used[key] += 1
                self._base[index[key]] -= weight * (np.log2(before + 2) - np.log2(before + 1)) / counts[index[key]]
        self._subtypes.add(place)
        self._difficulties.add(place)
        if self._vectors is not None:
            np.maximum(self._closest, self._vectors @ self._vectors[place], out=self._closest)


class _Shares:
    """The share that each item's kind has among the chosen."""

    def __init__(self, kinds: Sequence[Hashable]) -> None:
        numbers = {kind: number for number, kind in enumerate(dict.fromkeys(kinds))}
        self._kinds = np.array([numbers[kind] for kind in kinds], np.intp)
        self._counts = np.zeros(len(numbers))

    def add(self, place: int) -> None:
        self._counts[self._kinds[place]] += 1

    def of(self, places: NDArray[np.intp]) -> Floats:
        kinds = self._kinds[places]
        present = self._counts[np.unique(kinds)].sum()
        return self._counts[kinds] / max(float(present), 1.0)


_ASKED = ("find", "entity", "swapped", "by", "about")
"""Where a step holds what it asks for, or what was put to something else."""


def asked(item: Item) -> list[Hashable]:
    """Return what an item asks for: the fact and answer span of each step that finds one, or the facts it compares."""
    derivation, steps = item.derivation, _steps(item)
    if derivation.get("operator") in {"comparison", "difference", "all", "count"}:
        return [("compared", *sorted(str(step.get("fact")) for step in steps))]
    if derivation.get("operator") == "intersection":
        steps = steps[:1]
    keys: list[Hashable] = []
    for step in steps:
        span = next((step[key] for key in _ASKED if step.get(key)), None)
        if isinstance(span, Mapping):
            keys.append((str(step.get("fact")), span["doc"], span["start"], span["end"]))
    return keys


def _steps(item: Item) -> list[Mapping[str, Any]]:
    return [step for step in item.derivation.get("steps", ()) if isinstance(step, Mapping)]


def _joined(item: Item) -> list[str]:
    """Return the facts of an item that joins several, each of which could be joined with many others."""
    joins = item.derivation.get("operator") == "all"
    return sorted({str(step.get("fact")) for step in _steps(item)}) if joins else []


def _places(item: Item) -> list[Span]:
    """Return the first span of each group, or what a question without an answer was made from."""
    return [group[0] for group in item.evidence if group] if item.answerable else list(item.hard_negatives[:1])


def _share_of(item: Item, short: Mapping[str, bool]) -> float:
    """Return the share of an item's documents that are short."""
    docs = {span.doc for span in _places(item)}
    return sum(short.get(doc, False) for doc in docs) / max(len(docs), 1)


def _sections(item: Item, documents: Mapping[str, Document]) -> list[str]:
    """Return the innermost section over the first span of each group."""
    found = set()
    for span in _places(item):
        document = documents.get(span.doc)
        over = [s for s in document.sections if s.start <= span.start < s.end] if document else []
        found.add(max(over, key=lambda s: (s.level, s.start)).id if over else span.doc + "\x1f")
    return sorted(found)


def _index(keys: Iterable[Iterable[Hashable]]) -> dict[Hashable, NDArray[np.intp]]:
    index: dict[Hashable, list[int]] = defaultdict(list)
    for place, own in enumerate(keys):
        for key in own:
            index[key].append(place)
    return {key: np.array(places, np.intp) for key, places in index.items()}
