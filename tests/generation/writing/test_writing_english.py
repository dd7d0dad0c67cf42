"""From planted sentences to the exact questions and golden answers, for each subtype, through the real stages."""

from __future__ import annotations

import random

import pytest
from planted import knowledge_of
from planted_facts import Page, knowledge, p, v

from kgsynth.base.records import Fact, Item, Phrase, Verb
from kgsynth.evidence.derivation import recompute, same_answer
from kgsynth.evidence.knowledge import Knowledge
from kgsynth.generation.evolutions import evolve
from kgsynth.generation.writing import compose, overlap
from kgsynth.generation.writing.english.drafts import under_heading
from kgsynth.generation.writing.english.grammar import (
    AskedPhrase,
    conjugated,
    inverted,
    inverted_clause,
    predicate,
    question,
)
from kgsynth.language.english.question_checks import malformed

TYPES = ("simple", "reasoning", "multi_context", "conditional")


def items(knowledge: Knowledge, *subtypes: str) -> list[Item]:
    scenarios = evolve(knowledge, types=TYPES, limit=100, rng=random.Random(0))
    found = [candidate.item for candidate in compose(scenarios, knowledge, every_form=True)]
    return [item for item in found if item.subtype in subtypes and "plain" not in item.metadata]


def written(texts: str | dict[str, str], *subtypes: str) -> dict[str, str]:
    """Question -> canonical golden answer; each derivation is computed again."""
    corpus = {"a.md": f"# Pumps\n\n{texts}"} if isinstance(texts, str) else texts
    knowledge = knowledge_of(corpus)
    found = items(knowledge, *subtypes)
    for item in found:
        (derived,) = recompute(item.derivation, knowledge.documents)
        assert any(same_answer(derived, answer, item.language) for answer in item.golden_answers), item
    return {item.question: item.golden_answers[0] for item in found}


# ---- simple ----------------------------------------------------------------------------------------

FACTOIDS = [
    ("The Oslo laboratory calibrates the Pike sensor every Monday.", {
        "Which laboratory calibrates the Pike sensor every Monday?": "the Oslo laboratory",
        "Which sensor does the Oslo laboratory calibrate every Monday?": "the Pike sensor",
        "How often does the Oslo laboratory calibrate the Pike sensor?": "every Monday",
    }),
    ("Ada Lovelace founded the Pike Institute in 1931.", {
        "Who founded the Pike Institute in 1931?": "Ada Lovelace",
        "Which institute did Ada Lovelace found in 1931?": "the Pike Institute",
        "In which year did Ada Lovelace found the Pike Institute?": "1931",
    }),
    ("Ada Lovelace was born in London.", {
        "Who was born in London?": "Ada Lovelace",
        "Where was Ada Lovelace born?": "London",
    }),
    ("The Pike Institute holds nine barrels.", {
        "Which institute holds nine barrels?": "the Pike Institute",
        "How many barrels does the Pike Institute hold?": "nine barrels",
    }),
    ("The Oslo depot belongs to the Pike Institute.", {
        "Which depot belongs to the Pike Institute?": "the Oslo depot",
        "Which institute does the Oslo depot belong to?": "the Pike Institute",
    }),
    ("Ada Lovelace turned off the Pike pump at noon.", {
        "Who turned off the Pike pump at noon?": "Ada Lovelace",
        "Which pump did Ada Lovelace turn off at noon?": "the Pike pump",
        "When did Ada Lovelace turn off the Pike pump?": "noon",
    }),
]  # fmt: skip


@pytest.mark.parametrize(("text", "wanted"), FACTOIDS, ids=[text for text, _ in FACTOIDS])
def test_a_fact_is_asked_for_each_of_its_phrases(text: str, wanted: dict[str, str]) -> None:
    assert written(text, "factoid") == wanted


@pytest.mark.parametrize(
    ("text", "question", "answer"),
    [
        ("The Pike sensor was calibrated by the Oslo laboratory in 1931.",
         "Which laboratory calibrated the Pike sensor in 1931?", "the Oslo laboratory"),
        ("The Oslo depot has been run by Ada Lovelace since 1931.",
         "Who has run the Oslo depot since 1931?", "Ada Lovelace"),
        ("The Oslo depot will be inspected by Ada Lovelace in May.",
         "Who will inspect the Oslo depot in May?", "Ada Lovelace"),
    ],
)  # fmt: skip
def test_an_agent_is_asked_for_in_the_active_voice(text: str, question: str, answer: str) -> None:
    assert written(text, "factoid")[question] == answer


