"""Questions that ask the same, in the same words, in nearly the same, in the same sense: in one set, or in two."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

from kgsynth.auditing.case import AuditCase, telling
from kgsynth.auditing.other_answers import agreeing
from kgsynth.base.records import Finding, Item
from kgsynth.evidence.near_duplicates import NearDuplicates
from kgsynth.language import LANGUAGES, nearest_language
from kgsynth.language.words import jaccard, shingles, words

NEAR = 0.8
"""The Jaccard similarity of two questions' word pairs from which on they are near duplicates."""
REWORDED = 0.5
"""That of their content words, where answer and evidence are the same."""
MEANING = 0.95
"""The cosine of two questions from which on one paraphrases the other."""
SAME_ANSWER = 0.85
"""The same, where answer and evidence are the same."""

_KEEP_ONE = "keep the better of the two"
_LEAVE_OUT = "take it out of one of the two sets: what was trained on cannot test"
_MARK = re.compile(r"(?<!^)\b[A-Z]\S*|\d+")  # a name or a number within a sentence
_BLOCK = 512  # questions whose cosines with all others are computed in one product


def duplicates(case: AuditCase) -> Iterator[Finding]:
    """Yield the items that ask, word for word, what an earlier one asks, and agree with it on the answer."""
    first: dict[tuple[str, ...], Item] = {}
    for item in case.dataset:
        asked = tuple(words(item.question))
        earlier = first.setdefault(asked, item)
        if asked and earlier is not item and agreeing(earlier, item):
            message = f"asks the same as {earlier.id}: {item.question!r}"
            yield Finding("duplicate", "error", item.id, message, _KEEP_ONE)


def near_duplicates(case: AuditCase) -> Iterator[Finding]:
    """Yield the items in nearly the words of an earlier one, or mostly in them with the same answer and evidence."""
    met = _Met(())
    for item in case.dataset:
        share, earlier = met.likest(item)
        if earlier is not None:
            message = f"{item.question!r} is like {earlier.question!r} of {earlier.id} ({share:.2f})"
            yield Finding("near_duplicate", "warning", item.id, message, _KEEP_ONE)
        met.add(item)


def paraphrases(case: AuditCase) -> Iterator[Finding]:
    """Yield the items that mean what an earlier one means, by the embedding; what is alike in words is told before."""
    items = list(filter(_is_read, case.dataset))
    told = {finding.item for check in (duplicates, near_duplicates) for finding in check(case)}
    for number, other, cosine in _near_in_meaning(items, items, case):
        item, earlier = items[number], items[other]
        if item.id not in told and words(item.question) != words(earlier.question):
            told.add(item.id)
            message = f"{item.question!r} means the same as {earlier.question!r} of {earlier.id} ({cosine:.2f})"
            yield Finding("paraphrase", "warning", item.id, message, _KEEP_ONE)


def contamination(case: AuditCase) -> Iterator[Finding]:
    """Yield the items that the other set holds too: the same question, one like it, or the same evidence and answer."""
    other = list(case.resources.against or ())
    exact = {tuple(words(item.question)): item for item in reversed(other) if words(item.question)}
    met, left = _Met(other), []
    for item in case.dataset:
        same = exact.get(tuple(words(item.question)))
        share, near = met.likest(item) if same is None else (1.0, None)
        twin = met.with_same_answer(item) if near is None and same is None else []
        if same is not None:
            yield _contaminated("error", item, same, "is asked in the other set too")
        elif near is not None:
            yield _contaminated("warning", item, near, f"is like one of the other set ({share:.2f})")
        elif twin:
            yield _contaminated("warning", item, twin[0], "has evidence and answer of one of the other set")
        else:
            left.append(item)
    if case.resources.encode is None:
        return
    told = set()
    left, other = (list(filter(_is_read, items)) for items in (left, other))
    for number, place, cosine in _near_in_meaning(left, other, case):
        if number not in told:
            told.add(number)
            yield _contaminated("warning", left[number], other[place], f"means what one there means ({cosine:.2f})")


