"""Saved answers: what is asked again, what is reused, and that the scores say so."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from kgsynth.base.records import Item
from kgsynth.base.user_code import import_file
from kgsynth.cli import main
from kgsynth.golden.dataset import write
from kgsynth.scoring.flow import score
from kgsynth.scoring.metrics.scores import Scores
from kgsynth.scoring.systems import open_system

ITEMS = [Item(name, f"What is {name}?", ("five",), "simple", "factoid", "en", ()) for name in "abc"]
WORDS = {5: "five", 1: "one"}


def answers(scores: Scores) -> set[str | None]:
    return {item.actual for item in scores.items}


def asked(system: Callable[[str], object], folder: Path) -> Scores:
    return score(ITEMS, system, out=folder, history=False)


class Retriever:
    def __init__(self, k: object) -> None:
        self.k = k

    def ask(self, _: str) -> str:
        return WORDS[self.k] if isinstance(self.k, int) else "five"

    __call__ = ask


class Client:
    """Something that cannot be compared."""

    __slots__ = ("calls", "stop")

    def __init__(self) -> None:
        self.calls, self.stop = 0, 0


def by_k(k: int, _: str) -> str:
    return WORDS[k]


def closure(k: int) -> Callable[[str], str]:
    def inner() -> str:
        return WORDS[k]

    return lambda _: inner()


# ---- functions of Python -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "make",
    [
        closure,
        lambda k: lambda _, k=k: WORDS[k],
        lambda k: Retriever(k).ask,
        Retriever,
        lambda k: partial(by_k, k),
    ],
    ids=["closure", "default", "bound method", "callable", "partial"],
)
def test_what_holds_values_is_asked_again(make: Callable[[int], Any], tmp_path: Path) -> None:
    assert [answers(asked(make(k), tmp_path)) for k in (5, 1)] == [{"five"}, {"one"}]
    assert asked(make(1), tmp_path).reused == 0, "no file shows what it holds"


def test_a_function_of_a_module_is_asked_again_when_its_file_changes(tmp_path: Path) -> None:
    for body, reused in (("'five'", 0), ("'five'", 3), ("'one'", 0)):
        (tmp_path / "rag_reused.py").write_text(f"def ask(question):\n    return {body}\n", encoding="utf-8")
        found = asked(import_file(tmp_path / "rag_reused.py").ask, tmp_path / "out")
        assert (found.reused, answers(found)) == (reused, {body.strip("'")})


def test_a_function_that_cannot_be_compared_is_asked_again_but_an_unfinished_run_resumes(tmp_path: Path) -> None:
    client = Client()

    def ask(_: str) -> str:
        client.calls += 1
        if client.calls == client.stop:
            raise KeyboardInterrupt
        return "five"

    assert [asked(ask, tmp_path).reused for _ in range(2)] == [0, 0]
    assert client.calls == 6, "a complete run is asked again"
    client.stop = 8
    with pytest.raises(KeyboardInterrupt):
        asked(ask, tmp_path)
    resumed = asked(ask, tmp_path)
    assert (resumed.reused, client.calls) == (1, 10)
    assert "1 answer reused from the unfinished run in " in resumed.notes[-1]
    assert "cannot be checked" in resumed.notes[-1]
    assert asked(ask, tmp_path).reused == 0


def test_a_lambda_is_named_by_its_file_and_line(tmp_path: Path) -> None:
    names = [score(ITEMS, system).system for system in (lambda _: "five", partial(by_k, 5), Retriever(5).ask)]
    line = test_a_lambda_is_named_by_its_file_and_line.__code__.co_firstlineno + 1
    assert names == [f"lambda at test_score_reused.py:{line}", "partial of by_k", "Retriever.ask"]


# ---- the sentence ------------------------------------------------------------------------------------


def test_reused_answers_are_in_the_notes_but_in_no_file(tmp_path: Path) -> None:
    (tmp_path / "rag.py").write_text("def ask(question):\n    return 'five'\n", encoding="utf-8")
    target, out = f"{tmp_path / 'rag.py'}:ask", tmp_path / "out"
    first = score(ITEMS, target, out=out, history=False)
    before = {path.name: path.read_bytes() for path in out.iterdir() if path.is_file()}
    again = score(ITEMS, target, out=out, history=False)
    assert first.reused == 0 and "reused" not in repr(first) and not any("reused" in each for each in first.notes)
    (note,) = set(again.notes) - set(first.notes)
    assert note.startswith(f"3 answers reused from the run in {out} (answers.jsonl of 20")
    assert note.endswith("data, settings, packages and services are not checked: --fresh (fresh=True) asks again")
    assert "same system" not in note and note in repr(again) and note in again._repr_html_()
    texts = {json.dumps(each.to_json(), ensure_ascii=False, indent=1) + "\n" for each in (first, again)}
    assert texts == {(out / "scores.json").read_text(encoding="utf-8")}
    assert {path.name: path.read_bytes() for path in out.iterdir() if path.is_file()} == before


# ---- imports from elsewhere --------------------------------------------------------------------------


@pytest.mark.parametrize("how", ["insert", "PYTHONPATH"])
def test_a_module_from_another_folder_on_the_path_is_compared(
    how: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package, folder = tmp_path / "proj/src/kg_reused_pkg", tmp_path / "proj/eval"
    for each in (package, folder):
        each.mkdir(parents=True)
    (package / "__init__.py").touch()
    (package / "cfg.py").write_text("WORD = 'five'\n", encoding="utf-8")
    code = "from kg_reused_pkg.cfg import WORD\ndef ask(question):\n    return WORD\n"
    path: list[str] = []
    monkeypatch.setattr("sys.path", [*__import__("sys").path, *path])
    if how == "insert":
        head = "import sys, pathlib\nsys.path.insert(0, str(pathlib.Path(__file__).parents[1] / 'src'))\n"
        code = head + code
    else:
        monkeypatch.syspath_prepend(str(package.parent))
    (folder / "rag.py").write_text(code, encoding="utf-8")
    signatures = [open_system(f"{folder / 'rag.py'}:ask").signature for _ in range(2)]
    (package / "cfg.py").write_text("WORD = 'one'\n", encoding="utf-8")
    signatures.append(open_system(f"{folder / 'rag.py'}:ask").signature)
    assert [each == signatures[0] for each in signatures] == [True, True, False]
    if how == "insert":
        target = f"exec:python {folder / 'rag.py'}"
        before = open_system(target).signature
        (package / "cfg.py").write_text("WORD = 'two'\n", encoding="utf-8")
        assert open_system(target).signature != before


# ---- a total failure ---------------------------------------------------------------------------------


def test_a_total_failure_replaces_the_earlier_results(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write(ITEMS, tmp_path / "golden.jsonl")
    command = ["score", "golden.jsonl", "--rag", "rag.py:ask", "-o", "out", "--junit", "ci/junit.xml", "-q"]

    def run(body: str) -> int:
        Path("rag.py").write_text(f"def ask(question):\n    {body}\n", encoding="utf-8")
        return CliRunner().invoke(main, command).exit_code

    good = "return 'five'"
    for broken in ("raise OSError('down')", "return ("):
        assert run(good) == 0
        assert run("return 'five!'") == 0
        CliRunner().invoke(main, ["score", "golden.jsonl", "--rag", "rag.py:ask", "-o", "other", "-q"])
        assert run(broken) == 4
        junit = Path("ci/junit.xml").read_text(encoding="utf-8")
        assert 'errors="1"' in junit and "rag.py" in junit
        assert not {"items.jsonl", "scores.md", "report.html"} & {path.name for path in Path("out").iterdir()}
        compared = CliRunner().invoke(main, ["compare", "out", "other"])
        assert compared.exit_code == 3
        assert "the last run of score in out failed, so it has no scores: " in compared.stderr
    assert run(good) == 0
    assert CliRunner().invoke(main, ["compare", "out", "other", "-q"]).exit_code == 0


def test_a_failure_leaves_a_folder_without_results_as_it_is(tmp_path: Path) -> None:
    with pytest.raises(Exception, match="failed on all 3 questions"):
        asked(lambda _: 1 / 0, tmp_path)
    assert not (tmp_path / "scores.json").exists()
