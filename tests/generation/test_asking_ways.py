"""How a language model is used, chosen by what its first replies are: good or bad at writing and at judging."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

import pytest
from desk import desk
from planted import knowledge_of
from scripted_model import Asked, Direct, Faithful, proposal, proposals, quoted_text

from kgsynth.base.records import Item
from kgsynth.generation.asking import ways
from kgsynth.generation.asking.prompts import Proposals
from kgsynth.generation.scenes import Scene
from kgsynth.generation.selection import Shortage
from kgsynth.models.llm import Prompt
from kgsynth.models.llm.client import prompt_tokens
from kgsynth.models.llm.prompts import with_outline


class Inventing(Faithful):
    """Bad at writing: its quotes are in no passage, unless one sentence is shown."""

    def write(self, asked: Asked) -> str:
        return proposals(proposal(self.question(asked), "It is so.", (1, "It is said to be so in general.")))


class Approving(Faithful):
    """Bad at judging: approves of everything."""

    def probe(self, asked: Asked) -> str:
        return json.dumps({"stated": [True] * asked.user.count("<claim-")})


class Declining(Faithful):
    """Writes no question about whole sections."""

    def write(self, asked: Asked) -> str:
        return proposals()


class Refusing(Faithful):
    """Replies to whole sections with no JSON."""

    def write(self, asked: Asked) -> str:
        return "I am sorry, but I cannot help with that."


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


def test_a_model_that_judges_badly_and_asks_what_nobody_would_keep_is_asked_about_single_sentences() -> None:
    asked, _ = desk().ask(Approving(), n=8, mix={"simple": 1.0}, min_keep=0.99)
    assert asked.way.endswith(", and the ranker keeps 0 of its first 4 questions")
    instead = [item for item, why in asked.rejected if why == ways.INSTEAD]
    assert instead == asked.written[:4], "its questions on whole sections are not kept"


@pytest.mark.parametrize(
    ("says", "scenes", "why"),
    [
        (Inventing(), 2, "0 of the 2 questions or unusable replies from the first scenes (2) had true quotes"),
        (Weak(), 2, "0 of the 2 questions or unusable replies from the first scenes (2) had true quotes"),
        (Refusing(), 2, "0 of the 2 questions or unusable replies from the first scenes (2) had true quotes"),
        (Declining(), 8, "0 of the 0 questions or unusable replies from the first scenes (8) had true quotes"),
    ],
    ids=["invents quotes", "invents and approves", "refuses", "declines"],
)
def test_a_model_that_cannot_write_is_asked_about_single_sentences(says: Faithful, scenes: int, why: str) -> None:
    asked, model, calls = asked_of(says)
    assert sum("Write up to" in prompt.user for prompt in model.prompts) == scenes
    assert asked.way == f"The model was asked about one sentence at a time, without its verdicts: {why}"
    assert asked.accepted and calls["verifying"] == calls["judging questions"] == calls["probing"] == 0
    documents = desk().knowledge.documents
    for item in asked.accepted:
        ((span,),) = item.evidence
        assert " ".join(item.golden_answers[0].split()) in " ".join(documents[span.doc].text.split())


def test_a_sentence_of_each_type_has_the_phrase_that_it_is_asked_for() -> None:
    text = (
        "# Kilns\n\nIt is warm. In 1998 the works had two kilns. The Linnet kiln holds ninety plates. "
        "If a kiln cracks, the works must stop. "
        "The Osprey kiln burns beech wood because the plates need a steady heat.\n"
    )
    knowledge = knowledge_of({"kilns.md": text})
    whole = (knowledge.documents["kilns.md"].span(0, len(text)),)
    scenes = {name: [Scene(name, name, whole)] for name in ("simple", "conditional", "reasoning", "multi_context")}
    short = ways.short_scenes(scenes, knowledge)
    assert {name: [scene.passages[0].text for scene in found] for name, found in short.items()} == {
        "conditional": ["If a kiln cracks, the works must stop."],
        "reasoning": ["The Osprey kiln burns beech wood because the plates need a steady heat."],
        "simple": ["The Linnet kiln holds ninety plates."],
    }


def test_the_prompts_of_the_light_way_are_short_and_begin_alike() -> None:
    _, model, _ = asked_of(Inventing())
    short = [
        prompt for prompt in model.prompts if "Write three short questions that the sentence answers" in prompt.user
    ]
    assert short and all(_tokens(prompt, ways.Asking) <= 600 for prompt in short)
    assert len({(prompt.system, prompt.user.partition("<headings-")[0]) for prompt in short}) == 1


def test_a_sentence_is_shown_without_its_markup() -> None:
    text = "# Kilns\n\nThe [Linnet kiln](linnet.md) holds **ninety** plates.\n"
    knowledge = knowledge_of({"kilns.md": text})
    whole = (knowledge.documents["kilns.md"].span(0, len(text)),)
    (scene,) = ways.short_scenes({"simple": [Scene("simple", "section_fact", whole)]}, knowledge)["simple"]
    prompt = ways.light_prompt(scene, knowledge.documents)
    assert quoted_text(prompt, "sentence") == "The Linnet kiln holds ninety plates."
    found = ways.widened(ways.Asking("holds ninety plates", ("What does it hold?",)), scene, knowledge)
    assert isinstance(found, Proposals) and found.questions[0].claims[0].quotes[0].words == scene.passages[0].text


def test_an_answer_that_the_model_does_not_find_again_is_rejected() -> None:
    class Wavering(Inventing):
        def extract(self, asked: Asked) -> str:
            return json.dumps({"quote": "something else"})

    asked, _, _ = asked_of(Wavering())
    whys = [why.detail for _, why in asked.rejected if why.rule == "verified"]
    assert not asked.accepted and "the model finds another answer: 'something else'" in whys


def test_a_question_that_holds_its_answer_is_rejected() -> None:
    class Telling(Inventing):
        def write_lightly(self, asked: Asked) -> str:
            sentence = quoted_text(asked, "sentence")
            return json.dumps({"quote": sentence, "questions": [f"Is it true that {sentence.strip('.')}?"]})

        def extract(self, asked: Asked) -> str:
            return json.dumps({"quote": quoted_text(asked, "question").removeprefix("Is it true that ")})

    asked, _, calls = asked_of(Telling())
    assert not asked.accepted and calls["answering"] > 0
    assert asked.rejected[-1][1].detail.startswith("the question holds its answer: ")


@pytest.mark.parametrize(("part", "rule"), [(0.5, ""), (0.0, "quoted")], ids=["half of it", "other words"])
def test_the_answer_is_the_whole_sentence_if_the_quote_is_in_it(part: float, rule: str) -> None:
    class Clipping(Inventing):
        def write_lightly(self, asked: Asked) -> str:
            reply = json.loads(super().write_lightly(asked))
            quote = reply["quote"][: int(len(reply["quote"]) * part)] or "words of no sentence"
            return json.dumps({**reply, "quote": quote})

    clipped, whole = asked_of(Clipping())[0], asked_of(Inventing())[0]
    if rule:
        assert not clipped.accepted and clipped.rejected[-1][1].rule == rule
    else:
        assert [item.golden_answers for item in clipped.accepted] == [item.golden_answers for item in whole.accepted]


def test_the_first_wording_that_passes_is_taken_and_no_other_of_its_sentence() -> None:
    class Wordy(Inventing):
        def write_lightly(self, asked: Asked) -> str:
            reply = json.loads(super().write_lightly(asked))
            (good,) = reply["questions"]
            said = " ".join(sorted(good.removeprefix("What about ").rstrip("?").split()))
            return json.dumps(
                {**reply, "questions": [f"What does the passage say of {said}?", good, f"Who knew {said}?"]}
            )

    asked, _, _ = asked_of(Wordy())
    assert len({scene.id for scene in asked.scene_of.values()}) == len(asked.accepted) > 3
    rejected = {item.id for item, _ in asked.rejected}
    for item in asked.accepted:
        own = [each.id for scene, each in asked.proposed if scene.id == asked.scene_of[item.id].id]
        assert own.index(item.id) > 0 and rejected.issuperset(own[: own.index(item.id)])


def test_a_question_that_its_page_must_explain_names_what_the_page_is_about() -> None:
    rules = "".join(f"Staff must file the {colour} form. " for colour in ("red", "green", "blue"))
    text = f"# Travel policy\n\n{rules}Receipts must be filed within sixty days.\n"
    knowledge = knowledge_of({"travel.md": text})
    whole = (knowledge.documents["travel.md"].span(0, len(text)),)
    (scene,) = (
        each
        for each in ways.short_scenes({"simple": [Scene("simple", "section_fact", whole)]}, knowledge)["simple"]
        if "sixty" in each.passages[0].text
    )
    asking = ways.Asking("within sixty days", ("By when must receipts be filed?", "What of receipts of travel?"))
    found = ways.widened(asking, scene, knowledge)
    assert isinstance(found, Proposals)
    assert [each.question for each in found.questions] == [
        "Under the travel policy, by when must receipts be filed?",
        "What of receipts of travel?",
    ]
    assert {each.answer for each in found.questions} == {"Receipts must be filed within sixty days."}


def test_a_question_that_says_the_opposite_of_its_sentence_is_rejected() -> None:
    def item(question: str) -> Item:
        return Item("q", question, ("If a trip costs less than 900 euros, tell Ada.",), "conditional", "", "en", ())

    assert ways.misreads(item("If my trip costs less than 900 euros, whom do I tell?")) is None
    why = ways.misreads(item("If my trip costs more than 900 euros, whom do I tell?"))
    assert why is not None and why.detail == "the question says the opposite of the sentence"


def test_words_of_the_sentence_are_an_answer_found_again() -> None:
    item = Item("q", "Whom do I tell?", ("If a trip costs less than 900 euros, tell Ada.",), "simple", "", "en", ())
    assert ways.judge_extracted(item, ways.Extracted("Ada")) is None
    assert ways.judge_extracted(item, ways.Extracted("Bo")) is not None


def test_the_way_is_said_where_the_result_is_reported() -> None:
    assert Shortage(0, (), way="The model wrote.").lines() == ["The model wrote."] and Shortage(0, ()).lines() == []


def _tokens(prompt: Prompt, shape: type[object]) -> int:
    return prompt_tokens((prompt.system, with_outline(prompt.user, shape)))
