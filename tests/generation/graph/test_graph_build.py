"""The graph of two small planted documents, with every node and edge worked out by hand, and its file and health."""

from __future__ import annotations

import json
from pathlib import Path

import networkx as nx
import numpy as np
import pytest
from doubles import HashingEncoder
from planted import analysis, chunk, document, fact, mention, phrase, sentence

from kgsynth.base.errors import InputError
from kgsynth.base.records import Analysis, Chunk, Document, Fact, Verb, content_id
from kgsynth.base.vocabulary import StructureKind
from kgsynth.documents.assembly import assemble
from kgsynth.documents.readers.markdown import read
from kgsynth.evidence.statements import ChunkIndex
from kgsynth.generation.graph.build import build, chunks_containing, rows_left_out
from kgsynth.generation.graph.entities import resolve_entities
from kgsynth.generation.graph.health import Health, health, in_words
from kgsynth.generation.graph.storage import load, save

ONE = document(
    "one.md",
    "Ada Byron leads the Billing Team in Leeds. Ada Byron left Acme in 1843. The Billing Team must not use Kafka.",
    [("Teams", 1, 0), ("Rules", 2, 72)],
)
TWO = document("two.md", "Kafka stores events for seven days. The ATC said so.")
LEADS, LEFT, USE = (text + "." for text in ONE.text[:-1].split(". "))


def facts() -> tuple[Fact, Fact, Fact, Fact]:
    return (
        fact(
            ONE,
            LEADS,
            Verb("lead", "leads", "VBZ"),
            phrase(ONE, "subject", "Ada Byron", "byron"),
            phrase(ONE, "object", "the Billing Team", "team"),
            phrase(ONE, "place", "in Leeds", "leeds", marker="in"),
        ),
        fact(
            ONE,
            LEFT,
            Verb("leave", "left", "VBD"),
            phrase(ONE, "subject", "Ada Byron", "byron"),
            phrase(ONE, "object", "Acme", "acme"),
            phrase(ONE, "time", "in 1843", "1843", marker="in", label="DATE"),
        ),
        fact(
            ONE,
            USE,
            Verb("use", "use", "VB", negated=True, modal="must"),
            phrase(ONE, "subject", "The Billing Team", "team"),
            phrase(ONE, "object", "Kafka", "kafka"),
        ),
        fact(
            TWO,
            "Kafka stores events for seven days.",
            Verb("store", "stores", "VBZ"),
            phrase(TWO, "subject", "Kafka", "kafka"),
            phrase(TWO, "object", "events", "event"),
            phrase(TWO, "time", "for seven days", "day", marker="for", label="DATE"),
        ),
    )


def planted() -> tuple[list[Document], list[Chunk], list[Analysis]]:
    second = ONE.text.index("Ada Byron left")
    chunks = [chunk(ONE, 0, 71, 1), chunk(ONE, 72, len(ONE.text), 2), chunk(TWO, 0, len(TWO.text))]
    leads, left, use, stores = facts()
    mentions = [
        mention(ONE, "Ada Byron", "PERSON"),
        mention(ONE, "Billing Team", "ORG"),
        mention(ONE, "Leeds", "GPE"),
        mention(ONE, "Ada Byron", "PERSON", second),
        mention(ONE, "Acme", "ORG"),
        mention(ONE, "Billing Team", "ORG", second),
        mention(ONE, "Kafka", "PRODUCT"),
    ]
    ambiguous = (("Billing Team", "ATC"), ("Acme", "ATC"))
    return (
        [ONE, TWO],
        chunks,
        [
            analysis("one.md", mentions=mentions, facts=[leads, left, use], aliases=ambiguous),
            analysis("two.md", mentions=[mention(TWO, "Kafka", "PRODUCT"), mention(TWO, "ATC", "ORG")], facts=[stores]),
        ],
    )