def test_a_count_is_answered_by_the_number_alone_too_and_a_name_without_its_article() -> None:
    knowledge = knowledge_of({"a.md": "# Pumps\n\nThe Pike Institute holds nine barrels."})
    answers = {item.question: item.golden_answers for item in items(knowledge, "factoid")}
    assert answers["How many barrels does the Pike Institute hold?"] == ("nine barrels", "nine")
    run = items(knowledge_of({"a.md": "# Pumps\n\nAda Lovelace runs the Pike Institute."}), "factoid")
    assert ("the Pike Institute", "Pike Institute") in [item.golden_answers for item in run]


def test_a_definition_asks_who_for_a_person_and_what_for_a_thing() -> None:
    person = "Ada Lovelace was born in London. Ada Lovelace, a mathematician of great patience, wrote the notes."
    assert written(person, "definition") == {"Who is Ada Lovelace?": "a mathematician of great patience"}
    thing = "Foghorn is a portable device that measures wind."
    assert written(thing, "definition") == {"What is Foghorn?": "a portable device that measures wind"}


@pytest.mark.parametrize(
    ("text", "question", "answer"),
    [
        ("Wilga has won a ham three times.", "What has Wilga won?", "a ham"),
        ("All leave is requested in Bosun, including the odd half-day.", "What is requested in Bosun?", "all leave"),
        ("Jonas Rekdal convenes the Release Guild.", "Which guild does Jonas Rekdal convene?", "the Release Guild"),
    ],
)
def test_asides_are_left_out_and_a_name_says_what_kind_of_thing_it_is(text: str, question: str, answer: str) -> None:
    assert written(text, "factoid")[question] == answer


def test_the_label_of_a_rare_name_does_not_say_what_it_is() -> None:
    asked = written("Salina closes for the second week of August.", "factoid")
    assert asked["What closes for the second week of August?"] == "Salina"


@pytest.mark.parametrize(
    "text",
    [
        "In Halifax, the assembly point in a fire is the far side of the car park.",
        "Ada Lovelace is two doors down.",
        "A `Response` returned directly by your *path operation function* won't be documented in OpenAPI (for example, "
        "the `Content-Type` won't be documented) and won't be visible in the automatic interactive docs.",
    ],
)
def test_what_was_misread_is_not_asked(text: str) -> None:
    asked = written(text, "factoid")
    openings = ("Where is the assembly", "Who is two", "What is Ada", "By what", "What returned")
    assert not {q for q in asked if q.startswith(openings)}, asked


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("By default, the Pike server only listens on `127.0.0.1`.", "When does"),
        ("The Pike dashboard was built on top of Dashing.", "built on?"),
    ],
)
def test_an_address_is_no_time_and_no_preposition_is_cut_in_two(text: str, asked: str) -> None:
    assert not [question for question in written(text, "factoid") if asked in question]


# ---- reasoning -------------------------------------------------------------------------------------


def test_a_cause_is_asked_for_with_why_and_left_out_of_the_question() -> None:
    found = written("The Oslo depot was closed in May because the harbour had frozen over.", "cause")
    assert found == {"Why was the Oslo depot closed in May?": "because the harbour had frozen over"}


def test_an_outcome_that_could_not_be_parsed_gives_a_malformed_question() -> None:
    """ "Closes" is a noun to the parser; the question is written, and the rule ``well_formed`` rejects it."""
    found = written("The Oslo depot closes in May because the harbour freezes over.", "cause")
    assert found == {"Why is it that the Oslo depot closes in May?": "because the harbour freezes over"}
    assert malformed(*found) == "asked as nobody asks"


@pytest.mark.parametrize(
    ("text", "question", "answer"),
    [
        ("To build the Oslo site, run the make command.",
         "Why should you run the make command?", "to build the Oslo site"),
        ("The Oslo depot keeps copper barrels so that grain stays dry.",
         "Why does the Oslo depot keep copper barrels?", "so that grain stays dry"),
    ],
)  # fmt: skip
def test_a_purpose_is_asked_as_people_ask_for_it(text: str, question: str, answer: str) -> None:
    assert written(text, "purpose") == {question: answer}


@pytest.mark.parametrize(
    ("text", "question"),
    [
        ("The Pike gauge is used to measure the wind speed.", "What is the Pike gauge used for?"),
        ("The Pike gauge can be used to measure the wind speed.", "What can the Pike gauge be used for?"),
        ("Use the Pike gauge to measure the wind speed.", "What can the Pike gauge be used for?"),
    ],
)
def test_what_a_thing_is_used_for_is_a_simple_question(text: str, question: str) -> None:
    assert written(text, "use") == {question: "to measure the wind speed"}
    assert written(text, "purpose") == {}


