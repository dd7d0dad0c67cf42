"""Time and memory of the command ``kgsynth score``, without a profile and with each.

    python benchmarks/score_speed.py [DOCS] [GOLDEN] [QUESTIONS]

GOLDEN is a golden set over DOCS (default: the example over the handbook). Its items are repeated under new ids until
there are QUESTIONS (1,000). Each row is one command. First bm25 is asked, which gives no answers. Then a file of
answers is scored, each with a hundred passages from bm25; every other answer is right. The memory for half of them
shows what one more question costs.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from dataclasses import replace
from itertools import cycle, islice
from pathlib import Path
from typing import NamedTuple

from arguments import call

from kgsynth.base.records import Item
from kgsynth.golden.dataset import load, write
from kgsynth.scoring.metrics.criteria import PROFILES

PASSAGES = 100


class Cost(NamedTuple):
    """Wall seconds, CPU seconds and peak megabytes of a command."""

    seconds: float
    cpu: float
    megabytes: float


def main(docs: str = "corpora/handbook", golden: str = "tests/handbook.jsonl", questions: int = 1000) -> None:
    """Print a row for each command."""
    items = [
        replace(item, id=f"{item.id}-{number}") for number, item in enumerate(islice(cycle(load(golden)), questions))
    ]
    print(f"{questions} questions over {docs}")
    print(f"{'':40}{'seconds':>10}{'CPU':>10}{'memory':>10}")
    with tempfile.TemporaryDirectory() as folder:
        whole, half = Path(folder) / "whole.jsonl", Path(folder) / "half.jsonl"
        write(items, whole)
        write(items[: questions // 2], half)
        print_row("bm25", score(whole, docs, "--rag", "bm25"))
        print_row("bm25, with -o", score(whole, docs, "--rag", "bm25", "-o", f"{folder}/bm25"))
        score(whole, docs, "--rag", "bm25", "--top", str(PASSAGES), "-o", f"{folder}/top")
        answers = ("--rag", str(answered(items, Path(folder) / "top" / "answers.jsonl")))
        print_row(f"answers file, {questions // 2} of them", before := score(half, docs, *answers))
        print_row("answers file", after := score(whole, docs, *answers))
        for profile in PROFILES:
            print_row(f"answers file, {profile}", score(whole, docs, *answers, "--profile", profile))
    more = 1024 * (after.megabytes - before.megabytes) / (questions - questions // 2)
    print(f"one more question of {PASSAGES} passages: {more:.0f} kB")


def print_row(name: str, cost: Cost) -> None:
    """Print a row."""
    print(f"{name:40}{cost.seconds:8.1f} s{cost.cpu:8.1f} s{cost.megabytes:7.0f} MB", flush=True)


def score(golden: Path, docs: str, *arguments: str) -> Cost:
    """Run the command; missed thresholds (exit code 1) are allowed."""
    command = [sys.executable, "-m", "kgsynth", "score", str(golden), "--docs", docs, *arguments]
    begun = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - begun
    if (code := os.waitstatus_to_exitcode(status)) not in (0, 1):
        raise subprocess.CalledProcessError(code, command)
    return Cost(seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024)


def answered(items: list[Item], retrieved: Path) -> Path:
    """Write the retrieved passages with an answer to each question; every other answer is wrong."""
    path = retrieved.with_name("answered.jsonl")
    with retrieved.open(encoding="utf-8") as lines, path.open("w", encoding="utf-8") as file:
        for number, line in enumerate(lines):
            right = items[number - number % 2].golden_answers
            file.write(json.dumps(json.loads(line) | {"answer": f"It is {' '.join(right[:1])}."}) + "\n")
    return path


if __name__ == "__main__":
    call(main)
