"""What each cure against copied words does to the ranking of systems: generate with them switched off, one by one.

    python benchmarks/cures.py DOCS TOOL HUMAN_JSONL [N]

TOOL compares two question sets over DOCS: called with DOCS, a golden set and HUMAN_JSONL it prints, as its last line,
how far they rank retrieval systems alike. Documents are read, parsed and embedded once; the rest is done four times.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from arguments import call

import kgsynth
from kgsynth.base.thresholds import LIMITS
from kgsynth.generation.writing import english

AGAIN = ("candidates.jsonl", "questions.npy", "rejected.jsonl", "golden.jsonl", "manifest.json")
"""What a run with other cures makes anew."""


def off(place: object, name: str, value: object) -> Callable[[], None]:
    """Return what switches one cure off."""
    return lambda: setattr(place, name, value)


CURES: dict[str, Callable[[], None]] = {
    "as generated": lambda: None,
    "evidence ranked low is not held against a question": off(LIMITS, "far_penalty", 0.0),
    "nor copied words": off(LIMITS, "copying_penalty", 0.0),
    "and nothing is put in other words": off(english, "reworded", lambda scenario, knowledge: None),
}
"""The cures in the order in which they are switched off; what is off stays off."""


def main(docs: str, tool: str, human: str, n: int = 300) -> None:
    """Print a row for each: how alike the rankings are, and the words shared with the evidence."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "run"
        for name, switch in CURES.items():
            switch()
            for file in AGAIN:
                (out / file).unlink(missing_ok=True)
            golden = kgsynth.generate(docs, out, config=kgsynth.Config(n=n)).golden
            told = subprocess.run(
                [sys.executable, tool, docs, str(out / "golden.jsonl"), human],
                capture_output=True,
                text=True,
                check=True,
            )
            shared = sum(item.metadata["scores"]["overlap"] for item in golden) / len(golden)
            print(f"{name:<52}{(told.stdout.splitlines() or [''])[-1]}  shared words {shared:.3f}", flush=True)


if __name__ == "__main__":
    call(main)
