"""Every limit on languages and on parsing English, moved: what becomes a fact, name or question changes."""

from __future__ import annotations

from collections.abc import Callable

from planted import SPACY_MODEL, document, read_markdown

from kgsynth.base.records import Fact
from kgsynth.language.detection import guess_language, in_script, other_language
from kgsynth.language.english.opposites import contradictions
from kgsynth.language.english.parsing import analyse
from kgsynth.language.english.quantities import quantity
from kgsynth.language.english.question_checks import fits_kind, malformed
from kgsynth.language.english.text_forms import is_name
from kgsynth.language.lengths import is_long

Move = Callable[[str, float], None]


def facts(text: str) -> tuple[Fact, ...]:
    return analyse(read_markdown("a.md", text), SPACY_MODEL).facts


def test_long_documents(move: Move) -> None:
    assert is_long(document("a.md", "word " * 150))
    move("long_document_words", 151)
    assert not is_long(document("a.md", "word " * 150))


def test_chinese_letters(move: Move) -> None:
    assert guess_language("数据 is Redis") == "zh", "2 of 9 letters"
    move("letter_share", 0.3)
    assert guess_language("数据 is Redis") == "en"


def test_words_in_another_script(move: Move) -> None:
    assert not in_script("谁领导 Ada?", "en")
    move("foreign_word_share", 0.75)
    assert in_script("谁领导 Ada?", "en"), "3 of 4 words"


def test_common_words_of_a_language(move: Move) -> None:
    question = "Wer leitet die Abteilung und wie lange schon?"
    assert other_language(question, "en") == "de"
    move("language_common_words", 9)
    assert other_language(question, "en") == "", "8 words cannot hold 9 common ones"


def test_words_for_one_common_word(move: Move) -> None:
    question = "Leitet the Kran of Bonn wie lange schon und wer?"  # 10 words, 2 of them common in English
    assert other_language(question, "en") == "de"
    move("words_per_common_word", 5)
    assert other_language(question, "en") == ""


def test_the_length_of_a_parsed_block(move: Move) -> None:
    assert len(facts("Ada Lovelace founded the Pike Institute in 1931.")) == 1
    move("parsed_block_characters", 40)
    assert facts("Ada Lovelace founded the Pike Institute in 1931.") == ()


def test_sentences_that_a_pronoun_reaches_back(move: Move) -> None:
    text = "The Linnet kiln stands in Leeds. It burns beech wood. It holds ninety plates."
    assert [fact.verb.lemma for fact in facts(text)] == ["stand", "burn", "hold"]
    move("pronoun_sentences", 1)
    assert [fact.verb.lemma for fact in facts(text)] == ["stand", "burn"]


def test_words_of_a_heading_that_is_a_name(move: Move) -> None:
    assert not is_name("Gdynia Halifax Aveiro Salina")
    move("name_heading_words", 4)
    assert is_name("Gdynia Halifax Aveiro Salina")


def test_the_halves_of_a_sentence(move: Move) -> None:
    text = "If the primary has not answered, Foghorn rings the secondary."
    assert [fact.kind for fact in facts(text)].count("outcome") == 1
    move("half_sentence_tokens", 5)
    assert "outcome" not in [fact.kind for fact in facts(text)], "the outcome has four words"


def test_letters_after_a_negative_prefix(move: Move) -> None:
    assert contradictions("Which rules were unpublished?", "Two rules were published.") == {"opposite"}
    move("negatable_letters", 8)
    assert contradictions("Which rules were unpublished?", "Two rules were published.") == set(), "publish has seven"


def test_words_for_what_is_counted(move: Move) -> None:
    found = quantity("38 old red water pumps")
    assert found and found.dimension == "count:pump"
    move("counted_noun_words", 3)
    assert quantity("38 old red water pumps") is None


def test_the_length_of_a_question(move: Move) -> None:
    assert malformed("Who left?") == "2 words long" and malformed("Who left York?") == ""
    move("question_min_words", 2)
    assert malformed("Who left?") == ""
    move("question_max_words", 2)
    assert malformed("Who left York?") == "3 words long"


def test_the_length_of_a_reason(move: Move) -> None:
    assert fits_kind("reason", "rain came early")
    move("reason_words", 4)
    assert not fits_kind("reason", "rain came early") and fits_kind("reason", "because of rain")
