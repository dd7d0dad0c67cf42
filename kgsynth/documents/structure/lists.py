"""Read lists: their items with what they are items of, and numbered lists as the steps of a task.

What a list lists is said by the sentence that leads into it and ends in a colon, with the sentence before if it needs
that, or by the heading right above it. The heading is also the subject if the lead says nothing, as "For instance:".
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from kgsynth.base.records import Excerpt, StructureFact
from kgsynth.base.vocabulary import ContainerKind, StructureKind
from kgsynth.documents.structure.outline import COLONS, Outline
from kgsynth.language.layout_words import announces_steps, gives_order, is_order, names_task, points_back, says_nothing
from kgsynth.language.sentence_ends import sentence_spans
from kgsynth.language.words import words

_LIST_KINDS = (ContainerKind.LIST, ContainerKind.STEPS)
_MIN_ITEMS = 2
_SHORT_LEAD = 2  # words: "Arguments against:" is said of what the heading names


def lists(outline: Outline) -> Iterator[StructureFact]:
    """Yield a fact for each list that something leads into."""
    for number, container in outline.containers(*_LIST_KINDS):
        parts = outline.parts(number, ContainerKind.ITEM)
        items = [item for part in parts if (item := outline.item(part))]
        if len(items) < max(_MIN_ITEMS, len(parts)) or any(item.text.endswith(COLONS) for item in items):
            continue  # an item that is only code, an image or a link elsewhere, or leads into what is not in the list
        first = outline.inside(number)[0]
        lead = _lead(outline, first, container.parent)
        if lead is None:
            continue
        section = outline.blocks[first].section
        heading = outline.heading(section)
        task = container.kind == ContainerKind.STEPS and _is_task(lead, heading, items)
        kind = StructureKind.PROCEDURE if task else StructureKind.MEMBER
        if not _needs_more(lead.text):
            short = lead != heading and sum(word.isalpha() for word in words(lead.text)) <= _SHORT_LEAD and heading.text
            yield outline.fact(kind, section, lead, items, heads=(heading,) if short else (), group=number)
        elif heading.text:
            yield outline.fact(kind, section, heading, items, heads=(lead,) if lead != heading else (), group=number)


def _needs_more(lead: str) -> bool:
    return says_nothing(lead) or (points_back(lead) and len(list(sentence_spans(lead))) == 1)


def _is_task(lead: Excerpt, heading: Excerpt, items: Sequence[Excerpt]) -> bool:
    """Check whether a list is of steps: its lead announces them, or the lead or heading names a task of orders."""
    orders = all(gives_order(item.text) for item in items)
    if lead == heading:
        return names_task(heading.text) and orders
    if _needs_more(lead.text):
        return names_task(heading.text) and announces_steps(lead.text)
    return announces_steps(lead.text) or (is_order(lead.text) and orders)


def _lead(outline: Outline, first: int, parent: int) -> Excerpt | None:
    """Return what leads into the list whose first block is ``first``: a sentence with a colon, or the heading."""
    if first == 0:
        return None
    before, block = outline.blocks[first - 1], outline.blocks[first]
    if before.section != block.section:
        return None
    if before.kind == "heading":
        return outline.heading(block.section)
    if before.inside == parent and before.kind in ("paragraph", "item", "quote") and before.text.endswith(COLONS):
        spans = list(sentence_spans(before.text))
        start, end = spans[-1]
        if len(spans) > 1 and _needs_more(before.text[start:end]):
            start = spans[-2][0]
        return outline.part(before, start, end)
    return None
