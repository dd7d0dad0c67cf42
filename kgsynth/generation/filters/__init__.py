"""Filters: every rule a candidate must pass, one a file, in the order in which they are asked.

A rule takes a candidate and the bench it is judged on and returns a ``Rejection``, or the item as it goes on, with
scores, more evidence or a difficulty band added. ``screen`` asks them in turn; nothing is dropped unrecorded.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from kgsynth.base.records import Item, Rejection
from kgsynth.generation.filters import (
    absent,
    ambiguous,
    answerable,
    answered,
    copied,
    difficulty,
    duplicate,
    faithful,
    grounded,
    hop_necessity,
    leaking,
    self_contained,
    style,
    well_formed,
)
from kgsynth.generation.filters.context import FilterContext
from kgsynth.generation.writing import Candidate

Verdict = Rejection | Item
Rule = Callable[[Candidate, FilterContext], Verdict]

BY_WORDS: dict[str, Rule] = {
    "well_formed": well_formed.judge,
    "style": style.judge,
    "self_contained": self_contained.judge,
    "grounded": grounded.judge,
    "leaking": leaking.judge,
    "copied": copied.judge,
    "answerable": answerable.judge,
    "ambiguous": ambiguous.judge,
    "absent": absent.judge,
    "hop_necessity": hop_necessity.judge,
}
"""Rules that need the corpus but no model."""

BY_VECTOR: dict[str, Rule] = {
    "faithful": faithful.judge,
    "answered": answered.judge,
    "difficulty": difficulty.judge,
    "duplicate": duplicate.judge,
}
"""Rules that need the question's embedding; asked last, of what is left."""

OF_ANSWERS = frozenset({"leaking", "copied", "answerable", "ambiguous", "answered"})
"""Rules that hold an answer against something, and are not asked where there is none."""


OF_SENTENCES = frozenset({"well_formed", "style", "self_contained", "answerable"})
"""Rules that read a question as a sentence, and are not asked of one that is to be none, such as a search query."""


def screen(candidates: Iterable[Candidate], context: FilterContext) -> Iterator[tuple[Item, Rejection | None]]:
    """Yield every candidate's item with None when it passed, or the first rule that turned it away.

    The best come first to the vector rules, so of two duplicates the better one stays. What was turned away is as it
    was written, its id among the candidates', with the scores it got on the way.
    """
    left = []
    for candidate in candidates:
        outcome, rejection = _ask(candidate, context, BY_WORDS)
        if rejection is None:
            left.append((outcome, candidate.item))
        else:
            yield replace(candidate.item, metadata=outcome.item.metadata), rejection
    left.sort(key=lambda pair: (-pair[0].item.metadata["scores"]["quality"], pair[0].item.id))
    plain = (candidate.item.metadata.get("plain") for candidate, _ in left)
    context.ranking.expect([*(candidate.item.question for candidate, _ in left), *filter(None, plain)])
    context.ranking.expect([answered.stated(each.item, context.knowledge) for each, _ in left if each.item.answerable])
    for candidate, written in left:
        outcome, rejection = _ask(candidate, context, BY_VECTOR)
        yield replace(written, metadata=outcome.item.metadata) if rejection else outcome.item, rejection


def rescreen(candidate: Candidate, context: FilterContext, *, sentence: bool = True) -> tuple[Item, Rejection | None]:
    """Ask a candidate whose words are new every rule again but for duplicates, which are told when all is settled.

    Of words that are to be no ``sentence`` those rules are not asked that read one.
    """
    passed_over = {"duplicate"} if sentence else {"duplicate", *OF_SENTENCES}
    rules = {name: rule for name, rule in (BY_WORDS | BY_VECTOR).items() if name not in passed_over}
    outcome, rejection = _ask(candidate, context, rules)
    return outcome.item if rejection is None else candidate.item, rejection


def _ask(candidate: Candidate, context: FilterContext, rules: dict[str, Rule]) -> tuple[Candidate, Rejection | None]:
    for name, rule in rules.items():
        if name in OF_ANSWERS and not candidate.item.answerable:
            continue
        verdict = rule(candidate, context)
        if isinstance(verdict, Rejection):
            return candidate, verdict
        candidate = candidate._replace(item=verdict)
    return candidate, None
