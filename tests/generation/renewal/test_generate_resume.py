"""A run that was killed, interrupted or out of disk resumes when started again, and ends with the same bytes."""

from __future__ import annotations

import errno
import importlib
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from kgsynth.cli import main

SCRIPT = Path(__file__).parents[2] / "run_generate.py"
RESULTS = ("analysis.jsonl", "graph.json", "candidates.jsonl", "rejected.jsonl", "report.html", "golden.jsonl")
SECONDS = 120

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals and process groups are POSIX's")


def start(docs: Path, out: Path, *options: str) -> subprocess.Popen[str]:
    """Begin the run in a process group of its own, as a shell does."""
    script = [str(SCRIPT)]
    if "--encode-in" in options:
        script, options = [*script, *options[:2]], options[2:]
    command = [sys.executable, *script, str(docs), "-o", str(out), "-n", "12", "--fill", "-q", *options]
    return popen(command, cwd=out.parent, process_group=0)


def popen(command: list[str], **more: Any) -> subprocess.Popen[str]:
    """Start a command that hears Ctrl-C, which what a shell runs in the background does not."""
    hears = partial(signal.signal, signal.SIGINT, signal.SIG_DFL)
    return subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, preexec_fn=hears, **more
    )


def wait_for(process: subprocess.Popen[str], reached: Callable[[], bool]) -> None:
    """Wait until the run has come so far; it must not end before."""
    end = time.monotonic() + SECONDS
    while not reached():
        assert process.poll() is None, f"the run ended too early: {process.communicate()}"
        assert time.monotonic() < end, "the run takes too long"
        time.sleep(0.001)


def lines(path: Path) -> int:
    return path.read_bytes().count(b"\n") if path.exists() else 0


def alive(group: int) -> list[str]:
    """The processes of a group that still run, those already dead but not yet reaped left out."""
    columns = ["-o", "pgid=", "-o", "stat=", "-o", "args="]
    told = subprocess.run(["ps", "-eww", *columns], capture_output=True, text=True, check=True).stdout
    rows = [line.split(maxsplit=2) for line in told.splitlines()]
    return [row[2] for row in rows if row[0] == str(group) and not row[1].startswith("Z")]


def all_die(group: int) -> bool:
    end = time.monotonic() + 20
    while alive(group) and time.monotonic() < end:
        time.sleep(0.05)
    return not alive(group)


def same(out: Path, undisturbed: Path) -> None:
    for name in RESULTS:
        assert (out / name).read_bytes() == (undisturbed / name).read_bytes(), name
    assert not list(out.glob("*.tmp")) and not list(out.glob("*.part*")), "something was left over"


def test_killed_at_five_moments_it_ends_with_the_same_bytes(docs: Path, undisturbed: Path, tmp_path: Path) -> None:
    out = tmp_path / "run"
    moments: list[Callable[[], bool]] = [
        lambda: (out / "documents.jsonl").exists(),
        lambda: lines(out / "analysis.part.jsonl") >= 5,
        lambda: (out / "analysis.jsonl").exists(),
        lambda: (out / "graph.json").exists(),
        lambda: (out / "candidates.jsonl").exists(),
    ]
    parsed = 0
    for moment in moments:
        process = start(docs, out, "--processes", "1")
        wait_for(process, moment)
        process.kill()
        process.communicate()
        assert process.returncode == -signal.SIGKILL
        assert not (out / "golden.jsonl").exists(), "golden.jsonl may appear only when it is whole"
        now = max(lines(out / "analysis.part.jsonl"), lines(out / "analysis.jsonl"))
        assert now >= parsed, "what was parsed was lost"
        parsed = now
    process = start(docs, out)
    told, error = process.communicate(timeout=SECONDS)
    assert (process.returncode, error) == (0, ""), error
    assert told.splitlines()[-2].startswith("read ") and "and wrote 12 questions to " in told
    same(out, undisturbed)


@pytest.mark.parametrize("moment", ["starting workers", "parsing"])
def test_ctrl_c_while_workers_parse(moment: str, docs: Path, undisturbed: Path, tmp_path: Path) -> None:
    out = tmp_path / "run"
    process = start(docs, out, "--processes", "2")
    wait_for(process, lambda: sum("spawn_main" in each for each in alive(process.pid)) >= 2)
    if moment == "parsing":
        wait_for(process, lambda: lines(out / "analysis.part.jsonl") >= 1)
    interrupt(process)
    if moment == "parsing":  # and what two processes write is what one writes
        assert max(lines(out / "analysis.part.jsonl"), lines(out / "analysis.jsonl")) >= 1, "what was parsed was lost"
        told = start(docs, out, "--processes", "2").communicate(timeout=SECONDS)
        assert told[1] == ""
        same(out, undisturbed)


def interrupt(process: subprocess.Popen[str]) -> None:
    """Press Ctrl-C: one line, exit code 130, and no process is left."""
    os.killpg(process.pid, signal.SIGINT)  # a terminal sends it to every process of the group
    told, error = process.communicate(timeout=SECONDS)
    assert (process.returncode, told) == (130, ""), error
    assert error.splitlines() == ["interrupted; run the same command again to resume"]
    assert all_die(process.pid), alive(process.pid)


def test_ctrl_c_while_embedding(docs: Path, undisturbed: Path, tmp_path: Path) -> None:
    out = tmp_path / "run"
    shutil.copytree(undisturbed, out)
    for name in ("embeddings.npy", "questions.npy", "graph.json", "candidates.jsonl", "rejected.jsonl", "golden.jsonl"):
        (out / name).unlink()
    process = start(docs, out, "--encode-in", "60")
    wait_for(process, lambda: (tmp_path / "encoding").exists())
    interrupt(process)
    start(docs, out).communicate(timeout=SECONDS)
    same(out, undisturbed)


