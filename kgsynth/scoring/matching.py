"""Match retrieved passages to evidence: which evidence does each passage cover, whatever the system's chunking?

A passage with offsets is placed by them. Otherwise its text is searched for in the documents, first exactly (after
folding), then approximately (``text_index.MIN_SIMILARITY``). If only its document is known, the passage counts for the
metrics of files, but covers no evidence: a system that names documents has not shown where in them it looked.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from kgsynth.base.errors import ConfigError
from kgsynth.base.records import Passage, Span
from kgsynth.documents.document_names import DocNames, normalize_path
from kgsynth.documents.text_index import Place, TextIndex
from kgsynth.scoring.metrics.retrieval import Relevance

BY_DOCUMENT = "document"
MATCH_METHODS = ("offsets", "text", "similar text", BY_DOCUMENT, "nothing")
"""How a passage was matched, the most certain first."""

BY_DOCUMENT_NOTE = (
    "the passages name only documents, so only files are measured (file_recall, not recall); return the text or the "
    "offsets of passages, or give --docs"
)
"""The note on a run whose passages could be matched only by their documents."""


def by_document_only(methods: Iterable[str]) -> bool:
    """Check whether passages were matched, but none more exactly than by its document.

    Example:
        >>> by_document_only(["document", "nothing"]), by_document_only(["document", "text"]), by_document_only([])
        (True, False, False)
    """
    found = set(methods)
    return BY_DOCUMENT in found and found <= {BY_DOCUMENT, "nothing"}


@dataclass(frozen=True, slots=True)
class PassageCoverage:
    """Which evidence the passages of a ranking cover, and how each passage was matched.

    ``evidence`` and ``files`` are the relevance by evidence and by document, None without evidence. ``ranks`` are the
    ranks at which the groups were covered (None: never), ``methods`` the match method of each passage, ``docs`` the
    documents in which passages could be placed.
    """

    evidence: Relevance | None
    files: Relevance | None
    ranks: tuple[int | None, ...]
    methods: tuple[str, ...]
    docs: frozenset[str] = frozenset()


class Matcher:
    """Match rankings to evidence; ``texts`` are the documents by id, ``cover`` the share of a span to be covered.

    A group is covered by a passage that holds ``cover`` of the characters of one of its spans, or by several passages
    that do so together, in which case the last of them counts. A passage known only by its document covers none. A
    repeated passage keeps its rank and counts as irrelevant.

    Raises:
        ConfigError: ``cover`` is not above 0 and at most 1.

    Example:
        >>> span = Span("a.md", 10, 20, "0123456789")
        >>> matcher = Matcher()
        >>> matcher.match([Passage("a.md", 0, 14), Passage("a.md", 14, 30)], [[span]]).ranks
        (2,)
    """

    def __init__(self, texts: Mapping[str, str] | None = None, cover: float = 0.5) -> None:
        if not 0 < cover <= 1:
            raise ConfigError(f"--cover {cover} is out of range: give a share above 0 and at most 1, such as 0.5")
        self.cover = cover
        self._texts = texts or {}
        self._found: dict[tuple[str | None, str], tuple[tuple[Place, ...], str]] = {}
        self._names = DocNames(self._texts)

    @cached_property
    def _index(self) -> TextIndex:
        return TextIndex(self._texts)

    def match(self, passages: Sequence[Passage], evidence: Sequence[Sequence[Span]]) -> PassageCoverage:
        """Return what ``passages``, in the order of their rank, cover of ``evidence``."""
        self._names.learn(span.doc for group in evidence for span in group)
        located = [self.locate(passage) for passage in passages]
        methods = tuple(method for _, method in located)
        docs = frozenset(place.doc for found, _ in located for place in found)
        if not evidence:
            return PassageCoverage(None, None, (), methods, docs)
        repeated = _repeats(passages)
        places = [() if again else found for (found, _), again in zip(located, repeated, strict=True)]
        exact = [() if method == BY_DOCUMENT else found for found, method in zip(places, methods, strict=True)]
        by_evidence, ranks = _cover(exact, evidence, self.cover)
        groups_of_docs = {frozenset(span.doc for span in group) for group in evidence}
        by_file, _ = _cover(
            [[Place(place.doc, 0, None) for place in found] for found in places],
            [[Span(doc, 0, 1, "") for doc in sorted(group)] for group in sorted(groups_of_docs, key=sorted)],
            self.cover,
        )
        return PassageCoverage(by_evidence, by_file, ranks, methods, docs)

    def locate(self, passage: Passage) -> tuple[tuple[Place, ...], str]:
        """Return the places of a passage, and which of ``MATCH_METHODS`` found them."""
        doc = self._resolve(passage.doc) or (self._resolve(passage.id) if passage.doc is None else None)
        if doc is not None and passage.start is not None and passage.end is not None:
            return (Place(doc, passage.start, passage.end),), "offsets"
        if passage.text and self._texts:
            places, method = self._by_text(passage.text, doc if doc in self._texts else None)
            if places:
                return places, method
        return ((Place(doc, 0, None),), BY_DOCUMENT) if doc is not None else ((), "nothing")

    def text(self, passage: Passage) -> str:
        """Return the text of a passage, taken from the documents if it has only offsets; "" when it is unknown."""
        if passage.text is not None or passage.start is None:
            return passage.text or ""
        return self._texts.get(self._resolve(passage.doc) or "", "")[passage.start : passage.end]

    def _by_text(self, text: str, doc: str | None) -> tuple[tuple[Place, ...], str]:
        key = (doc, text)
        if key not in self._found:
            places, similarity = self._index.find(text, doc)
            self._found[key] = tuple(places), "text" if similarity == 1 else "similar text"
        return self._found[key]

    def _resolve(self, name: str | None) -> str | None:
        """Return the document that a path means, None when that is ambiguous.

        Without the documents, not all their names are known, so a path is taken literally.
        """
        if name is None or name in self._names:
            return name
        return self._names.resolve(name) if self._texts else normalize_path(name)


def _repeats(passages: Sequence[Passage]) -> list[bool]:
    """Return for each passage whether the same passage occurs before it."""
    seen: set[tuple[object, ...]] = set()
    repeats = []
    for passage in passages:
        if passage.doc is not None and passage.start is not None:
            key: tuple[object, ...] = (passage.doc, passage.start, passage.end)
        else:
            key = (passage.doc, passage.text or passage.id)
        repeats.append(key in seen)
        seen.add(key)
    return repeats


def _cover(
    ranking: Sequence[Sequence[Place]], evidence: Sequence[Sequence[Span]], cover: float
) -> tuple[Relevance, tuple[int | None, ...]]:
    """Return the relevance of a ranking, given as the places of each passage, and the rank that covers each group."""
    spans = [(number, span) for number, group in enumerate(evidence) for span in group]
    covered_parts: dict[Span, list[tuple[int, int]]] = {}
    ranks: list[int | None] = [None] * len(evidence)
    newly_covered, covers_any = [0] * len(ranking), [False] * len(ranking)
    for at, places in enumerate(ranking):
        by_doc: dict[str, list[Place]] = {}
        for place in places:
            by_doc.setdefault(place.doc, []).append(place)
        for number, span in spans:
            parts = [part for place in by_doc.get(span.doc, ()) if (part := _overlap(place, span))]
            if not parts:
                continue
            needed = cover * (span.end - span.start)
            covered_parts.setdefault(span, []).extend(parts)
            alone = _union_length(parts) >= needed
            if ranks[number] is None and (alone or _union_length(covered_parts[span]) >= needed):
                ranks[number] = at + 1
                newly_covered[at] += 1
                covers_any[at] = True
            covers_any[at] = covers_any[at] or alone
    return Relevance(newly_covered, covers_any, len(evidence)), tuple(ranks)


def _overlap(place: Place, span: Span) -> tuple[int, int] | None:
    start = max(place.start, span.start)
    end = span.end if place.end is None else min(place.end, span.end)
    return (start, end) if start < end else None


def _union_length(parts: list[tuple[int, int]]) -> int:
    """Return how many characters are in at least one of ``parts``."""
    total, reach = 0, 0
    for start, end in sorted(parts):
        total += max(0, end - max(start, reach))
        reach = max(reach, end)
    return total
