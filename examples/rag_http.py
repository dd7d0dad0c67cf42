"""The system of rag_function.py as a service: ``python examples/rag_http.py 8000``, then ``kgsynth score --rag URL``.

It answers a POST of ``{"question": "…"}`` with ``{"answer": "…", "retrieved": [{"doc": "…", "text": "…"}, …]}``, the
default format of ``kgsynth score``.
"""

import json
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from rag_function import answer


class Rag(BaseHTTPRequestHandler):
    """Answers questions."""

    def do_POST(self) -> None:
        """Read the question, and send the answer of the system."""
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        reply = json.dumps(answer(asked["question"])).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.end_headers()
        self.wfile.write(reply)


service = ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1]) if len(sys.argv) > 1 else 8000), Rag)
print(f"http://127.0.0.1:{service.server_port}/ask", flush=True)  # noqa: T201
service.serve_forever()
