"""Each limit of question writing, and each style penalty, is moved on a planted text, and the outcome changes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from planted import knowledge_of
from planted_facts import Page, knowledge, p, v

from kgsynth.base.records import Entity, Fact, Item
from kgsynth.evidence.knowledge import Knowledge
from kgsynth.generation.evolutions import EVOLUTIONS
from kgsynth.generation.writing import compose
from kgsynth.generation.writing.english.drafts import under_heading
from kgsynth.generation.writing.english.grammar import shortened
from kgsynth.generation.writing.english.question_words import ask_for
from kgsynth.generation.writing.english.unanswerable import forms_of, names_of

Move = Callable[[str, float], None]


def items(known: Knowledge, subtype: str) -> dict[str, Item]:
    """Question -> item, in the words of the source."""
    found = [candidate.item for candidate in compose(EVOLUTIONS[subtype](known), known, every_form=True)]
    return {item.question: item for item in found if "plain" not in item.metadata}


def questions(texts: str | dict[str, str], subtype: str) -> set[str]:
    corpus = {"a.md": texts} if isinstance(texts, str) else texts
    return set(items(knowledge_of({doc: f"# Notes\n\n{text}" for doc, text in corpus.items()}), subtype))


def asking_words(known: Knowledge, fact: Fact, place: int) -> str | None:
    asked = ask_for(known, fact, place)
    return asked.words if asked else None


# ---- headings and phrases --------------------------------------------------------------------------


def test_a_heading_of_more_words_is_not_named(move: Move) -> None:
    title = "The Copper Pumps of the Oslo Depot"
    assert under_heading(title, "What is cached?", {"Oslo"}) == ""
    move("heading_words", 7)
    assert (
        under_heading(title, "What is cached?", {"Oslo"}) == "For the copper pumps of the Oslo depot, what is cached?"
    )


def test_a_short_word_of_a_heading_loses_its_capital_without_a_dictionary(move: Move) -> None:
    assert under_heading("Cold Zrk", "What is cached?") == "For cold zrk, what is cached?"
    move("heading_short_letters", 3)
    assert under_heading("Cold Zrk", "What is cached?") == "For cold Zrk, what is cached?"


def test_a_noun_is_recognised_in_the_plural_by_its_first_letters(move: Move) -> None:
    phrase = p("subject", "the breweries, now closed", head="brewery")
    assert shortened(phrase) == "the breweries"
    move("head_letters", 7)
    assert shortened(phrase) == "the breweries, now closed", "the head is not found before the comma"


# ---- question words --------------------------------------------------------------------------------


def labelled(name: str, label: str) -> tuple[Knowledge, Fact]:
    page = Page("a.md")
    fact = page.say(p("subject", name, "nominal named proper"), v("close", "closes"), p("time", "in May"))
    return knowledge(page, names={name: label}), fact


def test_a_thing_that_is_often_labelled_as_a_person_is_not_asked_for(move: Move) -> None:
    known, fact = labelled("Salina", "ORG")
    (entity,) = known.entities.values()
    (mention,) = entity.mentions
    both = replace(entity, mentions=(mention, replace(mention, label="PERSON")))
    known.entities._entities[entity.id] = both
    assert asking_words(known, fact, 0) == "what", "one of two mentions is no majority"
    move("person_label_share", 0.4)
    assert asking_words(known, fact, 0) is None


def test_a_longer_phrase_is_no_duration(move: Move) -> None:
    page = Page("a.md")
    verb = v("run", "runs")
    fact = page.say(p("subject", "the Pike"), verb, p("time", "for five years and three months", marker="for"))
    other = page.say(p("subject", "the Pike"), verb, p("time", "within five working days", marker="within"))
    known = knowledge(page)
    assert (asking_words(known, fact, 1), asking_words(known, other, 1)) == ("for how long", "within what time")
    move("duration_words", 4)
    assert (asking_words(known, fact, 1), asking_words(known, other, 1)) == ("when", "within what time")
    move("working_day_words", 2)
    assert asking_words(known, other, 1) == "when"


def test_a_longer_phrase_of_time_is_not_asked_for(move: Move) -> None:
    page = Page("a.md")
    time = p("time", "before the new bridge of the old town opens", marker="before")
    fact = page.say(p("subject", "the Pike"), v("stop", "stops"), time)
    known = knowledge(page)
    assert asking_words(known, fact, 1) == "when", "eight words without the preposition"
    move("time_words", 7)
    assert asking_words(known, fact, 1) is None


# ---- conditions ------------------------------------------------------------------------------------


def test_a_longer_outcome_is_not_asked_for(move: Move) -> None:
    text = "If the Pike sensor fails, the duty engineer rings the Oslo laboratory."
    before = questions(text, "explicit")
    move("outcome_words", 6)
    assert before - questions(text, "explicit") == {"What happens if the Pike sensor fails?"}


def test_a_derivation_lists_some_of_the_places_with_another_value(move: Move) -> None:
    places = ("Canada", "Norway", "Sweden")
    sections = (
        f"## {place}\n\nThe annual leave allowance is {20 + n} days. Many people in {place} travel to {place}."
        for n, place in enumerate(places)
    )
    known = knowledge_of({"a.md": "# Leave\n\n" + "\n\n".join(sections)})
    rivals = [len(item.derivation["rivals"]) for item in items(known, "scoped").values()]
    assert rivals and set(rivals) == {2}
    move("scoped_rivals", 1)
    assert {len(item.derivation["rivals"]) for item in items(known, "scoped").values()} == {1}


# ---- questions without an answer -------------------------------------------------------------------


def test_fewer_topics_give_fewer_questions_out_of_scope(move: Move) -> None:
    text = "Eva Holm chairs the Bridge Society.\n\nEva Holm likes trams.\n\nEva Holm likes bread."
    before = questions(text, "out_of_scope")
    move("topics_per_entity", 1)
    after = questions(text, "out_of_scope")
    assert (len(before), len(after)) == (2, 1) and after < before


def test_a_short_beginning_does_not_stand_for_all_its_words(move: Move) -> None:
    forms = forms_of.__wrapped__
    assert forms("leads") == ["lead*", "led"]
    move("search_letters", 6)
    assert {"lead", "leading", "leads", "led"} <= set(forms("leads")) and "lead*" not in forms("leads")


def test_a_person_is_searched_for_by_a_long_enough_surname(move: Move) -> None:
    person = Entity("e", "Mei Li", "PERSON", ("Mei Li",), ())
    assert names_of(person) == ["Mei Li"]
    move("surname_letters", 2)
    assert names_of(person) == ["Li", "Mei Li"]
