"""Choose the items with the greatest gain one after the other.

The gain of an item is its worth (``keep``, or ``quality`` of one that a language model wrote), more by what the result
of a system on it tells of the system, minus a multiple of its greatest cosine with a chosen question (maximal marginal
relevance, Carbonell and Goldstein 1998), minus penalties for documents, sections and subtypes that the set already has,
and for short documents.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kgsynth.base.choices import Difficulty
from kgsynth.base.records import PROSE, Document, FilterScores, Item, Span
from kgsynth.base.thresholds import LIMITS
from kgsynth.evidence.derivation_steps import place_in, steps_in
from kgsynth.golden.subtypes import traits_of
from kgsynth.language.lengths import is_long

Floats = NDArray[np.float64]


class GreedyPicker:
    """The items with their gains, which are updated after each choice."""

    def __init__(
        self,
        items: list[Item],
        vectors: NDArray[Any] | None,
        documents: Mapping[str, Document],
        difficulty: Difficulty = "natural",
    ) -> None:
        self.items = items
        self._vectors = vectors
        self._closest = np.zeros(len(items))
        information = {"easy": 0.0, "natural": LIMITS.natural_information, "hard": LIMITS.hard_information}[difficulty]
        self._base = np.array([_worth(item.scores, information) for item in items], float)
        docs = [sorted({span.doc for span in _places(item)}) for item in items]
        short = {doc for doc, page in documents.items() if not is_long(page, PROSE)}
        shares = [sum(doc in short for doc in own) / max(len(own), 1) for own in docs]
        self._base -= LIMITS.short_document_penalty * np.array(shares, float)
        self._free = np.ones(len(items), bool)
        self._asked = [set(asked_facts(item)) for item in items]
        self._askers = _index(self._asked)
        sections = [_sections(item, documents) for item in items]
        series = [
            [("series", *own)] if traits_of(each.subtype).in_series else []
            for each, own in zip(items, sections, strict=True)
        ]
        self._series, self._in_series = series, _index(series)
        self._spread = [
            (weight, keys, np.array([len(own) for own in keys], float), _index(keys))
            for weight, keys in (
                (LIMITS.document_penalty, docs),
                (LIMITS.section_penalty, sections),
            )
        ]
        self._used: Counter[Hashable] = Counter()
        kinds = [f"{item.question_type} {item.subtype}" for item in items]
        self._kinds = np.unique(kinds, return_inverse=True)[1]
        self._chosen = np.zeros(len(items))  # by kind

    def members_of(self, question_type: str, beyond: int = 0) -> NDArray[np.intp]:
        """Return the positions of the items of one question type, without the first ``beyond`` items."""
        places = range(beyond, len(self.items))
        return np.array([place for place in places if self.items[place].question_type == question_type], np.intp)

    def has_free(self, members: NDArray[np.intp]) -> bool:
        """Check whether any of ``members`` can still be chosen."""
        return bool(self._free[members].any())

    def hold(self, places: Iterable[int]) -> None:
        """Count items as chosen before any other."""
        for place in places:
            self._take(place)

    def pick(self, members: NDArray[np.intp], n: int) -> list[int]:
        """Choose up to ``n`` of ``members``, the greatest gain first."""
        picked: list[int] = []
        while len(picked) < n and self.has_free(members):
            free = members[self._free[members]]
            gain = self._base[free] - LIMITS.similarity_penalty * self._closest[free]
            chosen, present = self._chosen[self._kinds[free]], np.unique(self._kinds[free])
            gain -= LIMITS.subtype_penalty * chosen / max(1.0, self._chosen[present].sum())
            best = int(free[np.argmax(np.round(gain, 9))])
            self._take(best)
            picked.append(best)
        return picked

    def _take(self, place: int) -> None:
        self._free[place] = False
        for key in self._asked[place]:
            self._free[self._askers[key]] = False
        for key in self._series[place]:
            self._used[key] += 1
            if self._used[key] >= LIMITS.series_max:
                self._free[self._in_series[key]] = False
        for weight, keys, counts, index in self._spread:
            for key in keys[place]:
                before = self._used[key]
                self._used[key] += 1
                self._base[index[key]] -= weight * (np.log2(before + 2) - np.log2(before + 1)) / counts[index[key]]
        self._chosen[self._kinds[place]] += 1
        if self._vectors is not None:
            np.maximum(self._closest, self._vectors @ self._vectors[place], out=self._closest)


def _worth(scores: FilterScores, information: float) -> float:
    """Return ``keep`` or ``quality``, more by the Fisher information of an answer that is right as often as found."""
    kept = LIMITS.keep_weight * scores["keep"] if "keep" in scores else scores.get("quality", 0.0)
    found = scores.get("found", 1.0)
    return kept * (1 + information * 4 * found * (1 - found))


_ASKED_KEYS = ("find", "entity", "swapped", "by", "about")
"""The keys of a derivation step whose value is the span that the step asks for, or that was swapped."""


def asked_facts(item: Item) -> list[Hashable]:
    """Return what an item asks for: the fact and answer span of each step that finds one."""
    if item.derivation.get("operator") == "quoted":
        return [("quoted", item.question)]
    keys: list[Hashable] = []
    for step in steps_in(item.derivation):
        if place := place_in(next((step[key] for key in _ASKED_KEYS if step.get(key)), None)):
            keys.append((str(step.get("fact")), *place))
    return keys


def _places(item: Item) -> list[Span]:
    """Return the first span of each group, or the sentence that an unanswerable question was made from."""
    return [group[0] for group in item.evidence if group] if item.answerable else list(item.hard_negatives[:1])


def _sections(item: Item, documents: Mapping[str, Document]) -> list[str]:
    """Return the innermost section of the first span of each group."""
    found = set()
    for span in _places(item):
        document = documents.get(span.doc)
        section = document.section_at(span.start) if document else None
        found.add(section.id if section else span.doc + "\x1f")
    return sorted(found)


def _index(keys: Iterable[Iterable[Hashable]]) -> dict[Hashable, NDArray[np.intp]]:
    index: dict[Hashable, list[int]] = defaultdict(list)
    for place, own in enumerate(keys):
        for key in own:
            index[key].append(place)
    return {key: np.array(places, np.intp) for key, places in index.items()}
