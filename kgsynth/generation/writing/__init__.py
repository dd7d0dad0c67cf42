"""Scenarios become questions: written by the rules of the document's language, with their evidence and derivation."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from importlib import import_module
from typing import Any, NamedTuple

from kgsynth.base.records import Item, Scenario, Span, item_id
from kgsynth.base.vocabulary import Role
from kgsynth.evidence.knowledge import Knowledge
from kgsynth.generation.evolutions.eligibility import anchor
from kgsynth.language import language
from kgsynth.language.words import length_in_words

WRITERS: dict[str, str] = {"en": "kgsynth.generation.writing.english"}
"""Language code -> the module that writes its questions."""

_HUMAN_OVERLAP = 0.65  # of the words of people's questions stand in the sentence that answers them (SQuAD 2.0)
_COPYING = 2.5  # what a question loses of its quality for each share of words beyond that


class Candidate(NamedTuple):
    """A written question beside the scenario it came from, which the filters read."""

    item: Item
    scenario: Scenario


def compose(scenarios: Iterable[Scenario], knowledge: Knowledge) -> Iterator[Candidate]:
    """Yield a candidate for each phrasing of each scenario, in their order; the same item is written once."""
    written: set[str] = set()
    for scenario in scenarios:
        code = knowledge.documents[scenario.facts[-1].doc].language
        writer = import_module(WRITERS[code])
        for draft in writer.write(scenario, knowledge):
            item = _item(scenario, knowledge, draft, code)
            if item.id not in written:
                written.add(item.id)
                yield Candidate(item, scenario)


def _item(scenario: Scenario, knowledge: Knowledge, draft: Any, language_code: str) -> Item:
    answerable = scenario.question_type != "unanswerable"
    evidence = tuple((_sentence(knowledge, fact),) for fact in scenario.facts) if answerable else ()
    answer = draft.answers[0] if answerable else ""
    alike = () if answerable else tuple(dict.fromkeys(_sentence(knowledge, fact) for fact in scenario.rivals))
    derivation = {"operator": draft.operator, "steps": list(draft.steps), **draft.extra}
    first = scenario.facts[-1]
    title = knowledge.statements.section_of(first).path[0]
    copied = overlap(draft.question, evidence, language_code)
    loss = draft.penalty + copying(copied)
    return Item(
        id=item_id(draft.question, draft.answers, evidence),
        question=draft.question,
        golden_answers=draft.answers,
        question_type=scenario.question_type,
        subtype=scenario.subtype,
        language=language_code,
        evidence=evidence,
        derivation=derivation,
        hard_negatives=alike,
        answerable=answerable,
        metadata={
            "category": first.doc.rpartition("/")[0] or title,
            "source": "kgsynth",
            "writer": "rules",
            "keywords": _keywords(scenario),
            "scores": {
                "quality": round(quality(scenario, draft.question, answer, language_code) - loss, 4),
                "overlap": copied,
            },
            **({"style": "reworded", "plain": draft.plain} if draft.plain else {}),
        },
    )


def written_id(item: Item) -> str:
    """Return the id an item was written with, before the filters found other places of its evidence."""
    return item_id(item.question, item.golden_answers, tuple(group[:1] for group in item.evidence))


def overlap(question: str, evidence: Iterable[Sequence[Span]], code: str) -> float:
    """Return the share of the question's content words that stand in its evidence, the first span of each group."""
    content = language(code).content_stems
    asked = set(content(question))
    held = {word for group in evidence for span in group[:1] for word in content(span.text)}
    return round(len(asked & held) / len(asked), 4) if asked else 0.0


def copying(share: float) -> float:
    """Return what a question loses of its quality when this share of its words is its evidence's."""
    return _COPYING * max(0.0, share - _HUMAN_OVERLAP)


def _sentence(knowledge: Knowledge, fact: Any) -> Span:
    return knowledge.documents[fact.doc].span(fact.start, fact.end)


def _keywords(scenario: Scenario) -> list[str]:
    asked = scenario.facts[-1].phrases[scenario.asked]
    words = {
        word
        for fact in scenario.facts
        for p in fact.phrases
        if p is not asked and p.role != Role.MANNER
        for word in p.lemmas
    }
    return sorted(words)[:12]


def quality(scenario: Scenario, question: str, answer: str, code: str) -> float:
    """Return how much a question promises, from 0 to 1: anchored, of a handy length, asking for something definite.

    The weights are set by hand: a specific question word and names in the question count most, since their lack
    is what readers mark down most often.
    """
    length, said = length_in_words(question), length_in_words(answer)
    fact = scenario.facts[-1]
    vague = import_module(WRITERS[code]).asks_vaguely(question)
    score = 0.35 * min(anchor(fact, scenario.asked), 4) / 4
    score += 0.2 * (1.0 if 7 <= length <= 18 else max(0.0, 1 - abs(length - 12) / 16))
    score += 0.15 * (1.0 if 1 <= said <= 8 else max(0.0, 1 - (said - 8) / 20))
    score += 0.2 * (0.4 if vague else 1.0)
    score += 0.1 * (len({f.doc for f in scenario.facts}) > 1 or len(scenario.facts) == 1)
    return round(score, 4)
