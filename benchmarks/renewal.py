"""What renewing a set costs, and what it keeps, after some pages of a folder were edited.

    python benchmarks/renewal.py [DOCS] [N] [RUN] [CPU]

In a copy of DOCS 1 % and then 10 % of the pages are edited: words changed, a section moved, the file renamed or
deleted, or a new page written. At least half of these pages have evidence of the set. After each, ``generate`` goes on
from the run over DOCS; RUN is such a run that is there already, and CPU the CPU seconds that it took. The last rows are
ten rounds of 5 % in a row, each renewed, and one fresh run over what they end with.

``of fresh`` are the seconds relative to a fresh run, ``CPU`` the CPU seconds of all processes; ``untouched`` is the
share of the items without evidence on an edited page that kept their id, ``moved`` those with evidence elsewhere,
``wrong`` those of whose spans one has another text than before, ``errors`` what the audit finds.
"""

from __future__ import annotations

import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from arguments import call

from kgsynth import audit
from kgsynth.base.errors import InputError
from kgsynth.base.records import Item, Span
from kgsynth.documents import read_documents
from kgsynth.golden.dataset import Dataset, load

TITLES = (
    "run", "pages edited", "seconds", "of fresh", "CPU", "CPU of fresh", "items", "kept", "untouched", "moved",
    "wrong", "left", "errors", "mean keep",
)  # fmt: skip
ROUNDS, ROUND_SHARE = 10, 0.05


def main(docs: str = "corpora/handbook", n: int = 100, run: str = "", cpu: int = 0) -> None:
    """Print a row for each run."""
    editable(Path(docs))
    with tempfile.TemporaryDirectory() as temporary:
        os.environ.setdefault("KGSYNTH_CACHE", str(Path(temporary) / "cache"))
        print("  ".join(f"{title:>12}" for title in TITLES), flush=True)
        base = Path(temporary) / "base"
        shutil.copytree(docs, base / "docs")
        if run:
            shutil.copytree(run, base / "run")
            fresh = times_of(base / "run"), float(cpu)
        else:
            fresh = generate(base, n)
        row("fresh", [], fresh, fresh, base, None)
        for share in (0.01, 0.1):
            place = copied(base, Path(temporary) / f"share-{share}")
            before = load(place / "run")
            edited = edit(place / "docs", share, random.Random(19), before)
            row(f"{share:.0%} of pages", edited, generate(place, n), fresh, place, before)
        place, before, edited = copied(base, Path(temporary) / "rounds"), load(base / "run"), []
        total = (0.0, 0.0)
        for number in range(ROUNDS):
            edited += edit(place / "docs", ROUND_SHARE, random.Random(100 + number), load(place / "run"))
            seconds, cpu = generate(place, n)
            total = (total[0] + seconds, total[1] + cpu)
        row(f"{ROUNDS} rounds", edited, total, fresh, place, before)
        shutil.rmtree(place / "run")
        row("fresh then", edited, generate(place, n), fresh, place, before)


def row(
    name: str,
    edited: list[str],
    took: tuple[float, float],
    fresh: tuple[float, float],
    place: Path,
    before: Dataset | None,
) -> None:
    """Print the figures of one run in ``place``; ``before`` is the set that it went on from."""
    now = load(place / "run")
    documents = read_documents(place / "docs")
    texts = {document.id: document.text for document in documents}
    old = before or now
    untouched = [item for item in old if not pages(item) & set(edited)]
    kept = [item for item in now if item.id in old]
    moved = [item for item in kept if item.evidence != old[item.id].evidence]
    wrong = [item for item in kept if not same_text(item, old[item.id], texts)]
    keeps = [item.metadata["scores"]["keep"] for item in now if "keep" in item.metadata["scores"]]
    errors = len(audit(now, documents, quick=True).at_least("error"))
    share = f"{sum(item.id in now for item in untouched) / max(len(untouched), 1):.1%}"
    figures = [
        name, len(edited), f"{took[0]:.0f}", f"{took[0] / fresh[0]:.1%}", f"{took[1]:.0f}",
        f"{took[1] / fresh[1]:.1%}" if fresh[1] else "–",
        len(now), len(kept), share, len(moved), len(wrong), sum(item.id not in now for item in old), errors,
        f"{sum(keeps) / max(len(keeps), 1):.3f}",
    ]  # fmt: skip
    print("  ".join(f"{figure:>12}" for figure in figures), flush=True)


def pages(item: Item) -> set[str]:
    """Return the documents of the evidence of an item, or of what an unanswerable question was made from."""
    groups = item.evidence or (item.hard_negatives,)
    return {span.doc for group in groups for span in group}


