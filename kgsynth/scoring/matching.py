"""Match retrieved passages to evidence: which evidence does each passage cover, however the system cut them?"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import NamedTuple

from kgsynth.base.errors import ConfigError
from kgsynth.base.records import Document, Heading, Passage, Span
from kgsynth.documents.document_names import DocNames, normalize_path
from kgsynth.documents.document_text_finder import DocumentTextFinder
from kgsynth.documents.text_index import (
    MIN_DISTINCTIVE_LENGTH,
    MIN_SIMILARITY,
    Place,
    cuts_word,
    letter_count,
    letters_with_origins,
)
from kgsynth.language.words import CJK
from kgsynth.scoring.metrics.retrieval import Relevance

# Check what a passage that was found only nearly in a document has changed of it: figures, and words of an answer.
#
# Nine tenths of the letters may agree and the one word that matters be another. So of the part of a piece of evidence
# that is in such a passage, every figure, and every word of the golden answer, must be in the same place of the
# passage. Letter case, accents, white space, hyphens at line ends and the commas of thousands make no difference.

_TOKEN = re.compile(
    rf"(?<![^\W_])[-−]?\d+(?:[.,:]\d+)*(?![^\W_{CJK}])|(?<=[{CJK}])\d+(?:[.,:]\d+)*|[{CJK}]|[^\W_{CJK}]+"
)
_MARKUP_TARGET = re.compile(r"(?<=\])\([^()\n]*\)|<[^<>\n]+>")  # of a link or tag, which a text without markup lacks
_THOUSANDS = re.compile(r",(?=\d{3}(?!\d))")
_TEXTS_KEPT = 500  # whose tokens or letters are kept: those of the passages and evidence of the last questions


class _Token(NamedTuple):
    """A word or figure, folded, and its offsets."""

    text: str
    start: int
    end: int


def fits(source: str, text: str) -> bool:
    """Check whether the text of a document is in that of a passage, which may have a title in front, or resembles it.

    Example:
        >>> fits("Ada **leads** it.", "Team: Ada leads it."), fits("Ada leads it, and more.", "Ada leads it.")
        (True, False)
    """
    from rapidfuzz.distance import Indel

    if "".join(source.split()) == "".join(text.split()):
        return True
    wanted, found = letters_with_origins(source)[0], letters_with_origins(text)[0]
    if not wanted:
        return False
    return wanted in found or Indel.normalized_similarity(wanted, found, score_cutoff=MIN_SIMILARITY) > 0


def alters(document: str, places: Sequence[Place], passage: str, span: Span, answers: Iterable[str]) -> bool:
    """Check whether a passage has other figures, or other words of ``answers``, than the evidence it seems to hold.

    ``places`` are where in the text of the document of ``span`` the passage was found, nearly or in pieces. Only the
    part of the span that they reach is compared, and what lies beside a piece for as long as the passage goes on.

    Example:
        >>> page, span = "Ada leads the team of 12 people.", Span("a.md", 0, 32, "")
        >>> said = ("Ada leads the team of 12 poeple.", "Ada leads the team of 21 people.")
        >>> [alters(page, [Place("a.md", 0, 32)], text, span, ["12"]) for text in said]
        [False, True]
    """
    ranges = [(place.start, len(document) if place.end is None else place.end) for place in places]
    slack = max(0, len(passage) - sum(end - start for start, end in ranges))
    low = max(span.start, min(start for start, _ in ranges) - slack)
    high = min(span.end, max(end for _, end in ranges) + slack)
    words = {token.text for answer in answers for token in _tokens(answer)}
    start = max(0, min(low, *(start for start, _ in ranges)))
    tokens = _tokens(document[start : max(high, *(end for _, end in ranges))])
    needed = [
        (token.start + start, token.end + start)
        for token in tokens
        if (_is_figure(token.text) or token.text in words) and low <= token.start + start and token.end + start <= high
    ]
    kept = [part for one in ranges for part in _unchanged(document, one, passage)] if needed else []
    return not all(any(a <= begin and end <= b for a, b in kept) for begin, end in needed)


def alters_figures(document: str, place: Place, passage: str, span: Span) -> bool:
    """Check whether a passage with the same letters and digits as a place has other figures in a span: 15 for 1.5.

    Example:
        >>> page, span = "It lasts 1.5 years.", Span("a.md", 0, 19, "")
        >>> [alters_figures(page, Place("a.md", 0, 19), f"It lasts {n} years.", span) for n in ("1.5", "15")]
        [False, True]
    """
    end = len(document) if place.end is None else place.end
    source = document[place.start : end]
    if "".join(source.split()) == "".join(passage.split()):
        return False
    low, high = span.start - place.start, span.end - place.start
    return any(
        _word_letters(gap) == _word_letters(other)
        and any(_is_figure(token.text) and low <= token.start and token.end <= high for token in gap)
        for gap, other in _gaps(_tokens(source), _tokens(passage))
        if _joined(gap) != _joined(other)
    )


def _unchanged(document: str, place: tuple[int, int], passage: str) -> Iterator[tuple[int, int]]:
    """Yield the parts of a place whose words and figures the passage has in the same order."""
    source = document[slice(*place)]
    found = letters_with_origins(passage)[0]
    if any((wanted := letters_with_origins(text)[0]) and wanted in found for text in (source, _bare(source))):
        yield place
        return
    tokens = _tokens(source)
    changed = [gap for gap, other in _gaps(tokens, _tokens(passage)) if _joined(gap) != _joined(other)]
    edges = [0, *(edge for gap in changed if gap for edge in (gap[0].start, gap[-1].end)), len(source)]
    yield from ((place[0] + a, place[0] + b) for a, b in [*pairwise(edges)][::2])


def _gaps(one: Sequence[_Token], other: Sequence[_Token]) -> Iterator[tuple[Sequence[_Token], Sequence[_Token]]]:
    """Yield the tokens of both texts between those that they have in common."""
    from rapidfuzz.distance import Indel

    at = (0, 0)
    codes = Indel.opcodes([token.text for token in one], [token.text for token in other])
    same = [(c.src_start, c.src_end, c.dest_start, c.dest_end) for c in codes if c.tag == "equal"]
    for first, last, begin, end in [*same, (len(one), len(one), len(other), len(other))]:
        if (first, begin) != at:
            yield one[at[0] : first], other[at[1] : begin]
        at = (last, end)


def _joined(tokens: Collection[_Token]) -> str:
    return "".join(token.text for token in tokens)


def _word_letters(tokens: Collection[_Token]) -> str:
    return "".join(letter for letter in _joined(tokens) if letter.isalnum())


def _is_figure(token: str) -> bool:
    return any(letter.isdigit() for letter in token)


def _bare(text: str) -> str:
    return _MARKUP_TARGET.sub(lambda match: " " * len(match[0]), text)


@lru_cache(maxsize=_TEXTS_KEPT)
def _tokens(text: str) -> tuple[_Token, ...]:
    """Return the words and figures of a text without the targets of its links and tags.

    Example:
        >>> [token.text for token in _tokens("The [Skua](b-3.md) costs −1,200.5 €.")]
        ['the', 'skua', 'costs', '-1200.5']
    """
    return tuple(_Token(_folded(match[0]), *match.span()) for match in _TOKEN.finditer(_bare(text)))


def _folded(token: str) -> str:
    plain = unicodedata.normalize("NFKD", token).casefold().replace("−", "-")
    return _THOUSANDS.sub("", "".join(letter for letter in plain if unicodedata.category(letter) != "Mn"))


# Find which part of a piece of evidence is in the text of a passage, without the documents.
#
# Both are compared by their letters and digits, with and without the targets of links and tags. The letters have to
# be the same up to the ends of the evidence or of the passage: "in Leeds 9 kilns" is not evidence for "in York 8
# kilns".


def held_place(text: str, span: Span) -> Place | None:
    """Return the place of a span's document that the text of a passage repeats, None if the text has too little of it.

    That is the whole span, or the part of it with which the passage begins or ends, or in which all of the passage is.

    Example:
        >>> span = Span("a.md", 100, 128, "Ada **Low** leads the kilns.")
        >>> held_place("Since May Ada Low leads the kilns of Leeds.", span), held_place("Ada Low is old.", span)
        (Place(doc='a.md', start=100, end=127), None)
    """
    for bare in (False, True):
        wanted, origins = _letters(span.text, bare)
        found, places = _letters(text, bare)
        part = _shared(wanted, found, -(-MIN_DISTINCTIVE_LENGTH * len(wanted) // max(1, letter_count(span.text))))
        if part == (0, len(wanted)) and not _stands_alone(text, found, places, wanted):
            part = None
        if part:
            return Place(span.doc, span.start + origins[part[0]], span.start + origins[part[1] - 1] + 1)
    return None


@lru_cache(maxsize=_TEXTS_KEPT)
def _letters(text: str, bare: bool) -> tuple[str, list[int]]:
    """Return the letters of a text and where they are; if ``bare``, without the targets of links and tags."""
    return letters_with_origins(_MARKUP_TARGET.sub(lambda match: " " * len(match[0]), text) if bare else text)


def _shared(wanted: str, found: str, size: int) -> tuple[int, int] | None:
    """Return the part of ``wanted`` that is in ``found``: all of it, or ``size`` letters and more at one end.

    Evidence of fewer than twice ``size`` letters has to be there as a whole.
    """
    if not wanted or wanted in found:
        return (0, len(wanted)) if wanted else None
    if len(wanted) < 2 * size or len(found) < size:
        return None
    if found in wanted:
        return wanted.index(found), wanted.index(found) + len(found)
    for length in range(min(len(wanted), len(found)) - 1, size - 1, -1):
        if found.endswith(wanted[:length]):
            return 0, length
        if found.startswith(wanted[-length:]):
            return len(wanted) - length, len(wanted)
    return None


def _stands_alone(text: str, found: str, places: list[int], wanted: str) -> bool:
    """Check whether evidence is in a text by more than chance: it has many letters, or begins and ends with a word."""
    at = found.find(wanted)
    while at >= 0:
        start, end = places[at], places[at + len(wanted) - 1] + 1
        if letter_count(wanted) >= MIN_DISTINCTIVE_LENGTH or not (cuts_word(text, start) or cuts_word(text, end)):
            return True
        at = found.find(wanted, at + 1)
    return False


# Match retrieved passages to evidence: which evidence does each passage cover, whatever the system's chunking?
#
# A passage with offsets is placed by them, unless it comes with another text than its document has there. Otherwise
# its text is searched for in the documents, with and without markup, first exactly (after folding), then
# approximately (``text_index.MIN_SIMILARITY``). If it is not found, or there are no documents, it is compared with
# the text of the evidence itself. The document that a passage names is searched first, and the others if the text is
# not there: name and offsets are claims, the text is the proof. A text found only nearly covers no evidence of which
# it changes a figure or a word of the golden answer. A text that is found in several places, or only compared with
# the evidence, must hold the heading of evidence that has one: without it, nobody knows which place it is from. If
# only its document is known, the passage counts for the metrics of files, but covers no evidence: a system that names
# documents has not shown where in them it looked.

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
