"""The scripted model server: its replies and counts, what it refuses, and each fault as a client sees it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

import httpx
import pytest
from model_server import KINDS, REFUSAL, Faults, ModelServer, Request, failed

KEY = "sk-71c0-very-secret"
TEXT = '{"answer": "Ada", "quote": "Ada wrote it."}'
SCHEMA = {"type": "object", "properties": {"answer": {"type": "string"}}, "required": ["answer"]}
STRUCTURED = {"type": "json_schema", "json_schema": {"name": "reply", "schema": SCHEMA}}

Ask = Callable[..., httpx.Response]


def always(kind: str, **settings: Any) -> Faults:
    """Faults of one kind, on every other request of a message."""
    return Faults(1.0, kinds=(kind,), in_a_row=1, **settings)


@pytest.fixture
def client() -> Iterator[httpx.Client]:
    with httpx.Client(trust_env=False, timeout=5, headers={"Authorization": f"Bearer {KEY}"}) as client:
        yield client


@pytest.fixture
def ask(client: httpx.Client) -> Ask:
    """Requests a completion, with the fields of the request as keywords."""

    def ask(server: ModelServer, user: str = "Who wrote it?", **fields: Any) -> httpx.Response:
        messages = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": user}]
        return client.post(f"{server.url}/chat/completions", json={"model": "m", "messages": messages, **fields})

    return ask


def content(response: httpx.Response) -> str:
    assert response.status_code == 200
    return response.json()["choices"][0]["message"]["content"]


def test_a_reply_has_its_usage_and_the_request_is_kept(ask: Ask) -> None:
    with ModelServer(lambda request: f"{request.model}: {request.user}") as server:
        answer = ask(server, temperature=0.5, max_tokens=20, seed=7, response_format=STRUCTURED).json()
    (request,) = server.requests
    assert answer["choices"][0]["message"] == {"role": "assistant", "content": "m: Who wrote it?", "refusal": None}
    assert answer["choices"][0]["finish_reason"] == "stop"
    # "Be brief." is 9 bytes and "Who wrote it?" 13, so 3 and 4 tokens; "m: Who wrote it?" is 16 bytes, 4 tokens
    assert answer["usage"] == {"prompt_tokens": 7, "completion_tokens": 4, "total_tokens": 11}
    assert (request.temperature, request.max_tokens, request.seed) == (0.5, 20, 7)
    assert (request.wants, request.schema, len(request.messages)) == ("json_schema", SCHEMA, 2)


def test_a_reply_is_cut_at_the_maximum_number_of_tokens(ask: Ask) -> None:
    with ModelServer(lambda request: "a" * 13) as server:
        for most, reason, length in ((3, "length", 12), (4, "stop", 13)):
            choice = ask(server, max_completion_tokens=most).json()["choices"][0]
            assert (choice["finish_reason"], len(choice["message"]["content"])) == (reason, length)


def test_the_places_of_a_key_are_named(ask: Ask) -> None:
    with ModelServer(lambda request: TEXT) as server:
        ask(server)
        ask(server, user=f"My key is {KEY}")
    assert [request.places(KEY) for request in server.requests] == [{"authorization"}, {"authorization", "body"}]


def test_models_are_listed_and_other_paths_are_unknown(client: httpx.Client) -> None:
    with ModelServer(lambda request: TEXT, models=("one", "two")) as server:
        listed = client.get(f"{server.url}/models").json()["data"]
        assert client.post(f"{server.url}/embeddings", json={"input": "x"}).status_code == 404
    assert [model["id"] for model in listed] == ["one", "two"]
    assert server.requests == []


@pytest.mark.parametrize(
    ("refuses", "statuses"),
    [((), [200, 200, 200]), (("json_schema",), [400, 200, 200]), (("json_schema", "json_object"), [400, 400, 200])],
)
def test_an_older_server_refuses_response_formats(ask: Ask, refuses: tuple[str, ...], statuses: list[int]) -> None:
    with ModelServer(lambda request: TEXT, refuses=refuses) as server:
        answers = [ask(server, response_format=form) for form in (STRUCTURED, {"type": "json_object"}, None)]
    assert [answer.status_code for answer in answers] == statuses
    assert len(server.requests) == 3
    for answer in answers[: statuses.count(400)]:
        assert answer.json()["error"]["type"] == "invalid_request_error"
        assert "response_format" in answer.json()["error"]["message"]


def test_a_refused_format_causes_no_failure(ask: Ask) -> None:
    with ModelServer(lambda request: TEXT, refuses=("json_schema",), faults=always("server_error")) as server:
        statuses = [ask(server, response_format=form).status_code for form in (STRUCTURED, None, STRUCTURED, None)]
    assert statuses == [400, 500, 400, 200]


def test_too_many_requests_have_a_retry_after_header(ask: Ask) -> None:
    with ModelServer(lambda request: TEXT, faults=always("rate_limit", retry_after=1)) as server:
        first, second = ask(server), ask(server)
    assert (first.status_code, first.headers["retry-after"]) == (429, "1")
    assert content(second) == TEXT


def test_a_server_error_repeats_the_key(ask: Ask) -> None:
    with ModelServer(lambda request: TEXT, faults=always("server_error")) as server:
        answer = ask(server)
    assert answer.status_code == 500
    assert KEY in answer.json()["error"]["message"]


def test_a_hang_is_longer_than_the_timeout_and_then_replies(client: httpx.Client, ask: Ask) -> None:
    with ModelServer(lambda request: TEXT, faults=always("hang", hang_s=0.2)) as server:
        assert content(ask(server)) == TEXT
        client.timeout = httpx.Timeout(0.1)
        with pytest.raises(httpx.ReadTimeout):
            ask(server, user="Who else?")
        assert content(ask(server, user="Who else?")) == TEXT
    assert server.met == {"hang": 2}


def test_json_is_cut_off(ask: Ask) -> None:
    with ModelServer(lambda request: TEXT, faults=always("cut_off")) as server:
        answer = ask(server)
    assert TEXT.startswith(content(answer))
    assert answer.json()["choices"][0]["finish_reason"] == "length"
    with pytest.raises(json.JSONDecodeError):
        json.loads(content(answer))


def test_the_wrong_schema_is_an_echo_of_the_right_one(ask: Ask) -> None:
    with ModelServer(lambda request: TEXT, faults=always("wrong_schema")) as server:
        assert json.loads(content(ask(server, response_format=STRUCTURED))) == SCHEMA
        assert "answer" not in json.loads(content(ask(server, user="Who else?")))


def test_a_reply_is_empty(ask: Ask) -> None:
    with ModelServer(lambda request: TEXT, faults=always("empty")) as server:
        answer = ask(server)
    assert content(answer) == ""
    assert answer.json()["usage"]["completion_tokens"] == 0


def test_a_refusal_is_in_its_own_field_or_in_the_text(ask: Ask) -> None:
    with ModelServer(lambda request: TEXT, faults=always("refusal")) as server:
        structured = ask(server, response_format=STRUCTURED).json()["choices"][0]["message"]
        assert structured == {"role": "assistant", "content": None, "refusal": REFUSAL}
        assert content(ask(server, user="Who else?")) == REFUSAL


def test_json_is_surrounded_by_prose(ask: Ask) -> None:
    with ModelServer(lambda request: TEXT, faults=always("prose")) as server:
        said = content(ask(server))
    assert TEXT in said
    assert not said.startswith("{")
    assert not said.endswith("}")


def test_failures_are_the_same_in_any_order_of_threads(ask: Ask) -> None:
    users = [f"Question {number}?" for number in range(12)] * 4

    def statuses(workers: int) -> dict[str, list[str]]:
        """All replies to each message."""
        met: dict[str, list[str]] = {}
        faults = Faults(0.5, hang_s=0.01)
        with ModelServer(lambda request: TEXT, faults=faults) as server, ThreadPoolExecutor(workers) as pool:
            for user, answer in zip(users, pool.map(lambda user: ask(server, user), users), strict=True):
                met.setdefault(user, []).append(answer.text)
        return {user: sorted(texts) for user, texts in met.items()}

    assert statuses(1) == statuses(6)


def test_the_highest_number_of_parallel_requests_is_counted(ask: Ask) -> None:
    all_here = Barrier(3, timeout=5)
    with ModelServer(lambda request: f"{TEXT}{all_here.wait()}") as server:
        with ThreadPoolExecutor(3) as pool:
            assert {answer.status_code for answer in pool.map(lambda user: ask(server, user), "abc")} == {200}
        assert server.most == 3


def test_the_share_of_failures_is_right_and_no_message_fails_too_often_in_a_row() -> None:
    faults = Faults(0.3, in_a_row=2)
    drawn = [[faults.at(f"message {number}", time) for time in range(10)] for number in range(200)]
    kinds = [kind for row in drawn for kind in row if kind]
    # a third fault in a row does not happen: of 0.3 the share 0.3 / (1 + 0.3 + 0.3 ** 2) * (1 + 0.3) = 0.28 is left
    assert len(kinds) / 2000 == pytest.approx(0.28, abs=0.03)
    assert set(kinds) == set(KINDS)
    assert not any(all(row[time : time + 3]) for row in drawn for time in range(8))
    assert any(all(row[time : time + 2]) for row in drawn for time in range(9))
    assert drawn != [[Faults(0.3, seed=1).at(f"message {number}", time) for time in range(10)] for number in range(200)]


def test_a_reply_can_be_a_complete_response_and_an_error_of_the_test_is_raised(ask: Ask) -> None:
    def reply(request: Request) -> Any:
        if request.user == "Who am I?":
            return failed(401, "no such key")
        raise ValueError("the test is wrong")

    with pytest.raises(ValueError, match="the test is wrong"), ModelServer(reply) as server:
        assert ask(server, user="Who am I?").status_code == 401
        assert ask(server).status_code == 500
