"""What the documents speak of and nobody was asked about: the words of the chunks that no question touches.

A word counts as a topic when it stands in so many chunks that, were the questions spread evenly, several would touch
one, and none does. Left out: what a topic is called by those who know, and words of languages without a reader.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from itertools import chain

from kgsynth.auditing.case import AuditCase
from kgsynth.base.records import Finding
from kgsynth.language import nearest_language

EXPECTED = 5.0
"""Chunks of a topic that questions would touch by chance: that none does has then a chance of less than one in 100."""

_ENOUGH = 20  # items; of fewer one cannot say what they leave out
_COMMON = 0.2  # share of the chunks beyond which a word is of no topic
_TOLD = 5
_WORD = re.compile(r"[^\W\d_][\w’'-]{3,}")


def topics(case: AuditCase) -> Iterator[Finding]:
    """Yield one finding when the documents dwell on what no question touches."""
    missed = untouched(case)
    if missed:
        named = ", ".join(f"{word} ({count} passages)" for word, count in missed[:_TOLD])
        more = f" and {len(missed) - _TOLD} more" if len(missed) > _TOLD else ""
        message = f"no question touches a passage that speaks of {named}{more}"
        yield Finding("topics", "warning", "", message, "write questions on these, or ask for more questions")


def untouched(case: AuditCase) -> list[tuple[str, int]]:
    """Return the topics whose chunks no question touches, with how many chunks speak of each, the greatest first."""
    if len(case.sound) < _ENOUGH:
        return []
    chunks = case.chunks
    touched = case.chunks.holding(chain.from_iterable(group for item in case.sound for group in item.evidence))
    if not touched:  # such as when all evidence is in code or tables that no chunk holds
        return []
    held: Counter[str] = Counter()
    met: set[str] = set()
    written: dict[str, Counter[str]] = defaultdict(Counter)
    for number, chunk in enumerate(chunks):
        content_stems = nearest_language(case.documents[chunk.doc].language).content_stems
        stems = {stem: word for word in _WORD.findall(chunk.text) for stem in content_stems(word)}
        held.update(stems.keys())
        for stem, word in stems.items():
            written[stem][word.lower()] += 1
        if number in touched:
            met |= stems.keys()
    least = EXPECTED * len(chunks) / len(touched)
    found = [
        (stem, count) for stem, count in held.items() if least <= count <= _COMMON * len(chunks) and stem not in met
    ]
    found.sort(key=lambda pair: (-pair[1], pair[0]))
    return [(written[stem].most_common(1)[0][0], count) for stem, count in found]
