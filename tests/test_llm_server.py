"""A real server with a real model: what a client may count on, whatever nonsense the model says."""

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
        "score": {"type": "integer"},
        "quotes": {"type": "array", "items": {"type": "string", "maxLength": 20}, "maxItems": 2},
    },
    "required": ["verdict", "score", "quotes"],
    "additionalProperties": False,
}
PAGE = "Ada Holm opened the harbour office in Reykjavik in 1987. It closed in 1994, when the ferry was given up.\n"

Ask = Callable[..., httpx.Response]


@pytest.fixture
def ask(gemma: str) -> Ask:
    """Asks the model for a completion, with the fields of the request as keywords."""

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


def test_a_reply_is_cut_where_told_and_its_tokens_are_counted(ask: Ask) -> None:
    answer = ask(max_tokens=8)
    assert content(answer)
    assert answer.json()["choices"][0]["finish_reason"] == "length"
    assert answer.json()["usage"]["completion_tokens"] == 8
    assert answer.json()["usage"]["prompt_tokens"] > len(PAGE) / 8


def test_the_same_request_is_answered_alike(ask: Ask) -> None:
    assert content(ask(max_tokens=12, seed=1)) == content(ask(max_tokens=12, seed=1))


@pytest.mark.parametrize("seed", range(3))
def test_a_reply_bound_to_a_schema_follows_it(ask: Ask, seed: int) -> None:
    form = {"type": "json_schema", "json_schema": {"name": "verdict", "strict": True, "schema": SCHEMA}}
    reply = json.loads(content(ask(response_format=form, max_tokens=200, temperature=1.0, seed=seed)))
    assert set(reply) == {"verdict", "score", "quotes"}
    assert reply["verdict"] in ("yes", "no", "unclear")
    assert isinstance(reply["score"], int)
    assert all(isinstance(quote, str) and len(quote) <= 20 for quote in reply["quotes"])
