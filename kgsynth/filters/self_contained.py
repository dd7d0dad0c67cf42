"""self_contained: the question is understood without the text: nothing in it points elsewhere."""

from __future__ import annotations

from kgsynth.filters.bench import Bench
from kgsynth.language import language
from kgsynth.records import Item, Rejection
from kgsynth.writing import Candidate


def judge(candidate: Candidate, bench: Bench) -> Rejection | Item:
    """Turn away a question with a dangling reference, or too little to tell what it is about."""
    item = candidate.item
    word = language(item.language).unclear(item.question) or _loose(candidate)
    if word:
        return Rejection("self_contained", f"{word!r} points outside the question")
    if len(set(language(item.language).content(item.question))) < 2 and item.subtype != "definition":
        return Rejection("self_contained", "fewer than two content words")
    return item


def _loose(candidate: Candidate) -> str:
    """Return a phrase of the question that leaves open which one is meant, "" for none or where a heading tells."""
    item = candidate.item
    if item.subtype == "scoped":
        return ""
    question = str(item.metadata.get("plain") or item.question).casefold()
    loose = (p.text for fact in candidate.scenario.facts for p in fact.phrases if p.has("loose"))
    return next((text for text in loose if text.casefold() in question), "")
