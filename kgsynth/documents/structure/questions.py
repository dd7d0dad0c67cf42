"""Read the questions that a document asks, or whose answer a heading announces, with what stands below them.

"Rotating a key" announces how you rotate a key; the language of the document says which headings do so.
"""

from __future__ import annotations

from collections.abc import Iterator

from kgsynth.base.records import Block, StructureFact
from kgsynth.base.vocabulary import StructureKind
from kgsynth.documents.structure.outline import Outline
from kgsynth.language import nearest_language

_QUESTION_MARKS = ("?", "？")


def questions(outline: Outline) -> Iterator[StructureFact]:
    """Yield each question with its answer."""
    asked_by = nearest_language(outline.document.language).heading_question
    for section in range(1, len(outline.document.sections)):
        title, blocks = outline.heading(section), outline.of_section[section]
        asked = [place for place, number in enumerate(blocks) if _asks(outline.blocks[number])]
        own = blocks[: asked[0]] if asked else blocks
        passage = outline.excerpt(own)
        if passage and (title.text.endswith(_QUESTION_MARKS) or asked_by(title.text)):
            yield outline.fact(StructureKind.ANSWERS, section, title, [passage])
        for place, following in zip(asked, [*asked[1:], len(blocks)], strict=False):
            block = outline.blocks[blocks[place]]
            passage = outline.excerpt(blocks[place + 1 : following])
            if passage:
                subject = outline.part(block, 0, len(block.text))
                yield outline.fact(StructureKind.ANSWERS, section, subject, [passage])


def _asks(block: Block) -> bool:
    """Check whether a block is one bold question."""
    bold = block.strong and block.strong[0][0] == 0 and block.strong[-1][1] >= len(block.text) - 1
    return bool(bold) and block.kind == "paragraph" and block.text.endswith(_QUESTION_MARKS)
