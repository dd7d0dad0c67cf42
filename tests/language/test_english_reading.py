"""Planted sentences read by the real parser, and the facts they must give, or must not."""

from __future__ import annotations

import subprocess
import sys

import pytest
from planted import SPACY_MODEL, read_markdown

from kgsynth.base.records import Analysis, Document, Fact
from kgsynth.language.english.parsing import analyse, load


@pytest.fixture(scope="session", autouse=True)
def parser() -> None:
    """The model, loaded before the first test that needs it."""
    load(SPACY_MODEL)


def read(text: str) -> tuple[Document, Analysis]:
    document = read_markdown("a.md", text)
    return document, analyse(document, SPACY_MODEL)


def facts(text: str) -> tuple[Fact, ...]:
    return read(text)[1].facts


def roles(fact: Fact) -> list[tuple[str, str]]:
    return [(phrase.role, phrase.text) for phrase in fact.phrases]


def only(text: str) -> Fact:
    (fact,) = facts(text)
    return fact


def test_the_parser_is_loaded_without_torch() -> None:
    code = f"from kgsynth.language.english.parsing import load; load({SPACY_MODEL!r})"
    check = f"{code}; import sys; sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", check], check=False).returncode == 0


# ---- clauses ---------------------------------------------------------------------------------------


def test_a_main_clause_gives_subject_verb_object_and_time() -> None:
    fact = only("Ada Lovelace founded the Pike Institute in 1931.")
    assert roles(fact) == [("subject", "Ada Lovelace"), ("object", "the Pike Institute"), ("time", "in 1931")]
    assert (fact.verb.lemma, fact.verb.form, fact.verb.tag, fact.kind) == ("found", "founded", "VBD", "clause")
    assert [phrase.marker for phrase in fact.phrases] == ["", "", "in"]
    assert not (fact.verb.negated or fact.verb.passive or fact.verb.hypothetical)


def test_a_passive_gives_its_agent() -> None:
    fact = only("The Pike sensor was calibrated by the Oslo laboratory.")
    assert roles(fact) == [("subject", "The Pike sensor"), ("agent", "by the Oslo laboratory")]
    assert fact.verb.passive and fact.verb.auxiliaries == ("was",)
    assert fact.phrases[1].marker == "by"


def test_conjoined_verbs_share_their_subject_and_keep_their_own_objects_and_times() -> None:
    one, two = facts("Ada Lovelace wrote the notes and published the tables in 1843.")
    assert roles(one) == [("subject", "Ada Lovelace"), ("object", "the notes")]
    assert roles(two) == [("subject", "Ada Lovelace"), ("object", "the tables"), ("time", "in 1843")]
    assert one.id != two.id


def test_conjoined_verbs_share_their_auxiliary() -> None:
    one, two = facts("The notes were written in London and printed in Paris.")
    assert (two.verb.auxiliaries, two.verb.passive) == (("were",), True)
    assert [one.phrases[1].text, two.phrases[1].text] == ["in London", "in Paris"]
    modal = facts("The pump can drain the tank and fill the barrel.")
    assert [(fact.verb.lemma, fact.verb.modal) for fact in modal] == [("drain", "can"), ("fill", "can")]


def test_an_apposition_says_what_a_name_is() -> None:
    fact = next(fact for fact in facts("Oslo, the capital of Norway, hosts the depot.") if fact.kind == "apposition")
    assert roles(fact) == [("subject", "Oslo"), ("attribute", "the capital of Norway")]
    assert fact.verb.lemma == "be"


def test_an_apposition_keeps_the_number_in_the_name_before_it() -> None:
    fact = next(f for f in facts("The Pike 2, a portable sensor, weighs nine kilograms.") if f.kind == "apposition")
    assert roles(fact)[0] == ("subject", "The Pike 2")


def test_a_relative_clause_on_a_name_is_a_fact_of_that_name() -> None:
    fact = next(f for f in facts("Ada Lovelace, who wrote the notes, lived in London.") if f.kind == "relative")
    assert roles(fact) == [("subject", "Ada Lovelace"), ("object", "the notes")]
    assert fact.verb.form == "wrote"


