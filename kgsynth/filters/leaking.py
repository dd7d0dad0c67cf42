"""leaking: the question does not hold its own answer."""

from __future__ import annotations

from kgsynth.filters.bench import Bench, scored
from kgsynth.language import language
from kgsynth.quantities import digits
from kgsynth.records import Item, Rejection
from kgsynth.writing import Candidate

_NAMES_ITS_ANSWERS = frozenset({"comparison", "cross_document_comparison", "temporal_order"})


def judge(candidate: Candidate, bench: Bench) -> Rejection | Item:
    """Turn away a question in which too many of the answer's content words stand.

    A comparison names its answers, and is let through.
    """
    item, limit = candidate.item, bench.thresholds["leaking"]
    if item.subtype in _NAMES_ITS_ANSWERS:
        return item
    share, held = given_away(item.question, item.golden_answers[0], item.language)
    if share >= limit:
        detail = f"holds {', '.join(held)}" if held else "the answer says no more than the question"
        return Rejection("leaking", detail, round(share, 4), limit)
    return scored(item, leaking=share)


def given_away(question: str, answer: str, code: str) -> tuple[float, list[str]]:
    """Return the share of an answer's content words that stand in the question, and which; numbers count in any form.

    Words that a question is granted count for neither; an answer of no other word says nothing, and the share is 1.

    Example:
        >>> given_away("Who are the 9 old people of Salina?", "nine old smiths", "en")
        (0.6666666666666666, ['9', 'old'])
    """
    reader = language(code)
    free = reader.granted(question, answer)
    telling = {word for word in reader.content(digits(answer.lower())) if not free(word)}
    held = sorted(telling & set(reader.content(digits(question.lower()))))
    return (len(held) / len(telling) if telling else 1.0), held
