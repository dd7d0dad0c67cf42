"""Facts as edges: from what a clause is about to each entity that its other phrases name, or to what they say.

A phrase that names no entity is a value node, so every fact with a subject and something said of it is an edge.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from kgsynth.base.records import Chunk, Fact, Phrase, content_id
from kgsynth.base.vocabulary import Role
from kgsynth.generation.graph.span_lookup import ChunkPlaces, MentionPlaces
from kgsynth.language import Language

QUALIFIERS = frozenset({Role.TIME, Role.PLACE, Role.CONDITION, Role.CAUSE, Role.PURPOSE, Role.MANNER})
"""The roles of phrases that limit a fact."""


@dataclass(frozen=True, slots=True)
class FactEdge:
    """One edge of a fact; ``values`` are the value nodes at its ends: id -> (text, label), none for entities."""

    source: str
    target: str
    attributes: dict[str, Any]
    values: dict[str, tuple[str, str]]


def fact_edges(
    fact: Fact, mentions: MentionPlaces, places: ChunkPlaces, chunks: Sequence[Chunk], own: Language
) -> Iterator[FactEdge]:
    """Yield the edges of one fact, at most one to each target, in the order of the text; ``own`` is its language."""
    subject = fact.first(Role.SUBJECT)
    if subject is None:
        return
    source = _main_entity(subject, fact.doc, mentions, own) or _value_id(subject)
    values = {} if source in mentions.ids else {source: (value_of(subject), subject.label)}
    common = _attributes(fact, places, chunks)
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
            found = {target: (value_of(phrase), phrase.label)}
            yield FactEdge(source, target, {**common, "role": phrase.role}, values | found)


def value_of(phrase: Phrase) -> str:
    """Return the text of a phrase without the preposition or conjunction it opens with, its white space folded."""
    text = " ".join(phrase.text.split())
    if phrase.marker and text.casefold().startswith(phrase.marker.casefold() + " "):
        return text[len(phrase.marker) + 1 :]
    return text


def _value_id(phrase: Phrase) -> str:
    return content_id("v", value_of(phrase).casefold())


def _main_entity(phrase: Phrase, doc: str, mentions: MentionPlaces, own: Language) -> str:
    """Return the entity of the mention that ends in the head of the phrase, else of the longest; "" for none."""
    rows = list(mentions.inside(doc, phrase.start, phrase.end))
    heads = [row for row in rows if phrase.head.casefold() in _head_forms(row[3], own)]
    best = min(heads or rows, key=lambda row: (row[0] - row[1], row[0]), default=None)
    return best[2] if best else ""


def _head_forms(mention: str, own: Language) -> set[str]:
    last = (mention.split() or [""])[-1].casefold()
    return {last, own.singular(last), mention.casefold()}


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
