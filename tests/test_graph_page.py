"""The graph as GraphML and as a page: attributes, layout, the path of each question, and the command."""

from __future__ import annotations

import io
import json
from pathlib import Path

import networkx as nx
import pytest
from bs4 import BeautifulSoup
from click.testing import CliRunner, Result
from planted import knowledge_of
from report_sets import HOSTILE, graph

from kgsynth.base.records import Document, Item, Span
from kgsynth.cli import main
from kgsynth.generation.graph.storage import graphml, save
from kgsynth.generation.graph_layout import NODE_DISTANCE, layout
from kgsynth.generation.graph_page import MAX_NODES_DRAWN, NODES, QuestionPaths, page
from kgsynth.golden.dataset import write

SMALL = graph(200)


def data(html: str) -> dict[str, list[list[object]]]:
    found = BeautifulSoup(html, "html.parser").find(id="data")
    assert found is not None
    told: dict[str, list[list[object]]] = json.loads(found.get_text())
    return told


def command(*arguments: object) -> Result:
    return CliRunner().invoke(main, ["graph", "-q", *map(str, arguments)])


# ---- GraphML ---------------------------------------------------------------------------------------


def test_graphml_reads_back_with_every_attribute_as_text_or_number() -> None:
    made = graph(80)
    made.add_node("odd", kind="value", name="a\x00b\x0bc", label="", nothing=None, path=("A", "B"))
    back = nx.read_graphml(io.BytesIO(graphml(made)), force_multigraph=True)
    assert set(back) == set(made) and back.number_of_edges() == made.number_of_edges()
    assert back.nodes["odd"] == {"kind": "value", "name": "a�b�c", "label": "", "path": "A | B"}
    assert back.nodes["c-000-1"]["start"] == 20
    mentions = [edge for _, _, edge in back.edges(data=True) if edge["kind"] == "mentions"]
    assert mentions[0]["spans"] == "1-2 | 5-9"
    facts = [edge for _, _, edge in back.edges(data=True) if edge["kind"] == "fact"]
    assert (facts[0]["predicate"], facts[0]["qualifiers"]) == ("keep", "time: now")


def test_equal_graphs_are_equal_bytes_in_whatever_order_they_were_built() -> None:
    turned = nx.MultiDiGraph()
    turned.add_nodes_from(reversed(list(SMALL.nodes(data=True))))
    turned.add_edges_from(reversed(list(SMALL.edges(keys=True, data=True))))
    assert graphml(turned) == graphml(SMALL)


# ---- the layout ------------------------------------------------------------------------------------


def test_nodes_are_drawn_apart_and_near_their_document() -> None:
    places = layout(SMALL)
    assert layout(SMALL) == places
    assert len(set(places.values())) == len(SMALL), "no two in one place"
    for node, attributes in SMALL.nodes(data=True):
        if attributes["kind"] == "chunk":
            x, y = places[attributes["doc"]]
            assert abs(places[node][0] - x) + abs(places[node][1] - y) < 12 * NODE_DISTANCE


def test_nodes_without_edges_are_placed() -> None:
    lonely = nx.MultiDiGraph()
    lonely.add_nodes_from((f"e-{at}", {"kind": "entity", "name": "x", "label": "", "forms": ()}) for at in range(5))
    assert len(set(layout(lonely).values())) == 5


# ---- the page --------------------------------------------------------------------------------------


def test_the_page_contains_every_node_and_edge_and_escapes_documents() -> None:
    html = page(SMALL, {}, (), ["All chunks are connected."], f"docs {HOSTILE}").html
    told = data(html)
    assert len(told["nodes"]) == len(SMALL) and len(told["edges"]) == SMALL.number_of_edges()
    scripts = BeautifulSoup(html, "html.parser").find_all("script")
    assert [script.get("type") for script in scripts] == [None, "application/json", None]
    assert "<script>alert" not in html and "All chunks are connected." in html
    labels = {node[3] for node in told["nodes"] if node[0] == list(NODES).index("document")}
    assert all(label.startswith("Depot") for label in map(str, labels))


def test_of_a_large_graph_documents_and_nodes_with_most_edges_are_drawn() -> None:
    large = graph(400)
    large.add_nodes_from((f"v-{at:05}", {"kind": "value", "name": "x", "label": ""}) for at in range(MAX_NODES_DRAWN))
    shown = page(large, {}, (), [], "large")
    assert (
        shown.drawn == MAX_NODES_DRAWN
        and f"{len(large) - MAX_NODES_DRAWN:,} nodes with the fewest edges are not drawn" in shown.html
    )
    kinds = [node[0] for node in data(shown.html)["nodes"]]
    assert kinds.count(0) == sum(kind == "document" for _, kind in large.nodes(data="kind"))


