"""Conversations of a language model: which later turns become items, what is rejected, and in what form."""

from __future__ import annotations

import json
import random
import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from desk import MORE, desk
from faq_pages import PAGES
from model_server import ModelServer
from scripted_model import (
    Asked,
    Direct,
    Faithful,
    later_turn,
    later_turns,
    longest_sentence,
    passages,
    proposal,
    proposals,
    quoted_text,
    stage,
    turn_verdicts,
)

from kgsynth import audit, generate
from kgsynth.auditing.flow import check_set
from kgsynth.base.config import Config
from kgsynth.base.errors import BudgetError, ConfigError
from kgsynth.base.progress import silent
from kgsynth.base.records import PROSE, Item, Rejection, Span, Turn, item_id
from kgsynth.evidence.derivation import recompute
from kgsynth.evidence.knowledge import Knowledge
from kgsynth.generation.asking import verdicts
from kgsynth.generation.asking.author import Author
from kgsynth.generation.asking.context import ChunkWords
from kgsynth.generation.asking.conversations import _left_to_ask, converse
from kgsynth.generation.asking.prompts import topic_words
from kgsynth.generation.asking.queue import Asked as AskedOf
from kgsynth.generation.asking.ways import FULL
from kgsynth.generation.estimate import DryRunLLM
from kgsynth.generation.result import Generated
from kgsynth.generation.scenes import Scene, find_scenes
from kgsynth.generation.scenes.related import passages_near
from kgsynth.golden.dataset import Dataset, load
from kgsynth.golden.item_json import from_json, to_json
from kgsynth.language.sentence_ends import sentence_spans
from kgsynth.models.llm import Failure, LLMSettings
from kgsynth.models.llm.prompts import read

WHO = "Jonas Rekdal convenes the Release Guild"
BUILT = "Slipway was built by the Release Guild"
DECIDES = "the guild decides what it may do"
MUST = "the Release Guild must stop the works in Marlstrand"
UNLIKE = "And if it is not the one in question?"
"""A turn that finds neither the page on the guild nor the one on Slipway among the first five chunks."""


def page(doc: str) -> Scene:
    document = desk().knowledge.documents[doc]
    return Scene("simple", "section_fact", (document.span(0, len(document.text)),))


class Chatty(Faithful):
    """Asks who convenes the guild, and goes on with the given turns, whose quotes stand in any passage."""

    def __init__(self, *turns: dict[str, Any]) -> None:
        self.turns = turns

    def write(self, asked: Asked) -> str:
        return proposals(proposal("Who convenes the Release Guild?", WHO, (1, WHO)))

    def go_on(self, asked: Asked) -> str:
        return later_turns(*self.turns)


SLIPWAY = later_turn(UNLIKE, "What was built by the Release Guild, Slipway or another?", BUILT, (2, BUILT))
POWERS = later_turn(
    "And is that the only one there is?",
    "Who decides what Slipway may do after the guild built it?",
    DECIDES,
    (2, DECIDES),
)


@pytest.fixture(autouse=True)
def near_slipway(monkeypatch: pytest.MonkeyPatch) -> None:
    """The page on the guild is too short to be a passage; the page on Slipway is near it."""

    def near(scene: Scene, knowledge: Knowledge, count: int) -> list[Span]:
        guild = scene.passages[0].doc == "guild.md"
        return list(page("slipway.md").passages) if guild else passages_near(scene, knowledge, count)

    monkeypatch.setattr("kgsynth.generation.asking.conversations.passages_near", near)


def conversed(says: Callable[[Asked], str | Failure], **settings: Any) -> tuple[list[Item], AskedOf, Direct]:
    """The set after a conversation about the guild."""
    context = desk().context()
    author, model = desk().author(says, **{"mix": {"simple": 1.0}, "n": 1, "turns": 3, "context": context, **settings})
    with silent("asking", None) as progress:
        author.fill({"simple": [page("guild.md")]}, progress)
        golden = converse(author, list(author.asked.accepted), author._config, progress)
    return golden, author.asked, model


