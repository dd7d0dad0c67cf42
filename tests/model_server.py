"""A scripted language model behind HTTP, which keeps its requests and can fail on purpose.

It implements ``/v1/chat/completions``, without streaming, and ``/v1/models`` of OpenAI's protocol. Tokens are counted
by a simple rule: the bytes of UTF-8 over four, rounded up, for the content of each message and for the reply. A reply
longer than ``max_tokens`` is cut.

    with ModelServer(lambda request: '{"answer": "Ada"}', faults=Faults(0.3)) as server:
        client = openai.OpenAI(base_url=server.url, api_key="…")
"""

from __future__ import annotations

import json
import random
import threading
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import TracebackType
from typing import Any, NamedTuple, Self

import services
from services import Service

COMPLETIONS, MODELS = "/v1/chat/completions", "/v1/models"
REFUSAL = "I'm sorry, but I can't help with that."

Answer = tuple[int, dict[str, str], bytes]
"""A status, headers, and a body."""


@dataclass(frozen=True)
class Request:
    """One request for a completion; ``headers`` have lower-case names, and fields that were not sent are None."""

    model: str
    messages: tuple[Mapping[str, Any], ...]
    response_format: Mapping[str, Any] | None
    temperature: float | None
    max_tokens: int | None
    seed: int | None
    headers: Mapping[str, str]
    body: Mapping[str, Any]

    @property
    def user(self) -> str:
        """The first message of the user, from which faults are drawn."""
        return next((str(message["content"]) for message in self.messages if message["role"] == "user"), "")

    @property
    def wants(self) -> str:
        """The requested type of response: text, json_object or json_schema."""
        return str((self.response_format or {}).get("type", "text"))

    @property
    def schema(self) -> Mapping[str, Any] | None:
        """The JSON schema of the reply, if one was sent."""
        wanted = self.response_format or {}
        return wanted.get("json_schema", wanted).get("schema")

    def places(self, text: str) -> set[str]:
        """Return which parts of the request contain ``text``: names of headers, and "body"."""
        places = {name for name, value in self.headers.items() if text in value}
        return places | ({"body"} if text in json.dumps(self.body, ensure_ascii=False) else set())


class Said(NamedTuple):
    """What the model says: a text, or a refusal instead, and why it stopped."""

    content: str | None
    finish_reason: str = "stop"
    refusal: str | None = None


def plain(text: str, request: Request) -> Said:
    return Said(text)


