"""The files of examples/ci: their commands are those of kgsynth, and the steps of the action run as they stand."""

from __future__ import annotations

import importlib
import json
import os
import re
import shlex
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
import yaml
from pathspec import GitIgnoreSpec

from kgsynth.base.records import Item, Span
from kgsynth.cli import COMMANDS
from kgsynth.golden.dataset import write
from kgsynth.scoring.metrics.criteria import parse_gates

ROOT = Path(__file__).parents[2]
CI = ROOT / "examples" / "ci"
NAMES = ("action.yml", "workflow.yml", "gitlab-ci.yml")


def parsed(name: str) -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load((CI / name).read_text(encoding="utf-8"))
    return found


def steps() -> dict[str, dict[str, Any]]:
    """The steps of the action that bash runs, by name."""
    return {step["name"]: step for step in parsed("action.yml")["runs"]["steps"] if "run" in step}


def scripts() -> Iterator[str]:
    """Everything that a shell runs in one of the files."""
    yield from (step["run"] for step in steps().values())
    yield from (step["run"] for step in parsed("workflow.yml")["jobs"]["score"]["steps"] if "run" in step)
    job = parsed("gitlab-ci.yml")["score"]
    yield from (*job["before_script"], *job["script"])


# ---- what is written ---------------------------------------------------------------------------------


def test_every_command_of_kgsynth_is_one_it_has() -> None:
    commands = [line.strip() for script in scripts() for line in script.splitlines() if line.strip()[:8] == "kgsynth "]
    named = [shlex.split(command) for command in commands]
    assert sorted(name for _, name, *_ in named) == ["audit", "audit", "score", "score"]
    for _, name, *arguments in named:
        command = importlib.import_module(COMMANDS[name][0]).command
        known = [each for each in arguments if each not in ("${options[@]}", "$@")]
        command.make_context(name, known)  # raises for an option that the command does not have
    score = importlib.import_module(COMMANDS["score"][0]).command
    options = {option for script in scripts() for option in re.findall(r"(?:\(|-- )(--[a-z-]+)", script)}
    assert options == {"--gate", "--baseline", "--baseline-metric"}
    assert options <= {name for param in score.params for name in param.opts}


def test_every_script_is_one_that_bash_can_parse() -> None:
    for script in scripts():
        done = subprocess.run(["bash", "-n"], input=script, capture_output=True, text=True, check=False)
        assert done.returncode == 0, f"{script}\n{done.stderr}"


def test_every_input_and_variable_of_the_action_is_declared_and_used() -> None:
    action = parsed("action.yml")
    used = set(re.findall(r"\$\{\{ inputs\.([\w-]+) \}\}", (CI / "action.yml").read_text(encoding="utf-8")))
    assert used == set(action["inputs"])
    for name, step in steps().items():
        variables = set(re.findall(r"\$\{?([A-Z_]+)", step["run"])) - {"GITHUB_STEP_SUMMARY"}
        assert variables | {"PIP_EXTRA_INDEX_URL"} >= set(step["env"]) >= variables, name
        assert "${{" not in step["run"], "an input in a script would be run as code"


def test_the_workflow_gives_the_action_what_it_needs() -> None:
    declared = parsed("action.yml")["inputs"]
    (use,) = [
        step for step in parsed("workflow.yml")["jobs"]["score"]["steps"] if str(step.get("uses", "")).startswith("./")
    ]
    assert set(use["with"]) <= set(declared)
    assert {name for name, each in declared.items() if each.get("required")} <= set(use["with"])
    assert [gate.metric for gate in parse_gates(use["with"]["gates"].split())] == ["pass_rate", "error_rate"]
    out = use["with"]["out"]
    assert any(f"cp -R {out}/run {use['with']['baseline']}" in script for script in scripts())


def test_gitlab_is_shown_the_files_that_the_job_writes() -> None:
    job = parsed("gitlab-ci.yml")["score"]
    out = job["variables"]["OUT"]
    assert job["artifacts"]["reports"]["junit"] == f"{out}/junit.xml" and job["artifacts"]["paths"] == [out]
    assert any('--junit "$OUT/junit.xml"' in line for line in job["script"])


