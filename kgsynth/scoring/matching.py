"""Match retrieved passages to evidence: which evidence does each passage cover, whatever the system's chunking?

A passage with offsets is placed by them, unless it comes with another text than its document has there. Otherwise its
text is searched for in the documents, with and without markup, first exactly (after folding), then approximately
(``text_index.MIN_SIMILARITY``). If it is not found, or there are no documents, it is compared with the text of the
evidence itself. The document that a passage names is searched first, and the others if the text is not there: name and
offsets are claims, the text is the proof. A text found only nearly covers no evidence of which it changes a figure or a
word of the golden answer (``altered_text``). A text that is found in several places, or only compared with the
evidence, must hold the heading of evidence that has one: without it, nobody knows which place it is from. If only its
document is known, the passage counts for the metrics of files, but covers no evidence: a system that names documents
has not shown where in them it looked.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from kgsynth.base.errors import ConfigError
from kgsynth.base.records import Document, Heading, Passage, Span
from kgsynth.documents.document_names import DocNames, normalize_path
from kgsynth.documents.document_text_finder import DocumentTextFinder
from kgsynth.documents.text_index import MIN_SIMILARITY, Place
from kgsynth.scoring.altered_text import alters, alters_figures, fits
from kgsynth.scoring.evidence_text import held_place
from kgsynth.scoring.metrics.retrieval import Relevance

BY_OFFSETS = "offsets"
BY_TEXT = "text"
BY_SIMILAR_TEXT = "similar text"
BY_DOCUMENT = "document"
BY_EVIDENCE = "evidence text"
UNMATCHED = "nothing"
MATCH_METHODS = (BY_OFFSETS, BY_TEXT, BY_SIMILAR_TEXT, BY_EVIDENCE, BY_DOCUMENT, UNMATCHED)
"""How a passage was matched, the most certain first."""


@dataclass(frozen=True, slots=True)
class PassageCoverage:
    """Which evidence the passages of a ranking cover, and how each passage was matched.

    ``evidence`` and ``files`` are the relevance by evidence and by document, None without evidence. ``ranks`` are the
    ranks at which the groups were covered (None: never), ``methods`` the match method of each passage, ``docs`` the
    documents in which passages could be placed. ``altered`` counts the passages that resemble evidence, but have other
    figures or words of the answer.
    """

    evidence: Relevance | None
    files: Relevance | None
    ranks: tuple[int | None, ...]
    methods: tuple[str, ...]
    docs: frozenset[str] = frozenset()
    altered: int = 0


class Matcher:
    """Match rankings to evidence; ``documents`` are given by id, ``cover`` is the share of a span to be covered.

    ``docs`` names the documents of all evidence.

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

    def __init__(
        self, documents: Mapping[str, Document] | None = None, cover: float = 0.5, docs: Iterable[str] = ()
    ) -> None:
        if not 0 < cover <= 1:
            raise ConfigError(f"--cover {cover} is out of range: give a share above 0 and at most 1, such as 0.5")
        self.cover = cover
        self.documents = documents or {}
        self._found: dict[tuple[str | None, str], tuple[tuple[Place, ...], str]] = {}
        self._located_by: dict[Passage, tuple[tuple[Place, ...], str]] = {}
        self._names = DocNames((*self.documents, *docs))

    @cached_property
    def _finder(self) -> DocumentTextFinder:
        return DocumentTextFinder(self.documents)

    def match(
        self, passages: Sequence[Passage], evidence: Sequence[Sequence[Span]], answers: Sequence[str] = ()
    ) -> PassageCoverage:
        """Return what ``passages``, in the order of their rank, cover of ``evidence``, which proves ``answers``."""
        spans = list(dict.fromkeys(span for group in evidence for span in group))
        self._names.learn(span.doc for span in spans)
        located = [self._located(passage, spans) for passage in passages]
        methods = tuple(method for _, method in located)
        docs = frozenset(place.doc for found, _ in located for place in found)
        if not evidence:
            return PassageCoverage(None, None, (), methods, docs)
        repeated = _repeats(passages, methods)
        places = [() if again else found for (found, _), again in zip(located, repeated, strict=True)]
        exact = [() if method == BY_DOCUMENT else found for found, method in zip(places, methods, strict=True)]
        altered = [
            self._altered(passage, found, method, spans, answers)
            for passage, found, method in zip(passages, exact, methods, strict=True)
        ]
        unheaded = [
            self._without_heading(passage, found, method, spans)
            for passage, found, method in zip(passages, exact, methods, strict=True)
        ]
        not_held = [one | other for one, other in zip(altered, unheaded, strict=True)]
        by_evidence, ranks = _cover(exact, evidence, self.cover, not_held)
        groups_of_docs = {frozenset(span.doc for span in group) for group in evidence}
        by_file, _ = _cover(
            [[Place(place.doc, 0, None) for place in found] for found in places],
            [[Span(doc, 0, 1, "") for doc in sorted(group)] for group in sorted(groups_of_docs, key=sorted)],
            self.cover,
        )
        return PassageCoverage(by_evidence, by_file, ranks, methods, docs, sum(map(bool, altered)))

    def _altered(
        self, passage: Passage, places: Sequence[Place], method: str, spans: Sequence[Span], answers: Sequence[str]
    ) -> frozenset[Span]:
        """Return the spans that a passage seems to hold, but with another figure or without words of the answer."""
        found = set()
        text = passage.text or ""
        for span in spans if method in (BY_TEXT, BY_SIMILAR_TEXT) else ():
            own = [place for place in places if place.doc == span.doc]
            reached = [place for place in own if _overlap(place, span)]
            if not reached:
                continue
            document = self.documents[span.doc].text
            if method == BY_SIMILAR_TEXT:
                changed = alters(document, own, text, span, answers)
            else:
                changed = all(alters_figures(document, place, text, span) for place in reached)
            found |= {span} if changed else set()
        return frozenset(found)

    def _without_heading(
        self, passage: Passage, places: Sequence[Place], method: str, spans: Sequence[Span]
    ) -> frozenset[Span]:
        """Return the spans whose heading a passage lacks, if only its text is known and may be from elsewhere."""
        if method == BY_OFFSETS:
            return frozenset()

        def stands_elsewhere(span: Span) -> bool:
            others = (place for place in places if not _overlap(place, span) or place.doc != span.doc)
            texts = (self.documents[place.doc].text[place.start : place.end] for place in others)
            return method == BY_EVIDENCE or any(held_place(text, span) for text in texts)

        return frozenset(
            span
            for span in spans
            if span.heading and not _names(passage.text or "", span.heading) and stands_elsewhere(span)
        )

    def _located(self, passage: Passage, spans: Sequence[Span]) -> tuple[tuple[Place, ...], str]:
        """Return the places of a passage by ``locate``, otherwise the places of the evidence that its text holds."""
        places, method = self.locate(passage)
        if passage.text and not (self.is_placed(passage, method) and self._agrees(passage, places, method, spans)):
            held = tuple(place for span in spans if (place := held_place(passage.text, span)))
            whole = tuple(Place(place.doc, 0, None) for place in places)
            return (held, BY_EVIDENCE) if held else (whole, BY_DOCUMENT if whole else method)
        return places, method

    def _agrees(self, passage: Passage, places: Sequence[Place], method: str, spans: Sequence[Span]) -> bool:
        """Check that a passage placed by offsets in a document that is not given has the text of the evidence there."""
        if method != BY_OFFSETS or places[0].doc in self.documents:
            return True
        reached = [(span, part) for span in spans if span.doc == places[0].doc and (part := _overlap(places[0], span))]
        parts = [
            Span(span.doc, *part, span.text[part[0] - span.start : part[1] - span.start]) for span, part in reached
        ]
        return all(held_place(passage.text or "", part) for part in parts if part.text.strip())

    def is_placed(self, passage: Passage, method: str) -> bool:
        """Check whether it is known where in the documents, or in those of the evidence, a passage is."""
        by_unknown_name = method == BY_OFFSETS and not self.documents and self._resolve(passage.doc) not in self._names
        return method not in (BY_DOCUMENT, UNMATCHED) and not by_unknown_name

    def knows(self, passage: Passage) -> bool:
        """Check whether a passage names a document, or without the documents one of the evidence."""
        return any(self._resolve(name) in self._names for name in (passage.doc or passage.id,) if name)

    def named_wrongly(self, passage: Passage) -> str:
        """Return the document that holds the text of a passage which names another one, "" if it names the right one.

        Only the documents given can be wrong names.
        """
        doc = self._resolve(passage.doc)
        if doc not in self.documents or not passage.text:
            return ""
        docs = [place.doc for place in self.locate(passage)[0]]
        return "" if doc in docs or not docs else docs[0]

    def misplaced(self, passage: Passage) -> str:
        """Return the document and offsets that a passage gives if another text is there, "" if they are right."""
        if passage.start is None or passage.end is None or self.locate(passage)[1] == BY_OFFSETS:
            return ""
        doc = self._resolve(passage.doc) or self._resolve(passage.id)
        return f"{doc} [{passage.start}, {passage.end})" if doc in self.documents else ""

    def locate(self, passage: Passage) -> tuple[tuple[Place, ...], str]:
        """Return the places of a passage, and which of ``MATCH_METHODS`` found them."""
        if passage not in self._located_by:
            self._located_by[passage] = self._locate(passage)
        return self._located_by[passage]

    def _locate(self, passage: Passage) -> tuple[tuple[Place, ...], str]:
        doc = self._resolve(passage.doc) or (self._resolve(passage.id) if passage.doc is None else None)
        claimed = None
        if doc is not None and passage.start is not None and passage.end is not None:
            claimed = Place(doc, passage.start, passage.end)
            known = self.documents.get(doc)
            if not passage.text or known is None or fits(known.text[passage.start : passage.end], passage.text):
                return (claimed,), BY_OFFSETS
        if passage.text and self.documents:
            for where in dict.fromkeys((doc if doc in self.documents else None, None)):
                places, method = self._by_text(passage.text, where)
                if places:
                    right = claimed is not None and any(_is_about(claimed, place) for place in places)
                    return ((claimed,), BY_OFFSETS) if right and claimed else (places, method)
        return ((Place(doc, 0, None),), BY_DOCUMENT) if doc is not None else ((), UNMATCHED)

    def text(self, passage: Passage) -> str:
        """Return the text of a passage, taken from the documents if it has only offsets; "" when it is unknown."""
        if passage.text is not None or passage.start is None:
            return passage.text or ""
        document = self.documents.get(self._resolve(passage.doc) or "")
        return document.text[passage.start : passage.end] if document else ""

    def _by_text(self, text: str, doc: str | None) -> tuple[tuple[Place, ...], str]:
        key = (doc, text)
        if key not in self._found:
            places, similarity = self._finder.find(text, doc)
            self._found[key] = tuple(places), BY_TEXT if similarity == 1 else BY_SIMILAR_TEXT
        return self._found[key]

    def _resolve(self, name: str | None) -> str | None:
        """Return the document that a path means, None when that is ambiguous.

        Without the documents, not all their names are known, so a path is taken literally.
        """
        if name is None or name in self._names:
            return name
        return self._names.resolve(name) if self.documents else normalize_path(name)


