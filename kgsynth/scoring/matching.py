"""Which evidence does each retrieved passage cover? The one question here, whatever the system's chunking.

A passage is placed by its offsets when it has them; else its text is looked for in the documents, exactly (once both
are folded) and then nearly (``text_index.MIN_SIMILARITY``); else its document alone is known, and then counts as a
whole. What the coverage is worth belongs to ``metrics``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from kgsynth.base.errors import ConfigError
from kgsynth.base.records import Passage, Span
from kgsynth.documents.document_names import DocNames, normalize_path
from kgsynth.documents.text_index import Place, TextIndex
from kgsynth.scoring.metrics.retrieval import Relevance

WAYS = ("offsets", "text", "similar text", "document", "nothing")
"""How a passage was matched, the surest way first."""


@dataclass(frozen=True, slots=True)
class Coverage:
    """What a ranking covers: by evidence, by file, at which rank each group (None: never), and how it was matched.

    ``docs`` are the documents its passages come from, so far as they can be placed.
    """

    evidence: Relevance | None
    files: Relevance | None
    ranks: tuple[int | None, ...]
    ways: tuple[str, ...]
    docs: frozenset[str] = frozenset()


class Matcher:
    """Match rankings to evidence; ``texts`` are the documents by id, ``cover`` the share of a span that must be held.

    A group is covered by a passage that holds ``cover`` of the characters of one of its spans, or by passages that
    do so together, the last of them counting as the one that did. A passage known by its document alone
    holds all of it. The same passage again keeps its rank and counts for nothing.

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
        self._known: dict[tuple[str | None, str], tuple[tuple[Place, ...], str]] = {}
        self._names = DocNames(self._texts)

    @cached_property
    def _index(self) -> TextIndex:
        return TextIndex(self._texts)

    def match(self, passages: Sequence[Passage], evidence: Sequence[Sequence[Span]]) -> Coverage:
        """Return what ``passages``, in the order of their rank, cover of ``evidence``."""
        self._names.learn(span.doc for group in evidence for span in group)
        placed = [self.locate(passage) for passage in passages]
        ways = tuple(way for _, way in placed)
        docs = frozenset(place.doc for found, _ in placed for place in found)
        if not evidence:
            return Coverage(None, None, (), ways, docs)
        again = _repeats(passages)
        places = [() if repeat else found for (found, _), repeat in zip(placed, again, strict=True)]
        covered, ranks = _cover(places, evidence, self.cover)
        files = {frozenset(span.doc for span in group) for group in evidence}
        by_file, _ = _cover(
            [[Place(place.doc, 0, None) for place in found] for found in places],
            [[Span(doc, 0, 1, "") for doc in sorted(docs)] for docs in sorted(files, key=sorted)],
            self.cover,
        )
        return Coverage(covered, by_file, ranks, ways, docs)

    def locate(self, passage: Passage) -> tuple[tuple[Place, ...], str]:
        """Return the places a passage holds, and which of ``WAYS`` told."""
        doc = self._resolve(passage.doc) or (self._resolve(passage.id) if passage.doc is None else None)
        if doc is not None and passage.start is not None and passage.end is not None:
            return (Place(doc, passage.start, passage.end),), "offsets"
        if passage.text and self._texts:
            places, way = self._by_text(passage.text, doc if doc in self._texts else None)
            if places:
                return places, way
        return ((Place(doc, 0, None),), "document") if doc is not None else ((), "nothing")

    def text(self, passage: Passage) -> str:
        """Return the text of a passage, from the documents when it has offsets alone; "" when it is not known."""
        if passage.text is not None or passage.start is None:
            return passage.text or ""
        return self._texts.get(self._resolve(passage.doc) or "", "")[passage.start : passage.end]

    def _by_text(self, text: str, doc: str | None) -> tuple[tuple[Place, ...], str]:
        key = (doc, text)
        if key not in self._known:
            places, alike = self._index.find(text, doc)
            self._known[key] = tuple(places), "text" if alike == 1 else "similar text"
        return self._known[key]

    def _resolve(self, name: str | None) -> str | None:
        """Return the document a path means, None when that is not clear.

        Without the documents their names are not all known, and a path is taken as it stands.
        """
        if name is None or name in self._names:
            return name
        return self._names.resolve(name) if self._texts else normalize_path(name)


def _repeats(passages: Sequence[Passage]) -> list[bool]:
    """Say of each passage whether the very same one stands before it."""
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
    spans = [(number, span) for number, group in enumerate(evidence) for span in group]
    held: dict[Span, list[tuple[int, int]]] = {}
    ranks: list[int | None] = [None] * len(evidence)
    new, covers = [0] * len(ranking), [False] * len(ranking)
    for at, places in enumerate(ranking):
        by_doc: dict[str, list[Place]] = {}
        for place in places:
            by_doc.setdefault(place.doc, []).append(place)
        for number, span in spans:
            pieces = [piece for place in by_doc.get(span.doc, ()) if (piece := _overlap(place, span))]
            if not pieces:
                continue
            need = cover * (span.end - span.start)
            held.setdefault(span, []).extend(pieces)
            alone = _length(pieces) >= need
            if ranks[number] is None and (alone or _length(held[span]) >= need):
                ranks[number] = at + 1
                new[at] += 1
                covers[at] = True
            covers[at] = covers[at] or alone
    return Relevance(new, covers, len(evidence)), tuple(ranks)


def _overlap(place: Place, span: Span) -> tuple[int, int] | None:
    start = max(place.start, span.start)
    end = span.end if place.end is None else min(place.end, span.end)
    return (start, end) if start < end else None


def _length(pieces: list[tuple[int, int]]) -> int:
    """Return how many characters the union of ``pieces`` holds."""
    total, reach = 0, 0
    for start, end in sorted(pieces):
        total += max(0, end - max(start, reach))
        reach = max(reach, end)
    return total