def _contaminated(severity: str, item: Item, other: Item, what: str) -> Finding:
    message = f"{item.question!r} {what}: {other.question!r} of {other.id}"
    return Finding("contamination", severity, item.id, message, _LEAVE_OUT)


class _Met:
    """Questions to be found again by their words, or by answer and evidence."""

    def __init__(self, items: Iterable[Item]) -> None:
        self._index = NearDuplicates(NEAR)
        self._items: list[Item] = []
        self._starting: dict[tuple[str, int], list[Item]] = defaultdict(list)
        for item in items:
            self.add(item)

    def add(self, item: Item) -> None:
        """Remember a question."""
        self._index.add(item.question)
        self._items.append(item)
        for place in _places(item):
            self._starting[place].append(item)

    def with_same_answer(self, item: Item) -> list[Item]:
        """Return those with the same answer, from the same evidence."""
        found = {id(other): other for place in _places(item) for other in self._starting[place]}
        return [other for other in found.values() if _same_answer(item, other)]

    def likest(self, item: Item) -> tuple[float, Item | None]:
        """Return the likest question that is not the very same, and how alike its words are; None when none is."""
        pairs, content = shingles(item.question), frozenset(telling(item.question, item.language))
        others = [self._items[number] for _, number in self._index.similar(item.question)]
        near = ((jaccard(pairs, shingles(other.question)), other) for other in others if not _of_another(item, other))
        alike = [(share, other) for share, other in near if share >= NEAR]
        for other in self.with_same_answer(item) if not alike else ():
            share = jaccard(content, frozenset(telling(other.question, other.language)))
            alike += [(share, other)] if share >= REWORDED else []
        alike = [(share, other) for share, other in alike if words(other.question) != words(item.question)]
        return min(alike, key=lambda pair: (-pair[0], pair[1].id), default=(0.0, None))


def _near_in_meaning(
    items: Sequence[Item], others: Sequence[Item], case: AuditCase
) -> Iterator[tuple[int, int, float]]:
    """Yield the numbers of two items that mean the same, the nearest of each; in one set only with those before it."""
    import numpy as np

    if not items or not others:
        return
    rows = case.vectors.rows([item.question for item in items])
    columns = case.vectors.rows([item.question for item in others])
    numbers = np.arange(len(others))
    for start in range(0, len(items), _BLOCK):
        cosines = rows[start : start + _BLOCK] @ columns.T
        if items is others:
            cosines[numbers[None, :] >= np.arange(start, start + len(cosines))[:, None]] = -1.0
        for row in np.flatnonzero(cosines.max(axis=1) >= SAME_ANSWER).tolist():
            item = items[start + row]
            for place in np.flatnonzero(cosines[row] >= SAME_ANSWER).tolist():
                cosine, other = float(cosines[row, place]), others[place]
                if _same_answer(item, other) or (cosine >= MEANING and _close(item, other)):
                    yield start + row, place, cosine


def _is_read(item: Item) -> bool:
    """Say whether an item asks something in a language that is read; the model was tried in no other."""
    return item.language in LANGUAGES and bool(words(item.question))


def _same_answer(one: Item, other: Item) -> bool:
    """Say whether two items have one answer, from the same places."""
    return bool(one.golden_answers) and agreeing(one, other) and _places(one) == _places(other)


def _close(one: Item, other: Item) -> bool:
    """Say whether two items have an answer or a place in common: the embedding does not tell "before" from "after"."""
    return agreeing(one, other) or bool(_places(one) & _places(other))


def _of_another(one: Item, other: Item) -> bool:
    """Say whether two questions are alike but for a name or a number, and have other answers from other places."""
    asked = [set(_MARK.findall(nearest_language(item.language).digits(item.question))) for item in (one, other)]
    return asked[0] != asked[1] and not _close(one, other)


def _places(item: Item) -> set[tuple[str, int]]:
    """Return where the evidence begins: items made from the same passage share such a place."""
    return {(span.doc, span.start) for group in item.evidence for span in group}
