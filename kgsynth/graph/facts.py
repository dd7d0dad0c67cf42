"""Facts as edges: from the entity a clause is about to each entity or value that its other phrases name.

A fact whose subject names no entity, or which names nothing else, makes no edge; it stays in the analyses.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from kgsynth.graph.entities import singular
from kgsynth.graph.places import ChunkPlaces, MentionPlaces
from kgsynth.records import Chunk, Fact, Phrase, content_id

QUALIFIERS = frozenset({"time", "place", "condition", "cause", "purpose", "quantity", "manner"})
"""The roles of phrases that limit a fact."""

VALUE_LABELS = frozenset({"DATE", "TIME", "MONEY", "PERCENT", "QUANTITY", "CARDINAL", "ORDINAL"})
"""The labels of phrases that are a value."""


@dataclass(frozen=True, slots=True)
class FactEdge:
    """One edge of a fact; ``value`` is the text of the value node to make, "" when the target is an entity."""

    source: str
    target: str
    attributes: dict[str, Any]
    value: str = ""
    label: str = ""


def fact_edges(fact: Fact, mentions: MentionPlaces, places: ChunkPlaces, chunks: Sequence[Chunk]) -> Iterator[FactEdge]:
    """Yield the edges of one fact, at most one to each target, in the order of the text."""
    subject = fact.first("subject")
    source = subject and _main_entity(subject, fact.doc, mentions)
    if not source:
        return
    common = _attributes(fact, places, chunks)
    seen = {source}
    for phrase in fact.phrases:
        if phrase is subject:
            continue
        targets = [row[2] for row in mentions.inside(fact.doc, phrase.start, phrase.end)]
        for target in targets:
            if target not in seen:
                seen.add(target)
                yield FactEdge(source, target, {**common, "role": phrase.role})
        if not targets and _is_value(phrase):
            value = value_of(phrase)
            target = content_id("v", value.casefold())
            if value and target not in seen:
                seen.add(target)
                yield FactEdge(source, target, {**common, "role": phrase.role}, value, phrase.label)


def value_of(phrase: Phrase) -> str:
    """Return the text of a phrase without the preposition or conjunction it opens with, its white space folded."""
    text = " ".join(phrase.text.split())
    if phrase.marker and text.casefold().startswith(phrase.marker.casefold() + " "):
        return text[len(phrase.marker) + 1 :]
    return text


def _is_value(phrase: Phrase) -> bool:
    return phrase.role in {"time", "quantity"} or phrase.label in VALUE_LABELS or phrase.has("number")


def _main_entity(phrase: Phrase, doc: str, mentions: MentionPlaces) -> str:
    """Return the entity of the mention that ends in the head of the phrase, else of the longest; "" for none."""
    rows = list(mentions.inside(doc, phrase.start, phrase.end))
    heads = [row for row in rows if phrase.head.casefold() in _head_forms(row[3])]
    best = min(heads or rows, key=lambda row: (row[0] - row[1], row[0]), default=None)
    return best[2] if best else ""


def _head_forms(mention: str) -> set[str]:
    last = (mention.split() or [""])[-1].casefold()
    return {last, singular(last), mention.casefold()}


def _attributes(fact: Fact, places: ChunkPlaces, chunks: Sequence[Chunk]) -> dict[str, Any]:
    holding = places.holding(fact.doc, fact.start, fact.end)
    verb = fact.verb
    qualifiers: dict[str, str] = {}
    for phrase in fact.phrases:
        if phrase.role in QUALIFIERS:
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
