"""How well the rule ``answered`` separates questions that the documents answer from those that they do not.

    python benchmarks/answerable_roc.py HUMAN_JSONL DOCS

HUMAN_JSONL has human questions about DOCS, some of them unanswerable. Each question is scored with the sentence of all
documents that is most similar to it in words and embedding. Prints the area under the ROC curve (answerable is
positive), with a 95 % interval from drawing whole documents, for the share of covered words, for each feature, and for
the score. The documents, sorted by name, are split into odd and even ones. For each half, the score is compared with a
logistic regression learned on the other half, which shows how much the weights in the code are overfitted. Those were
learned on the first half of 16 articles of SQuAD 2.0's development set and rounded; the second half is new to them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from arguments import call
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score, roc_curve

from kgsynth.base.records import PROSE, Document
from kgsynth.documents import read_folder
from kgsynth.evidence.answer_likelihood import AnswerFeatures, WordIndex, answer_features
from kgsynth.golden.dataset import load
from kgsynth.language.sentence_ends import sentence_spans
from kgsynth.models.encoder import load_encoder

DRAWS = 1000
POINTS = 10
Vector = NDArray[np.float64]


class Statement(NamedTuple):
    """One sentence of a document, with the headings over it."""

    doc: str
    headings: str
    text: str


class Found(NamedTuple):
    """The sentence found for a question: its document, the share of words it covers, and its features."""

    doc: str
    share: float
    features: AnswerFeatures


def statements(docs: str) -> list[Statement]:
    """Return the sentences of a folder's prose."""
    found = []
    for document in sorted((d for d in read_folder(Path(docs)) if isinstance(d, Document)), key=lambda d: d.id):
        for block in document.blocks:
            headings = " ".join(document.sections[block.section].path)
            spans = sentence_spans(block.text) if block.kind in PROSE else ()
            found += [Statement(document.id, headings, block.text[start:end]) for start, end in spans]
    return found


def read_all(
    questions: Sequence[str], stated: Sequence[Statement], encode: Callable[[Sequence[str]], NDArray[np.float32]]
) -> list[Found]:
    """Find the best sentence for each question, and compute the features of both."""
    index = WordIndex((each.text for each in stated), "en")
    cosines = encode(questions) @ encode([each.text for each in stated]).T
    found = []
    for question, row in zip(questions, cosines, strict=True):
        shares = index.shares(question)
        best = int((shares + row).argmax())
        text, headings = stated[best].text, stated[best].headings
        features = answer_features(question, text, index, cosine=float(row[best]), headings=headings)
        found.append(Found(stated[best].doc, float(shares[best]), features))
    return found


def interval(labels: Vector, scores: Vector, docs: Sequence[str]) -> tuple[float, float]:
    """Return the 95 % interval of the area, a bootstrap over documents."""
    members = defaultdict(list)
    for number, doc in enumerate(docs):
        members[doc].append(number)
    groups, rng = [members[doc] for doc in sorted(members)], np.random.default_rng(0)
    areas = []
    for _ in range(DRAWS):
        drawn = [n for group in rng.integers(len(groups), size=len(groups)) for n in groups[group]]
        if 0 < labels[drawn].mean() < 1:
            areas.append(roc_auc_score(labels[drawn], scores[drawn]))
    low, high = np.quantile(areas, (0.025, 0.975))
    return float(low), float(high)


def learned(labels: Vector, seen: Vector, half: NDArray[np.bool_]) -> Vector:
    """Return scores for one half of the documents, with weights learned on the other half; 0 elsewhere."""
    model = LogisticRegression(max_iter=1000).fit(seen[~half], labels[~half])
    return np.where(half, model.decision_function(seen), 0.0)


def main(human: str, docs: str) -> None:
    """Print the areas, and ten points of the curve."""
    items = list(load(human))
    found = read_all([item.question for item in items], statements(docs), load_encoder().encode)
    labels = np.array([float(item.answerable) for item in items])
    names, places = [each.doc for each in found], sorted({each.doc for each in found})
    first = np.array([places.index(name) % 2 == 0 for name in names])
    seen, score = np.array([each.features for each in found]), np.array([each.features.probability for each in found])
    print(
        f"{int(labels.sum())} answerable and {int((1 - labels).sum())} unanswerable questions, {len(places)} documents"
    )
    print(f"{'':34}{'area':>7}   95 % interval")

    def row(name: str, scores: Vector, of: NDArray[np.bool_] | slice = slice(None)) -> None:
        area = roc_auc_score(labels[of], scores[of])
        low, high = interval(labels[of], scores[of], np.array(names)[of].tolist())
        print(f"{name:34}{area:7.3f}   {low:.3f} to {high:.3f}")

    row("share of covered words", np.array([each.share for each in found]))
    for place, name in enumerate(AnswerFeatures._fields):
        area = roc_auc_score(labels, seen[:, place])
        print(f"  {name:32}{max(area, 1 - area):7.3f}{'' if area >= 0.5 else '   (lower is better)'}")
    for half, name, other in ((first, "first", "second"), (~first, "second", "first")):
        row(f"rule, {name} half", score, half)
        row(f"  weights learned on the {other} half", learned(labels, seen, half), half)
    row("rule, all documents", score)
    false, true, limits = roc_curve(labels, score)
    print(f"\n{'threshold':>9}{'answerable kept':>18}{'unanswerable kept':>20}")
    for kept in np.linspace(1.0, 0.1, POINTS):
        at = int(np.searchsorted(true, kept))
        print(f"{min(1.0, limits[at]):9.3f}{true[at]:18.3f}{false[at]:20.3f}")


if __name__ == "__main__":
    call(main)
