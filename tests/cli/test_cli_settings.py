"""kgsynth.toml: what overrides what, paths, the note, and errors that name file and key; --quiet and --json."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner, Result

from kgsynth.base.config import Config
from kgsynth.base.errors import ConfigError
from kgsynth.cli import COMMANDS, main
from kgsynth.cli.command import Command
from kgsynth.cli.llm_options import LLM_OPTIONS, llm_options, llm_settings
from kgsynth.cli.options import JSON_OPTION, PATH
from kgsynth.cli.output import advise, note, result
from kgsynth.cli.settings import settings_path
from kgsynth.models.llm import LLMSettings
from kgsynth.scoring.metrics.criteria import read_thresholds
from kgsynth.scoring.systems.settings import read_system_settings

Run = Callable[..., Result]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Run:
    """Run a planted command, called history, that prints what it receives."""

    @click.command(cls=Command)
    @click.option("--count", type=click.IntRange(1), default=1, help="A number.")
    @click.option("--share", type=float, help="A share.")
    @click.option("--gate", "gates", multiple=True, help="Gates.")
    @click.option("--weights", help="Weights.")
    @click.option("--docs", type=PATH, help="A folder.")
    @click.option("--strict/--no-strict", default=False, help="A switch.")
    @click.option("--embedding-model", help="A model.")
    @llm_options
    @JSON_OPTION
    def command(as_json: bool, **given: Any) -> None:
        """Print what it receives."""
        if given["weights"] == "bad":
            raise ConfigError("--weights 'bad' is not METRIC=WEIGHT")
        settings = llm_settings("tiny", **{name: given.pop(name) for name in LLM_OPTIONS})
        assert settings is not None
        note("a note")
        shown = {**given, "docs": given["docs"] and str(given["docs"]), "llm": [settings.timeout, settings.base_url]}
        result(str(shown), shown | {"calls": settings.max_calls}, as_json)
        advise("some advice")

    monkeypatch.setattr("kgsynth.cli.history.command", command)
    monkeypatch.chdir(tmp_path)
    for name in ("OPENAI_BASE_URL", "KGSYNTH_HISTORY_COUNT"):
        monkeypatch.delenv(name, raising=False)
    return lambda *arguments, **env: CliRunner(env=env).invoke(main, ["history", *arguments])


def write(text: str, path: str = "kgsynth.toml") -> None:
    Path(path).parent.mkdir(exist_ok=True)
    Path(path).write_text(text, encoding="utf-8")


def values(done: Result) -> dict[str, Any]:
    assert done.exit_code == 0, done.output
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def test_an_option_goes_before_the_environment_the_file_and_the_default(run: Run) -> None:
    assert values(run("--json"))["count"] == 1
    write("[history]\ncount = 2\n")
    assert values(run("--json"))["count"] == 2
    assert values(run("--json", KGSYNTH_HISTORY_COUNT="3"))["count"] == 3
    assert values(run("--json", "--count", "4", KGSYNTH_HISTORY_COUNT="3"))["count"] == 4
    assert values(run("--json", KGSYNTH_COMPARE_COUNT="3"))["count"] == 2


def test_every_kind_of_value_can_be_in_the_file(run: Run) -> None:
    write(
        "[history]\nshare = 1\ngate = ['mrr>=0.5', 'em>=0.1']\ndocs = 'docs'\nstrict = true\n"
        "[history.weights]\nmrr = 2\n'recall@5' = 0.5\n[llm]\ntimeout = 9\nmax_calls = 7\n[embedding]\nmodel = 'mine'\n"
        "[score]\ncover = 2\nnot_read = 'by this command'\n"
    )
    found = values(run("--json"))
    assert (found["share"], found["gates"], found["docs"]) == (1.0, ["mrr>=0.5", "em>=0.1"], "docs")
    assert (found["strict"], found["weights"], found["embedding_model"]) == (True, "mrr=2,recall@5=0.5", "mine")
    assert (found["llm"][0], found["calls"]) == (9, 7)
    assert values(run("--json", "--max-calls", "3", "--no-strict"))["calls"] == 3
    write("[history]\ngate = 'em>=1'\n")
    assert values(run("--json"))["gates"] == ["em>=1"]


def test_config_names_another_file_and_its_paths_are_relative_to_its_folder(run: Run) -> None:
    write("[history]\ncount = 2\n")
    write("[history]\ncount = 5\ndocs = 'docs'\n", "other/mine.toml")
    done = run("--json", "--config", "other/mine.toml")
    assert (values(done)["count"], values(done)["docs"]) == (5, "other/docs")
    assert "mine.toml" not in done.stderr, "a file that was named needs no note"
    assert values(run("--json", KGSYNTH_CONFIG="other/mine.toml"))["count"] == 5


def test_a_note_says_which_tables_were_used_and_quiet_prints_only_results(run: Run) -> None:
    write("[score]\ncover = 0.3\n")
    assert "kgsynth.toml" not in run().stderr
    write("[history]\ncount = 2\n[llm]\nretries = 0\n")
    done = run()
    assert done.stderr.splitlines() == ["using [history] [llm] of kgsynth.toml", "a note"]
    assert done.stdout.splitlines()[1:] == ["some advice"]
    for quiet in (run("-q"), run("--quiet"), run(KGSYNTH_QUIET="1")):
        assert (quiet.stderr, len(quiet.stdout.splitlines())) == ("", 1)
    write("[history]\nquiet = true\n")
    assert run().stderr == ""


def test_json_is_one_document_on_stdout_and_everything_else_on_stderr(run: Run) -> None:
    done = run("--json")
    assert json.loads(done.stdout)["count"] == 1
    assert done.stderr.splitlines() == ["a note", "some advice"]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("[history]\ncuont = 3", "unknown setting cuont in [history] of kgsynth.toml; did you mean count?"),
        ("[hsitory]\ncount = 3", "unknown table [hsitory] in kgsynth.toml; did you mean history?"),
        ("history = 3", "history is 3 in kgsynth.toml; write it as a table, [history]"),
        ("[embedding]\nmodle = 'x'", "unknown setting modle in [embedding] of kgsynth.toml; did you mean model?"),
        ("[history]\ncount = 2.5", "count is 2.5 in [history] of kgsynth.toml; it must be an integer"),
        ("[history]\ncount = '2'", "count is '2' in [history] of kgsynth.toml; it must be an integer"),
        ("[history]\ncount = true", "count is True in [history] of kgsynth.toml; it must be an integer"),
        ("[history]\nshare = 'x'", "share is 'x' in [history] of kgsynth.toml; it must be a number"),
        ("[history]\nstrict = 1", "strict is 1 in [history] of kgsynth.toml; it must be true or false"),
        ("[history]\ndocs = 3", "docs is 3 in [history] of kgsynth.toml; it must be a string"),
        ("[history]\ndocs = ['a']", "docs is ['a'] in [history] of kgsynth.toml; it must be one value, not a list"),
        ("[history]\ngate = [true]", "gate is [True] in [history] of kgsynth.toml; it must be a list of values"),
        ("[history]\ncount = {a = 1}", "count is {'a': 1} in [history] of kgsynth.toml; it must not be a table"),
        ("[history]\nconfig = 'x'", "unknown setting config in [history] of kgsynth.toml; "),
        ("[history]\nout = = 3", "--config kgsynth.toml is not valid TOML"),
        ("[history]\ncount = 0", "count in [history] of kgsynth.toml"),
        ("[history]\nweights = 'bad'", "--weights 'bad' is not METRIC=WEIGHT (weights in [history] of kgsynth.toml)"),
        ("[llm]\nretrys = 1", "unknown setting retrys in [llm] of kgsynth.toml; did you mean retries?"),
        ("[llm]\napi_key = 'sk-secret'", "unknown setting api_key in [llm] of kgsynth.toml; "),
        ("[llm]\ntimeout = 0", "timeout is 0 in [llm] of kgsynth.toml; it must be greater than 0"),
    ],
)
def test_a_wrong_file_is_an_error_with_file_and_key(run: Run, text: str, problem: str) -> None:
    write(text)
    done = run()
    assert (done.exit_code, done.stdout) == (2, "")
    assert problem in done.stderr and "sk-secret" not in done.stderr
    assert "Traceback" not in done.stderr
    assert run("--help").exit_code == 0, "a wrong file does not prevent help"


def test_an_error_about_an_option_does_not_blame_the_file(run: Run) -> None:
    write("[history]\ncount = 2\n")
    assert "kgsynth.toml" not in run("-q", "--weights", "bad").stderr
    assert "kgsynth.toml" not in run("-q", "--count", "0").stderr


def test_the_environment_goes_before_the_server_in_the_file_but_not_before_the_option(run: Run) -> None:
    write("[llm]\nbase_url = 'http://file'\n")
    assert values(run("--json"))["llm"][1] == "http://file"
    assert values(run("--json", OPENAI_BASE_URL="http://env"))["llm"][1] == "http://env"
    write("base_url = 'http://option'\n", "llm.toml")
    given = ("--json", "--llm-config", "llm.toml")
    assert values(run(*given, OPENAI_BASE_URL="http://env"))["llm"][1] == "http://option"


# ---- the real commands -------------------------------------------------------------------------------


def test_generate_takes_its_settings_from_its_table_and_old_files_still_work(tmp_path: Path) -> None:
    new, old = tmp_path / "kgsynth.toml", tmp_path / "old.toml"
    new.write_text(
        "[generate]\nn = 7\nout = 'run'\nllm = 'tiny'\n[generate.mix]\nsimple = 1\n"
        "[generate.thresholds]\ncopied = 0.2\n"
        "[estimate]\nn = 9\n[llm]\nretries = 1\n[embedding]\nmodel = 'm'\n",
        encoding="utf-8",
    )
    old.write_text("n = 7\nllm = 'tiny'\n[mix]\nsimple = 1\n[thresholds]\ncopied = 0.2\n", encoding="utf-8")
    assert Config.load(new) == Config.load(old, embedding_model="m")
    assert Config.load(new, command="estimate").n == 9
    assert Config.load(new, n=3).n == 3
    new.write_text("[generate]\nmxi = 1\nn = 0\n[embedding]\nmodel = 3\n", encoding="utf-8")
    with pytest.raises(ConfigError) as caught:
        Config.load(new)
    assert str(caught.value).splitlines()[1:] == [
        f"  - unknown setting mxi in [generate] of {new}; did you mean mix?",
        f"  - n is 0 in [generate] of {new}; it must be greater than 0",
        f"  - embedding_model is 3 in [embedding] of {new}; it must be a string",
    ]
    new.write_text("n = 3\n[generate]\nn = 4\n", encoding="utf-8")
    with pytest.raises(ConfigError, match=r"n is both in \[generate\] and above the first table of"):
        Config.load(new)


@pytest.mark.parametrize("command", ["generate", "estimate", "graph"])
def test_wrong_settings_of_a_set_name_the_table(command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write(f"[{command}]\nn = 0\n")
    (tmp_path / "docs").mkdir()
    done = CliRunner().invoke(main, [command, "docs", "-o", "out"])
    assert done.exit_code == 2 and f"n is 0 in [{command}] of kgsynth.toml; it must be greater than 0" in done.stderr
    write(f"[{command}]\nchunk_sise = 3\n")
    done = CliRunner().invoke(main, [command, "docs", "-o", "out"])
    assert (
        done.exit_code == 2
        and f"unknown setting chunk_sise in [{command}] of kgsynth.toml; did you mean" in done.stderr
    )
    assert not (tmp_path / "out").exists()


def test_tables_replace_the_other_settings_files(tmp_path: Path) -> None:
    file = tmp_path / "kgsynth.toml"
    file.write_text(
        "[score.rag_config]\ntimeout = 9.0\n[score.thresholds]\nmrr = {warn = 0.9, fail = 0.8}\n[llm]\nretries = 1\n",
        encoding="utf-8",
    )
    assert read_system_settings(file).timeout == 9
    assert [(each.metric, each.warn) for each in read_thresholds(file)] == [("mrr", 0.9)]
    file.write_text("[score.rag_config]\ntimeot = 9.0\n", encoding="utf-8")
    with pytest.raises(ConfigError, match=r"unknown setting timeot in \[score.rag_config\] of .*; did you mean time"):
        read_system_settings(file)


def test_score_is_run_by_its_table_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write("The lamp weighs four kilograms.\n", "docs/a.md")
    span = {"doc": "a.md", "start": 0, "end": 31, "text": "The lamp weighs four kilograms."}
    item = {"id": "q-1", "question": "How heavy is the lamp?", "golden_answers": ["four kilograms"]}
    write(json.dumps(item | {"question_type": "simple", "subtype": "factoid", "evidence": [[span]]}), "golden.jsonl")
    write("def ask(question):\n    return {'answer': 'four kilograms'}\n", "code/rag.py")
    write(
        "[score]\nrag = 'code/rag.py:ask'\ndocs = 'docs'\nmetrics = 'em'\nno_history = true\n"
        "[score.thresholds]\nem = {warn = 1.0, fail = 1.0}\n[score.rag_config]\ntimeout = 3.0\n"
    )
    done = CliRunner().invoke(main, ["score", "golden.jsonl", "--json"])
    assert done.exit_code == 0, done.output
    assert json.loads(done.stdout)["thresholds"][0]["level"] == "passed"
    assert done.stderr.startswith("using [score] of kgsynth.toml\n")
    write("[score]\nrag = 'code/rag.py:nobody'\ndocs = 'docs'\n")
    done = CliRunner().invoke(main, ["score", "golden.jsonl", "-q"])
    assert done.exit_code == 2 and "(rag in [score] of kgsynth.toml)" in done.stderr


def test_the_settings_path_is_none_without_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with click.Context(Command("planted")):
        assert settings_path() is None
    assert LLMSettings().base_url == "" and "history" in COMMANDS
