"""Reasoning questions about one fact, why and what for, and about several of which the same is said.

Left out: what two values make together (``comparing``).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from kgsynth.derivation import listed
from kgsynth.knowledge import Knowledge
from kgsynth.records import Fact, Scenario
from kgsynth.writing.english.asking import ask_for, type_of
from kgsynth.writing.english.grammar import Asked, finish, inverted, question, said, shown, yes_no
from kgsynth.writing.english.inflection import inflected
from kgsynth.writing.english.shared import Draft, answers, asides, find, in_scope, phrase_at

_SMALL = "no one two three four five six seven eight".split()


def cause(scenario: Scenario, knowledge: Knowledge) -> Iterator[Draft]:
    """Yield the question why a fact holds."""
    yield from _explained(scenario, knowledge, finish(f"why {_why(scenario.facts[0], scenario.asked)}"))


def purpose(scenario: Scenario, knowledge: Knowledge) -> Iterator[Draft]:
    """Yield the question what something is used for, what one should do for a purpose, or why it is done."""
    fact = scenario.facts[0]
    phrase, subject = fact.phrases[scenario.asked], fact.first("subject")
    if subject is not None and fact.verb.lemma == "use" and fact.verb.passive and phrase.marker in {"to", "for"}:
        first, after = inverted(fact.verb)
        yield from _explained(scenario, knowledge, finish(f"what {first} {shown(subject)} {after} for"))
    elif subject is not None and subject.has("you"):
        yield from _means(fact, knowledge)
    else:
        yield from _explained(scenario, knowledge, finish(f"why {_why(fact, scenario.asked)}"))


def _explained(scenario: Scenario, knowledge: Knowledge, text: str) -> Iterator[Draft]:
    """Yield the question that the asked phrase, whole, answers; under a heading where it needs one."""
    fact = scenario.facts[0]
    phrase = fact.phrases[scenario.asked]
    asked = Asked("why", shown(phrase), phrase.start, phrase.end)
    text = in_scope(scenario, knowledge, text)
    if text:
        yield Draft(text, (asked.answer,), scenario.subtype, (find(fact, asked),))


def _why(fact: Fact, asked: int) -> str:
    """Return what comes after "why"; the words of an outcome that was never parsed stay as they are."""
    if fact.kind != "outcome":
        return yes_no(fact, drop=[asked, *asides(fact, keep=asked)])
    outcome = shown(fact.phrases[1 - asked])
    return f"should you {outcome}" if fact.verb.lemma == "do" else f"is it that {outcome}"


def _means(fact: Fact, knowledge: Knowledge) -> Iterator[Draft]:
    """Yield the question what one should use, or run, for the purpose told."""
    what = next((n for n, p in enumerate(fact.phrases) if p.role == "object"), None)
    asked = ask_for(knowledge, fact, what) if what is not None else None
    if asked is not None and what is not None:
        text = question(fact, what, Asked("what", asked.answer, asked.start, asked.end))
        yield Draft(text, answers(asked, fact.phrases[what]), "purpose", (find(fact, asked),))


def aggregation(scenario: Scenario, knowledge: Knowledge) -> Iterator[Draft]:
    """Yield the questions which things share what is said of them, and how many they are."""
    first = scenario.facts[0]
    places = [next(n for n, p in enumerate(fact.phrases) if p.role == "subject") for fact in scenario.facts]
    subjects = [fact.phrases[place] for fact, place in zip(scenario.facts, places, strict=True)]
    entities = [knowledge.entity_of(fact, subject) for fact, subject in zip(scenario.facts, subjects, strict=True)]
    nouns = {type_of(knowledge, entity) if entity else "" for entity in entities}
    noun = nouns.pop() if len(nouns) == 1 else ""
    if not noun or any(subject.has("plural") for subject in subjects):
        return
    predicate = said(first, without=[places[0], *asides(first)], third=noun == "person")
    steps = tuple(
        {"fact": fact.id, "find": phrase_at(knowledge, fact, place)}
        for fact, place in zip(scenario.facts, places, strict=True)
    )
    which = "who" if noun == "person" else f"which {inflected(noun, 'NNS')}"
    names = [shown(subject) for subject in subjects]
    bare = [re.sub(r"^(?:the|an?) ", "", name, flags=re.I) for name in names]
    yield Draft(finish(f"{which} {predicate}"), (listed(names), listed(bare)), "all", steps)
    how_many = "people" if noun == "person" else inflected(noun, "NNS")
    predicate = said(first, without=[places[0], *asides(first)], third=False)
    count = str(len(names))
    yield Draft(finish(f"how many {how_many} {predicate}"), (count, _SMALL[len(names)]), "count", steps)