@pytest.fixture
def graph() -> nx.MultiDiGraph:
    documents, chunks, analyses = planted()
    vectors = HashingEncoder().encode([each.text for each in chunks])
    return build(documents, chunks, analyses, resolve_entities(analyses), vectors)


def edges(graph: nx.MultiDiGraph, kind: str) -> set[tuple[str, str]]:
    """The edges of one kind, nodes by name or title where they have one, chunks as doc:start."""

    def shown(node: str) -> str:
        data = graph.nodes[node]
        return str(data.get("name") or data.get("title") or f"{data['doc']}:{data['start']}")

    return {(shown(one), shown(other)) for one, other, data in graph.edges(data=True) if data["kind"] == kind}


def test_structure(graph: nx.MultiDiGraph) -> None:
    assert edges(graph, "contains") == {
        ("one.md", "Teams"),
        ("Teams", "Rules"),  # a section of level 2 is below the one of level 1
        ("Teams", "one.md:0"),
        ("Rules", "one.md:72"),
        ("two.md", "two.md:0"),  # the first section of a document is the document
    }
    assert edges(graph, "next") == {("one.md:0", "one.md:72")}  # never from one document to another
    kinds = sorted(kind for _, kind in graph.nodes(data="kind"))
    assert kinds == sorted(["document"] * 2 + ["section"] * 2 + ["chunk"] * 3 + ["entity"] * 6 + ["value"] * 3)


def test_a_chunk_mentions_an_entity_once_with_all_places(graph: nx.MultiDiGraph) -> None:
    documents, chunks, analyses = planted()
    ada = next(entity for entity in resolve_entities(analyses) if entity.name == "Ada Byron")
    data = graph.edges[chunks[0].id, ada.id, "mentions"]
    assert [ONE.text[start:end] for start, end in data["spans"]] == ["Ada Byron", "Ada Byron"]
    assert ("one.md:72", "Kafka") in edges(graph, "mentions")
    assert ("two.md:0", "Kafka") in edges(graph, "mentions")
    assert len(edges(graph, "mentions")) == 8
    assert documents[0].id in graph


def test_facts_run_from_the_subject_to_entities_and_values(graph: nx.MultiDiGraph) -> None:
    assert edges(graph, "fact") == {
        ("Ada Byron", "Billing Team"),
        ("Ada Byron", "Leeds"),
        ("Ada Byron", "Acme"),
        ("Ada Byron", "1843"),
        ("Billing Team", "Kafka"),
        ("Kafka", "events"),  # no entity, so its text is a value
        ("Kafka", "seven days"),
    }


def test_a_fact_has_predicate_polarity_modality_and_qualifiers(graph: nx.MultiDiGraph) -> None:
    by_name = {data.get("name"): node for node, data in graph.nodes(data=True)}
    leads, left, use, _ = facts()
    found = graph.edges[by_name["Billing Team"], by_name["Kafka"], use.id]
    assert (found["predicate"], found["polarity"], found["modality"]) == ("use", "negative", "must")
    assert ONE.text[found["start"] : found["end"]] == USE
    year = graph.edges[by_name["Ada Byron"], by_name["1843"], left.id]
    assert (year["polarity"], year["qualifiers"], year["role"]) == ("positive", {"time": "in 1843"}, "time")
    assert graph.nodes[by_name["1843"]] == {"kind": "value", "name": "1843", "label": "DATE"}
    assert by_name["1843"] == content_id("v", "1843")
    assert year["chunk"] == planted()[1][0].id
    assert graph.edges[by_name["Ada Byron"], by_name["Leeds"], leads.id]["qualifiers"] == {"place": "in Leeds"}


def test_a_subject_that_names_no_entity_is_a_value_so_that_no_fact_is_lost() -> None:
    source = document("d", "The council meets in Leeds.")
    subject = phrase(source, "subject", "The council", "council")
    meets = fact(source, source.text, Verb("meet", "meets", "VBZ"), subject, phrase(source, "place", "Leeds", "leeds"))
    parts = [analysis("d", mentions=[mention(source, "Leeds", "GPE")], facts=[meets])]
    made = build([source], [chunk(source, 0, 27)], parts, resolve_entities(parts), np.ones((1, 1), dtype=np.float32))
    assert edges(made, "fact") == {("The council", "Leeds")}


