"""The shell around the commands: help, error messages, exit codes and progress."""

from __future__ import annotations

import errno
import io
import os
import subprocess
import sys
import types
from collections.abc import Callable

import click
import pytest
from click.testing import CliRunner, Result

from kgsynth import __version__
from kgsynth.base.errors import ConfigError, GateError, InputError, KgsynthError, SystemUnreachableError
from kgsynth.cli import COMMANDS, main
from kgsynth.cli.output import stage


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Result]:
    """Run a command that raises what it is given."""

    def running(error: BaseException | None = None, *arguments: str) -> Result:
        @click.command()
        @click.option("--size", type=int, help="A size.")
        def command(size: int | None) -> None:
            """Fail as asked."""
            if error is not None:
                raise error

        module = types.ModuleType("planted_command")
        module.command = command  # type: ignore[attr-defined]
        monkeypatch.setitem(sys.modules, "planted_command", module)
        monkeypatch.setitem(COMMANDS, "planted", ("planted_command", "Fail as asked."))
        return CliRunner().invoke(main, ["planted", *arguments])

    return running


@pytest.mark.parametrize(
    ("error", "code", "message"),
    [
        (GateError("recall@5 is 0.71, below 0.8"), 1, "error: recall@5 is 0.71, below 0.8"),
        (ConfigError("n is 0; give 1 or more"), 2, "error: n is 0; give 1 or more"),
        (InputError("docs is empty; give another folder"), 3, "error: docs is empty; give another folder"),
        (SystemUnreachableError("nothing answers"), 4, "error: nothing answers"),
        (KgsynthError("odd"), 3, "error: odd"),
        (KeyboardInterrupt(), 130, "interrupted; run the same command again to resume"),
        (
            OSError(errno.ENOSPC, "No space left on device", "outputs/demo/analysis.part.jsonl"),
            *(3, "error: no space is left to write outputs/demo/analysis.part.jsonl; finished work is kept, "),
        ),
        (
            OSError(errno.EDQUOT, "Disk quota exceeded"),
            3,
            "error: no space is left to write the output; ",
        ),
        (
            PermissionError(errno.EACCES, "Permission denied", "secret.md"),
            3,
            "error: secret.md could not be used (perm",
        ),
        (
            FileNotFoundError(errno.ENOENT, "No such file or directory", "gone.md"),
            3,
            "error: gone.md could not be used (no ",
        ),
    ],
)
def test_an_error_is_one_sentence_and_its_exit_code(
    run: Callable[..., Result], error: BaseException, code: int, message: str
) -> None:
    result = run(error)
    assert result.exit_code == code
    assert result.stderr.startswith(message)
    assert len(result.stderr.splitlines()) == 1
    assert result.stdout == ""


@pytest.mark.parametrize("error", [RuntimeError("a bug"), AssertionError("a bug"), OSError("a bug without a file")])
def test_a_bug_shows_its_traceback_and_asks_for_a_report(run: Callable[..., Result], error: Exception) -> None:
    result = run(error)
    assert result.exit_code == 70
    assert "Traceback" in result.stderr and "a bug" in result.stderr
    assert result.stderr.splitlines()[-1].startswith("this is a bug in kgsynth; please report it")


def test_no_error_is_exit_code_0(run: Callable[..., Result]) -> None:
    assert (run().exit_code, run().output) == (0, "")


def test_wrong_usage_is_exit_code_2(run: Callable[..., Result]) -> None:
    assert "'x' is not a valid integer" in run(None, "--size", "x").stderr
    for arguments in (["--size", "x"], ["--nonsense"], ["surplus"]):
        assert run(None, *arguments).exit_code == 2
    for arguments in (["genrate"], ["--nonsense"]):
        assert CliRunner().invoke(main, arguments).exit_code == 2
    assert "did you mean generate?" in CliRunner().invoke(main, ["genrate"]).stderr
    assert "see kgsynth --help" in CliRunner().invoke(main, ["xyzzy"]).stderr


def test_help_lists_every_command_with_its_line_and_the_exit_codes() -> None:
    for arguments in (["--help"], ["-h"]):
        result = CliRunner().invoke(main, arguments)
        assert result.exit_code == 0
        for name, (_, line) in COMMANDS.items():
            assert f"  {name}" in result.output and line in result.output
        assert "Exit codes: 0 success; 1 a gate or an audit failed" in result.output


@pytest.mark.parametrize("start", [["-m", "kgsynth"], ["-c", "from kgsynth.cli import main; main()"]])
def test_the_version_and_python_dash_m(start: list[str]) -> None:
    done = subprocess.run([sys.executable, *start, "--version"], capture_output=True, text=True, check=True)
    assert done.stdout == f"kgsynth, version {__version__}\n"


def test_a_closed_pipe_is_not_an_error() -> None:
    code = (
        "import click, sys, types\nfrom kgsynth.cli import COMMANDS, main\n"
        "module = sys.modules['planted'] = types.ModuleType('planted')\n"
        "module.command = click.Command('planted', callback=lambda: [click.echo('line') for _ in range(10**5)])\n"
        "COMMANDS['planted'] = ('planted', '')\nmain(['planted'])"
    )
    reader, writer = os.pipe()
    done = subprocess.Popen([sys.executable, "-c", code], stdout=writer, stderr=subprocess.PIPE)
    os.close(writer)
    os.read(reader, 10)
    os.close(reader)
    assert done.communicate()[1] == b""
    assert done.returncode == 141


@pytest.mark.parametrize("name", list(COMMANDS))
def test_every_command_and_every_option_has_help(name: str) -> None:
    command = main.get_command(click.Context(main), name)
    assert command is not None and command.help
    bare = [option.name for option in command.params if isinstance(option, click.Option) and not option.help]
    assert not bare, f"kgsynth {name}: no help for {bare}"
    result = CliRunner().invoke(main, [name, "--help"])
    assert result.exit_code == 0, result.output
    assert f"Usage: main {name}" in result.output or f"{name} [OPTIONS]" in result.output


# ---- progress ----------------------------------------------------------------------------------------


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_without_a_terminal_a_stage_is_one_line_at_its_end(capsys: pytest.CaptureFixture[str]) -> None:
    with stage("reading", 3) as progress:
        progress.update(2)
        assert capsys.readouterr().err == ""
        progress.update()
    printed = capsys.readouterr()
    assert printed.err.startswith("reading: 3 in ") and printed.err.endswith(" s\n") and printed.out == ""
    with stage("reading", 3) as progress:
        progress.update(2)
    assert capsys.readouterr().err.startswith("reading: 2 of 3 in ")


def test_quiet_prints_nothing_and_a_failed_stage_neither(capsys: pytest.CaptureFixture[str]) -> None:
    with stage("reading", 1, quiet=True) as progress:
        progress.update()
    with pytest.raises(InputError), stage("reading", 1):
        raise InputError("x")
    assert capsys.readouterr().err == ""


def test_in_a_terminal_a_stage_is_a_bar_on_stderr(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    with stage("reading", 4) as progress:
        progress.update(4)
    assert progress.count == 4
    assert "reading" in terminal.getvalue() and "4/4" in terminal.getvalue()
    quiet = Terminal()
    monkeypatch.setattr(sys, "stderr", quiet)
    with stage("reading", 4, quiet=True) as progress:
        progress.update(4)
    assert quiet.getvalue() == ""