def reasons(asked: AskedOf) -> list[tuple[str, str, str]]:
    return [(item.standalone, rejection.rule, rejection.detail) for item, rejection in asked.rejected]


# ---- what becomes an item ------------------------------------------------------------------------------


def test_each_later_turn_is_an_item_with_the_turns_before_it() -> None:
    golden, asked, model = conversed(Chatty(SLIPWAY, POWERS))
    assert asked.rejected == []
    first, second, third = golden
    assert (first.history, first.standalone) == ((), "")
    assert (second.question, second.standalone) == (SLIPWAY["questions"][0], SLIPWAY["standalones"][0])
    assert second.history == (Turn("Who convenes the Release Guild?", WHO),)
    assert third.history == (*second.history, Turn(UNLIKE, BUILT)), "as said, with the golden answers"
    for item in (second, third):
        assert (item.question_type, item.subtype, item.answerable) == ("simple", "follow_up", True)
        assert item.derivation["operator"] == "quoted"
        assert recompute(item.derivation, desk().knowledge.documents) == item.golden_answers
        assert [span.doc for (span,) in item.evidence] == ["slipway.md"]
        assert item.id == item_id(item.question, item.golden_answers, item.evidence)
        assert item.metadata["scores"]["verified"] == 1.0 and item.metadata["scores"]["turn_rank"] > 5
    stages = Counter(prompt.stage for prompt in model.prompts)
    assert stages["continuing"] == stages["judging turns"] == 1 and stages["judging questions"] == 2
    assert stages["verifying"] == 2 and sum(stages.values()) - 3 <= 2 * 2, "two calls for each later turn"


def test_the_prompt_has_what_was_said_and_the_passages_around() -> None:
    _, _, model = conversed(Chatty())
    (told,) = (prompt for prompt in model.prompts if prompt.stage == "continuing")
    assert passages(told) == [desk().knowledge.documents[doc].text for doc in ("guild.md", "slipway.md")]
    assert f"Question: Who convenes the Release Guild?\nAnswer: {WHO}" in told.user
    assert "write up to 6 more turns" in told.user and "in the language of the passages (en)" in told.user
    assert set(quoted_text(told, "words").split(", ")) == {"convenes", "release", "guild", "guilds", "slipway"}


def test_no_more_turns_are_taken_than_wanted() -> None:
    golden, asked, _ = conversed(Chatty(SLIPWAY, POWERS), turns=2)
    assert [item.question for item in golden[1:]] == [UNLIKE]
    assert reasons(asked) == [(POWERS["standalones"][0], "leaning", "its conversation has turns enough")]


def test_of_two_wordings_the_one_that_leans_and_the_one_that_finds_the_evidence_are_taken() -> None:
    good = SLIPWAY["standalones"][0]
    wordings = {
        "questions": ["Was Slipway built by the Release Guild?", UNLIKE],
        "standalones": ["Where may I park on Sunday when the library is closed?", good],
    }
    golden, asked, model = conversed(Chatty({**SLIPWAY, **wordings}))
    assert asked.rejected == []
    assert [(item.question, item.standalone) for item in golden[1:]] == [(UNLIKE, good)]
    assert Counter(prompt.stage for prompt in model.prompts)["continuing"] == 1, "no further call"


def test_what_is_left_to_ask_is_the_running_text_beside_the_evidence() -> None:
    author, _ = desk().author(Chatty())
    known = desk().knowledge.documents
    for doc in ("kilns.md", "guild.md", "bees.md"):
        author.asked.scene_of[doc] = page(doc)
        paragraphs = [block for block in known[doc].blocks if block.kind in PROSE]
        span = known[doc].span(paragraphs[0].start, paragraphs[0].end)
        item = Item(doc, "Who?", ("a",), "simple", "", "en", ((span,),))
        assert _left_to_ask(item, author) == sum(len(block.text) for block in paragraphs[1:])


