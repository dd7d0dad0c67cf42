"""The cache of replies: keyed by everything that influences them, only usable ones, shared by processes."""

from __future__ import annotations

import inspect
import sqlite3
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from model_server import ModelServer

from kgsynth.base.errors import InputError
from kgsynth.models.llm import Failure, LLMSettings, Prompt, ServedLLM
from kgsynth.models.llm.client import ReplyCache

TEXT = '{"answer": "Ada"}'
PROMPT = Prompt("judging", "Be brief.", "Who wrote it?")


@dataclass(frozen=True)
class Said:
    answer: str


@dataclass(frozen=True)
class Answered:
    answer: str
    sure: bool = True


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.setenv("OPENAI_API_KEY", "sk-71c0-very-secret")


def ask(server: ModelServer, cache: Path, prompt: Prompt = PROMPT, name: str = "m", shape: type = Said) -> object:
    model = ServedLLM(name, LLMSettings(base_url=server.url, backoff=0, retries=0), cache)
    reply = model.ask(prompt, shape)
    model.close()
    return reply


def test_the_same_prompt_is_sent_once(tmp_path: Path) -> None:
    with ModelServer(lambda request: TEXT) as server:
        assert [ask(server, tmp_path / "llm.sqlite") for _ in range(3)] == [Said("Ada")] * 3
    assert len(server.requests) == 1


@pytest.mark.parametrize(
    "change",
    [{"system": "Be long."}, {"user": "Who read it?"}, {"max_tokens": 7}, {"temperature": 0.5}, {"repeat": 1}],
    ids=str,
)
def test_the_key_contains_everything_that_influences_the_reply(tmp_path: Path, change: dict[str, object]) -> None:
    with ModelServer(lambda request: TEXT) as server:
        ask(server, tmp_path / "llm.sqlite")
        ask(server, tmp_path / "llm.sqlite", replace(PROMPT, **change))  # type: ignore[arg-type]
    assert len(server.requests) == 2


def test_the_key_contains_the_model_and_the_shape_but_not_the_stage(tmp_path: Path) -> None:
    with ModelServer(lambda request: TEXT) as server:
        ask(server, tmp_path / "llm.sqlite")
        ask(server, tmp_path / "llm.sqlite", name="other")
        ask(server, tmp_path / "llm.sqlite", shape=Answered)
        assert len(server.requests) == 3
        ask(server, tmp_path / "llm.sqlite", replace(PROMPT, stage="verifying", example_reply="no matter"))
    assert len(server.requests) == 3


def test_a_prompt_for_another_model_is_sent_to_it_and_cached_as_its_reply(tmp_path: Path) -> None:
    with ModelServer(lambda request: TEXT) as server:
        model = ServedLLM("m", LLMSettings(base_url=server.url, max_calls=2), tmp_path / "llm.sqlite", others=["n"])
        assert [model.ask(replace(PROMPT, model=name), Said) for name in ("", "n", "m", "n")] == [Said("Ada")] * 4
        model.close()
        assert [request.body["model"] for request in server.requests] == ["m", "n"], "under one budget"
        ask(server, tmp_path / "llm.sqlite", name="n")
    assert len(server.requests) == 2


def test_an_unusable_reply_is_not_cached_and_the_prompt_is_sent_again(tmp_path: Path) -> None:
    said = ["I'd rather not.", "No.", "No.", "Never.", "No.", "Not today.", TEXT]
    with ModelServer(lambda request: said[len(server.requests) - 1]) as server:
        first = ask(server, tmp_path / "llm.sqlite")
        assert first == Failure("a reply that cannot be used: it contains no JSON object")
        assert len(server.requests) == 6, "three times, each with one correction"
        assert ask(server, tmp_path / "llm.sqlite") == Said("Ada")
        assert ask(server, tmp_path / "llm.sqlite") == Said("Ada")
    assert len(server.requests) == 7