def test_the_subject_is_the_mention_with_the_head_not_the_longest() -> None:
    text = "The Billing Platform team in Kuala Lumpur Central uses Kafka."
    source = document("d", text)
    subject = phrase(source, "subject", "The Billing Platform team in Kuala Lumpur Central", "team")
    use = fact(source, text, Verb("use", "uses", "VBZ"), subject, phrase(source, "object", "Kafka", "kafka"))
    names = [("Billing Platform team", "TERM"), ("Kuala Lumpur Central", "FAC"), ("Kafka", "PRODUCT")]
    parts = [analysis("d", mentions=[mention(source, *each) for each in names], facts=[use])]
    made = build(
        [source], [chunk(source, 0, len(text))], parts, resolve_entities(parts), np.ones((1, 1), dtype=np.float32)
    )
    assert edges(made, "fact") == {("Billing Platform team", "Kafka")}


def test_an_ambiguous_short_form_keeps_alias_edges(graph: nx.MultiDiGraph) -> None:
    assert edges(graph, "alias") == {("Billing Team", "ATC"), ("Acme", "ATC")}
    assert {data["form"] for _, _, data in graph.edges(data=True) if data["kind"] == "alias"} == {"ATC"}


def test_similar_chunks_and_summaries_are_joined() -> None:
    words = "lease cache node expiry"
    sources = [document(f"{n}.md", "x" * 400) for n in range(3)]
    parts = [analysis(s.id, sentences=[sentence(s.id, 100 * i, f"{words} {i}") for i in range(4)]) for s in sources]
    chunks = [chunk(source, 0, 400) for source in sources]
    vectors = np.array([[1, 0], [0.8, 0.6], [0, -1]], dtype=np.float32)
    made = build(sources, chunks, parts, [], vectors)
    assert edges(made, "similar") == {("0.md:0", "1.md:0")}
    assert made.edges[chunks[0].id, chunks[1].id, "similar"]["weight"] == 0.8
    summary = {data["doc"]: node for node, data in made.nodes(data=True) if data["kind"] == "summary"}
    assert made.edges[summary["0.md"], summary["1.md"], "summary_similar"]["weight"] == 0.8
    assert made.has_edge(summary["2.md"], "2.md", "summarizes")
    assert made.nodes[summary["0.md"]]["text"].startswith(words)
    assert sum(data["kind"] == "summary_similar" for _, _, data in made.edges(data=True)) == 1


def test_a_span_beyond_a_chunk_belongs_to_where_it_starts_and_one_in_an_overlap_to_both() -> None:
    source = document("d", "x" * 100)
    apart = ChunkIndex([chunk(source, 0, 50), chunk(source, 50, 100)])
    assert chunks_containing(apart, "d", 10, 20) == [0]
    assert chunks_containing(apart, "d", 45, 55) == [0]
    assert chunks_containing(apart, "d", 50, 55) == [1]
    assert chunks_containing(apart, "other", 0, 5) == []
    over = ChunkIndex([chunk(source, 20, 60), chunk(source, 0, 40), chunk(source, 70, 90)])
    assert chunks_containing(over, "d", 25, 35) == [1, 0]
    assert chunks_containing(over, "d", 35, 45) == [0]
    assert chunks_containing(over, "d", 62, 65) == []  # between two chunks


def test_the_numbers_of_vectors_and_chunks_must_agree() -> None:
    documents, chunks, analyses = planted()
    with pytest.raises(InputError, match="2 vectors for 3 chunks"):
        build(documents, chunks, analyses, [], np.ones((2, 4), dtype=np.float32))


