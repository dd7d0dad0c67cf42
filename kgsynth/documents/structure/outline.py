"""A document's headings as a tree, and the text below each."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from kgsynth.base.records import Block, Container, Document, Excerpt, StructureFact, containers_around, content_id
from kgsynth.base.vocabulary import ContainerKind, StructureKind


def topics(outline: Outline) -> Iterator[StructureFact]:
    """Yield each heading with the text of its section."""
    sections = outline.document.sections
    for number in range(1, len(sections)):
        last = number + 1 == len(sections) or sections[number + 1].level <= sections[number].level
        passage = outline.excerpt(outline.of_section[number]) if last else None
        if passage:
            yield outline.fact(StructureKind.TOPIC, number, outline.heading(number), [passage])


# A document by its layout: which blocks and containers each container and section holds.

_READ_KINDS = frozenset({"paragraph", "item", "quote", "cell", "code"})
COLONS = (":", "：")
"""What a text ends with that leads into what follows."""


class Outline:
    """The layout of one document. Containers, blocks and sections are named by their index in the document."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.blocks = document.blocks
        self.children: dict[int, list[int]] = defaultdict(list)
        self.own_blocks: dict[int, list[int]] = defaultdict(list)
        self.of_section: dict[int, list[int]] = defaultdict(list)
        self._starts = [block.start for block in document.blocks]
        self._headings = {block.section: block for block in document.blocks if block.kind == "heading"}
        for number, container in enumerate(document.containers):
            self.children[container.parent].append(number)
        for number, block in enumerate(document.blocks):
            self.own_blocks[block.inside].append(number)
            if block.kind in _READ_KINDS:
                self.of_section[block.section].append(number)

    def containers(self, *kinds: ContainerKind) -> Iterator[tuple[int, Container]]:
        """Yield the containers of the given kinds with their indexes, in the order of the document."""
        for number, container in enumerate(self.document.containers):
            if container.kind in kinds:
                yield number, container

    def parts(self, number: int, *kinds: ContainerKind) -> list[int]:
        """Return the containers of the given kinds directly inside a container."""
        return [part for part in self.children[number] if self.document.containers[part].kind in kinds]

    def inside(self, number: int) -> list[int]:
        """Return all blocks in a container, in order, nested ones too."""
        found, reached = [], [number]
        while reached:
            number = reached.pop()
            found += self.own_blocks[number]
            reached += self.children[number]
        return sorted(found)

    def around(self, number: int) -> Iterator[Container]:
        """Return the containers around a container, the innermost first."""
        containers = self.document.containers
        return (containers[above] for above in containers_around(containers, containers[number].parent))

    def excerpt(self, blocks: Iterable[int]) -> Excerpt | None:
        """Return the text of some blocks in a row; None if a person reads nothing there."""
        shown = [self.blocks[number] for number in blocks if self.blocks[number].kind in _READ_KINDS]
        text = " ".join(block.text for block in shown)
        return Excerpt(text, shown[0].start, shown[-1].end) if text.strip() else None

    def item(self, number: int) -> Excerpt | None:
        """Return the text of an item, with what is nested in it only if it leads into that; None if it has no text."""
        blocks = [self.blocks[block] for block in self.own_blocks[number]]
        if not blocks or blocks[0].kind != "item":
            return None
        leads = any(block.kind == "item" and block.text.endswith(COLONS) for block in blocks)
        own = (block for block in self.own_blocks[number] if self.blocks[block].kind == "item")
        return self.excerpt(self.inside(number) if leads else own)

    def part(self, block: Block, start: int, end: int) -> Excerpt:
        """Return the excerpt ``block.text[start:end]`` without the white space around it."""
        text = block.text[start:end]
        start += len(text) - len(text.lstrip())
        return Excerpt(text.strip(), *block.locate(start, start + len(text.strip())))

    def heading(self, section: int) -> Excerpt:
        """Return the title of a section; the title of a document without a heading has no place."""
        found = self.document.sections[section]
        block = self._headings.get(section)
        return Excerpt(found.title, block.start, block.end) if block else Excerpt(found.title, found.start, found.start)

    def fact(
        self, kind: StructureKind, section: int, subject: Excerpt, values: Sequence[Excerpt], **traits: Any
    ) -> StructureFact:
        """Return a fact of this document; ``traits`` are further fields of ``StructureFact``."""
        places = [
            (part.start, part.end) for part in (subject, *traits.get("heads", ()), *values, *traits.get("scope", ()))
        ]
        id = fact_id(self.document.id, kind, traits.get("name", ""), places)  # noqa: A001 - the record's name
        return StructureFact(id, kind, self.document.id, section, subject, tuple(values), **traits)


def fact_id(doc: str, kind: StructureKind, name: str, places: Iterable[tuple[int, int]]) -> str:
    """Return the id of a fact of the layout: it depends on where the excerpts of the fact are."""
    return content_id("t", doc, kind, name, *places)
