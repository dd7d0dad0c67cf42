"""self_contained: the question is understood without the text: nothing in it points elsewhere."""

from __future__ import annotations

from kgsynth.filters.bench import Bench
from kgsynth.language import language
from kgsynth.records import Item, Rejection
from kgsynth.writing import Candidate


def judge(candidate: Candidate, bench: Bench) -> Rejection | Item:
    """Turn away a question with a dangling reference, or too little to tell what it is about."""
    item = candidate.item
    word = language(item.language).unclear(item.question)
    if word:
        return Rejection("self_contained", f"{word!r} points outside the question")
    if len(set(language(item.language).content(item.question))) < 2 and item.subtype != "definition":
        return Rejection("self_contained", "fewer than two content words")
    return item
