"""Does the derivation yield the answer, is all evidence needed, is it found by a retriever, and not known by heart?"""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import combinations

from kgsynth.auditing.case import AuditCase, content_words
from kgsynth.base.errors import BudgetError
from kgsynth.base.records import Finding, Item
from kgsynth.base.shares import percent
from kgsynth.base.thresholds import DEFAULT_THRESHOLDS, LIMITS
from kgsynth.evidence.citing import extent
from kgsynth.evidence.closed_book import RECALLED_AT_ONCE, Recalled, recall, recalled
from kgsynth.evidence.derivation import recompute, same_answer, spans
from kgsynth.evidence.derivation_steps import DerivationError, steps_in
from kgsynth.evidence.vectors import gold_rank, hopeless_rank
from kgsynth.golden.spans import evidence_spans, in_place, supporting_spans
from kgsynth.language import LANGUAGES
from kgsynth.models.llm import Failure
from kgsynth.show.wording import many
from kgsynth.statistics.paired_tests import too_easy_by

_CHANGED = "audit against the documents the set was made from, or generate the set again"


def failed_derivations(case: AuditCase) -> Iterator[Finding]:
    """Yield the items whose derivation fails, yields another answer, or uses text outside the evidence.

    Items whose documents have changed are left to the check ``drift``.
    """
    for item in case.dataset:
        if not item.derivation or not all(in_place(span, case.documents) for span in supporting_spans(item)):
            continue
        try:
            answers = recompute(item.derivation, case.documents)
        except DerivationError as error:
            yield Finding("derivation", "error", item.id, f"the derivation fails: {error}", _CHANGED)
            continue
        agrees = any(same_answer(answer, golden, item.language) for answer in answers for golden in item.golden_answers)
        if not agrees and (answers or item.golden_answers):
            found = repr(answers[0]) if answers else "no answer"
            message = f"the derivation yields {found}, the golden answer is {', '.join(item.golden_answers)!r}"
            yield Finding("derivation", "error", item.id, message, "correct the golden answer, or delete the item")
        steps = steps_in(item.derivation)
        for doc in sorted({str(step["doc"]) for step in steps if "doc" in step}):
            if not any(span.doc == doc for span in supporting_spans(item)):
                message = f"the derivation uses {doc}, which is not in the evidence"
                yield Finding("derivation", "error", item.id, message, "add the sentence to the evidence")
        for doc, start, end in spans({"steps": steps}):
            if not any(s.doc == doc and s.start <= start and end <= s.end for s in supporting_spans(item)):
                message = f"the derivation uses {doc} [{start}, {end}), which is outside the evidence"
                yield Finding("derivation", "error", item.id, message, "add the sentence to the evidence")


def hops(case: AuditCase) -> Iterator[Finding]:
    """Yield the multi-context items that one passage answers: one evidence group, or groups close together."""
    for item in case.dataset:
        if item.question_type != "multi_context" or item.metadata.get("not_found"):
            continue
        if len(item.evidence) < 2:
            message = f"a multi_context question with {many(len(item.evidence), 'evidence group')}"
            yield Finding("hops", "error", item.id, message, "add the missing evidence, or set the type to simple")
            continue
        characters = extent(item)
        if _overlapping(item):
            message = "two evidence groups overlap, so they are one hop"
            yield Finding("hops", "error", item.id, message, "set the type to simple, or delete the item")
        elif characters is not None and characters <= LIMITS.passage_characters:
            message = f"all evidence groups are within {characters} characters of one document"
            yield Finding("hops", "warning", item.id, message, "choose evidence that does not fit in one passage")


def _overlapping(item: Item) -> bool:
    return any(a.meets(b) for one, two in combinations(item.evidence, 2) for a in one for b in two)


# Questions that a language model answers from memory: they measure the model, not the documents.


