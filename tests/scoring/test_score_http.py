"""``score`` on a service with scripted failures: causes, exit codes, secrets, and asking failed questions again."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from services import KEY, Request, Service, service

from kgsynth.base.records import Item, Span
from kgsynth.cli import main
from kgsynth.evidence.bm25 import BM25
from kgsynth.golden.dataset import write

__all__ = ["service"]

TEXTS = [f"The {word} kiln was built in {1800 + n}." for n, word in enumerate(["oak", "elm", "fir", "yew"] * 50)]
FAILING = {
    "status 500": range(10),
    "timeout": range(10, 14),
    "not JSON": range(14, 18),
    "wrong shape": range(18, 20),
}
"""Kind of failure -> its questions: 5 % errors, 2 % without a reply, 3 % malformed in one of two ways."""
FATE = {f"q{number}": kind for kind, numbers in FAILING.items() for number in numbers}


@pytest.fixture
def here(service: Service, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A golden set of 200 questions in the working folder, and a service over BM25 that fails on 20 of them."""
    monkeypatch.chdir(tmp_path)
    starts = [sum(len(text) + 2 for text in TEXTS[:n]) for n in range(len(TEXTS))]
    spans = [Span("kilns.md", start, start + len(text), text) for start, text in zip(starts, TEXTS, strict=True)]
    items = [
        Item(f"q{n}", f"Which kiln was built in {1800 + n}?", (TEXTS[n],), "simple", "factoid", "en", ((span,),))
        for n, span in enumerate(spans)
    ]
    write(items, tmp_path / "golden.jsonl")
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "kilns.md").write_text("\n\n".join(TEXTS) + "\n", encoding="utf-8")
    # a timeout that only hanging requests reach, also on a busy machine
    settings = 'timeout = 5\nretries = 1\nbackoff = 0.01\nat_once = 8\n[headers]\nX-Key = "${RAG_KEY}"\n'
    settings += '[body]\nid = "${id}"\nquestion = "${question}"\n'
    (tmp_path / "rag.toml").write_text(settings, encoding="utf-8")
    service.says = bm25(service, FATE)
    return tmp_path


def bm25(service: Service, fate: Mapping[str, str]) -> Callable[[Request], Any]:
    """A RAG system over BM25 that fails on the questions of ``fate``."""
    index = BM25(TEXTS)

    def says(request: Request) -> Any:
        assert request.headers["x-key"] == KEY
        match fate.get(request.body["id"]):
            case "status 500":
                return 500, {}, f"failed with {request.headers['x-key']}".encode()
            case "timeout":
                return service.over.wait(60) or {"answer": "late"}
            case "not JSON":
                return 200, {}, b'{"answer": "cut o'
            case "wrong shape":
                return {"message": "busy"}
        best = index.scores(request.body["question"]).argsort(kind="stable")[::-1][:3]
        return {"answer": TEXTS[best[0]], "retrieved": [TEXTS[n] for n in best]}

    return says


def run(url: str, *arguments: str) -> Result:
    base = ["score", "golden.jsonl", "--rag", url, "--rag-config", "rag.toml", "--docs", "docs", "-o", "out"]
    return CliRunner().invoke(main, [*base, *arguments])


def test_every_question_has_a_result_and_only_failed_ones_are_asked_again(here: Path, service: Service) -> None:
    result = run(service.url, "--fail-on-error", "5%")
    assert result.exit_code == 4, result.output
    assert "error: 20 of 200 questions failed or have no record, more than --fail-on-error 5%" in result.stderr
    assert "note: 20 of 200 questions failed: status 500 10, not JSON 4, timeout 4, wrong shape 2" in result.stdout
    lines = [json.loads(line) for line in (here / "out/answers.jsonl").read_text(encoding="utf-8").splitlines()]
    assert [line["id"] for line in lines] == [f"q{n}" for n in range(200)]
    assert {line["id"]: line["error"].partition(":")[0] for line in lines if line["error"]} == FATE
    scores = json.loads((here / "out/scores.json").read_text(encoding="utf-8"))
    assert (scores["n_items"], scores["n_errors"], scores["metrics"]["em"]["value"]) == (200, 20, 0.9)
    asked = Counter(request.body["id"] for request in service.requests)
    assert asked == {f"q{n}": 2 if FATE.get(f"q{n}") == "status 500" else 1 for n in range(200)}
    for path in filter(Path.is_file, (here / "out").rglob("*")):
        assert KEY.encode() not in path.read_bytes(), path
    assert KEY not in result.output and "${RAG_KEY}" in lines[0]["error"]

    service.requests.clear()
    assert run(service.url, "--fail-on-error", "20").exit_code == 0, "20 failures are not more than 20"
    assert service.requests == [], "a complete run is scored again without asking"
    service.says = bm25(service, {})
    result = run(service.url, "--retry-errors", "--fail-on-error", "0")
    assert result.exit_code == 0, result.output
    assert sorted(request.body["id"] for request in service.requests) == sorted(FATE)
    scores = json.loads((here / "out/scores.json").read_text(encoding="utf-8"))
    assert (scores["n_errors"], scores["metrics"]["em"]["value"], scores["metrics"]["mrr"]["value"]) == (0, 1.0, 1.0)


def test_a_service_that_is_down_is_unreachable(here: Path, service: Service) -> None:
    service.end()
    result = run(service.url)
    assert (result.exit_code, "cannot be reached: connection: " in result.stderr) == (4, True)
    assert "connection: " in result.stderr
