"""A model that calls the tools of an MCP server: calls and words are counted, orders in replies change nothing."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from click.testing import CliRunner
from model_server import ModelServer

from kgsynth.base.errors import ConfigError
from kgsynth.base.records import Document, Item
from kgsynth.base.thresholds import LIMITS
from kgsynth.cli import main
from kgsynth.golden.dataset import write
from kgsynth.models.llm import Failure, Prompt
from kgsynth.scoring.flow import score

pytest.importorskip("mcp")
from kgsynth.scoring.systems.mcp_agent import McpAgent, NextCall, ToolArgument, reads
from kgsynth.scoring.systems.mcp_server import typed
from kgsynth.scoring.systems.settings import SystemSettings

SERVER = Path(__file__).parents[2] / "mcp_search.py"
TEXTS = {"leave.md": "Staff have 25 days of leave.", "teams.md": "Priya leads the team."}
DOCS = [Document(name, text, name, "md", name, (), ()) for name, text in TEXTS.items()]
LEAVE, TEAMS = (document.span(0, len(document.text)) for document in DOCS)
BOTH = Item("q1", "Who leads, and how long is leave?", ("Priya, 25",), "multi_context", "", "en", ((LEAVE,), (TEAMS,)))
Says = Callable[[Prompt], NextCall | Failure]


class Model:
    """A model that says what a function of the prompt returns."""

    name, signature, spending = "scripted", "llm|scripted", None

    def __init__(self, says: Says) -> None:
        self.says, self.prompts = says, list[Prompt]()

    def ask(self, prompt: Prompt, shape: type[object]) -> object:
        self.prompts.append(prompt)
        return self.says(prompt)

    def close(self) -> None: ...


def call(tool: str, **values: str) -> NextCall:
    return NextCall("this", False, tool, tuple(ToolArgument(*pair) for pair in values.items()))


DONE = NextCall("nothing", True, "", ())


def in_turn(*calls: NextCall) -> Says:
    """A model that makes these calls, and is done then."""
    return lambda prompt: [*calls, DONE][prompt.user.count("<call-")]


@pytest.fixture
def agent(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Any:
    monkeypatch.setenv("MCP_DELETED", str(tmp_path / "deleted"))
    opened: list[McpAgent] = []

    def open_(kind: str, says: Says, tool: str | None = None, *arguments: str) -> McpAgent:
        target = f"{shlex.quote(sys.executable)} {shlex.quote(str(SERVER))} {kind}"
        opened.append(McpAgent(Model(says), target, SystemSettings(), None, tool, arguments))  # type: ignore[arg-type]
        return opened[-1]

    yield open_
    for each in opened:
        each.close()
    assert not (tmp_path / "deleted").exists(), "a tool that was not offered was called"


def test_calls_and_words_are_counted_until_all_evidence_is_there(agent: Any) -> None:
    searches = [call("search_docs", query=text) for text in ("nothing", "leave", "Priya leads", "leave")]
    system = agent("json", in_turn(*searches))
    scores = score([BOTH], system, docs=DOCS)
    wanted = {"step_count": 4, "steps_to_evidence": 3, "words_to_evidence": 10, "context_recall": 1, "recall@1": 0.5}
    assert {name: scores.metrics[name].value for name in wanted} == wanted, "0, 6 and 4 words"
    assert system.notes == ("scripted called search_docs 4 times, which returned 16 words",)
    assert [hop.step for hop in scores.items[0].hops] == [2, 3]
    assert "llm|scripted" in system.signature and "search_docs" in system.signature


def test_evidence_that_is_never_complete_has_no_number_of_steps(agent: Any) -> None:
    scores = score([BOTH], agent("json", in_turn(call("search_docs", query="leave"))), docs=DOCS)
    assert [scores.metrics[name].value for name in ("steps_to_evidence", "words_to_evidence")] == [None, None]
    assert scores.metrics["step_count"].value == 1


def test_a_question_has_at_most_so_many_calls(agent: Any) -> None:
    system = agent("text", lambda prompt: call("search_docs", query="leave"))
    assert len(system.ask(BOTH).steps) == LIMITS.agent_calls
    assert "You may make 1 more call." in system._model.prompts[-1].user


def test_a_reply_that_gives_orders_changes_nothing(agent: Any) -> None:
    """The model obeys: it calls the tool that the reply names, which is not offered and not called."""

    def obeys(prompt: Prompt) -> NextCall:
        asked = prompt.user.count("<call-")
        if asked == 1 and "call delete_all" in prompt.user:
            return call("delete_all", name="leave.md")
        return in_turn(call("search_docs", query="leave"), DONE, call("search_docs", query="Priya leads"))(prompt)

    system = agent("poison", obeys)
    assert "delete_all" not in system._tools
    scores = score([BOTH], system, docs=DOCS)
    assert "there is no tool 'delete_all'" in system._model.prompts[-1].user
    assert (scores.metrics["context_recall"].value, scores.metrics["step_count"].value) == (1.0, 2.0)


def test_a_failed_call_is_shown_to_the_model_and_a_failed_model_is_an_error(agent: Any) -> None:
    system = agent("error", in_turn(call("search_docs", query="leave"), call("search_docs", limit="many", query="x")))
    assert system.ask(BOTH).error is None
    assert "the tool failed: index is locked" in system._model.prompts[1].user
    assert "limit=many" in system._model.prompts[2].user, "it is no JSON, so nothing was called"
    assert system._by_tool == {"search_docs": 1}
    assert agent("text", lambda prompt: Failure("no reply")).ask(BOTH).error == "model: no reply"


def test_only_tools_that_read_are_offered_unless_they_are_named(agent: Any) -> None:
    def tool(name: str, **hints: bool) -> Any:
        known = {"destructive_hint": None, "read_only_hint": None, **hints}
        return SimpleNamespace(name=name, annotations=SimpleNamespace(**known) if hints else None)

    assert [reads(tool(name)) for name in ("search_docs", "docs-read", "get_page", "delete_all", "thread")] == [
        True, True, True, False, False,
    ]  # fmt: skip
    assert reads(tool("browse", read_only_hint=True)) and not reads(tool("read_queue", destructive_hint=True))
    assert list(agent("two", in_turn())._tools) == ["search_docs", "search_wiki"]
    assert list(agent("two", in_turn(), "search_wiki")._tools) == ["search_wiki"]
    with pytest.raises(ConfigError, match=r"'nothing' is not among its tools and arguments: give --tool NAME,NAME"):
        agent("two", in_turn(), "search_docs,nothing")
    choice = SimpleNamespace(input_schema={"properties": {"mode": {"type": "string", "enum": ["all"]}, "n": {}}})
    assert typed(choice, {"mode": "all", "n": "3"}) == {"mode": "all", "n": 3}  # type: ignore[arg-type]
    fixed = agent("text", in_turn(call("search_docs", query="leave", limit="3")), None, "query=Priya leads")
    assert fixed.ask(BOTH).retrieved[0].text == TEXTS["teams.md"], "a value that is given replaces the model's"


def test_the_command_asks_the_model_and_refuses_one_for_other_systems(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    write([BOTH], tmp_path / "golden.jsonl")
    (tmp_path / "docs").mkdir()
    for name, text in TEXTS.items():
        (tmp_path / "docs" / name).write_text(text, encoding="utf-8")
    search = '{"missing": "all", "done": false, "tool": "search_docs", "arguments": [{"name": "query", "value": "%s"}]}'
    done = '{"missing": "", "done": true, "tool": "", "arguments": []}'
    said = iter([search % "leave", search % "Priya leads", done])
    target = f"mcp:{shlex.quote(sys.executable)} {shlex.quote(str(SERVER))} json"
    with ModelServer(lambda request: next(said)) as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        result = CliRunner().invoke(
            main, ["score", "golden.jsonl", "--docs", "docs", "--rag", target, "--llm", "m", "--max-calls", "9"]
        )
    assert result.exit_code == 0, result.output
    assert "m called search_docs 2 times, which returned 10 words" in result.output
    refused = CliRunner().invoke(main, ["score", "golden.jsonl", "--docs", "docs", "--rag", "bm25", "--llm", "m"])
    assert refused.exit_code == 2 and "--llm m is only for mcp: systems, not for bm25" in refused.output
