"""self_contained: the question is understood without the text: nothing in it points elsewhere."""

from __future__ import annotations

from kgsynth.filters.bench import Bench
from kgsynth.language import language
from kgsynth.records import Item, Rejection
from kgsynth.writing import Candidate


def judge(candidate: Candidate, bench: Bench) -> Rejection | Item:
    """Turn away a question with a dangling reference, or too little to tell what it is about."""
    item = candidate.item
    fault = fault_of(item.question, item.language, define=item.subtype == "definition")
    if not fault and (loose := _loose(candidate)):
        fault = f"{loose!r} points outside the question"
    return Rejection("self_contained", fault) if fault else item


def fault_of(question: str, code: str, *, define: bool = False) -> str:
    """Return what a question leaves open by its words alone, "" for nothing; one may ``define`` a single word."""
    reader = language(code)
    if word := reader.unclear(question):
        return f"{word!r} points outside the question"
    return "fewer than two content words" if len(set(reader.content(question))) < 2 and not define else ""


def _loose(candidate: Candidate) -> str:
    """Return a phrase of the question that leaves open which one is meant, "" for none or where a heading tells."""
    item = candidate.item
    if item.subtype == "scoped":
        return ""
    question = str(item.metadata.get("plain") or item.question).casefold()
    loose = (p.text for fact in candidate.scenario.facts for p in fact.phrases if p.has("loose"))
    return next((text for text in loose if text.casefold() in question), "")
