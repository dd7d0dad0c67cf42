"""The records that flow through kgsynth, in the order in which a run makes them.

Offsets are Unicode code points into ``Document.text``; spans are half open. All records are frozen: a stage that
changes one makes a new one with ``dataclasses.replace``.
"""

from __future__ import annotations

from kgsynth.base.records.audit import Finding
from kgsynth.base.records.chunks import Chunk
from kgsynth.base.records.containers import Container, containers_around
from kgsynth.base.records.documents import (
    PROSE,
    READ,
    Block,
    Document,
    Heading,
    PlacedText,
    Section,
    Skipped,
    Span,
    content_id,
)
from kgsynth.base.records.language import Analysis, Entity, Fact, Mention, Phrase, Sentence, Verb
from kgsynth.base.records.questions import (
    Claim,
    Item,
    Rejection,
    Scenario,
    Turn,
    fitting_id,
    item_id,
    placed_id,
)
from kgsynth.base.records.scoring import ROUTES, Answer, Citation, Passage, RetrievalStep, Route
from kgsynth.base.records.source_place import SourcePlace, place_name
from kgsynth.base.records.structure import Excerpt, StructureFact

__all__ = [
    "PROSE",
    "READ",
    "ROUTES",
    "Analysis",
    "Answer",
    "Block",
    "Chunk",
    "Citation",
    "Claim",
    "Container",
    "Document",
    "Entity",
    "Excerpt",
    "Fact",
    "Finding",
    "Heading",
    "Item",
    "Mention",
    "Passage",
    "Phrase",
    "PlacedText",
    "Rejection",
    "RetrievalStep",
    "Route",
    "Scenario",
    "Section",
    "Sentence",
    "Skipped",
    "SourcePlace",
    "Span",
    "StructureFact",
    "Turn",
    "Verb",
    "containers_around",
    "content_id",
    "fitting_id",
    "item_id",
    "place_name",
    "placed_id",
]