# ---- conditional -----------------------------------------------------------------------------------


def test_every_part_of_a_conditional_fact_is_asked_for() -> None:
    text = "If the Pike sensor fails, the duty engineer rings the Oslo laboratory."
    assert written(text, "explicit") == {
        "If the Pike sensor fails, who rings the Oslo laboratory?": "the duty engineer",
        "If the Pike sensor fails, which laboratory does the duty engineer ring?": "the Oslo laboratory",
        "What happens if the Pike sensor fails?": "the duty engineer rings the Oslo laboratory",
        "When does the duty engineer ring the Oslo laboratory?": "if the Pike sensor fails",
    }


@pytest.mark.parametrize(
    ("text", "question"),
    [
        ("If the Pike pump failed, the Oslo depot closed its gates.", "What happened if the Pike pump failed?"),
        ("If the Pike pump fails, the Oslo depot closes its gates.", "What happens if the Pike pump fails?"),
        (
            "If the Pike pump failed, the Oslo depot would close its gates.",
            "What would happen if the Pike pump failed?",
        ),
    ],
)
def test_what_happens_is_asked_in_the_tense_of_the_fact(text: str, question: str) -> None:
    assert question in written(text, "explicit")


def test_the_condition_of_a_negated_fact_is_not_asked_for() -> None:
    """It is unclear whether "not" belongs to the stop or to the condition."""
    asked = written("The Pike pump does not stop if the Oslo tank is full.", "explicit")
    assert not any(question.startswith("When") for question in asked)
    asked = written("The Pike pump stops if the Oslo tank is full.", "explicit")
    assert "When does the Pike pump stop?" in asked


def test_until_is_a_moment_and_no_condition() -> None:
    assert written("The duty engineer runs the Pike pump until the Oslo tank is empty.", "explicit") == {}


def test_the_question_for_a_command_is_what_to_do() -> None:
    found = written("If the Pike laptop has not arrived, start work from home.", "explicit")
    assert found["What should you do if the Pike laptop has not arrived?"] == "start work from home"


def test_a_value_that_differs_between_places_is_asked_for_with_its_place() -> None:
    text = """
    # Leave

    ## Canada

    The annual leave allowance is 20 days. Many people in Canada travel to Canada.

    ## Norway

    The annual leave allowance is 25 days. Many people in Norway live in Norway.
    """
    assert written({"a.md": text}, "scoped") == {
        "In Canada, how long is the annual leave allowance?": "20 days",
        "In Norway, how long is the annual leave allowance?": "25 days",
    }


def test_a_value_that_differs_between_years_is_asked_for_with_the_complete_heading() -> None:
    texts = {
        "t22.md": "# Travel (2022)\n\nThe daily meal allowance is 40 euros.",
        "t23.md": "# Travel (2023)\n\nThe daily meal allowance is 45 euros.",
    }
    assert written(texts, "scoped") == {
        "For travel (2022), what is the daily meal allowance?": "40 euros",
        "For travel (2023), what is the daily meal allowance?": "45 euros",
    }


# ---- grammar ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("verb", "first", "after"),
    [
        (Verb("open", "opens", "VBZ"), "does", "open"),
        (Verb("open", "open", "VBP"), "do", "open"),
        (Verb("open", "opened", "VBD"), "did", "open"),
        (Verb("be", "is", "VBZ"), "is", ""),
        (Verb("open", "open", "MD", ("can",), modal="can"), "can", "open"),
        (Verb("close", "closed", "VBZ", ("has", "been"), passive=True), "has", "been closed"),
        (Verb("shut", "shuts", "VBZ", particle="down"), "does", "shut down"),
        (Verb("open", "open", "VBZ", ("does",), negated=True), "does", "not open"),
        (Verb("open", "opened", "VBD", ("was",), passive=True, adverb="never"), "was", "never opened"),
    ],
)
def test_a_verb_is_inverted_with_do_only_where_it_has_no_auxiliary(verb: Verb, first: str, after: str) -> None:
    assert inverted(verb) == (first, after)


