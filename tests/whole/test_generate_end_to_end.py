"""From a folder to a scored set with the real models: what each part promises holds for the whole."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from faq_pages import PAGES

import kgsynth
from kgsynth.base.shares import apportion
from kgsynth.generation.result import by_rule

N = 16
MIX = {"simple": 0.5, "reasoning": 0.0625, "conditional": 0.4375}


@pytest.fixture(scope="module")
def made(docs: Path, tmp_path_factory: pytest.TempPathFactory) -> Any:
    out = tmp_path_factory.mktemp("end-to-end") / "run"
    return kgsynth.generate(docs, out, config=kgsynth.Config(n=N, mix=MIX, kinds=("all",), fill=True, processes=1))


def rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_the_set_has_the_requested_size_and_mix(made: Any) -> None:
    assert len(made.golden) == N and made.shortage.missing == 0 and not made.shortage.short
    assert Counter(item.question_type for item in made.golden) == apportion(N, MIX)
    assert list(kgsynth.load(made.folder).questions) == made.golden.questions
    assert len(set(made.golden.questions)) == N


def test_every_span_occurs_verbatim_in_its_file(made: Any, docs: Path) -> None:
    checked = 0
    for row in rows(made.folder / "golden.jsonl"):
        assert row["answerable"] and row["golden_answers"] and row["evidence"]
        for span in (span for group in row["evidence"] for span in group):
            if span["doc"].endswith((".md", ".txt")):  # of others, the text is what the reader extracted
                text = (docs / span["doc"]).read_bytes().decode("utf-8-sig")
                assert text[span["start"] : span["end"]] == span["text"]
                checked += 1
    assert checked >= N / 2


def test_the_audit_finds_no_error(made: Any, docs: Path) -> None:
    report = kgsynth.audit(made.folder / "golden.jsonl", docs, mix=MIX)
    assert report.at_least("error") == ()
    assert "balance" not in report.counts


def test_a_retriever_finds_evidence(made: Any, docs: Path) -> None:
    scores = kgsynth.score(made.golden, "bm25", docs=docs)
    assert scores.n_items == N and scores.n_errors == 0
    recall = scores.metrics["recall@10"].value
    assert recall is not None and 0 < recall <= 1


def test_every_candidate_is_golden_valid_or_rejected(made: Any) -> None:
    candidates, rejected = rows(made.folder / "candidates.jsonl"), rows(made.folder / "rejected.jsonl")
    told = json.loads((made.folder / "manifest.json").read_text(encoding="utf-8"))
    counts = told["counts"]
    assert sum(counts["candidates"].values()) == len(candidates)
    assert sum(counts["valid"].values()) + len(rejected) == len(candidates)
    assert Counter(row["rejected"]["rule"] for row in rejected) == by_rule(made.funnel.rejected)
    # by question: the id of an item changes when a filter adds a second place to its evidence
    assert {row["question"] for row in rejected} <= {row["question"] for row in candidates}
    assert {item.question for item in made.golden} <= {row["question"] for row in candidates}
    for kind, rules in counts["rejected"].items():
        assert sum(rules.values()) + counts["valid"].get(kind, 0) == counts["candidates"][kind]
    assert all(row["rejected"]["detail"] for row in rejected)


def test_the_manifest_describes_the_run(made: Any, docs: Path) -> None:
    told = json.loads((made.folder / "manifest.json").read_text(encoding="utf-8"))
    assert told["config"]["mix"] == MIX and told["config"]["n"] == N and told["config"]["seed"] == 0
    assert "sha256:53aa51172d14" in told["models"]["embedding"] and "core_web_sm" in told["models"]["spacy"]
    assert set(told["inputs"]) == {path.relative_to(docs).as_posix() for path in docs.rglob("*.*")}
    assert told["skipped"] == [] and told["shortage"] == [] and told["graph"]
    assert told["counts"]["documents"] == made.documents and told["counts"]["golden"] == N
    assert {"parsing", "embedding", "filtering"} <= set(told["timings_s"])
    assert str(docs.parent) not in json.dumps(told), "no path of this machine"


def test_ten_short_faq_pages_give_ten_questions_and_report_the_missing_type(tmp_path: Path) -> None:
    docs = tmp_path / "docs"
    docs.mkdir()
    for name, text in PAGES.items():
        (docs / name).write_text(text, encoding="utf-8")
    made = kgsynth.generate(docs, tmp_path / "run", config=kgsynth.Config(n=10, processes=1))
    assert len(made.golden) == 10 and made.shortage.missing == 0
    assert len({item.evidence[0][0].doc for item in made.golden}) >= 8
    # No two pages speak of one thing, so nothing can be asked over two of them, and that is told.
    assert made.shortage.lines(made.funnel.rejected) == ["multi_context: 2 asked for, 0 chosen of 0 valid"]
