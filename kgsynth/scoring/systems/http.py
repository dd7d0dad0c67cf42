"""A RAG system behind a URL: one request a question, several at once, tried again where that may help.

Tried again, after a pause that doubles or the one the service asks for (Retry-After): 429, 5xx, and a connection that
fails. Not tried again: other statuses, a reply that is late, and one that cannot be read. What the environment's
variables hold is written nowhere. Left out: the settings (``settings``) and the shape of replies (``reply``).
"""

from __future__ import annotations

import hashlib
import json
import threading
import time
from datetime import UTC, datetime
from typing import Any, cast
from urllib.parse import urlsplit, urlunsplit

import httpx

from kgsynth.base.errors import ConfigError
from kgsynth.base.records import Answer, Item
from kgsynth.base.retrying import retry_after
from kgsynth.scoring.systems.reply_paths import ReplyPaths
from kgsynth.scoring.systems.reply_reader import failed
from kgsynth.scoring.systems.request_templates import Secrets, fill, names
from kgsynth.scoring.systems.settings import Settings


class HttpSystem:
    """The service at ``url``; it may be asked ``at_once`` questions at once.

    The signature holds the URL and the settings; that the service itself has changed cannot be seen here.

    Raises:
        ConfigError: the URL is none.
    """

    def __init__(self, url: str, settings: Settings) -> None:
        try:
            parts, self._url = urlsplit(url), httpx.URL(url)
        except (ValueError, httpx.InvalidURL) as error:
            raise ConfigError(f"{url!r} is no URL ({error}): give one such as http://localhost:8000/ask") from None
        bare = urlunsplit(parts._replace(netloc=parts.netloc.rpartition("@")[2]))
        self.name = bare.partition("?")[0]
        told = hashlib.sha256(f"{bare}\0{settings.fingerprint()}".encode()).hexdigest()[:16]
        self.signature = f"http|{self.name}|sha256:{told}"
        self.at_once = settings.at_once
        if not self._url.host:
            raise ConfigError(f"{self.name} names no host: give a URL such as http://localhost:8000/ask")
        self._settings, self._reply = settings, ReplyPaths(settings.reply)
        self._secrets = Secrets(names([settings.headers, settings.body]))
        self._stopped = threading.Event()
        self._pace = Pace(settings.per_second, self._stopped)
        limits = httpx.Limits(max_connections=settings.at_once)
        self._client = httpx.Client(timeout=settings.timeout, limits=limits)

    def ask(self, item: Item) -> Answer:
        """Return what the service says to the question, or in ``Answer.error`` why there is nothing."""
        attempt = 0
        while True:
            self._pace.wait()
            begun = time.perf_counter()
            try:
                text = self._request(item, begun + self._settings.timeout)
                return self._read(item, text, round(time.perf_counter() - begun, 6))
            except _AttemptError as failure:
                longest, pause = self._settings.longest_wait, self._settings.backoff * 2**attempt
                attempt += 1
                if not failure.again or attempt > self._settings.retries or failure.wait > longest:
                    return failed(item.id, self._secrets.hide(_told(failure, attempt)))
                self._stopped.wait(max(failure.wait, min(pause, longest)))

    def _request(self, item: Item, deadline: float) -> bytes:
        """Return the body of the reply; the deadline holds for the whole of it, however slowly it comes."""
        try:
            with self._client.stream(self._settings.method, self._url, **self._content(item)) as response:
                pieces = []
                for piece in response.iter_bytes():
                    pieces.append(piece)
                    if time.perf_counter() > deadline:
                        raise httpx.ReadTimeout("late")
        except httpx.TransportError as error:
            if isinstance(error, httpx.TimeoutException) and not isinstance(error, httpx.ConnectTimeout):
                raise _AttemptError(f"timeout: no reply in {self._settings.timeout:g} s") from None
            raise _AttemptError(f"connection: {str(error) or type(error).__name__}", again=True) from None
        except httpx.RequestError as error:
            raise _AttemptError(f"not readable: {error}") from None
        except UnicodeEncodeError as error:
            raise _AttemptError(f"not sendable: a header holds {error.object[error.start]!r}") from None
        body = b"".join(pieces)
        if not response.is_success:
            code = response.status_code
            why = self._secrets.hide(body.decode("utf-8", "replace"))[:200].strip() or response.reason_phrase
            if response.is_redirect:
                why = f"it redirects to {response.headers.get('location', 'another place')}; give that URL"
            wait = retry_after(response.headers.get("retry-after"), datetime.now(UTC))
            raise _AttemptError(f"status {code}: {why}", again=code == 429 or code >= 500, wait=wait)
        return body

    def _content(self, item: Item) -> dict[str, Any]:
        values = {"question": item.question, "id": item.id}
        query, body = (fill(part, values) for part in self._settings.asking())
        content: dict[str, Any] = {"headers": fill(self._settings.headers, values)}
        if query:  # the URL may have a part after ? of its own, which httpx would drop
            content["params"] = self._url.params.merge(cast(dict[str, str], query))
        return content | ({"json": body} if body else {})

    def _read(self, item: Item, body: bytes, latency: float) -> Answer:
        text = self._secrets.hide(body.decode("utf-8-sig", "replace"))
        try:
            data = json.loads(text)
        except (ValueError, RecursionError):
            begins = f"it begins {text[:60]!r}" if text else "it is empty"
            raise _AttemptError(f"not JSON: {begins}") from None
        try:
            return self._reply.read(item.id, data, latency)
        except ValueError as error:
            raise _AttemptError(str(error)) from None

    def close(self) -> None:
        """End all waiting, and close the connections."""
        self._stopped.set()
        self._client.close()


class _AttemptError(Exception):
    """One attempt failed; ``again`` when another may not, ``wait`` how long the service asks to wait first."""

    def __init__(self, error: str, *, again: bool = False, wait: float = 0.0) -> None:
        super().__init__(error)
        self.again, self.wait = again, wait


def _told(failure: _AttemptError, attempts: int) -> str:
    waits = f", which asks to wait {failure.wait:g} s" if failure.wait else ""
    return f"{failure}{f' (attempt {attempts}{waits})' if failure.again else ''}"


class Pace:
    """Lets at most ``per_second`` through in a second, evenly, over all threads; 0 lets all through."""

    def __init__(self, per_second: float, stopped: threading.Event) -> None:
        self._gap = 1 / per_second if per_second else 0.0
        self._stopped, self._lock, self._next = stopped, threading.Lock(), 0.0

    def wait(self) -> None:
        """Come back when the next one may begin."""
        if self._gap:
            with self._lock:
                begin = max(time.monotonic(), self._next)
                self._next = begin + self._gap
            self._stopped.wait(begin - time.monotonic())
