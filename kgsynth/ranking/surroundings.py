"""What the ranker sees of an item's documents: the section of its evidence, and how common words and headings are."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from functools import cached_property

from kgsynth.base.records import Document, Item, Section, Span
from kgsynth.language.words import words

_MAX_WORD_LETTERS = 40


class Surroundings:
    """The documents of a set, by id, with the counts of their words and headings.

    Example:
        >>> crew = Section("s", "a.md", "Crew", 0, ("Crew",), 0, 10)
        >>> page = Document("a.md", "Ada leads.", "Crew", "md", "", (), (crew,))
        >>> around = Surroundings({"a.md": page})
        >>> around.section(Span("a.md", 0, 3, "Ada")).title
        'Crew'
    """

    def __init__(self, documents: Mapping[str, Document]) -> None:
        self.documents = documents
        self._counts: dict[str, Counter[str]] = {}

    @cached_property
    def documents_with(self) -> Counter[str]:
        """Word -> the number of documents that have it."""
        found: Counter[str] = Counter()
        for ident in self.documents:
            found.update(self.counts(ident).keys())
        return found

    @cached_property
    def documents_with_heading(self) -> Counter[str]:
        """Heading in lower case -> the number of documents that have it."""
        found: Counter[str] = Counter()
        for document in self.documents.values():
            found.update({section.title.lower() for section in document.sections})
        return found

    def counts(self, doc: str) -> Counter[str]:
        """Return how often each word occurs in a document."""
        if doc not in self._counts:
            found = words(self.documents[doc].text) if doc in self.documents else []
            self._counts[doc] = Counter(word for word in found if len(word) <= _MAX_WORD_LETTERS)
        return self._counts[doc]

    def rarity(self, word: str) -> float:
        """Return how rare a word is in the documents, from 0 (in all of them) to 1 (in none)."""
        every = len(self.documents) + 1
        return math.log(every / (1 + min(self.documents_with[word], every - 1))) / math.log(every) if every > 1 else 0.0

    def section(self, span: Span) -> Section | None:
        """Return the innermost section around the start of a span, None if its document is not there."""
        document = self.documents.get(span.doc)
        return document.section_at(span.start) if document else None

    def plain(self, span: Span) -> str:
        """Return the text of a span as a person reads it."""
        document = self.documents.get(span.doc)
        if document is None or document.text[span.start : span.end] != span.text:
            return " ".join(span.text.split())
        return document.plain(span.start, span.end)

    def evidence(self, item: Item) -> list[Span]:
        """Return the first span of each evidence group."""
        return [group[0] for group in item.evidence if group]
