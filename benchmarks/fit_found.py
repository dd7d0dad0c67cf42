"""Fit how probably a retriever finds the evidence of a question, and measure it on folders that were left out.

    python benchmarks/fit_found.py [RUN [HUMAN_JSONL]] …

Without arguments: fit to benchmarks/graded/found.csv again. RUN is a run folder of generate, best with --kinds all
--fill -n 400; HUMAN_JSONL has questions of people on the same documents. Up to 400 questions of each are asked of bm25,
dense and hybrid with passages of 100, 200 and 400 words; the share of these nine retrievers that have all evidence in
five passages is what ``found`` predicts. The rows of a run replace those of its folder in found.csv. Writes
kgsynth/ranking/weights/found.json, and prints predicted and observed shares in five bins, by folder and by type, each
predicted from the other folders.
"""

from __future__ import annotations

import csv
import json
import random
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from itertools import pairwise, product
from pathlib import Path
from typing import Any

import numpy as np
from arguments import call, run_folder

from kgsynth.base.records import Chunk, Document, Item
from kgsynth.base.records_json import from_json
from kgsynth.evidence.bm25 import BM25
from kgsynth.evidence.statements import ChunkIndex
from kgsynth.golden.dataset import load
from kgsynth.golden.item_json import from_json as item_from_json
from kgsynth.models.encoder import AUTO, choose_model, load_encoder
from kgsynth.ranking.features import search_features
from kgsynth.ranking.fitting import area, left_out
from kgsynth.ranking.model import Feature, Fitted, Ranker
from kgsynth.scoring.matching import Matcher
from kgsynth.scoring.systems.bundled import open_bundled

ROWS = Path(__file__).parent / "graded" / "found.csv"
WEIGHTS = Path(__file__).parent.parent / "kgsynth" / "ranking" / "weights" / "found.json"
RETRIEVERS, SIZES, PASSAGES = ("bm25", "dense", "hybrid"), (100, 200, 400), 5
AT_MOST, FOLDER_WEIGHT = 400, 200
"""Questions of a folder that are asked, of each source; rows that a folder counts as, however many it has."""
STRENGTH = 1.0
BINS = (0.0, 0.5, 0.7, 0.85, 0.95, 1.0001)
ABOUT = ("folder", "language", "source", "type", "found")

Numbers = np.ndarray[Any, np.dtype[np.float64]]