def test_an_item_of_a_conversation_goes_through_json_unchanged() -> None:
    golden, _, _ = conversed(Chatty(SLIPWAY))
    (turn,) = golden[1:]
    written = json.loads(json.dumps(to_json(turn)))
    assert from_json(written) == from_json(to_json(from_json(written)))
    assert (from_json(written).history, from_json(written).standalone) == (turn.history, turn.standalone)
    assert written["history"] == [{"question": "Who convenes the Release Guild?", "answer": WHO}]


def test_the_audit_judges_a_turn_by_its_standalone_question() -> None:
    golden, _, _ = conversed(Chatty(later_turn("Why is it not theirs?", SLIPWAY["standalones"][0], BUILT, (2, BUILT))))
    known = {doc: desk().knowledge.documents[doc] for doc in ("guild.md", "slipway.md")}

    def found(items: Sequence[Item]) -> set[tuple[str, str]]:
        return {(each.code, each.severity) for each in check_set(Dataset(items), known, mix={"simple": 1.0}).findings}

    assert found(golden) <= {("coverage", "warning")}
    bare = replace(golden[1], standalone="", history=())
    assert ("self_contained", "warning") in found([golden[0], bare]), "the words of the turn alone would be reported"
    again = replace(golden[1], id="q-other", question="Which?")
    assert ("duplicate", "error") in found([*golden, again]), "the same question said in other words"


# ---- what is rejected ----------------------------------------------------------------------------------


def test_a_turn_that_finds_the_evidence_by_itself_is_rejected() -> None:
    plain = later_turn("Was Slipway built by the Release Guild?", SLIPWAY["standalones"][0], BUILT, (2, BUILT))
    golden, asked, model = conversed(Chatty(plain))
    assert len(golden) == 1
    ((item, rejection),) = asked.rejected
    assert (rejection.rule, rejection.detail) == ("leaning", "the turn finds its evidence without the conversation")
    assert (rejection.score, rejection.threshold) == (1, 5)
    assert (item.question, item.standalone) == (plain["questions"][0], plain["standalones"][0]) and len(
        item.history
    ) == 1
    assert Counter(prompt.stage for prompt in model.prompts)["verifying"] == 1, "no call is spent on it"


def test_a_standalone_question_that_does_not_find_the_evidence_is_rejected() -> None:
    lost = later_turn(UNLIKE, "Where may I park on Sunday when the library is closed?", BUILT, (2, BUILT))
    _, asked, _ = conversed(Chatty(lost))
    assert reasons(asked) == [
        (lost["standalones"][0], "leaning", "the standalone question does not find the evidence either")
    ]


def test_evidence_counts_as_found_by_vector_or_by_words(monkeypatch: pytest.MonkeyPatch) -> None:
    context = desk().context()
    (gold,) = context.knowledge.chunks.holding(page("slipway.md").passages)
    cosines = np.linspace(0.5, 0.6, len(context.knowledge.chunks), dtype=np.float32)
    cosines[gold] = 0.0  # no vector finds it
    monkeypatch.setattr(context.ranking, "cosines", lambda text: cosines)
    item = Item("q", "?", ("a",), "simple", "", "en", ((page("slipway.md").passages[0],),))
    last = len(context.knowledge.chunks)
    assert verdicts.worst_rank(item, "Slipway, Slipway!", context) == 1, "only that page has the word"
    assert verdicts.worst_rank(item, "Zanzibar", context) == last
    assert verdicts.barest(item, ["Slipway, Slipway!", "Zanzibar"], context) == "Zanzibar"
    lost, found = replace(item, question="Zanzibar"), replace(item, question="What is Slipway?")
    assert verdicts.clearest([lost, found], context) is found, "the first that finds it"
    assert verdicts.clearest([lost, replace(lost, id="p")], context) is lost


