"""duplicate: no accepted question, of this run or of an earlier set, asks the same."""

from __future__ import annotations

from dataclasses import replace

from kgsynth.base.records import Item, Rejection, Span
from kgsynth.evidence.citing import states_answer, with_alternatives
from kgsynth.evidence.question_checks import names_and_numbers_in
from kgsynth.generation.filters.context import FilterContext
from kgsynth.generation.writing import Candidate
from kgsynth.language import nearest_language
from kgsynth.language.words import words


def judge(candidate: Candidate, context: FilterContext) -> Rejection | Item:
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
        place = (scenario.subtype, item.metadata.get("plain") or item.question)
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
