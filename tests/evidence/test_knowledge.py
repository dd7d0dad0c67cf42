"""The indexes of Knowledge, compared with plain scans; the properties of entities, worked out by hand."""

from __future__ import annotations

import math

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from planted_facts import Page, knowledge, p, v

from kgsynth.base.records import Analysis, Chunk, Entity, Mention, Sentence, Span
from kgsynth.evidence.knowledge import Knowledge

WORDS = "ada mill river salt rope five".split()
NAMED = "nominal named proper"


def of_sentences(bags: list[list[str]]) -> Knowledge:
    sentences = tuple(Sentence("a", 0, 10 * n, 10 * n + 9, " ".join(bag), tuple(bag)) for n, bag in enumerate(bags))
    return Knowledge(nx.MultiDiGraph(), [], [], [Analysis("a", sentences, (), ())], [], np.zeros((0, 2), np.float32))


def of_chunks(places: list[tuple[str, int, int]]) -> Knowledge:
    chunks = [Chunk(f"c{n}", doc, "s", a, b, "") for n, (doc, a, b) in enumerate(places)]
    return Knowledge(nx.MultiDiGraph(), [], chunks, [], [], np.zeros((len(chunks), 2), np.float32))


# ---- sentences -------------------------------------------------------------------------------------


@given(
    st.lists(st.lists(st.sampled_from(WORDS), max_size=5), max_size=12),
    st.sets(st.sampled_from([*WORDS, "unseen"]), max_size=5),
    st.floats(0.01, 1.0),
)
def test_containing_equals_a_scan_of_all_sentences(bags: list[list[str]], wanted: set[str], share: float) -> None:
    known = of_sentences(bags)
    weights = {word: math.log(1 + len(bags) / (1 + sum(word in bag for bag in bags))) for word in wanted}
    total = sum(weights.values())
    expected = []
    for sentence in known.statements.sentences:
        shared = sum(weights[word] for word in wanted if word in sentence.lemmas)
        if total and shared / total >= share + 1e-9:
            expected.append(sentence)
    found = {sentence.start: score for score, sentence in known.statements.containing(wanted, share)}
    assert [s.start for s in expected] == [start for start, score in found.items() if score >= share + 1e-9]
    for sentence in known.statements.sentences:
        if sentence.start in found:
            shared = sum(weights[word] for word in wanted if word in sentence.lemmas)
            assert found[sentence.start] == pytest.approx(shared / total)


def test_rare_words_weigh_more() -> None:
    known = of_sentences([["mill", "salt"], ["mill"], ["mill"], ["salt", "rope"]])
    assert known.statements.idf("rope") > known.statements.idf("salt") > known.statements.idf("mill")
    assert known.statements.idf("unseen") == pytest.approx(math.log(5))
    assert [s.text for _, s in known.statements.containing(["mill", "rope"], 0.6)] == ["salt rope"]


def test_a_full_share_is_found_despite_rounding() -> None:
    known = of_sentences([WORDS, ["mill"]])
    assert [(round(share, 9), s.start) for share, s in known.statements.containing(WORDS, 1.0)] == [(1.0, 0)]


def test_terms_are_those_that_the_sentence_itself_counts() -> None:
    page = Page("a.md")
    runs = page.say(p("subject", "Ada Lind", NAMED), v("run", "runs"), p("object", "the mill"))
    stands = page.say(p("subject", "the mill"), v("be", "is"), p("place", "in Salina", NAMED, "in"))
    known = knowledge(page)
    assert known.statements.search_terms(runs, [0]) == {"ada", "lind", "run"}
    assert known.statements.search_terms(stands, [0]) == {"mill"}, "'be' is a word of no sentence"
    assert [s.text for _, s in known.statements.containing(known.statements.search_terms(stands, [0, 1]), 1.0)] == [
        stands.text
    ]


# ---- chunks ----------------------------------------------------------------------------------------

PLACES = st.lists(
    st.tuples(st.sampled_from("ab"), st.integers(0, 30), st.integers(1, 15)).map(lambda t: (t[0], t[1], t[1] + t[2])),
    max_size=9,
)


