"""HTTP requests bounded in size and time, repeated after a pause, with secrets hidden in what is shown."""

from __future__ import annotations

import base64
import re
import socket
import threading
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any, NamedTuple, TypeVar
from urllib.parse import urlsplit

import httpx

from kgsynth.base.errors import ConfigError


def spellings(secret: str) -> re.Pattern[str]:
    r"""Return a pattern that matches a secret, each character of it plain or escaped, or all of it in hex or base64.

    Characters may be escaped as JSON, JavaScript, URLs (also twice), HTML, Python and C do. In base64 it may be part of
    a longer text, as in the header of basic authentication.

    Example:
        >>> pattern = spellings("sk-1/a")
        >>> [bool(pattern.fullmatch(text)) for text in ("sk-1/a", r"\u0073k-1\/a", "sk%2D1/a", "sk-2/a")]
        [True, True, True, False]
    """
    encoded = secret.encode("utf-8", "replace")
    whole = [f"(?i:{encoded.hex()})", *(_base64(encoded, before) for before in range(3))] if len(encoded) > 7 else []
    return re.compile("|".join(["".join(map(_character, secret)), *whole]))


def _base64(encoded: bytes, before: int) -> str:
    """Return the pattern of base64 after so many other bytes, without the digits that depend on its neighbours."""
    digits = base64.b64encode(b"\0" * before + encoded).decode()
    digits = digits[-(-before * 8 // 6) : (before + len(encoded)) * 8 // 6]
    return digits.replace("+", "[+-]").replace("/", "[/_]")


def without_password(url: str) -> str:
    """Return a URL, or what was meant to be one, without user, password and query.

    Example:
        >>> without_password("http://ada:pass/word@localhost/ask?key=5")
        'http://localhost/ask'
    """
    return re.sub(r"^(.*?//)?.*@", r"\1", url.partition("?")[0])


def _character(character: str) -> str:
    encoded = character.encode("utf-16-be", "surrogatepass")
    units = [encoded[at : at + 2].hex() for at in range(0, len(encoded), 2)]
    forms = [
        re.escape(character),
        r"\\+" + re.escape(character),
        "".join(rf"\\+u{unit}" for unit in units),
        "".join(f"%(?:25)*{byte:02x}" for byte in character.encode("utf-8", "replace")),
        rf"&\#x0*{ord(character):x};",
        rf"&\#0*{ord(character)};",
        rf"\\+u\{{0*{ord(character):x}\}}",
    ]
    if not character.isalnum():
        forms.append(r"&[a-z]+;")
    if ord(character) < 0x100:
        forms += [rf"\\+x{ord(character):02x}", rf"\\+{ord(character):03o}"]
    plain, *escaped = forms
    return rf"(?:{plain}|(?i:{'|'.join(escaped)}))"


# Trying a request again, after a pause that doubles or after the one that the server asks for.

T = TypeVar("T")


class RetryPolicy(NamedTuple):
    """How often a request is repeated, the first pause, which doubles each time, and the longest pause, in seconds."""

    retries: int
    backoff: float
    longest_wait: float


class AttemptError(Exception):
    """An attempt failed; ``retryable`` if another may succeed, after the ``pause`` in seconds that the server asks for.

    Example:
        >>> str(AttemptError("status 429: slow down", pause=7.0))
        'status 429: slow down (attempt 1; the server asks to wait 7 s)'
    """

    def __init__(self, reason: str, *, retryable: bool = True, pause: float = 0.0) -> None:
        super().__init__(reason)
        self.retryable, self.pause, self.attempt = retryable, pause, 1

    def __str__(self) -> str:
        pause = f"; the server asks to wait {self.pause:g} s" if self.pause else ""
        return f"{self.args[0]} (attempt {self.attempt}{pause})" if self.retryable else str(self.args[0])


def with_retries(attempt: Callable[[], T], policy: RetryPolicy, sleep: Callable[[float], object]) -> T:
    """Return the result of ``attempt``, which is called until it succeeds or the policy allows no further attempt.

    Raises:
        AttemptError: the last one, with the number of the attempt; any other error of ``attempt`` at once.
    """
    number = 0
    while True:
        number += 1
        try:
            return attempt()
        except AttemptError as error:
            error.attempt = number
            if not error.retryable or number > policy.retries or error.pause > policy.longest_wait:
                raise
            sleep(max(error.pause, min(policy.backoff * 2 ** (number - 1), policy.longest_wait)))


def retry_after(value: str | None, now: datetime) -> float:
    """Return the pause in seconds that a Retry-After header asks for, as seconds or as a date; otherwise 0.

    Example:
        >>> retry_after("7", datetime.now(UTC))
        7.0
        >>> retry_after("Thu, 01 Jan 1970 00:00:09 GMT", datetime.fromtimestamp(0, UTC))
        9.0
    """
    text = (value or "").strip()
    if text.isascii() and text.isdigit():
        return float(text)
    try:
        until = parsedate_to_datetime(text)
    except ValueError:
        return 0.0
    until = until if until.tzinfo else until.replace(tzinfo=UTC)
    return max(0.0, (until - now).total_seconds())


# HTTP clients whose replies are bounded in size and in time, whatever the server does.
#
# A server may send without an end, send a small body that decompresses to a huge one, or send a byte from time to
# time, so that no single read is late. Here a reply has at most so many bytes, and a request at most so many seconds.

_GZIP_OR_ZLIB = zlib.MAX_WBITS | 32
_CODINGS = {"": 0, "identity": 0, "gzip": _GZIP_OR_ZLIB, "x-gzip": _GZIP_OR_ZLIB, "deflate": _GZIP_OR_ZLIB}
"""Content encoding -> the format for zlib, 0 for none."""


class ReplyTooLargeError(Exception):
    """The body of a reply is larger than allowed."""


def checked_url(url: str) -> httpx.URL:
    """Return the parsed URL of a server.

    Raises:
        ConfigError: it is not one of http or https with a host; the message contains no password.
    """
    try:
        urlsplit(url)
        found = httpx.URL(url)
        usable = found.scheme in ("http", "https") and bool(found.host)
    except (ValueError, httpx.InvalidURL):  # whose message may contain half of a password
        usable = False
    if not usable:
        shown = repr(without_password(url)[:200]) if ":" in url else "a text without http://"  # which may be a key
        raise ConfigError(
            f"{shown} is not the URL of a server; give one such as http://localhost:8000/ask, "
            "and write the / and @ of a password as %2F and %40"
        )
    return found


class BoundedClients:
    """One httpx client for each thread, which all have the same bounds: ``timeout`` in seconds, and ``max_bytes``.

    A client sends one request at a time. When a request is late, its connection is shut down, which the client sees
    as a failed connection. A body that is too large raises ``ReplyTooLargeError``.

    Example:
        >>> clients = BoundedClients(timeout=60, max_bytes=2**20)
        >>> clients.client() is clients.client()
        True
        >>> clients.close()
    """

    def __init__(self, timeout: float, max_bytes: int, **options: Any) -> None:
        self._timeout, self._max_bytes = timeout, max_bytes
        self._options = {"verify": httpx.create_ssl_context(), **options}  # slow to make, so it is shared
        self._own, self._lock = threading.local(), threading.Lock()
        self._all: list[tuple[httpx.Client, _Watchdog]] = []

    def client(self) -> httpx.Client:
        """Return the client of this thread."""
        client: httpx.Client | None = getattr(self._own, "client", None)
        if client is None or client.is_closed:
            watchdog = _Watchdog(self._timeout)
            client = self._own.client = httpx.Client(
                timeout=self._timeout,
                limits=httpx.Limits(max_connections=1),
                headers={"accept-encoding": "gzip, deflate"},
                event_hooks={"request": [watchdog.begin], "response": [self._bound]},
                **self._options,
            )
            self._own.watchdog = watchdog
            with self._lock:
                self._all.append((client, watchdog))
        return client

    def _bound(self, response: httpx.Response) -> None:
        coding = response.headers.pop("content-encoding", "").strip().lower()
        if coding not in _CODINGS:
            raise httpx.DecodingError(f"the content encoding {coding!r} is not known", request=response.request)
        assert isinstance(response.stream, httpx.SyncByteStream)
        response.stream = _BoundedStream(response.stream, _CODINGS[coding], self._max_bytes, self._own.watchdog)

    @property
    def late(self) -> bool:
        """Whether the connection of this thread's last request was shut down because it took too long."""
        return bool(self._own.watchdog.late)

    def close(self) -> None:
        """Close the clients of all threads."""
        with self._lock:
            for client, watchdog in self._all:
                watchdog.end()
                client.close()
            self._all.clear()


class _Watchdog:
    """Shuts down the connection of a request that takes longer than ``timeout`` seconds in all."""

    def __init__(self, timeout: float) -> None:
        self._timeout, self.late = timeout, False
        self._socket: socket.socket | None = None
        self._timer = threading.Timer(0, self._shut_down)

    def begin(self, request: httpx.Request) -> None:
        """Begin to watch a request; the one before is no longer watched."""
        self.end()
        self.late = False
        request.extensions = {**request.extensions, "trace": self._note}
        self._timer = threading.Timer(self._timeout, self._shut_down)
        self._timer.daemon = True
        self._timer.start()

    def end(self) -> None:
        """Stop watching."""
        self._timer.cancel()

    def _note(self, event: str, info: Mapping[str, Any]) -> None:
        """Keep the socket of a new connection; httpcore calls this for everything it does."""
        stream: Any = info.get("return_value")
        if event.endswith(".complete") and hasattr(stream, "get_extra_info"):
            self._socket = stream.get_extra_info("socket")

    def _shut_down(self) -> None:
        self.late = True
        if self._socket is not None:
            with suppress(OSError):  # closed meanwhile; the method of an SSL socket would end TLS first, and wait
                socket.socket.shutdown(self._socket, socket.SHUT_RDWR)


class _BoundedStream(httpx.SyncByteStream):
    """The body of a reply, decompressed, with at most ``max_bytes``."""

    def __init__(self, stream: httpx.SyncByteStream, wbits: int, max_bytes: int, watchdog: _Watchdog) -> None:
        self._stream, self._watchdog, self._max_bytes = stream, watchdog, max_bytes
        self._unzip = zlib.decompressobj(wbits) if wbits else None

    def __iter__(self) -> Iterator[bytes]:
        left = self._max_bytes
        for piece in self._stream:
            plain = self._plain(piece, left + 1)
            left -= len(plain)
            if left < 0:
                raise ReplyTooLargeError(f"the reply has more than {self._max_bytes:,} bytes")
            yield plain
        if self._watchdog.late:  # a body of no given length ends when the connection is shut down
            raise httpx.ReadTimeout("late")

    def _plain(self, piece: bytes, most: int) -> bytes:
        if self._unzip is None:
            return piece
        try:
            return self._unzip.decompress(piece, most)
        except zlib.error as error:
            raise httpx.DecodingError(str(error)) from None

    def close(self) -> None:
        """Close the stream, and stop watching the request."""
        self._watchdog.end()
        self._stream.close()
