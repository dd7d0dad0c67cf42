"""What a process and its children use while they answer, for a process that uses known amounts."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from kgsynth.base.records import Answer, Item
from kgsynth.cli import main
from kgsynth.golden.dataset import write
from kgsynth.scoring.systems import open_system
from kgsynth.scoring.systems.ask_all import ask_all
from kgsynth.scoring.systems.exec import Meter
from kgsynth.scoring.systems.reply_reader import from_json, to_json

BURN = """
import time

def burn(seconds):
    until = time.process_time() + seconds
    while time.process_time() < until:
        pass
"""
CHILD = BURN + "held = b'x' * 60_000_000\nburn(0.3)\n"
SCRIPT = (
    BURN
    + """
import json, subprocess, sys

for line in sys.stdin:
    asked = json.loads(line)["id"]
    if asked == "works":
        held = b"x" * 90_000_000
        burn(0.2)
        subprocess.run([sys.executable, "child.py"], check=True)
        held = None
    if asked == "fails":
        print(json.dumps({"error": "no index"}), flush=True)
    else:
        print(json.dumps({"answer": asked}), flush=True)
"""
)
ITEMS = [Item(name, f"Who {name}?", (name,), "simple", "factoid", "en", ()) for name in ("works", "idles", "fails")]


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "rag.py").write_text(SCRIPT, encoding="utf-8")
    (tmp_path / "child.py").write_text(CHILD, encoding="utf-8")
    write(ITEMS, tmp_path / "golden.jsonl")
    return tmp_path


def saved_answers(folder: Path) -> dict[str, dict[str, object]]:
    lines = (folder / "answers.jsonl").read_text(encoding="utf-8").splitlines()
    return {line["id"]: line for line in map(json.loads, lines)}


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere the time of ended children is not known")
def test_time_and_memory_of_a_process_and_its_child_are_measured_per_answer(here: Path) -> None:
    command = [
        "score",
        "golden.jsonl",
        "--rag",
        f"exec:{sys.executable} rag.py",
        "-o",
        "out",
        "--gate",
        "cpu_seconds<2",
    ]
    first = CliRunner().invoke(main, command)
    assert first.exit_code == 0, first.output
    lines = saved_answers(here / "out")
    works, idles = lines["works"], lines["idles"]
    # 0.2 s of its own and 0.3 s of the child's, less two ticks of the clock; above that two interpreters start
    assert 0.48 <= float(str(works["cpu_s"])) < 2.5
    # 90 MB of its own and 60 MB of the child's at the same time; above that two interpreters
    assert 150 <= float(str(works["memory_mb"])) < 300
    assert float(str(idles["memory_mb"])) < 90, "memory released before does not count for this answer"
    assert not {"cpu_s", "memory_mb"} & set(lines["fails"]), "a failure has no measurements"

    resources = json.loads((here / "out/scores.json").read_text(encoding="utf-8"))["resources"]
    mean = (float(str(works["cpu_s"])) + float(str(idles["cpu_s"]))) / 2
    assert resources["cpu_seconds"] == {"value": pytest.approx(mean, abs=1e-6), "n_scored": 2, "n_total": 3}
    assert resources["peak_memory_mb"]["value"] == works["memory_mb"]
    page = (here / "out/report.html").read_text(encoding="utf-8")
    assert "cpu_seconds" in page and "peak_memory_mb" in page, "the report has what the screen leaves out"

    before = {path.name: path.read_bytes() for path in (here / "out").iterdir() if path.is_file()}
    (here / "child.py").unlink()  # nothing is asked again, or it would fail
    again = CliRunner().invoke(main, command)
    shown = again.stdout.splitlines(keepends=True)
    (reused,) = [line for line in shown if line.startswith("note: 3 answers reused from the run in out (answers.jsonl")]
    assert (again.exit_code, "".join(line for line in shown if line != reused)) == (0, first.stdout)
    assert {path.name: path.read_bytes() for path in (here / "out").iterdir() if path.is_file()} == before


def test_a_resumed_run_keeps_earlier_measurements(here: Path) -> None:
    """The second of two runs in one folder asks one question, and reports the measurements of both."""
    system = open_system(f"exec:{sys.executable} rag.py")
    first = ask_all(ITEMS[:1], system, "golden", here / "out")
    both = ask_all(ITEMS[:2], system, "golden", here / "out")
    system.close()
    assert both["works"] == first["works"] and first["works"].memory_mb is not None
    assert both["idles"].memory_mb is not None and both["idles"].memory_mb < first["works"].memory_mb


def test_only_a_measured_answer_has_measurements_in_its_record() -> None:
    measured = Answer("q", "Ada", (), 0.5, cpu_s=0.25, memory_mb=41.5)
    assert to_json(measured)["cpu_s"] == 0.25
    assert from_json(to_json(measured)) == measured
    assert "cpu_s" not in to_json(Answer("q", "Ada", (), 0.5))


def test_an_ended_process_has_no_measurements() -> None:
    done = subprocess.Popen([sys.executable, "-c", ""])
    done.wait()
    with Meter(done.pid) as meter:
        pass
    assert (meter.cpu_s, meter.memory_mb) == (None, None)


def test_a_peak_between_question_and_answer_is_seen() -> None:
    with Meter(os.getpid()) as flat:
        pass
    with Meter(os.getpid()) as peaked:
        held = b"x" * 150_000_000
        peaked._stop.wait(0.3)  # six samples
        del held
    assert flat.memory_mb is not None and peaked.memory_mb is not None
    assert 140 < peaked.memory_mb - flat.memory_mb < 200
