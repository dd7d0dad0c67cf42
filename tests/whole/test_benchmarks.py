"""The benchmarks: each is told of as it is called, and an argument it cannot use ends it with one sentence."""

from __future__ import annotations

import importlib
import inspect
import re
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

from kgsynth.base.errors import ConfigError
from kgsynth.base.records import Document, Item

FOLDER = Path(__file__).parents[2] / "benchmarks"
SHARED = {"arguments", "defects", "defects_zh"}
FITS = "fit_ranker"
"""It writes the weights that kgsynth ships, so nothing runs it by the way."""
NAMES = sorted({path.stem for path in FOLDER.glob("*.py")} - SHARED)

Load = Callable[[str], ModuleType]


@pytest.fixture
def load(monkeypatch: pytest.MonkeyPatch) -> Load:
    """Import a script, or what they share, as Python finds it when the script is run."""
    monkeypatch.syspath_prepend(str(FOLDER))
    return importlib.import_module


def needed(script: ModuleType) -> int:
    """How many arguments a script must have, one at least."""
    asked = inspect.signature(script.main).parameters.values()
    return max(1, sum(each.default is each.empty and each.kind is not each.VAR_POSITIONAL for each in asked))


@pytest.mark.parametrize("name", NAMES)
def test_a_wrong_argument_is_reported_in_one_sentence(
    name: str, monkeypatch: pytest.MonkeyPatch, load: Load, tmp_path: Path
) -> None:
    script = load(name)
    call = load("arguments").call
    for wrong in ("no/such/place", str(tmp_path)):
        monkeypatch.setattr(sys, "argv", [f"benchmarks/{name}.py", *[wrong] * needed(script)])
        with pytest.raises(SystemExit) as ended:
            call(script.main)
        told = str(ended.value.code)
        assert told.startswith("error: ") and wrong in told and "\n" not in told, told


@pytest.mark.parametrize("name", NAMES)
def test_a_benchmark_is_in_the_table_as_it_is_called(name: str, load: Load) -> None:
    arguments = load("arguments")
    script = load(name)
    prefix, _, given = arguments.usage(script.main).partition(f"benchmarks/{name}.py")
    assert prefix == "usage: python "
    rows = [[cell.strip() for cell in line.split("|")] for line in (FOLDER / "README.md").read_text().splitlines()]
    assert [row[3] for row in rows if len(row) > 4 and row[1] == f"`{name}.py`"] == [given.strip()]


def test_make_bench_runs_all_that_need_no_questions_of_people(load: Load) -> None:
    arguments = load("arguments")
    makefile = (FOLDER.parent / "Makefile").read_text(encoding="utf-8")
    named = re.findall(r'"(\w+)\.py', makefile)
    wanted = [name for name in NAMES if "HUMAN_JSONL" not in arguments.usage(load(name).main) and name != FITS]
    assert sorted(named) == wanted and len(wanted) >= 9


def test_arguments_are_read_as_the_hints_say(load: Load, monkeypatch: pytest.MonkeyPatch) -> None:
    arguments = load("arguments")

    def main(docs: str, n: int = 3, *sizes: int) -> None:
        raise AssertionError

    monkeypatch.setitem(main.__globals__, "__doc__", "    python benchmarks/main.py DOCS [N] [SIZE …]")
    assert arguments.read(main, ["a", "1", "20", "300"]) == ["a", 1, 20, 300]
    for wrong in (["a", "ten"], ["a", "1", "0"], ["a", "-1"], ["a", "²"]):
        with pytest.raises(ConfigError, match=r"is not a positive integer; usage: python benchmarks/main\.py"):
            arguments.read(main, wrong)
    with pytest.raises(ConfigError, match=r"^wrong number of arguments \(0\); usage: python benchmarks/main"):
        arguments.read(main, [])


def test_a_row_is_found_by_the_cell_of_the_key_alone(load: Load) -> None:
    script = load("answer_key")
    page = Document("a.md", "| Tern | 60 cm | 36 months |", "", "md", "", (), ())
    evidence = ((page.span(9, 14),), (page.span(17, 26),))
    row = {"kind": "look_up", "spans": [{"doc": "a.md", "text": page.text}], "answer": "36 months"}
    depth, life = (Item("q", "?", (cell,), "simple", "look_up", "en", evidence) for cell in ("60 cm", "36 months"))
    assert [script.finds(item, row, [("a.md", 0, len(page.text))]) for item in (depth, life)] == [False, True]
    assert not script.finds(life, row, [("a.md", 0, 5)]), "no evidence there"