@pytest.mark.slow
def test_ctrl_c_while_the_real_model_embeds(docs: Path, tmp_path: Path) -> None:
    outs = [tmp_path / "one", tmp_path / "two"]
    for out in outs:
        command = [sys.executable, "-m", "kgsynth", "generate", str(docs), "-o", str(out), "-n", "12", "--fill", "-q"]
        process = popen(command, process_group=0)
        if out == outs[0]:
            wait_for(process, lambda: (outs[0] / "analysis.jsonl").exists())
            time.sleep(0.5)
            interrupt(process)
            assert not (out / "embeddings.npy").exists()
            process = popen(command)
        assert process.communicate(timeout=SECONDS)[1] == ""
    same(*outs)


def test_workers_do_not_outlive_a_killed_run(docs: Path, tmp_path: Path) -> None:
    process = start(docs, tmp_path / "run", "--processes", "2")
    wait_for(process, lambda: lines(tmp_path / "run" / "analysis.part.jsonl") >= 1)
    process.kill()
    process.communicate()
    assert all_die(process.pid), alive(process.pid)


# ---- in this process ---------------------------------------------------------------------------------


def again(docs: Path, out: Path) -> Result:
    return CliRunner().invoke(
        main, ["generate", str(docs), "-o", str(out), "-n", "12", "--fill", "--processes", "1", "-q"]
    )


@pytest.mark.usefixtures("hashed")
def test_a_full_disk_loses_nothing(docs: Path, undisturbed: Path, tmp_path: Path) -> None:
    out = tmp_path / "run"
    for module, owner, function, good in (
        ("kgsynth.base.run_folder.folder", "Journal", "append", 6),
        ("kgsynth.generation.graph.storage", "", "save", 0),
        ("kgsynth.golden.dataset", "", "write_rejected", 0),
    ):
        place: Any = importlib.import_module(module)
        place = getattr(place, owner) if owner else place
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(place, function, failing(getattr(place, function), good))
            result = again(docs, out)
        assert result.exit_code == 3, result.output
        assert result.stderr.startswith("error: no space is left to write ")
        assert (
            "free some space and run the same command again" in result.stderr and len(result.stderr.splitlines()) == 1
        )
        assert lines(out / "analysis.part.jsonl") in (0, 6), "what was parsed before the disk was full stays"
        assert not (out / "golden.jsonl").exists()
    assert again(docs, out).exit_code == 0
    same(out, undisturbed)


def failing(real: Callable[..., Any], good: int) -> Callable[..., Any]:
    """Return ``real`` as it is on a disk that is full from the call after the ``good`` first on."""
    calls = iter(range(10**6))

    def call(*given: Any, **named: Any) -> Any:
        if next(calls) >= good:
            raise OSError(errno.ENOSPC, "No space left on device")
        return real(*given, **named)

    return call


@pytest.mark.usefixtures("hashed")
def test_a_finished_run_is_not_repeated(
    docs: Path, undisturbed: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "run"
    shutil.copytree(undisturbed, out)
    before = {path.name: (path.read_bytes(), path.stat().st_mtime_ns) for path in out.rglob("*") if path.is_file()}

    def never(*_: object, **__: object) -> None:
        raise AssertionError("this is on file and must not be computed again")

    monkeypatch.setattr(importlib.import_module("kgsynth.documents.chunking"), "chunk", never)
    monkeypatch.setattr(importlib.import_module("kgsynth.generation.corpus"), "parse_document", never)
    monkeypatch.setattr(importlib.import_module("doubles").HashingEncoder, "encode", never)
    result = again(docs, out)
    assert result.exit_code == 0, result.output
    after = {path.name: (path.read_bytes(), path.stat().st_mtime_ns) for path in out.rglob("*") if path.is_file()}
    changed = {name for name in before if before[name] != after[name]}
    assert changed <= {"state.json", ".lock"} and after["state.json"][0] == before["state.json"][0]


@pytest.mark.usefixtures("hashed")
def test_a_moved_threshold_filters_again_without_parsing_or_embedding_chunks(
    docs: Path, undisturbed: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    strict = tmp_path / "strict.toml"
    strict.write_text("[thresholds]\nanswered = 0.9\n", encoding="utf-8")
    moved, new = tmp_path / "moved", tmp_path / "new"
    shutil.copytree(undisturbed, moved)
    command = ["generate", str(docs), "-n", "12", "--fill", "--processes", "1", "-q", "--config", str(strict), "-o"]
    assert CliRunner().invoke(main, [*command, str(new)]).exit_code == 0

    def never(*_: object, **__: object) -> None:
        raise AssertionError("no earlier stage depends on a threshold")

    monkeypatch.setattr(importlib.import_module("kgsynth.documents.chunking"), "chunk", never)
    monkeypatch.setattr(importlib.import_module("kgsynth.generation.corpus"), "parse_document", never)
    monkeypatch.setattr(importlib.import_module("doubles").HashingEncoder, "encode", never)
    result = CliRunner().invoke(main, [*command, str(moved)])
    assert result.exit_code == 0, result.output
    assert "changed since the last run in this folder: thresholds.answered was 0.55 and is now 0.9" in result.stdout
    for name in ("golden.jsonl", "rejected.jsonl"):
        assert (moved / name).read_bytes() == (new / name).read_bytes() != (undisturbed / name).read_bytes(), name
