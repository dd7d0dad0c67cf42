"""A scripted web service in a thread, and a fixture that ends it."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

KEY = "sk-4f9a-very-secret"
"""The value of the environment variable RAG_KEY while the service runs."""


class Request:
    """One request as the service received it."""

    def __init__(self, method: str, path: str, headers: dict[str, str], body: Any) -> None:
        self.method, self.path, self.headers, self.body = method, path, headers, body
        self.time = time.monotonic()


class Service:
    """A web service that replies what ``says`` returns, and keeps the requests.

    ``says`` returns None to close the connection, or JSON, or status, headers and content; a list as content is sent in
    pieces.
    """

    def __init__(self) -> None:
        self.requests: list[Request] = []
        self.says: Callable[[Request], Any] = lambda request: {"answer": "Ada"}
        self.running = self.most = 0
        self.over = threading.Event()
        lock, service = threading.Lock(), self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            disable_nagle_algorithm = True  # otherwise each reply on an open connection takes 40 ms longer

            def handle_any(self) -> None:
                raw = self.rfile.read(int(self.headers.get("content-length", 0)))
                body = json.loads(raw) if raw else None
                request = Request(self.command, self.path, {k.lower(): v for k, v in self.headers.items()}, body)
                with lock:
                    service.requests.append(request)
                    service.running += 1
                    service.most = max(service.most, service.running)
                said = service.says(request)
                with lock:
                    service.running -= 1
                if said is None:
                    self.close_connection = True
                    return
                status, headers, content = said if isinstance(said, tuple) else (200, {}, json.dumps(said).encode())
                pieces = content if isinstance(content, list) else [content]
                self.send_response(status)
                for name, value in headers.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(sum(map(len, pieces))))
                self.end_headers()
                for piece in pieces:
                    self.wfile.write(piece)
                    service.over.wait(0.05 if len(pieces) > 1 else 0)

            do_GET = do_POST = do_PUT = handle_any  # noqa: N815

            def log_message(self, *_: object) -> None: ...

        class Quiet(ThreadingHTTPServer):
            daemon_threads = True
            request_queue_size = 64

            def handle_error(self, *_: object) -> None: ...  # a client that has timed out

        self.server = Quiet(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}/ask"
        threading.Thread(target=self.server.serve_forever, args=(0.01,), daemon=True).start()

    def end(self) -> None:
        self.over.set()
        self.server.shutdown()
        self.server.server_close()


@pytest.fixture
def service(monkeypatch: pytest.MonkeyPatch) -> Iterator[Service]:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.setenv("RAG_KEY", KEY)
    service = Service()
    yield service
    service.end()
