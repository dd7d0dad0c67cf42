"""What became of each span of a set when its documents changed: in place, moved, changed, or gone.

A span has moved when its text is elsewhere: further down, in another document, or in a renamed document. When the text
is in several places, the spans near it in the old document decide: the place that moved by as much as they did wins.
When they do not decide, the span is reported as unsettled; nothing is guessed.
"""

from __future__ import annotations

import difflib
import re
from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import NamedTuple

from kgsynth.base.records import Document, Heading, Item, Span
from kgsynth.base.thresholds import LIMITS
from kgsynth.documents.text_index import MIN_DISTINCTIVE_LENGTH, Place, TextIndex, cuts_word, letter_count
from kgsynth.golden.spans import evidence_spans, excerpt, in_place, location

ADVICE = {
    "moved": "run audit with --fix FILE, which updates the spans",
    "unsettled": "choose the place by hand, or delete the item; --fix leaves it out",
    "changed": "check whether the answer still holds, then correct the item; --fix leaves it out",
    "vanished": "delete the item, or rewrite it; --fix leaves it out",
    "span": "give the span its text, or delete the item",
}
"""What to do about a span whose text is not in place, by what became of it."""


class SpanStatus(NamedTuple):
    """What became of a span: ``in_place`` or a key of ``ADVICE``; ``span`` is where the text is now, if it is known."""

    code: str
    span: Span | None = None
    message: str = ""


