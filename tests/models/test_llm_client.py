"""Requests to a server: which are repeated and when, what ends a run, and how parameters are adapted."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from model_server import KINDS, Answer, Faults, ModelServer, Request, failed, ok

from kgsynth.base.errors import BudgetError, ConfigError, SystemUnreachableError
from kgsynth.models.llm import Failure, LLMSettings, Prompt, ServedLLM, Usage

KEY = "sk-71c0-very-secret"
TEXT = '{"answer": "Ada"}'


@dataclass(frozen=True)
class Said:
    answer: str


ADA = Said("Ada")
Ask = Callable[..., Any]


@pytest.fixture(autouse=True)
def waited(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[float]]:
    """The pauses between attempts, which are skipped."""
    pauses: list[float] = []
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    monkeypatch.setattr("kgsynth.models.llm.client.time", type("Clock", (), {"sleep": pauses.append}))
    yield pauses


def model(server: ModelServer, **settings: Any) -> ServedLLM:
    return ServedLLM("m", LLMSettings(**{"base_url": server.url, "timeout": 5, **settings}))


def ask(asked: ServedLLM, user: str = "Who wrote it?") -> Said | Failure:
    return asked.ask(Prompt("judging", "Be brief.", user), Said)


def once(answer: Answer | str, then: str = TEXT) -> Callable[[Request], Answer | str]:
    """A model whose first reply differs from the others."""
    said = iter([answer])
    return lambda request: next(said, then)


# ---- repeated requests -------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_failure_is_repeated(kind: str) -> None:
    with ModelServer(lambda request: TEXT, faults=Faults(1.0, kinds=(kind,), in_a_row=1, hang_s=0.4)) as server:
        asked = model(server, timeout=0.2 if kind == "hang" else 5)
        assert ask(asked) == ADA
        assert len(server.requests) == (1 if kind == "prose" else 2), "JSON in prose is read as it is"
    failed_calls = 1 if kind in ("rate_limit", "server_error", "hang") else 0
    assert (asked.spending.total.calls, asked.spending.total.failed) == (len(server.requests), failed_calls)


@pytest.mark.parametrize("status", [408, 409, 425, 429, 500, 502, 503, 504, 529])
def test_a_request_is_repeated_after_a_retryable_status(status: int) -> None:
    with ModelServer(once(failed(status, "not now"))) as server:
        assert ask(model(server)) == ADA
        assert len(server.requests) == 2


@pytest.mark.parametrize(
    "body", [b"<html>502</html>", b"null", b"[]", b'{"choices": []}', b'{"choices": [{"message": null}]}', b"\xff\xfe"]
)
def test_a_request_is_repeated_after_a_reply_that_is_no_chat_completion(body: bytes) -> None:
    with ModelServer(once((200, {"Content-Type": "application/json"}, body))) as server:
        assert ask(model(server)) == ADA
        assert len(server.requests) == 2


def test_the_pause_doubles_up_to_the_longest(waited: list[float]) -> None:
    with ModelServer(lambda request: failed(500, "down")) as server:
        assert isinstance(ask(model(server, retries=4, backoff=0.5, longest_wait=3)), Failure)
    assert waited == [0.5, 1.0, 2.0, 3.0]


def test_retry_after_is_honoured(waited: list[float]) -> None:
    with ModelServer(once(failed(429, "slow down", {"Retry-After": "7"}))) as server:
        assert ask(model(server)) == ADA
    assert waited == [7.0]


def test_a_server_that_asks_for_too_long_a_pause_has_failed(waited: list[float]) -> None:
    with ModelServer(once(failed(429, "slow down", {"Retry-After": "3600"}))) as server:
        reply = ask(model(server, longest_wait=60))
    assert (
        isinstance(reply, Failure)
        and reply.why.startswith("status 429: ")
        and reply.why.endswith("(attempt 1; the server asks to wait 3600 s)")
    )
    assert waited == [] and len(server.requests) == 1


def test_an_unusable_reply_that_is_repeated_is_asked_for_only_twice() -> None:
    """Each time with one correction; a model that repeats its reply has no better one."""
    with ModelServer(lambda request: "I'm sorry, but I can't help with that.") as server:
        assert ask(model(server)) == Failure("a reply that cannot be used: it contains no JSON object")
    assert len(server.requests) == 4


def test_a_text_reply_is_returned_without_surrounding_white_space() -> None:
    with ModelServer(once("", then=" Ada. ")) as server:
        assert model(server).say(Prompt("judging", "Be brief.", "Who wrote it?")) == "Ada."
    assert [request.wants for request in server.requests] == ["text", "text"]


# ---- what ends a run ---------------------------------------------------------------------------------


@pytest.mark.parametrize("status", [401, 403, 404])
def test_a_server_that_refuses_the_key_or_the_model_ends_the_run(status: int) -> None:
    with ModelServer(lambda request: failed(status, f"no {request.headers['authorization']}")) as server:
        with pytest.raises(SystemUnreachableError) as error:
            ask(model(server))
        assert len(server.requests) == 1
    assert error.value.exit_code == 4
    assert f"the server {server.url}/ refuses the language model 'm' (status {status}: " in str(error.value)
    assert "check its name, OPENAI_API_KEY and OPENAI_BASE_URL" in str(error.value)
    assert KEY not in str(error.value)


def test_three_failed_requests_in_a_row_end_the_run() -> None:
    with ModelServer(lambda request: failed(503, "down for the night")) as server:
        asked = model(server, retries=1)
        assert [str(ask(asked)) for _ in range(2)] == 2 * [str(Failure(reason(2)))]
        with pytest.raises(
            SystemUnreachableError, match="when it can be, run the same command again to resume"
        ) as error:
            ask(asked)
        assert len(server.requests) == 6 and error.value.exit_code == 4


def reason(attempt: int) -> str:
    body = '{"error": {"message": "down for the night", "type": "server_error", "param": null, "code": null}}'
    return f"status 503: {body} (attempt {attempt})"


def test_two_failed_requests_and_one_answered_do_not() -> None:
    down = [True, True, False] * 3
    with ModelServer(lambda request: failed(503, "down") if down[len(server.requests) - 1] else TEXT) as server:
        asked = model(server, retries=0)
        replies = [ask(asked, f"Question {number}?") for number in range(9)]
    assert [isinstance(reply, Failure) for reply in replies] == down


def test_a_missing_server_is_unreachable() -> None:
    with ModelServer(lambda request: TEXT) as server:
        asked = model(server, retries=0)
    assert [type(ask(asked)) for _ in range(2)] == [Failure, Failure]
    with pytest.raises(SystemUnreachableError, match=r"cannot be reached: no connection: .*refused"):
        ask(asked)


def test_a_prompt_that_is_too_long_fails_but_does_not_end_the_run() -> None:
    message = "This model's maximum context length is 4096 tokens, your messages resulted in 5017 tokens."
    with ModelServer(lambda request: failed(400, message) if "long" in request.user else TEXT) as server:
        asked = model(server)
        replies = [ask(asked, f"A long one, {number}") for number in range(5)]
        assert all(isinstance(reply, Failure) and "maximum context length" in reply.why for reply in replies)
        assert ask(asked) == ADA
        assert len(server.requests) == 6, "a refused request is not repeated"


def test_a_model_needs_a_server_or_a_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY")
    with pytest.raises(
        ConfigError, match="no server for the language model 'm'; export OPENAI_API_KEY, or OPENAI_BASE_URL"
    ) as error:
        ServedLLM("m")
    assert error.value.exit_code == 2
    with ModelServer(lambda request: TEXT) as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        assert ask(ServedLLM("m")) == ADA, "your own server needs no key"


# ---- parameters that a server does not support -------------------------------------------------------


@pytest.mark.parametrize("refuses", [(), ("json_schema",), ("json_schema", "json_object")], ids=str)
def test_a_refused_response_format_is_no_longer_sent(refuses: tuple[str, ...]) -> None:
    with ModelServer(lambda request: TEXT, refuses=refuses) as server:
        asked = model(server)
        assert [ask(asked, user) for user in "abc"] == [ADA] * 3
    taken = next(mode for mode in ("json_schema", "json_object", "text") if mode not in refuses)
    assert [request.wants for request in server.requests] == [*refuses, taken, taken, taken]
    assert server.requests[0].schema == {
        "type": "object",
        "properties": {"answer": {"type": "string"}},
        "required": ["answer"],
        "additionalProperties": False,
    }
    assert asked.spending.total.calls == len(server.requests), "refused requests are calls too"


REFUSALS = {
    "max_tokens": "Unsupported parameter: 'max_tokens' is not supported with this model. "
    "Use 'max_completion_tokens' instead.",
    "temperature": "Unsupported value: 'temperature' does not support 0.0 with this model.",
    "seed": "Unrecognized request argument supplied: seed",
}


@pytest.mark.parametrize("at_once", [1, 4])
def test_unsupported_parameters_are_no_longer_sent(at_once: int) -> None:
    def reply(request: Request) -> Answer | str:
        return next((failed(400, message) for name, message in REFUSALS.items() if name in request.body), TEXT)

    with ModelServer(reply) as server:
        asked = model(server, at_once=at_once)
        prompts = [Prompt("judging", "Be brief.", f"Question {number}?", max_tokens=77) for number in range(12)]
        assert [said for _, said in asked.ask_all(prompts, Said)] == [ADA] * 12
    assert len(server.requests) <= 12 + 3 * at_once
    last = server.requests[-1].body
    assert last["max_completion_tokens"] == 77
    assert not REFUSALS.keys() & last.keys()


@pytest.mark.parametrize(
    "usage", [None, {}, {"prompt_tokens": 0, "completion_tokens": 0}, {"prompt_tokens": -9, "completion_tokens": "9"}]
)
def test_tokens_that_the_server_does_not_count_are_estimated(usage: Any) -> None:
    body = {"choices": [{"message": {"content": '{"answer": "Ada wrote it."}'}}], "usage": usage}
    with ModelServer(lambda request: ok(body)) as server:
        asked = model(server)
        ask(asked)
    sent = sum(-(-len(message["content"]) // 4) + 8 for message in server.requests[0].messages)
    assert asked.spending.total == Usage(calls=1, tokens_in=sent, tokens_out=7)  # 27 letters


# ---- several at the same time ------------------------------------------------------------------------


def test_no_more_requests_run_at_the_same_time_than_allowed() -> None:
    def reply(request: Request) -> str:
        time.sleep(0.02)
        return TEXT

    with ModelServer(reply) as server:
        prompts = [Prompt("judging", "Be brief.", f"Question {number}?") for number in range(15)]
        places = [place for place, _ in model(server, at_once=3).ask_all(prompts, Said)]
        assert sorted(places) == list(range(15)) and 1 < server.most <= 3


def test_replies_within_the_budget_are_yielded_before_the_error() -> None:
    with ModelServer(lambda request: TEXT) as server:
        asked, replies = model(server, max_calls=5, at_once=3), []
        prompts = [Prompt("judging", "Be brief.", f"Question {number}?") for number in range(9)]
        with pytest.raises(BudgetError, match="stopped after 5 calls"):
            replies.extend(asked.ask_all(prompts, Said))
        assert len(replies) == len(server.requests) == 5


def test_a_lone_surrogate_does_no_harm() -> None:
    with ModelServer(once('{"answer": "\\ud83d"}')) as server:
        assert ask(model(server)) == ADA
    body = b'{"choices": [{"message": {"content": "{\\"answer\\": \\"a \\ud83d b\\"}"}}]}'
    with ModelServer(lambda request: (200, {}, body)) as server:
        assert ask(model(server)) == Said("a ? b")


@pytest.mark.parametrize("tokens", ["9" * 400, "9" * 5000, "1" + "0" * 90, "-5", "1e400", "true"])
def test_a_usage_that_cannot_be_is_no_cost(tokens: str) -> None:
    body = f'{{"choices": [{{"message": {{"content": "{{}}"}}}}], "usage": {{"prompt_tokens": {tokens}}}}}'.encode()
    with ModelServer(lambda request: (200, {}, body)) as server:
        asked = model(server, retries=0, price_in=1.0)
        said = asked.say(Prompt("judging", "Be brief.", "Who wrote it?"))
        assert said == "{}" or (
            isinstance(said, Failure) and "usage.prompt_tokens has more than 100 digits" in said.why
        )
        assert asked.spending.cost < 1


def test_an_llm_that_only_talks_nonsense_is_given_up() -> None:
    with ModelServer(lambda request: f"As a parrot I say {len(server.requests)}.") as server:
        asked = model(server)
        for _ in range(4):
            assert isinstance(ask(asked), Failure)
        with pytest.raises(
            SystemUnreachableError, match=r"no reply of .* to the first 5 prompts can be used, the last is "
        ):
            ask(asked)
        assert len(server.requests) == 5 * 6, "three tries for each prompt, each corrected once"


def test_an_llm_that_could_be_read_once_is_not_given_up() -> None:
    with ModelServer(lambda request: '{"answer": "Ada"}' if len(server.requests) == 1 else "Squawk.") as server:
        asked = model(server)
        replies = [ask(asked, user=f"Who wrote it, {number}?") for number in range(9)]
    assert [isinstance(reply, Failure) for reply in replies] == [False] + [True] * 8


# ---- models that think -------------------------------------------------------------------------------


def used_up(text: str = "") -> Answer:
    """A reply that ended at its limit of tokens."""
    return ok({"choices": [{"message": {"content": text}, "finish_reason": "length"}]})


@pytest.mark.parametrize("text", ["", "<think>Let me see. Who", "<thinking>So {"])
def test_a_model_that_thinks_gets_more_room_when_its_thoughts_used_it_up(text: str) -> None:
    with ModelServer(once(used_up(text))) as server:
        asked = model(server)
        assert ask(asked) == ADA and ask(asked, "Who else?") == ADA
        assert [request.max_tokens for request in server.requests] == [800, 2_800, 2_800]


def test_room_for_thoughts_has_an_end() -> None:
    with ModelServer(lambda request: used_up()) as server:
        assert isinstance(ask(model(server)), Failure)
        assert max(request.max_tokens or 0 for request in server.requests) == 14_800


def test_room_for_thoughts_can_be_given_at_once_with_the_effort() -> None:
    with ModelServer(lambda request: TEXT) as server:
        assert ask(model(server, thinking_tokens=4_000, reasoning_effort="low")) == ADA
        (request,) = server.requests
        assert request.max_tokens == 4_800 and request.body["reasoning_effort"] == "low"


def test_an_effort_that_the_server_does_not_know_is_no_longer_sent() -> None:
    with ModelServer(once(failed(400, "Unrecognized request argument: reasoning_effort"))) as server:
        assert ask(model(server, reasoning_effort="low")) == ADA
        assert "reasoning_effort" not in server.requests[-1].body


def test_thoughts_before_a_reply_are_no_part_of_it() -> None:
    with ModelServer(lambda request: '<think>{"answer": "Bea"}? No.</think>\n{"answer": "Ada"}') as server:
        assert ask(model(server)) == ADA