def same_text(item: Item, old: Item, texts: dict[str, str]) -> bool:
    """Check whether each span has its text at its place, and a text that the item had before, white space aside."""

    def folded(span: Span) -> str:
        return "".join(span.text.split())

    known = {folded(span) for group in old.evidence for span in group}
    spans = [span for group in item.evidence for span in group]
    return all(texts[span.doc][span.start : span.end] == span.text and folded(span) in known for span in spans)


def copied(base: Path, to: Path) -> Path:
    """Copy documents and run, and return where they are."""
    shutil.copytree(base, to)
    return to


def generate(place: Path, n: int) -> tuple[float, float]:
    """Generate from ``docs`` into ``run`` below ``place``; return wall and CPU seconds."""
    command = [sys.executable, "-m", "kgsynth", "generate", str(place / "docs"), "-o", str(place / "run"), "-q"]
    begun = time.perf_counter()
    process = subprocess.Popen([*command, "-n", str(n)], stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    if status:
        sys.exit(f"{' '.join(command)} ended with status {os.waitstatus_to_exitcode(status)}")
    return time.perf_counter() - begun, usage.ru_utime + usage.ru_stime


def times_of(run: Path) -> float:
    """Return the seconds that the stages of a finished run took."""
    return float(sum(json.loads((run / "manifest.json").read_text(encoding="utf-8"))["timings_s"].values()))


# ---- edits -----------------------------------------------------------------------------------------


def edit(docs: Path, share: float, rng: random.Random, golden: Dataset) -> list[str]:
    """Edit a share of the pages of a folder, at least one; return the names of pages that are not as before.

    At least half of them have evidence of the set, as far as there are so many.
    """
    files = editable(docs)
    count = max(1, round(share * len(files)))
    asked = set().union(*map(pages, golden))
    with_evidence = [path for path in files if path.relative_to(docs).as_posix() in asked]
    chosen = rng.sample(with_evidence, min((count + 1) // 2, len(with_evidence)))
    chosen += rng.sample([path for path in files if path not in chosen], count - len(chosen))
    first = rng.randrange(len(EDITS))
    for number, path in enumerate(chosen):
        EDITS[(first + number) % len(EDITS)](path, files, rng)
    return [path.relative_to(docs).as_posix() for path in chosen]


def editable(docs: Path) -> list[Path]:
    """Return the pages that can be edited."""
    files = sorted(path for path in docs.rglob("*") if path.suffix in (".md", ".rst", ".txt"))
    if not files:
        raise InputError(f"{docs} has no .md, .rst or .txt file; give another folder")
    return files


def change_words(path: Path, files: list[Path], rng: random.Random) -> None:
    """Exchange three words of a paragraph for words of another page."""
    blocks = paragraphs(path)
    words = re.findall(r"[a-z]{4,}", read(rng.choice(files))) or ["other"]
    place = rng.randrange(len(blocks))
    for _ in range(3):
        own = list(re.finditer(r"\b[a-z]{4,}\b", blocks[place]))
        if own:
            match = rng.choice(own)
            blocks[place] = blocks[place][: match.start()] + rng.choice(words) + blocks[place][match.end() :]
    path.write_text("\n\n".join([*blocks, "Edited."]), encoding="utf-8")


def move_section(path: Path, files: list[Path], rng: random.Random) -> None:
    """Move a run of paragraphs to the end of the page."""
    blocks = paragraphs(path)
    start = rng.randrange(len(blocks))
    moved = blocks[start : start + 4]
    path.write_text("\n\n".join([*blocks[:start], *blocks[start + 4 :], "Moved here.", *moved]), encoding="utf-8")


def rename(path: Path, files: list[Path], rng: random.Random) -> None:
    """Give the page another name."""
    path.rename(path.with_name(f"{path.stem}-{rng.randrange(10**6)}{path.suffix}"))


def delete(path: Path, files: list[Path], rng: random.Random) -> None:
    """Delete the page."""
    path.unlink()


def write_new(path: Path, files: list[Path], rng: random.Random) -> None:
    """Write a new page beside this one from paragraphs of others, each with some words of another."""
    found = [rng.choice(paragraphs(rng.choice(files))) for _ in range(8)]
    new = path.with_name(f"new-{rng.randrange(10**6)}{path.suffix}")
    new.write_text("# News\n\n" + "\n\n".join(found), encoding="utf-8")
    change_words(new, files, rng)


EDITS: tuple[Callable[[Path, list[Path], random.Random], None], ...] = (
    change_words, move_section, rename, delete, write_new
)  # fmt: skip


def paragraphs(path: Path) -> list[str]:
    """Return the paragraphs of a page."""
    return re.split(r"\n\s*\n", read(path).strip())


def read(path: Path) -> str:
    """Return the text of a page; "" of one that was deleted or renamed meanwhile."""
    return path.read_text(encoding="utf-8", errors="replace") if path.exists() else ""


if __name__ == "__main__":
    call(main)