def test_torch_is_installed_first_in_the_version_of_the_constraints() -> None:
    constraints = (ROOT / "constraints.txt").read_text(encoding="utf-8")
    (torch,) = re.findall(r"^torch==\S+$", constraints, re.MULTILINE)
    assert parsed("action.yml")["inputs"]["torch"]["default"] == torch
    first, second = re.findall(r"install --quiet (.+)", steps()["Install kgsynth"]["run"])
    assert (first, second) == ('"$TORCH"', '"$PACKAGE"')
    first, second = parsed("gitlab-ci.yml")["score"]["before_script"]
    assert torch in first and "kgsynth" in second


# ---- what runs -----------------------------------------------------------------------------------------

TEXT = "The Pike sensor weighs 40 grams.\n\nThe Linnet kiln holds ninety plates.\n"
RAG = """
def ask(question):
    grams = 40 + int(question.split()[-2])
    return f"{grams} grams", [f"The Pike sensor weighs {grams} grams."]

def mute(question):
    return "no idea", []
"""


@pytest.fixture
def here(tmp_path: Path) -> Path:
    """A project with a golden set, its documents and a system; kgsynth and python are on the path."""
    (tmp_path / "docs").mkdir()
    items = []
    for at in range(8):
        doc = f"page{at}.md"
        (tmp_path / "docs" / doc).write_text(f"# Page {at}\n\n{TEXT.replace('40', str(40 + at))}", encoding="utf-8")
        whole = (tmp_path / "docs" / doc).read_text(encoding="utf-8")
        start, answer = whole.index("The Pike"), f"{40 + at} grams"
        span = Span(doc, start, start + 32, whole[start : start + 32])
        question = f"How much does the Pike sensor of page {at} weigh?"
        items.append(Item(f"q{at}", question, (answer,), "simple", "factoid", "en", ((span,),)))
    write(items, tmp_path / "golden.jsonl")
    (tmp_path / "rag.py").write_text(RAG, encoding="utf-8")
    bin_ = tmp_path / "bin"
    bin_.mkdir()
    for name, does in {"kgsynth": f'exec {sys.executable} -m kgsynth "$@"', "python": 'echo "$@" >> installed'}.items():
        (bin_ / name).write_text(f"#!/usr/bin/env bash\n{does}\n", encoding="utf-8")
        (bin_ / name).chmod(0o755)
    return tmp_path


def run_step(here: Path, name: str, **inputs: str) -> subprocess.CompletedProcess[str]:
    """Run a step as the host does: its variables with the inputs put in, and bash that ends at the first failure."""
    declared = {key: str(each.get("default", "")) for key, each in parsed("action.yml")["inputs"].items()}
    given = declared | {key.replace("_", "-"): value for key, value in inputs.items()}
    step = steps()[name]
    env = {
        key: re.sub(r"\$\{\{ inputs\.([\w-]+) \}\}", lambda match: given[match[1]], value)
        for key, value in step["env"].items()
    }
    path = f"{here / 'bin'}{os.pathsep}{os.environ['PATH']}"
    offline = {"HF_HUB_OFFLINE": "1", "PYTHONPATH": str(ROOT), "GITHUB_STEP_SUMMARY": str(here / "summary.md")}
    return subprocess.run(
        ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]],
        cwd=here,
        env=os.environ | offline | env | {"PATH": path},
        capture_output=True,
        text=True,
        check=False,
    )


INPUTS = {"golden": "golden.jsonl", "docs": "docs", "rag": "rag.py:ask", "gates": "pass_rate>=0.1\n\nerror_rate<=0\n"}


def test_the_action_installs_torch_and_then_kgsynth(here: Path) -> None:
    assert run_step(here, "Install kgsynth").returncode == 0
    torch, package = (here / "installed").read_text(encoding="utf-8").splitlines()
    assert torch.startswith("-m pip install --quiet torch==") and package == "-m pip install --quiet kgsynth[offline]"


