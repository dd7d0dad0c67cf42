"""A process as the system: started once, restarted, limited in time, and ended with its children."""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from kgsynth.base.errors import ConfigError, SystemUnreachableError
from kgsynth.base.records import Item, Passage
from kgsynth.cli import main
from kgsynth.golden.dataset import write
from kgsynth.scoring.systems import open_system
from kgsynth.scoring.systems.exec import ExecSystem

SCRIPT = """
import json, os, subprocess, sys, time

with open("starts.txt", "a") as file:
    file.write(f"{os.getpid()}\\n")
for number, line in enumerate(sys.stdin, 1):
    asked = json.loads(line)
    reply = {"id": asked["id"], "answer": asked["question"].upper(), "retrieved": [{"text": f"line {number}"}]}
    said = json.dumps(reply)
    match asked["id"]:
        case "die":
            print("on its last legs", file=sys.stderr)
            sys.exit(3)
        case "die-later" if number > 1:
            os.kill(os.getpid(), 9)
        case "hang":
            child = subprocess.Popen(["sleep", "60"])
            with open("child.txt", "w") as file:
                file.write(str(child.pid))
            time.sleep(60)
        case "odd":
            said = "Loading the model ..."
        case "other":
            said = json.dumps(reply | {"id": "q99"})
        case "sorry":
            said = json.dumps({"id": asked["id"], "error": "no index"})
        case "shape":
            said = json.dumps({"id": asked["id"], "reply": "x"})
    print(said, flush=True)
    if asked["id"] == "once":
        sys.exit(0)
"""


def item(name: str) -> Item:
    return Item(name, f"Who is {name}?", (name,), "simple", "factoid", "en", ())


@pytest.fixture
def opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., ExecSystem]]:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "rag.py").write_text(SCRIPT, encoding="utf-8")
    systems: list[ExecSystem] = []

    def opening(settings: str = "") -> ExecSystem:
        (tmp_path / "rag.toml").write_text(settings, encoding="utf-8")
        system = open_system(f"exec:{sys.executable} rag.py", config=tmp_path / "rag.toml")
        assert isinstance(system, ExecSystem)
        systems.append(system)
        return system

    yield opening
    for system in systems:
        system.close()


Opened = Callable[..., ExecSystem]


def starts() -> list[int]:
    return [int(line) for line in Path("starts.txt").read_text(encoding="utf-8").split()]


