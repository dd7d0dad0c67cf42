"""One request to an OpenAI-compatible server, tried again where that may help, at the cost the budget allows.

Tried again, after a pause that doubles or the one the server asks for: 429, 408, 409, 5xx, no reply in time, a
connection that fails, and a reply that is no chat completion. A parameter the server does not know is left out from
then on. Left out: what the messages say, and what a reply means. The key goes to the server and nowhere else.
"""

from __future__ import annotations

import json
import math
import os
import re
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import openai

from kgsynth.base.errors import ConfigError, SystemUnreachableError
from kgsynth.base.retrying import retry_after
from kgsynth.models.llm.budget import Spending, Usage
from kgsynth.models.llm.settings import Settings

_AGAIN = (408, 409, 425, 429)
_DOWN = 3  # requests in a row, tried again and failed, after which the server is taken for one that is down
_MODES = ("json_schema", "json_object", "text")
_NO_KEY = "none"  # what a server that needs no key is given
_LEAST = 8  # letters of a key that is hidden: a shorter one, such as "EMPTY", is no secret, and stands everywhere


@dataclass(frozen=True, slots=True)
class Failure:
    """Why there is no reply that can be used; never cached."""

    why: str


@dataclass(frozen=True, slots=True)
class Request:
    """What is sent: the messages, the JSON schema of the reply (None for plain text), and how it is drawn."""

    messages: tuple[Mapping[str, str], ...]
    schema: Mapping[str, Any] | None
    max_tokens: int
    temperature: float
    seed: int