def test_the_rarest_words_are_not_said_again_and_common_ones_may(monkeypatch: pytest.MonkeyPatch) -> None:
    scene, known = page("guild.md"), desk().knowledge
    assert "release" in topic_words("Who convenes the Release Guild?", scene, known).split(", ")
    shares = {"release": 0.11, "guild": 0.01, "anybody": 0.0, "3": 0.01}
    monkeypatch.setattr(ChunkWords, "share", lambda self, word: shares.get(word, 0.09))
    shown = topic_words("Has anybody of the 3 convened the Release Guild?", scene, known).split(", ")
    assert shown[:2] == ["guild", "convened"], "the rarest first"
    assert not {"release", "anybody", "3"} & set(shown), "they do not lead to the evidence"


def test_a_turn_without_words_is_rejected() -> None:
    verdict = verdicts.judge_leaning(Item("q", "Who?", ("a",), "simple", "", "en", ()), " ", desk().context())
    assert isinstance(verdict, Rejection) and verdict.detail == "the model wrote no turn"


def test_a_turn_whose_quote_does_not_exist_is_left_out_of_the_conversation() -> None:
    standalone = SLIPWAY["standalones"][0]
    made_up = later_turn("And who made it?", standalone, "Slipway was built by Ada", (2, "Slipway was built by Ada"))
    golden, asked, model = conversed(Chatty(made_up, POWERS))
    assert reasons(asked) == [(standalone, "quoted", "no passage has the quote 'Slipway was built by Ada'")]
    (later,) = golden[1:]
    assert later.standalone == POWERS["standalones"][0]
    assert later.history == (Turn("Who convenes the Release Guild?", WHO),)
    (judged,) = [prompt.user for prompt in model.prompts if prompt.stage == "judging turns"]
    assert "And who made it?" not in judged, "it is judged after the turns that it will be said after"


def test_the_next_turn_takes_the_place_of_one_that_is_not_understood() -> None:
    class Deaf(Chatty):
        def judge_turns(self, asked: Asked) -> str:
            said = re.findall(r"(?s)<turn-\w+>\s*(.*?)\s*</turn-", asked.user)
            verdicts = json.loads(turn_verdicts(len(said)))["verdicts"]
            heard = [{**each, "understood": turn != UNLIKE} for each, turn in zip(verdicts, said, strict=True)]
            return json.dumps({"verdicts": heard})

    for wanted, judged in ((3, 2), (2, 2)):
        golden, asked, model = conversed(Deaf(SLIPWAY, POWERS), turns=wanted)
        assert [item.standalone for item in golden[1:]] == POWERS["standalones"]
        assert golden[1].history == (Turn("Who convenes the Release Guild?", WHO),), "without the one before it"
        assert reasons(asked) == [
            (
                SLIPWAY["standalones"][0],
                "understood",
                "after the earlier turns it does not ask what its standalone question asks",
            )
        ]
        told = [prompt.user for prompt in model.prompts if prompt.stage == "judging turns"]
        assert len(told) == judged and UNLIKE not in told[1], "judged again as it is said now"


def test_a_turn_that_repeats_an_accepted_question_by_itself_is_rejected() -> None:
    same = later_turn(UNLIKE, "Who convenes the Release Guild?", WHO, (1, WHO))
    golden, asked, _ = conversed(Chatty(same, POWERS))
    assert [rule for _, rule, _ in reasons(asked)] == ["duplicate"]
    assert [item.standalone for item in golden[1:]] == POWERS["standalones"]


def test_one_turn_said_twice_is_one_item() -> None:
    golden, asked, _ = conversed(Chatty(SLIPWAY, SLIPWAY))
    assert len(golden) == 2 and [rule for _, rule, _ in reasons(asked)] == ["duplicate"]


@pytest.mark.parametrize(
    ("verdicts", "why"),
    [
        (turn_verdicts(2, understood=False), "after the earlier turns it does not ask what its standalone"),
        (turn_verdicts(2, open=False), "an earlier answer already answers it"),
        (turn_verdicts(2, likely=False), "hardly anybody would go on so"),
        (turn_verdicts(0), "the model's verdict is missing"),
        ("no JSON", "the model's verdict is missing: "),
    ],
)
def test_a_turn_that_is_not_understood_after_the_others_is_rejected(verdicts: str, why: str) -> None:
    class Deaf(Chatty):
        def judge_turns(self, asked: Asked) -> str:
            return verdicts

    golden, asked, _ = conversed(Deaf(SLIPWAY, POWERS))
    assert len(golden) == 1 and {rule for _, rule, _ in reasons(asked)} == {"understood"}
    assert all(detail.startswith(why) for _, _, detail in reasons(asked))