def test_an_empty_corpus_gives_an_empty_graph() -> None:
    assert not build([], [], [], [], np.zeros((0, 4), dtype=np.float32))


def test_a_saved_graph_loads_unchanged(graph: nx.MultiDiGraph, tmp_path: Path) -> None:
    save(graph, tmp_path / "graph.json")
    back = load(tmp_path / "graph.json")
    assert nx.utils.graphs_equal(back, graph)  # nodes, edges, keys and all attributes, tuples as tuples
    assert [each.name for each in tmp_path.iterdir()] == ["graph.json"]  # nothing temporary is left


def test_the_file_has_the_format_of_networkx(graph: nx.MultiDiGraph, tmp_path: Path) -> None:
    save(graph, tmp_path / "graph.json")
    theirs = nx.node_link_graph(json.loads((tmp_path / "graph.json").read_text(encoding="utf-8")), edges="edges")
    assert set(theirs.nodes) == set(graph.nodes)
    assert set(theirs.edges(keys=True)) == set(graph.edges(keys=True))


def test_the_order_of_building_does_not_show_in_the_file(graph: nx.MultiDiGraph, tmp_path: Path) -> None:
    other = nx.MultiDiGraph()
    other.add_nodes_from(reversed(list(graph.nodes(data=True))))
    other.add_edges_from(reversed(list(graph.edges(keys=True, data=True))))
    save(graph, tmp_path / "one.json")
    save(other, tmp_path / "other.json")
    assert (tmp_path / "one.json").read_bytes() == (tmp_path / "other.json").read_bytes()


def test_a_failed_save_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "graph.json"
    path.write_text("old")
    broken = nx.MultiDiGraph()
    broken.add_node("a", kind=object())
    with pytest.raises(TypeError):
        save(broken, path)
    assert path.read_text() == "old"


@pytest.mark.parametrize("text", ["not json", "[]", "{}", '{"nodes": [{"kind": "chunk"}], "edges": []}'])
def test_a_file_that_is_not_a_graph_is_named(text: str, tmp_path: Path) -> None:
    (tmp_path / "graph.json").write_text(text)
    with pytest.raises(InputError, match=r"graph\.json' is not a graph"):
        load(tmp_path / "graph.json")


def test_a_graph_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no graph at"):
        load(tmp_path / "graph.json")


def test_health_of_the_planted_graph(graph: nx.MultiDiGraph) -> None:
    found = health(graph)
    assert (found.chunks, found.entities, found.facts) == (3, 6, 4)
    assert found.isolated == ()
    assert found.components == 1  # Billing Team joins the first two chunks, Kafka the last two
    assert found.entity_coverage == 1
    assert found.without_facts == 0
    assert [name for name, _ in found.hubs][:2] == ["Billing Team", "Kafka"]  # two chunks of three each


def test_health_counts_chunks_that_are_not_connected() -> None:
    made = nx.MultiDiGraph()
    made.add_nodes_from("abcdefgh", kind="chunk")
    made.add_node("e", kind="chunk")
    made.add_node("x", kind="entity", name="X")
    made.add_edge("a", "x", "mentions", kind="mentions")
    made.add_edge("b", "x", "mentions", kind="mentions")
    made.add_edge("c", "d", "similar", kind="similar", weight=0.9)
    made.add_edge("d", "e", "next", kind="next")  # neighbours in the text share nothing by that alone
    found = health(made)
    assert found == Health(8, 1, 0, ("e", "f", "g", "h"), 6, 0.25, 0.25, 1.0, 0.25, (("X", 0.25),))
    assert in_words(found) == [
        "The graph has 8 chunks, 1 entity and 0 facts.",
        "25 % of the chunks mention an entity; 100 % contain no fact between entities or values.",
        "A chunk has 0.2 similar chunks on average.",
        "The chunks fall into 6 groups, the largest with 25 % of them.",
        "4 chunks without a shared entity and without a similar chunk: no question over several chunks can use them.",
        "Named in more than 20 % of the chunks, so too common to tell them apart: X (25 %).",
    ]


