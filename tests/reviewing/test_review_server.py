"""The review server: requests without the token or from other sites are refused, invalid ones are explained."""

from __future__ import annotations

import http.client
import json
import socket
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from annotated import DOCUMENTS, ITEMS, PLAIN, sentence

from kgsynth.base.errors import ConfigError
from kgsynth.reviewing.annotation import Annotation
from kgsynth.reviewing.api import ReviewApi
from kgsynth.reviewing.page import page, policy
from kgsynth.reviewing.server import MAX_REQUEST_BYTES, Server, read_token
from kgsynth.reviewing.store import ReviewStore
from kgsynth.reviewing.subject import Subject

SUBJECT = Subject(Path("golden.jsonl"), ITEMS[8:12], DOCUMENTS)
IDS = [item.id for item in SUBJECT.items]
TOKEN = "a-token-of-the-test-that-is-long"


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    store = ReviewStore(tmp_path / "golden.review.sqlite")
    ids = store.begin(SUBJECT)
    with Server(ReviewApi(SUBJECT, ids, store), page(SUBJECT, ids), policy(), TOKEN, 0) as server:
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


def annotation(item: str = IDS[0], annotator: str = "Ada", **values: Any) -> bytes:
    return json.dumps({"annotator": annotator, "item": item, "judgement": values}).encode()


ANNOTATIONS = f"/annotations?token={TOKEN}"


# ---- access ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", ["/", "/progress", "/annotations?annotator=Ada", "/nothing", "//x["])
@pytest.mark.parametrize("token", ["", "token=", "token=wrong", f"token={TOKEN}x", "token=%ff"])
def test_without_the_token_nothing_is_served(server: Server, path: str, token: str) -> None:
    status, text, _ = ask(server, f"{path}{'&' if '?' in path else '?'}{token}")
    assert status in (400, 403) and "Depot" not in text
    assert status == 403 or path == "//x["


def test_without_the_token_nothing_is_saved(server: Server) -> None:
    status, text, _ = ask(server, "/annotations", annotation(decision="accept"))
    assert (status, server.api.store.annotations()) == (403, []) and "token in the address is missing or wrong" in text


@pytest.mark.parametrize("host", ["evil.example", "evil.example:8765", "127.0.0.1", "127.0.0.1:1", ""])
def test_another_host_name_is_refused(server: Server, host: str) -> None:
    """A page whose name was bound to 127.0.0.1 (DNS rebinding) is recognised by its Host header."""
    status, text, _ = ask(server, f"/?token={TOKEN}", headers={"Host": host})
    assert status == 403 and "answers only on 127.0.0.1" in text


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "https://127.0.0.1"])
def test_from_another_site_nothing_is_saved(server: Server, origin: str) -> None:
    status, text, _ = ask(server, ANNOTATIONS, annotation(decision="accept"), {"Origin": origin})
    assert status == 403 and "only its own page" in text and server.api.store.annotations() == []


def test_its_own_page_may_use_either_host_name(server: Server) -> None:
    for name in ("127.0.0.1", "localhost"):
        own = f"{name}:{server.server_port}"
        assert (
            ask(server, ANNOTATIONS, annotation(decision="accept"), {"Host": own, "Origin": f"http://{own}"})[0] == 200
        )


def test_it_listens_on_this_machine_only(server: Server) -> None:
    assert server.server_address[0] == "127.0.0.1"


@pytest.mark.parametrize(
    "path", ["/../../etc/passwd", "/%2e%2e/golden.review.sqlite", "/golden.review.sqlite", "/annotations/x"]
)
def test_no_path_reaches_a_file(server: Server, path: str) -> None:
    status, text, _ = ask(server, f"{path}?token={TOKEN}")
    assert status == 404 and "there is nothing at" in text


def test_the_page_may_run_only_its_own_script_and_not_be_framed(server: Server) -> None:
    status, text, headers = ask(server, f"/?token={TOKEN}")
    rules = dict(rule.split(" ", 1) for rule in headers["Content-Security-Policy"].split("; "))
    assert status == 200 and rules["default-src"] == "'none'" and rules["connect-src"] == "'self'"
    assert rules["script-src"].startswith("'sha256-") and "unsafe" not in rules["script-src"]
    assert rules["frame-ancestors"] == "'none'" and headers["Referrer-Policy"] == "no-referrer"
    assert TOKEN not in text and "&lt;script&gt;window.ran" in text and "<img" not in text


