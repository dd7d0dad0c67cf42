"""The graph as GraphML: its attributes, and the command."""

from __future__ import annotations

import io
from pathlib import Path

import networkx as nx
import pytest
from click.testing import CliRunner, Result
from report_sets import graph

from kgsynth.cli import main
from kgsynth.generation.graph.storage import graphml, save

SMALL = graph(200)


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


# ---- the command -----------------------------------------------------------------------------------


def test_the_graph_of_a_run_is_written_beside_it(tmp_path: Path) -> None:
    run = tmp_path / "run"
    run.mkdir()
    (run / "state.json").write_text("{}")
    assert command(run).exit_code == 3, "a run without a graph is told so"
    save(SMALL, run / "graph.json")
    (run / "documents.jsonl").write_text("")
    done = command(run)
    assert done.exit_code == 0, done.output
    assert "The graph has " in done.stdout and str(run / "graph.graphml") in done.stdout
    assert (run / "graph.graphml").stat().st_size > 1000


STAFF = "# Staff\n\nThe Kiel depot is led by Ada Berg, who keeps its keys."
YEARS = "# Years\n\nAda Berg joined the company in 2003."


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
    assert {"graph.json", "graph.graphml", "state.json"} <= {path.name for path in (tmp_path / "out").iterdir()}
    before = (tmp_path / "out" / "analysis.jsonl").stat().st_mtime_ns
    made = CliRunner().invoke(main, ["generate", "-q", str(docs), "-o", str(tmp_path / "out")])
    assert made.exit_code == 0, made.output
    assert (tmp_path / "out" / "analysis.jsonl").stat().st_mtime_ns == before, "what was parsed is not parsed again"
