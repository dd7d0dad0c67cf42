"""A set written by a language model: rounds of scenes, what goes and what stays, in whatever order replies come."""

from __future__ import annotations

import json
import random
from collections import Counter
from dataclasses import replace
from typing import Any

import pytest
from desk import MIX, desk
from scripted_model import (
    Asked,
    Direct,
    Faithful,
    alone,
    longest_sentence,
    passages,
    proposal,
    proposals,
    trials,
)

from kgsynth.base.errors import BudgetError
from kgsynth.base.progress import silent
from kgsynth.base.records import Item
from kgsynth.evidence.derivation import recompute
from kgsynth.generation.asking.flow import _batches, _stand_ins
from kgsynth.generation.scenes import Scene, find_scenes
from kgsynth.models.llm import Failure

SIMPLE = {"simple": 1.0}


def scene_of(*docs: str) -> Scene:
    """A scene of whole pages."""
    spans = tuple(desk().knowledge.documents[doc].span(0, len(desk().knowledge.documents[doc].text)) for doc in docs)
    kind = ("simple", "section_fact") if len(docs) == 1 else ("multi_context", "related_sections")
    return Scene(*kind, spans, reason="" if len(docs) == 1 else "both are about the Release Guild")


def asked_about(says: Any, *scenes: Scene, **settings: Any) -> tuple[Any, Direct]:
    mix = {scenes[0].question_type: 1.0}
    author, model = desk().author(says, mix=mix, n=len(scenes), **settings)
    with silent("asking", None) as progress:
        author.fill({scenes[0].question_type: list(scenes)}, progress)
    return author.asked, model


PAIR = scene_of("guild.md", "slipway.md")


# ---- a faithful model --------------------------------------------------------------------------------


def test_every_question_is_as_the_model_wrote_it_and_proved() -> None:
    asked, model = desk().ask(Faithful())
    assert asked.rejected == [] and len(asked.accepted) == len(asked.scenes) == len(asked.written) == 12
    documents = desk().knowledge.documents
    for item in asked.accepted:
        assert item.metadata["writer"] == "llm:scripted" and item.question.startswith("What is known about ")
        assert recompute(item.derivation, documents) == item.golden_answers
        assert all(documents[span.doc].text[span.start : span.end] == span.text for (span,) in item.evidence)
        scores = item.metadata["scores"]
        assert scores["verified"] == 1.0 and scores["asked"] == 0.8 and scores["quality"] > 0
    assert Counter(prompt.stage for prompt in model.prompts) == {"writing": 12, "judging questions": 2, "verifying": 12}


def test_a_little_more_is_accepted_than_wanted_so_that_the_best_are_chosen() -> None:
    asked, _ = desk().ask(Faithful(), n=10, mix=MIX)
    assert Counter(item.question_type for item in asked.accepted) == {"simple": 5, "reasoning": 4, "conditional": 3}


@pytest.mark.parametrize("seed", range(3))
def test_no_order_of_replies_changes_the_set(seed: int) -> None:
    def says(asked: Asked) -> str | Failure:
        """A model that is neither right nor wrong always, but always the same."""
        draw, said = random.Random(asked.user).random(), Faithful()(asked)
        return Failure("no reply") if draw < 0.3 else said

    first, _ = desk().ask(says)
    again, _ = desk().ask(says, rng=random.Random(seed))
    assert again.accepted == first.accepted and again.rejected == first.rejected
    assert first.rejected and first.accepted


def test_scenes_are_asked_about_until_there_are_enough() -> None:
    class Shy(Faithful):
        """Finds every other scene not worth asking about."""

        def write(self, asked: Asked) -> str:
            draw = random.Random(asked.user).random()
            return proposals() if draw < 0.4 else super().write(asked)

    asked, _ = desk().ask(Shy(), n=2, mix=SIMPLE)
    assert 0 < len(asked.accepted) <= 3 < len(asked.scenes), "three in the first round"


def test_a_poor_model_does_not_try_the_whole_corpus() -> None:
    asked, model = desk().ask(lambda asked: Failure("no reply"), n=1, mix=SIMPLE)
    assert asked.accepted == [] and len(asked.scenes) == 6 == len(model.prompts)


def test_a_spent_budget_keeps_what_is_finished() -> None:
    author, _ = desk().author(Faithful(), n=10, calls=9)
    scenes = find_scenes(desk().knowledge, MIX, random.Random(0))
    with pytest.raises(BudgetError), silent("asking", None) as progress:
        author.fill(scenes, progress)
    assert len(author.asked.accepted) < 10


# ---- what goes ---------------------------------------------------------------------------------------


def reasons(asked: Any) -> list[tuple[str, str]]:
    return [(rejection.rule, rejection.detail) for _, rejection in asked.rejected]