def main(*given: str) -> None:
    """Ask the questions of the runs, fit the weights, and print how well they predict."""
    rows = list(csv.DictReader(ROWS.open(encoding="utf-8"))) if ROWS.is_file() else []
    for run, human in pairs(given):
        new = list(asked(run_folder(run), human))
        rows = [row for row in rows if row["folder"] != Path(run).name] + new
        with ROWS.open("w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, list(rows[0]), lineterminator="\n")
            writer.writeheader()
            writer.writerows(rows)
    names = [name for name in rows[0] if name not in ABOUT]
    values = np.array([[float(row[name]) for name in names] for row in rows])
    found, folders = np.array([float(row["found"]) for row in rows]), [row["folder"] for row in rows]
    said = np.zeros(len(rows))
    for others, own in left_out(folders):
        ranker = fit(names, values[others], found[others], np.array(folders)[others].tolist())
        said[own] = [ranker.keep(dict(zip(names, row, strict=True))) for row in values[own]]
    report(rows, said, found)
    whole = fit(names, values, found, folders)
    spread = [float(said[own].mean() - found[own].mean()) for _, own in left_out(folders)]
    languages = tuple(sorted({row["language"] for row in rows}))
    fitted = Fitted(
        len(rows), len(set(folders)), round(float(found.mean()), 4), round(auc(found, said), 4),
        round(float(np.sqrt(np.mean(np.square(spread)))), 4), languages,
    )  # fmt: skip
    Ranker(whole.features, whole.biases, 1.0, 0.0, fitted).save(WEIGHTS)


def pairs(given: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield each run with the file of human questions after it, "" without one."""
    for at, name in enumerate(given):
        if not name.endswith(".jsonl"):
            after = given[at + 1] if at + 1 < len(given) else ""
            yield name, after if after.endswith(".jsonl") else ""


def asked(run: Path, human: str) -> Iterator[dict[str, Any]]:
    """Yield a row for each question that is asked on the documents of a run."""
    documents = [from_json(Document)(line) for line in (run / "documents.jsonl").open(encoding="utf-8")]
    chunks = [from_json(Chunk)(line) for line in (run / "chunks.jsonl").open(encoding="utf-8")]
    by_source = {"rules": sample(valid(run)), "people": sample(list(load(human)) if human else [])}
    items = [item for own in by_source.values() for item in own]
    sources = [name for name, own in by_source.items() for _ in own]
    model = choose_model(AUTO, {document.language for document in documents})
    cosines = (
        load_encoder(model).encode_questions([item.question for item in items]) @ np.load(run / "embeddings.npy").T
    )
    matcher = Matcher({document.id: document for document in documents})
    found = np.zeros((len(items), 0))
    for name, size in product(RETRIEVERS, SIZES):
        system = open_bundled(name, documents, f"recursive:{size}:0", PASSAGES, model)
        covered = [matcher.match(system.ask(item).retrieved, item.evidence).evidence for item in items]
        column = [float(each is not None and len(each.group_ranks) == each.n_groups) for each in covered]
        found = np.column_stack([found, column])
        print(f"{run.name:<24}{name:<8}{size:>4} words  {found[:, -1].mean():.3f}", flush=True)
    index, lexical = ChunkIndex(chunks), BM25([chunk.searched for chunk in chunks])
    for item, source, share, row in zip(items, sources, found.mean(axis=1), cosines, strict=True):
        golds = [sorted(index.holding(group)) for group in item.evidence]
        if all(golds):
            told = search_features(golds, row, lexical.scores(item.question))
            about = (run.name, documents[0].language, source, item.question_type, round(float(share), 4))
            yield dict(zip(ABOUT, about, strict=True)) | {name: round(value, 4) for name, value in told.items()}


def valid(run: Path) -> list[Item]:
    """Return the candidates of a run that no rule but ``difficulty`` rejected."""
    lines = map(json.loads, (run / "rejected.jsonl").open(encoding="utf-8"))
    rejected = {line["id"] for line in lines if line["rejected"]["rule"] != "difficulty"}
    items = [item_from_json(json.loads(line)) for line in (run / "candidates.jsonl").open(encoding="utf-8")]
    return [item for item in items if item.id not in rejected]


def sample(items: Sequence[Item]) -> list[Item]:
    """Return at most 400 answerable items, evenly over the question types as far as there are items of each."""
    by_type: dict[str, list[Item]] = defaultdict(list)
    usable = [item for item in items if item.answerable and item.evidence]
    for item in random.Random(0).sample(usable, len(usable)):
        by_type[item.question_type].append(item)
    chosen: list[Item] = []
    for at, kind in enumerate(sorted(by_type, key=lambda kind: (len(by_type[kind]), kind))):
        chosen += by_type[kind][: (AT_MOST - len(chosen)) // (len(by_type) - at)]
    return chosen


def fit(names: Sequence[str], values: Numbers, found: Numbers, folders: Sequence[str]) -> Ranker:
    """Return a logistic regression of the share found; a folder with many questions does not outweigh the others."""
    from sklearn.linear_model import LogisticRegression

    means, deviations = values.mean(axis=0), values.std(axis=0)
    standard = np.clip((values - means) / deviations, -4, 4)
    counts = Counter(folders)
    weights = np.array([min(1.0, FOLDER_WEIGHT / counts[folder]) for folder in folders])
    model = LogisticRegression(C=STRENGTH, max_iter=5000).fit(
        np.vstack([standard, standard]),
        np.repeat([1, 0], len(found)),
        sample_weight=np.concatenate([weights * found, weights * (1 - found)]),
    )
    features = {
        name: Feature(short(means[at]), short(deviations[at]), {"found": short(model.coef_[0][at])})
        for at, name in enumerate(names)
    }
    unfitted = Fitted(0, 0, 0.0, 0.0, 0.0)
    return Ranker(features, {"found": short(model.intercept_[0])}, 1.0, 0.0, unfitted)


def short(number: float) -> float:
    """Return a number with five digits, which is all that it means."""
    return float(f"{number:.5g}")


def auc(found: Numbers, said: Numbers) -> float:
    """Return the area under the curve over single answers: each question counts once for each retriever."""
    retrievers = len(RETRIEVERS) * len(SIZES)
    right = np.round(found * retrievers).astype(int)
    answers = np.concatenate([[1.0] * own + [0.0] * (retrievers - own) for own in right.tolist()])
    return area(answers, np.repeat(said, retrievers))


def report(rows: Sequence[dict[str, Any]], said: Numbers, found: Numbers) -> None:
    """Print what was predicted of folders that were left out, and what was observed."""
    brier = float((found * (1 - said) ** 2 + (1 - found) * said**2).mean())
    level = float(found.mean())
    print(
        f"{len(rows)} questions; AUC {auc(found, said):.3f}, Brier {brier:.4f} ({level * (1 - level):.4f} by the mean)"
    )
    print(f"\n{'predicted':<24}{'questions':>10}{'predicted':>10}{'observed':>10}")
    for low, high in pairwise(BINS):
        line(f"{low:.2f} to {min(high, 1):.2f}", (said >= low) & (said < high), said, found)
    for key in ("folder", "source", "type", "language"):
        print()
        for name in sorted({row[key] for row in rows}):
            line(name, np.array([row[key] == name for row in rows]), said, found)
    print(f"\ntwo retrievers differ on {2 * float((found * (1 - found)).mean()):.1%} of the questions, ", end="")
    print(f"and on {2 * float((said * (1 - said)).mean()):.1%} if each found with the predicted probability by itself")


def line(name: str, own: Numbers, said: Numbers, found: Numbers) -> None:
    """Print the number of some questions, and what was predicted and observed of them."""
    if own.any():
        print(f"{name:<24}{int(own.sum()):>10}{said[own].mean():>10.3f}{found[own].mean():>10.3f}")


if __name__ == "__main__":
    call(main)
