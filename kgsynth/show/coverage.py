"""Coverage: which documents and sections have questions, and which have none."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from kgsynth.base.records import PROSE, Document, Item
from kgsynth.base.thresholds import LIMITS
from kgsynth.language.words import count_words, is_long
from kgsynth.show.wording import many

_MIN_SECTION_WORDS = 40
"""A section with at least this many words of prose should have a question."""


@dataclass(frozen=True, slots=True)
class DocumentCoverage:
    """One document: the number of questions with evidence in it, and of sections with enough words for a question.

    ``missed`` are the headings of those without a question; ``long`` says whether the document should have a question.
    """

    doc: str
    questions: int
    long: bool
    sections: int
    missed: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CorpusCoverage:
    """The coverage of all documents, in the order of their ids, with totals."""

    documents: tuple[DocumentCoverage, ...]

    @property
    def unasked(self) -> tuple[str, ...]:
        """The long documents without a question."""
        return tuple(each.doc for each in self.documents if each.long and not each.questions)

    @property
    def sections(self) -> int:
        """The number of sections with enough words for a question."""
        return sum(each.sections for each in self.documents)

    @property
    def sections_asked(self) -> int:
        """How many of these sections have a question."""
        return self.sections - sum(len(each.missed) for each in self.documents)

    def sentence(self) -> str:
        """Say in a sentence how many documents and sections have questions.

        Example:
            >>> CorpusCoverage(()).sentence()
            'No document has 150 words or more.'
        """
        long = sum(each.long for each in self.documents)
        if not long:
            return f"No document has {LIMITS.long_document_words} words or more."
        documents = f"{many(long, 'document')} with at least {LIMITS.long_document_words} words"
        asked = f"{long - len(self.unasked):,} of {documents}"
        if self.sections:
            asked += f", and {self.sections_asked:,} of {many(self.sections, 'section')} with at least "
            asked += f"{_MIN_SECTION_WORDS} words of prose ({self.sections_asked / self.sections:.0%})"
        return f"There are questions about {asked}."


def coverage(items: Iterable[Item], documents: Mapping[str, Document]) -> CorpusCoverage:
    """Return which of ``documents`` and their sections the evidence of ``items`` is in.

    Example:
        >>> coverage((), {}).unasked
        ()
    """
    questions: Counter[str] = Counter()
    starts: dict[str, set[int]] = {}
    for item in items:
        spans = [span for group in item.evidence for span in group]
        questions.update({span.doc for span in spans})
        for span in spans:
            starts.setdefault(span.doc, set()).add(span.start)
    each = (_document_coverage(documents[doc], questions[doc], starts.get(doc, set())) for doc in sorted(documents))
    return CorpusCoverage(tuple(each))


def _document_coverage(document: Document, questions: int, starts: set[int]) -> DocumentCoverage:
    words: Counter[int] = Counter()
    asked: set[int] = set()
    for block in document.blocks:
        if block.kind in PROSE:
            words[block.section] += count_words(block.text)
        if any(block.start <= start < block.end for start in starts):
            asked.add(block.section)
    long = [at for at in sorted(words) if words[at] >= _MIN_SECTION_WORDS and at < len(document.sections)]
    missed = tuple(" › ".join(document.sections[at].path) or document.title for at in long if at not in asked)
    return DocumentCoverage(document.id, questions, is_long(document), len(long), missed)
