"""Does a question set rank systems as a human one does? Retrieve for both, measure both, compare the orders.

``calibrate`` names the steps. Both sets are asked of the bundled retrievers in two dozen settings; a system's figure
is the mean reciprocal rank of the first unit that holds a group of evidence. Left out: systems that answer, which
differ in more than what they retrieve.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from kgsynth.base.errors import InputError
from kgsynth.base.progress import Progress, silent, ticking
from kgsynth.base.records import Chunk, Document, Item, Span
from kgsynth.documents.chunking import chunk
from kgsynth.models.encoder import load_encoder
from kgsynth.scoring.systems.retriever_variants import DENSE, LEXICAL, variants
from kgsynth.statistics.rank_agreement import Agreement, Figures, agreement

if TYPE_CHECKING:
    from numpy.typing import NDArray

MOST = 1000
"""How many questions of a set are asked at most; more would not move tau by a hundredth."""
UNIT = 100
"""Words a unit of retrieval has at most, about a paragraph."""


@dataclass(frozen=True, slots=True)
class _Tied:
    """A question and, group by group of its evidence, the units that hold it."""

    item: Item
    groups: tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class _Set:
    """The questions of a set that are asked, and how many have no evidence in the documents."""

    sample: Sequence[_Tied]
    untied: int


def calibrate(
    golden: Iterable[Item],
    human: Iterable[Item],
    documents: Sequence[Document],
    *,
    embedding_model: str = "all-MiniLM-L6-v2",
    seed: int = 0,
    progress: Progress = silent,
) -> Agreement:
    """Return how far ``golden`` ranks the bundled retrievers as ``human`` does, both over ``documents``.

    Raises:
        InputError: no question of one of the sets has its evidence in the documents.
    """
    units = [unit for document in documents for unit in chunk(document, size=UNIT)]
    sets = [_tie("the human set", human, units, seed), _tie("the golden set", golden, units, seed)]
    asked = [tied for each in sets for tied in each.sample]
    encoder = load_encoder(embedding_model)
    texts, questions = [unit.text for unit in units], [tied.item.question for tied in asked]
    columns: dict[str, list[float]] = {}
    with progress("retrieving", None) as stage:
        for name, scores in ticking(variants(texts, questions, lambda texts: encoder.encode(list(texts))), stage):
            columns[name] = [_reciprocal(row, tied) for row, tied in zip(scores, asked, strict=True)]
    theirs, ours = _figures(columns, sets)
    return agreement(theirs, ours, [*columns], LEXICAL, DENSE)


def _tie(name: str, items: Iterable[Item], units: Sequence[Chunk], seed: int) -> _Set:
    """Return a sample of the items whose evidence lies in the units, in every group, and how many others there are."""
    by_doc: dict[str, list[tuple[int, Chunk]]] = {}
    for at, unit in enumerate(units):
        by_doc.setdefault(unit.doc, []).append((at, unit))
    found, untied = [], 0
    for item in filter(lambda item: item.answerable, items):
        groups = [sorted({at for span in group for at in _holding(span, by_doc)}) for group in item.evidence]
        if groups and all(groups):
            found.append(_Tied(item, tuple(map(tuple, groups))))
        else:
            untied += 1
    if not found:
        raise InputError(f"no question of {name} has its evidence in the documents: check --docs")
    found.sort(key=lambda tied: tied.item.id)
    return _Set(found if len(found) <= MOST else random.Random(seed).sample(found, MOST), untied)


def _holding(span: Span, by_doc: Mapping[str, Sequence[tuple[int, Chunk]]]) -> Iterable[int]:
    """Yield the units that hold half of the span, or half of which lies within it."""
    for at, unit in by_doc.get(span.doc, ()):
        shared = min(unit.end, span.end) - max(unit.start, span.start)
        if shared > 0 and 2 * shared >= min(unit.end - unit.start, span.end - span.start):
            yield at


def _reciprocal(scores: NDArray[Any], tied: _Tied) -> float:
    """Return the mean over the groups of 1 / rank; among equal scores the middle rank."""
    total = 0.0
    for group in tied.groups:
        best = scores[list(group)].max()
        total += 1 / (1 + float((scores > best).sum()) + (float((scores == best).sum()) - 1) / 2)
    return total / len(tied.groups)


def _figures(columns: Mapping[str, Sequence[float]], sets: Sequence[_Set]) -> list[Figures]:
    import numpy as np

    values = np.array([*columns.values()]).T
    ends = np.cumsum([len(each.sample) for each in sets])
    return [
        Figures(
            values[end - len(each.sample) : end],
            tuple(tied.item.evidence[0][0].doc for tied in each.sample),
            each.untied,
        )
        for each, end in zip(sets, ends, strict=True)
    ]
