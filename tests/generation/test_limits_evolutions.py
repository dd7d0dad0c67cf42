"""Each limit of graph and evolutions is moved, and a planted corpus shows which entity, edge or scenario changes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import networkx as nx
import numpy as np
from numpy.typing import NDArray
from planted import analysis, document, named, sentence
from planted_facts import Page, knowledge, p, v

from kgsynth.base.records import Phrase, Sentence
from kgsynth.generation.evolutions import EVOLUTIONS
from kgsynth.generation.evolutions.eligibility import anchor
from kgsynth.generation.evolutions.unanswerable import kind_of, swaps
from kgsynth.generation.graph.entities import resolve_entities
from kgsynth.generation.graph.health import health
from kgsynth.generation.graph.summaries import choose, summaries

Move = Callable[[str, float], None]
NAMED = "nominal named proper"
THING = "nominal modified"


def unit(*rows: Sequence[float]) -> NDArray[np.float32]:
    array = np.array(rows, dtype=np.float64)
    return (array / np.linalg.norm(array, axis=1, keepdims=True)).astype(np.float32)


# ---- graph -----------------------------------------------------------------------------------------


def entity_labels(*labelled: tuple[str, str]) -> dict[str, str]:
    return {e.name: e.label for e in resolve_entities([analysis("a", mentions=named("a", *labelled))])}


def test_a_full_name_has_more_votes_on_the_type(move: Move) -> None:
    labels = [("Nikola Tesla", "PERSON"), ("Tesla", "PERSON"), ("Tesla", "ORG"), ("Tesla", "ORG")]
    assert entity_labels(*labels) == {"Nikola Tesla": "PERSON"}, "3 + 1 votes against 2"
    move("full_name_votes", 1)
    assert entity_labels(*labels) == {"Tesla": "ORG"}, "two votes each: the first label by alphabet"


def test_a_surname_must_often_be_read_as_a_person(move: Move) -> None:
    labels = [("George Washington", "PERSON"), ("Washington", "PERSON"), *[("Washington", "GPE")] * 9]
    assert set(entity_labels(*labels)) == {"George Washington", "Washington"}
    move("surname_person_share", 0.1)
    assert len(entity_labels(*labels)) == 1, "one mention of ten is a person"


def similar_links() -> set[tuple[int, int]]:
    """The similar chunks of three, whose cosines are 0.8, 0.6 and 0."""
    page = Page("a.md")
    for name in ("Ada", "Bo", "Cy"):
        page.say(p("subject", name, NAMED), v("sleep", "sleeps"))
    known = knowledge(page, vectors=unit([1, 0], [0.8, 0.6], [0, 1]))
    numbers = {chunk.id: number for number, chunk in enumerate(known.chunks)}
    edges = known.graph.edges(data="kind")
    return {(numbers[one], numbers[other]) for one, other, kind in edges if kind == "similar"}


def test_a_chunk_is_linked_to_its_most_similar_ones(move: Move) -> None:
    assert similar_links() == {(0, 1), (1, 2)}
    move("similar_chunks", 1)
    assert similar_links() == {(0, 1)}, "of the two neighbours of 1 the nearest"


def test_linked_chunks_are_similar_enough(move: Move) -> None:
    assert similar_links() == {(0, 1), (1, 2)}
    move("similar_cosine", 0.7)
    assert similar_links() == {(0, 1)}, "1 and 2 have 0.6"


def sentences(*texts: str) -> list[Sentence]:
    return [sentence("d", 50 * n, text) for n, text in enumerate(texts)]


def chosen(*texts: str) -> list[str]:
    return [each.text for each in choose(sentences(*texts), {})]


FILLERS = [f"alpha{n} beta{n} gamma{n} delta{n}" for n in range(40)]


def test_a_short_text_has_no_summary(move: Move) -> None:
    source, read = document("d", "x" * 500), analysis("d", sentences=sentences(*FILLERS[:3]))
    assert not list(summaries([source], [read]))
    move("summary_min_text", 3)
    assert [summary.of for summary in summaries([source], [read])] == ["d"]


def test_a_summary_has_few_sentences(move: Move) -> None:
    assert len(chosen(*FILLERS)) == 3
    move("summary_max_sentences", 4)
    assert len(chosen(*FILLERS)) == 4


def test_a_summary_has_a_share_of_the_sentences(move: Move) -> None:
    assert len(chosen(*FILLERS[:16])) == 2
    move("summary_share", 1 / 16)
    assert len(chosen(*FILLERS[:16])) == 1


def test_the_first_sentence_of_a_text_scores_higher(move: Move) -> None:
    """Cosines to the centroid are 0.884 and 0.972; with the bonus 1.105 and 1.094."""
    texts = ["lease cache node other", "lease cache node expiry", "lease cache node expiry"]
    assert chosen(*texts) == [texts[0]]
    move("summary_lead_bonus", 0)
    assert chosen(*texts) == [texts[1]]


def test_a_short_sentence_is_not_in_a_summary(move: Move) -> None:
    texts = ["lease cache node", "lease cache node expiry"]
    assert chosen(*texts) == [texts[1]]
    move("summary_min_lemmas", 3)
    assert chosen(*texts) == [texts[0]], "both are as central, and it is the first"


def test_an_entity_in_many_chunks_is_a_hub(move: Move) -> None:
    graph = nx.MultiDiGraph()
    graph.add_nodes_from("abcd", kind="chunk")
    graph.add_node("x", kind="entity", name="X")
    graph.add_edge("a", "x", kind="mentions")
    assert health(graph).hubs == (("X", 0.25),)
    move("hub_share", 0.25)
    assert health(graph).hubs == ()


# ---- one fact --------------------------------------------------------------------------------------

ADA = p("subject", "Ada Lind", NAMED)
RUNS = v("run", "runs")
MILLS = p("object", "mills")
OLD_MILL = p("object", "the old mill", THING)


def answers(subtype: str, *parts: Phrase | object) -> list[str]:
    """The phrases that a subtype asks for in a corpus of one sentence."""
    page = Page("a.md")
    page.say(*parts)  # type: ignore[arg-type]
    return [s.facts[-1].phrases[s.asked].text for s in EVOLUTIONS[subtype](knowledge(page))]


def test_an_answer_is_short(move: Move) -> None:
    long = p("object", " ".join(["mill"] * 14))
    assert answers("factoid", ADA, RUNS, long) == [long.text]
    move("answer_max_words", 13)
    assert answers("factoid", ADA, RUNS, long) == []


def test_a_name_anchors_a_question(move: Move) -> None:
    assert answers("factoid", ADA, RUNS, MILLS) == ["mills"]
    move("name_anchor", 0)
    assert answers("factoid", ADA, RUNS, MILLS) == []


TERM = p("subject", "old smiths", THING)


def test_a_term_anchors_a_question(move: Move) -> None:
    assert answers("factoid", TERM, RUNS, MILLS) == ["mills"]
    move("term_anchor", 0)
    assert answers("factoid", TERM, RUNS, MILLS) == []


def test_a_term_has_several_content_words(move: Move) -> None:
    assert answers("factoid", TERM, RUNS, MILLS) == ["mills"]
    move("term_min_lemmas", 3)
    assert answers("factoid", TERM, RUNS, MILLS) == []


def test_only_the_strongest_phrases_anchor_a_question(move: Move) -> None:
    fact = Page("a.md").say(ADA, v("send", "sends"), p("object", "Pike", NAMED), p("place", "to Salina", NAMED, "to"))
    assert anchor(fact) == 4
    move("anchor_phrases", 1)
    assert anchor(fact) == 2


def test_a_question_needs_an_anchor(move: Move) -> None:
    assert answers("factoid", TERM, RUNS, MILLS) == ["mills"], "the term has weight 1"
    move("min_anchor", 2)
    assert answers("factoid", TERM, RUNS, MILLS) == []
    assert answers("factoid", ADA, RUNS, MILLS) == ["mills"], "a name has weight 2"


def test_a_condition_has_several_words(move: Move) -> None:
    when = p("condition", "when open", "verbal", "when")
    assert answers("explicit", ADA, RUNS, OLD_MILL, when) == []
    move("condition_min_words", 2)
    assert answers("explicit", ADA, RUNS, OLD_MILL, when) == ["Ada Lind", "the old mill", "when open"]


def test_an_explanation_has_several_words(move: Move) -> None:
    why = p("cause", "because floods", "verbal", "because")
    assert answers("cause", ADA, RUNS, OLD_MILL, why) == []
    move("explanation_min_words", 2)
    assert answers("cause", ADA, RUNS, OLD_MILL, why) == ["because floods"]


def test_an_explanation_with_a_pronoun_has_more_words(move: Move) -> None:
    why = p("cause", "because it is so", "verbal dangling", "because")
    assert answers("cause", ADA, RUNS, OLD_MILL, why) == []
    move("unclear_explanation_min_words", 4)
    assert answers("cause", ADA, RUNS, OLD_MILL, why) == ["because it is so"]


def test_a_definition_has_several_words(move: Move) -> None:
    parts = p("subject", "Pike", NAMED), v("be", "is"), p("attribute", "a sensor", THING)
    assert answers("definition", *parts) == []
    move("definition_min_words", 2)
    assert answers("definition", *parts) == ["a sensor"]


def test_what_is_defined_has_a_short_name(move: Move) -> None:
    parts = p("subject", "the large Pike depth sensor", NAMED), v("be", "is"), p("attribute", "a small tool", THING)
    assert answers("definition", *parts) == ["a small tool"]
    move("defined_max_words", 4)
    assert answers("definition", *parts) == []


# ---- several facts ---------------------------------------------------------------------------------

MILL = {"Salina mill": "ORG"}
THE_MILL = NAMED + " definite"


def test_a_fact_with_many_twins_is_not_scoped(move: Move) -> None:
    page = Page("a.md")
    for place, value in (("Norway", "five"), ("Poland", "ten"), ("Spain", "two")):
        logs = p("subject", "access logs", THING + " compound")
        kept = v("keep", "are kept", "VBP", passive=True)
        time = p("time", f"for {value} years", "nominal number", "for")
        page.say(logs, kept, time, p("place", f"in {place}", NAMED, "in"))
    assert len(list(EVOLUTIONS["scoped"](knowledge(page)))) == 3
    move("scoped_max_twins", 2)
    assert not list(EVOLUTIONS["scoped"](knowledge(page)))


# ---- partners --------------------------------------------------------------------------------------

NEAR_THE_LAST = unit([1, 0, 0.6], [0, 1, 0.4], [0, 0, 1])
"""Vectors of three chunks: the first two are nearest to the last one."""


# ---- swaps -----------------------------------------------------------------------------------------


def swapped(*more: Phrase) -> list[str]:
    """The entities about which one asks what Unit 1 measures; ``more`` phrases are in its sentence."""
    page, logs = Page("a.md"), p("object", "old logs", THING)
    page.say(p("subject", "Unit 1", NAMED), v("measure", "measures"), p("object", "the height of water", THING), *more)
    for number in (2, 3):
        page.say(p("subject", f"Unit {number}", NAMED), v("store", "stores"), logs)
    names = {f"Unit {number}": "PRODUCT" for number in (1, 2, 3)}
    known = knowledge(page, names=names, vectors=NEAR_THE_LAST)
    return [swap.ident for swap in swaps(known) if swap.role.fact.verb.lemma == "measure" and swap.asked == 1]


def test_a_fact_is_asked_about_the_most_similar_entities(move: Move) -> None:
    assert swapped() == ["e:Unit 3", "e:Unit 2"]
    move("swap_partners", 1)
    assert swapped() == ["e:Unit 3"]


def test_swap_partners_are_among_the_most_similar_facts(move: Move) -> None:
    assert swapped() == ["e:Unit 3", "e:Unit 2"]
    move("swap_window", 2)
    assert swapped() == ["e:Unit 3"], "the first of the two is the fact itself"


def test_a_swapped_fact_has_few_other_phrases(move: Move) -> None:
    place = p("place", "in Gdynia", NAMED, "in")
    assert swapped(place) == ["e:Unit 3", "e:Unit 2"]
    move("swap_max_phrases", 0)
    assert swapped(place) == []


def test_the_other_phrases_of_a_swapped_fact_are_short(move: Move) -> None:
    place = p("place", "in a very old Gdynia hall", NAMED, "in")
    assert swapped(place) == []
    move("swap_max_words", 6)
    assert swapped(place) == ["e:Unit 3", "e:Unit 2"]


def test_a_place_is_nearly_always_read_as_one(move: Move) -> None:
    page = Page("a.md")
    for _ in range(4):
        page.say(ADA, v("live", "lives"), p("place", "in Gdynia", NAMED, "in"))
    known = knowledge(page, names={"Gdynia": "GPE"})
    town = known.entities["e:Gdynia"]
    town = replace(town, mentions=(*town.mentions[:3], replace(town.mentions[3], label="ORG")))
    assert kind_of(known, town) == "", "three mentions of four"
    move("place_share", 0.75)
    assert kind_of(known, town) == "place"


def test_a_topic_is_mentioned_several_times(move: Move) -> None:
    page = Page("a.md")
    for thing in ("old logs", "new logs"):
        page.say(p("subject", "Unit 1", NAMED), v("store", "stores"), p("object", thing, THING))
    known = knowledge(page, names={"Unit 1": "PRODUCT"})
    assert not list(EVOLUTIONS["out_of_scope"](known))
    move("topic_min_mentions", 2)
    (found,) = EVOLUTIONS["out_of_scope"](known)
    assert found.links == (("e:Unit 1", 0, 0),)
