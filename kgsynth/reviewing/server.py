"""The page served on this machine alone: loopback, a token in every address, and no request from another site.

A browser that was led here by another page is turned away three times over: it lacks the token, its Host is not ours
when a foreign name was bound to 127.0.0.1 (DNS rebinding), and its Origin is not ours. Nothing but five addresses is
served; no path ever reaches the file system.
"""

from __future__ import annotations

import hmac
import json
import os
import secrets
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

from kgsynth.base.errors import ConfigError, KgsynthError
from kgsynth.reviewing.api import Desk, RefusedError

HOST = "127.0.0.1"
MOST = 256_000
"""The most bytes of a request."""


class Server(ThreadingHTTPServer):
    """The page and what it asks; ``port`` 0 takes any that is free.

    Raises:
        ConfigError: the port cannot be had.
    """

    daemon_threads = True

    def __init__(self, desk: Desk, page: str, policy: str, token: str, port: int) -> None:
        self.desk, self.page, self.policy, self.token = desk, page.encode(), policy, token
        try:
            super().__init__((HOST, port), _Handler)
        except (OSError, OverflowError) as error:
            raise ConfigError(
                f"port {port} cannot be had ({error}): end the review that runs there, or give another with --port"
            ) from None

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Pass over a browser that left in the middle; a fault of ours is told as usual."""
        if not isinstance(sys.exception(), OSError):
            super().handle_error(request, client_address)

    @property
    def url(self) -> str:
        """The address to open."""
        return f"http://{HOST}:{self.server_port}/?token={self.token}"

    @property
    def hosts(self) -> frozenset[str]:
        """The names by which this server may be asked."""
        return frozenset(f"{name}:{self.server_port}" for name in (HOST, "localhost"))


def token_of(path: Path) -> str:
    """Return the token kept in ``path``, made the first time: with it an open page goes on when the server is back.

    Only the owner may read the file.
    """
    try:
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="ascii") as file:
            file.write(secrets.token_urlsafe(24))
    except FileExistsError:
        pass
    token = path.read_text(encoding="ascii").strip()
    if len(token) < 20:  # a kill between making and writing it
        path.unlink()
        return token_of(path)
    return token


class _Handler(BaseHTTPRequestHandler):
    server: Server
    protocol_version = "HTTP/1.1"
    timeout = 60
    server_version, sys_version = "kgsynth", ""

    def do_GET(self) -> None:
        """Serve the page, or what it asks."""
        self._answer(self._read)

    def do_POST(self) -> None:
        """Keep what an annotator says."""
        self._answer(self._write)

    def _answer(self, respond: Any) -> None:
        try:
            self._admit()
            body, kind = respond()
            self._send(200, body, kind)
        except RefusedError as refusal:
            self.close_connection = True  # its body may be unread
            self._send(refusal.status, *_json({"error": str(refusal)}))
        except KgsynthError as error:  # the file cannot be written: the page tries again
            self._send(503, *_json({"error": str(error)}))
        except ValueError as error:  # an address or a header that cannot be parsed
            self.close_connection = True
            self._send(400, *_json({"error": f"the request cannot be read ({error})"}))

    def _admit(self) -> None:
        """Turn away who has no token, or comes from elsewhere."""
        if self.headers.get("Host") not in self.server.hosts:
            raise RefusedError(403, "this server answers on 127.0.0.1 alone: open the address it printed")
        origin = self.headers.get("Origin")
        if origin is not None and origin.removeprefix("http://") not in self.server.hosts:
            raise RefusedError(403, "this server answers its own page alone")
        if not hmac.compare_digest(self._asked("token").encode(), self.server.token.encode()):
            raise RefusedError(403, "the token in the address is missing or wrong: open the address the server printed")

    def _read(self) -> tuple[bytes, str]:
        path, desk = urlsplit(self.path).path, self.server.desk
        if path == "/":
            return self.server.page, "text/html"
        if path == "/annotators":
            return _json(desk.annotators())
        if path == "/said":
            return _json(desk.said(self._asked("annotator")))
        if path == "/findings":
            return _json(desk.findings(self._asked("annotator"), self._asked("item")))
        if path == "/results":
            return _json(desk.results(self._asked("annotator")))
        raise RefusedError(404, f"there is nothing at {path[:80]!r}")

    def _write(self) -> tuple[bytes, str]:
        if urlsplit(self.path).path != "/said":
            raise RefusedError(404, f"nothing can be sent to {urlsplit(self.path).path[:80]!r}")
        if self.headers.get_content_type() != "application/json":
            raise RefusedError(415, "what is sent must be application/json")
        length = self.headers.get("Content-Length", "")
        if not length.isdecimal():
            raise RefusedError(411, "how long the request is must be said in Content-Length")
        if int(length) > MOST:
            raise RefusedError(413, f"the request has {int(length):,} bytes and may have {MOST:,}")
        return _json(self.server.desk.say(self.rfile.read(int(length))))

    def _asked(self, name: str) -> str:
        return parse_qs(urlsplit(self.path).query, errors="replace").get(name, [""])[0]

    def _send(self, status: int, body: bytes, kind: str) -> None:
        self.send_response(status)
        self.send_header("Content-Type", f"{kind}; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Content-Security-Policy", f"{self.server.policy}; frame-ancestors 'none'")
        for name, value in _HEADERS.items():
            self.send_header(name, value)
        if self.close_connection:
            self.send_header("Connection", "close")
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: Any) -> None:
        """Print nothing: the address holds the token, and the library never prints."""


_HEADERS = {
    "Cache-Control": "no-store",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}


def _json(value: object) -> tuple[bytes, str]:
    return json.dumps(value, ensure_ascii=False).encode("utf-8", "replace"), "application/json"
