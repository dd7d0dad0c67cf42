"""Summaries: the central sentences of the source, without repetition."""

from __future__ import annotations

from planted import analysis, document, sentence

from kgsynth.base.records import Sentence
from kgsynth.generation.graph.summaries import choose, summaries


def filler(start: int, n: int) -> Sentence:
    return sentence("d", start, f"alpha{n} beta{n} gamma{n} delta{n}")


def test_the_sentence_nearest_the_centroid_is_chosen() -> None:
    sentences = [filler(0, 1), filler(100, 2), sentence("d", 200, "lease cache node expiry"), filler(300, 3)]
    sentences += [sentence("d", 400, "lease cache other words"), sentence("d", 500, "node expiry further talk")]
    assert [each.start for each in choose(sentences, {})] == [200]


def test_the_first_of_equal_sentences_is_chosen() -> None:
    same = [sentence("d", start, "lease cache node expiry") for start in (0, 50, 100)]
    assert [each.start for each in choose(same, {})] == [0]


def test_the_second_sentence_says_something_else() -> None:
    twice = [sentence("d", n * 50, "lease cache node expiry") for n in range(9)]
    other = [sentence("d", 1000 + n * 50, "salary holiday pension bonus") for n in range(7)]
    assert [each.lemmas[0] for each in choose(twice + other, {})] == ["lease", "salary"]


def test_a_short_sentence_is_taken_only_when_there_is_no_other() -> None:
    short = [sentence("d", 0, "lease"), sentence("d", 10, "lease cache")]
    long = sentence("d", 30, "quite another long sentence")
    assert choose([*short, long], {}) == [long]
    assert choose(short, {}) == [short[0]]  # both are as far from the centroid: the earlier one


def test_one_to_three_sentences_in_the_order_of_the_text() -> None:
    for count, expected in ((4, 1), (15, 1), (16, 2), (24, 3), (200, 3)):
        found = choose([filler(n * 50, n) for n in range(count)], {})
        assert len(found) == expected
        assert found == sorted(found, key=lambda each: each.start)


def test_documents_and_sections_with_enough_text_have_a_summary_each() -> None:
    text = "x" * 2000
    source = document("d", text, [("One", 1, 0), ("Two", 1, 1000), ("Three", 1, 1900)])
    parts = [sentence("d", n * 100, f"lease cache node{n} expiry", section=1) for n in range(5)]
    parts += [sentence("d", 1000 + n * 100, f"salary holiday pension{n} bonus", section=2) for n in range(4)]
    parts += [sentence("d", 1900, "too short to summarise", section=3)]
    found = list(summaries([source], [analysis("d", sentences=parts)]))
    assert [each.of for each in found] == ["d", source.sections[1].id, source.sections[2].id]
    assert [(each.start, each.end) for each in found] == [(0, 2000), (0, 1000), (1000, 1900)]
    assert all(each.sentences[0] in parts for each in found)
    assert len({each.id for each in found}) == 3


def test_a_section_that_is_the_complete_document_is_not_summarised_twice() -> None:
    source = document("d", "x" * 500, [("Only", 1, 0)])
    parts = [sentence("d", n * 100, f"lease cache node{n} expiry", section=1) for n in range(4)]
    assert [each.of for each in summaries([source], [analysis("d", sentences=parts)])] == ["d"]
    assert list(summaries([source], [analysis("d", sentences=parts[:3])])) == []
    assert list(summaries([source], [])) == []
