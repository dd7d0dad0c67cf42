"""The public API as a user types it: few names, loaded when used, and callable whatever was imported before."""

from __future__ import annotations

import inspect
import pkgutil
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

import kgsynth
from kgsynth.cli import main

TEXT = "# Teams\n\nAda Low leads the Borealis team in Leeds. The Borealis team builds the Pike sensor.\n"


def python(code: str) -> str:
    done = subprocess.run([sys.executable, "-Werror", "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, ""), done.stderr
    return done.stdout


def test_at_most_fifteen_names_each_of_them_there_and_documented() -> None:
    assert len(kgsynth.__all__) <= 15
    assert kgsynth.__all__ == sorted(kgsynth.__all__)
    assert set(kgsynth.__all__) <= set(dir(kgsynth))
    for name in kgsynth.__all__:
        found = getattr(kgsynth, name)
        assert inspect.isclass(found) or inspect.isfunction(found), f"kgsynth.{name} is {found!r}"
        assert inspect.getdoc(found), f"kgsynth.{name} has no docstring"


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="module 'kgsynth' has no attribute 'generat'"):
        kgsynth.generat  # type: ignore[attr-defined]  # noqa: B018
    assert not hasattr(kgsynth, "__wrapped__")


def test_importing_it_loads_nothing_of_its_own() -> None:
    loaded = python("import sys, kgsynth; print(*(name for name in sys.modules if name.startswith('kgsynth')))")
    assert loaded.split() == ["kgsynth"]


def test_the_client_of_language_models_is_loaded_only_to_call_one() -> None:
    """It takes two thirds of a second; checking a set and renewing one import the modules that could call a model."""
    code = "import sys, kgsynth.auditing.checks, kgsynth.models.llm.client; print('openai' in sys.modules)"
    assert python(code).strip() == "False"


def test_verbs_are_functions_and_nouns_are_packages() -> None:
    """No package bears the name of a function, so importing one never hides the other."""
    functions = [name for name in kgsynth.__all__ if inspect.isfunction(getattr(kgsynth, name))]
    assert {"audit", "generate", "load", "score"} <= set(functions)
    packages = {each.name for each in pkgutil.iter_modules(kgsynth.__path__)}
    assert {"auditing", "generation", "scoring"} <= packages
    assert not packages & set(kgsynth.__all__)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "teams.md").write_text(TEXT, encoding="utf-8")
    return tmp_path


def test_load_audit_and_score_a_set_made_by_hand(folder: Path) -> None:
    start = TEXT.index("Ada Low leads")
    span = kgsynth.Span("teams.md", start, start + 42, TEXT[start : start + 42])
    item = kgsynth.Item("h-1", "Who leads the Borealis team?", ("Ada Low",), "simple", "", "en", ((span,),))
    golden = kgsynth.Dataset([item])
    golden.save(folder / "golden.jsonl")
    assert kgsynth.load(folder / "golden.jsonl").questions == kgsynth.load(folder).questions == [item.question]

    for documents in (folder / "docs", str(folder / "docs")):
        for made in (golden, folder / "golden.jsonl", str(folder / "golden.jsonl")):
            report = kgsynth.audit(made, documents)
            assert isinstance(report, kgsynth.AuditReport) and report.at_least("error") == ()
    wrong = kgsynth.Span("teams.md", 0, 5, "Teams")
    moved = kgsynth.Dataset([kgsynth.Item("h-1", item.question, ("Ada Low",), "simple", "", "en", ((wrong,),))])
    assert {finding.code for finding in kgsynth.audit(moved, folder / "docs").at_least("error")} >= {"unsettled"}

    scores = kgsynth.score(golden, "bm25", docs=folder / "docs")
    assert isinstance(scores, kgsynth.Scores) and scores.metrics["recall@1"].value == 1.0

    class Mine:
        name = signature = "mine"

        def ask(self, item: kgsynth.Item) -> kgsynth.Answer:
            return kgsynth.Answer(item.id, "Ada Low", (kgsynth.Passage("teams.md", 0, len(TEXT)),))

        def close(self) -> None: ...

    assert kgsynth.score(golden, Mine(), docs=folder / "docs").metrics["em"].value == 1.0


def test_errors_have_one_base(folder: Path) -> None:
    for call in (
        lambda: kgsynth.load(folder / "none.jsonl"),
        lambda: kgsynth.generate(folder / "none", folder / "out"),
        lambda: kgsynth.audit(kgsynth.Dataset([]), folder / "none"),
        lambda: kgsynth.score(folder / "none.jsonl", "bm25"),
        lambda: kgsynth.Config(n=0),
    ):
        with pytest.raises(kgsynth.KgsynthError):
            call()
    assert not (folder / "out").exists()


@pytest.mark.usefixtures("hashed")
def test_generate_takes_paths_and_text(folder: Path) -> None:
    config = kgsynth.Config(n=2, fill=True, processes=1)
    first = kgsynth.generate(folder / "docs", folder / "one", config=config)
    second = kgsynth.generate(str(folder / "docs"), str(folder / "two"), config=config)
    assert isinstance(first, kgsynth.Generated) and len(first.golden) > 0
    assert (folder / "one" / "golden.jsonl").read_bytes() == (folder / "two" / "golden.jsonl").read_bytes()
    assert kgsynth.load(folder / "one").questions == first.golden.questions == second.golden.questions
    report = kgsynth.audit(first.golden, folder / "docs")
    assert report.at_least("error") == ()
    for golden in (folder / "one", folder / "one" / "golden.jsonl"):
        shown = CliRunner().invoke(main, ["audit", str(golden), "-q"])
        assert shown.stdout == f"{report.to_text(short=True)}\n", (
            "the documents and the mix are those of the run everywhere"
        )


def test_a_wrong_name_is_an_error_with_the_nearest_right_one(folder: Path) -> None:
    for call, message in (
        (lambda: kgsynth.Config(num=3), "unknown setting num; did you mean n?"),  # type: ignore[call-arg]
        (lambda: kgsynth.Config(3), "Config takes settings by name, such as Config(n=60), not 3"),  # type: ignore[misc]
        (lambda: kgsynth.score([], "bm25", doc="x"), "score() has no argument doc; did you mean docs?"),  # type: ignore[call-arg]
        (lambda: kgsynth.audit([], doc="x"), "audit() has no argument doc; did you mean docs?"),  # type: ignore[call-arg]
        (lambda: kgsynth.generate("docs", "out", n=3), "generate() has no argument n; give it as config=Config(n=…)"),  # type: ignore[call-arg]
        (lambda: kgsynth.generate("docs", "out", mode="x"), "generate() has no argument mode; known are docs, out, "),  # type: ignore[call-arg]
    ):
        with pytest.raises(kgsynth.KgsynthError) as caught:
            call()
        assert str(caught.value).startswith(message) and isinstance(caught.value, TypeError)
    item = kgsynth.Item("h-1", "Who leads?", ("Ada",), "simple", "", "en", ())
    scores = kgsynth.score([item], lambda question: "Ada")
    with pytest.raises(KeyError) as missing:
        scores.metrics["recal@5"]
    assert isinstance(missing.value, kgsynth.KgsynthError)
    assert str(missing.value) == "no metric recal@5; did you mean recall@5?"
    assert "recal@5" not in scores.metrics and scores.metrics.get("recal@5") is None
    with pytest.raises(KeyError, match=r"no metric latency_p93; did you mean latency_p9"):
        scores.resources["latency_p93"]
