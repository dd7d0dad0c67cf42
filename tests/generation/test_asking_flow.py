"""A set written by a language model: rounds of scenes, what goes and what stays, in whatever order replies come."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from typing import Any, NamedTuple

import pytest
from desk import MIX, desk
from scripted_model import (
    Asked,
    Direct,
    Faithful,
    Twice,
    alone,
    longest_sentence,
    passages,
    proposal,
    proposals,
    quoted_text,
    stage,
    trials,
)

from kgsynth.base.errors import BudgetError
from kgsynth.base.progress import silent
from kgsynth.base.records import Item, Rejection
from kgsynth.evidence.derivation import recompute
from kgsynth.generation.asking import verdicts
from kgsynth.generation.asking.context import NOTHING_BEFORE, before
from kgsynth.generation.asking.flow import _stand_ins
from kgsynth.generation.asking.queue import Asked as AskedOf
from kgsynth.generation.asking.queue import SceneQueue
from kgsynth.generation.asking.ways import FULL
from kgsynth.generation.scenes import Scene, find_scenes
from kgsynth.generation.scenes.passages import Reason
from kgsynth.models.llm import Failure

SIMPLE = {"simple": 1.0}


class Shown(NamedTuple):
    user: str


def scene_of(*docs: str) -> Scene:
    """A scene of whole pages."""
    spans = tuple(desk().knowledge.documents[doc].span(0, len(desk().knowledge.documents[doc].text)) for doc in docs)
    kind = ("simple", "section_fact") if len(docs) == 1 else ("multi_context", "related_sections")
    return Scene(*kind, spans, () if len(docs) == 1 else (Reason(1, 2, "both are about the Release Guild"),))


def asked_about(says: Any, *scenes: Scene, **settings: Any) -> tuple[Any, Direct]:
    """What a model that says so writes about scenes, and the model."""
    mix = {scenes[0].question_type: 1.0}
    author, model = desk().author(says, mix=mix, n=len(scenes), **settings)
    with silent("asking", None) as progress:
        author.fill({scenes[0].question_type: list(scenes)}, progress)
    return author.asked, model


PAIR = scene_of("guild.md", "slipway.md")


# ---- a faithful model --------------------------------------------------------------------------------


def test_every_question_is_as_the_model_wrote_it_and_proved() -> None:
    asked, model = desk().ask(Faithful())
    assert asked.rejected == [] and len(asked.accepted) == len(asked.scenes) == len(asked.written) == 13
    documents = desk().knowledge.documents
    for item in asked.accepted:
        assert item.metadata["writer"] == "llm:scripted" and item.question.startswith("What is known about ")
        assert recompute(item.derivation, documents) == item.golden_answers
        assert all(documents[span.doc].text[span.start : span.end] == span.text for (span,) in item.evidence)
        scores = item.metadata["scores"]
        assert scores["verified"] == 1.0 and scores["asked"] == 0.8 and scores["quality"] > 0
    assert Counter(prompt.stage for prompt in model.prompts) == {
        "writing": 13,
        "probing": 1,
        "judging questions": 2,
        "verifying": 3,
    }


def test_several_models_write_in_turn_and_the_first_judges() -> None:
    asked, model = desk().ask(Faithful(), llm="scripted, second,third", way=FULL)
    turns = [("scripted", "second", "third")[at % 3] for at in range(len(asked.scenes))]
    assert Counter(prompt.model for prompt in model.prompts if stage(prompt) == "writing") == Counter(turns)
    assert {prompt.model for prompt in model.prompts if stage(prompt) != "writing"} == {""}, "the first"
    for scene, item in asked.proposed:
        theirs = {f"llm:{name}" for name, each in zip(turns, asked.scenes, strict=True) if each.id == scene.id}
        assert item.metadata["writer"] in theirs
    assert len({item.metadata["writer"] for item in asked.accepted}) == 3


def test_a_little_more_is_accepted_than_wanted_from_what_is_written_already() -> None:
    asked, _ = desk().ask(Twice(), n=6, mix=SIMPLE, way=FULL)
    assert len(asked.scenes) == 6 and len(asked.written) == 12
    assert len(asked.accepted) == 6 + verdicts.VERIFIED_AT_ONCE, "one more is wanted, and a request has room for five"


def test_the_places_of_a_type_without_scenes_go_to_simple_questions() -> None:
    asked, _ = desk().ask(Faithful(), n=10, mix=MIX)
    assert Counter(item.question_type for item in asked.accepted) == {"simple": 6, "reasoning": 4, "conditional": 3}


@pytest.mark.parametrize("seed", range(3))
def test_no_order_of_replies_changes_the_set(seed: int) -> None:
    def says(asked: Asked) -> str | Failure:
        """A model that is neither right nor wrong always, but always the same."""
        draw, said = random.Random(asked.user).random(), Faithful()(asked)
        return Failure("no reply") if draw < 0.4 else said

    first, _ = desk().ask(says, way=FULL)
    again, _ = desk().ask(says, rng=random.Random(seed), way=FULL)
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
    asked, model = desk().ask(lambda asked: Failure("no reply"), n=1, mix=SIMPLE, way=FULL)
    assert asked.accepted == [] and len(asked.scenes) == 3 == len(model.prompts)


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
                proposal("What did the guild build?", answer, quote),
                proposal("Whose decision is what Slipway may do?", answer, quote),
            )

        def judge_alone(self, asked: Asked) -> str:
            verdicts = json.loads(alone(2))["verdicts"]
            verdicts[0]["likely_asked"], verdicts[1]["likely_asked"] = 5, 3
            return json.dumps({"verdicts": verdicts})

        def check(self, number: int, shown: str) -> dict[str, Any]:
            return {**super().check(number, shown), "lacking": "all" if self.wrong and self.wrong in shown else ""}

    second, _ = asked_about(Two("What did the guild build?"), scene_of("slipway.md"))
    assert [item.question for item in second.accepted] == ["Whose decision is what Slipway may do?"]
    assert reasons(second) == [("verified", "the answer leaves out: 'all'")]
    both, model = asked_about(Two(""), scene_of("slipway.md"))
    assert len(both.accepted) == 2, "where one more is wanted, the second is checked before others are written"
    assert Counter(prompt.stage for prompt in model.prompts) == {"writing": 1, "judging questions": 1, "verifying": 2}


def test_a_multi_context_question_needs_every_passage() -> None:
    asked, model = asked_about(Faithful(), PAIR)
    (item,) = asked.accepted
    assert [group[0].doc for group in item.evidence] == ["guild.md", "slipway.md"]
    (shown,) = [passages(prompt) for prompt in model.prompts if prompt.stage == "leaving passages out"]
    assert shown == [span.text for span in PAIR.passages], "one request, with the golden answer"

    class Knowing(Faithful):
        said = ("", "who convenes it")

        def leave_out(self, asked: Asked) -> str:
            return trials(2, open_without=self.said)

    asked, _ = asked_about(Knowing(), PAIR)
    assert reasons(asked) == [("needed", "without passage 1 it is answered completely")]
    Knowing.said = ("what it built", "who convenes it")
    assert asked_about(Knowing(), PAIR)[0].accepted


def test_passages_declined_together_are_not_asked_about_again() -> None:
    class Declining(Faithful):
        def write(self, asked: Asked) -> str:
            return proposals()

    larger = replace(PAIR, passages=(*PAIR.passages, *scene_of("kilns.md").passages))
    other = scene_of("guild.md", "cracks.md")
    author, model = desk().author(Declining(), mix={"multi_context": 1.0}, n=1)
    with silent("asking", None) as progress:
        author.fill({"multi_context": [PAIR, other, larger]}, progress)
    assert author.asked.scenes == [PAIR, other] and len(model.prompts) == 2, "two are wanted, so two are tried first"


def test_a_scene_of_several_passages_that_gave_a_question_is_asked_for_one_more() -> None:
    author, model = desk().author(Faithful(), mix={"multi_context": 1.0}, n=3)
    with silent("asking", None) as progress:
        author.fill({"multi_context": [PAIR]}, progress)
    assert author.asked.scenes == [PAIR, PAIR], "once more, and not again"
    first, second = (prompt for prompt in model.prompts if prompt.stage == "writing")
    assert author.asked.accepted[0].question in quoted_text(second, "asked") and not quoted_text(first, "asked")


def test_passages_whose_question_failed_by_its_answer_are_asked_about_once_more() -> None:
    class Learning(Faithful):
        """Leaves something out until it is told so, in one scene for good."""

        def question(self, asked: Asked) -> str:
            told = "leaves out" in quoted_text(asked, "rejected")
            return f"{super().question(asked)[:-1]} {'in full' if told else 'in short'}?"

        def check(self, number: int, shown: str) -> dict[str, Any]:
            hopeless = "thousand" in shown or "in short" in shown
            return {**super().check(number, shown), "lacking": "the ninth step" if hopeless else ""}

    good, poor = scene_of("slipway.md"), scene_of("bees.md")
    asked, model = asked_about(Learning(), good, poor)
    assert asked.scenes == [good, poor, good, poor], "each once more, and not again"
    assert [item.evidence[0][0].doc for item in asked.accepted] == ["slipway.md"]
    third = [prompt for prompt in model.prompts if prompt.stage == "writing"][2]
    assert "in short?\" was rejected because the answer leaves out: 'the ninth step'." in quoted_text(third, "rejected")


@pytest.mark.parametrize("field", ["contradicted", "one_passage"])
def test_passages_whose_question_failed_by_itself_are_not_asked_about_again(field: str) -> None:
    class Strict(Faithful):
        def check(self, number: int, shown: str) -> dict[str, Any]:
            return {**super().check(number, shown), field: True if field == "one_passage" else "it says no"}

    asked, _ = asked_about(Strict(), PAIR)
    assert asked.scenes == [PAIR] and [why.rule for _, why in asked.rejected] == ["verified"]


def test_a_rejected_question_is_shown_with_the_reason_and_not_as_one_that_was_asked() -> None:
    scene, elsewhere = scene_of("guild.md"), scene_of("kilns.md")
    (standing,) = asked_about(Faithful(), scene)[0].accepted
    asked = AskedOf()
    poor, spare = (replace(standing, id=text, question=text) for text in ("Who is it?", "Who convenes the guilds?"))
    asked.accepted = [standing]
    asked.proposed = [(scene, item) for item in (standing, poor, spare)]
    asked.rejected = [(poor, Rejection("alone", "it refers to something outside itself"))]
    told = before(scene, asked)
    assert told.asked == (standing.question, spare.question), (
        "one that is neither accepted nor rejected counts as asked"
    )
    assert told.rejected == ('The question "Who is it?" was rejected because it refers to something outside itself.',)
    assert before(elsewhere, asked) == NOTHING_BEFORE
    assert before(scene, asked, kept=[replace(standing, question="And of old?")]).asked[0] == "And of old?"


def test_a_reason_has_the_numbers_that_its_passages_have_in_the_prompt() -> None:
    class Objecting(Faithful):
        """Names the page about Slipway by the number that it has among the passages that are shown."""

        def check(self, number: int, shown: str) -> dict[str, Any]:
            at = next(n for n, text in enumerate(passages(Shown(shown)), 1) if text.startswith("# Slipway"))
            return {**super().check(number, shown), "lacking": f"what passage {at} says, {'so ' * 80}at last"}

    _, model = asked_about(Objecting(), PAIR)
    _, second = [prompt for prompt in model.prompts if prompt.stage == "writing"]
    assert "what passage 2 says" in quoted_text(second, "rejected"), "as in the prompt that shows the reason"
    assert quoted_text(second, "rejected").endswith("so at last'."), "and it is not cut"


def test_a_passage_taken_for_two_types_is_taken_for_a_third_only_if_others_are_left_out() -> None:
    types, pages = ("simple", "reasoning", "conditional"), ("guild.md", "bees.md", "slipway.md")
    scenes = {name: [replace(scene_of(page), question_type=name, subtype=name) for page in pages] for name in types}
    queue = SceneQueue(dict.fromkeys(types, 1), AskedOf())
    queue.add(scenes)
    first = [(scene.question_type, scene.passages[0].doc) for scene in queue.next()]
    assert first == [(name, page) for name in types[:2] for page in pages[:2]] + [
        ("conditional", "slipway.md"),
        ("conditional", "guild.md"),
    ]


def test_a_passage_is_not_asked_about_again_and_again() -> None:
    scenes = [replace(scene_of("guild.md"), subtype=f"kind {number}") for number in range(9)]
    queue = SceneQueue({"simple": 9}, AskedOf(scenes=scenes[:4]))
    queue.add({"simple": [*scenes[4:], scene_of("bees.md")]})
    assert queue.next() == [scene_of("bees.md")]


def test_in_the_last_round_as_many_scenes_are_asked_about_as_requests_are_sent_at_the_same_time() -> None:
    pages = [scene_of(doc) for doc in sorted(desk().knowledge.documents)[:8]]
    queue = SceneQueue({"simple": 1}, AskedOf())
    queue.add({"simple": pages})
    assert queue.next() == pages[:3], "three for each question wanted at the most"
    queue = SceneQueue({"simple": 3}, AskedOf(accepted=[]))
    queue.add({"simple": pages})
    assert queue.next() == pages[:4]
    queue = SceneQueue({"simple": 0}, AskedOf())
    queue.add({"simple": pages})
    assert queue.next() == [], "nothing is missing"


def test_a_type_that_hardly_gives_a_question_is_given_up() -> None:
    class Declining(Faithful):
        def write(self, asked: Asked) -> str:
            return proposals()

    asked, _ = desk().ask(Declining(), n=8, mix=SIMPLE, way=FULL)
    assert len(asked.scenes) == 8, "the first round; three were allowed"


def test_a_request_whose_questions_are_all_rejected_is_repeated_for_each_of_them() -> None:
    class Obeying(Faithful):
        """Rejects everything in a request that shows one page."""

        def check(self, number: int, shown: str) -> dict[str, Any]:
            return {**super().check(number, shown), "lacking": self.objection}

        def verify(self, asked: Asked) -> str:
            self.objection = "all" if "beech wood" in asked.user else ""
            return super().verify(asked)

    asked, model = asked_about(Obeying(), scene_of("kilns.md"), scene_of("bees.md"), scene_of("slipway.md"))
    lost = {item.evidence[0][0].doc for item, _ in asked.rejected}
    stages = Counter(prompt.stage for prompt in model.prompts)
    assert "kilns.md" in lost and asked.accepted
    assert stages["verifying"] == 1 + 3 + 1, "the scene of the rejected one is asked about once more"


def test_questions_of_a_request_that_are_rejected_for_different_reasons_are_not_judged_again() -> None:
    class Strict(Faithful):
        def check(self, number: int, shown: str) -> dict[str, Any]:
            objection = "lacking" if number == 1 else "beyond"
            return {**super().check(number, shown), objection: "all"}

    asked, model = asked_about(Strict(), scene_of("bees.md"), scene_of("slipway.md"))
    first, second = "the answer leaves out: 'all'", "the answer says more than the passages: 'all'"
    assert [why.detail for _, why in asked.rejected] == [first, second] * 2
    assert Counter(prompt.stage for prompt in model.prompts)["verifying"] == 1 + 1, "both scenes are asked once more"


def test_a_name_that_no_document_of_the_scene_has_rejects_a_question() -> None:
    class Naming(Faithful):
        def question(self, asked: Asked) -> str:
            return "Who built Slipway for Hamburg?"

    asked, model = asked_about(Naming(), scene_of("slipway.md"))
    assert reasons(asked) == [("quoted", "'Hamburg' of the question is not in its documents")]
    assert {prompt.stage for prompt in model.prompts} == {"writing"}, "no call is spent on it"
    assert asked_about(Naming(), scene_of("slipway.md"), about="the port of Hamburg")[0].accepted


def test_a_question_costs_at_most_two_and_a_half_calls_though_half_of_the_scenes_give_none() -> None:
    class Half(Faithful):
        """Declines every fourth scene, and finds an objection to every fourth question of the others."""

        def __init__(self, seed: int) -> None:
            self.seed = seed

        def draw(self, text: str) -> float:
            return random.Random(f"{self.seed} {text}").random()

        def write(self, asked: Asked) -> str:
            return proposals() if self.draw(asked.user) < 1 / 4 else super().write(asked)

        def check(self, number: int, shown: str) -> dict[str, Any]:
            return {**super().check(number, shown), "lacking": "all" if self.draw(shown) < 1 / 4 else ""}

    ran = [desk().ask(Half(seed), n=20) for seed in range(4)]
    accepted = [min(20, len(asked.accepted)) for asked, _ in ran]
    assert all(count >= 14 for count in accepted)
    assert sum(len(model.prompts) for _, model in ran) <= 2.5 * sum(accepted)


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


def test_passages_that_come_close_are_shown_for_another_answer_or_a_missing_step(
    move: Callable[[str, float], None],
) -> None:
    def shown() -> list[str]:
        _, model = asked_about(Faithful(), scene_of("guild.md"))
        (told,) = (prompt for prompt in model.prompts if prompt.stage == "verifying")
        return passages(told)

    assert len(shown()) == 1 + 3 + 3 and desk().knowledge.documents["guild.md"].text in shown()
    move("rivals_in_prompt", 1)
    assert len(shown()) == 1 + 1 + 1


def test_questions_on_the_same_passages_are_not_proposed_again_though_they_were_rejected() -> None:
    class Objecting(Faithful):
        def check(self, number: int, shown: str) -> dict[str, Any]:
            return {**super().check(number, shown), "lacking": "all"}

    cases = replace(scene_of("guild.md"), question_type="conditional", subtype="section_case")
    author, model = desk().author(Objecting(), mix={"simple": 0.5, "conditional": 0.5}, n=2)
    with silent("asking", None) as progress:
        author.fill({"simple": [scene_of("guild.md"), scene_of("bees.md")]}, progress)
        author.fill({"conditional": [cases]}, progress)
    first, *_, third, _ = (prompt.user for prompt in model.prompts if prompt.stage == "writing")
    (question,) = [item.question for item in author.asked.written if item.evidence[0][0].doc == "guild.md"][:1]
    assert author.asked.accepted == [] and question in third
    assert "Do not ask the same again" not in first, "the first prompt has nothing to repeat"
    assert not any(item.question in third for item in author.asked.written if item.evidence[0][0].doc == "bees.md")


def test_the_questions_of_the_rules_stand_in_only_where_the_model_has_too_few(
    move: Callable[[str, float], None],
) -> None:
    def item(ident: str, kind: str, **scores: float) -> Item:
        return Item(ident, f"{ident}?", ("a",), kind, "", "en", (), metadata={"scores": scores})

    valid = [item("low", "simple", keep=0.65), item("b", "simple", keep=0.75), item("a", "simple", keep=0.9)]
    config = desk().author(Faithful(), n=3, mix={"simple": 0.7, "reasoning": 0.3})[0]._config
    written = [item("m", "simple"), item("r", "reasoning")]
    assert [each.id for each in _stand_ins(valid, written, config)] == ["a"]
    assert [each.id for each in _stand_ins(valid, written[1:], config)] == ["a", "b"]
    more = replace(config, n=7)
    stand = {len(own): [each.id for each in _stand_ins(valid, own, more)] for own in (written, [])}
    assert stand[2] == ["a", "b"], "one that readers may not keep does not stand in beside the model's"
    assert stand[0] == ["low", "b", "a"], "all, of which the best are selected as without a model"
    assert list(_stand_ins(valid, [replace(written[0], id=str(n)) for n in range(2)] + written[1:], config)) == []
    move("stand_in_keep", 0.6)
    assert [each.id for each in _stand_ins(valid, written, more)] == ["a", "b", "low"]
