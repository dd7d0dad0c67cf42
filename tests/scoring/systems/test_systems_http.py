"""A system behind a URL: templates, expressions for replies, failures, repeated requests, limits, settings."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from email.utils import format_datetime
from pathlib import Path
from typing import Any

import pytest
from services import KEY, Service, service

from kgsynth.base.bounded_http import retry_after
from kgsynth.base.errors import ConfigError, SystemUnreachableError
from kgsynth.base.records import Answer, Item, Passage
from kgsynth.scoring.systems import open_system
from kgsynth.scoring.systems.ask_all import ask_all
from kgsynth.scoring.systems.http import HttpSystem

__all__ = ["service"]


@pytest.fixture
def opened(service: Service, tmp_path: Path) -> Iterator[Callable[..., HttpSystem]]:
    systems: list[HttpSystem] = []

    def opening(settings: str = "", url: str = "") -> HttpSystem:
        path = tmp_path / "rag.toml"
        quick = "" if "backoff" in settings else "backoff = 0.01\n"
        path.write_text(quick + settings, encoding="utf-8")
        system = open_system(url or service.url, config=path)
        assert isinstance(system, HttpSystem)
        systems.append(system)
        return system

    yield opening
    for system in systems:
        system.close()


def item(name: str = "q") -> Item:
    return Item(name, f'Who is "{name}"?', (name,), "simple", "factoid", "en", ())


Opened = Callable[..., HttpSystem]

# ---- asking ----------------------------------------------------------------------------------------


def test_without_settings_the_question_is_posted_and_the_usual_keys_are_read(service: Service) -> None:
    service.says = lambda request: {"answer": "Ada", "contexts": ["t"]}
    system = open_system(service.url)
    answer = system.ask(item())
    system.close()
    assert (answer.answer, answer.retrieved, answer.error) == ("Ada", (Passage(text="t"),), None)
    assert answer.latency_s is not None and answer.latency_s > 0
    (request,) = service.requests
    assert (request.method, request.path, request.body) == ("POST", "/ask", {"question": 'Who is "q"?'})


def test_templates_fill_query_headers_and_body(service: Service, opened: Opened) -> None:
    settings = 'method = "PUT"\n[query]\nq = "${question}"\n[headers]\nAuthorization = "Bearer ${RAG_KEY}"\n'
    settings += '[body]\nk = 5\nmessages = [{role = "user", content = "${id}: ${question}"}]\n'
    assert opened(settings, service.url + "?v=2").ask(item()).error is None
    (request,) = service.requests
    assert (request.method, request.path) == ("PUT", "/ask?v=2&q=Who+is+%22q%22%3F")
    assert request.headers["authorization"] == f"Bearer {KEY}"
    assert request.body == {"k": 5, "messages": [{"role": "user", "content": 'q: Who is "q"?'}]}


def test_get_sends_the_question_in_the_url(service: Service, opened: Opened) -> None:
    opened('method = "GET"').ask(item())
    (request,) = service.requests
    assert (request.method, request.path, request.body) == ("GET", "/ask?question=Who+is+%22q%22%3F", None)


def test_expressions_find_answer_and_passages(service: Service, opened: Opened) -> None:
    hit = {"meta": {"path": "a.md", "at": [1, 4]}, "body": "abc", "n": 7, "sim": 0.5}
    service.says = lambda request: {"data": {"reply": "Ada", "hits": [hit], "first": [hit, hit]}}
    settings = '[reply]\nanswer = "data.reply"\npassages = "data.hits"\nbefore = "data.first"\ndoc = "meta.path"\n'
    settings += 'start = "meta.at[0]"\nend = "meta.at[1]"\ntext = "body"\nscore = "sim"\nid = "to_string(n)"\n'
    passage = Passage("a.md", 1, 4, "abc", "7", 0.5)
    found = opened(settings).ask(item())
    assert (found.answer, found.retrieved, found.before) == ("Ada", (passage,), (passage, passage))


# ---- failing ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("settings", "said", "error"),
    [
        ("", (200, {}, b"<html>Down</html>"), "not JSON: it begins '<html>Down</html>'"),
        ("", (200, {}, b""), "not JSON: it is empty"),
        (
            "",
            {"reply": "Ada", "n": 1},
            "wrong shape: it returned an object with the keys reply, n without answer or retrieved; return a text, a "
            'list of passages, or {"answer": …, "retrieved": […]}',
        ),
        ("", ["Ada", 3], "wrong shape: retrieved.1 is 3: give an object with named parts, or for a passage its text"),
        ("", {"answer": 42}, "wrong shape: answer is 42: give a text"),
        ("", {"answer": "Ada", "retrieved": [{"page": 3}]}, "wrong shape: retrieved.0 is {'page': 3}: give its "
            "text, or a mapping with any of doc, start, end, text, id, score"),
        ('[reply]\nanswer = "a.b"\n', {"answer": "Ada", "passages": []}, "wrong shape: answer = 'a.b' finds nothing "
            "in an object with the keys answer, passages"),
        ('[reply]\ndoc = "path"\n', {"retrieved": ["t", {"text": "t"}]}, "wrong shape: doc = 'path' finds nothing in "
            "any passage"),
        ('[reply]\nanswer = "length(a)"\n', {"a": 3}, "wrong shape: answer = 'length(a)' fails on it"),
        ("", {"answer": "a" * 100_001}, "wrong shape: answer is 'aaa"),
        ("", {"answer": "Ada", "retrieved": ["t" * 1000] * 2_001}, "wrong shape: retrieved is ['t"),
        ("", {"answer": "Ada", "retrieved": ["t"] * 10_001}, "wrong shape: retrieved is ['t', 't'"),
        ("", {"retrieved": {"c1": 1}}, "wrong shape: retrieved is {'c1': 1}: give a list"),
        ("", (404, {}, b""), "status 404: Not Found"),
        ("", (401, {}, b'{"detail": "no key"}'), 'status 401: {"detail": "no key"}'),
        ("", (307, {"Location": "/v2/ask"}, b""), "status 307: it redirects to /v2/ask; give that URL"),
    ],
)  # fmt: skip
def test_a_failure_is_one_sentence_with_its_cause_and_is_not_repeated(
    service: Service, opened: Opened, settings: str, said: Any, error: str
) -> None:
    service.says = lambda request: said
    found = opened(settings).ask(item()).error
    assert found is not None and found.startswith(error)
    assert len(service.requests) == 1


@pytest.mark.parametrize("said", [{"retrieved": []}, {"answer": "", "retrieved": []}, {"answer": "Ada", "hits": None}])
def test_no_passages_are_not_a_failure(service: Service, opened: Opened, said: Any) -> None:
    service.says = lambda request: said
    answer = opened().ask(item())
    assert (answer.error, answer.answer, answer.retrieved) == (None, said.get("answer"), ())


def test_retryable_failures_are_repeated_and_then_reported(service: Service, opened: Opened) -> None:
    first: list[Any] = [(503, {}, b"busy"), None, (429, {}, b"")]
    service.says = lambda request: first.pop(0) if first else {"answer": "Ada"}
    assert opened().ask(item()).answer == "Ada"
    assert len(service.requests) == 4
    service.says = lambda request: (500, {}, b"out of\n memory")
    assert opened("retries = 2").ask(item()).error == "status 500: out of memory (attempt 3)"
    assert len(service.requests) == 7


def test_the_pause_before_the_next_attempt_doubles(service: Service, opened: Opened) -> None:
    service.says = lambda request: (500, {}, b"")
    opened("backoff = 0.1\nretries = 2").ask(item())
    first, second, third = (request.time for request in service.requests)
    assert second - first >= 0.1 and third - second >= 0.2


def test_retry_after_is_honoured_unless_it_is_too_long(service: Service, opened: Opened) -> None:
    replies: list[Any] = [(429, {"Retry-After": "1"}, b"slow down")]
    service.says = lambda request: replies.pop(0) if replies else {"answer": "Ada"}
    assert opened().ask(item()).answer == "Ada"
    assert service.requests[1].time - service.requests[0].time >= 1
    replies.append((429, {"Retry-After": "3600"}, b"slow down"))
    assert opened().ask(item()).error == "status 429: slow down (attempt 1; the server asks to wait 3600 s)"


def test_retry_after_can_be_a_date_and_is_0_if_invalid() -> None:
    now = datetime(2024, 5, 1, 12, 0, 0, tzinfo=UTC)
    assert retry_after(format_datetime(datetime(2024, 5, 1, 12, 0, 30, tzinfo=UTC), usegmt=True), now) == 30
    assert retry_after(format_datetime(datetime(2024, 5, 1, 11, 0, 0, tzinfo=UTC), usegmt=True), now) == 0
    assert [retry_after(text, now) for text in (None, "", "soon", "-3")] == [0, 0, 0, 0]


@pytest.mark.parametrize("content", [None, [b" "] * 40])
def test_a_late_reply_is_a_timeout_even_if_its_parts_arrive_in_time(
    service: Service, opened: Opened, content: Any
) -> None:
    service.says = lambda request: (200, {}, content) if content else service.over.wait(2)
    begun = time.monotonic()
    assert opened("timeout = 0.3").ask(item()).error == "timeout: no reply in 0.3 s"
    assert time.monotonic() - begun < 1.8 and len(service.requests) == 1


def test_a_question_that_a_header_cannot_contain_is_a_failure(service: Service, opened: Opened) -> None:
    system = opened('[headers]\nX-Question = "${question}"')
    assert system.ask(item("Zoë")).error == "not sendable: a header contains 'ë'"
    assert (system.ask(item()).error, service.requests[0].headers["x-question"]) == (None, 'Who is "q"?')


def test_a_secret_is_hidden_before_a_message_is_cut(service: Service, opened: Opened) -> None:
    service.says = lambda request: (400, {}, b"x" * 190 + KEY.encode() + b"x" * 200)
    error = opened('[headers]\nX-Key = "${RAG_KEY}"').ask(item()).error
    assert error is not None and error.startswith("status 400: xxx") and KEY[:4] not in error


def test_a_secret_in_an_answer_is_hidden(service: Service, opened: Opened) -> None:
    service.says = lambda request: {"answer": f"your key is {request.body['key']}", "retrieved": [KEY]}
    answer = opened('[body]\nkey = "${RAG_KEY}"').ask(item())
    assert (answer.answer, answer.retrieved) == ("your key is ${RAG_KEY}", (Passage(text="${RAG_KEY}"),))


def test_a_missing_service_is_a_failed_connection(service: Service, opened: Opened) -> None:
    service.end()
    error = opened("retries = 1").ask(item()).error
    assert error is not None and error.startswith("connection: ") and error.endswith("(attempt 2)")


def test_questions_are_asked_in_parallel_and_at_the_given_rate(
    service: Service, opened: Opened, tmp_path: Path
) -> None:
    service.says = lambda request: service.over.wait(0.05) or {"answer": "Ada"}
    items = [item(str(number)) for number in range(8)]
    ask_all(items, opened("at_once = 3"), "g")
    assert service.most == 3
    service.requests.clear()
    ask_all(items, opened("at_once = 8\nper_second = 40"), "g")
    times = sorted(request.time for request in service.requests)
    assert times[-1] - times[0] >= 7 / 40 - 0.02


# ---- settings --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("settings", "reason"),
    [
        ("timeot = 3", r"unknown setting timeot in .*rag\.toml; did you mean timeout\?"),
        ('method = "FETCH"', r"method is 'FETCH' in .*rag\.toml; it must be 'POST', 'GET', 'PUT' or 'PATCH'"),
        ("timeout = 0", r"timeout is 0 in .*rag\.toml; it must be greater than 0"),
        ("retries = 1.5", r"retries is 1.5 in .*rag\.toml; it must be an integer"),
        ("at_once = true", r"at_once is True in .*rag\.toml; it must be an integer"),
        ("[headers]\nX = 3", r"headers.X is 3 in .*rag\.toml; it must be a string"),
        (
            '[headers]\nX = "${NO_SUCH_KEY}"',
            r"headers in .*rag\.toml: it needs \$\{NO_SUCH_KEY\}, which the environment does not have; export it",
        ),
        ('[headers]\nX = "${BAD}"', r"headers in .*rag\.toml: X would contain a line break"),
        ('[body]\nkey = "${NO_SUCH_KEY}"', r"body in .*rag\.toml: it needs \$\{NO_SUCH_KEY\}"),
        (
            '[query]\nkey = "${RAG_KEY}"',
            r"query in .*rag\.toml: it contains \$\{RAG_KEY\}, but URLs appear in logs; send",
        ),
        ('[reply]\nanswr = "a"', r"reply in .*rag\.toml: 'answr' is unknown, did you mean answer\?"),
        ('[reply]\nanswer = "a["', r"reply in .*rag\.toml: answer = 'a\[' is not a JMESPath expression"),
        ("[body]\nday = 2026-01-31", r"body in .*rag\.toml: it cannot be sent as JSON \(Object of type date"),
        ("[body]\nk = nan", r"body in .*rag\.toml: it cannot be sent as JSON \(Out of range float"),
        ("retries =", "is not valid TOML"),
        (
            'retries = -1\nper_second = "fast"',
            r"2 settings are wrong:\n  - retries is -1 in .*\n  - per_second is a string in ",
        ),
    ],
)
def test_all_wrong_settings_are_reported_together(
    opened: Opened, monkeypatch: pytest.MonkeyPatch, settings: str, reason: str
) -> None:
    monkeypatch.setenv("BAD", "line\nbreak")
    with pytest.raises(ConfigError, match=reason) as caught:
        opened(settings)
    assert "line\nbreak" not in str(caught.value)


def test_settings_need_a_system_with_settings_and_a_url_must_be_valid(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="is only for http://, https://, exec: and mcp: systems, not for bm25"):
        open_system("bm25", config=tmp_path / "rag.toml")
    with pytest.raises(ConfigError, match=r"rag\.toml cannot be read .No such file"):
        open_system("http://localhost/ask", config=tmp_path / "rag.toml")
    for url in ("http://", "http://localhost:port/ask", "http://[::1/ask"):
        with pytest.raises(ConfigError, match="such as http://localhost:8000/ask"):
            open_system(url)


def test_the_signature_changes_with_what_is_sent_and_contains_no_password(opened: Opened) -> None:
    url = "http://user:pass-word@localhost:9/ask?token=hidden"
    first, more_time, other = opened("", url), opened("timeout = 90", url), opened("[body]\nk = 5", url)
    assert first.name == "http://localhost:9/ask"
    assert first.signature == more_time.signature, "a late question can be asked again with more time"
    assert first.signature != other.signature
    assert not any(part in first.signature for part in ("user", "pass-word", "hidden"))


# ---- a service that is down --------------------------------------------------------------------------


def ask_ten(system: HttpSystem, folder: Path | None = None, **options: bool) -> dict[str, Answer]:
    return ask_all([item(f"q{number}") for number in range(10)], system, "golden", folder, **options)


def test_a_refused_connection_stops_the_run_after_one_attempt(service: Service, opened: Opened, tmp_path: Path) -> None:
    service.end()
    begun = time.monotonic()
    with pytest.raises(SystemUnreachableError) as caught:
        ask_ten(opened("backoff = 5"), tmp_path / "out")
    assert time.monotonic() - begun < 2
    assert str(caught.value).startswith(f"{service.url} cannot be reached: connection: ")
    assert str(caught.value).endswith("start the service or correct the URL, then run the same command again")
    assert (tmp_path / "out/answers.jsonl").read_text(encoding="utf-8") == "", "no failure is saved"


def test_a_name_without_an_address_stops_the_run_after_one_attempt(opened: Opened) -> None:
    with pytest.raises(SystemUnreachableError, match=r"kgsynth\.invalid/ask cannot be reached: connection: "):
        ask_ten(opened("backoff = 5", "http://kgsynth.invalid/ask"))


@pytest.mark.parametrize(
    ("status", "step"),
    [(401, "correct the key in --rag-config"), (404, "correct the URL"), (405, "correct the method in --rag-config")],
)
def test_a_status_that_every_question_would_get_stops_the_run(
    service: Service, opened: Opened, status: int, step: str
) -> None:
    service.says = lambda request: (status, {}, b"no")
    with pytest.raises(SystemUnreachableError, match=f"refuses the first question: status {status}: no; {step}"):
        ask_ten(opened())
    assert len(service.requests) == 1


def test_a_healthy_service_gets_no_additional_request(service: Service, opened: Opened) -> None:
    assert [answer.error for answer in ask_ten(opened()).values()] == [None] * 10
    assert len(service.requests) == 10


def test_a_later_failure_and_a_temporary_first_one_do_not_stop_the_run(service: Service, opened: Opened) -> None:
    replies = {1: (503, {}, b"starting"), 5: (404, {}, b"no"), 6: (401, {}, b"no")}
    service.says = lambda request: replies.get(len(service.requests), {"answer": "Ada"})
    errors = [answer.error for answer in ask_ten(opened("at_once = 1")).values()]
    assert [error for error in errors if error] == ["status 404: no", "status 401: no"]


def test_failed_questions_of_a_run_with_answers_are_retried_without_stopping(
    service: Service, opened: Opened, tmp_path: Path
) -> None:
    service.says = lambda request: (404, {}, b"no") if "q7" in request.body["question"] else {"answer": "Ada"}
    assert ask_ten(opened(), tmp_path)["q7"].error == "status 404: no"
    assert ask_ten(opened(), tmp_path, retry_errors=True)["q7"].error == "status 404: no"
