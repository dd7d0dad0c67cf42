"""screen: every candidate is yielded once, with its first rejection or None."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np
from doubles import context_of, screen
from hypothesis import given, settings
from hypothesis import strategies as st
from planted import knowledge_of
from planted_facts import Page, candidate, encoder, knowledge, p, v

from kgsynth.base.records import Item, Rejection, Scenario
from kgsynth.generation.evolutions import EVOLUTIONS
from kgsynth.generation.filters import BY_VECTOR, BY_WORDS, by_vector
from kgsynth.generation.writing import Candidate, compose

NAMED = "nominal named proper"
NAMES = ["Salina", "Gdynia", "Bergen", "Halifax", "Aveiro", "Oslo"]
QUESTIONS = [
    "How many smiths work in the {} mill?",
    "How many smiths work in the {} mill today?",
    "Smiths of {}.",
    "Where do they work in {}?",
    "Are nine smiths in the {} mill?",
    "What is the colour of the green boats that pass {}?",
]
PAGE = Page("a.md")
for _name in NAMES:
    PAGE.say(
        p("subject", "nine old smiths", "nominal number modified"),
        v("work", "work", "VBP"),
        p("place", f"in the {_name} mill", NAMED, "in"),
    )
KNOWN = knowledge(PAGE)


@st.composite
def candidates(draw: st.DrawFn) -> Candidate:
    number = draw(st.integers(0, len(NAMES) - 1))
    asked = draw(st.integers(0, 1))
    question = draw(st.sampled_from(QUESTIONS)).format(NAMES[draw(st.integers(0, len(NAMES) - 1))])
    scores = {"scores": {"quality": draw(st.floats(0, 1))}}
    scenario = Scenario("simple", "factoid", (PAGE.facts[number],), asked)
    answer = draw(st.sampled_from(["", "ten smiths"]))
    return candidate(KNOWN, scenario, question, answer, metadata=scores)


@settings(max_examples=40, deadline=None)
@given(st.lists(candidates(), max_size=12, unique_by=lambda entry: entry.item.id))
def test_every_candidate_comes_out_exactly_once(entries: list[Candidate]) -> None:
    entries = [
        entry._replace(item=replace(entry.item, metadata={**entry.item.metadata, "n": n}))
        for n, entry in enumerate(entries)
    ]
    thresholds = {"ambiguous": 1.0}
    context = context_of(KNOWN, encoder(), thresholds)
    out = list(screen(iter(entries), context))
    assert sorted(item.metadata["n"] for item, _ in out) == list(range(len(entries)))
    passed = [item for item, rejection in out if rejection is None]
    assert context.accepted.questions == [item.question for item in passed]
    for item, rejection in out:
        assert item.question == entries[item.metadata["n"]].item.question
        assert rejection is None or rejection.rule in {**BY_WORDS, **BY_VECTOR}
        assert rejection is None or item.id == entries[item.metadata["n"]].item.id, "found among the candidates"
    keeps = [item.metadata["scores"]["keep"] for item in passed]
    assert keeps == sorted(keeps, reverse=True), "the best are asked first"
    turned = list(screen(reversed(entries), context_of(KNOWN, encoder(), thresholds)))
    assert {item.metadata["n"]: why for item, why in turned} == {item.metadata["n"]: why for item, why in out}


def of_quality(number: int, question: str, quality: float) -> Candidate:
    scenario = Scenario("simple", "factoid", (PAGE.facts[number],), 0)
    return candidate(KNOWN, scenario, question, metadata={"scores": {"quality": quality}})


LOOSE = {"ambiguous": 1.1}


def test_the_better_of_two_duplicates_passes() -> None:
    worse = of_quality(0, "How many smiths work at Salina mill?", 0.3)
    better = of_quality(0, "Which smiths work in the mill of Salina?", 0.9)
    for entries in ([worse, better], [better, worse]):
        context = context_of(KNOWN, encoder(), LOOSE)
        context.keep = lambda item: item.metadata["scores"]["quality"]  # type: ignore[method-assign]
        out = [(item.question, rejection) for item, rejection in screen(entries, context)]
        (first, none), (second, rejection) = out
        assert (first, none, second) == (better.item.question, None, worse.item.question)
        assert rejection is not None
        assert (rejection.rule, rejection.detail) == ("duplicate", f"asks the same fact as {first!r}")


def test_questions_rejected_by_their_words_are_not_embedded() -> None:
    encoded: list[str] = []

    def encode(questions: object) -> object:
        encoded.extend(questions)  # type: ignore[call-overload]
        return encoder()(questions)  # type: ignore[arg-type]

    bad, good = of_quality(0, "Where do they work?", 0.9), of_quality(1, "How many smiths work at Gdynia mill?", 0.5)
    out = list(screen([bad, good], context_of(KNOWN, encode, LOOSE)))  # type: ignore[arg-type]
    assert [rejection.rule if rejection else "" for _, rejection in out] == ["self_contained", ""]
    asked = [good.item.question, good.item.evidence[0][0].text]
    assert encoded == [*asked, good.item.golden_answers[0], "a.md"], "the answer and the title are for the ranker"


def test_the_first_rejection_is_recorded() -> None:
    """The question below is malformed, points outside, and is not answered: only the first is recorded."""
    ((item, rejection),) = screen([of_quality(0, "they work `there`", 0.9)], context_of(KNOWN, encoder()))
    assert rejection is not None
    assert rejection.rule == "well_formed"
    assert "copies" not in item.metadata["scores"]


def test_a_valid_item_has_the_scores_of_every_rule() -> None:
    ((item, rejection),) = screen(
        [of_quality(0, "How many smiths work at Salina mill?", 0.9)], context_of(KNOWN, encoder(), LOOSE)
    )
    assert rejection is None
    assert item.metadata["scores"].keys() == {
        "quality",
        "keep",
        "leaking",
        "copied",
        "answerable",
        "copies",
        "answered",
        "found",
        "rank",
        "margin",
    }


def test_no_candidates_give_no_items() -> None:
    assert list(screen([], context_of(KNOWN, encoder()))) == []


def test_real_prose_from_walk_to_verdict() -> None:
    known = knowledge_of(
        {
            "mill.md": "# Salina mill\n\nAda Lind runs the Salina mill. The Salina mill employs nine old smiths.\n\n"
            "If the river floods, the wheel keeper closes the Salina mill for two days.\n",
            "old.md": "# Retention\n\nAccess logs are kept for five years. The Salina mill employs ten old smiths.\n",
        }
    )
    entries = list(compose((s for walk in EVOLUTIONS.values() for s in walk(known)), known))
    out = list(screen(entries, context_of(known, encoder(), {"hopeless": 99.0})))
    assert Counter(e.item.question for e in entries) == Counter(item.question for item, _ in out)
    ambiguous = {r.detail.partition(" says ")[2] for _, r in out if r and r.rule == "ambiguous"}
    assert {"'ten old smiths'", "'nine old smiths'"} & ambiguous
    valid = [item for item, rejection in out if rejection is None]
    assert any("Ada Lind" in item.golden_answers[0] for item in valid)
    for item in valid:
        for span in (span for group in item.evidence for span in group):
            assert known.documents[span.doc].text[span.start : span.end] == span.text
        assert np.isfinite(item.metadata["scores"]["margin"])


# ---- one fact, two questions -----------------------------------------------------------------------


def asked_of(texts: dict[str, str], *asked: tuple[str, str, str, str]) -> list[Item | Rejection]:
    """What ``duplicate`` says of questions, each with its answer, document and sentence, after ``ambiguous``."""
    known = knowledge_of(texts)
    context, verdicts = context_of(known, encoder()), []
    for question, answer, doc, sentence in asked:
        start = known.documents[doc].text.index(sentence)
        evidence = ((known.documents[doc].span(start, start + len(sentence)),),)
        item = Item(question, question, (answer,), "simple", "factoid", "en", evidence, metadata={"scores": {}})
        entry = Candidate(item, Scenario("simple", "factoid", ()))
        verdicts.append(by_vector.check_duplicate(entry, context))
    return [context.accepted.now(each) if isinstance(each, Item) else each for each in verdicts]


def test_questions_on_two_facts_with_one_answer_stay_two() -> None:
    texts = {"a.md": "# A\n\nAda Low leads the Salina depot.\n\nAda Low founded the Gdynia mill.\n"}
    first = ("Who leads the Salina depot?", "Ada Low", "a.md", "Ada Low leads the Salina depot.")
    other = ("Who founded the Gdynia mill?", "Ada Low", "a.md", "Ada Low founded the Gdynia mill.")
    assert all(isinstance(each, Item) for each in asked_of(texts, first, other))


BAIN = "The account manager at Orrin Freight is Stuart Bain, a former harbour pilot."
WHO = ("Who is the account manager at Orrin Freight?", "Stuart Bain", "a.md", BAIN)


def test_a_question_turned_round_is_the_same_question() -> None:
    texts = {"a.md": f"# A\n\n{BAIN}\n"}
    kept, rejection = asked_of(
        texts, WHO, ("What is Stuart Bain?", "the account manager at Orrin Freight", "a.md", BAIN)
    )
    assert isinstance(kept, Item)
    assert rejection == Rejection("duplicate", f"is {WHO[0]!r} turned round")
    was = ("What was Stuart Bain before?", "a former harbour pilot", "a.md", BAIN)
    assert all(isinstance(each, Item) for each in asked_of(texts, WHO, was)), "its answer is not in the first question"