def closed_book(case: AuditCase) -> Iterator[Finding]:
    """Yield the items that the LLM answers without the documents.

    Raises:
        BudgetError: the budget was spent; findings on the answers received before that have been yielded.
        SystemUnreachableError: the LLM cannot be reached.
    """
    if case.resources.model is None:
        return
    items = [item for item in case.dataset if item.answerable and item.golden_answers and item.language in LANGUAGES]
    batches = [items[start : start + RECALLED_AT_ONCE] for start in range(0, len(items), RECALLED_AT_ONCE)]
    found: dict[int, list[tuple[Item, str]]] = {}
    spent = None
    with case.resources.progress("asking from memory", len(items)) as progress:
        try:
            for number, reply in case.resources.model.ask_all([recall(batch) for batch in batches], Recalled):
                scored = recalled(batches[number], reply)
                if not isinstance(reply, Failure) and len(reply.answers) == len(scored):
                    found[number] = [
                        (item, f"without the documents the LLM answers {item.question!r} with {answer!r}")
                        for item, answer in zip(scored, reply.answers, strict=True)
                        if item.scores["closed_book"] >= DEFAULT_THRESHOLDS["closed_book"]
                    ]
                progress.update(len(batches[number]))
        except BudgetError as error:
            spent = error
    for item, message in (each for number in sorted(found) for each in found[number]):
        yield Finding("closed_book", "warning", item.id, message, "ask about something that only the documents say")
    if spent is not None:
        raise spent


# How the embedding model ranks the evidence of a question among all chunks: near the top, hopeless, or too easy.

_FIRST = 5
"""The cut-off at which most systems are compared, and at which ``score`` lets a question without answer pass."""


def hopeless(case: AuditCase) -> Iterator[Finding]:
    """Yield the items whose evidence ranks very low, also by BM25, or ranks low and shares few words with them."""
    for item, evidence in case.ranked_items:
        best, chunks = min(evidence.ranks), len(case.chunks)
        limit = hopeless_rank(DEFAULT_THRESHOLDS["hopeless"], chunks)
        if best > limit and min(gold_rank(case.golds(item), case.lexical.scores(item.question)).ranks) > limit:
            message = f"the evidence of {item.question!r} has rank {best} of {chunks:,} chunks by embedding"
        elif best > LIMITS.safe_rank and (share := _shared_words(item, case)) < LIMITS.low_rank_word_share:
            message = (
                f"the evidence of {item.question!r} has rank {best} of {chunks:,} chunks by embedding "
                f"and holds {percent(share)} of its words"
            )
        else:
            continue
        advice = "check that the evidence is the right one, and name in the question what it is about"
        yield Finding("hopeless", "warning", item.id, message, advice)


def too_easy(case: AuditCase) -> Iterator[Finding]:
    """Yield a finding if the embedding model finds so much that no better retriever could be told from it."""
    worst = [max(evidence.ranks) for _, evidence in case.ranked_items]
    clusters = [item.evidence[0][0].doc for item, _ in case.ranked_items]
    smallest = too_easy_by([float(rank <= _FIRST) for rank in worst], clusters)
    if smallest is None:
        return
    first = [float(rank == 1) for rank in worst]
    room = too_easy_by(first, clusters) is None
    found = f"{sum(rank <= _FIRST for rank in worst)} of {many(len(worst), 'question')}"
    missed = f"a difference below {math.ceil(smallest * len(worst))} questions is often missed"
    message = (
        f"the embedding model has the evidence of {found} in its first {_FIRST} chunks ({sum(first):.0f} at rank 1), "
        f"and {missed}, so retrievers at least as good cannot be told apart at {_FIRST}"
    )
    advice = f"{'look at recall@1, or ' * room}make a harder set (generate says how)"
    yield Finding("too_easy", "warning", "", message, advice)


def _shared_words(item: Item, case: AuditCase) -> float:
    """Return the share of a question's words, weighted by rarity, in its evidence chunks and the headings over them."""
    chunks = [case.chunks[number] for number in sorted(case.chunks.holding(evidence_spans(item)))]
    titles = (title for chunk in chunks for title in case.documents[chunk.doc].titles_over(chunk.start, chunk.end))
    shown = set(content_words(" ".join([*(chunk.text for chunk in chunks), *titles]), item.language))
    index = case.word_index(item.language)
    weights = {word: index.rarity(word) for word in content_words(item.question, item.language)}
    total = math.fsum(weights.values())
    return math.fsum(weight for word, weight in weights.items() if word in shown) / total if total else 0.0
