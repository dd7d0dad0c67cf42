"""Extractive summaries: the one to three sentences of a document or section that say most of it.

Nothing is written: a summary is sentences of the source, with their places. Sentences are bags of lemmas
weighted by tf-idf; the method is that of the centroid (Radev et al. 2004) with maximal marginal relevance (Carbonell
and Goldstein 1998).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from kgsynth.base.records import Analysis, Document, Sentence, content_id

LEAST_SENTENCES = 4
"""A text of fewer sentences has no summary: it is one."""

_Bag = dict[str, float]


@dataclass(frozen=True, slots=True)
class Summary:
    """The summary of a document (``of`` its id) or section; ``start``/``end`` are what it summarises."""

    id: str
    of: str
    doc: str
    start: int
    end: int
    sentences: tuple[Sentence, ...]


def summaries(documents: Iterable[Document], analyses: Sequence[Analysis]) -> Iterator[Summary]:
    """Yield the summary of each document and section with enough text, in the order of ``documents``.

    A section counts its own sentences, not those below its subheadings. A section that is all a document has gets none.
    """
    spread = Counter(lemma for analysis in analyses for each in analysis.sentences for lemma in set(each.lemmas))
    total = sum(len(analysis.sentences) for analysis in analyses)
    idf = {lemma: math.log((1 + total) / (1 + count)) + 1 for lemma, count in spread.items()}
    by_doc = {analysis.doc: analysis for analysis in analyses}
    for document in documents:
        sentences = by_doc[document.id].sentences if document.id in by_doc else ()
        yield from _summary(document.id, document, 0, len(document.text), sentences, idf)
        own: dict[int, list[Sentence]] = {}
        for sentence in sentences:
            own.setdefault(sentence.section, []).append(sentence)
        for number, mine in sorted(own.items()):
            if number and len(mine) < len(sentences):
                section = document.sections[number]
                yield from _summary(section.id, document, section.start, section.end, mine, idf)


def choose(sentences: Sequence[Sentence], idf: Mapping[str, float], most: int = 3) -> list[Sentence]:
    """Return one to ``most`` sentences that stand for all, in the order of the text.

    The score is the cosine to the centroid, up to a quarter more for an early place, less the largest cosine to a
    sentence already taken. One sentence in eight is taken, at least one; those of fewer than four content words only
    when there is no other.
    """
    bags = [_unit({lemma: n * idf.get(lemma, 1.0) for lemma, n in Counter(each.lemmas).items()}) for each in sentences]
    centroid: _Bag = {}
    for bag in bags:
        for lemma, weight in bag.items():
            centroid[lemma] = centroid.get(lemma, 0.0) + weight
    centroid = _unit(centroid)
    worth = [_cosine(bag, centroid) * (1 + 0.25 / (1 + place)) for place, bag in enumerate(bags)]
    left = [place for place, each in enumerate(sentences) if len(each.lemmas) > 3] or list(range(len(sentences)))
    nearest = [0.0] * len(sentences)
    taken: list[int] = []
    while left and len(taken) < min(most, max(1, len(sentences) // 8)):
        best = max(left, key=lambda place: (round(worth[place] - nearest[place], 9), -place))
        taken.append(best)
        left.remove(best)
        for place in left:
            nearest[place] = max(nearest[place], _cosine(bags[place], bags[best]))
    return [sentences[place] for place in sorted(taken)]


def _summary(
    of: str, document: Document, start: int, end: int, sentences: Sequence[Sentence], idf: Mapping[str, float]
) -> Iterator[Summary]:
    if len(sentences) >= LEAST_SENTENCES:
        chosen = tuple(choose(sentences, idf))
        ident = content_id("m", of, document.id, *(place for each in chosen for place in (each.start, each.end)))
        yield Summary(ident, of, document.id, start, end, chosen)


def _unit(bag: _Bag) -> _Bag:
    length = math.sqrt(math.fsum(weight * weight for weight in bag.values()))
    return {lemma: weight / length for lemma, weight in bag.items()} if length else bag


def _cosine(one: _Bag, other: _Bag) -> float:
    small, large = (one, other) if len(one) < len(other) else (other, one)
    return math.fsum(weight * large.get(lemma, 0.0) for lemma, weight in small.items())
