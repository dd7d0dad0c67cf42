"""Valid candidates per 10,000 words of the documents, by question type, for each run.

    python benchmarks/yields.py RUN …

A candidate is valid if no rule rejected it, whether it was chosen or not. At most 1,500 scenarios of a subtype are
used, and 15 more for each requested question, so a large corpus has more than is counted.
"""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

from arguments import call, run_folder

from kgsynth.base.config import DEFAULT_MIX
from kgsynth.base.records import Document
from kgsynth.base.records_json import from_json
from kgsynth.golden.item_json import from_json as item_from_json
from kgsynth.language.words import count_words

TITLES = ("documents", "words", *DEFAULT_MIX, "all")


def main(run: str, *others: str) -> None:
    """Print a row for each run."""
    runs = [run_folder(each) for each in (run, *others)]
    width = max(12, *map(len, TITLES))
    names = max(len(run.name) for run in runs)
    print(" " * names + "".join(f"{title:>{width + 2}}" for title in TITLES))
    for run in runs:
        documents = [from_json(Document)(line) for line in (run / "documents.jsonl").open(encoding="utf-8")]
        words = sum(count_words(document.text) for document in documents)
        valid = by_type(run)
        rates = [10_000 * count / words for count in (*(valid[kind] for kind in DEFAULT_MIX), valid.total())]
        figures = [f"{len(documents):,}", f"{words:,}", *(f"{rate:.1f}" for rate in rates)]
        print(f"{run.name:<{names}}" + "".join(f"{figure:>{width + 2}}" for figure in figures))


def by_type(run: Path) -> Counter[str]:
    """Return the number of valid candidates of each question type."""
    rejected = {json.loads(line)["id"] for line in (run / "rejected.jsonl").open(encoding="utf-8")}
    items = (item_from_json(json.loads(line)) for line in (run / "candidates.jsonl").open(encoding="utf-8"))
    return Counter(item.question_type for item in items if item.id not in rejected)


if __name__ == "__main__":
    call(main)
