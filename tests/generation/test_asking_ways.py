"""How a language model is used, chosen by what its first replies are: good or bad at writing and at judging."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

import pytest
from desk import desk
from scripted_model import Asked, Direct, Faithful, longest_sentence, passages, proposal, proposals

from kgsynth.generation.asking import ways
from kgsynth.generation.selection import Shortage
from kgsynth.models.llm import Prompt
from kgsynth.models.llm.client import prompt_tokens
from kgsynth.models.llm.prompts import with_outline


class Inventing(Faithful):
    """Bad at writing: its quotes are in no passage, unless one short quote is asked for."""

    def write(self, asked: Asked) -> str:
        return proposals(proposal(self.question(asked), "It is so.", (1, "It is said to be so in general.")))


class Approving(Faithful):
    """Bad at judging: approves of everything."""

    def probe(self, asked: Asked) -> str:
        return json.dumps({"stated": [True] * asked.user.count("<claim-")})


class Weak(Inventing, Approving):
    """Bad at both."""


def asked_of(says: Any) -> tuple[Any, Direct, Counter[str]]:
    asked, model = desk().ask(says, n=8, mix={"simple": 0.5, "conditional": 0.5}, min_keep=0.0)
    return asked, model, Counter(prompt.stage for prompt in model.prompts)


def test_a_model_that_writes_and_judges_well_does_both() -> None:
    asked, _, calls = asked_of(Faithful())
    assert asked.way == "" and calls["probing"] == 1 and calls["verifying"] > 0 and calls["answering"] == 0


def test_a_model_that_only_writes_well_gives_no_verdict() -> None:
    asked, _, calls = asked_of(Approving())
    assert asked.way == (
        "The model wrote the questions, and rules and the ranker judged them: it judged 4 of 8 planted claims rightly, "
        "where chance gives half"
    )
    assert asked.accepted and calls["verifying"] == calls["judging questions"] == calls["leaving passages out"] == 0


@pytest.mark.parametrize("says", [Inventing(), Weak()])
def test_a_model_whose_quotes_are_not_there_is_asked_for_one_quote_at_a_time(says: Faithful) -> None:
    asked, model, calls = asked_of(says)
    first = sum("Write up to" in prompt.user for prompt in model.prompts)
    assert asked.way == (
        "The model was asked for one short quote at a time, without its verdicts: "
        f"0 of its first {first} questions had true quotes, and 0 replies could not be used"
    )
    assert asked.accepted and calls["verifying"] == calls["judging questions"] == calls["probing"] == 0
    documents = desk().knowledge.documents
    for item in asked.accepted:
        ((span,),) = item.evidence
        assert " ".join(item.golden_answers[0].split()) in " ".join(documents[span.doc].text.split())


def test_the_prompts_of_the_light_way_are_short_and_begin_alike() -> None:
    _, model, _ = asked_of(Inventing())
    short = [prompt for prompt in model.prompts if "Copy the quote that answers it" in prompt.user]
    assert short and all(_tokens(prompt, ways.Asking) <= 600 for prompt in short)
    assert len({(prompt.system, prompt.user.partition("Headings:\n<")[0]) for prompt in short}) == 1


def test_an_answer_that_the_model_does_not_find_again_is_rejected() -> None:
    class Wavering(Inventing):
        def extract(self, asked: Asked) -> str:
            return json.dumps({"quote": "something else"})

    asked, _, _ = asked_of(Wavering())
    whys = [why.detail for _, why in asked.rejected if why.rule == "verified"]
    assert not asked.accepted and "the model finds another answer: 'something else'" in whys


def test_a_part_of_a_sentence_is_widened_to_the_sentence() -> None:
    class Clipping(Inventing):
        def write_lightly(self, asked: Asked) -> str:
            whole = longest_sentence(passages(asked)[0])
            return json.dumps({"question": self.question(asked), "quote": whole[: len(whole) // 2]})

    clipped, whole = asked_of(Clipping())[0], asked_of(Inventing())[0]
    assert [item.golden_answers for item in clipped.accepted] == [item.golden_answers for item in whole.accepted]


def test_the_way_is_said_where_the_result_is_reported() -> None:
    assert Shortage(0, (), way="The model wrote.").lines() == ["The model wrote."] and Shortage(0, ()).lines() == []


def _tokens(prompt: Prompt, shape: type[object]) -> int:
    return prompt_tokens((prompt.system, with_outline(prompt.user, shape)))
