"""The server of a review: who has no token or comes from elsewhere is turned away, what is wrong is told in words."""

from __future__ import annotations

import http.client
import json
import socket
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from reviewing import DOCUMENTS, ITEMS

from kgsynth.base.errors import ConfigError
from kgsynth.reviewing.api import Desk
from kgsynth.reviewing.judgement import Judgement
from kgsynth.reviewing.page import page, policy
from kgsynth.reviewing.server import MOST, Server, token_of
from kgsynth.reviewing.store import Store
from kgsynth.reviewing.subject import Subject

SUBJECT = Subject(Path("golden.jsonl"), ITEMS[8:12], DOCUMENTS)
IDS = [item.id for item in SUBJECT.items]
TOKEN = "a-token-of-the-test-that-is-long"


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    store = Store(tmp_path / "golden.review.sqlite")
    ids = store.begin(SUBJECT)
    with Server(Desk(SUBJECT, ids, store), page(SUBJECT, ids), policy(), TOKEN, 0) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield server
        server.shutdown()
        thread.join()
    store.close()


def ask(
    server: Server, path: str, body: bytes | None = None, headers: dict[str, str] | None = None
) -> tuple[int, str, http.client.HTTPMessage]:
    connection = http.client.HTTPConnection("127.0.0.1", server.server_port, timeout=10)
    sent = ({"Content-Type": "application/json"} if body is not None else {}) | (headers or {})
    connection.request("GET" if body is None else "POST", path, body, sent)
    reply = connection.getresponse()
    text = reply.read().decode()
    connection.close()
    return reply.status, text, reply.headers


def told(item: str = IDS[0], annotator: str = "Ada", **said: Any) -> bytes:
    return json.dumps({"annotator": annotator, "item": item, "judgement": said}).encode()


SAID = f"/said?token={TOKEN}"


# ---- who may ask -------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", ["/", "/annotators", "/said?annotator=Ada", "/nothing", "//x["])
@pytest.mark.parametrize("token", ["", "token=", "token=wrong", f"token={TOKEN}x", "token=%ff"])
def test_without_the_token_nothing_is_served(server: Server, path: str, token: str) -> None:
    status, text, _ = ask(server, f"{path}{'&' if '?' in path else '?'}{token}")
    assert status in (400, 403) and "Depot" not in text
    assert status == 403 or path == "//x["


def test_without_the_token_nothing_is_kept(server: Server) -> None:
    status, text, _ = ask(server, "/said", told(decision="accept"))
    assert (status, server.desk.store.said()) == (403, []) and "token in the address is missing or wrong" in text


@pytest.mark.parametrize("host", ["evil.example", "evil.example:8765", "127.0.0.1", "127.0.0.1:1", ""])
def test_by_another_name_it_is_not_answered(server: Server, host: str) -> None:
    """A page whose name was bound to 127.0.0.1 (DNS rebinding) gives itself away by its Host."""
    status, text, _ = ask(server, f"/?token={TOKEN}", headers={"Host": host})
    assert status == 403 and "answers on 127.0.0.1 alone" in text


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "https://127.0.0.1"])
def test_from_another_site_nothing_is_kept(server: Server, origin: str) -> None:
    status, text, _ = ask(server, SAID, told(decision="accept"), {"Origin": origin})
    assert status == 403 and "its own page alone" in text and server.desk.store.said() == []


def test_its_own_page_may_ask_by_either_name(server: Server) -> None:
    for name in ("127.0.0.1", "localhost"):
        own = f"{name}:{server.server_port}"
        assert ask(server, SAID, told(decision="accept"), {"Host": own, "Origin": f"http://{own}"})[0] == 200


def test_it_listens_on_this_machine_alone(server: Server) -> None:
    assert server.server_address[0] == "127.0.0.1"


@pytest.mark.parametrize(
    "path", ["/../../etc/passwd", "/%2e%2e/golden.review.sqlite", "/golden.review.sqlite", "/said/x"]
)
def test_no_path_reaches_a_file(server: Server, path: str) -> None:
    status, text, _ = ask(server, f"{path}?token={TOKEN}")
    assert status == 404 and "there is nothing at" in text


def test_the_page_may_run_its_own_script_alone_and_stand_in_no_frame(server: Server) -> None:
    status, text, headers = ask(server, f"/?token={TOKEN}")
    rules = dict(rule.split(" ", 1) for rule in headers["Content-Security-Policy"].split("; "))
    assert status == 200 and rules["default-src"] == "'none'" and rules["connect-src"] == "'self'"
    assert rules["script-src"].startswith("'sha256-") and "unsafe" not in rules["script-src"]
    assert rules["frame-ancestors"] == "'none'" and headers["Referrer-Policy"] == "no-referrer"
    assert TOKEN not in text and "&lt;script&gt;window.ran" in text and "<img" not in text