def test_the_verdict_sees_each_turn_after_its_own_earlier_ones() -> None:
    golden, _, _ = conversed(Chatty(SLIPWAY, POWERS))
    told = verdicts.understood_prompt(golden[1:])
    assert told.user.count("Question: Who convenes the Release Guild?") == 2
    assert told.user.count(f"Question: {UNLIKE}\nAnswer: {BUILT}") == 1
    assert verdicts.judge_understood(golden[1:], read(turn_verdicts(2), verdicts.UnderstoodReply)) == [None, None]


def test_a_later_turn_is_verified_like_any_question() -> None:
    class Strict(Chatty):
        def check(self, number: int, shown: str) -> dict[str, Any]:
            return {**super().check(number, shown), "lacking": "all" if POWERS["standalones"][0] in shown else ""}

    golden, asked, _ = conversed(Strict(SLIPWAY, POWERS))
    assert [item.question for item in golden[1:]] == [UNLIKE]
    assert reasons(asked) == [(POWERS["standalones"][0], "verified", "the answer leaves out: 'all'")]


# ---- the set -------------------------------------------------------------------------------------------


class Steady(Faithful):
    """Asks about the longest sentence of a passage, and goes on with the next longest ones."""

    def question(self, asked: Asked) -> str:
        return self.of(longest_sentence(passages(asked)[0]))

    def go_on(self, asked: Asked) -> str:
        text = passages(asked)[0]
        found = sorted((text[low:high] for low, high in sentence_spans(text)), key=len)[-3:-1]
        said = ("And if it is not the one?", "And what is it in the other case?")
        return later_turns(
            *(later_turn(n, self.of(own), " ".join(own.split()), (1, own)) for n, own in zip(said, found, strict=True))
        )


def whole_set(says: Callable[[Asked], str | Failure], **settings: Any) -> tuple[list[Item], AskedOf]:
    """A set about all pages."""
    context = desk().context()
    given = {"turns": 3, "n": 10, "mix": {"simple": 1.0}, "context": context, **settings}
    author, _ = desk().author(says, **given)
    with silent("asking", None) as progress:
        author.fill(find_scenes(desk().knowledge, ["simple"], random.Random(0)), progress)
        return converse(author, list(author.asked.accepted), author._config, progress), author.asked


def test_every_fifth_question_opens_a_conversation_and_no_question_is_replaced() -> None:
    golden, asked = whole_set(Steady())
    first = [item for item in golden if not item.history]
    assert first == [item for item in asked.accepted if not item.history] and len(first) == 10
    assert len({item.history[0].question for item in golden if item.history}) == 2
    for place, item in enumerate(golden):
        if item.history:
            before = golden[place - len(item.history) : place]
            assert [each.question for each in before] == [turn.question for turn in item.history]


def test_if_nothing_follows_another_question_is_tried() -> None:
    class Shy(Steady):
        """Goes on with every other conversation."""

        tried = 0

        def go_on(self, asked: Asked) -> str:
            self.tried += 1
            return super().go_on(asked) if self.tried % 2 == 0 else later_turns()

    shy = Shy()
    golden, _ = whole_set(shy)
    opened = {item.history[0].question for item in golden if item.history}
    assert len(opened) == 2 < shy.tried <= 8 == 4 * len(opened)
    silent_model = Chatty()
    assert [item for item in whole_set(silent_model)[0] if item.history] == []


def test_key_words_in_a_search_box_open_no_conversation() -> None:
    golden, asked = whole_set(Steady(), styles={"keyword": 1.0})
    assert golden == asked.accepted and golden and all(scene.subtype != "follow_up" for scene in asked.scenes)