@pytest.mark.parametrize(
    ("verb", "singular", "wanted"),
    [
        (Verb("open", "open", "VBP"), True, "opens"),
        (Verb("open", "open", "VBP"), False, "open"),
        (Verb("be", "were", "VBD"), True, "was"),
        (Verb("have", "have", "VBP"), True, "has"),
        (Verb("open", "opened", "VBP", ("are",), passive=True), True, "is opened"),
        (Verb("open", "opened", "VBP", ("are",), passive=True), False, "are opened"),
        (Verb("carry", "carry", "VBP", particle="out"), True, "carries out"),
        (Verb("be", "is", "VBZ", negated=True), True, "is not"),
        (Verb("open", "opens", "VBZ", adverb="only"), True, "only opens"),
    ],
)
def test_a_verb_agrees_with_what_is_asked_for(verb: Verb, singular: bool, wanted: str) -> None:
    assert conjugated(verb, singular=singular) == wanted


def a_fact() -> Fact:
    """In May, the valve only opens the tank automatically at noon."""
    return Fact("f-1", "a.md", 0, 0, 62, "", Verb("open", "opens", "VBZ", start=23, end=28), (
        Phrase("time", "In May", 0, 6, "may", "in", flags=frozenset({"lowerable"})),
        Phrase("subject", "the valve", 8, 17, "valve"),
        Phrase("manner", "only", 18, 22, "only"),
        Phrase("object", "the tank", 29, 37, "tank"),
        Phrase("manner", "automatically", 38, 51, "automatically"),
        Phrase("time", "at noon", 52, 59, "noon", "at"),
    ))  # fmt: skip


def test_a_question_keeps_adverbs_that_belong_to_it_and_moves_the_opening_to_the_end() -> None:
    asked = AskedPhrase("which tank", "the tank", 29, 37)
    assert question(a_fact(), 3, asked) == "Which tank does the valve only open automatically at noon in May?"
    assert question(a_fact(), 1, AskedPhrase("which valve", "the valve", 8, 17), without=[0, 5]) == (
        "Which valve only opens the tank automatically?"
    )
    opened = question(a_fact(), 3, asked, front=0, without=[5])
    assert opened == "In May, which tank does the valve only open automatically?"


def test_a_preposition_opens_or_ends_a_question_a_question() -> None:
    fronted = AskedPhrase("which hour", "noon", 55, 59, fronted="at")
    assert question(a_fact(), 5, fronted, without=[0, 4]) == "At which hour does the valve only open the tank?"
    stranded = AskedPhrase("which hour", "noon", 55, 59, stranded="at")
    asked = question(a_fact(), 5, stranded, without=[0, 4])
    assert asked == "Which hour does the valve only open the tank at?"


def test_a_clause_is_inverted_or_becomes_a_predicate() -> None:
    assert inverted_clause(a_fact(), without=[0]) == "does the valve only open the tank automatically at noon"
    assert predicate(a_fact(), without=[0, 5]) == "only opens the tank automatically"


@pytest.mark.parametrize(
    ("title", "wanted"),
    [
        ("The Pike 2", "For the Pike 2, what is cached?"),
        ("Dental Benefits in Norway", "For dental benefits in Norway, what is cached?"),
        ("3.2 Storage: the basics", "For storage, what is cached?"),
        ("`make` targets", "For make targets, what is cached?"),
        ("Overview", ""),
        ("How it works", ""),
        ("FAQ", ""),
        ("What is new?", ""),
        ("One two three four five six seven eight", ""),
    ],
)
def test_a_heading_opens_the_question_if_it_fits(title: str, wanted: str) -> None:
    assert under_heading(title, "What is cached?", {"Norway", "Pike"}) == wanted


def test_a_place_follows_in_and_a_complete_heading_keeps_its_brackets() -> None:
    assert under_heading("Canada", "What is cached?", {"Canada"}, place=True) == "In Canada, what is cached?"
    assert under_heading("Travel (2022)", "What is cached?") == "For travel (2022), what is cached?"


def test_a_golden_answer_ends_where_its_question_does() -> None:
    found = written(
        "Anneke Ruiter runs People Operations from Bergen with a team of nine.\n\n"
        "The Cellar server is copied by Ballast every four hours, day and night.",
        "factoid",
    )
    assert "People Operations" in found.values() and "People Operations from Bergen" not in found.values()
    assert "every four hours" in found.values() and "every four hours, day and night" not in found.values()


def test_overlap_is_the_share_of_copied_content_words() -> None:
    page = Page("a.md")
    fact = page.say(p("subject", "the mill"), v("employ", "employs"), p("object", "nine smiths"))
    known: Knowledge = knowledge(page)
    span = known.documents["a.md"].span(fact.start, fact.end)
    assert overlap("How many smiths does the mill employ?", ((span,),), "en") == 1.0
    assert overlap("How many workers does the mill hire?", ((span,),), "en") == pytest.approx(1 / 3, abs=1e-4)
