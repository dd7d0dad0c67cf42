"""Work spread over processes: results in order, errors passed on, and no second run of the caller's script."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from kgsynth.base.errors import KgsynthError
from kgsynth.base.processes import in_processes


def test_one_process_works_lazily() -> None:
    taken = []

    def things() -> object:
        for number in range(3):
            taken.append(number)
            yield number

    results = in_processes(str, things(), 1)  # type: ignore[arg-type]
    assert (next(results), taken) == ("0", [0])


def test_two_processes_keep_the_order_of_the_inputs() -> None:
    assert list(in_processes(abs, range(-40, 0), 2)) == list(range(40, 0, -1))
    assert list(in_processes(abs, [], 2)) == []


def test_an_error_of_the_work_is_raised_in_the_caller() -> None:
    with pytest.raises(ValueError, match="invalid literal"):
        list(in_processes(int, ["1", "x", "3"], 2))


def test_a_killed_worker_is_an_error_in_one_sentence() -> None:
    with pytest.raises(KgsynthError, match=r"because memory ran out; .* --processes 1"):
        list(in_processes(os._exit, [9], 2))


def test_a_script_needs_no_guard_and_is_not_run_twice(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(
        "print('begun')\nfrom kgsynth.base.processes import in_processes\nprint(list(in_processes(abs, [-1, -2], 2)))\n"
    )
    for how in ([str(script)], ["-"]):
        done = subprocess.run(
            [sys.executable, *how], input=script.read_text(), capture_output=True, text=True, check=False
        )
        assert (done.returncode, done.stdout, done.stderr) == (0, "begun\n[1, 2]\n", "")
