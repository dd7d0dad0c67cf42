"""How the phrases and the verb of a fact become a question, on phrases written by hand."""

from __future__ import annotations

import pytest
from planted_facts import Page, p, v

from kgsynth.base.records import Verb
from kgsynth.generation.writing.english.drafts import asides, is_cut_off, says_what_it_is
from kgsynth.generation.writing.english.grammar import inverted, inverted_clause, shortened

NAMED = "nominal named proper"


@pytest.mark.parametrize(
    ("text", "flags", "wanted"),
    [
        ("the Old Brewery, then known as the Eagle", NAMED, "the Old Brewery"),
        ("ownership, borrowing, and slices", "nominal", "ownership, borrowing, and slices"),
        ("grain, salt", "nominal coordinated", "grain, salt"),
        ("the pump", "nominal", "the pump"),
    ],
)
def test_a_question_repeats_a_noun_phrase_up_to_its_comma(text: str, flags: str, wanted: str) -> None:
    assert shortened(p("subject", text, flags, head=text.split(",")[0].split()[-1].lower())) == wanted


def test_asides_are_left_out() -> None:
    fact = Page("a.md").say(
        p("other", "unlike the Pike", "nominal apart", "unlike"),
        p("subject", "the Tern", NAMED),
        v("hold", "holds"),
        p("object", "a second layer", "nominal"),
        p("object", "the inner tank", "nominal apart"),
    )
    assert asides(fact) == [0, 3]
    assert inverted_clause(fact, without=asides(fact)) == "does the Tern hold a second layer"


@pytest.mark.parametrize(("tag", "helper"), [("VBZ", "does"), ("NNS", "does"), ("VBD", "did")])
def test_the_third_person_is_recognised_by_its_form_whatever_its_tag(tag: str, helper: str) -> None:
    assert inverted(Verb("open", "opens", tag)) == (helper, "open")


@pytest.mark.parametrize("text", ["a great way to learn", "a better choice", "only a pump", "a pump you would need"])
def test_praise_and_comparison_do_not_say_what_a_thing_is(text: str) -> None:
    assert not says_what_it_is(text)
    assert says_what_it_is("a device of great patience")


@pytest.mark.parametrize("answer", ["an owned value that", "statistics about", "a tank , often"])
def test_an_answer_must_not_be_cut_off(answer: str) -> None:
    assert is_cut_off(answer) and not is_cut_off("a tank that is often full")
