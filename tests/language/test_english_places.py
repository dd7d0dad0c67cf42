"""Where facts, sentences and names stand in the source, and which names and short forms are read."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import pytest
from planted import SPACY_MODEL, read_markdown

from kgsynth.base.records import Analysis, Block, Document, Fact
from kgsynth.language.english.parsing import analyse


def read(text: str) -> tuple[Document, Analysis]:
    document = read_markdown("a.md", text)
    return document, analyse(document, SPACY_MODEL)


# ---- places ----------------------------------------------------------------------------------------

MARKED = """\
# Pumps

The **Pike Institute** ships the `set-key`
command to [Norway](http://example.org/n) in
1931, and the [Oslo depot](x.md) keeps *nine
large barrels*.

> When the tank is full, the `alarm`
> sounds in Oslo.
"""


def places(document: Document, fact: Fact) -> Iterator[tuple[str, str]]:
    """Each phrase as read, with the text at its place in the source, white space folded."""
    for phrase in fact.phrases:
        yield phrase.text, " ".join(document.text[phrase.start : phrase.end].replace("\n> ", "\n").split())


def test_offsets_show_each_phrase_in_the_source_through_markup_and_wrapped_lines() -> None:
    document, analysis = read(MARKED)
    assert len(analysis.facts) >= 3
    for fact in analysis.facts:
        for text, source in places(document, fact):
            bare = source.replace("`", "").replace("*", "").replace("[", "").replace("](http://example.org/n)", "")
            assert bare.replace("](x.md)", "") == text
    ships = analysis.facts[0]
    assert document.text[ships.verb.start : ships.verb.end] == "ships"
    assert "set-key" in ships.phrases[1].text and ships.phrases[1].has("code")


def test_every_sentence_and_mention_shows_its_own_text_in_the_source() -> None:
    document = read_markdown("a.md", "# Pumps\n\nAda Lovelace left London.\nThe Pike sensor is in Oslo.")
    analysis = analyse(document, SPACY_MODEL)
    assert [document.text[s.start : s.end] for s in analysis.sentences] == [
        "Ada Lovelace left London.",
        "The Pike sensor is in Oslo.",
    ]
    for mention in analysis.mentions:
        assert document.text[mention.start : mention.end] == mention.text


def test_inline_code_of_several_tokens_is_read_as_one_name() -> None:
    source = "The read_file(path) function opens the log file."
    block = Block("paragraph", 0, len(source), source, ((0, 0),), code=((4, 19),))
    document = Document("a.md", source, "a", "md", "h", (block,), read("x")[0].sections)
    (fact,) = analyse(document, SPACY_MODEL).facts
    assert fact.phrases[0].text == "The read_file(path) function" and fact.phrases[0].has("code")


# ---- names -----------------------------------------------------------------------------------------


def aliases(text: str) -> tuple[tuple[str, str], ...]:
    return read(text)[1].aliases


def test_an_acronym_in_brackets_is_an_alias_when_its_letters_are_the_initials() -> None:
    assert aliases("The Append Only File (AOF) keeps every write.") == (("Append Only File", "AOF"),)
    assert aliases("The Ministry of the Interior (MI) runs the depot.") == (("Ministry of the Interior", "MI"),)


@pytest.mark.parametrize(
    "text", ["The pump drains the tank (see Chapter 4).", "The pump (CPU) drains the tank.", "Open the valve (A)."]
)
def test_other_brackets_are_no_alias(text: str) -> None:
    assert aliases(text) == ()


def test_known_as_joins_two_names() -> None:
    assert ("Istanbul", "Constantinople") in aliases("Istanbul, formerly Constantinople, lies on the Bosporus.")


def test_mentions_are_names_terms_and_code_without_articles_and_none_inside_another() -> None:
    _, analysis = read("Ada Lovelace gave the Pike sensor and the `set` command to Norway in 1931.")
    found = {mention.text: mention.label for mention in analysis.mentions}
    assert found["Ada Lovelace"] == "PERSON" and found["Norway"] == "GPE"
    assert "Pike sensor" in found and "set command" in found
    assert not any(text.lower().startswith(("the ", "a ")) or "1931" in text for text in found)
    ends = [(mention.start, mention.end) for mention in analysis.mentions]
    assert all(one[1] <= other[0] for one, other in pairwise(ends))


def test_the_same_document_gives_the_same_analysis() -> None:
    assert read(MARKED)[1] == read(MARKED)[1]