class Client:
    """The model ``name`` behind a server.

    Raises:
        ConfigError: there is neither a server nor a key.
    """

    def __init__(self, name: str, settings: Settings, spending: Spending) -> None:
        self._name, self._settings, self._spending = name, settings, spending
        url = settings.base_url or os.environ.get("OPENAI_BASE_URL", "")
        key = os.environ.get("OPENAI_API_KEY", "").strip()
        if not url and not key:
            raise ConfigError(
                f"the model {name!r} has no server: export OPENAI_API_KEY, or OPENAI_BASE_URL for one of your own, "
                "such as http://localhost:11434/v1"
            )
        if not re.fullmatch(r"[ -~]*", key):
            raise ConfigError(
                "OPENAI_API_KEY holds a letter that no key has (a line break, or one beyond ASCII): export it anew"
            )
        self._secret = key if len(key) >= _LEAST else ""
        self._openai = openai.OpenAI(
            api_key=key or _NO_KEY, base_url=url or None, timeout=settings.timeout, max_retries=0
        )
        self._server = str(self._openai.base_url.copy_with(userinfo=b""))
        self._mode, self._without, self._completion_tokens = 0, set[str](), False
        self._failed, self._lock = 0, threading.Lock()

    def send(self, request: Request, stage: str) -> str | Failure:
        """Return what the model says.

        Raises:
            BudgetError: the budget does not allow it.
            SystemUnreachableError: the server refuses us, or is down.
        """
        attempt = 0
        while True:
            try:
                text = self._attempt(request, stage)
            except _AttemptError as error:
                pause, longest = self._settings.backoff * 2**attempt, self._settings.longest_wait
                attempt += 1
                if attempt > self._settings.retries or error.wait > longest:
                    return self._given_up(f"{error} (attempt {attempt})")
                time.sleep(max(error.wait, min(pause, longest)))
                continue
            self._failed = 0
            return text

    def _given_up(self, why: str) -> Failure:
        with self._lock:
            self._failed += 1
            if self._failed >= _DOWN:
                raise SystemUnreachableError(
                    f"the model {self._name!r} at {self._server} cannot be reached: {why}; the run goes on where it "
                    "stopped when it is started again"
                )
        return Failure(why)

    def _attempt(self, request: Request, stage: str) -> str | Failure:
        """Send one request, and again at once without a parameter the server does not know."""
        while True:
            mode, known = self._mode, (frozenset(self._without), self._completion_tokens)
            taken = self._spending.take(_tokens(request.messages), request.max_tokens)
            used = Usage(failed=1)
            try:
                raw = self._openai.chat.completions.with_raw_response.create(**self._parameters(request, mode))
                text, used = self._read(raw.text, request)
                return text
            except openai.APIStatusError as error:
                refused = error
            except openai.APITimeoutError:
                raise _AttemptError(f"no reply in {self._settings.timeout:g} s") from None
            except openai.APIConnectionError as error:
                raise _AttemptError(self.hide(f"no connection: {error.__cause__ or error}")) from None
            finally:
                self._spending.settle(stage, taken, used)
            # not in the handler: a traceback from there would show the server's words, which may hold the key
            status, message = refused.status_code, self._message(refused)
            if status in (400, 422) and self._learn(request, mode, known, message):
                continue
            why = f"status {status}: {message}"
            if status in (401, 403, 404):
                raise SystemUnreachableError(
                    f"the server {self._server} refuses the model {self._name!r} ({why}): check its name, "
                    "OPENAI_API_KEY and OPENAI_BASE_URL"
                )
            if status in _AGAIN or status >= 500:
                raise _AttemptError(why, retry_after(refused.response.headers.get("retry-after"), datetime.now(UTC)))
            return Failure(why)

    def _parameters(self, request: Request, mode: int) -> dict[str, Any]:
        limit = "max_completion_tokens" if self._completion_tokens else "max_tokens"
        parameters: dict[str, Any] = {"model": self._name, "messages": list(request.messages)}
        parameters |= {limit: request.max_tokens, "temperature": request.temperature, "seed": request.seed}
        if request.schema is not None and _MODES[mode] == "json_schema":
            shape = {"name": "reply", "strict": True, "schema": request.schema}
            parameters["response_format"] = {"type": "json_schema", "json_schema": shape}
        elif request.schema is not None and _MODES[mode] == "json_object":
            parameters["response_format"] = {"type": "json_object"}
        return {key: value for key, value in parameters.items() if key not in self._without}

    def _learn(self, request: Request, mode: int, known: tuple[frozenset[str], bool], message: str) -> bool:
        """Leave out what the server says it does not take; say whether the request is worth sending again."""
        with self._lock:
            if (frozenset(self._without), self._completion_tokens) != known or self._mode > mode:
                return True  # another thread has learned it meanwhile
            if "max_tokens" in message and "max_completion_tokens" in message and not self._completion_tokens:
                self._completion_tokens = True
                return True
            refused = [name for name in ("temperature", "seed") if name in message and name not in self._without]
            if refused:
                self._without.update(refused)
                return True
            spoken = any(word in message for word in ("response_format", "json_schema", "json_object", "schema"))
            if request.schema is not None and spoken and mode + 1 < len(_MODES):
                self._mode = mode + 1
                return True
        return False

    def _read(self, body: str, request: Request) -> tuple[str, Usage]:
        """Return what the body of a good reply says, and what it has cost."""
        try:
            data = json.loads(body)
            message = data["choices"][0]["message"]
            said = str(message.get("content") or message.get("refusal") or "")
        except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
            raise _AttemptError(f"no chat completion: it begins {self.hide(body)[:60]!r}") from None
        text = self.hide(said.encode(errors="replace").decode())  # half a character could not be kept on file
        return text, _usage(data.get("usage"), request, text)

    def _message(self, error: openai.APIStatusError) -> str:
        """Return what the server says is wrong, the key hidden before the text is cut."""
        return " ".join(self.hide(error.response.text).split())[:300] or error.response.reason_phrase

    def hide(self, text: str) -> str:
        """Return the text without the key."""
        for form in {self._secret, json.dumps(self._secret)[1:-1]} - {""}:
            text = text.replace(form, "${OPENAI_API_KEY}")
        return text

    def close(self) -> None:
        """Close the connections."""
        self._openai.close()


class _AttemptError(Exception):
    """One attempt failed and another may not; ``wait`` is how long the server asks to wait first."""

    def __init__(self, why: str, wait: float = 0.0) -> None:
        super().__init__(why)
        self.wait = wait


def _tokens(messages: Sequence[Mapping[str, str]]) -> int:
    return sum(estimated_tokens(message["content"]) + 8 for message in messages)


def _usage(told: object, request: Request, text: str) -> Usage:
    """Return the tokens the server counted, or an estimate where it counts none."""
    counts = told if isinstance(told, Mapping) else {}
    tokens_in, tokens_out = (
        count if isinstance(count, int) and count > 0 else None
        for count in (counts.get("prompt_tokens"), counts.get("completion_tokens"))
    )
    return Usage(tokens_in=tokens_in or _tokens(request.messages), tokens_out=tokens_out or estimated_tokens(text))


def estimated_tokens(text: str) -> int:
    """Return about how many tokens a text has: a token for four letters of Latin script, one for a character of others.

    Example:
        >>> estimated_tokens("four word text here"), estimated_tokens("年假制度")
        (5, 4)
    """
    wide = sum(ord(character) > 0x2E7F for character in text)
    return wide + math.ceil((len(text) - wide) / 4)