def test_the_next_best_question_of_a_scene_is_tried_only_if_the_best_fails() -> None:
    class Two(Faithful):
        """Proposes two questions about each scene, and finds an answer that lacks something in the verdict on one."""

        def __init__(self, wrong: str) -> None:
            self.wrong = wrong

        def write(self, asked: Asked) -> str:
            quote = (1, longest_sentence(passages(asked)[0]))
            answer = " ".join(quote[1].split())
            return proposals(
                proposal("Who built the Slipway tower?", answer, quote),
                proposal("What is Jonas convening?", answer, quote),
            )

        def judge_alone(self, asked: Asked) -> str:
            verdicts = json.loads(alone(2))["verdicts"]
            verdicts[0]["likely_asked"], verdicts[1]["likely_asked"] = 5, 3
            return json.dumps({"verdicts": verdicts})

        def verify(self, asked: Asked) -> str:
            said = json.loads(super().verify(asked))
            return json.dumps({**said, "lacking": "all" if self.wrong and self.wrong in asked.user else ""})

    good, model = asked_about(Two(""), scene_of("slipway.md"))
    assert [item.question for item in good.accepted] == ["Who built the Slipway tower?"]
    assert Counter(prompt.stage for prompt in model.prompts)["verifying"] == 1
    second, _ = asked_about(Two("Slipway tower"), scene_of("slipway.md"))
    assert [item.question for item in second.accepted] == ["What is Jonas convening?"]
    assert reasons(second) == [("verified", "the answer leaves out: 'all'")]


def test_a_multi_context_question_needs_every_passage() -> None:
    asked, model = asked_about(Faithful(), PAIR)
    (item,) = asked.accepted
    assert [group[0].doc for group in item.evidence] == ["guild.md", "slipway.md"]
    shown = [passages(prompt) for prompt in model.prompts if prompt.stage == "leaving passages out"]
    assert shown == [[PAIR.passages[1].text], [PAIR.passages[0].text]], "never two passages of a question in a request"

    class Knowing(Faithful):
        said = ""

        def leave_out(self, asked: Asked) -> str:
            return trials(1, complete="Slipway was built" in asked.user, answer=self.said)

    Knowing.said = "Jonas Rekdal convenes it; it built Slipway and decides what it may do."
    asked, _ = asked_about(Knowing(), PAIR)
    assert reasons(asked) == [("needed", f"without passage 1 it is answered: {Knowing.said!r}")]
    Knowing.said = "It was built."
    assert asked_about(Knowing(), PAIR)[0].accepted, "a part that is taken for the whole is not the answer"


def test_an_answer_from_one_passage_is_no_multi_context_question() -> None:
    class Half(Faithful):
        def write(self, asked: Asked) -> str:
            quote = (1, longest_sentence(passages(asked)[0]))
            return proposals(proposal(self.question(asked), " ".join(quote[1].split()), quote))

    asked, model = asked_about(Half(), PAIR)
    assert [rule for rule, _ in reasons(asked)] == ["hop_necessity"]
    assert {prompt.stage for prompt in model.prompts} == {"writing"}, "no call is spent on it"


def test_a_question_like_an_earlier_one_is_rejected_before_it_costs_a_call() -> None:
    class Same(Faithful):
        def question(self, asked: Asked) -> str:
            return "What does the Release Guild convene for?"

    asked, model = asked_about(Same(), scene_of("guild.md"), scene_of("slipway.md"), context=desk().context())
    assert len(asked.accepted) == 1 and [rule for rule, _ in reasons(asked)] == ["duplicate"]
    avoided, model = asked_about(
        Same(), scene_of("guild.md"), context=desk().context(avoid=["What does the Release Guild convene for?"])
    )
    assert avoided.accepted == [] and {prompt.stage for prompt in model.prompts} == {"writing"}


def test_what_the_model_knows_by_heart_goes_if_wanted() -> None:
    class Knowing(Faithful):
        def judge_alone(self, asked: Asked) -> str:
            return alone(1, answer="Jonas Rekdal convenes the Release Guild, which has no fixed membership", known=True)

    kept, _ = asked_about(Knowing(), scene_of("guild.md"))
    assert kept.accepted[0].metadata["scores"]["closed_book"] > 0.5
    dropped, _ = asked_about(Knowing(), scene_of("guild.md"), drop_closed_book=True)
    assert reasons(dropped) == [("closed_book", "the model answers it without the documents")]


def test_passages_that_come_close_are_shown_for_another_answer() -> None:
    _, model = asked_about(Faithful(), scene_of("guild.md"))
    (told,) = (prompt for prompt in model.prompts if prompt.stage == "verifying")
    shown = passages(told)
    assert len(shown) == 4 and desk().knowledge.documents["guild.md"].text in shown


def test_the_questions_of_the_rules_stand_in_only_where_the_model_has_too_few() -> None:
    def item(ident: str, kind: str, **scores: float) -> Item:
        return Item(ident, f"{ident}?", ("a",), kind, "", "en", (), metadata={"scores": scores})

    valid = [item("low", "simple", keep=0.3), item("b", "simple", keep=0.6), item("a", "simple", keep=0.9)]
    config = desk().author(Faithful(), n=3, mix={"simple": 0.7, "reasoning": 0.3})[0]._config
    written = [item("m", "simple"), item("r", "reasoning")]
    assert [each.id for each in _stand_ins(valid, written, config)] == ["a"]
    assert [each.id for each in _stand_ins(valid, [], config)] == ["a", "b"], "one below min_keep never does"
    assert list(_stand_ins(valid, [replace(written[0], id=str(n)) for n in range(2)] + written[1:], config)) == []


def test_a_batch_has_no_two_members_of_a_kind() -> None:
    assert list(_batches([1, 2, 3, 4, 5], 2)) == [[1, 2], [3, 4], [5]]
    found = list(_batches(["a1", "a2", "b1", "c1"], 3, apart=lambda name: name[0]))
    assert found == [["a1", "b1", "c1"], ["a2"]]