def running(pid: int) -> bool:
    """Whether a process runs; one that is dead and not yet reaped does not."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    status = Path(f"/proc/{pid}/stat")
    return not (status.exists() and status.read_text().rpartition(")")[2].split()[0] == "Z")


def ended(pid: int) -> bool:
    until = time.monotonic() + 5
    while running(pid) and time.monotonic() < until:
        time.sleep(0.02)
    return not running(pid)


def test_one_process_serves_all_questions(opened: Opened) -> None:
    system = opened()
    assert not Path("starts.txt").exists(), "it is started for the first question"
    answers = [system.ask(item(name)) for name in "abc"]
    assert [answer.answer for answer in answers] == ["WHO IS A?", "WHO IS B?", "WHO IS C?"]
    assert [answer.retrieved for answer in answers] == [(Passage(text=f"line {n}"),) for n in (1, 2, 3)]
    assert all(answer.error is None and answer.latency_s is not None for answer in answers)
    (pid,) = starts()
    system.close()
    assert ended(pid)


@pytest.mark.parametrize(
    ("name", "error", "processes"),
    [
        ("die", "ended: the process ended with exit code 3 before it answered", 3),
        ("odd", "not JSON: its line begins 'Loading the model ...", 2),
        ("other", "wrong shape: it answers 'q99' when asked 'other'", 2),
        ("sorry", "its own error: no index", 1),
        ("shape", "wrong shape: it returned an object with the keys id, reply without answer or retrieved", 2),
    ],
)
def test_a_failure_is_reported_and_the_next_question_is_answered(
    opened: Opened, name: str, error: str, processes: int
) -> None:
    system = opened()
    assert system.ask(item("a")).error is None
    found = system.ask(item(name)).error
    assert found is not None and found.startswith(error)
    assert system.ask(item("b")).answer == "WHO IS B?"
    assert len(starts()) == processes  # "die" is tried twice


def test_a_question_on_which_the_process_died_is_repeated(opened: Opened) -> None:
    system = opened()
    names = ["a", "die-later", "once", "b"]  # the second dies by signal 9 unless it is the first of its process
    assert [system.ask(item(name)).answer for name in names] == [f"WHO IS {name.upper()}?" for name in names]
    assert len(starts()) == 3
    assert system.notes == (
        "the process ended 2 times and each time was started again, first at the question die-later: the process ended "
        "by signal 9 before it answered",
    )


def test_a_late_process_is_ended_with_its_children(opened: Opened) -> None:
    system = opened("timeout = 1.5")
    begun = time.monotonic()
    assert system.ask(item("hang")).error == "timeout: no answer in 1.5 s; the process was ended"
    assert time.monotonic() - begun < 10
    assert ended(starts()[0]) and ended(int(Path("child.txt").read_text()))
    assert system.ask(item("a")).error is None


def test_reply_settings_apply(opened: Opened) -> None:
    assert opened('[reply]\nanswer = "retrieved[0].text"').ask(item("a")).answer == "line 1"
    with pytest.raises(ConfigError, match=r"unknown setting at_once in .*; known are timeout, max_reply_mb, reply"):
        opened("at_once = 3")


def test_the_signature_changes_with_the_script(opened: Opened, tmp_path: Path) -> None:
    first = opened()
    (tmp_path / "rag.py").write_text(SCRIPT + "# changed\n", encoding="utf-8")
    assert opened().signature != first.signature
    assert opened().name == f"exec:{sys.executable} rag.py"


def test_a_command_that_cannot_be_started_is_an_error() -> None:
    with pytest.raises(SystemUnreachableError, match="there is no program no-such-program-of-kgsynth"):
        open_system("exec:no-such-program-of-kgsynth --fast")
    with pytest.raises(ConfigError, match="check its quotes"):
        open_system("exec:python 'rag.py")
    with pytest.raises(ConfigError, match="has no command"):
        open_system("exec:")


def test_a_run_continues_when_the_process_dies(
    opened: Opened, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    opened()
    items = [item(name) for name in ("a", "die", "b", "die-later", "c")]
    write(items, tmp_path / "golden.jsonl")
    command = ["score", "golden.jsonl", "--rag", f"exec:{sys.executable} rag.py", "-o", "out"]
    result = CliRunner().invoke(main, [*command, "--fail-on-error", "0"])
    assert result.exit_code == 4, result.output
    assert "note: 1 of 5 questions failed: ended 1" in result.stdout
    lines = [json.loads(line) for line in Path("out/answers.jsonl").read_text(encoding="utf-8").splitlines()]
    assert [line["id"] for line in lines if line["error"]] == ["die"]
    assert "on its last legs" in capfd.readouterr().err, "its stderr is passed through"
    assert all(ended(pid) for pid in starts())
    asked = len(starts())
    assert CliRunner().invoke(main, command).exit_code == 0
    assert len(starts()) == asked, "nothing is asked again, so no process is started"


# ---- a process that never answers --------------------------------------------------------------------


def run_all(command: str, tmp_path: Path) -> Result:
    write([item(f"q{number}") for number in range(30)], tmp_path / "golden.jsonl")
    return CliRunner().invoke(main, ["score", "golden.jsonl", "--rag", f"exec:{command}", "-o", "out"])


def test_a_command_that_is_not_found_in_a_shell_stops_the_run_at_once(opened: Opened, tmp_path: Path) -> None:
    result = run_all("sh -c 'echo >> starts.txt; no-such-program-of-kgsynth'", tmp_path)
    assert result.exit_code == 4
    assert "ended with exit code 127 before it answered the first question: correct the command" in result.stderr
    assert len(Path("starts.txt").read_text().splitlines()) == 1


def test_a_program_that_cannot_be_started_stops_the_run_at_once(opened: Opened, tmp_path: Path) -> None:
    (tmp_path / "rag.sh").write_text("#!/no/such/interpreter\n", encoding="utf-8")
    (tmp_path / "rag.sh").chmod(0o755)
    result = run_all("./rag.sh", tmp_path)
    assert (result.exit_code, "exec:./rag.sh cannot be started" in result.stderr) == (4, True), result.stderr


def test_a_process_that_ends_on_the_first_two_questions_stops_the_run(opened: Opened, tmp_path: Path) -> None:
    result = run_all("sh -c 'echo >> starts.txt; exit 1'", tmp_path)
    assert result.exit_code == 4
    assert "ended with exit code 1 before it answered any of the first 2 questions" in result.stderr
    assert len(Path("starts.txt").read_text().splitlines()) == 2
