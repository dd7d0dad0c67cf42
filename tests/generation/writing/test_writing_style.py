"""What is unclear, cut off or clumsy: read from sentences by the real parser, rejected."""

from __future__ import annotations

import random

import pytest
from planted import knowledge_of

from kgsynth.base.records import Rejection
from kgsynth.evidence.knowledge import Knowledge
from kgsynth.generation.evolutions import evolve
from kgsynth.generation.filters import Rule, by_words
from kgsynth.generation.filters.context import FilterContext
from kgsynth.generation.writing import Candidate, compose

TYPES = ("simple", "reasoning", "multi_context", "conditional")


def candidates(known: Knowledge, subtype: str) -> list[Candidate]:
    scenarios = evolve(known, types=TYPES, limit=100, rng=random.Random(0))
    return [c for c in compose(scenarios, known, every_form=True) if c.item.subtype == subtype]


def verdicts(text: str, subtype: str, rule: Rule) -> dict[str, str]:
    """Question -> "" if it passes, otherwise the reason of the rejection."""
    known = knowledge_of({"a.md": f"# Notes\n\n{text}"})
    context = FilterContext.__new__(FilterContext)  # its encoder is never asked
    context.knowledge, context.thresholds = known, {"answerable": 0.6}
    found = {}
    for candidate in candidates(known, subtype):
        verdict = rule(candidate, context)
        found[candidate.item.question] = verdict.detail if isinstance(verdict, Rejection) else ""
    return found


@pytest.mark.parametrize(
    ("text", "question", "detail"),
    [
        (
            "If the sensor fails, the Oslo depot calls Ada Lovelace.",
            "What happens if the sensor fails?",
            "'If the sensor fails' refers to something outside the question",
        ),
        ("If the Pike sensor fails, the Oslo depot calls Ada Lovelace.", "What happens if the Pike sensor fails?", ""),
        ("If the sun shines, the Oslo depot calls Ada Lovelace.", "What happens if the sun shines?", ""),
        (
            "If the second sensor fails, the Oslo depot calls Ada Lovelace.",
            "What happens if the second sensor fails?",
            "'If the second sensor fails' refers to something outside the question",
        ),
        (
            "If the shorter sensor fails, the Oslo depot calls Ada Lovelace.",
            "What happens if the shorter sensor fails?",
            "'If the shorter sensor fails' refers to something outside the question",
        ),
    ],
)
def test_a_definite_noun_must_say_which_thing_it_means(text: str, question: str, detail: str) -> None:
    assert verdicts(text, "explicit", by_words.check_self_contained)[question] == detail


@pytest.mark.parametrize(
    ("text", "question", "detail"),
    [
        (
            "The Oslo laboratory describes the Pike sensor and how to calibrate it.",
            "Which sensor does the Oslo laboratory describe?",
            "the sentence continues the answer: 'and how to calibrate it.'",
        ),
        (
            "The Oslo laboratory describes the Pike sensor, which measures wind.",
            "Which sensor does the Oslo laboratory describe?",
            "",
        ),
        (
            "The Oslo laboratory calibrates the Pike sensor and sells it.",
            "Which sensor does the Oslo laboratory calibrate?",
            "",
        ),
    ],
)
def test_an_answer_is_not_cut_off(text: str, question: str, detail: str) -> None:
    assert verdicts(text, "factoid", by_words.check_answerable)[question] == detail


COUNTRIES = (
    "## Norway\n\n{norway}\n\n## Portugal\n\nEveryone rests in August.\n\n## Carrying over\n\nRest lapses in March."
)
NOT_NAMED = "the fact holds for 'Norway' only, which the question does not name"


@pytest.mark.parametrize(
    ("fact", "question", "detail"),
    [
        (
            "New employees get nine blue books every May.",
            "How many blue books do new employees get every May?",
            NOT_NAMED,
        ),
        ("Ada Lovelace gets nine blue books every May.", "How many blue books does Ada Lovelace get every May?", ""),
    ],
)
def test_a_fact_under_one_of_several_names_must_name_it(fact: str, question: str, detail: str) -> None:
    assert verdicts(COUNTRIES.format(norway=fact), "factoid", by_words.check_self_contained)[question] == detail


def test_other_headings_need_not_be_named() -> None:
    text = COUNTRIES.replace("Norway", "First year").replace("Portugal", "Later years")
    page = text.format(norway="New employees get nine blue books every May.")
    assert (
        verdicts(page, "factoid", by_words.check_self_contained)["How many blue books do new employees get every May?"]
        == ""
    )
