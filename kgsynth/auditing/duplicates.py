"""Questions that ask the same thing, within one set or across two: in the same words, similar words, or by meaning."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

from kgsynth.auditing.case import AuditCase, content_words, with_full_questions
from kgsynth.base.records import Finding, Item
from kgsynth.base.thresholds import DEFAULT_THRESHOLDS, LIMITS
from kgsynth.evidence.near_duplicates import NearDuplicates
from kgsynth.evidence.question_checks import answers_agree, names_and_numbers
from kgsynth.golden.spans import evidence_spans
from kgsynth.language import LANGUAGES
from kgsynth.language.words import jaccard, words

_KEEP_ONE = "keep the better of the two"
_REMOVE = "remove it from one of the two sets: a test question must not be in the training data"
_QUESTIONS_PER_PRODUCT = 512  # questions compared with all others in one matrix product


def duplicates(case: AuditCase) -> Iterator[Finding]:
    """Yield the items with the same question, word for word, as an earlier one, and an answer in common with it."""
    first: dict[tuple[str, ...], Item] = {}
    for item in case.dataset:
        asked = tuple(words(item.question))
        earlier = first.setdefault(asked, item)
        if asked and earlier is not item and answers_agree(earlier, item):
            message = f"asks the same as {earlier.id}: {item.question!r}"
            yield Finding("duplicate", "error", item.id, message, _KEEP_ONE)


def near_duplicates(case: AuditCase) -> Iterator[Finding]:
    """Yield the items whose question is in nearly the same words as an earlier one."""
    index = _QuestionIndex(())
    for item in case.dataset:
        if found := index.most_similar(item):
            similarity, earlier = found
            message = f"{item.question!r} is nearly {earlier.question!r} of {earlier.id} ({similarity:.2f})"
            yield Finding("near_duplicate", "warning", item.id, message, _KEEP_ONE)
        index.add(item)


def paraphrases(case: AuditCase) -> Iterator[Finding]:
    """Yield the items whose question means the same as an earlier one, except those already reported by their words."""
    items = list(filter(_in_supported_language, case.dataset))
    reported = {finding.item for check in (duplicates, near_duplicates) for finding in check(case)}
    for number, other, cosine in _same_meaning(items, items, case):
        item, earlier = items[number], items[other]
        if item.id not in reported and words(item.question) != words(earlier.question):
            reported.add(item.id)
            message = f"{item.question!r} means the same as {earlier.question!r} of {earlier.id} ({cosine:.2f})"
            yield Finding("paraphrase", "warning", item.id, message, _KEEP_ONE)


def contamination(case: AuditCase) -> Iterator[Finding]:
    """Yield the items that the other set has too: the same or a similar question, or the same answer and evidence."""
    other = list(with_full_questions(case.resources.against)) if case.resources.against else []
    exact = {tuple(words(item.question)): item for item in reversed(other) if words(item.question)}
    index, unmatched = _QuestionIndex(other), []
    for item in case.dataset:
        if same := exact.get(tuple(words(item.question))):
            yield _contaminated("error", item, same, "is also in the other set")
        elif near := index.most_similar(item):
            yield _contaminated("warning", item, near[1], f"is similar to one in the other set ({near[0]:.2f})")
        elif twins := index.with_same_answer(item):
            yield _contaminated("warning", item, twins[0], "has the answer and evidence of one in the other set")
        else:
            unmatched.append(item)
    if case.resources.encode is None:
        return
    reported = set()
    unmatched, other = (list(filter(_in_supported_language, items)) for items in (unmatched, other))
    for number, place, cosine in _same_meaning(unmatched, other, case):
        if number not in reported:
            reported.add(number)
            what = f"means the same as one in the other set ({cosine:.2f})"
            yield _contaminated("warning", unmatched[number], other[place], what)


def _contaminated(severity: str, item: Item, other: Item, what: str) -> Finding:
    message = f"{item.question!r} {what}: {other.question!r} of {other.id}"
    return Finding("contamination", severity, item.id, message, _REMOVE)


class _QuestionIndex:
    """Items, found by the words of their question or by answer and evidence."""

    def __init__(self, items: Iterable[Item]) -> None:
        self._index = NearDuplicates(DEFAULT_THRESHOLDS["duplicate"])
        self._items: list[Item] = []
        self._by_place: dict[tuple[str, int], list[Item]] = defaultdict(list)
        for item in items:
            self.add(item)

    def add(self, item: Item) -> None:
        """Add an item."""
        self._index.add(item.question)
        self._items.append(item)
        for place in _places(item):
            self._by_place[place].append(item)

    def with_same_answer(self, item: Item) -> list[Item]:
        """Return the items with the same answer and the same evidence."""
        found = {id(other): other for place in _places(item) for other in self._by_place[place]}
        return [other for other in found.values() if _same_answer(item, other)]

    def most_similar(self, item: Item) -> tuple[float, Item] | None:
        """Return the similarity and the item of the nearest near duplicate in other words, None if there is none.

        The similarity is the Jaccard similarity of word pairs; if no question is near by it, that of content words.
        """
        content = frozenset(content_words(item.question, item.language))
        alike = ((similarity, self._items[number]) for similarity, number in self._index.alike(item.question))
        similar = [(similarity, other) for similarity, other in alike if not _about_another(item, other)]
        for other in self.with_same_answer(item) if not similar else ():
            similarity = jaccard(content, frozenset(content_words(other.question, other.language)))
            similar += [(similarity, other)] if similarity >= LIMITS.reworded_overlap else []
        similar = [pair for pair in similar if words(pair[1].question) != words(item.question)]
        return min(similar, key=lambda pair: (-pair[0], pair[1].id), default=None)


def _same_meaning(items: Sequence[Item], others: Sequence[Item], case: AuditCase) -> Iterator[tuple[int, int, float]]:
    """Yield ``(number in items, number in others, cosine)`` of questions with the same meaning.

    When both are the same set, each item is compared only with those before it.
    """
    import numpy as np

    if not items or not others:
        return
    rows = case.vectors.rows([item.question for item in items])
    columns = case.vectors.rows([item.question for item in others])
    numbers = np.arange(len(others))
    for start in range(0, len(items), _QUESTIONS_PER_PRODUCT):
        cosines = rows[start : start + _QUESTIONS_PER_PRODUCT] @ columns.T
        if items is others:
            cosines[numbers[None, :] >= np.arange(start, start + len(cosines))[:, None]] = -1.0
        for row in np.flatnonzero(cosines.max(axis=1) >= LIMITS.same_answer_cosine).tolist():
            item = items[start + row]
            for place in np.flatnonzero(cosines[row] >= LIMITS.same_answer_cosine).tolist():
                cosine, other = float(cosines[row, place]), others[place]
                if _same_answer(item, other) or (
                    cosine >= DEFAULT_THRESHOLDS["paraphrase"] and _share_answer_or_place(item, other)
                ):
                    yield start + row, place, cosine


def _in_supported_language(item: Item) -> bool:
    """Check whether an item has a question in a supported language; the embedding model is not measured on others."""
    return item.language in LANGUAGES and bool(words(item.question))


def _same_answer(one: Item, other: Item) -> bool:
    """Check whether two items have an answer in common and the same places of evidence."""
    return bool(one.golden_answers) and answers_agree(one, other) and _places(one) == _places(other)


def _share_answer_or_place(one: Item, other: Item) -> bool:
    """Check whether two items have an answer or a place of evidence in common.

    The cosine alone is not enough: embeddings hardly distinguish "before" from "after".
    """
    return answers_agree(one, other) or bool(_places(one) & _places(other))


def _about_another(one: Item, other: Item) -> bool:
    """Check whether two questions differ in a name or number, and in their answers and places of evidence."""
    return names_and_numbers(one) != names_and_numbers(other) and not _share_answer_or_place(one, other)


def _places(item: Item) -> set[tuple[str, int]]:
    """Return where the spans of the evidence begin; items made from the same passage share a place."""
    return {(span.doc, span.start) for span in evidence_spans(item)}
