"""Requests to an OpenAI-compatible server, cached, repeated where that may help, within the budget."""

from __future__ import annotations

import hashlib
import json
import math
import os
import re
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from kgsynth.base.bounded_http import (
    AttemptError,
    BoundedClients,
    ReplyTooLargeError,
    RetryPolicy,
    checked_url,
    retry_after,
    spellings,
    with_retries,
    without_password,
)
from kgsynth.base.database import Database
from kgsynth.base.errors import ConfigError, SystemUnreachableError
from kgsynth.base.json_reading import JsonError, parse_json
from kgsynth.models.llm.budget import LLMSettings, Spending, Usage

if TYPE_CHECKING:
    import openai

# A cache of replies in SQLite, keyed by model, messages and parameters, so that no reply is paid for twice.
#
# It contains only usable replies: no errors, no keys.

_CREATE_TABLE = ("CREATE TABLE replies (key TEXT PRIMARY KEY, reply TEXT NOT NULL) WITHOUT ROWID",)
_APPLICATION_ID = 0x6B67_6C6D  # "kglm"


class ReplyCache:
    """The replies in the file ``path``, or in memory for None; threads and processes can share it.

    Example:
        >>> cache = ReplyCache(None)
        >>> cache.keep("k", "yes")
        >>> cache.get("k"), cache.get("other")
        ('yes', None)
    """

    def __init__(self, path: Path | None) -> None:
        self._memory: dict[str, str] = {}
        self._file = Database(path, _CREATE_TABLE, _APPLICATION_ID, wal=True) if path else None

    def get(self, key: str) -> str | None:
        """Return the reply stored under a key, or None.

        Raises:
            InputError: the file is not such a cache or cannot be used; ``keep`` raises this too.
        """
        if self._file is None:
            return self._memory.get(key)
        with self._file.snapshot() as connection:
            row = connection.execute("SELECT reply FROM replies WHERE key = ?", (key,)).fetchone()
        return None if row is None else str(row[0])

    def keep(self, key: str, reply: str) -> None:
        """Store a reply, unless there is one under this key."""
        if self._file is None:
            self._memory.setdefault(key, reply)
            return
        with self._file.transaction() as connection:
            connection.execute("INSERT OR IGNORE INTO replies VALUES (?, ?)", (key, reply))

    def drop(self, key: str) -> None:
        """Remove the reply stored under a key, which cannot be used."""
        self._memory.pop(key, None)
        if self._file is not None:
            with self._file.transaction() as connection:
                connection.execute("DELETE FROM replies WHERE key = ?", (key,))

    def close(self) -> None:
        """Close the file."""
        if self._file is not None:
            self._file.close()


def key_of(parameters: Mapping[str, object]) -> str:
    """Return the key of a request: a hash of everything that influences the reply."""
    return hashlib.sha256(json.dumps(parameters, sort_keys=True, ensure_ascii=False).encode()).hexdigest()


# Requests to an OpenAI-compatible server, repeated where that may help, within the budget.
#
# A request is repeated after status 408, 409, 425, 429 or 5xx, a timeout, a failed connection, and a reply that is
# not a chat completion. A parameter that the server does not know is no longer sent. A model that thinks gets more
# tokens when its thoughts used up those of the reply. The key is sent to the server and never written anywhere.