@given(PLACES, st.sampled_from("abc"), st.integers(0, 40), st.integers(1, 12))
def test_overlapping_equals_a_scan_of_all_chunks(
    places: list[tuple[str, int, int]], doc: str, start: int, length: int
) -> None:
    end = start + length
    expected = {n for n, (d, a, b) in enumerate(places) if d == doc and any(start <= c < end for c in range(a, b))}
    found = of_chunks(places).chunks.overlapping(doc, start, end)
    assert set(found) == expected
    assert len(found) == len(expected)
    assert [places[n][1] for n in found] == sorted(places[n][1] for n in found), "in the order of the text"


def test_holding_joins_the_chunks_of_all_places() -> None:
    known = of_chunks([("a", 0, 10), ("a", 10, 20), ("b", 0, 10)])
    assert known.chunks.holding([Span("a", 9, 11, "xx"), Span("b", 0, 1, "x")]) == {0, 1, 2}
    assert known.chunks.holding([]) == set()


def test_section_of_is_the_innermost_heading() -> None:
    page = Page("a.md").under("Leave", "Norway")
    fact = page.say(p("subject", "Ada"), v("sleep", "sleeps"))
    assert knowledge(page).statements.section_of(fact).path == ("a.md", "Leave", "Norway")


# ---- entities --------------------------------------------------------------------------------------


def test_an_entity_is_the_whole_phrase() -> None:
    page = Page("a.md")
    fact = page.say(
        p("subject", "the Salina mill", NAMED + " definite"),
        v("lie", "lies"),
        p("place", "in Gdynia", NAMED, "in"),
        p("other", "below the wet Salina mill", NAMED, "below"),
        p("agent", "by Bo and Salina mill", NAMED + " coordinated", "by", nouns=((3, 3), (10, 10))),
    )
    known = knowledge(page, names={"Salina mill": "ORG", "Gdynia": "GPE"})
    names = [entity.name if (entity := known.entities.entity_of(fact, phrase)) else "" for phrase in fact.phrases]
    assert names == ["Salina mill", "Gdynia", "", ""]
    assert [role.place for role in known.entities.roles["e:Salina mill"]] == [0], (
        "one of two is not what the phrase names"
    )


def test_a_role_says_where_in_the_phrase_the_entity_begins() -> None:
    page = Page("a.md")
    text = "the size of the Pike sensor"
    inner = p("subject", text, NAMED, nouns=((0, 4), (12, 16)))
    fact = page.say(inner, v("matter", "matters"), p("place", "in Gdynia", NAMED, "in"))
    known = knowledge(page, names={"Pike sensor": "PRODUCT", "Gdynia": "GPE"})
    (pike,), (gdynia,) = known.entities.roles["e:Pike sensor"], known.entities.roles["e:Gdynia"]
    assert (pike.fact, pike.place, pike.cut, pike.whole) == (fact, 0, 12, False)
    assert (gdynia.phrase.text, gdynia.cut, gdynia.whole) == ("in Gdynia", 3, True)
    assert known.entities.entity_of(fact, fact.phrases[0]) is None


@pytest.mark.parametrize(
    ("documents", "naming", "common"), [(6, 6, False), (7, 7, True), (40, 8, False), (40, 9, True)]
)
def test_common_is_named_in_a_fifth_of_the_documents_and_more_than_six(
    documents: int, naming: int, common: bool
) -> None:
    pages = [Page(f"{n}.md") for n in range(documents)]
    for n, page in enumerate(pages):
        page.say(p("subject", "Pike" if n < naming else "Bo"), v("sleep", "sleeps"))
    known = knowledge(*pages, names={"Pike": "PRODUCT"})
    assert known.entities.is_common(known.entities["e:Pike"]) is common


def test_type_noun_is_voted_by_what_the_corpus_says() -> None:
    page = Page("a.md")
    for kind in ("a small sensor", "a sensor", "a toy"):
        page.say(p("subject", "Pike", NAMED), v("be", "is"), p("attribute", kind, "nominal indefinite"))
    page.say(p("subject", "Wren", NAMED), v("be", "is"), p("attribute", "the scheduler", "nominal definite"))
    known = knowledge(page, names={"Pike": "PRODUCT", "Wren": "PRODUCT", "Tern": "PRODUCT", "Salina mill": "ORG"})
    kinds = {
        name: known.entities.type_noun(known.entities[f"e:{name}"]) for name in ("Pike", "Wren", "Tern", "Salina mill")
    }
    assert kinds == {"Pike": "sensor", "Wren": "", "Tern": "", "Salina mill": "mill"}


