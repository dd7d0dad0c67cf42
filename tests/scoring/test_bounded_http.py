"""Servers and processes that send without an end, too much, or too slowly: a named cause, little memory, in time."""

from __future__ import annotations

import gzip
import socket
import sys
import threading
import time
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from kgsynth.base.records import Item
from kgsynth.models.llm import Failure, LLMSettings, Prompt, ServedLLM
from kgsynth.scoring.systems import open_system
from kgsynth.scoring.systems.exec import _LineProcess

ITEM = Item("q", "Who?", ("Ada",), "simple", "factoid", "en", ())
HEAD = b"HTTP/1.1 200 OK\r\n"
Serve = Callable[[Callable[[socket.socket], None]], str]


@pytest.fixture
def serve(monkeypatch: pytest.MonkeyPatch) -> Iterator[Serve]:
    """``serve(reply)`` starts a server that calls ``reply`` with each connection, and returns its URL."""
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    listeners = []

    def starting(reply: Callable[[socket.socket], None]) -> str:
        listener = socket.create_server(("127.0.0.1", 0))
        listeners.append(listener)

        def handle(connection: socket.socket) -> None:
            with connection:
                try:
                    connection.recv(65536)
                    reply(connection)
                except OSError:
                    pass

        def accept() -> None:
            while True:
                try:
                    connection, _ = listener.accept()
                except OSError:
                    return
                threading.Thread(target=handle, args=(connection,), daemon=True).start()

        threading.Thread(target=accept, daemon=True).start()
        return f"http://127.0.0.1:{listener.getsockname()[1]}"

    yield starting
    for each in listeners:
        each.close()


def endless(connection: socket.socket) -> None:
    connection.sendall(HEAD + b"\r\n")
    while True:
        connection.sendall(b'{"answer": "' + b"x" * 65536)


def zipped(coding: str, body: bytes) -> Callable[[socket.socket], None]:
    head = HEAD + f"Content-Encoding: {coding}\r\nContent-Length: {len(body)}\r\n\r\n".encode()
    return lambda connection: connection.sendall(head + body)


def dripping(start: bytes) -> Callable[[socket.socket], None]:
    def reply(connection: socket.socket) -> None:
        connection.sendall(start)
        while True:
            time.sleep(0.05)
            connection.sendall(b"x")

    return reply


def asked(url: str, folder: Path, settings: str) -> str:
    path = folder / "rag.toml"
    path.write_text(settings, encoding="utf-8")
    system, begun = open_system(f"{url}/ask", config=path), time.monotonic()
    answer = system.ask(ITEM)
    system.close()
    assert time.monotonic() - begun < 15, "far from the 60 seconds of the default"
    return answer.error or f"answer: {answer.answer}"


BOMB = gzip.compress(b" " * 40 * 2**20)


@pytest.mark.parametrize("reply", [endless, zipped("gzip", BOMB), zipped("deflate", zlib.compress(b" " * 40 * 2**20))])
def test_a_reply_without_an_end_and_a_bomb_are_too_large(
    serve: Serve, tmp_path: Path, reply: Callable[[socket.socket], None]
) -> None:
    error = asked(serve(reply), tmp_path, "max_reply_mb = 1\nretries = 0")
    assert error == "too large: the reply has more than 1 MB (max_reply_mb)"


def test_a_compressed_reply_is_read_and_an_unknown_or_nested_coding_is_not(serve: Serve, tmp_path: Path) -> None:
    plain = b'{"answer": "Ada"}'
    for coding, body in (("gzip", gzip.compress(plain)), ("deflate", zlib.compress(plain)), ("identity", plain)):
        assert asked(serve(zipped(coding, body)), tmp_path, "") == "answer: Ada"
    for coding in ("gzip, gzip", "br", "zstd"):
        error = asked(serve(zipped(coding, gzip.compress(gzip.compress(plain)))), tmp_path, "")
        assert error == f"not readable: the content encoding {coding!r} is not known"
    assert asked(serve(zipped("gzip", b"no gzip")), tmp_path, "").startswith("not readable: ")


@pytest.mark.parametrize("start", [HEAD + b"X-Slow: ", HEAD + b"\r\n", b""])
def test_a_reply_that_drips_is_late_although_no_read_is(serve: Serve, tmp_path: Path, start: bytes) -> None:
    begun = time.monotonic()
    assert asked(serve(dripping(start)), tmp_path, "timeout = 0.5\nretries = 0") == "timeout: no reply in 0.5 s"
    assert time.monotonic() - begun < 3


def test_a_process_that_writes_without_an_end_is_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "rag.toml").write_text("max_reply_mb = 1", encoding="utf-8")
    (tmp_path / "rag.py").write_text("import sys\nsys.stdin.readline()\nwhile True: sys.stdout.write('x' * 65536)\n")
    system = open_system(f"exec:{sys.executable} rag.py", config=tmp_path / "rag.toml")
    error = system.ask(ITEM).error
    system.close()
    assert error == "too large: the process wrote a line of more than 1 MB (max_reply_mb); it was ended"


def test_a_process_that_floods_lines_is_not_read_without_an_end() -> None:
    process = _LineProcess([sys.executable, "-c", "while True: print('{}')"], 1)
    time.sleep(0.5)
    lines = [process.read(5.0) for _ in range(1000)]
    assert set(lines) == {"{}\n"}
    with pytest.raises(ValueError, match="too large: the process wrote 1000 lines without being asked; it was ended"):
        process.read(5.0)
    process.end(0)


def test_an_llm_without_an_end_or_that_drips_has_failed(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kgsynth.models.llm.client._MAX_REPLY_BYTES", 2**20)
    for reply, why in ((endless, "more than 1,048,576 bytes"), (dripping(HEAD + b"X-Slow: "), "no reply in 0.5 s")):
        model = ServedLLM("m", LLMSettings(base_url=f"{serve(reply)}/v1", timeout=0.5, retries=0))
        said = model.say(Prompt("judging", "Be brief.", "Who wrote it?"))
        model.close()
        assert isinstance(said, Failure) and (why in said.why or "no reply in 0.5 s" in said.why)
