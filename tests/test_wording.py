"""Rewording by an LLM: which questions are reworded, kept or replaced, in whatever order the replies come."""

from __future__ import annotations

import json
import random
from collections import Counter
from dataclasses import replace

import pytest
from desk import Edited, desk
from scripted_model import Asked, Direct, Faithful, answers, judged, recalled, stage, task, verdict, written

from kgsynth.base.errors import BudgetError
from kgsynth.base.progress import silent
from kgsynth.base.records import Item, Rejection
from kgsynth.generation.filters import rescreen
from kgsynth.generation.writing import Candidate
from kgsynth.models.llm import Failure

N = 12
BRIDGE = "What was built by the guild that Jonas Rekdal convenes?"
SUITS = "Why do members wear white suits?"


class Script(Faithful):
    """Faithful but for what a test scripts: by the question of the rules, what is said to each call it comes up in."""

    def __init__(self, **scripted: dict[str, str | Failure]) -> None:
        super().__init__()
        self.scripted = scripted

    def __call__(self, asked: Asked) -> str | Failure:  # type: ignore[override]
        faithful = super().__call__(asked)
        told = task(asked)
        question = told[0] if told else judged(asked) or ""
        return self.scripted.get(stage(asked).replace(" ", "_"), {}).get(question, faithful)


def chosen() -> list[Item]:
    """The set as the rules have it."""
    return desk().pick(N)([candidate.item for candidate in desk().pool.values()])[0]


def by_rules(edited: Edited) -> dict[str, Item]:
    """The items of the set by the question of the rules."""
    return {before.question: item for before, item in zip(edited.before, edited.items, strict=True)}


# ---- a faithful model --------------------------------------------------------------------------------


def test_a_faithful_llm_rewords_the_set_of_the_rules() -> None:
    edited = desk().edit(Faithful(), N)
    assert edited.rejected == [] and edited.shortage.missing == 0
    assert edited.before == chosen()
    for item, before in zip(edited.items, chosen(), strict=True):
        assert item.question == Faithful().word(before.question) and item.metadata["writer"] == "llm:scripted"
        assert (item.evidence, item.derivation, item.golden_answers) == (
            before.evidence,
            before.derivation,
            before.golden_answers,
        )
        assert item.metadata["scores"]["verified"] == 1.0 and item.metadata["scores"]["closed_book"] == 0.0


def test_only_chosen_questions_are_sent_to_the_llm() -> None:
    edited = desk().edit(Faithful(), N)
    assert Counter(prompt.stage for prompt in edited.model.prompts) == {"writing": N, "verifying": N, "closed book": 2}
    assert edited.model.spending.total.calls <= 2.2 * N < len(desk().pool)


def test_a_corpus_of_half_the_pages_costs_the_same() -> None:
    pages = sorted(desk().knowledge.documents)[::2]
    inside = {
        ident: each
        for ident, each in desk().pool.items()
        if all(span.doc in pages for group in each.item.evidence for span in group)
    }
    half, whole = replace(desk(), pool=inside).edit(Faithful(), N), desk().edit(Faithful(), N)
    assert len(inside) < 0.7 * len(desk().pool) and len(half.items) == len(whole.items) == N
    assert half.model.spending.total.calls == whole.model.spending.total.calls


@pytest.mark.parametrize("seed", range(3))
def test_no_order_of_replies_changes_the_set(seed: int) -> None:
    def says(asked: Asked) -> str | Failure:
        """A model that is neither right nor wrong always, but always the same."""
        draw, said = random.Random(asked.user).random(), faithful(asked)
        if draw < 0.15:
            return Failure("no reply")
        return verdict("BANANA") if draw < 0.3 and stage(asked) == "verifying" else said

    faithful = Faithful()
    first = desk().edit(says, N)
    again = desk().edit(says, N, rng=random.Random(seed))
    assert again.items == first.items and again.rejected == first.rejected
    assert first.rejected and len(first.items) == N


# ---- rejected rewordings -----------------------------------------------------------------------------