def _names(text: str, heading: Heading) -> bool:
    return held_place(text, Span("", heading.start, heading.end, heading.text)) is not None


def _is_about(one: Place, other: Place) -> bool:
    """Check whether two places are the same but for a few characters."""
    shared = min(one.end or 0, other.end or 0) - max(one.start, other.start)
    longest = max((each.end or 0) - each.start for each in (one, other))
    return one.doc == other.doc and shared >= MIN_SIMILARITY * longest


def _repeats(passages: Sequence[Passage], methods: Sequence[str]) -> list[bool]:
    """Return for each passage whether the same passage occurs before it."""
    seen: set[tuple[object, ...]] = set()
    repeats = []
    for passage, method in zip(passages, methods, strict=True):
        if passage.doc is not None and method == BY_OFFSETS:
            key: tuple[object, ...] = (passage.doc, passage.start, passage.end)
        else:
            key = (passage.doc, passage.text or passage.id)
        repeats.append(key in seen)
        seen.add(key)
    return repeats


def _cover(
    ranking: Sequence[Sequence[Place]],
    evidence: Sequence[Sequence[Span]],
    cover: float,
    not_held: Sequence[Collection[Span]] = (),
) -> tuple[Relevance, tuple[int | None, ...]]:
    """Return the relevance of a ranking, given as the places of each passage, and the rank that covers each group.

    ``not_held`` are the spans that each passage does not hold, wherever it is placed.
    """
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
            if not parts or (not_held and span in not_held[at]):
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
