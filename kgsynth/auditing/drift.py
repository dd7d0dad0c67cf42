"""The documents have changed since the set was made: where does the text of each of its spans stand now?

A text that stands elsewhere has moved: down the page, into another document, or with a document that has a new name.
Where it stands in several places, those it stood beside tell which: the spans near it in the old document that moved by
as much. What they leave open is not guessed.
"""

from __future__ import annotations

import difflib
import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

from kgsynth.base.records import Document, Finding, Item, Span
from kgsynth.documents.text_index import MIN_DISTINCTIVE_LENGTH, Place, TextIndex, cuts_word, letter_count, same_span
from kgsynth.golden.dataset import Dataset

ADVICE = {
    "moved": "write the set anew with --fix FILE, which puts its spans where they stand now",
    "unsettled": "choose the place by hand, or delete the item; --fix leaves it out",
    "changed": "see whether the answer still holds, then mend the item; --fix leaves it out",
    "vanished": "delete the item, or write it anew; --fix leaves it out",
    "span": "an empty span is no evidence: mend it, or delete the item",
}
"""What is to be done about a span that is not where it says, by what became of it."""

_NEIGHBOURS = 24  # the nearest spans of the old document, which are asked where they went
_NEAR, _ALIKE = 200, 20  # characters at which a neighbour, or a difference in how far two moved, counts half
_LIKE = 75  # of a hundred: how alike what stands there now must be for the text to have changed, not gone
_CLEAR = 1.5  # how much more the neighbours must say for the best place than for the second


class Fate(NamedTuple):
    """What became of a span: ``stands``, or one of the codes of ``ADVICE``; ``span`` is where it stands now."""

    code: str
    span: Span | None = None
    told: str = ""


