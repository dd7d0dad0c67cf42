"""Coverage: which documents and sections have questions, and which have none."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from kgsynth.base.records import READ, Document, Item
from kgsynth.base.shares import percent
from kgsynth.base.thresholds import LIMITS
from kgsynth.language.lengths import is_long
from kgsynth.show.wording import many

SECTION = "A section is the text directly under one heading that has a paragraph, list item, quotation or table."
"""What is counted as a section, for readers."""


@dataclass(frozen=True, slots=True)
class DocumentCoverage:
    """One document: the number of questions with evidence in it, and of sections.

    ``asked`` has the number of questions with evidence in each section that has any, by heading; ``missed`` has the
    headings of the other sections. ``long`` says whether the document should have a question.
    """

    doc: str
    questions: int
    long: bool
    sections: int
    asked: tuple[tuple[str, int], ...]
    missed: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CorpusCoverage:
    """The coverage of all documents, in the order of their ids, with totals.

    This is the only count of documents and sections with questions: text, pages and JSON all show it.
    """

    documents: tuple[DocumentCoverage, ...]

    @property
    def long(self) -> tuple[str, ...]:
        """The documents with so many words that one expects a question about them."""
        return tuple(each.doc for each in self.documents if each.long)

    @property
    def unasked(self) -> tuple[str, ...]:
        """The long documents without a question."""
        return tuple(each.doc for each in self.documents if each.long and not each.questions)

    @property
    def sections(self) -> int:
        """The number of sections; see ``SECTION``."""
        return sum(each.sections for each in self.documents)

    @property
    def sections_asked(self) -> int:
        """How many of these sections have a question."""
        return sum(len(each.asked) for each in self.documents)

    def sentence(self) -> str:
        """Say in a sentence how many documents and sections have questions.

        Example:
            >>> CorpusCoverage(()).sentence()
            'No document has 150 words or more.'
        """
        long, asked = len(self.long), []
        if long:
            documents = f"{many(long, 'document')} with {LIMITS.long_document_words} words or more"
            asked.append(f"{long - len(self.unasked):,} of {documents}")
        if self.sections:
            share = self.sections_asked / self.sections
            asked.append(f"{self.sections_asked:,} of {many(self.sections, 'section')} ({percent(share)})")
        sentences = [] if long else [f"No document has {LIMITS.long_document_words} words or more."]
        sentences += [f"There are questions about {' and '.join(asked)}."] if asked else []
        return " ".join([*sentences, *([SECTION] if self.sections else [])])


def coverage(items: Iterable[Item], documents: Mapping[str, Document]) -> CorpusCoverage:
    """Return which of ``documents`` and their sections the evidence of ``items`` is in.

    Example:
        >>> coverage((), {}).unasked
        ()
    """
    starts: dict[str, dict[str, set[int]]] = {}
    for item in items:
        for span in (span for group in item.evidence for span in group):
            starts.setdefault(span.doc, {}).setdefault(item.id, set()).add(span.start)
    return CorpusCoverage(tuple(_document_coverage(documents[doc], starts.get(doc, {})) for doc in sorted(documents)))


def _document_coverage(document: Document, starts: Mapping[str, set[int]]) -> DocumentCoverage:
    """Return the coverage of a document, given where the evidence of each question in it starts, by item id."""
    read = {block.section for block in document.blocks if block.kind in READ} & set(range(len(document.sections)))
    asked: Counter[int] = Counter()
    for own in starts.values():
        found = (block for block in document.blocks for start in own if block.start <= start < block.end)
        asked.update({block.section for block in found} & read)
    names = {at: " › ".join(document.sections[at].path) or document.title for at in sorted(read)}
    counts = tuple((name, asked[at]) for at, name in names.items() if at in asked)
    missed = tuple(name for at, name in names.items() if at not in asked)
    return DocumentCoverage(document.id, len(starts), is_long(document), len(names), counts, missed)
