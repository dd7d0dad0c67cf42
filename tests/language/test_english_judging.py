"""Questions judged by their words: what is wrong with bad ones, and that good ones pass every rule."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kgsynth.language import language
from kgsynth.language.english.denials import denies
from kgsynth.language.english.morphology import stem
from kgsynth.language.english.question_checks import (
    answer_kind,
    content_stems,
    fits_kind,
    malformed,
    may_share,
    outside_reference,
    wrong_kind,
)

GOOD = [
    "Who wrote the first compiler?",
    "When did the depot in Oslo open?",
    "How long may a visitor stay on site without a pass?",
    "What does --debug do?",
    "If the primary does not answer, whom does Foghorn ring?",
    "Which of the two sensors weighs more, the Pike 2 or the Pike 3?",
    "In Canada, how many days of leave does a new employee get?",
    "What happens if a receipt is lost?",
    "Did Ada Lovelace publish her notes before 1850?",
    "Why does Redis rewrite the log in the background when it grows?",
    "What had had the most effect on sales in 1931?",
    "Is that that Ada meant in 1843?",
    "What is the C++ keyword for a constant expression?",
    "How do I add a plugin in such a way that I can override its parameters?",
    "Our Windows servers are monitored, but what do I have to set up on these servers?",
]


@pytest.mark.parametrize("question", GOOD)
def test_a_question_a_person_would_ask_passes(question: str) -> None:
    assert (malformed(question), outside_reference(question)) == ("", "")
    assert answer_kind(question) or question.startswith(("Did", "Is"))


@pytest.mark.parametrize(
    ("question", "problem"),
    [
        ("Why not?", "2 words long"),
        ("What is " + "very " * 50 + "big?", "53 words long"),
        ("Which team runs the depot.", "no question mark at its end"),
        ("What does **make** build?", "markup left in it"),
        ("What does `make` build?", "markup left in it"),
        ("What is on [the page](x.md)?", "markup left in it"),
        ("What does <b>make</b> build?", "markup left in it"),
        ("What is at https://example.org?", "markup left in it"),
        ("What does the team run because?", "cut off before its end"),
        ("Which depot stores the ?", "cut off before its end"),
        ("Which depot , in Oslo, is closed?", "stray or doubled words or marks"),
        ("Which depot is is closed?", "stray or doubled words or marks"),
        ("Which depot -- in Oslo -- is closed?", "stray or doubled words or marks"),
        ("Which depot--in Oslo--is closed?", "stray or doubled words or marks"),
        ("What is ( ) in Oslo?", "stray or doubled words or marks"),
        ('Who said "stop in Oslo?', "half a pair of quotes or brackets"),
        ("Who runs the depot (in Oslo?", "half a pair of quotes or brackets"),
        ("Oslo depot stores barley?", "asks nothing"),
    ],
)
def test_malformed_says_what_is_wrong_with_a_question(question: str, problem: str) -> None:
    assert malformed(question) == problem


@pytest.mark.parametrize(
    ("question", "word"),
    [
        ("What does this step do?", "this"),
        ("What is shown in the following table?", "the following"),
        ("According to the text, who runs the depot?", "According to the"),
        ("Which valve is mentioned?", "mentioned"),
        ("What happens in that case?", "that case"),
        ("What do the above rules say?", "above"),
        ("When did he leave?", "he"),
        ("Why does it stop?", "it"),
        ("What happens if they fail?", "they"),
        ("Which is the latter?", "latter"),
    ],
)
def test_a_question_that_points_outside_itself_is_caught_by_the_word(question: str, word: str) -> None:
    assert outside_reference(question) == word


def test_a_pronoun_with_a_name_or_noun_before_it_is_clear() -> None:
    assert outside_reference("When did Ada publish her notes?") == ""
    assert outside_reference("What happens to the pump if it fails?") == ""
    assert outside_reference("Does this work?") == "this"


@pytest.mark.parametrize(
    ("question", "word"),
    [
        ("Is it against policy to make fun of a coworker in a chat message?", ""),
        ("When it's time to leave and update my accounts, what about my files?", ""),
        ("What does it take to work with a company that has no accounts?", ""),
        ("Why isn't it a good idea to send a colleague feedback by mail?", ""),
        ("Does it count as a rejection if the company only puts me off?", ""),
        ("Is it worth having an engineer on a project about research?", ""),
        ("Is it possible to pay late, and who allows it?", ""),  # the second stands for paying
        ("Is it available if the server fails?", "it"),
        ("Is it a tool to measure voltage?", "it"),
        ("What does it do if the server fails?", "it"),
        ("Is it safe?", "it"),
        ("What does it cost?", "it"),
        ("May I write to a former teammate, or to the former head?", ""),
        ("Which of the two is the former?", "the former"),
    ],
)
def test_what_only_looks_like_a_reference_refers_to_nothing_outside(question: str, word: str) -> None:
    assert outside_reference(question).lower() == word


@pytest.mark.parametrize(
    ("question", "word"),
    [
        ("Which structure calls it?", "it"),
        ("Which target node are it?", "it"),
        ("Which went on it?", "it"),
        ("Who leads them?", "them"),
        ("Which depot of the firm that Ada runs holds it?", ""),  # the firm, perhaps
    ],
)
def test_a_pronoun_does_not_refer_to_what_is_asked_for(question: str, word: str) -> None:
    assert outside_reference(question) == word


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("Who runs the depot?", "person"),
        ("Whose depot is it?", "person"),
        ("By whom was the sensor built?", "person"),
        ("When does the depot open?", "time"),
        ("How long does the lease last?", "time"),
        ("How often is the sensor calibrated?", "time"),
        ("Where is the depot?", "place"),
        ("How many barrels does it hold?", "number"),
        ("What percentage of the fee is kept?", "number"),
        ("Why does the pump stop?", "reason"),
        ("What happens when the tank is full?", "clause"),
        ("Under what condition does the pump stop?", "clause"),
        ("How is the tank filled?", "manner"),
        ("Which sensor is portable?", "thing"),
        ("In which year did it open?", "thing"),
        ("When the tank is full, who rings the bell?", "person"),
        ("If it rains, how many pumps run?", "number"),
        ("Does the pump stop?", ""),
    ],
)
def test_the_first_question_word_outside_an_opening_condition_says_the_kind(question: str, kind: str) -> None:
    assert answer_kind(question) == kind


@pytest.mark.parametrize(
    ("kind", "good", "bad"),
    [
        ("number", "nine barrels", "the barrels"),
        ("number", "forty", "some"),
        ("time", "in 1931", "the pump"),
        ("time", "two weeks", "Oslo"),
        ("reason", "because the valve jams", "a leak"),
        ("person", "Ada Lovelace", "1931"),
    ],
)
def test_an_answer_fits_its_kind_or_not(kind: str, good: str, bad: str) -> None:
    assert fits_kind(kind, good) and not fits_kind(kind, bad)


def test_a_question_without_a_kind_is_fitted_by_nothing() -> None:
    assert not fits_kind("", "Ada Lovelace")
    assert fits_kind("thing", "Ada Lovelace")


def test_the_noun_after_which_may_stand_in_the_answer_and_no_other() -> None:
    free = may_share("Which calibration depot stores barley?", "the calibration depot of the north wing")
    assert [free(stem(word)) for word in ("calibration", "depot", "barley")] == [True, False, False]


def test_a_count_may_name_what_is_counted_but_not_the_number() -> None:
    free = may_share("How many barrels does the depot hold?", "nine barrels, or 40")
    assert [free(stem(word)) for word in ("barrel", "nine", "40")] == [True, False, False]
    assert not may_share("How many barrels does the depot hold?", "a single barrel")(stem("single"))


@pytest.mark.parametrize(
    ("question", "answer", "free"),
    [
        ("Who is the Feeney Room named after?", "Colm Feeney", True),
        ("What kills infected cells?", "the killer cells", True),
        ("What is named after the Feeney Room?", "Feeney", False),  # one word
        ("What ends beside the battery?", "the end of the battery", False),  # no noun phrase of two words
        ("What is kept in the bath room?", "the old bath room", False),  # three words
        ("When is the cellar closed?", "during cellar floods", False),  # no name
        ("Which battery is kept by the cellar?", "the battery cellar", False),  # it may share the other word
    ],
)
def test_the_last_of_two_words_may_stand_in_the_question(question: str, answer: str, free: bool) -> None:
    last = content_stems(answer)[-1]
    assert may_share(question, answer)(last) is free


@pytest.mark.parametrize(
    "family",
    [
        ("store", "stores", "stored", "storing"),
        ("policy", "policies"),
        ("quick", "quickly"),
        ("ada's", "ada"),
        ("carry", "carries", "carried"),
        ("use", "uses", "used", "using"),
        ("write", "wrote", "written"),
        ("building", "buildings", "built"),
        ("string", "strings"),
        ("skua", "skuas"),
    ],
)
def test_the_forms_of_a_word_share_their_stem(family: tuple[str, ...]) -> None:
    assert len({stem(word) for word in family}) == 1


def test_short_words_and_double_s_keep_their_ends() -> None:
    assert [stem(word) for word in ("class", "bed", "sing", "us")] == ["class", "bed", "sing", "us"]


def test_content_leaves_out_what_every_sentence_holds() -> None:
    assert content_stems("If the pumps are run by Ada, what is stored?") == ["pump", "run", "ada", "store"]


@given(st.text(max_size=60))
def test_no_text_breaks_a_judge(text: str) -> None:
    english = language("en")
    assert all(isinstance(judged, str) for judged in (english.malformed(text), english.outside_reference(text)))
    assert english.answer_kind(text) == answer_kind(text)
    assert all(english.content_stems(text))


@pytest.mark.parametrize(
    ("question", "answer", "kind"),
    [
        ("In what year did the mill open?", "Salina", "time"),
        ("When did the mill open?", "$2.2 billion", "time"),
        ("Where is the mill?", "1843", "place"),
        ("Why did the mill close?", "12 March 1843", "reason"),
        ("Who painted the mill?", "the ninth century", "person"),
        ("What stands on the roof of the mill?", "in March 1843", "thing"),
        ("How many smiths work there?", "the old mill", "number"),
    ],
)
def test_an_answer_of_another_kind_than_the_question_asks_for(question: str, answer: str, kind: str) -> None:
    assert wrong_kind(question, [answer]) == kind
    assert wrong_kind(question, [answer, "nine smiths of Salina, in 1843"]) == "", "one answer that fits is enough"


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("In what year did the mill open?", "1843"),
        ("What is the default port?", "1843"),
        ("What was the population of Salina?", "1843"),
        ("Which field holds the limit?", "2048"),
        ("Who may visit the mill?", "the members of the guild"),
        ("Who may visit the mill?", "Ada Low"),
        ("Who may visit the mill?", "the public"),
        ("When may people visit the mill?", "before noon"),
        ("Is the mill open?", "no"),
    ],
)
def test_in_doubt_an_answer_is_of_the_kind_asked_for(question: str, answer: str) -> None:
    assert wrong_kind(question, [answer]) == ""


@pytest.mark.parametrize(
    ("question", "sentence", "denied"),
    [
        ("Who leads the crew?", "Ada does not lead the crew.", True),
        ("Who leads the crew?", "Ada no longer leads the crew.", True),
        ("Who leads the crew?", "The crew was never led by Ada.", True),
        ("Who leads the crew?", "Neither Tim nor Ada leads the crew.", True),
        ("Who does not lead the crew?", "Ada does not lead the crew.", False),
        ("Who leads the crew?", "Tim does not sail, but Ada leads the crew.", False),
        ("Who leads the crew?", "Ada leads the crew, which has no boat.", False),
        ("Who leads the crew?", "Tim does not lead it. Ada does.", False),
        ("Who leads the crew?", "Ada leads not only the crew.", False),
        ("Who leads the crew?", "Ada leads no more than one crew.", False),
    ],
)
def test_a_sentence_denies_the_answer_or_not(question: str, sentence: str, denied: bool) -> None:
    start = sentence.index("Ada")
    assert denies(question, sentence, start, start + 3) == denied
