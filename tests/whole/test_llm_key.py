"""The key is sent to the server and is in no reply, error, log, traceback or file of a run."""

from __future__ import annotations

import base64
import json
import logging
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from click.testing import CliRunner, Result
from faq_pages import PAGES
from model_server import Answer, ModelServer, Request, failed
from scripted_model import Faithful, stage

from kgsynth.base.errors import ConfigError, SystemUnreachableError
from kgsynth.base.settings import read_settings_file
from kgsynth.cli import main
from kgsynth.models.llm import Failure, LLMSettings, Prompt, ServedLLM, read_llm_settings
from kgsynth.scoring.systems.settings import read_system_settings

KEY = "sk-71c0-very-secret"


@dataclass(frozen=True)
class Said:
    answer: str


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)


def ask(server: ModelServer, url: str = "") -> Said | Failure:
    asked = ServedLLM("m", LLMSettings(base_url=url or server.url, retries=1, backoff=0))
    return asked.ask(Prompt("judging", "Be brief.", "Who wrote it?"), Said)


# ---- one request -------------------------------------------------------------------------------------


def test_the_key_is_only_in_the_header_of_requests(caplog: pytest.LogCaptureFixture) -> None:
    def reply(request: Request) -> Answer | str:
        sent = request.headers["authorization"]
        if len(server.requests) == 1:
            return failed(500, sent)
        return json.dumps({"answer": f'she said "{sent}"'})

    with caplog.at_level(logging.DEBUG), ModelServer(reply) as server:
        said = ask(server)
    assert [request.places(KEY) for request in server.requests] == [{"authorization"}] * 2
    assert said == Said('she said "Bearer ${OPENAI_API_KEY}"')
    assert caplog.records and KEY not in caplog.text


@pytest.mark.parametrize("before", [282, 290, 298])
def test_the_key_is_hidden_before_a_message_is_cut(before: int) -> None:
    body = f"{'x' * before} {KEY} is wrong".encode()
    for status in (500, 200):  # an error is cut at 300 characters, a reply that is no completion at 60
        with ModelServer(lambda request, status=status: (status, {}, body[240 * (status == 200) :])) as server:
            reply = ask(server)
            assert isinstance(reply, Failure) and "sk-7" not in reply.why


@pytest.mark.parametrize("key", ['sk-71c0"quoted', "sk-71c0\\back"])
def test_the_key_is_hidden_as_json_writes_it(monkeypatch: pytest.MonkeyPatch, key: str) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", key)
    with ModelServer(lambda request: json.dumps({"answer": key})) as server:
        assert ask(server) == Said("${OPENAI_API_KEY}")
    with ModelServer(lambda request: failed(400, key)) as server:
        assert key not in str(ask(server)) and json.dumps(key)[1:-1] not in str(ask(server))


@pytest.mark.parametrize("key", ["x", "EMPTY", "ollama"])
def test_a_short_word_instead_of_a_key_is_not_hidden(monkeypatch: pytest.MonkeyPatch, key: str) -> None:
    """Servers without keys accept any word, and a reply may contain it."""
    monkeypatch.setenv("OPENAI_API_KEY", key)
    with ModelServer(lambda request: json.dumps({"answer": f"an {key} box"})) as server:
        assert ask(server) == Said(f"an {key} box")


