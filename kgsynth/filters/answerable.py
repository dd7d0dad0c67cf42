"""answerable: four criteria, all of which must hold; what cannot be judged fails.

Self-contained; a clear kind of answer, which the golden one is of; the evidence contains the answer; the evidence
covers what the question speaks of, so that it answers completely.
"""

from __future__ import annotations

from kgsynth.filters.bench import Bench, scored
from kgsynth.language import language
from kgsynth.records import Item, Rejection
from kgsynth.writing import Candidate

_COMPUTED = frozenset({"difference", "count"})
"""Operators whose answer need not stand in the evidence; ``grounded`` has computed it again."""


def judge(candidate: Candidate, bench: Bench) -> Rejection | Item:
    """Turn away a question that its evidence alone does not answer."""
    item, documents = candidate.item, bench.knowledge.documents
    reader = language(item.language)
    kind = reader.answer_kind(item.question)
    if not kind:
        return Rejection("answerable", "no clear kind of answer is asked for")
    if not reader.fits(kind, item.golden_answers[0]):
        return Rejection("answerable", f"asks for a {kind}, the answer is {item.golden_answers[0]!r}")
    shown = " ".join(documents[span.doc].plain(span.start, span.end) for group in item.evidence for span in group[:1])
    held = set(reader.content(shown))
    computed = item.derivation.get("operator") in _COMPUTED
    missing = [word for word in reader.content(item.golden_answers[0]) if word not in held]
    if missing and not computed:
        return Rejection("answerable", f"the evidence does not hold {missing[0]!r} of the answer")
    titles = " ".join(title for fact in candidate.scenario.facts for title in bench.knowledge.section_of(fact).path)
    asked = set(reader.content(item.metadata.get("plain") or item.question))
    share = len(asked & (held | set(reader.content(titles)))) / len(asked) if asked else 0.0
    limit = bench.thresholds["answerable"]
    if share < limit:
        return Rejection("answerable", "the evidence does not cover the question", round(share, 4), limit)
    return scored(item, answerable=share)
