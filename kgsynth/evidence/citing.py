"""What an item cites beside the sentence it was made from: other places of its answer, the heading over each, and how
far its groups of evidence are apart."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from kgsynth.base.records import Document, Excerpt, Item, Span
from kgsynth.base.thresholds import LIMITS
from kgsynth.golden.metadata import with_scores
from kgsynth.language import LANGUAGES, nearest_language
from kgsynth.language.words import CJK, words

_WORD_START = re.compile(rf"[{CJK}]|[^\W{CJK}]+")
_AFTER_VALUE = re.compile(r",\s|[，、]")


def with_headings(item: Item, documents: Mapping[str, Document]) -> Item:
    """Return an item whose spans carry the heading that has words of the question which they lack.

    Of several headings over a span it is the one with the most such words, otherwise the innermost.
    """
    if item.language not in LANGUAGES:
        return item
    content = nearest_language(item.language).content_stems
    asked = set(content(item.full_question)) - set(content(nearest_language(item.language).opening(item.full_question)))

    def stems(spans: Iterable[Span]) -> set[str]:
        return {stem for span in spans for stem in content(documents[span.doc].plain(span.start, span.end))}

    def headed(span: Span, number: int) -> Span:
        others = (group[0] for n, group in enumerate(item.evidence) if n != number)
        missing = asked - stems([span, *others])
        over = [block for block in documents[span.doc].headings_over(span.start) if block.end <= span.start]
        said = [(len(missing & set(content(block.text))), place) for place, block in enumerate(over)]
        most, place = max(said, default=(0, 0))
        return replace(span, heading=documents[span.doc].heading(over[place])) if most else span

    groups = (tuple(headed(span, number) for span in group) for number, group in enumerate(item.evidence))
    return replace(item, evidence=tuple(groups))


def with_alternatives(item: Item, spans: Sequence[Span]) -> Item:
    """Return an item with spans in every group of its evidence, each of which proves it by itself; at most a few."""
    evidence = tuple((*group, *spans)[: 1 + LIMITS.evidence_copies] for group in item.evidence)
    return with_scores(replace(item, evidence=evidence), copies=sum(map(len, evidence)) - len(evidence))


def states_answer(text: str, item: Item) -> bool:
    """Check whether a text has a golden answer of an item, word for word or as the same quantity or date.

    Example:
        >>> states_answer("The interval is 12 months.", Item("q", "How often?", ("every 12 months",), "", "", "en", ()))
        True
    """
    own = nearest_language(item.language)
    answer = item.golden_answers[0]
    first = _AFTER_VALUE.split(answer, maxsplit=1)[0]
    rests = (first[match.start() :] for match in _WORD_START.finditer(first))
    if figure := next((rest for rest in (answer, *rests) if own.quantity(rest)), ""):
        return own.same_value(text, figure, item.question)
    return any(f" {' '.join(words(each))} " in f" {' '.join(words(text))} " for each in item.golden_answers)


def joined_places(parts: Iterable[Excerpt]) -> list[tuple[int, int]]:
    """Return where the parts of a fact are, those near each other as one place.

    Example:
        >>> joined_places([Excerpt("Tern", 40, 44), Excerpt("Weight", 9, 15), Excerpt("62 g", 1000, 1004)])
        [(9, 44), (1000, 1004)]
    """
    joined: list[tuple[int, int]] = []
    for start, end in sorted({(part.start, part.end) for part in parts if part.start < part.end}):
        if joined and start - joined[-1][1] <= LIMITS.evidence_gap:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((start, end))
    return joined


def extent(item: Item) -> int | None:
    """Return the length in characters of the shortest text with a span of every group, None if no document has one.

    Example:
        >>> from kgsynth.base.records import Span
        >>> groups = ((Span("a", 0, 9, ""), Span("b", 0, 9, "")), (Span("a", 40, 50, ""),))
        >>> extent(Item("q", "Who?", (), "multi_context", "change", "en", groups))
        50
    """
    groups = item.evidence
    extents = []
    for left in (span for group in groups for span in group):
        ends = [[s.end for s in group if s.doc == left.doc and s.start >= left.start] for group in groups]
        if all(ends):
            extents.append(max(min(own) for own in ends) - left.start)
    return min(extents, default=None)
