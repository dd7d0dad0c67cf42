"""A pronoun that opens a sentence: when it is the subject of the sentence before; and names that hold a number."""

from __future__ import annotations

import pytest
from planted import SPACY_MODEL, read_markdown

from kgsynth.base.records import Fact
from kgsynth.language.english.parsing import analyse


def facts(text: str) -> list[Fact]:
    return list(analyse(read_markdown("a.md", text), SPACY_MODEL).facts)


def resolved(text: str) -> list[Fact]:
    return [fact for fact in facts(text) if fact.kind == "coreference"]


def test_it_refers_to_the_subject_before_and_the_evidence_spans_both_sentences() -> None:
    text = "The Linnet kiln stands in Leeds. It burns beech wood."
    (fact,) = resolved(text)
    assert fact.verb.lemma == "burn"
    assert fact.phrases[0].text == "The Linnet kiln" and fact.phrases[0].start == 0
    assert text[fact.start : fact.end] == text, "the first sentence says what burns it"


def test_they_wants_a_plural_and_she_a_person() -> None:
    assert [f.phrases[0].text for f in resolved("The night guards patrol the dock. They carry two radios.")] == [
        "The night guards"
    ]
    assert [f.phrases[0].text for f in resolved("Ada Lovelace left London in 1840. She wrote nine letters.")] == [
        "Ada Lovelace"
    ]


def test_a_chain_of_pronouns_reaches_back_two_sentences_at_most() -> None:
    text = "The Linnet kiln stands in Leeds. It burns beech wood. It holds ninety plates. It costs nine pounds."
    assert [fact.verb.lemma for fact in resolved(text)] == ["burn", "hold"]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("The Linnet kiln stands in Leeds. They burn beech wood.", "the number differs"),
        ("Ada Lovelace left London in 1840. It holds nine letters.", "a person is no it"),
        ("The Linnet kiln feeds the Robin oven. It burns beech wood.", "either could be meant"),
        ("The Linnet kiln stands in Leeds. It seems cold.", "it may refer to nothing"),
        ("This kiln stands in Leeds. It burns beech wood.", "the subject before is not known itself"),
        ("In Leeds stands the Linnet kiln. It burns beech wood.", "the subject before does not open its sentence"),
        ("The Linnet kiln stands in Leeds.\n\nIt burns beech wood.", "another paragraph"),
    ],
)
def test_an_unsure_pronoun_drops_the_fact(text: str, why: str) -> None:
    assert resolved(text) == [], why
    assert all("wood" not in fact.text or fact.verb.lemma != "burn" for fact in facts(text)), why


def test_a_pronoun_explained_by_a_condition_of_its_own_sentence_stays() -> None:
    (fact,) = [
        f
        for f in facts("The depot opens at nine. If the Linnet kiln cools, it is lit again.")
        if f.verb.lemma == "light"
    ]
    assert fact.kind == "clause" and fact.phrases[1].text == "it"


# ---- names with a number ---------------------------------------------------------------------------


def subjects(text: str) -> list[str]:
    return [fact.phrases[0].text for fact in facts(text) if fact.phrases[0].role == "subject"]


def test_a_name_with_its_number_is_read_as_one_name() -> None:
    (stores, weighs) = facts("The Skua 3 stores 64,000 readings. A Skua 2 weighs 84 grams.")
    assert [p.text for p in stores.phrases] == ["The Skua 3", "64,000 readings"]
    assert stores.phrases[0].lemmas == ("skua", "3"), "each word by itself, as other documents may have it"
    assert [p.text for p in weighs.phrases] == ["A Skua 2", "84 grams"]


@pytest.mark.parametrize("text", ["In May 2019 the mill closed.", "The mill closed in May 2019."])
def test_a_date_is_no_name(text: str) -> None:
    (fact,) = facts(text)
    assert [p.text.lower() for p in fact.phrases if p.role == "time"] == ["in may 2019"]


def test_a_number_makes_no_name_of_a_part_of_the_text() -> None:
    (fact,) = facts("The Chapter 2 notes tell of the mill.")
    assert "deictic" in fact.phrases[0].flags, "which chapter it is only this document knows"


def test_a_capital_that_only_opens_its_sentence_makes_no_name() -> None:
    (fact,) = facts("Roughly 40 people work at the mill.")
    assert fact.phrases[0].text == "Roughly 40 people"
