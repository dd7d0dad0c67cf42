"""Read golden sets, and find for each item the item of another version that it was before, one to one."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from kgsynth.base.records import Document, Item
from kgsynth.base.thresholds import DEFAULT_THRESHOLDS
from kgsynth.evidence.near_duplicates import NearDuplicates
from kgsynth.evidence.question_checks import answers_agree, names_and_numbers
from kgsynth.golden.dataset import Dataset
from kgsynth.golden.exchange import read
from kgsynth.golden.exchange.open_set import open_set
from kgsynth.golden.spans import evidence_spans
from kgsynth.language.words import folded


class NamedSet(NamedTuple):
    """A set, the name that messages use for it, and ``notes`` on what is missing from a file of another tool."""

    name: str
    dataset: Dataset
    notes: tuple[str, ...] = ()


def read_set(place: Path, docs: Path | Sequence[Document] | None = None) -> NamedSet:
    """Read a set in any format that ``audit`` reads; ``docs`` is where the evidence of a foreign one is located.

    Raises:
        InputError: the file cannot be read, or no format fits.
    """
    own = read(place).own
    if own is not None:
        return NamedSet(str(place), own)
    found = open_set(place, docs)
    return NamedSet(str(place), found.dataset, tuple(f"{place}: {note}" for note in found.notes))


# Find for each item of a set the item of another version of the set that it was before, one to one.
#
# Items are paired in passes, and an item that is paired takes no part in the later ones: by id with the same question
# or evidence, by question, by evidence and answers, by similar wording, and last by id alone. So sets whose ids only
# count their rows are not paired by row.

Key = Callable[[Item], Hashable]


class ItemPair(NamedTuple):
    """An item before and after, and by what the two were found to be one: "id", "question", "evidence" or "wording"."""

    old: Item
    new: Item
    matched_by: str


class MatchedSets(NamedTuple):
    """The pairs in the order of the new set, the items that only it has, and those that only the old one has."""

    pairs: tuple[ItemPair, ...]
    added: tuple[Item, ...]
    gone: tuple[Item, ...]


def match(old: Sequence[Item], new: Sequence[Item]) -> MatchedSets:
    """Pair the items of two versions of a set.

    Example:
        >>> ada, bea = (Item(name, f"Who is {name}?", (name,), "simple", "", "en", ()) for name in ("Ada", "Bea"))
        >>> found = match([ada], [bea, ada])
        >>> [pair.old.id for pair in found.pairs], [item.id for item in found.added], found.gone
        (['Ada'], ['Bea'], ())
    """
    free_old, free_new = dict(enumerate(old)), dict(enumerate(new))
    found: dict[int, ItemPair] = {}

    def take(pairs: Iterable[tuple[int, int]], matched_by: str) -> None:
        for before, after in pairs:
            if before in free_old and after in free_new:
                found[after] = ItemPair(free_old.pop(before), free_new.pop(after), matched_by)

    for matched_by, key in _PASSES:
        take(_with_same_key(free_old, free_new, key), matched_by)
    take(_with_similar_words(free_old, free_new), "wording")
    take(_with_same_key(free_old, free_new, lambda item: item.id), "id")
    pairs = tuple(found[place] for place in sorted(found))
    return MatchedSets(pairs, tuple(free_new.values()), tuple(free_old.values()))


def question_key(item: Item) -> str:
    """Return the question of an item as it is compared; a later turn of a conversation as it is understood alone."""
    return folded(item.full_question)


def evidence_key(item: Item) -> tuple[str, ...]:
    """Return the texts of the evidence of an item as they are compared, wherever they are; () for no evidence."""
    return tuple(sorted(folded(span.text) for span in evidence_spans(item)))


def _answers_key(item: Item) -> tuple[str, ...]:
    return tuple(sorted(map(folded, item.golden_answers)))


def _if_all(*parts: Hashable) -> Hashable:
    """Return the parts as a key, None (which pairs nothing) if one of them is empty."""
    return parts if all(parts) else None


_PASSES: tuple[tuple[str, Key], ...] = (
    ("id", lambda item: _if_all(item.id, question_key(item))),
    ("id", lambda item: _if_all(item.id, evidence_key(item))),
    ("question", lambda item: _if_all(question_key(item), _answers_key(item))),
    ("question", lambda item: _if_all(question_key(item))),
    ("evidence", lambda item: _if_all(evidence_key(item), _answers_key(item))),
)
"""What pairs two items if it is the same, and its name, in the order of the passes."""


def _with_same_key(old: dict[int, Item], new: dict[int, Item], key: Key) -> list[tuple[int, int]]:
    """Return the places of items with the same key: the first with the first, the second with the second."""
    waiting: dict[Hashable, list[int]] = defaultdict(list)
    for place, item in reversed(old.items()):
        waiting[key(item)].append(place)
    waiting.pop(None, None)
    return [(waiting[found].pop(), place) for place, item in new.items() if waiting.get(found := key(item))]


def _with_similar_words(old: dict[int, Item], new: dict[int, Item]) -> list[tuple[int, int]]:
    """Return the places of items of which two of three agree: question and evidence nearly, the answer; best first."""
    places, items = list(old), list(old.values())
    questions = _Index(map(question_key, items))
    evidence = _Index(" ".join(evidence_key(item)) for item in items)
    ranked = []
    for place, item in new.items():
        asked, proved = questions.near(question_key(item)), evidence.near(" ".join(evidence_key(item)))
        for number in sorted(asked.keys() | proved.keys()):
            likeness = (asked.get(number, 0.0), proved.get(number, 0.0))
            agree = answers_agree(items[number], item)
            if likeness[0] and names_and_numbers(items[number]) != names_and_numbers(item) and not likeness[1]:
                continue  # the same words about another thing
            if (likeness[0] > 0) + (likeness[1] > 0) + agree >= 2:
                ranked.append((-(sum(likeness) + agree), places[number], place))
    return [(before, after) for _, before, after in sorted(ranked)]


class _Index:
    """Texts, found by their words; an empty text is like no other."""

    def __init__(self, texts: Iterable[str]) -> None:
        self._found = NearDuplicates(DEFAULT_THRESHOLDS["duplicate"])
        for text in texts:
            self._found.add(text)

    def near(self, text: str) -> dict[int, float]:
        """Return the similarity of each text with nearly the same words, by its number."""
        alike = self._found.alike(text) if text else []
        return {number: similarity for similarity, number in alike if self._found.questions[number]}