def test_white_space_around_a_key_is_removed_and_an_invalid_character_is_an_error(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with ModelServer(lambda request: '{"answer": "Ada"}') as server:
        monkeypatch.setenv("OPENAI_API_KEY", f"{KEY}\r\n")
        assert ask(server) == Said("Ada")
        assert server.requests[0].headers["authorization"] == f"Bearer {KEY}"
        for key in (f"{KEY}…", f"{KEY}\n{KEY}"):
            monkeypatch.setenv("OPENAI_API_KEY", key)
            with pytest.raises(
                ConfigError, match="OPENAI_API_KEY contains a line break or a character beyond ASCII"
            ) as error:
                ask(server)
            assert KEY not in str(error.value)


def test_a_password_in_the_url_of_a_server_is_hidden() -> None:
    with ModelServer(lambda request: failed(401, "who are you?")) as server:
        url = server.url.replace("//", "//ada:pass-word@")
        with pytest.raises(SystemUnreachableError) as error:
            ask(server, url)
    assert "pass-word" not in str(error.value) and server.url in str(error.value)


# ---- a run -------------------------------------------------------------------------------------------


class Echo(Faithful):
    """A model that repeats the key in every kind of reply, on a server that does so in errors."""

    def __init__(self) -> None:
        self.seen = 0

    def __call__(self, asked: Any) -> Any:
        self.seen += 1
        sent = asked.headers["authorization"]
        if self.seen % 4 == 0:
            return failed(500, f"failed on a request with {sent}")
        reply = json.loads(super().__call__(asked))
        if stage(asked) == "writing":  # in a quote, in the answer, or instead of JSON
            (written,) = reply["questions"]
            if self.seen % 2:
                written["claims"][0]["quotes"][0]["words"] = f"{sent} is the key"
            else:
                written["answer"] += f" {sent}"
        if self.seen == 5:
            return sent
        return json.dumps({"key": sent, **reply, "thoughts": sent})


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    (tmp_path / "docs").mkdir()
    for name, text in PAGES.items():
        (tmp_path / "docs" / name).write_text(text, encoding="utf-8")
    return tmp_path / "docs"


def generate(docs: Path, server: ModelServer) -> Result:
    given = ["-n", "6", "--fill", "--mix", "simple=1.0", "--llm", "scripted", "--processes", "1", "-q"]
    toml = docs.parent / "llm.toml"
    toml.write_text("backoff = 0.001\n", encoding="utf-8")
    command = ["generate", str(docs), "-o", str(docs.parent / "run"), "--llm-config", str(toml), *given]
    return CliRunner(env={"OPENAI_BASE_URL": server.url}).invoke(main, command)


def files_with(folder: Path, secret: str) -> list[str]:
    """The files below a folder that contain the secret, or half of it."""
    halves = [half.encode() for half in (secret[: len(secret) // 2], secret[len(secret) // 2 :])]
    return [str(path) for path in folder.rglob("*") if path.is_file() and any(h in path.read_bytes() for h in halves)]


@pytest.mark.usefixtures("hashed")
def test_a_run_writes_the_key_to_no_file_and_no_screen(docs: Path, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG), ModelServer(Echo()) as server:
        result = generate(docs, server)
        assert server.requests and all(request.places(KEY) == {"authorization"} for request in server.requests)
    assert result.exit_code == 0, result.output
    run = docs.parent / "run"
    assert {"llm.sqlite", "rejected.jsonl", "golden.jsonl", "manifest.json"} <= {path.name for path in run.iterdir()}
    assert "${OPENAI_API_KEY}" in (run / "rejected.jsonl").read_text("utf-8"), (
        "the repeated key got as far as this file"
    )
    assert b"${OPENAI_API_KEY}" in (run / "llm.sqlite").read_bytes()
    assert "${OPENAI_API_KEY}" not in (run / "golden.jsonl").read_text("utf-8")
    assert files_with(docs.parent, KEY) == []
    assert KEY not in result.stdout + result.stderr + caplog.text


@pytest.mark.usefixtures("hashed")
def test_the_error_of_a_refusal_does_not_contain_the_key(docs: Path) -> None:
    with ModelServer(lambda request: failed(401, f"no such key: {request.headers['authorization']}")) as server:
        result = generate(docs, server)
    assert result.exit_code == 4 and len(server.requests) <= 8, "four at a time; each thread may begin one more"
    assert (
        "refuses the language model 'scripted' (status 401: " in result.stderr and len(result.stderr.splitlines()) == 1
    )
    assert KEY not in result.stderr and files_with(docs.parent, KEY) == []


@pytest.mark.usefixtures("hashed")
def test_a_traceback_does_not_contain_the_key(docs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A bug in kgsynth while it handles an error of the server that contains the key."""

    def broken(*_: object) -> None:
        raise RuntimeError("a bug in kgsynth")

    monkeypatch.setattr("kgsynth.models.llm.client.ChatClient._adapt", broken)
    with ModelServer(lambda request: failed(400, f"bad: {request.headers['authorization']}")) as server:
        result = generate(docs, server)
    assert result.exit_code == 70 and "Traceback" in result.stderr and "a bug in kgsynth" in result.stderr
    assert KEY not in result.stderr and files_with(docs.parent, KEY) == []


def test_the_key_is_hidden_however_the_server_encodes_it(monkeypatch: pytest.MonkeyPatch) -> None:
    key = "sk-71c0/Very+Secret=="
    monkeypatch.setenv("OPENAI_API_KEY", key)
    encoded = [key.encode().hex(), quote(quote(key, safe="")), key.replace("/", "&sol;").replace("+", "&plus;")]
    encoded += ["".join(form % ord(letter) for letter in key) for form in ("\\u{%x}", "\\%03o", "%%25%02X")]
    encoded += [base64.b64encode(f"{user}:{key}\n".encode()).decode() for user in ("", "a", "ad")]
    for written in encoded:
        body = f'{{"error": "the key {written} is wrong"}}'.encode()
        with ModelServer(lambda request, body=body: (401, {}, body)) as server:
            with pytest.raises(SystemUnreachableError) as caught:
                ask(server)
            said = str(caught.value)
            assert "${OPENAI_API_KEY}" in said and written not in said and "TZWNy" not in said


@pytest.mark.parametrize(
    "url",
    ["http://ada:pass-word/1@localhost/v1", "http://ada:pass-word@[/v1", "ftp://ada:pass-word@localhost/v1",
     "ada:pass-word@localhost", "http://?key=pass-word", "http://ada:pass-word@", "pass-word", "pass-word/1=="],
)  # fmt: skip
def test_a_base_url_that_is_none_is_refused_without_its_password(url: str) -> None:
    with pytest.raises(ConfigError, match="is not the URL of a server; give one such as http://localhost") as error:
        ServedLLM("m", LLMSettings(base_url=url))
    assert "pass-word" not in str(error.value)


def test_a_base_url_with_a_query_is_refused_without_it() -> None:
    with pytest.raises(ConfigError, match=r"'http://localhost/v1' goes on with \?, which no server gets") as error:
        ServedLLM("m", LLMSettings(base_url="http://localhost/v1?key=pass-word"))
    assert "pass-word" not in str(error.value)


def test_the_key_is_hidden_however_the_server_escapes_it() -> None:
    escaped = ("".join(f"\\u{ord(letter):04x}" for letter in KEY), "".join(f"%{ord(letter):02X}" for letter in KEY))
    escaped += ("".join(f"&#{ord(letter)};" for letter in KEY), f"\\\\u0073{KEY[1:]}")
    for written in escaped:
        body = f'{{"error": "the key {written} is wrong"}}'.encode()
        with ModelServer(lambda request, body=body: (401, {}, body)) as server:
            with pytest.raises(SystemUnreachableError) as caught:
                ask(server)
            assert "the key ${OPENAI_API_KEY} is wrong" in str(caught.value)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (f'base_url = ["{KEY}"]', "base_url is a list in {}; it must be a string"),
        (f'base_url = ["{KEY}", "{KEY}"]\nretries = "{KEY}"', "retries is a string in {}; it must be an integer"),
        (f'reasoning_effort = {{key = "{KEY}"}}', "reasoning_effort in {}: it must be a string"),
        (f'[llm]\ntimeout = "{KEY}"', "timeout is a string in [llm] of {}; it must be a number"),
        (
            f'[score.rag_config]\nheaders = ["{KEY}"]',
            "headers is a list in [score.rag_config] of {}; it must be a table",
        ),
        (
            f'[score.rag_config.headers]\nkey = ["{KEY}"]',
            "headers.key is a list in [score.rag_config] of {}; it must be",
        ),
    ],
)
def test_a_key_in_a_setting_of_another_type_is_not_shown(tmp_path: Path, text: str, problem: str) -> None:
    path = tmp_path / "llm.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ConfigError) as caught:
        (read_system_settings if "rag_config" in text else read_llm_settings)(path)
    assert problem.format(path) in str(caught.value) and KEY not in str(caught.value)


def test_a_key_in_place_of_the_table_is_not_shown(tmp_path: Path) -> None:
    (tmp_path / "kgsynth.toml").write_text(f'llm = "{KEY}"', encoding="utf-8")
    _, problems = read_settings_file(tmp_path / "kgsynth.toml", ())
    assert problems == [f"llm is a string in {tmp_path / 'kgsynth.toml'}; write it as a table, [llm]"]