def cut_off(text: str, request: Request) -> Said:
    return Said(text[: len(text) // 2], "length")


def wrong_schema(text: str, request: Request) -> Said:
    """The schema itself, which small models sometimes reply."""
    return Said(json.dumps(request.schema or {"type": "object"}))


def empty(text: str, request: Request) -> Said:
    return Said("")


def refusal(text: str, request: Request) -> Said:
    """With structured output a refusal has a field of its own, and no content."""
    return Said(None, refusal=REFUSAL) if request.wants == "json_schema" else Said(REFUSAL)


def prose(text: str, request: Request) -> Said:
    return Said(f"Sure! Here is what you asked for:\n\n```json\n{text}\n```\n\nLet me know if I can do more.")


SPOILED = {function.__name__: function for function in (cut_off, wrong_schema, empty, refusal, prose)}
"""The faults of replies with status 200."""

KINDS = ("rate_limit", "server_error", "hang", *SPOILED)
"""All faults: status 429 with Retry-After, status 500, a late reply, and those of ``SPOILED``."""


@dataclass(frozen=True)
class Faults:
    """Which requests fail, and how: a ``share``, drawn from ``seed``, the user's message, and how often it came before.

    So the faults do not depend on the order of threads. No message fails more than ``in_a_row`` times in a row, so the
    real share is a little smaller. A hang lasts ``hang_s`` seconds.
    """

    share: float = 0.3
    seed: int = 0
    kinds: tuple[str, ...] = KINDS
    in_a_row: int = 2
    hang_s: float = 1.0
    retry_after: int = 0

    def at(self, message: str, time: int) -> str | None:
        """Return the fault of ``message`` when it comes for the ``time``-th time, counted from 0."""
        kind, row = None, 0
        for earlier in range(time + 1):
            draw = random.Random(f"{self.seed}\n{earlier}\n{message}")
            kind = draw.choice(self.kinds) if draw.random() < self.share and row < self.in_a_row else None
            row = row + 1 if kind else 0
        return kind


class ModelServer:
    """A server on a free local port whose model says what ``reply`` returns; a context manager.

    ``reply`` can also return status, headers and body, as from ``failed``. ``requests`` are all requests for
    completions, including refused and failed ones; ``met`` counts the faults by kind; ``most`` is the highest number of
    parallel requests. ``refuses`` are the types of ``response_format`` that get a 400, as on older servers. An error of
    ``reply`` is answered by a 500, and raised again at the end of the block.
    """

    def __init__(
        self,
        reply: Callable[[Request], str | Answer],
        *,
        refuses: tuple[str, ...] = (),
        faults: Faults | None = None,
        models: tuple[str, ...] = ("scripted",),
    ) -> None:
        self.reply, self.refuses, self.faults, self.models = reply, refuses, faults, models
        self.requests: list[Request] = []
        self.met: Counter[str] = Counter()
        self._raised: list[Exception] = []
        self._seen: Counter[str] = Counter()
        self._lock = threading.Lock()

    def __enter__(self) -> Self:
        self._service = Service()
        self._service.says = self._answer
        self.url = f"http://127.0.0.1:{self._service.server.server_port}/v1"
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._service.end()
        if self._raised and error is None:
            raise self._raised[0]

    @property
    def most(self) -> int:
        return self._service.most

    def _answer(self, http: services.Request) -> Answer:
        if (http.method, http.path) == ("GET", MODELS):
            return ok({"object": "list", "data": [{"id": name, "object": "model"} for name in self.models]})
        if (http.method, http.path) != ("POST", COMPLETIONS):
            return failed(404, f"{http.method} {http.path} is not known here")
        request = read(http)
        with self._lock:
            self.requests.append(request)
        if http.body.get("stream"):
            return failed(400, "stream is not supported")
        if request.wants in self.refuses:
            return failed(400, f"response_format.type {request.wants!r} is not supported")
        match self._draw(request):
            case "rate_limit":
                return failed(429, "too many requests", {"Retry-After": str(self.faults.retry_after)})
            case "server_error":  # some gateways repeat what they received, including the key
                return failed(500, f"failed on a request with {request.headers.get('authorization')}")
            case kind:
                return self._say(request, kind)

    def _say(self, request: Request, kind: str | None) -> Answer:
        try:
            text = self.reply(request)
        except Exception as error:
            self._raised.append(error)
            return failed(500, "reply raised an error")
        if isinstance(text, tuple):
            return text
        if kind == "hang":
            self._service.over.wait(self.faults.hang_s)
        return ok(completion(SPOILED.get(kind, plain)(text, request), request))

    def _draw(self, request: Request) -> str | None:
        """Return the fault of this request; refused requests do not count."""
        with self._lock:
            time, self._seen[request.user] = self._seen[request.user], self._seen[request.user] + 1
            kind = self.faults.at(request.user, time) if self.faults else None
            if kind:
                self.met[kind] += 1
        return kind


def read(http: services.Request) -> Request:
    body = http.body
    return Request(
        model=body["model"],
        messages=tuple(body["messages"]),
        response_format=body.get("response_format"),
        temperature=body.get("temperature"),
        max_tokens=body.get("max_completion_tokens", body.get("max_tokens")),
        seed=body.get("seed"),
        headers=http.headers,
        body=body,
    )


def tokens(text: str | None) -> int:
    """Return the number of tokens: the bytes of the text over four, rounded up."""
    return -(-len((text or "").encode()) // 4)


def completion(said: Said, request: Request) -> dict[str, Any]:
    """Return the JSON of a completion, with the text cut at ``max_tokens``."""
    content, reason = said.content, said.finish_reason
    if request.max_tokens is not None and tokens(content) > request.max_tokens:
        content, reason = (content or "").encode()[: 4 * request.max_tokens].decode(errors="ignore"), "length"
    asked = sum(tokens(str(message["content"])) for message in request.messages)
    spoken = tokens(content) + tokens(said.refusal)
    message = {"role": "assistant", "content": content, "refusal": said.refusal}
    return {
        "id": "chatcmpl-double",
        "object": "chat.completion",
        "created": 0,
        "model": request.model,
        "choices": [{"index": 0, "message": message, "logprobs": None, "finish_reason": reason}],
        "usage": {"prompt_tokens": asked, "completion_tokens": spoken, "total_tokens": asked + spoken},
    }


def ok(body: object) -> Answer:
    return 200, {"Content-Type": "application/json"}, json.dumps(body).encode()


def failed(status: int, message: str, headers: Mapping[str, str] | None = None) -> Answer:
    """Return an error in OpenAI's form."""
    kinds = {400: "invalid_request_error", 401: "authentication_error", 429: "rate_limit_error"}
    error = {"message": message, "type": kinds.get(status, "server_error"), "param": None, "code": None}
    return status, {"Content-Type": "application/json", **(headers or {})}, json.dumps({"error": error}).encode()
