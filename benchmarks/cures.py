"""How the measures against copied words change the ranking of systems: generate with them switched off, one by one.

    python benchmarks/cures.py DOCS TOOL HUMAN_JSONL [N]

TOOL is a script that is called with DOCS, a golden set and HUMAN_JSONL; its last line of output says how similarly the
two sets rank retrieval systems. Documents are read, parsed and embedded once; the rest is done three times.
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

WRITTEN_AGAIN = ("candidates.jsonl", "questions.npy", "rejected.jsonl", "golden.jsonl", "manifest.json")
"""The files that are computed again for each row."""


def off(place: object, name: str, value: object) -> Callable[[], None]:
    """Return a function that switches a measure off by setting ``name``, which must exist."""
    getattr(place, name)
    return lambda: setattr(place, name, value)


MEASURES: dict[str, Callable[[], None]] = {
    "as generated": lambda: None,
    "no weight for what a question tells": off(LIMITS, "natural_information", 0.0),
}
"""The measures in the order in which they are switched off; they stay off."""


def main(docs: str, tool: str, human: str, n: int = 300) -> None:
    """Print a row for each: the last line of TOOL, and the words shared with the evidence."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "run"
        for name, switch in MEASURES.items():
            switch()
            for file in WRITTEN_AGAIN:
                (out / file).unlink(missing_ok=True)
            golden = kgsynth.generate(docs, out, config=kgsynth.Config(n=n)).golden
            compared = subprocess.run(
                [sys.executable, tool, docs, str(out / "golden.jsonl"), human],
                capture_output=True,
                text=True,
                check=True,
            )
            shared = sum(item.metadata["scores"]["overlap"] for item in golden) / len(golden)
            print(f"{name:<52}{(compared.stdout.splitlines() or [''])[-1]}  shared words {shared:.3f}", flush=True)


if __name__ == "__main__":
    call(main)