_RETRYABLE_STATUSES = (408, 409, 425, 429)  # and 500 and above
_MAX_FAILURES_IN_A_ROW = 3  # requests that failed in spite of retries, after which the server counts as down
_MAX_REPLY_BYTES = 16 * 2**20  # the longest reply of any model is a hundredth of this
_REPLY_FORMATS = ("json_schema", "json_object", "text")  # in the order in which they are tried
_NO_KEY = "none"  # sent to a server that needs no key
_MIN_SECRET_LENGTH = 8  # a shorter key, such as "EMPTY", is not secret and occurs in ordinary text
_MAX_TOKENS_COUNTED = 10**9  # a server that counts more is not believed
_TOKENS_PER_MESSAGE = 8  # besides those of its text
_THINKING_STEPS = (0, 2_000, 6_000, 14_000)  # tokens allowed for thoughts, the next when they did not suffice
_THOUGHTS = re.compile(r"^\s*<(think|thinking|reasoning)>.*?(?:</\1>|\Z)\s*", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Failure:
    """Why there is no usable reply; never cached."""

    why: str


@dataclass(frozen=True, slots=True)
class ChatRequest:
    """The messages, the JSON schema of the reply (None for plain text), and how the reply is sampled."""

    messages: tuple[Mapping[str, str], ...]
    schema: Mapping[str, Any] | None
    max_tokens: int
    temperature: float
    seed: int


class ChatClient:
    """A connection to the language model ``name``.

    Raises:
        ConfigError: neither a server nor a key is configured.
    """

    def __init__(self, name: str, settings: LLMSettings, spending: Spending) -> None:
        self._name, self._timeout, self._spending = name, settings.timeout, spending
        self._retries = RetryPolicy(settings.retries, settings.backoff, settings.longest_wait)
        url = settings.base_url or os.environ.get("OPENAI_BASE_URL", "")
        key = os.environ.get("OPENAI_API_KEY", "").strip()
        if not url and not key:
            raise ConfigError(
                f"there is no server for the language model {name!r}; export OPENAI_API_KEY, or OPENAI_BASE_URL for a "
                "server of your own, such as http://localhost:11434/v1"
            )
        if not re.fullmatch(r"[ -~]*", key):
            raise ConfigError(
                "OPENAI_API_KEY contains a line break or a character beyond ASCII, so it is not a key; export it again"
            )
        if url and checked_url(url).query:
            raise ConfigError(
                f"the base_url {without_password(url)!r} goes on with ?, which no server gets; leave that out"
            )
        self._secret = spellings(key) if len(key) >= _MIN_SECRET_LENGTH else None
        self._key, self._url, self._own = key or _NO_KEY, url or None, threading.local()
        self._http = BoundedClients(settings.timeout, _MAX_REPLY_BYTES, follow_redirects=True)
        self._server = without_password(str(self._openai.base_url))
        self._format, self._unsupported, self._completion_tokens = 0, set[str](), False
        self._effort, self._allowed, self._thinking = settings.reasoning_effort, settings.thinking_tokens, 0
        self._failures_in_a_row, self._lock = 0, threading.Lock()

    @property
    def _openai(self) -> openai.OpenAI:
        """The client of this thread."""
        import openai

        if not hasattr(self._own, "openai"):
            self._own.openai = openai.OpenAI(
                api_key=self._key,
                base_url=self._url,
                timeout=self._timeout,
                max_retries=0,
                http_client=cast(Any, self._http.client()),
            )
        client: openai.OpenAI = self._own.openai
        return client

    def send(self, request: ChatRequest, stage: str) -> str | Failure:
        """Return the text of the reply.

        Raises:
            BudgetError: the budget does not allow the call.
            SystemUnreachableError: the server refuses the request or is down.
        """
        try:
            text = with_retries(lambda: self._attempt(request, stage), self._retries, time.sleep)
        except AttemptError as error:
            return self._failed(str(error))
        self._failures_in_a_row = 0
        return text

    def _failed(self, reason: str) -> Failure:
        with self._lock:
            self._failures_in_a_row += 1
            if self._failures_in_a_row >= _MAX_FAILURES_IN_A_ROW:
                raise SystemUnreachableError(
                    f"the language model {self._name!r} at {self._server} cannot be reached: {reason}; when it can be, "
                    "run the same command again to resume"
                )
        return Failure(reason)

    def _attempt(self, request: ChatRequest, stage: str) -> str | Failure:
        """Send a request, and if the server does not know a parameter, send it without that at once."""
        import openai

        while True:
            reply_format, known = self._format, (frozenset(self._unsupported), self._completion_tokens)
            texts = [message["content"] for message in request.messages]
            step = self._thinking
            limit = request.max_tokens + max(self._allowed, _THINKING_STEPS[step])
            reserved = self._spending.reserve(prompt_tokens(texts), limit)
            used = Usage(failed=1)
            try:
                parameters = self._parameters(request, _REPLY_FORMATS[reply_format], limit)
                raw = self._openai.chat.completions.with_raw_response.create(**parameters)
                text, used = self._read(raw.text, request)
                if text or not self._gives_more_room(raw.text, step):
                    return text
                continue
            except openai.APIStatusError as error:
                refused = error
            except openai.APITimeoutError:
                raise AttemptError(f"no reply in {self._timeout:g} s") from None
            except ReplyTooLargeError as error:
                raise AttemptError(str(error)) from None
            except openai.APIConnectionError as error:
                if self._http.late:
                    raise AttemptError(f"no reply in {self._timeout:g} s") from None
                raise AttemptError(self.hide(f"no connection: {error.__cause__ or error}")) from None
            finally:
                self._spending.settle(stage, reserved, used)
            # outside the handler: a traceback from there would show the server's message, which may contain the key
            message = self._message(refused)
            if refused.status_code in (400, 422) and self._adapt(request, reply_format, known, message):
                continue
            return self._refused(refused, message)

    def _refused(self, refused: openai.APIStatusError, message: str) -> Failure:
        status = refused.status_code
        reason = f"status {status}: {message}"
        if status in (401, 403, 404):
            raise SystemUnreachableError(
                f"the server {self._server} refuses the language model {self._name!r} ({reason}); check its name, "
                "OPENAI_API_KEY and OPENAI_BASE_URL"
            )
        if status in _RETRYABLE_STATUSES or status >= 500:
            raise AttemptError(
                reason, pause=retry_after(refused.response.headers.get("retry-after"), datetime.now(UTC))
            )
        return Failure(reason)

    def _gives_more_room(self, body: str, step: int) -> bool:
        """Allow more tokens for thoughts if the reply ended before it began; return whether to send it again."""
        if parse_json(body, tolerant=True)["choices"][0].get("finish_reason") != "length":
            return False
        with self._lock:
            if self._thinking == step and step + 1 < len(_THINKING_STEPS):
                self._thinking = step + 1
        return self._thinking > step

    def _parameters(self, request: ChatRequest, reply_format: str, limit: int) -> dict[str, Any]:
        named = "max_completion_tokens" if self._completion_tokens else "max_tokens"
        parameters: dict[str, Any] = {"model": self._name, "messages": list(request.messages)}
        parameters |= {named: limit, "temperature": request.temperature, "seed": request.seed}
        if self._effort:
            parameters["reasoning_effort"] = self._effort
        if request.schema is not None and reply_format == "json_schema":
            shape = {"name": "reply", "strict": True, "schema": request.schema}
            parameters["response_format"] = {"type": "json_schema", "json_schema": shape}
        elif request.schema is not None and reply_format == "json_object":
            parameters["response_format"] = {"type": "json_object"}
        return {key: value for key, value in parameters.items() if key not in self._unsupported}

    def _adapt(self, request: ChatRequest, reply_format: int, known: tuple[frozenset[str], bool], message: str) -> bool:
        """Stop sending what the server says it does not support; return whether to send the request again."""
        with self._lock:
            if (frozenset(self._unsupported), self._completion_tokens) != known or self._format > reply_format:
                return True  # another thread has adapted meanwhile
            if "max_tokens" in message and "max_completion_tokens" in message and not self._completion_tokens:
                self._completion_tokens = True
                return True
            names = ("temperature", "seed", "reasoning_effort")
            refused = [name for name in names if name in message and name not in self._unsupported]
            if refused:
                self._unsupported.update(refused)
                return True
            named = any(word in message for word in ("response_format", "json_schema", "json_object", "schema"))
            if request.schema is not None and named and reply_format + 1 < len(_REPLY_FORMATS):
                self._format = reply_format + 1
                return True
        return False

    def _read(self, body: str, request: ChatRequest) -> tuple[str, Usage]:
        """Return the text of a successful reply, and its usage."""
        try:
            data = parse_json(body, tolerant=True)
            message = data["choices"][0]["message"]
            text = str(message.get("content") or message.get("refusal") or "")
        except (JsonError, LookupError, TypeError, AttributeError) as error:
            refused = isinstance(error, JsonError) and not error.line
            why = str(error) if refused else f"it begins {self.hide(body)[:60]!r}"
            raise AttemptError(f"no chat completion: {why}") from None
        text = self.hide(text.encode(errors="replace").decode())  # a lone surrogate could not be cached
        text = _THOUGHTS.sub("", text, count=1)
        return text, _usage(data.get("usage"), request, text)

    def _message(self, error: openai.APIStatusError) -> str:
        """Return the server's message, with the key hidden before the text is cut."""
        return " ".join(self.hide(error.response.text).split())[:300] or self.hide(error.response.reason_phrase)

    def hide(self, text: str) -> str:
        """Return the text without the key, however it is escaped."""
        return self._secret.sub("${OPENAI_API_KEY}", text) if self._secret else text

    def close(self) -> None:
        """Close the connections."""
        self._http.close()


def _usage(counts: object, request: ChatRequest, text: str) -> Usage:
    """Return the tokens that the server counted, or estimates if it counts none."""
    counted = counts if isinstance(counts, Mapping) else {}
    tokens_in, tokens_out = (
        number if isinstance(number, int) and 0 < number <= _MAX_TOKENS_COUNTED else None
        for number in (counted.get("prompt_tokens"), counted.get("completion_tokens"))
    )
    sent = prompt_tokens([message["content"] for message in request.messages])
    return Usage(tokens_in=tokens_in or sent, tokens_out=tokens_out or estimate_tokens(text))


def prompt_tokens(texts: Sequence[str]) -> int:
    """Estimate the tokens of the messages with these texts."""
    return sum(estimate_tokens(text) + _TOKENS_PER_MESSAGE for text in texts)


def estimate_tokens(text: str) -> int:
    """Estimate the tokens of a text: one per four letters of Latin script, one per East Asian character.

    Example:
        >>> estimate_tokens("four word text here"), estimate_tokens("年假制度")
        (5, 4)
    """
    wide = sum(ord(character) > 0x2E7F for character in text)
    return wide + math.ceil((len(text) - wide) / 4)
