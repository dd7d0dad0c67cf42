"""Summaries: the few sentences that say most of a document or section, with their positions.

Sentences are bags of lemmas weighted by tf-idf. The method is the centroid of Radev et al. (2004) with the maximal
marginal relevance of Carbonell and Goldstein (1998).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from kgsynth.base.records import Analysis, Document, Sentence, content_id
from kgsynth.base.thresholds import LIMITS

_Bag = dict[str, float]


@dataclass(frozen=True, slots=True)
class Summary:
    """The summary of the document or section with the id ``of``, which reaches from ``start`` to ``end``."""

    id: str
    of: str
    doc: str
    start: int
    end: int
    sentences: tuple[Sentence, ...]


def summaries(documents: Iterable[Document], analyses: Sequence[Analysis]) -> Iterator[Summary]:
    """Yield the summary of each document and section with enough text, in the order of ``documents``.

    The sentences of a section do not include those below its subheadings. A section with all sentences of its document
    gets no summary.
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


def choose(sentences: Sequence[Sentence], idf: Mapping[str, float]) -> list[Sentence]:
    """Return the sentences that represent all best, at least one, in the order of the text.

    The score is the cosine to the centroid, with a bonus for a position near the start, minus the largest cosine to a
    sentence already taken. Sentences with too few content words are taken only when there are no others.
    """
    bags = [_unit({lemma: n * idf.get(lemma, 1.0) for lemma, n in Counter(each.lemmas).items()}) for each in sentences]
    centroid: _Bag = {}
    for bag in bags:
        for lemma, weight in bag.items():
            centroid[lemma] = centroid.get(lemma, 0.0) + weight
    centroid = _unit(centroid)
    scores = [_cosine(bag, centroid) * (1 + LIMITS.summary_lead_bonus / (1 + place)) for place, bag in enumerate(bags)]
    every = list(range(len(sentences)))
    left = [place for place in every if len(sentences[place].lemmas) >= LIMITS.summary_min_lemmas] or every
    count = min(LIMITS.summary_max_sentences, max(1, int(len(sentences) * LIMITS.summary_share)))
    nearest = [0.0] * len(sentences)
    taken: list[int] = []
    while left and len(taken) < count:
        best = max(left, key=lambda place: (round(scores[place] - nearest[place], 9), -place))
        taken.append(best)
        left.remove(best)
        for place in left:
            nearest[place] = max(nearest[place], _cosine(bags[place], bags[best]))
    return [sentences[place] for place in sorted(taken)]


def _summary(
    of: str, document: Document, start: int, end: int, sentences: Sequence[Sentence], idf: Mapping[str, float]
) -> Iterator[Summary]:
    if len(sentences) >= LIMITS.summary_min_text:
        chosen = tuple(choose(sentences, idf))
        ident = content_id("m", of, document.id, *(place for each in chosen for place in (each.start, each.end)))
        yield Summary(ident, of, document.id, start, end, chosen)


def _unit(bag: _Bag) -> _Bag:
    length = math.sqrt(math.fsum(weight * weight for weight in bag.values()))
    return {lemma: weight / length for lemma, weight in bag.items()} if length else bag


def _cosine(one: _Bag, other: _Bag) -> float:
    small, large = (one, other) if len(one) < len(other) else (other, one)
    return math.fsum([weight * large[lemma] for lemma, weight in small.items() if lemma in large])
