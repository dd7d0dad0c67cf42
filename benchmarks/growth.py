"""How time and memory grow with the corpus: kgsynth generate on more and more files of a folder.

    python benchmarks/growth.py [DOCS] [SIZE …]

Each size is a complete run over the first files by path. ``per 1,000`` is seconds per 1,000 chunks, constant if growth
is linear; ``CPU`` is the same in CPU seconds of all processes. ``rest`` is the share of linking, walking, writing,
filtering and choosing, which is the run without reading, parsing and embedding. Memory is the peak of the largest
process. The sizes are 25 and 50 for a folder of fewer than 700 files.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from arguments import call

from kgsynth.base.errors import InputError
from kgsynth.documents import READERS

MODELS = ("parsing", "embedding", "embedding questions")
REST = ("linking", "walking", "writing", "filtering", "choosing")


def main(docs: str = "corpora/handbook", *sizes: int) -> None:
    """Print a row for each size."""
    files = sorted(path for path in Path(docs).rglob("*") if path.suffix.lower() in READERS)
    if not files:
        raise InputError(f"{docs} has no file that can be read; give a folder of documents")
    wanted = list(sizes) or ([100, 200, 400, 700] if len(files) >= 700 else [25, 50])
    stages = (*MODELS, *REST)
    titles = ("files", "chunks", "seconds", "per 1,000", "CPU", "memory", "rest", *stages)
    print("  ".join(f"{title:>9}" for title in titles))
    for size in wanted:
        with tempfile.TemporaryDirectory() as folder:
            copy(files[:size], Path(docs), Path(folder) / "docs")
            whole, cpu, megabytes = timed(Path(folder))
            took = json.loads((Path(folder) / "run" / "manifest.json").read_text(encoding="utf-8"))["timings_s"]
            chunks = sum(1 for _ in (Path(folder) / "run" / "chunks.jsonl").open(encoding="utf-8"))
        rest = sum(took[stage] for stage in REST)
        figures = [f"{len(files[:size])}", f"{chunks}", f"{whole:.1f}"]
        figures += [f"{1000 * seconds / chunks:.1f}" for seconds in (whole, cpu)]
        figures += [f"{megabytes:.0f} MB", f"{rest / whole:.1%}", *(f"{took[stage]:.1f}" for stage in stages)]
        columns = zip(figures, titles, strict=True)
        print("  ".join(f"{figure:>{max(9, len(title))}}" for figure, title in columns), flush=True)


def copy(files: list[Path], root: Path, to: Path) -> None:
    """Copy files into ``to``, each under the path it has below ``root``."""
    for path in files:
        target = to / path.relative_to(root)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, target)


def timed(folder: Path) -> tuple[float, float, float]:
    """Generate from ``docs`` into ``run`` below ``folder``; return wall and CPU seconds, and the peak in megabytes."""
    command = [sys.executable, "-m", "kgsynth", "generate", str(folder / "docs"), "-o", str(folder / "run"), "-q"]
    begun = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    if status:
        sys.exit(f"{' '.join(command)} ended with status {os.waitstatus_to_exitcode(status)}")
    return time.perf_counter() - begun, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


if __name__ == "__main__":
    call(main)
