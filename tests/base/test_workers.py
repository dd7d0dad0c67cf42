"""Work spread over processes: results in order, errors passed on, and no second run of the caller's script."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from working import compute, end_by, fill_memory, process_of

from kgsynth.base.errors import KgsynthError
from kgsynth.base.processes import WorkLimit, in_processes


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


def limited(seconds: float) -> WorkLimit[float, object]:
    return WorkLimit(lambda _: seconds, 500_000_000, lambda each, reason: (each, reason), lambda each: each < 0)


def test_work_over_its_limit_has_another_result_and_the_rest_is_done() -> None:
    assert list(in_processes(compute, [0.0, 60.0, 0.01, -1.0], 2, limited(2))) == [
        0.0,
        (60.0, "it takes more than 2 s of computing"),
        0.01,
        -1.0,
    ]


def test_time_in_which_a_process_waits_does_not_count() -> None:
    assert list(in_processes(time.sleep, [1.5], 1, limited(1))) == [None]


def test_with_a_limit_a_worker_that_ends_costs_its_input_only_and_says_how_it_ended(
    capfd: pytest.CaptureFixture[str],
) -> None:
    assert list(in_processes(os._exit, [9], 1, limited(5))) == [(9, "its process ended with 9")]  # type: ignore[arg-type]
    found = dict(in_processes(end_by, [signal.SIGKILL, signal.SIGABRT, signal.SIGSEGV, 0], 1, limited(5)))  # type: ignore
    assert found == {
        signal.SIGKILL: "its process was killed, most often because memory ran out",
        signal.SIGABRT: "its reader gave up (SIGABRT), most often because it needs more memory than it may take",
        signal.SIGSEGV: "its reader crashed (SIGSEGV), most often because it is nested too deeply",
        0: "goes on",
    }
    assert capfd.readouterr() == ("", ""), "what a crash prints is for nobody"


@pytest.mark.skipif(sys.platform != "linux", reason="other platforms may not limit memory")
def test_work_that_needs_more_memory_than_its_limit_has_another_result() -> None:
    found = list(in_processes(fill_memory, [1000.0, 100.0, 1000.0], 1, limited(5)))
    assert found == [
        (1000.0, "it needs more than 0.5 GB of memory"),
        100.0,
        (1000.0, "it needs more than 0.5 GB of memory"),
    ]


def test_inputs_are_worked_on_in_the_caller_if_the_limit_says_so_and_nothing_waits() -> None:
    """Work on a hundred inputs of no time; to wait for workers, where there are none, took 0.1 s for every fourth."""
    here, there = in_processes(process_of, [-1.0, 1.0], 1, limited(5))
    assert here == os.getpid() != there
    begun = time.monotonic()
    assert len(list(in_processes(process_of, [-1.0] * 100, 1, limited(5)))) == 100
    assert time.monotonic() - begun < 1
