"""Facts as edges: from the subject of a clause to each entity that its other phrases name, or to their text.

A phrase that names no entity is a value node, so every fact with a subject and another phrase is an edge.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from kgsynth.base.records import Entity, Fact, Phrase, content_id
from kgsynth.base.vocabulary import Role
from kgsynth.evidence.chunks import ChunkIndex
from kgsynth.language import Language

_QUALIFIERS = frozenset({Role.TIME, Role.PLACE, Role.CONDITION, Role.CAUSE, Role.PURPOSE, Role.MANNER})
"""The roles of phrases that limit a fact."""


@dataclass(frozen=True, slots=True)
class FactEdge:
    """One edge of a fact; ``values`` are those of its ends that are value nodes: id -> (text, label)."""

    source: str
    target: str
    attributes: dict[str, Any]
    values: dict[str, tuple[str, str]]


class MentionIndex:
    """The mentions of a corpus by document and position, each with the id of its entity."""

    def __init__(self, entities: Iterable[Entity]) -> None:
        self.ids: set[str] = set()
        self._rows: dict[str, list[tuple[int, int, str, str]]] = defaultdict(list)
        for entity in entities:
            self.ids.add(entity.id)
            for mention in entity.mentions:
                self._rows[mention.doc].append((mention.start, mention.end, entity.id, mention.text))
        for rows in self._rows.values():
            rows.sort()

    def inside(self, doc: str, start: int, end: int) -> Iterator[tuple[int, int, str, str]]:
        """Yield (start, end, entity id, text) of the mentions in ``[start, end)``, in the order of the text."""
        rows = self._rows.get(doc, [])
        for position in range(bisect_left(rows, (start,)), len(rows)):
            if rows[position][0] >= end:
                return
            if rows[position][1] <= end:
                yield rows[position]


def chunks_containing(chunks: ChunkIndex, doc: str, start: int, end: int) -> list[int]:
    """Return the numbers of the chunks that contain ``[start, end)``, or else of the last one that contains its start.

    Chunks may overlap, but none may lie inside another.
    """
    begun = [number for number in chunks.overlapping(doc, start, end) if chunks[number].start <= start]
    return [number for number in begun if end <= chunks[number].end] or begun[-1:]


def fact_edges(fact: Fact, mentions: MentionIndex, chunks: ChunkIndex, own: Language) -> Iterator[FactEdge]:
    """Yield the edges of one fact, at most one to each target, in the order of the text; ``own`` is its language."""
    subject = fact.first(Role.SUBJECT)
    if subject is None:
        return
    source = _main_entity(subject, fact.doc, mentions, own) or _value_id(subject)
    values = {} if source in mentions.ids else {source: (_value(subject), subject.label)}
    common = _attributes(fact, chunks)
    seen = {source}
    for phrase in fact.phrases:
        if phrase is subject or phrase.role == Role.MANNER:
            continue
        targets = [row[2] for row in mentions.inside(fact.doc, phrase.start, phrase.end)]
        for target in targets:
            if target not in seen:
                seen.add(target)
                yield FactEdge(source, target, {**common, "role": phrase.role}, values)
        target = _value_id(phrase)
        if not targets and target not in seen:
            seen.add(target)
            found = {target: (_value(phrase), phrase.label)}
            yield FactEdge(source, target, {**common, "role": phrase.role}, values | found)


def _value(phrase: Phrase) -> str:
    """Return the text of a phrase without the preposition or conjunction it starts with, on one line."""
    text = " ".join(phrase.text.split())
    if phrase.marker and text.casefold().startswith(phrase.marker.casefold() + " "):
        return text[len(phrase.marker) + 1 :]
    return text


def _value_id(phrase: Phrase) -> str:
    return content_id("v", _value(phrase).casefold())


def _main_entity(phrase: Phrase, doc: str, mentions: MentionIndex, own: Language) -> str:
    """Return the entity of the mention that ends in the head of the phrase, or of the longest one; "" for none."""
    rows = list(mentions.inside(doc, phrase.start, phrase.end))
    heads = [row for row in rows if phrase.head.casefold() in _head_forms(row[3], own)]
    best = min(heads or rows, key=lambda row: (row[0] - row[1], row[0]), default=None)
    return best[2] if best else ""


def _head_forms(mention: str, own: Language) -> set[str]:
    last = (mention.split() or [""])[-1].casefold()
    return {last, own.singular(last), mention.casefold()}


def _attributes(fact: Fact, chunks: ChunkIndex) -> dict[str, Any]:
    holding = chunks_containing(chunks, fact.doc, fact.start, fact.end)
    verb = fact.verb
    qualifiers: dict[str, str] = {}
    for phrase in fact.phrases:
        if phrase.role in _QUALIFIERS:
            text = " ".join(phrase.text.split())
            qualifiers[phrase.role] = f"{qualifiers[phrase.role]}; {text}" if phrase.role in qualifiers else text
    return {
        "kind": "fact",
        "fact": fact.id,
        "predicate": f"{verb.lemma} {verb.particle}".strip(),
        "polarity": "negative" if verb.negated else "positive",
        "modality": verb.modal,
        "qualifiers": qualifiers,
        "doc": fact.doc,
        "start": fact.start,
        "end": fact.end,
        "chunk": chunks[holding[0]].id if holding else "",
    }
