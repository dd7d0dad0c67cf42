"""Selection: of all valid candidates the n that make the best set, by quotas over the mix, widely spread.

A greedy choice, one question type after the other, the scarcest first. The gain of a candidate is

    quality - diversity · (its greatest cosine to a chosen question) - penalties,

which is maximal marginal relevance (Carbonell and Goldstein 1998) with penalties for what the set already has much of:
its documents (so dear that only a much better question comes before a new one), its sections, the facts it joins,
its subtype and its difficulty. Left out: whether a candidate is valid, which the filters decide.
"""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from kgsynth.base.config import Config
from kgsynth.base.quotas import apportion
from kgsynth.base.records import Document, Item, Span
from kgsynth.language.words import is_long

if TYPE_CHECKING:
    from kgsynth.generation.filters.context import FilterContext

Floats = NDArray[np.float64]

DOCUMENT, SECTION, FACT, SUBTYPE, DIFFICULTY, DIVERSITY = 0.6, 0.2, 0.6, 0.3, 0.2, 0.5
"""The weights of the penalties, where quality runs from 0 to 1."""
FAR = 0.2
"""What is lost when the embedding model ranks the evidence 64th or worse: people ask nearer to what they look for."""

SHORT = 0.2
"""What is lost on documents of few words: a long one without a question is missed more."""

_NO_QUALITY = 0.5  # of an item that carries no score


@dataclass(frozen=True, slots=True)
class TypeCount:
    """What became of one question type: its quota, its valid candidates, and how many were chosen."""

    question_type: str
    quota: int
    valid: int
    chosen: int


@dataclass(frozen=True, slots=True)
class Shortage:
    """How a selection met its quotas; ``missing`` counts what the set lacks of ``n`` in all."""

    n: int
    types: tuple[TypeCount, ...]

    @property
    def missing(self) -> int:
        """How many items fewer than asked for were chosen."""
        return self.n - sum(count.chosen for count in self.types)

    @property
    def short(self) -> tuple[TypeCount, ...]:
        """The types that did not fill their quota."""
        return tuple(count for count in self.types if count.chosen < count.quota)

    def lines(self, funnel: Mapping[str, Mapping[str, int]] | None = None) -> list[str]:
        """Return a sentence for each short type; ``funnel`` holds by type how many candidates each rule turned away.

        Example:
            >>> Shortage(5, (TypeCount("simple", 5, 2, 2),)).lines({"simple": {"leaking": 7}})
            ['simple: 5 asked for, 2 chosen of 2 valid among 9 candidates (turned away: leaking 7)']
        """
        return [self._line(count, (funnel or {}).get(count.question_type, {})) for count in self.short]

    def _line(self, count: TypeCount, turned_away: Mapping[str, int]) -> str:
        line = f"{count.question_type}: {count.quota} asked for, {count.chosen} chosen of {count.valid} valid"
        if not turned_away:
            return line
        rules = ", ".join(
            f"{rule} {number}" for rule, number in sorted(turned_away.items(), key=lambda r: (-r[1], r[0]))
        )
        return f"{line} among {count.valid + sum(turned_away.values())} candidates (turned away: {rules})"


def choose(valid: Sequence[Item], context: FilterContext, config: Config) -> tuple[list[Item], Shortage]:
    """Choose the set of a run from its valid items."""
    return select(
        valid,
        config.n,
        config.mix,
        vectors=context.vectors.rows([item.question for item in valid]),
        documents=context.knowledge.documents,
        rng=random.Random(config.seed),
    )


def select(
    items: Sequence[Item],
    n: int,
    mix: Mapping[str, float],
    *,
    vectors: Floats | NDArray[np.float32] | None = None,
    documents: Mapping[str, Document] | None = None,
    rng: random.Random | None = None,
    fill: bool = True,
) -> tuple[list[Item], Shortage]:
    """Choose ``n`` of ``items``: in the order of the mix, within a type the best first; and how the quotas were met.

    ``vectors`` are the questions' normalised embeddings, one row an item; without them the questions are not set
    apart by meaning. ``documents`` give the sections. When a type is short, the others fill its places in proportion
    to the mix, unless ``fill`` is False; a type without a share is never chosen. Ties go to the lesser id, or at
    random with ``rng``. No two chosen items ask the same fact for the same span.
    """
    shares = {kind: share for kind, share in mix.items() if share > 0}
    places = [place for place in _order(items, rng) if items[place].question_type in shares]
    picker = _Picker([items[place] for place in places], None if vectors is None else vectors[places], documents or {})
    members = {kind: picker.of_type(kind) for kind in shares}
    quotas = apportion(n, shares)
    chosen: dict[str, list[int]] = {kind: [] for kind in shares}
    wanted = dict(quotas)
    while any(wanted.values()):
        scarce = sorted(wanted, key=lambda kind: (len(members[kind]) / max(wanted[kind], 1), kind))
        for kind in scarce:
            chosen[kind] += picker.pick(members[kind], wanted[kind])
        missing = n - sum(map(len, chosen.values()))
        left = {kind: share for kind, share in shares.items() if picker.open(members[kind])}
        wanted = apportion(missing, left) if fill and left else {}
    counts = tuple(TypeCount(kind, quotas[kind], len(members[kind]), len(chosen[kind])) for kind in shares)
    return [picker.items[place] for place in chain.from_iterable(chosen.values())], Shortage(n, counts)


def _order(items: Sequence[Item], rng: random.Random | None) -> list[int]:
    """Return the places of the items by id, or shuffled: the first of equals is chosen."""
    order = sorted(range(len(items)), key=lambda place: items[place].id)
    if rng is not None:
        rng.shuffle(order)
    return order


class _Picker:
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