# ---- what the layout says ----------------------------------------------------------------------------

PLANS = """# Plans

| Plan | Price |
|---|---|
| Team | $5 |

## Billing

You can pay by:

- card
- bank transfer

> **Warning:** A plan without a card ends after 30 days. See [keys](keys.md).
"""
KEYS = """# Keys

## How to rotate a key

1. Open settings.
2. Choose Rotate.

- `ttl`: how long a key lives.
- `Team`: its owner.
"""


def laid_out() -> nx.MultiDiGraph:
    documents = [
        assemble(read(text), id=name, format="md", sha256="") for name, text in (("plans.md", PLANS), ("keys.md", KEYS))
    ]
    chunks = [Chunk(f"c-{one.id}", one.id, one.sections[0].id, 0, len(one.text), one.text) for one in documents]
    vectors = np.eye(2, dtype=np.float32)
    return build(documents, chunks, [Analysis(one.id, (), (), ()) for one in documents], [], vectors)


def said(graph: nx.MultiDiGraph) -> set[tuple[str, str, str]]:
    """The edges of the layout: the name or title of the source, the kind, the name or title of the target."""
    nodes = graph.nodes
    return {
        (nodes[one].get("name") or nodes[one]["title"], data["kind"], nodes[other].get("name") or nodes[other]["title"])
        for one, other, data in graph.edges(data=True)
        if data["kind"] in set(StructureKind)
    }


def test_layout_leads_from_row_heads_terms_tasks_and_sections() -> None:
    assert said(laid_out()) == {
        ("Team", "cell", "$5"),
        ("Billing", "member", "card"),
        ("Billing", "member", "bank transfer"),
        ("Billing", "warning", "A plan without a card ends after 30 days. See keys."),
        ("Billing", "see", "Keys"),
        ("How to rotate a key", "procedure", "Open settings."),
        ("How to rotate a key", "procedure", "Choose Rotate."),
        ("How to rotate a key", "answers", "Open settings. Choose Rotate. ttl: how long a key lives. Team: its owner."),
        ("ttl", "definition", "how long a key lives."),
        ("Team", "definition", "its owner."),
    }


def test_a_row_head_and_a_term_of_one_name_are_one_entity() -> None:
    graph = laid_out()
    teams = [node for node, data in graph.nodes(data=True) if data.get("name") == "Team"]
    assert [graph.nodes[node]["kind"] for node in teams] == ["entity"]
    assert {graph.edges[edge]["doc"] for edge in graph.out_edges(teams, keys=True)} == {"plans.md", "keys.md"}


def test_a_cell_rests_on_its_two_heads_and_itself() -> None:
    (cell,) = (data for *_, data in laid_out().edges(data=True) if data["kind"] == "cell")
    assert [PLANS[start:end].strip("| ") for start, end in cell["spans"]] == ["Team", "Price", "$5"]
    assert (cell["name"], cell["doc"], cell["chunk"]) == ("Price", "plans.md", "c-plans.md")


def test_a_long_table_is_in_the_graph_with_its_first_rows_and_that_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    table = "| Plan | Price |\n|---|---|\n" + "".join(f"| Plan {n} | {n} euros |\n" for n in range(9))
    page = assemble(read(table), id="plans.md", format="md", sha256="")

    def cells() -> int:
        made = build([page], [], [], [], np.zeros((0, 4), dtype=np.float32))
        return sum(kind == "cell" for _, _, kind in made.edges(data="kind"))

    assert cells() == 9
    assert list(rows_left_out([page])) == []
    monkeypatch.setattr("kgsynth.generation.graph.build.MAX_TABLE_ROWS", 4)
    assert cells() == 3, "the first row is the head"
    assert list(rows_left_out([page])) == [
        ("plans.md", "the cells of the first 4 of 10 rows of a table are in the graph")
    ]