def test_a_relative_clause_is_no_part_of_the_phrase_before_it() -> None:
    fact = facts("The Pike Institute was founded by Ada Lovelace, who wrote the notes.")[0]
    assert roles(fact)[1] == ("agent", "by Ada Lovelace")


@pytest.mark.parametrize(
    "text", ["To build the site, run the make command.", "Run the make command to build the site."]
)
def test_a_command_with_its_purpose_is_what_you_should_do(text: str) -> None:
    fact = only(text)
    found = {role: phrase.lower() for role, phrase in roles(fact)}
    assert found == {"subject": "you", "object": "the make command", "purpose": "to build the site"}
    assert (fact.verb.modal, fact.verb.auxiliaries) == ("should", ("should",))
    subject = fact.first("subject")
    assert subject is not None and subject.has("you") and subject.start == subject.end == fact.verb.start


def test_a_list_of_subjects_that_the_parser_tears_apart_gives_no_fact() -> None:
    assert not facts("The depot, the harbour and the tank belong to Norway.")


# ---- the verb --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "modal", "particle", "negated", "auxiliaries"),
    [
        ("You must never carry out the test.", "must", "out", True, ("must",)),
        ("The operator shuts down the pump at noon.", "", "down", False, ()),
        ("The depot cannot ship grain.", "can", "", True, ("can",)),
        ("The pump won't stop in Oslo.", "will", "", True, ("will",)),
        ("The depot has been closed since 1950.", "", "", False, ("has", "been")),
        ("The server isn't able to read the file.", "", "", True, ()),
        ("The Pike sensor is not opened during storms.", "", "", True, ("is",)),
    ],
)
def test_the_verb_group_keeps_modal_particle_negation_and_auxiliaries(
    text: str, modal: str, particle: str, negated: bool, auxiliaries: tuple[str, ...]
) -> None:
    verb = only(text).verb
    assert (verb.modal, verb.particle, verb.negated, verb.auxiliaries) == (modal, particle, negated, auxiliaries)


@pytest.mark.parametrize("word", ["would", "could", "might"])
def test_a_hypothetical_is_marked_as_one(word: str) -> None:
    assert only(f"The depot {word} store grain in Oslo.").verb.hypothetical
    assert not only("The depot can store grain in Oslo.").verb.hypothetical


# ---- explanations ----------------------------------------------------------------------------------

CONDITIONS = [
    ("If the tank is full, the alarm sounds.", "if"),
    ("The alarm sounds if the tank is full.", "if"),
    ("When the tank is full, the alarm sounds.", "when"),
    ("Once the tank is full, the alarm sounds.", "once"),
    ("Whenever the tank is full, the alarm sounds.", "whenever"),
    ("The pump runs unless the tank is empty.", "unless"),
    ("The pump runs until the tank is empty.", "until"),
    ("The pump runs provided that the tank is full.", "provided that"),
    ("Provided that the tank is full, the pump drains the barrel.", "provided that"),
    ("The pump runs as long as the tank is full.", "as long as"),
    ("As long as the tank is full, the pump runs.", "as long as"),
    ("The pump runs only if the tank is full.", "only if"),
    ("The operator keeps a spare key in case the lock fails.", "in case"),
    ("In case the lock fails, the operator keeps a spare key.", "in case"),
]


@pytest.mark.parametrize(("text", "marker"), CONDITIONS)
def test_a_condition_is_found_whole_under_every_marker(text: str, marker: str) -> None:
    condition = only(text).first("condition")
    assert condition is not None and condition.marker == marker
    low = text.lower().index(marker)
    whole = text[low : text.index(",")] if "," in text else text[low:-1]
    assert condition.text == whole


@pytest.mark.parametrize(
    ("text", "marker"),
    [
        ("The pump stops because the valve jams.", "because"),
        ("Since the valve jams, the pump stops.", "since"),
        ("The pump stops because of a leak.", "because of"),
        ("The pump stopped due to a power cut in Oslo.", "due to"),
        ("The pump stopped as a result of a power cut.", "as a result of"),
        ("Owing to a power cut, the pump stopped.", "owing to"),
    ],
)
def test_a_cause_is_found_under_every_marker(text: str, marker: str) -> None:
    (cause,) = [p for fact in facts(text) for p in fact.phrases if p.role == "cause"]
    assert cause.marker == marker and cause.text.lower().startswith(marker)