# ---- the path of a question ------------------------------------------------------------------------

STAFF = "# Staff\n\nThe Kiel depot is led by Ada Berg, who keeps its keys."
YEARS = "# Years\n\nAda Berg joined the company in 2003."


def test_a_path_goes_through_the_entity_that_links_two_chunks_to_the_answer() -> None:
    knowledge = knowledge_of({"staff.md": STAFF, "years.md": YEARS})
    documents = {each.id: each for each in knowledge.documents.values()}
    led = _span(documents["staff.md"], "The Kiel depot is led by Ada Berg")
    joined = _span(documents["years.md"], "Ada Berg joined the company in 2003.")
    facts = [key for _, _, key, of in knowledge.graph.edges(keys=True, data=True) if of.get("doc") == "years.md"]
    fact = next(key for key in facts if key.startswith("f-"))
    steps = [{"fact": "f-0", "entity": "Ada Berg"}, {"fact": fact, "entity": "Ada Berg"}]
    item = Item("q-1", "When?", ("2003",), "multi_context", "bridge", "en", ((led,), (joined,)), {"steps": steps})
    path = QuestionPaths(knowledge.graph).path_of(item)
    kinds = [knowledge.graph.nodes[node]["kind"] for node in path]
    names = [knowledge.graph.nodes[node].get("name", knowledge.graph.nodes[node].get("doc")) for node in path]
    assert kinds[:3] == ["chunk", "entity", "chunk"] and names[:3] == ["staff.md", "Ada Berg", "years.md"]
    assert names[3:] in ([], ["2003"]), "the answer, where it is a node of its own"


def test_a_question_of_another_set_has_no_path() -> None:
    item = Item("q-1", "Who?", ("Ada",), "simple", "factoid", "en", ((Span("gone.md", 0, 3, "Ada"),),))
    assert QuestionPaths(SMALL).path_of(item) == []


def _span(document: Document, text: str) -> Span:
    start = document.text.index(text)
    return document.span(start, start + len(text))


# ---- the command -----------------------------------------------------------------------------------


def test_the_page_of_a_run_has_its_questions(tmp_path: Path) -> None:
    run = tmp_path / "run"
    run.mkdir()
    (run / "state.json").write_text("{}")
    assert command(run).exit_code == 3, "a run without a graph is told so"
    save(SMALL, run / "graph.json")
    (run / "documents.jsonl").write_text("")
    item = Item("q-1", f"Who? {HOSTILE}", ("Ada",), "simple", "factoid", "en", ((Span("d000.md", 25, 30, "Ada"),),))
    write([item], run / "golden.jsonl")
    done = command(run)
    assert done.exit_code == 0, done.output
    assert f"page: {run / 'graph.html'}" in done.stdout and "The graph has " in done.stdout
    told = data((run / "graph.html").read_text(encoding="utf-8"))
    question = dict(told["questions"][0])
    nodes = sorted(SMALL)
    assert question["question"] == f"Who? {HOSTILE}" and [nodes[at] for at in question["path"]] == ["c-000-1"]
    assert (run / "graph.graphml").stat().st_size > 1000


@pytest.mark.usefixtures("hashed")
def test_the_graph_of_documents_is_built_and_generate_resumes_from_it(tmp_path: Path) -> None:
    docs = tmp_path / "docs"
    docs.mkdir()
    (docs / "staff.md").write_text(STAFF)
    (docs / "years.md").write_text(YEARS)
    (docs / "plan.png").touch()
    done = CliRunner().invoke(main, ["graph", str(docs), "-o", str(tmp_path / "out")])
    assert done.exit_code == 0, done.output
    assert "1 file not read:\n  plan.png: a picture; kgsynth reads text only" in done.stderr
    assert {"graph.json", "graph.graphml", "graph.html", "state.json"} <= {
        path.name for path in (tmp_path / "out").iterdir()
    }
    assert data((tmp_path / "out" / "graph.html").read_text(encoding="utf-8"))["questions"] == []
    before = (tmp_path / "out" / "analysis.jsonl").stat().st_mtime_ns
    made = CliRunner().invoke(main, ["generate", "-q", str(docs), "-o", str(tmp_path / "out")])
    assert made.exit_code == 0, made.output
    assert (tmp_path / "out" / "analysis.jsonl").stat().st_mtime_ns == before, "what was parsed is not parsed again"