def test_a_corrected_reply_is_cached_under_the_first_request(tmp_path: Path) -> None:
    with ModelServer(lambda request: TEXT if len(request.messages) == 4 else "Ada, I think.") as server:
        assert [ask(server, tmp_path / "llm.sqlite") for _ in range(2)] == [Said("Ada")] * 2
    first, second = server.requests
    assert second.messages[:2] == first.messages
    assert second.messages[2] == {"role": "assistant", "content": "Ada, I think."}
    assert "it contains no JSON object" in second.messages[3]["content"]


def test_a_cached_reply_costs_no_call(tmp_path: Path) -> None:
    with ModelServer(lambda request: TEXT) as server:
        model = ServedLLM("m", LLMSettings(base_url=server.url, max_calls=1), tmp_path / "llm.sqlite")
        assert {str(model.ask(PROMPT, Said)) for _ in range(3)} == {str(Said("Ada"))}
    usage = model.spending.by_stage["judging"]
    assert (usage.calls, usage.cached) == (1, 2)


def test_a_fresh_prompt_neither_reads_nor_writes_the_cache(tmp_path: Path) -> None:
    said = iter("ABC")
    with ModelServer(lambda request: f'{{"answer": "{next(said)}"}}') as server:
        fresh = replace(PROMPT, fresh=True)
        replies = [ask(server, tmp_path / "llm.sqlite", each) for each in (fresh, PROMPT, fresh, PROMPT)]
    assert replies == [Said("A"), Said("B"), Said("C"), Said("B")]


def test_the_file_contains_only_keys_and_replies(tmp_path: Path) -> None:
    with ModelServer(lambda request: TEXT) as server:
        ask(server, tmp_path / "llm.sqlite")
    assert [path.name for path in tmp_path.iterdir()] == ["llm.sqlite"], "the other files of SQLite are removed"
    rows = sqlite3.connect(tmp_path / "llm.sqlite").execute("SELECT * FROM replies").fetchall()
    assert [reply for _, reply in rows] == [TEXT]
    assert all(len(key) == 64 for key, _ in rows)
    assert b"very-secret" not in (tmp_path / "llm.sqlite").read_bytes()


WRITER = """
import runpy, sys
from pathlib import Path

cache = runpy.run_path(sys.argv[1])["ReplyCache"](Path(sys.argv[2]))  # only this module, without the client library
for number in range(50):
    cache.keep(f"both {number}", sys.argv[3])
    cache.keep(f"{sys.argv[3]} {number}", "mine")
cache.close()
"""


def test_two_processes_share_one_file(tmp_path: Path) -> None:
    """Neither fails while the other writes, and the first of two replies stays."""
    command = [sys.executable, "-c", WRITER, str(inspect.getsourcefile(ReplyCache)), str(tmp_path / "llm.sqlite")]
    both = [subprocess.Popen([*command, name], stderr=subprocess.PIPE, text=True) for name in ("one", "two")]
    assert [process.communicate()[1] for process in both] == ["", ""]
    cache = ReplyCache(tmp_path / "llm.sqlite")
    assert all(cache.get(f"{name} {number}") == "mine" for name in ("one", "two") for number in range(50))
    kept = [cache.get(f"both {number}") for number in range(50)]
    assert set(kept) <= {"one", "two"}
    cache.keep("both 0", "three")
    assert cache.get("both 0") == kept[0]


def test_threads_share_the_cache() -> None:
    cache = ReplyCache(None)
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda number: cache.keep(str(number), f"reply {number}"), range(300)))
        assert list(pool.map(cache.get, map(str, range(300)))) == [f"reply {number}" for number in range(300)]


def test_the_error_of_another_file_names_it(tmp_path: Path) -> None:
    (tmp_path / "llm.sqlite").write_text("these are no replies " * 99, encoding="utf-8")
    with pytest.raises(InputError, match=r"llm\.sqlite cannot be used as a database \(file is not a database\)"):
        ReplyCache(tmp_path / "llm.sqlite").get("k")
    with sqlite3.connect(tmp_path / "other.sqlite") as other:
        other.execute("CREATE TABLE mine (name TEXT)")
    with pytest.raises(InputError, match=r"other\.sqlite is a database of another kind"):
        ReplyCache(tmp_path / "other.sqlite").keep("k", "a reply")
