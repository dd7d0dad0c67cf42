"""MCP servers as systems: the tool is found, every kind of reply is read, failures are sentences, orders do nothing."""

from __future__ import annotations

import shlex
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from click.testing import CliRunner

from kgsynth.base.errors import ConfigError, SystemUnreachableError
from kgsynth.base.records import Document, Item, Passage
from kgsynth.cli import main
from kgsynth.golden.dataset import write
from kgsynth.scoring.flow import score
from kgsynth.scoring.systems import System, open_system

pytest.importorskip("mcp")
from kgsynth.scoring.systems.mcp_server import choose_tool

SERVER = Path(__file__).parents[2] / "mcp_search.py"
TEXTS = {"leave.md": "Staff have 25 days of leave.", "teams.md": "Priya leads the team."}
DOCS = [Document(name, text, name, "md", name, (), ()) for name, text in TEXTS.items()]
LEAVE, TEAMS = (document.span(0, len(document.text)) for document in DOCS)
ITEMS = [
    Item("q1", "How many days of leave?", ("25 days",), "simple", "factoid", "en", ((LEAVE,),)),
    Item("q2", "Who leads Priya's team?", ("Priya",), "simple", "factoid", "en", ((TEAMS,),)),
]


def target(kind: str) -> str:
    return f"mcp:{shlex.quote(sys.executable)} {shlex.quote(str(SERVER))} {kind}"


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Callable[..., System]]:
    monkeypatch.setenv("MCP_DELETED", str(tmp_path / "deleted"))
    systems: list[System] = []

    def open_(kind: str, **options: Any) -> System:
        systems.append(open_system(target(kind), docs=DOCS, **options))
        return systems[-1]

    yield open_
    for system in systems:
        system.close()
    assert not (tmp_path / "deleted").exists(), "a tool that was not chosen was called"


@pytest.mark.parametrize(
    ("kind", "passage"),
    [
        ("text", Passage(text=TEXTS["leave.md"])),
        ("json", Passage("leave.md", text=TEXTS["leave.md"])),
        ("resource", Passage("leave.md", text=TEXTS["leave.md"])),
        ("link", Passage("leave.md", text=TEXTS["leave.md"])),
        ("names", Passage("leave.md")),
        ("titles", Passage("leave.md")),
    ],
)
def test_passages_are_read_from_every_kind_of_content(
    opened: Callable[..., System], kind: str, passage: Passage
) -> None:
    system = opened(kind)
    (found,) = system.ask(ITEMS[0]).retrieved
    assert (found.doc, found.text) == (passage.doc, passage.text)
    words = len((passage.text or "").split())
    assert system.notes == (  # type: ignore[attr-defined]
        f"search_docs(query) of the server was called 1 time and returned {words} words",
    )
    assert "tool:search_docs|argument:query" in system.signature


def test_a_server_is_scored_like_any_system(opened: Callable[..., System]) -> None:
    scores = score(ITEMS, opened("json"), docs=DOCS)
    assert scores.metrics["recall@5"].value == 1.0 and scores.n_errors == 0
    assert scores.metrics["retrieved_words"].value == 5, "6 and 4 words"


def test_an_order_in_a_passage_changes_nothing(opened: Callable[..., System]) -> None:
    scores = score(ITEMS, opened("poison"), docs=DOCS)
    assert scores.metrics["recall@5"].value == 1.0 and scores.metrics["mrr"].value == 0.5, "it is a passage, at rank 1"


def test_a_failure_of_the_tool_and_a_timeout_are_errors_of_the_question(
    opened: Callable[..., System], tmp_path: Path
) -> None:
    assert opened("error").ask(ITEMS[0]).error == "the tool failed: index is locked"
    assert opened("sorry").ask(ITEMS[0]).error == "the tool failed: bad syntax near ?"
    config = tmp_path / "rag.toml"
    config.write_text("timeout = 1.5\n", encoding="utf-8")
    begun = time.monotonic()
    slow = opened("slow", config=config).ask(ITEMS[0]).error
    assert slow is not None and slow.startswith("timeout: ") and time.monotonic() - begun < 15


def test_a_server_that_dies_is_started_again(opened: Callable[..., System]) -> None:
    system = opened("dies")
    first, second = (system.ask(item) for item in ITEMS)
    assert first.error is not None and first.error.startswith("connection: ")
    assert second.error is None and second.retrieved[0].text == TEXTS["teams.md"]