class SpanTracker:
    """Finds the spans of ``items`` in ``documents``, which may have changed since the set was made.

    Example:
        >>> page = Document("a.md", "New. Ada Low leads the team.", "A", "md", "", (), ())
        >>> old = Span("a.md", 0, 23, "Ada Low leads the team.")
        >>> SpanTracker([], {"a.md": page}).status(old).span.start
        5
    """

    def __init__(self, items: Iterable[Item], documents: Mapping[str, Document]) -> None:
        self.documents = documents
        self._statuses: dict[Span, SpanStatus] = {}
        self._places: dict[Span, list[Place]] = {}
        self._spans: dict[str, list[Span]] = {}
        spans = {span for item in items for span in (*evidence_spans(item), *item.hard_negatives)}
        for span in sorted(spans, key=lambda each: (each.doc, each.start, each.end, each.text)):
            self._spans.setdefault(span.doc, []).append(span)

    def status(self, span: Span) -> SpanStatus:
        """Return what became of a span."""
        if span not in self._statuses:
            self._statuses[span] = self._find(span)
        return self._statuses[span]

    def now(self, span: Span) -> Span | None:
        """Return where the text of a span is now, None if it is nowhere or it is not clear which place is meant."""
        if in_place(span, self.documents):
            return self._placed(span)
        place = self._only_place(span) if span.text.strip() else None
        return self._span_at(place, span.heading) if place else None

    def covering(self, doc: str, start: int, end: int) -> Span | None:
        """Return the shortest span of the set that contained ``[start, end)`` of a document, None if there is none."""
        spans = (span for span in self._spans.get(doc, ()) if span.start <= start and end <= span.end)
        return min(spans, key=lambda span: (span.end - span.start, span.start, span.text), default=None)

    def all_in_place(self, doc: str) -> bool:
        """Check whether every span of the set in a document is in place."""
        return all(in_place(span, self.documents) for span in self._spans.get(doc, ()))

    def _find(self, span: Span) -> SpanStatus:
        if not span.text.strip():
            return SpanStatus("span", None, f"the span at {location(span)} is empty")
        if in_place(span, self.documents):
            return SpanStatus("in_place", self._placed(span))
        places = self._places_of(span)
        if not places:
            return self._missing(span)
        place = self._only_place(span)
        if place is None:
            return SpanStatus("unsettled", None, _unsettled_message(span, places))
        now = self._span_at(place, span.heading)
        if span.heading and not now.heading:
            message = f"{excerpt(span.text)} at {location(now)} is no longer under {excerpt(span.heading.text)}"
            return SpanStatus("changed", None, message)
        gone = "" if span.doc in self.documents else f" ({span.doc} is gone)"
        return SpanStatus("moved", now, f"{excerpt(span.text)} moved from {location(span)}{gone} to {location(now)}")

    def _only_place(self, span: Span) -> Place | None:
        """Return the place of a span's text, None if there is none or it is not sure."""
        places = self._places_of(span)
        certain = len(places) == 1 and letter_count(span.text) >= MIN_DISTINCTIVE_LENGTH
        return places[0] if certain else self._choose(span, places) if places else None

    def _places_of(self, span: Span) -> list[Place]:
        """Return where the text of a span is, white space aside: in its own document, otherwise in any other.

        If it is under its heading somewhere, the other places do not count.
        """
        if span not in self._places:
            found = self._exact_places(span.text, span.doc) or self._exact_places(span.text, None)
            headed = [place for place in found if span.heading and self._span_at(place, span.heading).heading]
            self._places[span] = headed or found
        return self._places[span]

    def _exact_places(self, text: str, doc: str | None) -> list[Place]:
        return [place for place in self._index.find(text, doc)[0] if self._has_text(place, text)]

    def _has_text(self, place: Place, text: str) -> bool:
        found = self.documents[place.doc].text
        cut = cuts_word(found, place.start) or cuts_word(found, place.end)
        return "".join(found[place.start : place.end].split()) == "".join(text.split()) and not cut

    @cached_property
    def _index(self) -> TextIndex:
        return TextIndex({doc: self.documents[doc].text for doc in sorted(self.documents)})

    def _placed(self, span: Span) -> Span:
        """Return a span that is in place with its page, cell or slide in the document as it is now."""
        return replace(self.documents[span.doc].span(span.start, span.end), heading=span.heading)

    def _span_at(self, place: Place, heading: Heading | None = None) -> Span:
        """Return the span at a place, with its heading if one of the same text is over it."""
        document = self.documents[place.doc]
        found = document.span(place.start, place.end or 0)
        over = (document.heading(block) for block in reversed(document.headings_over(place.start)) if heading)
        return replace(found, heading=next((each for each in over if heading and each.text == heading.text), None))

    # ---- several places ----------------------------------------------------------------------------

    def _choose(self, span: Span, places: Sequence[Place]) -> Place | None:
        """Return the place that the neighbours of a span support clearly, None when there is no such place."""
        support = {place: self._support(span, place) for place in places}
        best = max(support.values())
        chosen = [place for place in places if support[place] * LIMITS.drift_support_ratio > best]
        return chosen[0] if best > 0 and len(chosen) == 1 else None

    def _support(self, span: Span, place: Place) -> float:
        """Return how many neighbours moved as the span did if it is now at ``place``; near neighbours count more."""
        total = 0.0
        distinctive = letter_count(span.text) >= MIN_DISTINCTIVE_LENGTH
        tolerance = LIMITS.drift_max_difference if distinctive else 0  # a single word must have moved exactly as far
        for other in self._neighbours(span):
            moves = self._moves(other)
            differences = [abs(place.start - span.start - offset) for doc, offset in moves if doc == place.doc]
            if differences and min(differences) <= tolerance:
                closeness = 1 / (1 + abs(other.start - span.start) / LIMITS.drift_half_distance)
                letters = min(letter_count(other.text), LIMITS.drift_neighbour_letters)
                total += closeness / (1 + min(differences) / LIMITS.drift_half_difference) * letters / len(moves)
        return total

    def _moves(self, span: Span) -> list[tuple[str, int]]:
        """Return the possible moves of a span: into which document, and by how many characters."""
        if in_place(span, self.documents):
            return [(span.doc, 0)]
        return [(place.doc, place.start - span.start) for place in self._places_of(span)]

    def _neighbours(self, span: Span) -> list[Span]:
        """Return the nearest spans of the old document, except those that would repeat the span itself."""
        spans = self._spans.get(span.doc, [])
        at = bisect_left(spans, span.start, key=lambda each: each.start)
        most = LIMITS.drift_neighbours
        near = spans[max(0, at - most) : at + most]
        others = (other for other in near if other.text.strip() and not _repeats(other, span))
        return sorted(others, key=lambda other: (abs(other.start - span.start), other.start, other.end))[:most]

    # ---- changed or gone ---------------------------------------------------------------------------

    def _missing(self, span: Span) -> SpanStatus:
        gone = "" if span.doc in self.documents else f"{span.doc} is gone, and "
        similar = self._most_similar(span) if letter_count(span.text) >= MIN_DISTINCTIVE_LENGTH else None
        if similar is None:
            message = f"{gone}{excerpt(span.text)} is in no document (it was at {location(span)})"
            return SpanStatus("vanished", None, message)
        changes = differences(span.text, similar.text)
        message = f"{gone}{excerpt(span.text)} is different now at {location(similar)}: {changes}"
        return SpanStatus("changed", None, message)

    def _most_similar(self, span: Span) -> Span | None:
        """Return the most similar text: in a paragraph of its own document, otherwise what the index finds."""
        from rapidfuzz.fuzz import partial_ratio_alignment

        best, found = LIMITS.changed_text_similarity, None
        document = self.documents.get(span.doc)
        for paragraph in re.finditer(r"\S.*?(?=\n\s*\n|\Z)", document.text, re.DOTALL) if document else ():
            match = partial_ratio_alignment(span.text, paragraph[0], score_cutoff=best)
            long = len(paragraph[0]) > LIMITS.changed_paragraph_share * len(span.text)
            if match and match.score > best and long:
                best, found = match.score, (paragraph.start() + match.dest_start, paragraph.start() + match.dest_end)
        if document and found:
            return document.span(*_whole_words(document.text, *found, span.text[-1]))
        places = self._index.find(span.text)[0]
        return self._span_at(places[0]) if places else None


