"""How many questions ``score --until 0.03`` asks, and how often its interval contains the value of the full set.

    python benchmarks/adaptive.py [SEEDS] [DOCS[:GOLDEN] …]

The systems are the 24 bundled retriever variants of ``calibrate``. A set has the valid questions generated from DOCS,
or the answerable ones of GOLDEN over DOCS. Each system is left out in turn and estimated from some of the others: "past
runs" is how many, "none" a plain random sample, for which no question is known to be harder than another. "covered" is
the share of systems and seeds in which the interval contains the recall@5 of all questions, "asked" the mean share of
the questions that were asked; "strong" are the ones with a recall@5 of 0.9 or more. By default the sets are both
handbooks, and "both as one", which has the questions of both.
"""

from __future__ import annotations

from itertools import chain
from pathlib import Path

import numpy as np
from arguments import call
from numpy.typing import NDArray

import kgsynth
from kgsynth.comparison.calibration import UNIT_WORDS
from kgsynth.documents import read_documents
from kgsynth.documents.chunking import chunk
from kgsynth.golden.dataset import load
from kgsynth.models.encoder import AUTO, choose_model, load_encoder
from kgsynth.scoring.adaptive.stopping import KnownRun, estimate_mean
from kgsynth.scoring.flow import score
from kgsynth.scoring.metrics.summary import cluster
from kgsynth.scoring.systems.bundled import BundledSystem, variants
from kgsynth.statistics.item_response import ResponseModel, fit_responses

FOLDERS = ("corpora/handbook", "corpora/handbook_zh")
TARGET, STRONG, METRIC = 0.03, 0.9, "recall@5"
PAST = (23, 8, 5, 0)
MOST = 400
"""The most questions to generate."""


class Known:
    """A retriever whose scores are known: question -> scores of the chunks."""

    signature = "known"

    def __init__(self, rows: dict[str, NDArray[np.float64]]) -> None:
        self._rows = rows

    def scores(self, question: str) -> NDArray[np.float64]:
        """Return the scores of the chunks."""
        return self._rows[question]


def results(given: str) -> tuple[NDArray[np.float64], list[str]]:
    """Return recall@5 of each variant on each question (variants, questions), and the document of each question."""
    folder, _, golden = given.partition(":")
    docs = read_documents(Path(folder))
    if golden:
        items = [item for item in load(golden) if item.answerable]
    else:
        out = Path("outputs", "adaptive", *Path(folder).resolve().parts[1:])
        items = list(kgsynth.generate(folder, out, config=kgsynth.Config(n=MOST, min_keep=0)).golden)
    encoder = load_encoder(choose_model(AUTO, {document.language for document in docs}))
    units = [unit for document in docs for unit in chunk(document, size=UNIT_WORDS)]
    texts, questions = [unit.searched for unit in units], [item.question for item in items]
    table = []
    for name, found in variants(texts, questions, encoder.encode, encoder.encode_questions):
        system = BundledSystem(name, Known(dict(zip(questions, found, strict=True))), units, 10, name)
        scored = score(items, system, docs=docs, metrics=["recall"], k=[5])
        by_id = {each.id: each.metrics[METRIC] for each in scored.items}
        table.append([by_id[item.id] for item in items])
    return np.array(table, dtype=float), [cluster(item) for item in items]


def trials(table: NDArray[np.float64], documents: list[str], past: int, seeds: int) -> NDArray[np.float64]:
    """Return for each system left out and each seed: whether the interval holds, the share asked, the true value."""
    found = []
    for run, truth in enumerate(table):
        others = np.delete(table, run, axis=0)
        for seed in range(seeds):
            drawn = np.random.default_rng(seed).choice(len(others), past, replace=False)
            if past < len(others) or not seed:
                model = fit_responses(others[drawn]) if past else _same(len(documents))
            ended = estimate_mean(model, documents, KnownRun(truth), TARGET, 1000 * run + seed)
            held = ended.low - 1e-9 <= truth.mean() <= ended.high + 1e-9
            found.append((held, ended.asked / len(documents), truth.mean()))
    return np.array(found)


def _same(questions: int) -> ResponseModel:
    return ResponseModel(np.zeros(questions), np.ones(questions), max(PAST))


def main(seeds: int = 10, *sets: str) -> None:
    """Print the table, a row for each set and number of earlier runs."""
    print(f"{seeds} seeds for each of 24 systems left out; {METRIC} to {TARGET:g} on either side")
    head = f"{'set':14}{'questions':>10}{'documents':>10}{'past runs':>10}"
    print(f"{head}{'covered':>9}{'asked':>7}{'covered, strong':>17}{'asked, strong':>15}", flush=True)
    found = [results(given) for given in sets or FOLDERS]
    for given, (table, documents) in zip(sets or FOLDERS, found, strict=True):
        print_rows(Path(given.rpartition(":")[2]).stem, table, documents, seeds)
    if not sets:
        tables, names = zip(*found, strict=True)
        print_rows("both as one", np.concatenate(tables, axis=1), list(chain.from_iterable(names)), seeds)


def print_rows(name: str, table: NDArray[np.float64], documents: list[str], seeds: int) -> None:
    """Print the rows of a set; a dash where no system is strong."""
    for past in PAST:
        found = trials(table, documents, past, seeds)
        row = f"{name:14}{len(documents):10}{len(set(documents)):10}{past or 'none':>10}"
        for of, (first, second) in ((found, (9, 7)), (found[found[:, 2] >= STRONG], (17, 15))):
            held, asked = (f"{cell:.3f}" for cell in of[:, :2].mean(axis=0)) if len(of) else ("–", "–")
            row += f"{held:>{first}}{asked:>{second}}"
        print(row, flush=True)


if __name__ == "__main__":
    call(main)