# ---- what is asked -----------------------------------------------------------------------------------


def test_what_is_said_is_kept_and_each_sees_the_own(server: Server) -> None:
    for name, decision in (("Ada", "accept"), ("Bo", "reject")):
        assert ask(server, SAID, told(annotator=name, decision=decision))[:2] == (200, json.dumps({"saved": IDS[0]}))
    own = json.loads(ask(server, f"{SAID}&annotator=ada")[1])
    assert (own["annotator"], list(own["judgements"])) == ("Ada", [IDS[0]])
    assert own["judgements"][IDS[0]]["decision"] == "accept"
    assert json.loads(ask(server, f"/annotators?token={TOKEN}")[1]) == {"items": 4, "decided": {"Ada": 1, "Bo": 1}}


def test_an_edit_is_audited(server: Server) -> None:
    assert ask(server, SAID, told(decision="edit", answers=["a red boat"]))[0] == 200
    status, text, _ = ask(server, f"/findings?token={TOKEN}&annotator=Ada&item={IDS[0]}")
    findings = json.loads(text)["findings"]
    assert status == 200 and {"derivation", "evidence"} <= {each["code"] for each in findings}
    assert "rests on your word" in findings[0]["message"]
    status, text, _ = ask(server, f"/findings?token={TOKEN}&annotator=Ada&item={IDS[1]}")
    assert status == 404 and "Ada has not edited" in text


@pytest.mark.parametrize(
    ("body", "fault"),
    [
        (b"", "not JSON"),
        (b"{", "not JSON"),
        (b"\xff", "not JSON"),
        (b"[" * 100_000, "not JSON"),
        (b"[]", "must be an object with annotator, item and judgement"),
        (b'{"annotator": "Ada"}', "must be an object with annotator, item and judgement"),
        (told(item="q-none", decision="accept"), "'q-none' is not under review"),
        (told(annotator=" ", decision="accept"), "must have 1 to 80 characters"),
        (told(decision="perhaps"), "must be accept, reject, edit or nothing"),
        (told(grades={"fluency": 0}), "the grade of fluency is 0"),
        (told(comment="\ud800"), "half a character"),
        (json.dumps({"annotator": "Ada", "item": [1], "judgement": {}}).encode(), "is not under review"),
    ],
)
def test_what_cannot_be_kept_is_told_in_words(server: Server, body: bytes, fault: str) -> None:
    status, text, _ = ask(server, SAID, body)
    assert status == 400 and fault in json.loads(text)["error"] and server.desk.store.said() == []


def test_a_form_of_another_page_and_what_is_too_long_are_refused(server: Server) -> None:
    assert ask(server, SAID, told(), {"Content-Type": "text/plain"})[0] == 415
    assert ask(server, SAID, b"x", {"Content-Length": str(MOST + 1)})[0] == 413
    assert ask(server, SAID, b"x", {"Content-Length": "many"})[0] == 411
    assert ask(server, f"/annotators?token={TOKEN}", told())[0] == 404


def test_results_are_shown_to_who_has_decided_all(server: Server) -> None:
    status, text, _ = ask(server, f"/results?token={TOKEN}&annotator=Ada")
    assert status == 403 and "Ada has 4 items left" in text
    server.desk.store.say("Bo", [(each, Judgement("reject")) for each in IDS])
    server.desk.store.say("Ada", [(each, Judgement("accept")) for each in IDS])
    status, text, _ = ask(server, f"/results?token={TOKEN}&annotator=Ada")
    assert status == 200 and "accept 4, reject 4" in json.loads(text)["text"]


def test_a_browser_that_leaves_in_the_middle_is_passed_over(server: Server, capfd: pytest.CaptureFixture[str]) -> None:
    with socket.create_connection(("127.0.0.1", server.server_port)) as broken:
        broken.sendall(b"POST /said HTTP/1.1\r\nContent-Le")
    assert ask(server, f"/annotators?token={TOKEN}")[0] == 200
    assert capfd.readouterr() == ("", "")


def test_a_port_that_is_taken_is_told(server: Server) -> None:
    with pytest.raises(ConfigError, match=f"port {server.server_port} cannot be had .* with --port"):
        Server(server.desk, "", "", TOKEN, server.server_port)


def test_a_token_is_made_once_and_for_its_owner_alone(tmp_path: Path) -> None:
    path = tmp_path / "review.token"
    token = token_of(path)
    assert len(token) >= 32 and token_of(path) == token and token_of(tmp_path / "other") != token
    assert path.stat().st_mode & 0o077 == 0
    path.write_text("", encoding="ascii")
    assert len(token_of(path)) >= 32, "a kill between making and writing it"
