"""Read the text below a heading that has no headings of its own."""

from __future__ import annotations

from collections.abc import Iterator

from kgsynth.base.records import StructureFact
from kgsynth.base.vocabulary import StructureKind
from kgsynth.documents.structure.outline import Outline


def topics(outline: Outline) -> Iterator[StructureFact]:
    """Yield each heading with the text of its section."""
    sections = outline.document.sections
    for number in range(1, len(sections)):
        last = number + 1 == len(sections) or sections[number + 1].level <= sections[number].level
        passage = outline.excerpt(outline.of_section[number]) if last else None
        if passage:
            yield outline.fact(StructureKind.TOPIC, number, outline.heading(number), [passage])
