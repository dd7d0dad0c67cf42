"""The rules that every candidate must pass, in the order in which they are applied.

A rule takes a candidate and a ``FilterContext``. It returns a ``Rejection``, or the item with scores, more evidence or
a difficulty added. ``sift`` applies the rules by words and ``judge`` the others; every rejection is recorded.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from kgsynth.base.records import Item, Rejection, placed_id
from kgsynth.generation.filters import by_vector, by_words
from kgsynth.generation.filters.context import FilterContext, evidence_text
from kgsynth.generation.writing import Candidate

Rule = Callable[[Candidate, FilterContext], Rejection | Item]

BY_WORDS: dict[str, Rule] = {
    "well_formed": by_words.check_well_formed,
    "self_contained": by_words.check_self_contained,
    "grounded": by_words.check_grounded,
    "leaking": by_words.check_leaking,
    "copied": by_words.check_copied,
    "answerable": by_words.check_answerable,
    "ambiguous": by_words.check_ambiguous,
    "absent": by_words.check_absent,
    "hop_necessity": by_words.check_hop_necessity,
}
"""Rules that need the corpus but no model."""

BY_VECTOR: dict[str, Rule] = {
    "answered": by_vector.check_answered,
    "difficulty": by_vector.check_difficulty,
    "duplicate": by_vector.check_duplicate,
}
"""Rules that need the question's embedding; applied last, to the candidates that are left."""

MEANINGS = {
    "well_formed": "the question is a question, without markup or other remains of its source",
    "self_contained": "the question can be understood without the text it comes from",
    "grounded": "every span occurs verbatim in its document, and the derivation yields the golden answer",
    "leaking": "the question does not contain its own answer",
    "copied": "the question does not repeat a sentence of its evidence",
    "answerable": "the question asks for a clear kind of answer, and the evidence contains it and covers the question",
    "ambiguous": "no other sentence of the corpus gives another answer; sentences that give the same become evidence",
    "absent": "no sentence answers an unanswerable question without naming its subject",
    "hop_necessity": "a multi-context question needs every hop, and no single chunk answers it",
    "answered": "the evidence probably answers the question, as estimated from words and embeddings",
    "difficulty": "the embedding model or BM25 ranks the gold chunk within reach",
    "duplicate": "no accepted question, of this run or of an earlier set, asks the same",
    "quoted": "every claim of the answer has a quote in the passages, which holds every figure and name of it",
    "leaning": "the evidence of a later turn is found by its standalone question, and not by its own words alone",
    "alone": "an LLM that sees the question alone finds it clear, natural, and likely to be asked",
    "understood": "after the earlier turns, people may go on so, and mean what the standalone question asks",
    "verified": "an LLM that sees the evidence among other passages finds every claim proved, and no other answer",
    "needed": "every passage of a multi-context question proves a claim that the question asks for and no other states",
}
"""Rule -> what a candidate must fulfil to pass it; after ``duplicate`` the rules of ``generation.asking``."""

_BEFORE_RANKING = {name: rule for name, rule in BY_VECTOR.items() if name != "duplicate"}

_ANSWER_RULES = frozenset({"leaking", "copied", "answerable", "ambiguous", "answered"})
"""Rules about the answer, which are not applied to unanswerable questions."""


def sift(
    candidates: Iterable[Candidate], context: FilterContext, left: list[tuple[Candidate, Item]]
) -> Iterator[tuple[Item, Rejection]]:
    """Yield what a rule by words rejects; append the others to ``left``, with their items as they were written.

    Nothing is embedded.
    """
    for candidate in candidates:
        outcome, rejection = _apply(BY_WORDS, candidate, context)
        if rejection is None:
            left.append((outcome, candidate.item))
        else:
            yield replace(candidate.item, metadata=outcome.item.metadata), rejection


def judge(left: list[tuple[Candidate, Item]], context: FilterContext) -> Iterator[tuple[Item, Rejection | None]]:
    """Yield the item of every candidate that ``sift`` left, with the first rejection, or None if it passed.

    The ranker scores what has passed all rules but ``duplicate``. That is applied to the best candidates first, so the
    better one of two duplicates passes. A rejected item keeps the id and the text of its candidate and gets the scores
    of the rules that it passed.
    """
    left.sort(key=lambda pair: placed_id(pair[0].item))
    context.ranking.expect([candidate.item.question for candidate, _ in left])
    context.ranking.expect([evidence_text(each.item, context.knowledge) for each, _ in left if each.item.answerable])
    ranked = []
    for candidate, written in left:
        outcome, rejection = _apply(_BEFORE_RANKING, candidate, context)
        if rejection is None:
            ranked.append((outcome, written))
        else:
            yield replace(written, metadata=outcome.item.metadata), rejection
    items = context.ranked([candidate.item for candidate, _ in ranked])
    best = sorted(zip(items, ranked, strict=True), key=lambda pair: (-worth(pair[0]), placed_id(pair[0])))
    verdicts = [
        (by_vector.check_duplicate(each._replace(item=item), context), item, written) for item, (each, written) in best
    ]
    for verdict, item, written in verdicts:  # what is accepted may get the evidence of later duplicates
        if isinstance(verdict, Rejection):
            yield replace(written, metadata=item.metadata), verdict
        else:
            yield context.accepted.now(verdict), None


def worth(item: Item) -> float:
    """Return what an item is ordered by: ``keep``, or ``quality`` of an unanswerable one by a language model."""
    scores = item.scores
    return float(scores.get("keep", scores.get("quality", 0.0)))


def _apply(rules: dict[str, Rule], candidate: Candidate, context: FilterContext) -> tuple[Candidate, Rejection | None]:
    for name, rule in rules.items():
        if candidate.item.answerable or name not in _ANSWER_RULES:
            verdict = rule(candidate, context)
            if isinstance(verdict, Rejection):
                return candidate, verdict
            candidate = candidate._replace(item=verdict)
    return candidate, None
