"""Check whether a question set ranks systems as a human one does: retrieve for both sets, score both, compare.

Both sets are asked of the bundled retrievers in two dozen settings. A retriever's score on a question is the reciprocal
rank of the first unit that holds the evidence. Systems that generate answers are not used: they differ in more than
retrieval.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from kgsynth.base.errors import InputError
from kgsynth.base.progress import Progress, silent, ticking
from kgsynth.base.records import Chunk, Document, Item, Span
from kgsynth.documents.chunking import chunk
from kgsynth.language import nearest_language
from kgsynth.language.words import folded
from kgsynth.models.encoder import AUTO, choose_model, load_encoder
from kgsynth.scoring.systems.bundled import DENSE, LEXICAL, variants
from kgsynth.statistics.rank_agreement import RankAgreement, SetScores, rank_agreement

if TYPE_CHECKING:
    from numpy.typing import NDArray

MAX_QUESTIONS = 1000
"""At most this many questions of a set are asked; more would change tau by less than 0.01."""
UNIT_WORDS = 100
"""The most words of a unit of retrieval, about a paragraph."""


@dataclass(frozen=True, slots=True)
class _LocatedItem:
    """A question and, for each of its evidence groups, the units that hold the evidence."""

    item: Item
    groups: tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class _QuestionSample:
    """The questions that are asked of a set, how many have no evidence in the documents, how many repeat others."""

    questions: Sequence[_LocatedItem]
    untied: int
    repeated: int = 0

    def scores(self, values: NDArray[Any]) -> SetScores:
        """Return ``values`` (questions, systems) with the document of each question."""
        return SetScores(
            values, tuple(each.item.evidence[0][0].doc for each in self.questions), self.untied, self.repeated
        )


def calibrate(
    golden: Iterable[Item],
    human: Iterable[Item],
    documents: Sequence[Document],
    *,
    embedding_model: str = AUTO,
    seed: int = 0,
    progress: Progress = silent,
) -> RankAgreement:
    """Return how far ``golden`` ranks the bundled retrievers as ``human`` does, both over ``documents``.

    Raises:
        InputError: no question of one of the sets has its evidence in the documents.
    """
    import numpy as np

    units = [unit for document in documents for unit in chunk(document, size=UNIT_WORDS)]
    theirs, ours = _sample("the human set", human, units, seed), _sample("the golden set", golden, units, seed)
    asked = [*theirs.questions, *ours.questions]
    encoder = load_encoder(choose_model(embedding_model, {document.language for document in documents}))
    texts, questions = [unit.searched for unit in units], [located.item.question for located in asked]
    columns: dict[str, list[float]] = {}
    with progress("retrieving", None) as stage:
        for name, scores in ticking(variants(texts, questions, encoder.encode, encoder.encode_questions), stage):
            columns[name] = [_reciprocal_rank(row, located) for row, located in zip(scores, asked, strict=True)]
    values, n = np.array([*columns.values()]).T, len(theirs.questions)
    people, parts, names = theirs.scores(values[:n]), _by_writer(ours, values[n:]), ([*columns], LEXICAL, DENSE)
    found = rank_agreement(people, ours.scores(values[n:]), *names)
    if len(parts) < 2:
        return found
    neutral = "the questions of the rules" if "rules" in parts else "the human set"
    against = parts.pop("rules", people)
    by_writer = {name: rank_agreement(against, part, *names) for name, part in parts.items()}
    return replace(found, by_writer=by_writer, neutral=neutral)


def _by_writer(sample: _QuestionSample, values: NDArray[Any]) -> dict[str, SetScores]:
    """Return the scores of the questions of each writer that the set names."""
    rows: dict[str, list[int]] = {}
    for at, each in enumerate(sample.questions):
        rows.setdefault(str(each.item.metadata.get("writer") or ""), []).append(at)
    own = {name: _QuestionSample([sample.questions[at] for at in found], 0) for name, found in sorted(rows.items())}
    return {name: part.scores(values[rows[name]]) for name, part in own.items() if name}


def _sample(name: str, items: Iterable[Item], units: Sequence[Chunk], seed: int) -> _QuestionSample:
    """Return a sample of the answerable items for which every evidence group lies in some unit."""
    by_doc: dict[str, list[tuple[int, Chunk]]] = {}
    for at, unit in enumerate(units):
        by_doc.setdefault(unit.doc, []).append((at, unit))
    found, untied = [], 0
    for item in filter(lambda item: item.answerable, items):
        groups = [sorted({at for span in group for at in _units_of(span, by_doc)}) for group in item.evidence]
        if groups and all(groups):
            found.append(_LocatedItem(item, tuple(map(tuple, groups))))
        else:
            untied += 1
    if not found:
        raise InputError(f"no question of {name} has its evidence in the documents: check --docs")
    located = sorted(found, key=lambda each: each.item.id)
    found = _without_repetitions(located)
    drawn = found if len(found) <= MAX_QUESTIONS else random.Random(seed).sample(found, MAX_QUESTIONS)
    return _QuestionSample(drawn, untied, len(located) - len(found))


def _without_repetitions(questions: Sequence[_LocatedItem]) -> list[_LocatedItem]:
    """Return the questions without those that repeat a shorter one: same evidence and answers, all its content words.

    Counted twice, a question would make the sample look larger than it is.
    """
    kept: dict[object, list[tuple[_LocatedItem, set[str]]]] = {}
    stems = [set(nearest_language(each.item.language).content_stems(each.item.question)) for each in questions]
    order = sorted(range(len(questions)), key=lambda at: (len(stems[at]), len(questions[at].item.question), at))
    for at in order:
        item = questions[at].item
        same = kept.setdefault((item.evidence, tuple(map(folded, item.golden_answers))), [])
        if not any(own <= stems[at] for _, own in same):
            same.append((questions[at], stems[at]))
    remaining = {id(each) for group in kept.values() for each, _ in group}
    return [each for each in questions if id(each) in remaining]


def _units_of(span: Span, by_doc: Mapping[str, Sequence[tuple[int, Chunk]]]) -> Iterable[int]:
    """Yield the units that hold at least half of the span, or that lie at least half within it."""
    for at, unit in by_doc.get(span.doc, ()):
        shared = min(unit.end, span.end) - max(unit.start, span.start)
        if shared > 0 and 2 * shared >= min(unit.end - unit.start, span.end - span.start):
            yield at


def _reciprocal_rank(scores: NDArray[Any], located: _LocatedItem) -> float:
    """Return 1 / rank of the best unit of each evidence group, averaged; units of equal score share the middle rank."""
    total = 0.0
    for group in located.groups:
        best = scores[list(group)].max()
        total += 1 / (1 + float((scores > best).sum()) + (float((scores == best).sum()) - 1) / 2)
    return total / len(located.groups)
