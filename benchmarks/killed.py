"""Whether a run that is killed again and again writes the same bytes as an uninterrupted one.

    python benchmarks/killed.py [DOCS] [KILLS]

kgsynth generate is killed with SIGKILL five times at random (seeded) moments, resumed each time, and then finished. The
moments are within the first half of the time of the uninterrupted run; if the run finishes before its last kill, all
starts again with moments half as late. Prints the sha256 of golden.jsonl and rejected.jsonl of both runs, and exits
with 1 if they differ. DOCS is the handbook by default.
"""

from __future__ import annotations

import hashlib
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from arguments import call

FILES = ("golden.jsonl", "rejected.jsonl")


def main(docs: str = "corpora/handbook", kills: int = 5) -> None:
    """Do both runs and print a row for each."""
    rng = random.Random(0)
    with tempfile.TemporaryDirectory() as folder:
        whole, killed = Path(folder) / "whole", Path(folder) / "killed"
        begun = time.perf_counter()
        subprocess.run(command(docs, whole), check=True, stdout=subprocess.DEVNULL)
        seconds = time.perf_counter() - begun
        within = seconds / 2
        while (moments := kill_run(docs, killed, within, kills, rng)) is None:
            shutil.rmtree(killed)
            within /= 2
        subprocess.run(command(docs, killed), check=True, stdout=subprocess.DEVNULL)
        sums = {run.name: [sha256(run / file) for file in FILES] for run in (whole, killed)}
    print(f"{docs}: uninterrupted {seconds:.1f} s; killed after {', '.join(f'{after:.1f}' for after in moments)} s")
    print(f"{'':<8}" + "".join(f"{file:>20}" for file in FILES))
    for name, found in sums.items():
        print(f"{name:<8}" + "".join(f"{each[:16]:>20}" for each in found))
    if sums["whole"] != sums["killed"]:
        sys.exit("the two runs differ")
    print("the same bytes")


def command(docs: str, out: Path) -> list[str]:
    """Return the command that generates from ``docs`` into ``out``, or resumes there."""
    return [sys.executable, "-m", "kgsynth", "generate", docs, "-o", str(out), "-n", "60", "-q"]


def kill_run(docs: str, out: Path, within: float, kills: int, rng: random.Random) -> list[float] | None:
    """Kill a run ``kills`` times after random seconds; return these, or None if the run finished before."""
    moments = [rng.uniform(0, within) for _ in range(kills)]
    for after in moments:
        process = subprocess.Popen(command(docs, out), stdout=subprocess.DEVNULL, start_new_session=True)
        try:
            status = process.wait(after)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            continue
        if status:
            sys.exit(f"{' '.join(command(docs, out))} ended with status {status}")
        return None
    return moments


def sha256(path: Path) -> str:
    """Return the hash of a file."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


if __name__ == "__main__":
    call(main)
