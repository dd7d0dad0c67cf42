"""A real server with a real model: what a client can rely on, whatever the model replies."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import httpx
import pytest

pytestmark = pytest.mark.llm

SCHEMA = {
    "type": "object",
    "properties": {
        "verdict": {"enum": ["yes", "no", "unclear"]},
        "score": {"type": "integer", "minimum": 0, "maximum": 9},
        "quotes": {"type": "array", "items": {"type": "string", "maxLength": 20}, "maxItems": 2},
    },
    "required": ["verdict", "score", "quotes"],
    "additionalProperties": False,
}
"""Bounded in every part, so that a model that never stops must; it may still put much white space between."""

PAGE = "Ada Holm opened the harbour office in Reykjavik in 1987. It closed in 1994, when the ferry was given up.\n"

Ask = Callable[..., httpx.Response]


@pytest.fixture
def ask(gemma: str) -> Ask:
    """Requests a completion, with the fields of the request as keywords."""

    def ask(user: str = f"{PAGE}When did the office open?", **fields: Any) -> httpx.Response:
        body = {"model": "gemma", "messages": [{"role": "user", "content": user}], "temperature": 0, **fields}
        return httpx.post(f"{gemma}/chat/completions", json=body, timeout=120, trust_env=False)

    return ask


def content(answer: httpx.Response) -> str:
    assert answer.status_code == 200, answer.text
    return answer.json()["choices"][0]["message"]["content"]


def test_the_model_is_listed_by_its_name(gemma: str) -> None:
    listed = httpx.get(f"{gemma}/models", trust_env=False).json()["data"]
    assert [model["id"] for model in listed] == ["gemma"]


def test_a_reply_is_cut_at_the_maximum_and_its_tokens_are_counted(ask: Ask) -> None:
    answer = ask(max_tokens=8)
    assert content(answer)
    assert answer.json()["choices"][0]["finish_reason"] == "length"
    assert answer.json()["usage"]["completion_tokens"] == 8
    assert answer.json()["usage"]["prompt_tokens"] > len(PAGE) / 8


@pytest.mark.parametrize("seed", range(2))
def test_a_reply_with_a_schema_follows_it(ask: Ask, seed: int) -> None:
    form = {"type": "json_schema", "json_schema": {"name": "verdict", "strict": True, "schema": SCHEMA}}
    reply = json.loads(content(ask(response_format=form, max_tokens=800, temperature=1.0, seed=seed)))
    assert set(reply) == {"verdict", "score", "quotes"}
    assert reply["verdict"] in ("yes", "no", "unclear")
    assert reply["score"] in range(10)
    assert all(isinstance(quote, str) and len(quote) <= 20 for quote in reply["quotes"])


def test_json_mode_makes_a_reply_begin_as_json(ask: Ask) -> None:
    assert not content(ask(max_tokens=8)).lstrip().startswith("{")
    assert content(ask(response_format={"type": "json_object"}, max_tokens=60)).lstrip().startswith("{")


def test_an_unsupported_request_is_refused(ask: Ask) -> None:
    wrong = {"type": "json_schema", "json_schema": {"name": "wrong", "schema": {"type": "no such type"}}}
    for form, reason in (({"type": "xml"}, "got: xml"), (wrong, "JSON schema error")):
        answer = ask(response_format=form)
        assert answer.status_code == 400
        assert answer.json()["error"]["type"] == "invalid_request_error"
        assert reason in answer.json()["error"]["message"]


def test_a_prompt_that_is_too_long_is_an_error_and_the_next_one_is_answered(ask: Ask) -> None:
    answer = ask(PAGE * 200)
    error = answer.json()["error"]
    assert (answer.status_code, error["type"]) == (400, "exceed_context_size_error")
    assert error["n_prompt_tokens"] > error["n_ctx"] == 4096
    assert content(ask(max_tokens=2))
