"""A RAG system behind a URL: one request per question, several at the same time.

A request is repeated after status 429 or 5xx and after a failed connection, but not after another status, a timeout or
a reply that cannot be read. The values of environment variables are never written anywhere.
"""

from __future__ import annotations

import hashlib
import json
import threading
import time
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any, cast
from urllib.parse import urlsplit, urlunsplit

import httpx

from kgsynth.base.bounded_http import (
    AttemptError,
    BoundedClients,
    ReplyTooLargeError,
    RetryPolicy,
    checked_url,
    retry_after,
    with_retries,
)
from kgsynth.base.errors import SystemUnreachableError
from kgsynth.base.json_reading import JsonError, parse_json
from kgsynth.base.records import Answer, Item
from kgsynth.documents.document_names import DocNames
from kgsynth.golden.item_json import turns_json
from kgsynth.scoring.systems.reply_reader import ReplyPaths, failed, unreadable
from kgsynth.scoring.systems.settings import Secrets, SystemSettings, chat_messages, fill, names

_START = "start the service or correct the URL, then run the same command again"
_REFUSED = {
    401: "correct the key in --rag-config",
    404: "correct the URL",
    405: "correct the method in --rag-config",
}
"""The status codes that do not depend on the question, each with the next step."""


class _DownError(AttemptError):
    """An attempt failed as it would for every question; ``sentence`` says so, and what to do."""

    def __init__(self, reason: str, sentence: str, *, retryable: bool = True) -> None:
        super().__init__(reason, retryable=retryable)
        self.sentence = sentence