@pytest.mark.parametrize(
    ("command", "error", "problem"),
    [
        ("nosuchprogram", SystemUnreachableError, "cannot be reached"),
        (
            shlex.quote(sys.executable) + " -c 1/0",
            SystemUnreachableError,
            "it wrote: ZeroDivisionError",
        ),
        ("http://127.0.0.1:9/mcp", SystemUnreachableError, "cannot be reached"),
        ("", ConfigError, "has no command"),
        ("'open", ConfigError, "is no command"),
    ],
)
def test_a_server_that_cannot_be_reached_is_reported(command: str, error: type[Exception], problem: str) -> None:
    with pytest.raises(error, match=problem):
        open_system(f"mcp:{command}")


def test_two_search_tools_need_a_choice(opened: Callable[..., System]) -> None:
    with pytest.raises(ConfigError, match=r"2 of its tools search: give --tool.*search_wiki\(query\)"):
        opened("two")
    assert opened("two", tool="search_docs").ask(ITEMS[0]).retrieved
    with pytest.raises(ConfigError, match="nothing cannot be called with the question alone"):
        opened("two", tool="nothing")
    with pytest.raises(ConfigError, match="--tool x is only for mcp: systems"):
        open_system("bm25", docs=DOCS, tool="x")


def tool(name: str, required: str, optional: str = "", **hints: bool) -> Any:
    """A tool with text arguments; a number's name ends in #."""
    kinds = {key.rstrip("#"): "integer" if key.endswith("#") else "string" for key in f"{required} {optional}".split()}
    schema = {"properties": {key: {"type": kind} for key, kind in kinds.items()}}
    schema["required"] = [key.rstrip("#") for key in required.split()]  # type: ignore[assignment]
    annotations = SimpleNamespace(**{"destructive_hint": None, "read_only_hint": None, **hints})
    return SimpleNamespace(name=name, input_schema=schema, annotations=annotations)


@pytest.mark.parametrize(
    ("tools", "arguments", "expected"),
    [
        ([tool("search", "query"), tool("get", "id")], (), ("search", "query", {})),
        ([tool("kb", "", "limit# q")], (), ("kb", "q", {})),
        ([tool("search_files", "path pattern")], ("path=/docs",), ("search_files", "pattern", {"path": "/docs"})),
        ([tool("search", "needle haystack")], ("needle", "haystack=x"), ("search", "needle", {"haystack": "x"})),
        ([tool("search", "query", "top#")], ("top=3",), ("search", "query", {"top": 3})),
        ([tool("search_and_drop", "query", destructive_hint=True), tool("ask", "q")], (), ("ask", "q", {})),
    ],
)
def test_the_tool_and_its_argument_are_found_by_schema(
    tools: list[Any], arguments: tuple[str, ...], expected: tuple[str, str, dict[str, Any]]
) -> None:
    found, argument, fixed = choose_tool(tools, None, arguments)
    assert (found.name, argument, fixed) == expected


def test_a_tool_that_does_not_say_that_it_searches_is_not_called() -> None:
    for tools in ([tool("delete", "name")], [tool("search", "query id")], []):
        with pytest.raises(ConfigError, match="0 of its tools search"):
            choose_tool(tools, None, ())


def test_a_value_that_is_no_text_must_be_json() -> None:
    with pytest.raises(ConfigError, match="--argument top=many: a value that is no text must be JSON"):
        choose_tool([tool("search", "query", "top#")], None, ("top=many",))


def test_a_server_behind_a_url_in_two_commands(tmp_path: Path) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    server = subprocess.Popen([sys.executable, str(SERVER), "json", str(port)], stderr=subprocess.DEVNULL)
    try:
        for _ in range(100):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.1)
        docs = tmp_path / "docs"
        docs.mkdir()
        for name, text in TEXTS.items():
            (docs / name).write_text(text, encoding="utf-8")
        write(ITEMS, tmp_path / "golden.jsonl")
        arguments = ["score", str(tmp_path / "golden.jsonl"), "--docs", str(docs)]
        done = CliRunner().invoke(
            main, [*arguments, "--rag", f"mcp:http://127.0.0.1:{port}/mcp", "--gate", "recall@5>=1"]
        )
        assert done.exit_code == 0, done.output
        assert "2 of 2 questions passed" in done.output and "was called 2 times" in done.output
    finally:
        server.kill()
        server.wait()
