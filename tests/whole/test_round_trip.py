"""Pages of the handbook that pandoc and LibreOffice turned into other formats: their facts and golden spans are found.

tests/converted holds 17 pages in each format, made by benchmarks/round_trip.py.
"""

from __future__ import annotations

import importlib
import shutil
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from kgsynth.base.records import Document
from kgsynth.documents import read_folder

ROOT = Path(__file__).parents[2]
HANDBOOK, GOLDEN, CONVERTED = ROOT / "corpora/handbook", ROOT / "tests/handbook.jsonl", ROOT / "tests/converted"
FORMATS = ("docx", "epub", "ipynb", "pdf")
FACTS, SPANS = 0.97, 0.98  # shares that must be found


@pytest.fixture
def trip(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(ROOT / "benchmarks"))
    return importlib.import_module("round_trip")


@cache
def converted() -> dict[str, dict[str, Document]]:
    """The pages in each format, read once."""
    pages: dict[str, dict[str, Document]] = {extension: {} for extension in FORMATS}
    for entry in read_folder(CONVERTED):
        assert isinstance(entry, Document), entry
        pages[entry.format][entry.id.rpartition(".")[0]] = entry
    return pages


@pytest.fixture
def facts(trip: ModuleType, tmp_path: Path) -> Any:
    """The facts of the same pages as they were written."""
    names = converted()["docx"]
    sources = sorted(path for path in HANDBOOK.rglob("*.*") if str(path.relative_to(HANDBOOK).with_suffix("")) in names)
    trip.write_sources(sources, HANDBOOK, tmp_path)
    return {name: trip.keys(page) for name, page in trip.read_pages(tmp_path / "source").items()}


def share(counts: tuple[int, int]) -> float:
    return counts[0] / counts[1]


@pytest.mark.parametrize("extension", FORMATS)
def test_facts_and_golden_spans_are_found_in_each_format(extension: str, trip: ModuleType, facts: Any) -> None:
    pages = converted()[extension]
    assert len(pages) == len(facts) == 17
    shares, lost = trip.compare(facts, pages)
    found = (sum(there for there, _ in shares.values()), sum(of for _, of in shares.values()))
    assert found[1] >= 70 and share(found) >= FACTS, lost
    spans, missing = trip.locate(trip.golden_spans(GOLDEN), pages)
    assert spans[1] >= 25 and share(spans) >= SPANS, missing


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("pandoc") is None, reason="pandoc converts the pages")
def test_all_pages_converted_anew(trip: ModuleType, tmp_path: Path) -> None:
    sources = trip.write_sources(sorted(HANDBOOK.rglob("*.*")), HANDBOOK, tmp_path)
    facts = {name: trip.keys(page, clauses=True) for name, page in trip.read_pages(tmp_path / "source").items()}
    for extension in trip.convert(sources, tmp_path):
        pages = trip.read_pages(tmp_path / extension)
        shares, lost = trip.compare(facts, pages, clauses=True)
        clauses = shares.pop("clause")
        found = (sum(there for there, _ in shares.values()), sum(of for _, of in shares.values()))
        assert clauses[1] > 900 and share(clauses) >= FACTS, (extension, lost)
        assert found[1] > 80 and share(found) >= FACTS, (extension, lost)
        spans, missing = trip.locate(trip.golden_spans(GOLDEN), pages)
        assert spans[1] > 70 and share(spans) >= SPANS, (extension, missing)
