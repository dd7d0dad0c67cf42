"""An audit reuses chunks, vectors and facts of the run a set lies in, if it is complete and over these documents."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from planted import chunk, document, read_markdown

import kgsynth
from kgsynth.auditing.case import AuditCase
from kgsynth.auditing.checks import CHECKS
from kgsynth.auditing.inputs import find_run_files
from kgsynth.auditing.resources import Resources
from kgsynth.base.errors import InputError
from kgsynth.base.records import Analysis, Document, Item, Span
from kgsynth.base.records_json import to_json
from kgsynth.base.run_folder import RunFolder
from kgsynth.golden.dataset import Dataset, write

PAGES = {name: document(name, f"Ada leads {name}.") for name in ("a.md", "b.md")}


@pytest.fixture
def run(tmp_path: Path) -> Path:
    inputs = {doc: page.sha256 for doc, page in PAGES.items()}
    lines = {
        "chunks.jsonl": [chunk(page, 0, len(page.text)) for page in PAGES.values()],
        "analysis.jsonl": [Analysis(doc, (), (), ()) for doc in PAGES],
    }
    with RunFolder.open(tmp_path / "run", config={"embedding_model": "m"}, inputs=inputs) as workspace:
        for name, records in lines.items():
            with workspace.replacing(name) as path:
                path.write_text("".join(f"{to_json(record)}\n" for record in records), encoding="utf-8")
        workspace.save_array("embeddings", np.eye(2, dtype=np.float32))
    return tmp_path / "run"


def test_the_files_of_a_run_are_reused(run: Path) -> None:
    found = find_run_files(run / "golden.jsonl", PAGES)
    assert found is not None and found.config == {"embedding_model": "m"}
    assert [each.doc for each in found.chunks] == ["a.md", "b.md"] and len(found.analyses) == 2
    encoded: list[str] = []

    def encode(texts: Sequence[str]) -> NDArray[np.float32]:
        encoded.extend(texts)
        return np.array([[0.0, 1.0]] * len(texts), np.float32)

    item = Item("q", "Who leads a?", ("Ada",), "simple", "", "en", ((PAGES["a.md"].span(0, 3),),))
    case = AuditCase(Dataset([item]), PAGES, Resources(encode, run=found))
    assert list(CHECKS["hopeless"].find(case)) == [] and case.ranked_items[0][1].ranks == [2]
    assert encoded == ["Who leads a?"], "the vectors of the chunks are those of the run"


def test_an_incomplete_run_or_one_over_other_documents_is_ignored(run: Path, tmp_path: Path) -> None:
    changed: dict[str, Document] = PAGES | {"b.md": replace(PAGES["b.md"], sha256="other")}
    more = PAGES | {"c.md": document("c.md", "Nobody leads it.")}
    unusable = ((run, changed), (run, more), (tmp_path, PAGES))
    assert [find_run_files(*each) for each in unusable] == [None, None, None]
    japanese = PAGES | {"c.md": replace(document("c.md", "无"), language="ja")}
    assert find_run_files(run, japanese) is not None, "documents in unsupported languages are in no run"
    (run / "chunks.jsonl").write_text("{}\n", encoding="utf-8")
    assert find_run_files(run, PAGES) is None, "the file has changed since"


def test_a_damaged_file_of_the_same_size_is_reported(run: Path) -> None:
    found = find_run_files(run, PAGES)
    path = run / "chunks.jsonl"
    path.write_text("x" * path.stat().st_size, encoding="utf-8")
    with pytest.raises(InputError, match=r"chunks\.jsonl is damaged .* another folder"):
        _ = found and found.chunks


def test_from_python(tmp_path: Path) -> None:
    page = read_markdown("a.md", "Ada Low leads the Borealis team.")
    item = Item("q", "Who leads the Borealis team?", ("Ada Low",), "simple", "", "en", ((page.span(0, 7),),))
    write([item], tmp_path / "golden.jsonl")
    other = Dataset([replace(item, id="t", evidence=((Span("a.md", 8, 13, "leads"),),))])
    report = kgsynth.audit(tmp_path / "golden.jsonl", [page], quick=True, against=other)
    assert report.counts == {"contamination": 1} and "hopeless" in report.skipped