@pytest.mark.parametrize("seed", range(3))
def test_no_order_of_replies_changes_the_conversations(seed: int) -> None:
    def says(asked: Asked) -> str | Failure:
        """A model that is neither right nor wrong always, but always the same."""
        drawn = random.Random(stage(asked) + "".join(passages(asked)) + quoted_text(asked, "questions")).random()
        return Failure("no reply") if drawn < 0.2 else Steady()(asked)

    first, asked = whole_set(says, way=FULL)
    again, other = whole_set(says, rng=random.Random(seed), way=FULL)
    assert first == again and asked.rejected == other.rejected
    assert any(item.history for item in first)


def test_a_spent_budget_stops_a_conversation() -> None:
    with pytest.raises(BudgetError):
        whole_set(Steady(), calls=17)


def test_turns_need_a_language_model() -> None:
    with pytest.raises(ConfigError, match="turns is 3, but conversations need a language model; set llm"):
        Config(turns=3)
    assert Config(turns=3, llm="m").turns == 3 and Config().turns == 1


# ---- the passages around -------------------------------------------------------------------------------


def test_the_passages_near_a_scene_are_others_and_the_nearest_first() -> None:
    known = desk().knowledge
    scene, *_ = find_scenes(known, ["simple"], random.Random(0))["simple"]
    near = passages_near(scene, known, 2)
    assert len(near) == 2 and not {(span.doc, span.start) for span in near} & {
        (span.doc, span.start) for span in scene.passages
    }
    assert passages_near(scene, known, 1) == near[:1] and passages_near(scene, known, 0) == []
    related = Scene("simple", "section_fact", near[:1])
    assert scene.passages[0] in passages_near(related, known, len(known.documents))


# ---- the whole run -------------------------------------------------------------------------------------


def test_the_calls_of_conversations_are_estimated() -> None:
    model = DryRunLLM("scripted", LLMSettings())
    config = Config(llm="scripted", n=1, mix={"simple": 1.0}, turns=3)
    author = Author(model, desk().context(), config)
    with silent("asking", None) as progress:
        author.fill({"simple": [page("guild.md")]}, progress)
        golden = converse(author, list(author.asked.accepted), config, progress)
    usage: Any = model.spending.to_json()
    calls = {name: each["calls"] for name, each in usage.items() if name != "cost"}
    later = len(golden) - 1
    assert later > 0, "the example of a reply passes every check"
    assert calls == {
        "writing": 1, "judging questions": 2, "verifying": 1 + later, "continuing": 1, "judging turns": 1,
    }  # fmt: skip


@pytest.mark.usefixtures("hashed")
def test_a_run_with_conversations_is_saved_and_passes_the_audit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    docs = tmp_path / "docs"
    docs.mkdir()
    for name, text in {**PAGES, **MORE}.items():
        (docs / name).write_text(text, encoding="utf-8")
    config = Config(llm="scripted", n=5, mix={"simple": 1.0}, turns=3, processes=1)
    with ModelServer(Steady()) as server:
        settings = LLMSettings(base_url=server.url)
        made = generate(docs, tmp_path / "run", config=config, llm_settings=settings)
        with pytest.raises(BudgetError):
            low = replace(settings, max_calls=made_calls(made) - 1)
            generate(docs, tmp_path / "again", config=config, llm_settings=low)
        again = generate(docs, tmp_path / "again", config=config, llm_settings=settings)
    later = [item for item in made.golden if item.history]
    assert later and len(made.golden) == 5 + len(later) and made.shortage.missing == 0
    for name in ("golden.jsonl", "rejected.jsonl"):
        assert (made.folder / name).read_bytes() == (again.folder / name).read_bytes(), name
    assert load(made.folder / "golden.jsonl")[later[0].id].history == later[0].history
    found = audit(made.folder, docs, quick=True)
    assert not found.at_least("error") and not [each for each in found.findings if each.code == "self_contained"]


def made_calls(made: Generated) -> int:
    usage: Any = made.usage
    return sum(each["calls"] for name, each in usage.items() if name != "cost")