# ---- requests ----------------------------------------------------------------------------------------


def test_annotations_are_saved_and_each_annotator_sees_only_the_own(server: Server) -> None:
    for name, decision in (("Ada", "accept"), ("Bo", "reject")):
        assert ask(server, ANNOTATIONS, annotation(annotator=name, decision=decision))[:2] == (
            200,
            json.dumps({"saved": IDS[0]}),
        )
    own = json.loads(ask(server, f"{ANNOTATIONS}&annotator=ada")[1])
    assert (own["annotator"], list(own["judgements"])) == ("Ada", [IDS[0]])
    assert own["judgements"][IDS[0]]["decision"] == "accept"
    assert json.loads(ask(server, f"/progress?token={TOKEN}")[1]) == {"items": 4, "decided": {"Ada": 1, "Bo": 1}}


def test_an_edit_is_audited(server: Server) -> None:
    assert ask(server, ANNOTATIONS, annotation(decision="edit", answers=["a red boat"]))[0] == 200
    status, text, _ = ask(server, f"/findings?token={TOKEN}&annotator=Ada&item={IDS[0]}")
    findings = json.loads(text)["findings"]
    assert status == 200 and {"derivation", "evidence"} <= {each["code"] for each in findings}
    assert "you vouch for the answer" in findings[0]["message"]
    status, text, _ = ask(server, f"/findings?token={TOKEN}&annotator=Ada&item={IDS[1]}")
    assert status == 404 and "Ada has not edited" in text


def question(**changed: Any) -> bytes:
    sent = {"annotator": "Ada", "question": "How many barrels are in hall D?", "answers": ["43 barrels"]}
    return json.dumps({**sent, "evidence": [sentence(3).replace(" keeps", "  keeps")], **changed}).encode()


def test_a_question_is_added_with_its_evidence_located(server: Server) -> None:
    status, text, _ = ask(server, f"/items?token={TOKEN}", question())
    assert status == 200, text
    (added,) = server.api.store.added()
    assert json.loads(text)["added"] == added.id
    start = PLAIN.text.index(sentence(3))
    assert added.evidence == ((PLAIN.span(start, start + len(sentence(3))),),)
    assert (added.question, added.golden_answers) == ("How many barrels are in hall D?", ("43 barrels",))
    (decision,) = added.metadata["review"]["decisions"]
    assert (decision["annotator"], decision["decision"], added.metadata["source"]) == ("Ada", "accept", "people")
    assert json.loads(ask(server, f"/progress?token={TOKEN}")[1])["items"] == 4, "it is not under review"
    status, text, _ = ask(server, f"/items?token={TOKEN}", question())
    assert status == 400 and "has the same question, answers and evidence" in text, "not twice"
    status, text, _ = ask(
        server,
        f"/items?token={TOKEN}",
        question(question="What is in hall B?", answers=["a red boat"], evidence=[sentence(1)]),
    )
    assert status == 200 and "no golden answer is in the evidence: 'a red boat'" in json.loads(text)["findings"]


@pytest.mark.parametrize(
    ("changed", "problem"),
    [
        ({"evidence": ["Depot 3 sank in a storm."]}, "'Depot 3 sank in a storm.' cannot be located"),
        ({"answers": []}, "a question needs an answer, and evidence quoted from the documents"),
        ({"evidence": [" "]}, "a question needs an answer, and evidence quoted from the documents"),
        ({"answers": "x"}, "must be a list"),
        ({"more": 1}, "must be an object with annotator, question, answers and evidence"),
    ],
    ids=str,
)
def test_a_question_that_the_documents_do_not_prove_is_not_added(
    server: Server, changed: dict[str, Any], problem: str
) -> None:
    status, text, _ = ask(server, f"/items?token={TOKEN}", question(**changed))
    assert (status, server.api.store.added()) == (400, ()) and problem in json.loads(text)["error"], text


