"""What a prompt shows: passages as a person reads them, the questions before them, and passages from elsewhere."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from kgsynth.base.records import Container, Document, Item, Span
from kgsynth.base.thresholds import LIMITS
from kgsynth.base.vocabulary import ContainerKind
from kgsynth.evidence.bm25 import BM25, best
from kgsynth.evidence.knowledge import Knowledge
from kgsynth.evidence.quoted_proof import headings_at
from kgsynth.generation.asking.queue import Asked
from kgsynth.generation.filters.context import FilterContext
from kgsynth.generation.scenes.passages import Scene, terms


@dataclass(frozen=True, slots=True)
class Before:
    """The last questions about the documents of a scene that stand, and those about its passages that do not."""

    asked: tuple[str, ...] = ()
    rejected: tuple[str, ...] = ()


NOTHING_BEFORE = Before()


def before(scene: Scene, asked: Asked, kept: Iterable[Item] = ()) -> Before:
    """Return what not to repeat: questions on the documents of a scene that stand, and any on its passages.

    A rejected question has the reason after it, with the passages numbered as in the prompt for the scene.
    """
    docs = {span.doc for span in scene.passages}
    known = (*kept, *asked.accepted)
    accepted = [item.question for item in known if docs & {group[0].doc for group in item.evidence}]
    reasons = {item.id: why.detail for item, why in asked.rejected}
    here = [
        (own.passages, item)
        for own, item in asked.proposed
        if any(span.meets(each) for span in own.passages for each in scene.passages)
    ]
    standing = [item.question for _, item in here if item.id not in reasons]
    rejected = [
        f'The question "{item.question}" was rejected because {renumbered(reasons[item.id], shown, scene.passages)}.'
        for shown, item in here
        if item.id in reasons
    ]
    return Before(tuple(dict.fromkeys((*_last(accepted), *_last(standing)))), _last(rejected))


_NUMBERS = re.compile(r"\b([Pp]assages?) (\d+(?:[, a-z]{1,6}\d+)*)")


def renumbered(text: str, shown: Sequence[Span], now: Sequence[Span]) -> str:
    """Return a text on passages that were ``shown``, numbered from 1, with the numbers that they have ``now``.

    Example:
        >>> one, other, third = (Span(doc, 0, 9, "") for doc in "abc")
        >>> renumbered("passages 1 and 2 say so, and passage 3 too", [third, one, other], [one, other])
        'passages from elsewhere and 1 say so, and passage 2 too'
    """

    def number(found: re.Match[str]) -> str:
        span = shown[int(found[0]) - 1] if 0 < int(found[0]) <= len(shown) else None
        return str(now.index(span) + 1) if span in now else "from elsewhere"

    return _NUMBERS.sub(lambda found: f"{found[1]} {re.sub('[0-9]+', number, found[2])}", text)


def _last(questions: Iterable[str]) -> tuple[str, ...]:
    once = tuple(dict.fromkeys(questions))
    return once[max(0, len(once) - LIMITS.asked_in_prompt) :]


# The text of a passage as it is shown: each row of a table with the heads of its columns.

Placed = list[tuple[str, int]]
"""Letters, each with its place in the document, -1 for a letter that is not there."""

_BREAK: Placed = [("\n", -1)]


def shown(passage: Span, document: Document) -> Placed:
    """Return the letters of a passage, with each row of a table as lines of "column: value", set apart by empty lines.

    A cell over several rows is shown in each of them. Tables without column heads are shown as they are.
    """
    letters: Placed = []
    at, all_containers = passage.start, document.containers
    within = [n for n, each in enumerate(all_containers) if each.start < passage.end and at < each.end]
    for table in sorted(within, key=lambda number: all_containers[number].start):
        container = all_containers[table]
        heads = column_heads(table, document) if container.kind == ContainerKind.TABLE and at < container.end else {}
        if not heads:
            continue
        start, end = max(container.start, at), min(container.end, passage.end)
        before = _source(at, start, document)
        while before and before[-1][0] in "| \n":  # the corner of a table may be empty
            before.pop()
        letters += [*before, *_BREAK, *_BREAK] if before else []
        letters += _BREAK if letters else []
        cells = [cell for cell in all_containers if cell.parent == table]
        body = 1 + max(head.row for above in heads.values() for head in above)
        rows = {cell.row for cell in cells if start <= cell.start < end and cell.row >= body}
        for row in sorted(rows):
            for cell in sorted(cells, key=lambda cell: cell.column):
                if cell.row <= row < cell.row + cell.rows and document.text[cell.start : cell.end].strip():
                    letters += _line(heads.get(cell.column, ()), cell, document)
            letters += _BREAK
        at = end
    return [*letters, *_source(at, passage.end, document)]


def column_heads(table: int, document: Document) -> dict[int, list[Container]]:
    """Return the heads above each column of a table by its number, the uppermost first; {} if it has none."""
    cells = [each for each in document.containers if each.parent == table and each.kind == ContainerKind.CELL]
    if not any(cell.head for cell in cells if cell.row == 0):
        return {}
    body = min((cell.row for cell in cells if cell.row and not cell.head), default=1)
    found: dict[int, list[Container]] = {}
    for cell in cells:
        if cell.row < body and document.text[cell.start : cell.end].strip():
            for column in range(cell.column, cell.column + cell.columns):
                found.setdefault(column, []).append(cell)
    return found


def _line(heads: Sequence[Container], cell: Container, document: Document) -> Placed:
    label: Placed = []
    for head in heads:
        label += [*([(",", -1), (" ", -1)] if label else []), *rendered(head.start, head.end, document)]
    value = [*([(":", -1), (" ", -1)] if label else []), *rendered(cell.start, cell.end, document)]
    return [*((" " if letter == "\n" else letter, place) for letter, place in (*label, *value)), *_BREAK]


def _source(start: int, end: int, document: Document) -> Placed:
    return list(zip(document.text[start:end], range(start, end), strict=True))


def rendered(start: int, end: int, document: Document) -> Iterator[tuple[str, int]]:
    """Yield the letters of a passage as a person reads it, without markup, each with its place in the document."""
    for block in document.blocks_in(start, end):
        for number, (first, source) in enumerate(block.runs):
            stop = block.runs[number + 1][0] if number + 1 < len(block.runs) else len(block.text)
            for at in range(first, stop):
                if start <= source + at - first < end:
                    yield block.text[at], source + at - first


# The passages from elsewhere that are shown when an answer is verified.
#
# Rivals are close to the question and may answer it otherwise. Additions may hold a step that the answer lacks: they
# are linked from the passages of the scene, close to question and answer together, or have the words of the answer.


class ChunkWords:
    """The words of all chunks and of the headings above them, searched by BM25."""

    def __init__(self, knowledge: Knowledge) -> None:
        above = (" ".join(headings_at(knowledge.documents[chunk.doc], chunk.start)) for chunk in knowledge.chunks)
        texts = [f"{headings} {chunk.text}" for headings, chunk in zip(above, knowledge.chunks, strict=True)]
        self._index = BM25(texts, terms=terms)

    def best(self, text: str) -> list[int]:
        """Return the numbers of the chunks with a word of a text, the best first."""
        scores = self._index.scores(text)
        return [int(number) for number in best(scores, len(scores))]

    def share(self, word: str) -> float:
        """Return the share of the chunks that have a word."""
        scores = self._index.scores(word)
        return float((scores > 0).mean()) if len(scores) else 0.0


def beside(item: Item, scene: Scene, context: FilterContext) -> list[Span]:
    """Return the rivals of an item and what may add to its answer: chunks that share no character with its scene."""
    knowledge, limit = context.knowledge, LIMITS.rivals_in_prompt
    own = knowledge.chunks.holding(scene.passages)
    rivals = [number for number in _by_vector(item.question, context, limit + len(own)) if number not in own][:limit]
    additions = _additions(item, scene, context, own | {*rivals}) if item.answerable else []
    chosen = (knowledge.chunks[number] for number in (*rivals, *additions))
    return [knowledge.documents[chunk.doc].span(chunk.start, chunk.end) for chunk in chosen]


def _additions(item: Item, scene: Scene, context: FilterContext, known: set[int]) -> list[int]:
    """Return the chunks not ``known`` that may add to an answer: one by link, one by vector, others by its words."""
    answer, most = " ".join(item.golden_answers), LIMITS.rivals_in_prompt
    text = f"{item.question} {answer}"
    ways = (
        (_linked(text, scene, context), 1),
        (_by_vector(text, context, len(known) + most), 1),
        (context.knowledge.derived(ChunkWords).best(answer), most),
    )
    found: list[int] = []
    for numbers, count in ways:
        new = (number for number in numbers if number not in known and number not in found)
        found += islice(new, min(count, most - len(found)))
    return found


def _by_vector(text: str, context: FilterContext, count: int) -> list[int]:
    return [int(number) for number in best(context.ranking.cosines(text), count)]


def _linked(text: str, scene: Scene, context: FilterContext) -> list[int]:
    """Return the chunks of the sections or documents that a scene links to, the closest to a text first."""
    targets = context.knowledge.derived(_targets)
    found = {
        number
        for span in scene.passages
        for start, end, numbers in targets.get(span.doc, ())
        if span.start < end and start < span.end
        for number in numbers
    }
    cosines = context.ranking.cosines(text)
    return sorted(found, key=lambda number: (-float(cosines[number]), number))


def _targets(knowledge: Knowledge) -> dict[str, list[tuple[int, int, list[int]]]]:
    """Return for each document the places of its links, each with the chunks of what it leads to."""
    places = {document.id: (document.id, 0, len(document.text)) for document in knowledge.documents.values()}
    for document in knowledge.documents.values():
        places |= {section.id: (document.id, section.start, section.end) for section in document.sections}
    found: dict[str, list[tuple[int, int, list[int]]]] = {}
    for source, target, data in knowledge.graph.edges(data=True):
        place = places.get(target)
        if data["kind"] == "see" and data["spans"] and place and source != target:
            numbers = knowledge.chunks.overlapping(*place)
            found.setdefault(data["doc"], []).extend((start, end, numbers) for start, end in data["spans"])
    return found
