"""The distance between the evidence groups of a question: could one passage hold them all?"""

from __future__ import annotations

from kgsynth.base.records import Item


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