WHY = "since dark colours alarm the bees"
REFUSED = [
    (Failure("status 400: too long"), "wording", "the model's reply is missing: status 400: too long"),
    (written("", WHY), "wording", "the model wrote no question"),
    (written("Why white suits?", "for the smell"), "wording", "the model's answer to it is 'for the smell'"),
    (written("Why do members in Oslo wear white?", WHY), "wording", "'Oslo' is in none of the sources"),
    (written("Members wear white suits.", WHY), "well_formed", "no question mark at its end"),
    (
        written("Why do they wear these white suits?", WHY),
        "self_contained",
        "'these' refers to something outside the question",
    ),
    (
        written("Do members wear white as dark colours alarm the bees?", WHY),
        "leaking",
        "contains alarm, bee, colour, dark of the answer",
    ),
    (written("What does membership cost a year?", WHY), "faithful", ""),  # something else is asked
]


@pytest.mark.parametrize(("said", "rule", "detail"), REFUSED)
def test_a_rejected_rewording_is_recorded_and_the_wording_of_the_rules_kept(
    said: str | Failure, rule: str, detail: str
) -> None:
    edited = desk().edit(Script(writing={SUITS: said}), N)
    ((item, rejection),) = edited.rejected
    assert (rejection.rule, detail and rejection.detail) == (rule, detail)
    assert item.metadata.get("plain", item.question) == SUITS
    kept = by_rules(edited)[SUITS]
    assert kept.question == SUITS and kept.metadata["writer"] == "rules"
    assert kept.metadata["scores"]["verified"] == 1.0, "those of the rules are verified all the same"
    assert len(edited.items) == N


def test_a_rewording_that_names_the_bridge_is_rejected() -> None:
    named = "What was built by the Release Guild, the guild that Jonas Rekdal convenes?"
    edited = desk().edit(Script(writing={BRIDGE: written(named, "Slipway")}), N)
    ((item, rejection),) = edited.rejected
    assert (item.question, rejection.rule) == (named, "hop_necessity")
    assert by_rules(edited)[BRIDGE].question == BRIDGE


@pytest.mark.parametrize(
    ("question", "rule"),
    [("Release Guild convenes who", "well_formed"), ("who convnes the Release Guild", "well_formed")],
)
def test_search_queries_are_not_parsed_as_sentences(question: str, rule: str) -> None:
    guild = desk().of("Who convenes the Release Guild?")
    told = {"writer": "llm:scripted", "plain": guild.item.question}
    new = replace(guild.item, question=question, metadata={**guild.item.metadata, **told})
    item, rejection = rescreen(Candidate(new, guild.scenario), desk().context(), sentence=True)
    assert (item, rejection and rejection.rule) == (new, rule)
    item, rejection = rescreen(Candidate(new, guild.scenario), desk().context(), sentence=False)
    assert (item.question, rejection) == (question, None)
    tells = Candidate(replace(new, question=f"{question} Jonas Rekdal"), guild.scenario)
    _, rejection = rescreen(tells, desk().context(), sentence=False)
    assert rejection is not None and rejection.rule == "leaking", "the other rules are asked"


def test_an_unchanged_question_stays_one_of_the_rules() -> None:
    edited = desk().edit(Script(writing={SUITS: written(f" {SUITS} ", WHY)}), N)
    kept = by_rules(edited)[SUITS]
    assert kept.metadata["writer"] == "rules" and "persona" not in kept.metadata
    assert kept.metadata["scores"]["verified"] == 1.0 and edited.rejected == []


# ---- failed verification -----------------------------------------------------------------------------


def test_a_rewording_that_is_not_verified_gives_way_to_the_original() -> None:
    worded = Faithful().word(SUITS)
    edited = desk().edit(Script(verifying={worded: verdict("for the smell")}), N)
    assert edited.reasons == [("verified", "from the evidence the model answers 'for the smell'")]
    assert edited.rejected[0][0].question == worded
    assert by_rules(edited)[SUITS].question == SUITS


