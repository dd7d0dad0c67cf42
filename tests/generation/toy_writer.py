"""The questions of the toy language: one for each cell of a table, by the form in its file."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from kgsynth.base.records import Scenario
from kgsynth.evidence.knowledge import Knowledge
from kgsynth.evidence.list_answers import said
from kgsynth.generation.writing.draft import QuestionDraft, said_step
from kgsynth.language.lexicon import Asker, Lexicon

ASK = Asker(Lexicon(Path(__file__).with_name("toy.toml")), {}, {"small": lambda text, names: text.lower()})


def write(scenario: Scenario, knowledge: Knowledge) -> Iterator[QuestionDraft]:
    if scenario.subtype == "look_up":
        (fact,) = scenario.structure
        question = ASK("cell", fact.heads[-1].text, row=fact.subject.text)
        yield QuestionDraft(question, (said(fact),), "said", (said_step(fact),))


def framed(scenario: Scenario, knowledge: Knowledge, draft: QuestionDraft) -> Iterator[QuestionDraft]:
    yield draft


def is_worth_asking(scenario: Scenario, knowledge: Knowledge, draft: QuestionDraft) -> bool:
    return True
