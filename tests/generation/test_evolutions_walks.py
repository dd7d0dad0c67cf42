"""Each traversal on a planted graph: which facts it joins, which phrase it asks for, and a near miss."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator

import pytest
from planted import knowledge_of
from planted_facts import Page, knowledge, p, v

from kgsynth.base.records import Fact, Phrase, Scenario, Verb
from kgsynth.generation.evolutions import EVOLUTIONS, draw, evolve, prose
from kgsynth.generation.evolutions.eligibility import (
    anchor,
    is_answer,
    loose_ends,
    points_back,
    stands_alone,
    usable,
    vague,
)
from kgsynth.golden.subtypes import SUBTYPES

NAMED = "nominal named proper"
THING = "nominal modified"


def asked(scenarios: Iterator[Scenario]) -> list[str]:
    return [scenario.facts[-1].phrases[scenario.asked].text for scenario in scenarios]


def one(*parts: Phrase | Verb | str, kind: str = "clause") -> tuple[Fact, Page]:
    page = Page("a.md")
    return page.say(*parts, kind=kind), page


# ---- simple ----------------------------------------------------------------------------------------


def test_factoid_asks_for_each_phrase_that_leaves_an_anchor() -> None:
    fact, page = one(p("subject", "Ada Lind", NAMED), v("run", "runs"), p("object", "the old mill", THING))
    found = list(prose.walk_factoid(knowledge(page)))
    assert [(s.question_type, s.subtype, s.facts, s.asked) for s in found] == [
        ("simple", "factoid", (fact,), 0),
        ("simple", "factoid", (fact,), 1),
    ]


def test_factoid_leaves_out_a_phrase_without_which_nothing_anchors_the_question() -> None:
    """ "What does Ada Lind run?" can be asked; "Who runs mills?" has no anchor."""
    _, page = one(p("subject", "Ada Lind", NAMED), v("run", "runs"), p("object", "mills"))
    assert asked(prose.walk_factoid(knowledge(page))) == ["mills"]


@pytest.mark.parametrize("role", ["condition", "cause", "purpose", "clause"])
def test_factoid_leaves_a_clause_to_the_other_traversals(role: str) -> None:
    parts = p("subject", "Ada Lind", NAMED), v("run", "runs"), p("object", "the old mill", THING)
    _, page = one(*parts, p(role, "if it rains", "verbal", "if"))
    assert not list(prose.walk_factoid(knowledge(page)))


def test_factoid_needs_every_phrase_to_stand_alone() -> None:
    _, page = one(p("subject", "Ada Lind", NAMED), v("run", "runs"), p("object", "this old mill", THING + " deictic"))
    assert not list(prose.walk_factoid(knowledge(page)))


def test_definition_asks_for_the_attribute() -> None:
    fact, page = one(
        p("subject", "Pike", NAMED), v("be", "is"), p("attribute", "a small sensor", THING + " indefinite")
    )
    (found,) = prose.walk_definition(knowledge(page))
    assert (found.subtype, found.facts, found.asked) == ("definition", (fact,), 1)


@pytest.mark.parametrize(
    ("verb", "subject", "attribute"),
    [
        (
            v("be", "has been", auxiliaries=("has",)),
            p("subject", "Pike", NAMED),
            p("attribute", "a small sensor", THING),
        ),
        (v("be", "was", "VBD"), p("subject", "Pike", NAMED), p("attribute", "a small sensor", THING)),
        (v("be", "is not", negated=True), p("subject", "Pike", NAMED), p("attribute", "a small sensor", THING)),
        (v("hold", "holds"), p("subject", "Pike", NAMED), p("attribute", "a small sensor", THING)),
        (v("be", "is"), p("subject", "the unit", "nominal definite"), p("attribute", "a small sensor", THING)),
        (v("be", "is"), p("subject", "Pike", NAMED), p("attribute", "a sensor", THING)),
        (v("be", "is"), p("subject", "Pike", NAMED), p("attribute", "a handy sensor", "nominal")),
        (v("be", "is"), p("subject", "Pike", NAMED), p("attribute", "some small sensor", THING + " some")),
    ],
    ids=["perfect", "past", "negated", "other verb", "which unit?", "too short", "bare noun", "some"],
)
def test_definition_near_misses(verb: Verb, subject: Phrase, attribute: Phrase) -> None:
    _, page = one(subject, verb, attribute)
    assert not list(prose.walk_definition(knowledge(page)))


# ---- reasoning -------------------------------------------------------------------------------------


@pytest.mark.parametrize(("walk", "role"), [(prose.walk_cause, "cause"), (prose.walk_purpose, "purpose")])
def test_an_explanation_is_asked_for(walk: object, role: str) -> None:
    parts = p("subject", "Ada Lind", NAMED), v("close", "closes"), p("object", "the old mill", THING)
    fact, page = one(*parts, p(role, "because the river floods", "verbal", "because"))
    known = knowledge(page)
    (found,) = (prose.walk_cause if role == "cause" else prose.walk_purpose)(known)
    assert (found.question_type, found.subtype, found.facts, found.asked) == ("reasoning", role, (fact,), 2)
    assert not list((prose.walk_purpose if role == "cause" else prose.walk_cause)(known)) and not list(
        prose.walk_use(known)
    )


@pytest.mark.parametrize(
    ("subject", "verb", "rest"),
    [
        (p("subject", "the Oslo gauge", NAMED), v("use", "used", "VBZ", auxiliaries=("is",), passive=True), ()),
        (p("subject", "you", "you pronoun"), v("use", "use", "VBP"), (p("object", "the Oslo gauge", NAMED),)),
    ],
    ids=["is used to", "use it to"],
)
def test_what_a_thing_is_used_for_is_looked_up_and_not_reasoned(
    subject: Phrase, verb: Verb, rest: tuple[Phrase, ...]
) -> None:
    fact, page = one(subject, verb, *rest, p("purpose", "to measure the wind speed", "verbal", "to"))
    known = knowledge(page)
    (found,) = prose.walk_use(known)
    assert (found.question_type, found.subtype, found.facts) == ("simple", "use", (fact,))
    assert found.asked == len(fact.phrases) - 1 and not list(prose.walk_purpose(known))


@pytest.mark.parametrize(
    ("subject", "explanation"),
    [
        (p("subject", "Ada Lind", NAMED), p("cause", "because floods", "verbal", "because")),
        (p("subject", "it", "pronoun dangling"), p("cause", "because the river floods", "verbal", "because")),
        (p("subject", "Ada Lind", NAMED), p("cause", "because it is so", "verbal dangling", "because")),
    ],
    ids=["two words", "who?", "so?"],
)
def test_an_explanation_that_explains_nothing_is_not_asked_for(subject: Phrase, explanation: Phrase) -> None:
    _, page = one(subject, v("close", "closes"), p("object", "the old mill", THING), explanation)
    assert not list(prose.walk_cause(knowledge(page)))


def test_a_pronoun_in_a_long_explanation_may_point_back_to_the_subject() -> None:
    subject, verb, thing = p("subject", "Ada Lind", NAMED), v("close", "closes"), p("object", "the old mill", THING)
    why = p("cause", "because it floods in every spring", "verbal dangling", "because")
    _, after = one(subject, verb, thing, why)
    _, before = one(why, subject, verb, thing)
    assert asked(prose.walk_cause(knowledge(after))) == [why.text]
    assert not list(prose.walk_cause(knowledge(before)))


def holds(page: Page, name: str, value: str, **more: object) -> Fact:
    verb = v("hold", "holds", **more)
    return page.say(p("subject", name, NAMED), verb, p("object", value, "nominal number modified"))


# ---- multi_context ---------------------------------------------------------------------------------


def runs(page: Page, who: str = "Ada Lind") -> Fact:
    return page.say(p("subject", who, NAMED), v("run", "runs"), p("object", "the Salina mill", NAMED + " definite"))


def opens(page: Page) -> Fact:
    mill = p("subject", "the Salina mill", NAMED + " definite")
    return page.say(mill, v("employ", "employs"), p("object", "nine old smiths", THING + " number"))


def has(page: Page, name: str, thing: str) -> Fact:
    return page.say(p("subject", name, NAMED), v("stock", "stocks"), p("object", thing, THING))


# ---- conditional -----------------------------------------------------------------------------------

RAIN = p("condition", "if the river floods", "verbal", "if")


def test_a_condition_gives_the_phrases_of_its_outcome_and_itself() -> None:
    parts = p("subject", "Ada Lind", NAMED), v("close", "closes"), p("object", "the old mill", THING)
    fact, page = one(*parts, RAIN)
    found = list(prose.walk_explicit(knowledge(page)))
    assert asked(iter(found)) == ["Ada Lind", "the old mill", RAIN.text]
    assert {(s.question_type, s.subtype, s.facts) for s in found} == {("conditional", "explicit", (fact,))}


def test_an_unparsed_outcome_is_asked_for_as_a_unit() -> None:
    fact, page = one(RAIN, v("happen", ""), p("outcome", "the mill closes", "verbal"), kind="outcome")
    (found,) = prose.walk_explicit(knowledge(page))
    assert (found.facts, found.asked) == ((fact,), 1)


@pytest.mark.parametrize(
    ("subject", "when"),
    [
        (p("subject", "it", "pronoun dangling"), RAIN),
        (p("subject", "Ada Lind", NAMED), p("condition", "if this happens", "verbal deictic", "if")),
        (p("subject", "Ada Lind", NAMED), p("condition", "if we ask", "verbal first", "if")),
        (p("subject", "their boss", "nominal possessive"), RAIN),
    ],
    ids=["it", "this", "we", "their"],
)
def test_a_condition_that_depends_on_its_context_is_left_out(subject: Phrase, when: Phrase) -> None:
    _, page = one(subject, v("close", "closes"), p("object", "the old mill", THING), when)
    assert not list(prose.walk_explicit(knowledge(page)))


def keeps(page: Page, value: str, *more: Phrase) -> Fact:
    logs = p("subject", "access logs", THING + " compound")
    return page.say(logs, v("keep", "are kept", "VBP", passive=True), p("time", value, "nominal number", "for"), *more)


def test_scoped_by_headings_that_only_one_value_has() -> None:
    old, new = Page("old.md").under("Retention", "Norway"), Page("new.md").under("Retention", "Poland")
    five, ten = keeps(old, "for five years"), keeps(new, "for ten years")
    found = list(prose.walk_scoped(knowledge(old, new)))
    assert [(s.facts, s.asked, s.rivals, s.scope) for s in found] == [
        ((five,), 1, (ten,), "Norway"),
        ((ten,), 1, (five,), "Poland"),
    ]


def test_scoped_by_a_place_that_the_sentences_name() -> None:
    page = Page("a.md")
    five = keeps(page, "for five years", p("place", "in Norway", NAMED, "in"))
    ten = keeps(page, "for ten years", p("place", "in Poland", NAMED, "in"))
    found = list(prose.walk_scoped(knowledge(page)))
    assert [(s.facts, s.rivals, s.scope) for s in found] == [((five,), (ten,), ""), ((ten,), (five,), "")]


def test_scoped_needs_another_value_and_another_scope() -> None:
    same_value = Page("a.md").under("Norway")
    keeps(same_value, "for five years")
    keeps(same_value.under("Poland"), "for five years")
    same_scope = Page("b.md").under("Norway")
    keeps(same_scope, "for five years")
    keeps(same_scope, "for ten years")
    assert not list(prose.walk_scoped(knowledge(same_value)))
    assert not list(prose.walk_scoped(knowledge(same_scope)))


# ---- eligibility -----------------------------------------------------------------------------------


@pytest.mark.parametrize("flag", ["deictic", "relative", "dangling", "first", "pronoun"])
def test_a_phrase_that_refers_to_its_context_does_not_stand_alone(flag: str) -> None:
    assert stands_alone(p("object", "the mill"))
    assert not stands_alone(p("object", "the mill", f"nominal {flag}"))
    assert stands_alone(p("object", "you", "pronoun you"))


def test_a_definite_noun_without_a_distinction_is_vague() -> None:
    assert vague(p("object", "the mill", "nominal definite"))
    assert vague(p("object", "the first mill", "nominal definite modified ordinal"))
    assert not vague(p("object", "the Salina mill", "nominal definite modified"))
    assert not vague(p("object", "a mill"))


def test_an_answer_is_short_and_names_something() -> None:
    assert is_answer(p("object", "nine smiths"))
    assert is_answer(p("object", " ".join(["mill"] * 14)))
    assert not is_answer(p("object", " ".join(["mill"] * 15)))
    assert not is_answer(p("object", "wet", "adjective nominal"))
    assert not is_answer(p("object", "wet", ""))
    assert is_answer(p("time", "yesterday evening", ""))


def test_a_pronoun_points_back_only_to_a_noun_before_it() -> None:
    aside = p("cause", "because of its age", "dangling", "because")
    after, _ = one(p("subject", "Ada Lind", NAMED), v("sleep", "sleeps"), aside)
    before, _ = one(aside, p("subject", "Ada Lind", NAMED), v("sleep", "sleeps"))
    assert points_back(after, after.phrases[1])
    assert not points_back(before, before.phrases[0])
    assert usable(after)
    assert not usable(before)


def test_anchor_counts_the_two_strongest_phrases_that_the_question_keeps() -> None:
    fact, _ = one(
        p("subject", "Ada Lind", NAMED),
        v("send", "sends"),
        p("object", "Pike", NAMED),
        p("place", "to Salina", NAMED, "to"),
        p("purpose", "to please Bo", NAMED, "to"),
    )
    assert loose_ends(fact) == {3}
    assert anchor(fact) == 4
    assert anchor(fact, 0, 1) == 2
    assert anchor(fact, 0, 1, 2) == 0


# ---- drawing ---------------------------------------------------------------------------------------


def many(**counts: int) -> list[Scenario]:
    pages = [Page(doc) for doc, count in counts.items() for _ in range(count)]
    return [Scenario("simple", "factoid", (runs(page, f"Ada {n}"),), 0) for n, page in enumerate(pages)]


def docs(scenarios: list[Scenario]) -> Counter[str]:
    return Counter(scenario.facts[-1].doc for scenario in scenarios)


def test_draw_takes_documents_in_turn() -> None:
    drawn = draw(many(a=50, b=5, c=2), 12, random.Random(0))
    assert docs(drawn) == {"a": 5, "b": 5, "c": 2}


def test_draw_keeps_all_in_order_when_they_fit() -> None:
    every = many(a=3, b=2)
    assert draw(every, 5, random.Random(0)) == every
    assert len(draw(every, 4, random.Random(0))) == 4
    assert draw(every, 0, random.Random(0)) == []


def test_draw_depends_on_its_seed_alone() -> None:
    every = many(a=40, b=40)
    assert draw(every, 20, random.Random(3)) == draw(every, 20, random.Random(3))
    assert draw(every, 20, random.Random(3)) != draw(every, 20, random.Random(4))


def test_evolve_yields_only_the_requested_types() -> None:
    page = Page("a.md")
    runs(page)
    page.say(p("subject", "Pike", NAMED), v("be", "is"), p("attribute", "a small sensor", THING + " indefinite"))
    known = knowledge(page)
    found = list(evolve(known, types=["simple"], limit=1, rng=random.Random(0)))
    assert Counter(s.subtype for s in found) == {"factoid": 1, "definition": 1}
    assert not list(evolve(known, types=["multi_context"], limit=9, rng=random.Random(0)))


def test_every_traversal_yields_its_own_type_on_real_prose() -> None:
    known = knowledge_of(
        {
            "mill.md": """
                # Salina mill

                Ada Lind runs the Salina mill. The Pike sensor holds 900 readings. The Tern sensor holds 40 readings.

                If the river floods, the wheel keeper closes the Salina mill for two days.

                The Salina mill was closed in 2004 because the river had flooded the lower hall.
                """,
            "staff.md": """
                # Staff

                ## Norway

                Access logs are kept for five years.

                ## Poland

                Access logs are kept for ten years.

                The Salina mill employs nine old smiths from Norway.
                """,
        }
    )
    found: dict[str, list[Scenario]] = {name: list(walk(known)) for name, walk in EVOLUTIONS.items()}
    for name, scenarios in found.items():
        assert {(s.question_type, s.subtype) for s in scenarios} <= {(SUBTYPES[name].question_type, name)}
    assert {name for name, scenarios in found.items() if scenarios} >= {
        "factoid",
        "cause",
        "explicit",
        "scoped",
    }
    assert {s.scope for s in found["scoped"]} == {"Norway", "Poland"}