class HttpSystem:
    """The service at ``url``, which is asked up to ``at_once`` questions at the same time.

    The signature depends on the URL and the settings; it cannot show that the service itself has changed.

    Raises:
        ConfigError: the URL is not valid.
    """

    def __init__(self, url: str, settings: SystemSettings, documents: DocNames | None = None) -> None:
        self._url, parts = checked_url(url), urlsplit(url)
        bare = urlunsplit(parts._replace(netloc=parts.netloc.rpartition("@")[2]))
        self.name = bare.partition("?")[0]
        digest = hashlib.sha256(f"{bare}\0{settings.fingerprint()}".encode()).hexdigest()[:16]
        self.signature = f"http|{self.name}|sha256:{digest}"
        self.compared = "only the address and the settings of the service"
        self.at_once, self.takes_history = settings.at_once, settings.takes_history
        self._settings, self._reply = settings, ReplyPaths(settings.reply, documents)
        self._retries = RetryPolicy(settings.retries, settings.backoff, settings.longest_wait)
        self._secrets = Secrets(names([settings.headers, settings.body]))
        self._stopped = threading.Event()
        self._pace = Pace(settings.per_second, self._stopped)
        self._clients = BoundedClients(settings.timeout, settings.max_reply_mb * 2**20)

    def ask(self, item: Item) -> Answer:
        """Return the answer of the service, or an answer with an ``error`` that says why there is none."""
        return self._ask(item, self._attempt)

    def ask_first(self, item: Item) -> Answer:
        """Do the same with the first question of a run, but do not repeat a request that no question would survive.

        Raises:
            SystemUnreachableError: the service cannot be reached, or would refuse the request for any question.
        """

        def attempt(item: Item) -> Answer:
            try:
                return self._attempt(item)
            except _DownError as error:
                raise SystemUnreachableError(f"{self.name} {self._secrets.hide(error.sentence)}") from None

        return self._ask(item, attempt)

    def _ask(self, item: Item, attempt: Callable[[Item], Answer]) -> Answer:
        try:
            return with_retries(lambda: attempt(item), self._retries, self._stopped.wait)
        except AttemptError as error:
            return failed(item.id, self._secrets.hide(str(error)))

    def _attempt(self, item: Item) -> Answer:
        self._pace.wait()
        begun = time.perf_counter()
        body = self._request(item)
        return self._read(item, body, round(time.perf_counter() - begun, 6))

    def _request(self, item: Item) -> bytes:
        """Return the body of the reply, which must arrive completely within the timeout."""
        client = self._clients.client()
        try:
            with client.stream(self._settings.method, self._url, **self._content(item)) as response:
                body = response.read()
        except ReplyTooLargeError:
            reason = f"too large: the reply has more than {self._settings.max_reply_mb} MB (max_reply_mb)"
            raise AttemptError(reason, retryable=False) from None
        except httpx.TransportError as error:
            late = isinstance(error, httpx.TimeoutException) or self._clients.late
            if late and not isinstance(error, httpx.ConnectTimeout):
                raise AttemptError(f"timeout: no reply in {self._settings.timeout:g} s", retryable=False) from None
            reason = f"connection: {str(error) or type(error).__name__}"
            if isinstance(error, httpx.ConnectError | httpx.ConnectTimeout):
                raise _DownError(reason, f"cannot be reached: {reason}; {_START}") from None
            raise AttemptError(reason) from None
        except httpx.RequestError as error:
            raise AttemptError(f"not readable: {error}", retryable=False) from None
        except UnicodeEncodeError as error:
            reason = f"not sendable: a header contains {error.object[error.start]!r}"
            raise AttemptError(reason, retryable=False) from None
        if not response.is_success:
            code = response.status_code
            reason = self._secrets.hide(body.decode("utf-8", "replace"))[:200].strip() or response.reason_phrase
            if response.is_redirect:
                reason = f"it redirects to {response.headers.get('location', 'another place')}; give that URL"
            if code in _REFUSED:
                problem = f"status {code}: {reason}"
                sentence = f"refuses the first question: {problem}; {_REFUSED[code]}, then run the same command again"
                raise _DownError(problem, sentence, retryable=False)
            pause = retry_after(response.headers.get("retry-after"), datetime.now(UTC))
            raise AttemptError(f"status {code}: {reason}", retryable=code == 429 or code >= 500, pause=pause)
        return body

    def _content(self, item: Item) -> dict[str, Any]:
        history = turns_json(item.history)
        values = {"question": item.question, "id": item.id, "history": history, "messages": chat_messages(item)}
        query, body = (
            cast(dict[str, Any], fill(part, values)) for part in self._settings.request(history=bool(history))
        )
        content: dict[str, Any] = {"headers": fill(self._settings.headers, values)}
        if query:  # httpx would drop the query that the URL itself has
            texts = {name: value if isinstance(value, str) else json.dumps(value) for name, value in query.items()}
            content["params"] = self._url.params.merge(texts)
        return content | ({"json": body} if body else {})

    def _read(self, item: Item, body: bytes, latency: float) -> Answer:
        text = self._secrets.hide(body.decode("utf-8-sig", "replace"))
        try:
            data = parse_json(text, tolerant=True)
        except JsonError as error:
            begins = f"it begins {text[:60]!r}" if text else "it is empty"
            raise AttemptError(unreadable(error, begins), retryable=False) from None
        try:
            return self._reply.read(item.id, data, latency)
        except ValueError as error:
            raise AttemptError(str(error), retryable=False) from None

    def close(self) -> None:
        """Stop all waiting, and close the connections."""
        self._stopped.set()
        self._clients.close()


class Pace:
    """Limits requests of all threads to ``per_second``, evenly spaced; 0 for no limit."""

    def __init__(self, per_second: float, stopped: threading.Event) -> None:
        self._gap = 1 / per_second if per_second else 0.0
        self._stopped, self._lock, self._next = stopped, threading.Lock(), 0.0

    def wait(self) -> None:
        """Wait until the next request may begin."""
        if self._gap:
            with self._lock:
                begin = max(time.monotonic(), self._next)
                self._next = begin + self._gap
            self._stopped.wait(begin - time.monotonic())
