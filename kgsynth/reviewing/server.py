"""The review server: listens on this machine only, requires a token, and refuses requests from other sites.

A request caused by a page of another site is refused for three reasons: it lacks the token, its Host is wrong if a
foreign name was bound to 127.0.0.1 (DNS rebinding), and its Origin is wrong. Only six addresses are served. One of them
reads files: it draws pages of evidence under review, and of no other file.
"""

from __future__ import annotations

import hmac
import json
import os
import secrets
import sys
from collections.abc import Callable
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

from kgsynth.base.errors import ConfigError, KgsynthError
from kgsynth.reviewing.api import RefusedError, ReviewApi

HOST = "127.0.0.1"
MAX_REQUEST_BYTES = 256_000


class Server(ThreadingHTTPServer):
    """Serves the page and its requests; ``port`` 0 takes any free port.

    Raises:
        ConfigError: the port is in use or invalid.
    """

    daemon_threads = True

    def __init__(self, api: ReviewApi, page: str, policy: str, token: str, port: int) -> None:
        self.api, self.page, self.policy, self.token = api, page.encode(), policy, token
        try:
            super().__init__((HOST, port), _RequestHandler)
        except (OSError, OverflowError) as error:
            raise ConfigError(
                f"port {port} is in use or cannot be opened ({error}): stop the other server, or give another --port"
            ) from None

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Ignore a browser that disconnected; report any other error as usual."""
        if not isinstance(sys.exception(), OSError):
            super().handle_error(request, client_address)

    @property
    def url(self) -> str:
        """The address to open."""
        return f"http://{HOST}:{self.server_port}/?token={self.token}"

    @property
    def hosts(self) -> frozenset[str]:
        """The values of the Host header that are accepted."""
        return frozenset(f"{name}:{self.server_port}" for name in (HOST, "localhost"))


def read_token(path: Path) -> str:
    """Return the token stored in ``path``, creating it the first time, so that an open page survives a restart.

    Only the owner may read the file.
    """
    try:
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="ascii") as file:
            file.write(secrets.token_urlsafe(24))
    except FileExistsError:
        pass
    token = path.read_text(encoding="ascii").strip()
    if len(token) < 20:  # the process that created the file was killed before writing the token
        path.unlink()
        return read_token(path)
    return token


class _RequestHandler(BaseHTTPRequestHandler):
    server: Server
    protocol_version = "HTTP/1.1"
    timeout = 60
    server_version, sys_version = "kgsynth", ""

    def do_GET(self) -> None:
        """Serve the page, or what it asks for."""
        self._respond(self._get)

    def do_POST(self) -> None:
        """Save an annotation, or a new question."""
        self._respond(self._post)

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        """Refuse a request that is not HTTP, or has another method, as all others are refused."""
        self.close_connection, self.request_version = True, self.protocol_version  # so that there is a status line
        self._send(405 if code == 501 else code, *_json({"error": message or self.responses[HTTPStatus(code)][1]}))

    def _respond(self, method: Callable[[], tuple[bytes, str]]) -> None:
        try:
            self._check_origin()
            self._send(200, *method())
        except RefusedError as refusal:
            self.close_connection = True  # the request body may be unread
            self._send(refusal.status, *_json({"error": str(refusal)}))
        except KgsynthError as error:  # the file cannot be written; the page retries
            self._send(503, *_json({"error": str(error)}))
        except ValueError as error:  # an address or a header that cannot be parsed
            self.close_connection = True
            self._send(400, *_json({"error": f"the request cannot be read ({error})"}))

    def _check_origin(self) -> None:
        """Refuse a request without the token, or from another site."""
        if self.headers.get("Host") not in self.server.hosts:
            raise RefusedError(403, "this server answers only on 127.0.0.1: open the address it printed")
        origin = self.headers.get("Origin")
        if origin is not None and origin.removeprefix("http://") not in self.server.hosts:
            raise RefusedError(403, "this server answers only its own page")
        if not hmac.compare_digest(self._parameter("token").encode(), self.server.token.encode()):
            raise RefusedError(403, "the token in the address is missing or wrong: open the address the server printed")

    def _get(self) -> tuple[bytes, str]:
        path, api = urlsplit(self.path).path, self.server.api
        if path == "/":
            return self.server.page, "text/html"
        if path == "/progress":
            return _json(api.progress())
        if path == "/annotations":
            return _json(api.annotations(self._parameter("annotator")))
        if path == "/findings":
            return _json(api.findings(self._parameter("annotator"), self._parameter("item")))
        if path == "/results":
            return _json(api.results(self._parameter("annotator")))
        if path == "/picture":
            return api.picture(*map(self._parameter, ("doc", "start", "end")))
        raise RefusedError(404, f"there is nothing at {path[:80]!r}")

    def _post(self) -> tuple[bytes, str]:
        path, api = urlsplit(self.path).path, self.server.api
        if path not in ("/annotations", "/items"):
            raise RefusedError(404, f"nothing can be sent to {path[:80]!r}")
        if self.headers.get_content_type() != "application/json":
            raise RefusedError(415, "the content type must be application/json")
        length = self.headers.get("Content-Length", "")
        if not length.isdecimal():
            raise RefusedError(411, "the header Content-Length is missing or not a number")
        if int(length) > MAX_REQUEST_BYTES:
            raise RefusedError(413, f"the request has {int(length):,} bytes and may have {MAX_REQUEST_BYTES:,}")
        return _json((api.save if path == "/annotations" else api.add)(self.rfile.read(int(length))))

    def _parameter(self, name: str) -> str:
        return parse_qs(urlsplit(self.path).query, errors="replace").get(name, [""])[0]

    def _send(self, status: int, body: bytes, kind: str) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind if kind.startswith("image/") else f"{kind}; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Content-Security-Policy", f"{self.server.policy}; frame-ancestors 'none'")
        for name, value in _HEADERS.items():
            self.send_header(name, value)
        if self.close_connection:
            self.send_header("Connection", "close")
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def log_message(self, *_: Any) -> None:
        """Print nothing: the address contains the token, and the library never prints."""


_HEADERS = {
    "Allow": "GET, POST",
    "Cache-Control": "no-store",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}


def _json(value: object) -> tuple[bytes, str]:
    return json.dumps(value, ensure_ascii=False).encode("utf-8", "replace"), "application/json"
