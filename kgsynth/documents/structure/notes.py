"""Read what is set apart from the text: notes, warnings, deprecations."""

from __future__ import annotations

import re
from collections.abc import Iterator

from kgsynth.base.records import Block, StructureFact
from kgsynth.base.vocabulary import ContainerKind, StructureKind
from kgsynth.documents.structure.outline import Outline
from kgsynth.language.layout_words import note_name

_NOTE_ENDS = ":：!！.–—-"
_AFTER_NOTE_WORD = re.compile(rf"[\s{_NOTE_ENDS}]*")
_OPENING_MARKS = "\"'“‘«`([（「《<$@#*_/\\~+[{."


def notes(outline: Outline) -> Iterator[StructureFact]:
    """Yield each note with its section; its name is the kind of note, its head the title."""
    for number, container in outline.containers(ContainerKind.NOTE):
        blocks = outline.inside(number)
        if len(blocks) > 1 and note_name(outline.blocks[blocks[0]].text.rstrip(": ")):
            blocks = blocks[1:]  # a title that says no more than the kind of note
        content = outline.excerpt(blocks)
        if content:
            section, heading = outline.blocks[blocks[0]].section, outline.heading(outline.blocks[blocks[0]].section)
            titles = [outline.blocks[block] for block in outline.own_blocks[number]]
            heads = tuple(outline.part(each, 0, len(each.text)) for each in titles if each.kind == "meta" and each.text)
            yield outline.fact(
                StructureKind.WARNING, section, heading, [content], heads=heads, name=container.name, group=number
            )
    for block in outline.blocks:
        opening = _opening(block)
        if opening:
            rest = outline.part(block, opening, len(block.text))
            name = note_name(block.text[:opening])
            yield outline.fact(StructureKind.WARNING, block.section, outline.heading(block.section), [rest], name=name)


def _opening(block: Block) -> int:
    """Return where the text of a block begins that opens with a bold "Note:" or "Warning:"; 0 for another block."""
    if block.kind not in ("paragraph", "quote", "item") or not block.strong or block.strong[0][0] != 0:
        return 0
    match = _AFTER_NOTE_WORD.match(block.text, block.strong[0][1])
    stop = match.end() if match else block.strong[0][1]
    rest = block.text[stop:]
    if not note_name(block.text[:stop]) or not rest or not (rest[0].isalnum() or rest[0] in _OPENING_MARKS):
        return 0
    if block.kind == "item" and block.text[:1].islower():
        return 0  # a term in a list of terms: "notes: what the author adds"
    separate = block.text[:stop].rstrip()[-1:] in _NOTE_ENDS
    return stop if separate or not rest[0].islower() else 0  # "Note the deadline" does not begin a note
