"""Read terms and what is said of them: definition lists, documented parameters, and items that begin with a bold term.

What is said of a parameter may name its default, its type, or that it is required: each is a fact of its own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from kgsynth.base.records import Block, Excerpt, StructureFact
from kgsynth.base.vocabulary import ContainerKind, StructureKind
from kgsynth.documents.structure.outline import Outline
from kgsynth.language.shared_words import PARAMETER_TRAITS

_TERM_SEPARATOR = re.compile(r"\s*(?P<traits>\([^()]{1,60}\)|\[[^\[\]]{1,60}\])?\s*(?:[:：–—]|\s-{1,2}\s)\s*")
_FIELD = re.compile(r"(?P<name>[^:]{1,60}):\s+")
_MAX_TERM_WORDS = 8
_MIN_TERMS = 2  # in one list or section: one bold word is emphasis


def terms(outline: Outline) -> Iterator[StructureFact]:
    """Yield each term with what is said of it, and the default, type and requirement of each parameter."""
    for block, group, term, detail in _pairs(outline):
        yield outline.fact(StructureKind.DEFINITION, block.section, term, [detail], group=group)
        yield from _traits(outline, block, group, term, detail)


def _pairs(outline: Outline) -> Iterator[tuple[Block, int, Excerpt, Excerpt]]:
    """Yield the block in which the detail begins, the list, term and detail."""
    for number, _ in outline.containers(ContainerKind.TERMS):
        yield from _term_list(outline, number)
    for number, _ in outline.containers(ContainerKind.LIST, ContainerKind.STEPS):
        items = [outline.own_blocks[part] for part in outline.parts(number, ContainerKind.ITEM)]
        yield from _marked(outline, items, number)
    for blocks in outline.of_section.values():
        alone = [[block] for block in blocks if outline.blocks[block].kind == "paragraph"]
        yield from _marked(outline, alone, -1)


def _term_list(outline: Outline, number: int) -> Iterator[tuple[Block, int, Excerpt, Excerpt]]:
    """Yield the pairs of a definition list; terms in a row share what follows them. A field is "name: detail"."""
    waiting: list[Excerpt] = []
    for part in outline.children[number]:
        kind, blocks = outline.document.containers[part].kind, outline.inside(part)
        content = outline.excerpt(blocks)
        if content is None:
            continue
        first = next(block for at in blocks if (block := outline.blocks[at]).start == content.start)
        if kind == ContainerKind.TERM:
            waiting.append(content)
        elif kind == ContainerKind.DETAIL:
            yield from ((first, number, term, content) for term in waiting)
            waiting = []
        elif (match := _FIELD.match(first.text)) and first.text[match.end() :].strip():
            term = outline.part(first, 0, match.end("name"))
            yield first, number, term, outline.part(first, match.end(), len(first.text))


def _marked(outline: Outline, groups: list[list[int]], number: int) -> Iterator[tuple[Block, int, Excerpt, Excerpt]]:
    """Yield the pairs of blocks that begin with a bold or code term and a separator, if there are several."""
    found = []
    for blocks in groups:
        block = outline.blocks[blocks[0]] if blocks else None
        split = _split(block) if block and block.kind in ("item", "paragraph") else None
        if block and split:
            stop, start = split
            rest = outline.part(block, start, len(block.text))
            more = outline.excerpt(blocks[1:])
            detail = Excerpt(f"{rest.text} {more.text}".strip(), rest.start, more.end) if more else rest
            found.append((block, number, outline.part(block, 0, stop), detail))
    if len(found) >= max(_MIN_TERMS, 0 if number < 0 else len(groups) // 2):
        yield from found


def _split(block: Block) -> tuple[int, int] | None:
    """Return where the term of a block ends and where its detail begins; None if it does not begin with a term."""
    mark = next((mark for mark in (*block.strong, *block.code) if mark[0] == 0), None)
    if mark is None:
        return None
    stop = mark[1]
    term = block.text[:stop].rstrip()
    if term.endswith((":", "：")) and block.text[stop:].strip():
        return (len(term) - 1, stop) if len(term.split()) <= _MAX_TERM_WORDS else None
    match = _TERM_SEPARATOR.match(block.text, stop)
    if match is None or not block.text[match.end() :].strip() or len(term.split()) > _MAX_TERM_WORDS:
        return None
    return stop, match.start("traits") if match.group("traits") else match.end()


def _traits(outline: Outline, block: Block, group: int, term: Excerpt, detail: Excerpt) -> Iterator[StructureFact]:
    """Yield the default, type and requirement that a detail names."""
    low = block.text.find(detail.text[:20])
    for name, pattern in PARAMETER_TRAITS.items():
        match = pattern.search(block.text, max(low, 0))
        if match:
            head, value = outline.part(block, *match.span("head")), outline.part(block, *match.span("value"))
            yield outline.fact(
                StructureKind.DEFAULT, block.section, term, [value], heads=(head,), name=name, group=group
            )
