"""Results in Python: a short text, a small escaped table for notebooks, and a DataFrame if pandas is installed."""

from __future__ import annotations

import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from report_sets import HOSTILE, Half, documents, items

from kgsynth.auditing import AuditReport
from kgsynth.base.errors import ConfigError
from kgsynth.base.records import Finding
from kgsynth.generation.result import Funnel, Generated
from kgsynth.golden.dataset import Dataset
from kgsynth.scoring.flow import score

PAGES = documents(4)
SET = Dataset(items(PAGES, 12))


@pytest.fixture(scope="module")
def results() -> dict[str, Any]:
    """One of each object that the Python functions return."""
    findings = (Finding("span", "error", "q-0000", f"gone {HOSTILE}", "correct it"),)
    funnel = Funnel({"simple": 9}, {"simple": 8}, {"simple": 5}, {}, {})
    rest: dict[str, Any] = {"rejected": (), "skipped": (), "health": (), "usage": {}, "shortage": None}
    rest |= {"promise": None, "power": {}}
    return {
        "Dataset": SET,
        "AuditReport": AuditReport(findings, {"items": 12}, {"span": HOSTILE}),
        "Scores": score(SET, Half(), docs=list(PAGES.values())),
        "Generated": Generated(
            folder=Path("out"), golden=SET, funnel=funnel, documents=4, drawn=("a.md",), chunks=8, facts=8, **rest
        ),
    }


KINDS = ("Dataset", "AuditReport", "Scores", "Generated")


def test_each_says_its_main_figures_in_a_line(results: dict[str, Any]) -> None:
    assert repr(results["Dataset"]) == "Dataset(12 items: multi_context 4, reasoning 4, simple 4)"
    assert repr(results["AuditReport"]) == "AuditReport(1 error, 0 warnings in 12 items: span 1)"
    assert repr(results["Scores"]).startswith(
        "Scores(half: "
    ) and "of 12 questions passed, 12 failed; precision@5 " in repr(results["Scores"])
    assert repr(results["Generated"]).endswith("4 documents read, 0 candidates rejected, in out)")


@pytest.mark.parametrize("kind", KINDS)
def test_a_notebook_shows_an_escaped_table(kind: str, results: dict[str, Any]) -> None:
    html = results[kind]._repr_html_()
    assert html.startswith("<table>") and html.count("<tr>") > 1
    assert "<script" not in html and "<img" not in html


@pytest.mark.parametrize("kind", KINDS)
def test_without_pandas_the_error_says_what_to_do(
    kind: str, results: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(ConfigError, match="pip install pandas"):
        results[kind].to_pandas()


@pytest.mark.parametrize(
    ("kind", "rows", "column"),
    [("Dataset", 12, "golden_answers"), ("AuditReport", 1, "message"), ("Scores", 12, "mrr"), ("Generated", 12, "id")],
)
def test_with_pandas_there_is_a_row_for_each_record(
    kind: str, rows: int, column: str, results: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    def frame(records: list[dict[str, Any]], columns: list[str]) -> tuple[int, list[str]]:
        assert all(set(record) <= set(columns) for record in records)
        return len(records), columns

    monkeypatch.setitem(sys.modules, "pandas", SimpleNamespace(DataFrame=frame))
    number, columns = results[kind].to_pandas()
    assert number == rows and column in columns


def test_the_frame_of_the_real_pandas(results: dict[str, Any]) -> None:
    pytest.importorskip("pandas")
    assert list(results["Dataset"].to_pandas()["id"]) == [item.id for item in SET]
