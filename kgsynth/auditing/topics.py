"""Topics without questions: words of many chunks, none of which is evidence for a question.

A word counts as a topic if several evidence chunks would hold it by chance, and none does. Only
English words are counted.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator

from kgsynth.auditing.case import AuditCase
from kgsynth.base.records import Finding
from kgsynth.base.thresholds import LIMITS
from kgsynth.golden.spans import evidence_spans
from kgsynth.language import nearest_language

_MAX_TOPICS_NAMED = 5
_TOPIC_WORD = re.compile(r"[^\W\d_][\w’'-]{3,}")


def topics(case: AuditCase) -> Iterator[Finding]:
    """Yield one finding when topics of the documents have no question."""
    missed = topics_without_questions(case)
    if missed:
        named = ", ".join(f"{word} ({count} chunks)" for word, count in missed[:_MAX_TOPICS_NAMED])
        more = f" and {len(missed) - _MAX_TOPICS_NAMED} more" if len(missed) > _MAX_TOPICS_NAMED else ""
        message = f"no question is about {named}{more}"
        advice = "write questions on these topics" + ("" if case.found_no_more else ", or generate more questions")
        yield Finding("topics", "warning", "", message, advice)


def topics_without_questions(case: AuditCase) -> list[tuple[str, int]]:
    """Return the topics without questions, each with the number of chunks that hold it, the largest first."""
    if len(case.valid_items) < LIMITS.audit_min_items:
        return []
    gold = case.chunks.holding(span for item in case.valid_items for span in evidence_spans(item))
    if not gold:  # for example when all evidence is in code or tables, which no chunk holds
        return []
    chunks_with: Counter[str] = Counter()
    asked: set[str] = set()
    spellings: dict[str, Counter[str]] = defaultdict(Counter)
    for number, chunk in enumerate(case.chunks):
        content_stems = nearest_language(case.documents[chunk.doc].language).content_stems
        stems = {stem: word for word in _TOPIC_WORD.findall(chunk.text) for stem in content_stems(word)}
        chunks_with.update(stems.keys())
        for stem, word in stems.items():
            spellings[stem][word.lower()] += 1
        if number in gold:
            asked |= stems.keys()
    total = len(case.chunks)
    fewest, most = LIMITS.topic_expected_chunks * total / len(gold), LIMITS.topic_chunk_share * total
    found = [(stem, count) for stem, count in chunks_with.items() if fewest <= count <= most and stem not in asked]
    found.sort(key=lambda pair: (-pair[1], pair[0]))
    return [(spellings[stem].most_common(1)[0][0], count) for stem, count in found]