def test_the_action_audits_the_set(here: Path) -> None:
    done = run_step(here, "Audit the golden set", **INPUTS)
    assert done.returncode == 0, done.stdout + done.stderr
    assert (here / "outputs" / "ci" / "audit" / "report.html").is_file()


def test_the_action_scores_compares_with_a_baseline_and_shows_the_scores(here: Path) -> None:
    first = run_step(here, "Score the system", **INPUTS, baseline="baseline")
    assert first.returncode == 0, first.stdout + first.stderr
    assert "no run in baseline yet: only the gates are checked" in first.stdout
    (here / "outputs" / "ci" / "run").rename(here / "baseline")

    inputs = INPUTS | {"rag": "rag.py:mute", "gates": "", "baseline": "baseline", "baseline_metrics": "recall@5\n"}
    second = run_step(here, "Score the system", **inputs)
    assert second.returncode == 1, second.stdout + second.stderr
    assert "gates failed: recall@5 against baseline" in second.stderr
    gates = json.loads((here / "outputs" / "ci" / "run" / "scores.json").read_text(encoding="utf-8"))["gates"]
    assert [(gate["gate"], gate["passed"]) for gate in gates] == [("recall@5 against baseline", False)]
    suite = ElementTree.parse(here / "outputs" / "ci" / "junit.xml").getroot()[0]
    assert suite.get("failures") == "1"

    assert run_step(here, "Show the scores").returncode == 0
    assert "recall@5 against baseline" in (here / "summary.md").read_text(encoding="utf-8")


def test_the_action_says_that_there_are_no_scores(here: Path) -> None:
    assert run_step(here, "Show the scores").returncode == 0
    assert (here / "summary.md").read_text(encoding="utf-8").startswith("kgsynth wrote no scores")


# ---- the image -----------------------------------------------------------------------------------------


def instructions() -> list[list[str]]:
    lines = (CI / "Dockerfile").read_text(encoding="utf-8").splitlines()
    return [line.split(maxsplit=1) for line in lines if line and not line.startswith("#")]


def test_the_image_makes_targets_of_the_makefile() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    variables = dict(re.findall(r"^([A-Z]+) :?= *(\S+)$", makefile, re.MULTILINE))
    expanded = makefile
    while (after := re.sub(r"\$\((\w+)\)", lambda match: variables.get(match[1], match[1]), expanded)) != expanded:
        expanded = after
    targets = {name for line in re.findall(r"^([\w./ -]+):(?!=)", expanded, re.MULTILINE) for name in line.split()}
    (run,) = [text for name, text in instructions() if name == "RUN"]
    (command,) = [json.loads(text) for name, text in instructions() if name == "CMD"]
    (built,) = re.fullmatch(r"make (\S+)", run).groups()  # type: ignore[union-attr]
    assert command == ["make", "demo"] and {built, "demo"} <= targets
    (needs,) = re.findall(r"^demo demo-zh: (\S+)$", expanded, re.MULTILINE)
    assert needs == built, "what the demo needs is in the image"
    recipe = expanded.split(f"\n{built}: ")[1].split("\n\n")[0]
    assert recipe.index('"TORCH"' if '"TORCH"' in recipe else "torch==") < recipe.index("-e '.[all,offline,dev]'")


def test_the_image_has_every_file_that_the_setup_and_the_demo_read() -> None:
    copied = [name for kind, text in instructions() if kind == "COPY" for name in text.split()[:-1]]
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    read = {"Makefile", "pyproject.toml", project["readme"], *project["license-files"], "kgsynth", "corpora"}
    read |= set(re.findall(r"-c (\S+)", makefile.split("READY)")[0]))
    assert read == set(copied) and all((ROOT / name).exists() for name in copied)
    ignored = GitIgnoreSpec.from_lines((CI / "Dockerfile.dockerignore").read_text(encoding="utf-8").splitlines())
    assert not [name for name in copied if ignored.match_file(name)]
    assert ignored.match_file(".venv/bin/python") and ignored.match_file("outputs/demo/golden.jsonl")