@pytest.mark.parametrize(
    ("body", "problem"),
    [
        (b"", "not JSON"),
        (b"{", "not JSON"),
        (b"\xff", "not JSON"),
        (b"[" * 100_000, "not JSON"),
        (b"[]", "must be an object with annotator, item and judgement"),
        (b'{"annotator": "Ada"}', "must be an object with annotator, item and judgement"),
        (annotation(item="q-none", decision="accept"), "'q-none' is not under review"),
        (annotation(annotator=" ", decision="accept"), "must have 1 to 80 characters"),
        (annotation(decision="perhaps"), "must be accept, reject, edit or empty"),
        (annotation(grades={"fluency": 0}), "the grade of fluency is 0"),
        (annotation(decision="edit"), "the decision is edit, but there is no new question and no new answer"),
        (annotation(comment="\ud800"), "lone surrogate"),
        (json.dumps({"annotator": "Ada", "item": [1], "judgement": {}}).encode(), "is not under review"),
        (annotation(annotator="Ada\x1b[2J", decision="accept"), "contains a control character"),
        (annotation(decision="accept", seconds=1e308), "the seconds are 1e+308 and must be a number from 0 to"),
        (annotation(**{f"key {number}": 1 for number in range(5000)}), "; and 4995 more"),
    ],
)
def test_an_invalid_annotation_is_explained(server: Server, body: bytes, problem: str) -> None:
    status, text, _ = ask(server, ANNOTATIONS, body)
    assert status == 400 and problem in json.loads(text)["error"] and server.api.store.annotations() == []


def test_an_html_form_and_a_request_that_is_too_long_are_refused(server: Server) -> None:
    assert ask(server, ANNOTATIONS, annotation(), {"Content-Type": "text/plain"})[0] == 415
    assert ask(server, ANNOTATIONS, b"x", {"Content-Length": str(MAX_REQUEST_BYTES + 1)})[0] == 413
    assert ask(server, ANNOTATIONS, b"x", {"Content-Length": "many"})[0] == 411
    assert ask(server, f"/progress?token={TOKEN}", annotation())[0] == 404


@pytest.mark.parametrize("method", ["PUT", "DELETE", "OPTIONS", "TRACE", "HEAD", "get"])
def test_another_method_is_refused_with_a_sentence(server: Server, method: str) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", server.server_port, timeout=10)
    connection.request(method, ANNOTATIONS)
    reply = connection.getresponse()
    assert (reply.status, reply.headers["Allow"], reply.headers["X-Content-Type-Options"]) == (
        405,
        "GET, POST",
        "nosniff",
    )
    assert method == "HEAD" or f"Unsupported method ('{method}')" in json.loads(reply.read())["error"]
    connection.close()


@pytest.mark.parametrize(
    ("head", "status"),
    [(b"GET / HTTP/9.9", b"505"), (b"GET", b"400"), (b"GET /" + b"a" * 70_000 + b" HTTP/1.1", b"414")],
)
def test_what_is_not_http_is_refused_with_a_sentence(server: Server, head: bytes, status: bytes) -> None:
    with socket.create_connection(("127.0.0.1", server.server_port), timeout=10) as connection:
        connection.sendall(head + b"\r\n\r\n")
        reply = b"".join(iter(lambda: connection.recv(65_536), b""))
    assert reply.startswith(b"HTTP/1.1 " + status) and json.loads(reply.partition(b"\r\n\r\n")[2])["error"]


def test_results_are_shown_only_after_all_decisions(server: Server) -> None:
    status, text, _ = ask(server, f"/results?token={TOKEN}&annotator=Ada")
    assert status == 403 and "Ada has 4 items left" in text
    server.api.store.save("Bo", [(each, Annotation("reject")) for each in IDS])
    server.api.store.save("Ada", [(each, Annotation("accept")) for each in IDS])
    status, text, _ = ask(server, f"/results?token={TOKEN}&annotator=Ada")
    assert status == 200 and "accept 4, reject 4" in json.loads(text)["text"]


def test_a_browser_that_disconnects_is_ignored(server: Server, capfd: pytest.CaptureFixture[str]) -> None:
    with socket.create_connection(("127.0.0.1", server.server_port)) as broken:
        broken.sendall(b"POST /annotations HTTP/1.1\r\nContent-Le")
    assert ask(server, f"/progress?token={TOKEN}")[0] == 200
    assert capfd.readouterr() == ("", "")


def test_a_port_in_use_is_reported(server: Server) -> None:
    with pytest.raises(ConfigError, match=f"port {server.server_port} is in use .* give another --port"):
        Server(server.api, "", "", TOKEN, server.server_port)


def test_a_token_is_created_once_and_readable_only_by_its_owner(tmp_path: Path) -> None:
    path = tmp_path / "review.token"
    token = read_token(path)
    assert len(token) >= 32 and read_token(path) == token and read_token(tmp_path / "other") != token
    assert path.stat().st_mode & 0o077 == 0
    path.write_text("", encoding="ascii")
    assert len(read_token(path)) >= 32, "the process was killed before writing it"