def differences(old: str, new: str) -> str:
    """Return the words that differ between two texts; at most three differences are named.

    Example:
        >>> differences("It has nine rooms in Leeds.", "It has ten rooms in Leeds now.")
        "'nine' became 'ten', 'now' was added"
    """
    before, after = (re.findall(r"[\u2e80-\u9fff]|\d[\d.,]*\d|\w+|[^\w\s]", text) for text in (old, new))
    found = []
    for change, a, b, c, d in difflib.SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        was, now = _joined(before[a:b]), _joined(after[c:d])
        named = {"replace": f"{was} became {now}", "delete": f"{was} was removed", "insert": f"{now} was added"}
        if change != "equal" and (change != "insert" or 0 < a < len(before)):  # an insertion at an edge is outside
            found.append(named[change])
    return ", ".join(found[:3]) + (f" and {len(found) - 3} more" if len(found) > 3 else "") or "white space or marks"


def _joined(words: Iterable[str]) -> str:
    return excerpt(re.sub(r"(?<=[\u2e80-\u9fff]) (?=[\u2e80-\u9fff])", "", " ".join(words)))


def _repeats(other: Span, span: Span) -> bool:
    """Check whether a neighbour adds nothing to a span: it has the same text, or is a single word of it."""
    overlap = other.start < span.end and span.start < other.end
    return other.text == span.text or (overlap and letter_count(other.text) < MIN_DISTINCTIVE_LENGTH)


def _whole_words(text: str, start: int, end: int, last: str) -> tuple[int, int]:
    """Extend ``[start, end)`` so that it cuts no word and includes the final mark ``last`` when that follows."""
    while cuts_word(text, start):
        start -= 1
    while cuts_word(text, end):
        end += 1
    return start, end + (text[end : end + 1] == last != text[end - 1])


def _unsettled_message(span: Span, places: Sequence[Place]) -> str:
    if len(places) == 1:
        found = f"is at {location(places[0])}, but is too short to be sure"
    else:
        more = f" and {len(places) - 3} more" if len(places) > 3 else ""
        found = f"is in {len(places)} places, {', '.join(map(location, places[:3]))}{more}"
    return f"{excerpt(span.text)} is not at {location(span)}; it {found}, and no span near it moved the same way"
