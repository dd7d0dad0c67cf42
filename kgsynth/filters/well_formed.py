"""well_formed: the question reads as a question, with nothing left over from the text it came from."""

from __future__ import annotations

from kgsynth.filters.bench import Bench
from kgsynth.language import language
from kgsynth.records import Item, Rejection
from kgsynth.writing import Candidate


def judge(candidate: Candidate, bench: Bench) -> Rejection | Item:
    """Turn away a question or an answer whose form is broken."""
    item = candidate.item
    fault = language(item.language).malformed(item.question)
    if not fault and item.answerable and not item.golden_answers[0].strip(" .,;:"):
        fault = "its answer is empty"
    return Rejection("well_formed", fault) if fault else item
