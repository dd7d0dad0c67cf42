"""An A/B test of two functions in a service: ``python examples/ab_service.py 8000 ab.sqlite``, then send it questions.

A POST of ``{"user": "…", "question": "…"}`` is answered by the variant of the user, and what came of it is recorded;
one of ``{"user": "…", "feedback": 1}`` (or -1) records what the user says of it. ``kgsynth abtest ab.sqlite`` then
tells which is better. Put your own two systems in the place of ``by_sentence`` and ``by_paragraph``.
"""

import json
import sys
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from rag_function import answer

from kgsynth.comparison.abtest import Experiment


def by_sentence(question: str) -> str:
    """Answer with the best sentence of the best paragraph."""
    return str(answer(question)["answer"])


def by_paragraph(question: str) -> str:
    """Answer with the best paragraph."""
    return str(answer(question)["retrieved"][0]["text"])


VARIANTS = {"sentence": by_sentence, "paragraph": by_paragraph}
PORT, FILE = int(sys.argv[1]) if len(sys.argv) > 1 else 8000, sys.argv[2] if len(sys.argv) > 2 else "ab.sqlite"
EXPERIMENT = Experiment("length of answers", {"sentence": 0.5, "paragraph": 0.5}, FILE)


def serve(user: str, question: str) -> dict[str, str]:
    """Answer by the variant of the user, and record how long it took or what went wrong."""
    variant = EXPERIMENT.assign(user)
    begun = time.perf_counter()
    try:
        said = VARIANTS[variant](question)
    except Exception as error:  # whatever a system does, the test goes on
        EXPERIMENT.record(user, error=str(error))
        return {"error": str(error)}
    EXPERIMENT.record(user, latency_s=time.perf_counter() - begun, success=bool(said))
    return {"answer": said}


class Service(BaseHTTPRequestHandler):
    """Answers questions and takes what users say of the answers."""

    def do_POST(self) -> None:
        """Answer a question, or record a verdict."""
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if "feedback" in asked:
            EXPERIMENT.record(asked["user"], feedback=asked["feedback"])
            reply = {}
        else:
            reply = serve(asked["user"], asked["question"])
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.end_headers()
        self.wfile.write(json.dumps(reply).encode())


service = ThreadingHTTPServer(("127.0.0.1", PORT), Service)
print(f"http://127.0.0.1:{service.server_port}/", flush=True)  # noqa: T201
service.serve_forever()