def test_a_question_not_verified_in_both_wordings_is_replaced() -> None:
    doubted = {question: verdict("", contains=False) for question in (SUITS, Faithful().word(SUITS))}
    edited = desk().edit(Script(verifying=doubted), N)
    assert edited.reasons == [("verified", "it refers to something outside itself")] * 2
    assert [item.question for item, _ in edited.rejected] == [Faithful().word(SUITS), SUITS]
    without = {ident: each for ident, each in desk().pool.items() if each.item.question != SUITS}
    next_best, _ = desk().pick(N)([each.item for each in without.values()])
    assert edited.before == next_best and len(edited.items) == N


def test_a_rewording_like_an_earlier_question_is_a_duplicate() -> None:
    edited = desk().edit(Faithful(), N, avoid=[Faithful().word(SUITS)])
    assert edited.reasons == [("duplicate", f"like {Faithful().word(SUITS)!r}")]
    assert SUITS not in by_rules(edited) and len(edited.items) == N


def test_a_poor_llm_is_tried_on_a_limited_number_of_questions() -> None:
    n = 3
    edited = desk().edit(lambda asked: Failure("no"), n)
    assert edited.items == [] and edited.shortage.missing == n
    tried = {item.id for item, _ in edited.rejected}
    assert 5 * n <= len(tried) < 6 * n < len(desk().pool)
    assert {rejection.rule for _, rejection in edited.rejected} == {"wording", "verified"}


def test_finished_questions_are_kept_after_the_last_try() -> None:
    good = desk().pick(1)([candidate.item for candidate in desk().pool.values()])[0][0]
    faithful = Faithful()
    worded = faithful.word(good.question)

    def says(asked: Asked) -> str | Failure:
        """A model that is faithful about one question, in both wordings, and has no reply to others."""
        about = good.question in asked.user or worded in asked.user
        return faithful(asked) if about or stage(asked) == "closed book" else Failure("no")

    edited = desk().edit(says, 3)
    assert [item.question for item in edited.items] == [worded] and edited.shortage.missing == 2


# ---- what needs no documents -------------------------------------------------------------------------


def test_what_is_known_without_documents_is_recorded_and_dropped_if_requested() -> None:
    first = desk().edit(Faithful(memorised=["wear white suits"]), N)
    known = by_rules(first)[SUITS]
    assert known.metadata["scores"]["closed_book"] == 1.0 and first.rejected == []
    edited = desk().edit(Faithful(memorised=["wear white suits"]), N, drop_closed_book=True)
    assert edited.rejected == [
        (known, Rejection("closed_book", "the model answers it without the documents", 1.0, 0.5))
    ]
    assert SUITS not in by_rules(edited) and len(edited.items) == N


def test_a_wrong_number_of_closed_book_answers_is_not_recorded() -> None:
    faithful = Faithful()
    edited = desk().edit(
        lambda asked: answers("one too many", *recalled(asked)) if recalled(asked) else faithful(asked),
        N,
        drop_closed_book=True,
    )
    assert len(edited.items) == N and edited.rejected == []
    assert not any("closed_book" in item.metadata["scores"] for item in edited.items)


# ---- a spent budget ----------------------------------------------------------------------------------


@pytest.mark.parametrize("most", [1, 30, 41, 42, 43, 50])
def test_a_spent_budget_leaves_finished_questions(most: int) -> None:
    """Twenty questions are 20 wordings, 20 verdicts and 2 batches without documents; then the next are begun."""
    n = 24
    editor = desk().editor(Direct(Faithful(), calls=most), n=n)
    with pytest.raises(BudgetError), silent("asking", n) as progress:
        editor.edit(desk().pool, progress)
    assert len(editor.finished) == (20 if most >= 42 else 0)
    whole = {item.id: item for item in desk().edit(Faithful(), n).items}
    assert all(whole[item.id] == item for item in editor.finished.values())


def test_the_scripted_questions_are_in_the_set() -> None:
    """The doubles of this file are themselves checked: a question that never comes up would make a test empty."""
    assert {SUITS, BRIDGE} <= {item.question for item in chosen()}
    model = Direct(Script(writing={SUITS: "{}"}))
    assert (
        json.loads(str(model.says(type("Asked", (), {"user": f"written by rule: {SUITS}\nIts answer: x\n"})()))) == {}
    )
