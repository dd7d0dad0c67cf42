"""The spans of a set that are not in place in its documents: moved, changed or gone."""

from __future__ import annotations

from collections.abc import Iterator

from kgsynth.auditing.case import AuditCase
from kgsynth.base.records import Finding
from kgsynth.golden.span_tracking import ADVICE, SpanTracker
from kgsynth.golden.spans import supporting_spans
from kgsynth.show.wording import many


def drifted(case: AuditCase) -> Iterator[Finding]:
    """Yield one finding for each item and each code of ``ADVICE`` that applies to its spans."""
    tracker = SpanTracker(case.dataset, case.documents)
    for item in case.dataset:
        statuses = [tracker.status(span) for span in dict.fromkeys(supporting_spans(item))]
        for code, advice in ADVICE.items():
            messages = [status.message for status in statuses if status.code == code]
            if messages:
                more = f"; the same for {many(len(messages) - 1, 'more span')}" if len(messages) > 1 else ""
                yield Finding(code, "error", item.id, messages[0] + more, advice)