class Drift:
    """What became of the spans of ``dataset`` in ``documents`` as they are now.

    Example:
        >>> page = Document("a.md", "New. Ada Low leads the team.", "A", "md", "", (), ())
        >>> old = Span("a.md", 0, 23, "Ada Low leads the team.")
        >>> Drift(Dataset([]), {"a.md": page}).fate(old).span.start
        5
    """

    def __init__(self, dataset: Dataset, documents: Mapping[str, Document]) -> None:
        self._documents = documents
        self._fates: dict[Span, Fate] = {}
        self._homes: dict[Span, list[Place]] = {}
        self._spans: dict[str, list[Span]] = {}
        held = {span for item in dataset for span in (*evidence(item), *item.hard_negatives)}
        for span in sorted(held, key=lambda each: (each.doc, each.start, each.end, each.text)):
            self._spans.setdefault(span.doc, []).append(span)

    def fate(self, span: Span) -> Fate:
        """Return what became of a span."""
        if span not in self._fates:
            self._fates[span] = self._judge(span)
        return self._fates[span]

    def covering(self, doc: str, start: int, end: int) -> Span | None:
        """Return the shortest span of the set in whose old place a stretch of a document lies, None for none."""
        spans = (span for span in self._spans.get(doc, ()) if span.start <= start and end <= span.end)
        return min(spans, key=lambda span: (span.end - span.start, span.start, span.text), default=None)

    def moved_in(self, doc: str) -> bool:
        """Say whether any span of the set in a document does not stand where it stood."""
        return not all(stands(span, self._documents) for span in self._spans.get(doc, ()))

    def _judge(self, span: Span) -> Fate:
        if not span.text.strip():
            return Fate("span", None, f"the span at {_place(span)} is empty")
        if stands(span, self._documents):
            return Fate("stands", span)
        homes = self._home(span)
        short = letter_count(span.text) < MIN_DISTINCTIVE_LENGTH
        if len(homes) > 1 or (homes and short):
            settled = self._settled(span, homes)
            if not settled:
                return Fate("unsettled", None, _unsettled(span, homes))
            homes = settled
        if homes:
            now = self._documents[homes[0].doc].span(homes[0].start, homes[0].end or 0)
            gone = "" if span.doc in self._documents else f" ({span.doc} is gone)"
            return Fate("moved", now, f"{_shown(span.text)} stands at {_place(now)} now, not at {_place(span)}{gone}")
        return self._lost(span)

    def _home(self, span: Span) -> list[Place]:
        """Return where the text of a span stands, but for white space: in its own document, else in the others."""
        if span not in self._homes:
            self._homes[span] = self._exactly(span.text, span.doc) or self._exactly(span.text, None)
        return self._homes[span]

    def _exactly(self, text: str, doc: str | None) -> list[Place]:
        return [place for place in self._index.find(text, doc)[0] if self._same(text, place)]

    def _same(self, text: str, place: Place) -> bool:
        there = self._documents[place.doc].text
        cut = cuts_word(there, place.start) or cuts_word(there, place.end)
        return "".join(there[place.start : place.end].split()) == "".join(text.split()) and not cut

    @cached_property
    def _index(self) -> TextIndex:
        return TextIndex({doc: self._documents[doc].text for doc in sorted(self._documents)})

    def _settled(self, span: Span, homes: Sequence[Place]) -> list[Place]:
        """Return the one place that the neighbours of a span speak for, none when they leave it open."""
        said = [(self._support(span, home), home) for home in homes]
        best = max(support for support, _ in said)
        chosen = [home for support, home in said if support * _CLEAR > best]
        return chosen if best > 0 and len(chosen) == 1 else []

    def _support(self, span: Span, home: Place) -> float:
        """Return how much the neighbours of a span moved as it did if ``home`` is its place; the nearer the more."""
        long = letter_count(span.text) >= MIN_DISTINCTIVE_LENGTH
        total, most = 0.0, _NEAR if long else 0  # a word must have moved exactly as they did
        for other in self._neighbours(span):
            moves = self._moves(other)
            agreed = [abs(home.start - span.start - by) for doc, by in moves if doc == home.doc]
            if agreed and min(agreed) <= most:
                closeness = 1 / (1 + abs(other.start - span.start) / _NEAR)
                total += closeness / (1 + min(agreed) / _ALIKE) * min(letter_count(other.text), 99) / len(moves)
        return total

    def _moves(self, span: Span) -> list[tuple[str, int]]:
        """Return into which documents and by how much a span may have moved."""
        if stands(span, self._documents):
            return [(span.doc, 0)]
        return [(home.doc, home.start - span.start) for home in self._home(span)]

    def _neighbours(self, span: Span) -> list[Span]:
        """Return the spans nearest in the old document, those that say the same aside."""
        spans = self._spans.get(span.doc, [])
        at = bisect_left(spans, span.start, key=lambda each: each.start)
        near = spans[max(0, at - _NEIGHBOURS) : at + _NEIGHBOURS]
        others = (other for other in near if other.text.strip() and not _kin(other, span))
        return sorted(others, key=lambda other: (abs(other.start - span.start), other.start, other.end))[:_NEIGHBOURS]

    def _lost(self, span: Span) -> Fate:
        gone = "" if span.doc in self._documents else f"{span.doc} is gone, and "
        now = self._nearly(span) if letter_count(span.text) >= MIN_DISTINCTIVE_LENGTH else None
        if now is None:
            return Fate("vanished", None, f"{gone}{_shown(span.text)} stands in no document (it was at {_place(span)})")
        told = f"{gone}{_shown(span.text)} reads otherwise at {_place(now)}: {differences(span.text, now.text)}"
        return Fate("changed", now, told)

    def _nearly(self, span: Span) -> Span | None:
        """Return what reads most like a span: in its own document by paragraphs, else in the others by the index."""
        from rapidfuzz.fuzz import partial_ratio_alignment

        best, found = float(_LIKE), None
        document = self._documents.get(span.doc)
        for part in re.finditer(r"\S.*?(?=\n\s*\n|\Z)", document.text, re.DOTALL) if document else ():
            there = partial_ratio_alignment(span.text, part[0], score_cutoff=best)
            if there and there.score > best and len(part[0]) > len(span.text) / 2:
                best, found = there.score, (part.start() + there.dest_start, part.start() + there.dest_end)
        if document and found:
            return document.span(*_whole(document.text, *found, span.text[-1]))
        places = self._index.find(span.text)[0]
        return self._documents[places[0].doc].span(places[0].start, places[0].end or 0) if places else None