@pytest.mark.parametrize(
    ("verb", "attribute"),
    [
        (v("be", "is not", negated=True), p("attribute", "a sensor", "nominal indefinite")),
        (v("become", "becomes"), p("attribute", "a sensor", "nominal indefinite")),
        (v("be", "is"), p("attribute", "a Sensor", "nominal indefinite proper")),
    ],
    ids=["denied", "other verb", "a name"],
)
def test_a_fact_that_does_not_state_the_type_has_no_vote(verb: object, attribute: object) -> None:
    page = Page("a.md")
    page.say(p("subject", "Pike", NAMED), verb, attribute)  # type: ignore[arg-type]
    known = knowledge(page, names={"Pike": "PRODUCT"})
    assert known.entities.type_noun(known.entities["e:Pike"]) == ""


@pytest.mark.parametrize(("kinds", "noun"), [(("a toy", "a sensor"), ""), (("a toy", "a sensor", "a toy"), "toy")])
def test_a_type_needs_more_than_half_of_the_votes(kinds: tuple[str, ...], noun: str) -> None:
    page = Page("a.md")
    for kind in kinds:
        page.say(p("subject", "Pike", NAMED), v("be", "is"), p("attribute", kind, "nominal indefinite"))
    known = knowledge(page, names={"Pike": "PRODUCT"})
    assert known.entities.type_noun(known.entities["e:Pike"]) == noun


def test_a_corpus_is_technical_when_more_than_one_name_in_twenty_is_code() -> None:
    page = Page("a.md")
    page.say(p("subject", "Pike", NAMED), v("sleep", "sleeps"))
    names = {f"Pike {n}": "ORG" for n in range(19)}
    assert not knowledge(page, names=names | {"run": "CODE"}).entities.is_technical
    assert knowledge(page, names=names | {"run": "CODE", "stop": "CODE"}).entities.is_technical


def test_persons_have_full_names_without_common_nouns() -> None:
    page = Page("a.md")
    page.say(p("subject", "the miller", "nominal definite"), v("see", "sees"), p("object", "Ada Lind", NAMED))
    known = knowledge(page, names={"Ada Lind": "PERSON", "Ada": "PERSON", "Miller Lind": "PERSON", "Bo Lind": "ORG"})
    people = {
        name: known.entities.is_person(known.entities[f"e:{name}"])
        for name in ("Ada Lind", "Ada", "Miller Lind", "Bo Lind")
    }
    assert people == {"Ada Lind": True, "Ada": False, "Miller Lind": False, "Bo Lind": False}


def test_places_and_capitals_come_from_the_names() -> None:
    mention = (Mention("x", "GPE", "a", 0, 1),)
    entities = [
        Entity("1", "Nova Scotia", "GPE", ("Nova Scotia", "the Province"), mention),
        Entity("2", "dry ice", "TERM", ("dry ice", "Ice"), mention),
        Entity("3", "Pike of old", "PRODUCT", ("Pike of old",), mention),
    ]
    known = Knowledge(nx.MultiDiGraph(), [], [], [], entities, np.zeros((0, 2), np.float32))
    assert known.entities.is_place("the Province")
    assert not known.entities.is_place("Pike of old")
    assert known.entities.proper_words == {"Nova", "Scotia", "Province", "Pike"}


def test_facts_are_found_by_sentence() -> None:
    page = Page("a.md")
    page.say(p("subject", "Ada"), v("sleep", "sleeps"))
    two = page.say(p("subject", "Bo"), v("sleep", "slept", "VBD"))
    known = knowledge(page)
    assert known.statements.facts_ending_at("a.md", two.end) == [two]


def test_a_common_word_loses_the_capital_that_opens_its_sentence() -> None:
    page = Page("a.md")
    for _ in range(4):
        page.say(p("subject", "Ada", NAMED), v("like", "likes"), p("object", "drying"))
    for subject in ("Drying barrels", "Ada", "Python"):
        page.say(p("subject", subject), v("help", "helps"), p("object", "the `python` command of Python"))
    settled = {fact.phrases[0].text: fact.phrases[0].has("lowerable") for fact in knowledge(page).statements.facts}
    assert settled == {"Ada": False, "Drying barrels": True, "Python": False}
