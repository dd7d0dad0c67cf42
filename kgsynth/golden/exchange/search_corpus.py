"""The passages of a retrieval test, and which of them are relevant to a question."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple
from urllib.parse import quote

from kgsynth.base.records import Document, Item, Span
from kgsynth.documents.chunking import chunk
from kgsynth.golden.exchange.export_input import ExportInput

_COVER = 0.5  # of the characters of a span: what a relevant passage has, as in ``score``


class CorpusEntry(NamedTuple):
    """One passage of the corpus: a chunk, a document, or a span of evidence if its document is not known."""

    id: str
    span: Span
    title: str

    @property
    def text(self) -> str:
        """The text of the passage."""
        return self.span.text


class SearchCorpus:
    """The ``entries`` to search, and ``notes`` on them.

    The passages are the chunks of the documents (200 words at most), or whole documents. Evidence and hard negatives
    in no document that is known are passages of their own.

    Example:
        >>> span = Span("my notes.md", 4, 14, "Ada leads.")
        >>> item = Item("q-1", "Who leads?", ("Ada",), "simple", "", "en", ((span,),))
        >>> corpus = SearchCorpus(ExportInput((item,), {}))
        >>> corpus.relevant(item), corpus.notes
        (['my%20notes.md#4-14'], ('the corpus has only evidence and hard negatives; --docs adds the documents',))
    """

    def __init__(self, source: ExportInput) -> None:
        whole = source.whole_documents
        self._by_doc: dict[str, list[CorpusEntry]] = {
            name: list(_entries(document, whole)) for name, document in sorted(source.documents.items())
        }
        for item in source.items:
            for span in (*(each for group in item.evidence for each in group), *item.hard_negatives):
                entries = self._by_doc.setdefault(span.doc, [])
                if not any(entry.span.meets(span) for entry in entries):
                    entries.append(CorpusEntry(_name(span, span.doc), span, ""))
        self.entries = [entry for entries in self._by_doc.values() for entry in entries]
        only_evidence = "the corpus has only evidence and hard negatives; --docs adds the documents"
        self.notes = () if source.documents else (only_evidence,)

    def relevant(self, item: Item) -> list[str]:
        """Return the passages that are evidence: all that cover half of a span of any group, each once.

        If none covers half of a span, those that share it are relevant.
        """
        found: dict[str, None] = {}
        for span in (each for group in item.evidence for each in group):
            near = [entry for entry in self._by_doc.get(span.doc, ()) if entry.span.meets(span)]
            covering = [entry for entry in near if _shared(entry.span, span) >= _COVER * (span.end - span.start)]
            found |= dict.fromkeys(entry.id for entry in covering or near)
        return list(found)


def _entries(document: Document, whole: bool) -> Iterator[CorpusEntry]:
    if whole:
        span = document.span(0, len(document.text))
        yield CorpusEntry(safe_id(document.id), span, document.title)
        return
    for piece in chunk(document):
        span = document.span(piece.start, piece.end)
        yield CorpusEntry(_name(span, document.id), span, document.title)


def _name(span: Span, doc: str) -> str:
    return f"{safe_id(doc)}#{span.start}-{span.end}"


def safe_id(name: str) -> str:
    """Return a name without white space and quotes, which would end a column of a file of judgements.

    Example:
        >>> safe_id("my notes/价格.md")
        'my%20notes/价格.md'
    """
    return re.sub(r"""[\s"'%]""", lambda match: quote(match[0], safe=""), name)


def _shared(passage: Span, span: Span) -> int:
    return min(passage.end, span.end) - max(passage.start, span.start)
