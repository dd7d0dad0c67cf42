"""The rules that need the embedding of a question, in the order in which they are applied."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from kgsynth.base.records import Item, Rejection, Span
from kgsynth.base.thresholds import LIMITS
from kgsynth.base.vocabulary import StructureKind
from kgsynth.evidence.answer_likelihood import WEIGHTS, AnswerFeatures, answer_features
from kgsynth.evidence.bm25 import best
from kgsynth.evidence.citing import states_answer, with_alternatives
from kgsynth.evidence.knowledge import Knowledge
from kgsynth.evidence.question_checks import names_and_numbers_in
from kgsynth.evidence.vectors import gold_rank, hopeless_rank
from kgsynth.generation.filters.context import FilterContext, evidence_text, headings_of
from kgsynth.generation.writing import Candidate
from kgsynth.golden.metadata import with_scores
from kgsynth.language import nearest_language
from kgsynth.language.words import words

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


def check_answered(candidate: Candidate, context: FilterContext) -> Rejection | Item:
    """Reject a question that its evidence is unlikely to answer.

    The estimate (``evidence.answer_likelihood``) sees what a share of words does not: a name or figure that the
    evidence lacks, a denial, an opposite. It is weak (see ``benchmarks/answerable_roc.py``), so only the lowest are
    rejected. It was fitted to sentences: a cell stands under its head and beside its name, so it is never rejected.
    """
    if candidate.item.answer_kind in ("computed", "passage"):  # shown by cells, or by a whole section
        return candidate.item
    limit, reading = context.thresholds["answered"], read(candidate, context)
    score = round(reading.probability, 4)
    cells = any(fact.kind == StructureKind.CELL for fact in candidate.scenario.structure)
    if score < limit and not cells:
        lowering = [name for name, value in reading._asdict().items() if value and WEIGHTS[name] < 0]
        return Rejection(
            "answered",
            f"the evidence probably does not answer it: {', '.join(lowering) or 'low similarity'}",
            score,
            limit,
        )
    return with_scores(candidate.item, answered=score)


def read(candidate: Candidate, context: FilterContext) -> AnswerFeatures:
    """Compare a question with its evidence and the headings above it."""
    item, knowledge = candidate.item, context.knowledge
    question, text = item.question, evidence_text(item, knowledge)
    cosine, headings = context.vectors.cosine(question, text), headings_of(candidate.scenario, knowledge)
    return answer_features(question, text, context.word_index(item.language), cosine=cosine, headings=headings)


def check_difficulty(candidate: Candidate, context: FilterContext) -> Rejection | Item:
    """Reject a hopeless question; add rank, margin, ``found``, difficulty and hard negatives to the others.

    The rank of an evidence group is the rank of its best chunk, from 1; the rank of an item is the rank of its worst
    group. An item is hopeless only if even its best group is out of reach, by embedding and by BM25, since a second hop
    can be found through the first. The hard negatives are the most similar chunks without the answer.
    """
    item, knowledge = candidate.item, context.knowledge
    scores = context.ranking.cosines(item.question)
    if not item.answerable:
        return _judge_unanswerable(candidate, context, scores)
    golds = [sorted(knowledge.chunks.holding(group)) for group in item.evidence]
    if not all(golds):
        return Rejection("difficulty", "hopeless: no chunk has its evidence, such as a line above the text of a page")
    ranks, margin, highest, others = gold_rank(golds, scores)
    hopeless = hopeless_rank(context.thresholds["hopeless"], len(scores))
    by_words = context.lexical.scores(item.question)
    if (best_rank := min(ranks + gold_rank(golds, by_words).ranks)) > hopeless:
        return Rejection("difficulty", "hopeless: the gold chunk is too far from the question", best_rank, hopeless)
    found = context.found(golds, scores, by_words)
    difficulty = "easy" if found >= LIMITS.easy_found else "medium" if found >= LIMITS.medium_found else "hard"
    item = replace(item, difficulty=difficulty, hard_negatives=_hard_negatives(knowledge, item, others, highest))
    return with_scores(item, rank=max(ranks), margin=margin, found=found)


def _judge_unanswerable(candidate: Candidate, context: FilterContext, scores: NDArray[np.float32]) -> Rejection | Item:
    """Judge an unanswerable question by the passages it was made from: the higher they rank, the harder it is.

    A chunk that names the subject and is very similar to the question may answer it in other words: it is rejected.
    """
    item, knowledge, limit = candidate.item, context.knowledge, context.thresholds["near"]
    links = candidate.scenario.links  # a question of an LLM has none
    mentions = knowledge.entities[links[0][0]].mentions if links else ()
    naming = sorted(knowledge.chunks.holding([Span(m.doc, m.start, m.end, m.text) for m in mentions]))
    nearest = float(scores[naming].max()) if naming else 0.0
    if nearest > limit:
        return Rejection(
            "difficulty",
            "a chunk that names its subject is similar enough to contain an answer",
            round(nearest, 4),
            limit,
        )
    sources = sorted(knowledge.chunks.holding(item.hard_negatives))
    rank = int((scores > scores[sources].max()).sum()) + 1 if sources else len(scores)
    difficulty = "hard" if rank == 1 else "medium" if rank <= LIMITS.top_chunks else "easy"
    first = knowledge.chunks[int(scores.argmax())]
    nearest_chunk = knowledge.documents[first.doc].span(first.start, first.end)
    spans = dict.fromkeys((*item.hard_negatives, nearest_chunk))
    item = replace(item, difficulty=difficulty, hard_negatives=tuple(spans)[: LIMITS.hard_negatives])
    return with_scores(item, rank=rank, nearest=nearest)


def _hard_negatives(knowledge: Knowledge, item: Item, others: Any, highest: float) -> tuple[Span, ...]:
    """Return the most similar chunks that contain no answer and are clearly less similar than the gold chunk."""
    found: list[Span] = []
    for number in best(others, LIMITS.hard_negatives_from):
        chunk = knowledge.chunks[int(number)]
        if is_hard_negative(item, chunk.text, others[number], highest):
            found.append(knowledge.documents[chunk.doc].span(chunk.start, chunk.end))
        if len(found) == LIMITS.hard_negatives:
            break
    return tuple(found)


def is_hard_negative(item: Item, text: str, cosine: float, highest: float) -> bool:
    """Check whether a text has no golden answer and is clearly less similar to the question than the gold chunk."""
    holds_answer = any(answer.lower() in text.lower() for answer in item.golden_answers)
    return cosine < LIMITS.hard_negative_cosine * highest and not holds_answer


def check_duplicate(candidate: Candidate, context: FilterContext) -> Rejection | Item:
    """Reject a question with the words, the meaning, or the fact and asked phrase of an accepted one."""
    item, scenario = candidate.item, candidate.scenario
    if item.id in context.accepted.asked:
        return Rejection("duplicate", "has the question, the answers and the evidence text of another candidate")
    if scenario.structure or not scenario.facts:  # a question of an LLM is told by its words and meaning alone
        place: tuple[object, ...] = tuple(fact.id for fact in scenario.structure) or (item.question,)
    else:
        fact = scenario.facts[-1]
        place = (fact.id, fact.phrases[scenario.asked].start, item.question_type == "multi_context")
    if not item.answerable:
        place = (scenario.subtype, item.question)
    if place in context.accepted.asked:
        return Rejection("duplicate", f"asks the same fact as {context.accepted.asked[place]!r}")
    if rejection := _on_accepted_fact(item, context) or like_accepted(item.question, context):
        return rejection
    context.accepted.asked |= {place: item.question, item.id: item.question}
    context.accepted.accept(item)
    return item


def _on_accepted_fact(item: Item, context: FilterContext) -> Rejection | None:
    """Return the rejection of a question on the fact of an accepted one, None if there is none.

    That is the accepted question turned round, or one on another statement of its fact, which the accepted one gets as
    evidence.
    """
    for other in context.accepted.with_evidence_of(item):
        if "multi_context" in (item.question_type, other.question_type) or not (item.answerable and other.answerable):
            continue
        if _holds_answer(item, other) and _holds_answer(other, item):
            return Rejection("duplicate", f"is {other.question!r} turned round")
        if _states_same(item, other):
            context.accepted.items[other.id] = _joined(other, item, context)
            return Rejection("duplicate", f"asks for the same fact as {other.question!r}")
    return None


def _holds_answer(item: Item, other: Item) -> bool:
    """Check whether the question of an item has all content words of the answer of another."""
    own = nearest_language(item.language)
    asked, answer = (set(own.content_stems(own.digits(text))) for text in (item.question, other.golden_answers[0]))
    return bool(answer) and answer <= asked


def _states_same(item: Item, other: Item) -> bool:
    """Check whether what one of two items was written from was found to state the fact of the other."""
    first, second = item.evidence[0][0], other.evidence[0][0]
    found = any(span == second for span in item.evidence[0][1:]) or any(span == first for span in other.evidence[0][1:])
    answers = states_answer(item.golden_answers[0], other) or states_answer(other.golden_answers[0], item)
    return found and first != second and answers


def _joined(item: Item, other: Item, context: FilterContext) -> Item:
    """Return an item with the evidence of another on its fact, if that has all names and numbers of the question."""
    if len(other.evidence) > 1:
        return item
    documents, names = context.knowledge.documents, names_and_numbers_in(item.question, item.language)

    def names_all(span: Span) -> bool:
        titles = documents[span.doc].titles_over(span.start, span.end)
        known = words(nearest_language(item.language).digits(" ".join((span.text, *titles))))
        return all(set(words(name)) <= set(known) for name in names)

    cited = [span for group in item.evidence for span in group]
    new = [span for span in other.evidence[0] if names_all(span) and not any(span.meets(each) for each in cited)]
    negatives = tuple(each for each in item.hard_negatives if not any(each.meets(span) for span in new))
    return with_alternatives(replace(item, hard_negatives=negatives), new)


def like_accepted(question: str, context: FilterContext) -> Rejection | None:
    """Return the rejection of a question with the words or the meaning of an accepted one, None if there is none."""
    words, meaning = context.accepted.most_similar(question), context.accepted.nearest(question)
    for found, rule in ((words, "duplicate"), (meaning, "paraphrase")):
        if found is not None and found[0] >= context.thresholds[rule]:
            return Rejection("duplicate", f"like {found[1]!r}", round(found[0], 4), context.thresholds[rule])
    return None
