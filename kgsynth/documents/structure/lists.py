"""Read lists: their items with what they are items of, and numbered lists as the steps of a task.

What a list lists is said by the sentence that leads into it and ends in a colon, or by the heading right above it.
"""

from __future__ import annotations

from collections.abc import Iterator

from kgsynth.base.records import Excerpt, StructureFact
from kgsynth.base.vocabulary import ContainerKind, StructureKind
from kgsynth.documents.structure.outline import Outline
from kgsynth.language.shared_words import names_task
from kgsynth.language.words import sentence_spans

_LIST_KINDS = (ContainerKind.LIST, ContainerKind.STEPS)
_COLONS = (":", "：")
_MIN_ITEMS = 2


def lists(outline: Outline) -> Iterator[StructureFact]:
    """Yield a fact for each list that something leads into."""
    for number, container in outline.containers(*_LIST_KINDS):
        items = [item for part in outline.parts(number, ContainerKind.ITEM) if (item := _item(outline, part))]
        if len(items) < max(_MIN_ITEMS, len(outline.parts(number, ContainerKind.ITEM))):
            continue  # an item that is only code, an image or a link elsewhere
        first = outline.inside(number)[0]
        lead = _lead(outline, first, container.parent)
        if lead is None:
            continue
        section = outline.blocks[first].section
        task = container.kind == ContainerKind.STEPS and (
            names_task(lead.text) or names_task(outline.document.sections[section].title)
        )
        kind = StructureKind.PROCEDURE if task else StructureKind.MEMBER
        yield outline.fact(kind, section, lead, items, group=number)


def _item(outline: Outline, number: int) -> Excerpt | None:
    """Return the text of an item, without the lists in it; None if it does not begin with text."""
    blocks = [outline.blocks[block] for block in outline.own_blocks[number]]
    if not blocks or blocks[0].kind != "item":
        return None
    return outline.excerpt(block for block in outline.own_blocks[number] if outline.blocks[block].kind == "item")


def _lead(outline: Outline, first: int, parent: int) -> Excerpt | None:
    """Return what leads into the list whose first block is ``first``: a sentence with a colon, or the heading."""
    if first == 0:
        return None
    before, block = outline.blocks[first - 1], outline.blocks[first]
    if before.section != block.section:
        return None
    if before.kind == "heading":
        return outline.heading(block.section)
    if before.inside == parent and before.kind in ("paragraph", "item", "quote") and before.text.endswith(_COLONS):
        start, end = list(sentence_spans(before.text))[-1]
        return outline.part(before, start, end)
    return None
