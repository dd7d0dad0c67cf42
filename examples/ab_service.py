"""An A/B test of two functions in a service: ``python examples/ab_service.py 8000 ab.jsonl``, then send questions.

A POST of ``{"user": "…", "question": "…"}`` is answered by the user's variant, and the outcome is recorded; a POST of
``{"user": "…", "feedback": 1}`` (or -1) records the user's feedback. ``kgsynth abtest ab.jsonl`` then says which
variant is better. Replace ``by_sentence`` and ``by_paragraph`` with your own two systems.
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
PORT, FILE = int(sys.argv[1]) if len(sys.argv) > 1 else 8000, sys.argv[2] if len(sys.argv) > 2 else "ab.jsonl"
EXPERIMENT = Experiment("length of answers", {"sentence": 0.5, "paragraph": 0.5}, FILE)


def serve(user: str, question: str) -> dict[str, str]:
    """Answer with the user's variant, and record how long it took or the error."""
    variant = EXPERIMENT.assign(user)
    start = time.perf_counter()
    try:
        text = VARIANTS[variant](question)
    except Exception as error:  # an error in a system must not stop the service
        EXPERIMENT.record(user, error=str(error))
        return {"error": str(error)}
    EXPERIMENT.record(user, latency_s=time.perf_counter() - start, success=bool(text))
    return {"answer": text}


class Service(BaseHTTPRequestHandler):
    """Answers questions and records feedback."""

    def do_POST(self) -> None:
        """Answer a question, or record feedback."""
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if "feedback" in request:
            EXPERIMENT.record(request["user"], feedback=request["feedback"])
            reply = {}
        else:
            reply = serve(request["user"], request["question"])
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.end_headers()
        self.wfile.write(json.dumps(reply).encode())


service = ThreadingHTTPServer(("127.0.0.1", PORT), Service)
print(f"http://127.0.0.1:{service.server_port}/", flush=True)  # noqa: T201
service.serve_forever()