def test_since_with_a_date_is_a_time_and_no_cause() -> None:
    assert roles(only("The depot has been closed since 1950."))[1] == ("time", "since 1950")


@pytest.mark.parametrize(
    ("text", "purpose"),
    [
        ("The depot keeps barrels in order to store grain.", "in order to store grain"),
        ("The depot stores grain in order to feed Oslo.", "in order to feed Oslo"),
        ("The depot keeps barrels so that grain stays dry.", "so that grain stays dry"),
        ("The pump is used to drain the tank.", "to drain the tank"),
        ("The depot uses barrels to store grain.", "to store grain"),
    ],
)
def test_a_purpose_is_found_under_every_marker(text: str, purpose: str) -> None:
    assert [p.text for p in only(text).phrases if p.role == "purpose"] == [purpose]


def test_what_a_verb_is_completed_by_and_what_was_usual_once_is_no_purpose() -> None:
    for text in ("The manual tells the operator to drain the tank.", "The depot used to store grain in Oslo."):
        assert "purpose" not in [phrase.role for fact in facts(text) for phrase in fact.phrases]


def test_a_reason_denied_gives_no_fact() -> None:
    assert not facts("The pump stops not because the valve jams.")


def test_time_place_and_number_are_distinguished() -> None:
    meets = only("The committee meets every Monday in Oslo.")
    assert roles(meets)[1:] == [("time", "every Monday"), ("place", "in Oslo")]
    holds = only("The depot holds nine barrels.").phrases
    assert holds[1].role == "object" and holds[1].has("number") and not holds[0].has("number")


# ---- halves ----------------------------------------------------------------------------------------


def test_halves_are_read_where_the_parser_finds_no_clause() -> None:
    fact = only("If the primary has not answered, Foghorn rings the secondary.")
    assert fact.kind == "outcome" and fact.verb.lemma == "happen"
    assert roles(fact) == [
        ("condition", "If the primary has not answered"),
        ("outcome", "Foghorn rings the secondary"),
    ]


def test_halves_of_a_command_are_what_one_should_do() -> None:
    fact = only("In order to drain the tank, open the valve.")
    assert (fact.verb.lemma, roles(fact)[1]) == ("do", ("outcome", "open the valve"))


# ---- what gives no fact, or one with a flag --------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "Does the pump stop if the valve jams?",
        'He said "the pump stops when the valve.',
        "It stops the pump in Oslo.",
        "He lives in Oslo.",
        "There is a pump in Oslo.",
        "Run the make command.",
        "and the pump drains the tank in Oslo.",
        "The pump drains the tank in Oslo...",
    ],
)
def test_what_states_nothing_by_itself_gives_no_fact(text: str) -> None:
    assert facts(text) == ()


@pytest.mark.parametrize(
    ("text", "flag"),
    [
        ("This valve stops the pump in Oslo.", "deictic"),
        ("The table above lists the pumps in Oslo.", "deictic"),
        ("Such a valve stops the pump in Oslo.", "relative"),
    ],
)
def test_a_subject_that_leans_on_another_sentence_is_flagged(text: str, flag: str) -> None:
    subject = only(text).first("subject")
    assert subject is not None and subject.has(flag)


def test_a_pronoun_may_point_back_into_its_own_condition_and_is_flagged() -> None:
    fact = only("If the depot is full, it ships grain to Norway.")
    subject = fact.first("subject")
    assert subject is not None and subject.text == "it" and subject.has("dangling")


def test_flags_say_plural_person_coordinated_definite_named_and_possessive() -> None:
    joined = only("Norway and Oslo keep barrels.").phrases[0]
    assert joined.flags >= {"plural", "coordinated", "named", "proper"}
    assert only("The operator shuts down the pump at noon.").phrases[0].flags >= {"person", "definite", "lowerable"}
    assert only("The depot keeps its barrels in Oslo.").phrases[1].has("possessive")