def drifted(dataset: Dataset, documents: Mapping[str, Document]) -> Iterator[Finding]:
    """Yield one finding for each item and way in which the text of its spans is not where they say."""
    drift = Drift(dataset, documents)
    for item in dataset:
        fates = [fate for span in dict.fromkeys(grounds(item)) if (fate := drift.fate(span)).code != "stands"]
        for code, advice in ADVICE.items():
            told = [fate.told for fate in fates if fate.code == code]
            if told:
                more = f"; so with {len(told) - 1} more of its spans" if len(told) > 1 else ""
                yield Finding(code, "error", item.id, told[0] + more, advice)


def grounds(item: Item) -> Iterator[Span]:
    """Yield the spans an item rests on: its evidence, or what a question without an answer was made from."""
    yield from evidence(item)
    if not item.answerable:
        yield from item.hard_negatives


def evidence(item: Item) -> Iterator[Span]:
    """Yield the spans of all groups."""
    for group in item.evidence:
        yield from group


def stands(span: Span, documents: Mapping[str, Document]) -> bool:
    """Say whether the text of a span stands in its document where the span says, letter for letter."""
    document = documents.get(span.doc)
    return bool(document and span.text and document.text[span.start : span.end] == span.text and span.start >= 0)


def carried(start: int, end: int, old: Span, now: Span) -> Span | None:
    """Return where a stretch of the document of ``old``, within it, stands now that ``old`` is ``now``, if anywhere.

    Example:
        >>> carried(4, 7, Span("a", 0, 13, "Ada Low leads"), Span("b", 90, 103, "Ada Low leads"))
        Span(doc='b', start=94, end=97, text='Low')
    """
    found = same_span(old.text, now.text, start - old.start, end - old.start)
    return Span(now.doc, now.start + found[0], now.start + found[1], now.text[slice(*found)]) if found else None


def differences(old: str, new: str) -> str:
    """Return the words that differ, in a phrase; three places at most.

    Example:
        >>> differences("It has nine rooms in Leeds.", "It has ten rooms in Leeds now.")
        "'nine' is 'ten', 'now' is added"
    """
    before, after = (re.findall(r"[\u2e80-\u9fff]|\d[\d.,]*\d|\w+|[^\w\s]", text) for text in (old, new))
    told = []
    for kind, a, b, c, d in difflib.SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        was, now = repr(_joined(before[a:b])), repr(_joined(after[c:d]))
        if kind != "equal" and not (kind == "insert" and a in (0, len(before))):  # at the edge it is not of the place
            told.append({"replace": f"{was} is {now}", "delete": f"{was} is gone", "insert": f"{now} is added"}[kind])
    return ", ".join(told[:3]) + (f" and {len(told) - 3} more" if len(told) > 3 else "") or "white space or marks"


def _joined(words: Iterable[str]) -> str:
    text = re.sub(r"(?<=[\u2e80-\u9fff]) (?=[\u2e80-\u9fff])", "", " ".join(words))
    return text if len(text) <= 60 else f"{text[:60]}…"


def _kin(other: Span, span: Span) -> bool:
    """Say whether two spans hold one text, or one a word of the other: then what is said of both is said once."""
    overlap = other.start < span.end and span.start < other.end
    return other.text == span.text or (overlap and letter_count(other.text) < MIN_DISTINCTIVE_LENGTH)


def _whole(text: str, start: int, end: int, last: str) -> tuple[int, int]:
    """Return a stretch that neither cuts a word nor leaves out its ``last`` mark."""
    while cuts_word(text, start):
        start -= 1
    while cuts_word(text, end):
        end += 1
    return start, end + (text[end : end + 1] == last != text[end - 1])


def _unsettled(span: Span, homes: Sequence[Place]) -> str:
    shown = ", ".join(f"{home.doc} [{home.start}, {home.end})" for home in homes[:3])
    more = f" and {len(homes) - 3} more" if len(homes) > 3 else ""
    many = f"in {len(homes)} places, {shown}{more}" if len(homes) > 1 else f"at {shown}, but is too short to be sure of"
    return f"{_shown(span.text)} is not at {_place(span)}; it stands {many}, and nothing near it moved alike"


def _place(span: Span) -> str:
    return f"{span.doc} [{span.start}, {span.end})"


def _shown(text: str) -> str:
    folded = " ".join(text.split())
    return repr(folded if len(folded) <= 60 else f"{folded[:60]}…")
