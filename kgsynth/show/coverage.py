"""Coverage: which documents and sections a set asks about, and which it never does."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from kgsynth.base.records import PROSE, Document, Item
from kgsynth.language.words import count_words, is_long

_PROSE_WORDS = 40
"""Words of prose from which on a section is missed when nothing is asked about it."""


@dataclass(frozen=True, slots=True)
class Asked:
    """One document: how many questions have evidence in it, and how many sections of some length it has.

    ``missed`` are the headings of those never asked about; ``long`` says whether it has 150 words or more.
    """

    doc: str
    questions: int
    long: bool
    sections: int
    missed: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Coverage:
    """All documents in the order of their ids, with the sums a reader asks for first."""

    documents: tuple[Asked, ...]

    @property
    def long(self) -> int:
        """How many documents are long enough to be missed."""
        return sum(each.long for each in self.documents)

    @property
    def never(self) -> tuple[str, ...]:
        """The documents of some length that were never asked about."""
        return tuple(each.doc for each in self.documents if each.long and not each.questions)

    @property
    def sections(self) -> int:
        """How many sections there are of some length."""
        return sum(each.sections for each in self.documents)

    @property
    def sections_asked(self) -> int:
        """How many of these are asked about."""
        return self.sections - sum(len(each.missed) for each in self.documents)


def coverage(items: Iterable[Item], documents: Mapping[str, Document]) -> Coverage:
    """Return what the evidence of ``items`` touches of ``documents``.

    Example:
        >>> coverage((), {}).never
        ()
    """
    questions: Counter[str] = Counter()
    places: dict[str, set[int]] = {}
    for item in items:
        spans = [span for group in item.evidence for span in group]
        questions.update({span.doc for span in spans})
        for span in spans:
            places.setdefault(span.doc, set()).add(span.start)
    return Coverage(tuple(_asked(documents[doc], questions[doc], places.get(doc, set())) for doc in sorted(documents)))


def _asked(document: Document, questions: int, places: set[int]) -> Asked:
    words: Counter[int] = Counter()
    touched: set[int] = set()
    for block in document.blocks:
        if block.kind in PROSE:
            words[block.section] += count_words(block.text)
        if any(block.start <= place < block.end for place in places):
            touched.add(block.section)
    long = [at for at in sorted(words) if words[at] >= _PROSE_WORDS and at < len(document.sections)]
    missed = tuple(" › ".join(document.sections[at].path) or document.title for at in long if at not in touched)
    return Asked(document.id, questions, is_long(document), len(long), missed)
