"""Read the questions that a document asks or a heading announces, and what the text below them lacks."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterator

from kgsynth.base.records import Block, Document, Excerpt, StructureFact
from kgsynth.base.vocabulary import ContainerKind, StructureKind
from kgsynth.documents.structure.outline import COLONS, Outline
from kgsynth.language import nearest_language
from kgsynth.language.text_words import asks_itself, lacks_word, names_thing, points_on, question_stem
from kgsynth.language.words import has_cjk, is_unspaced

_HIDDEN_BY_TEMPLATE = re.compile(
    r"\{%.{0,400}?%\}|\{\{.{0,400}?\}\}|\{\*.{0,400}?\*\}|\[\s*\]\([^)]*\)|\|\w+\|(?=[\s.,;])", re.S
)
_SOURCE_TARGET = re.compile(r"\]\([^()\n]*\)|\]\[[^\]\n]*\]|(?:href|src)=\"[^\"\n]*\"")
_HARMLESS = re.compile(r"^(?:/{3,}.*|:{3,}.*|-{3,}|<!--.*-->|\{[:#].*\}|\.\. _.*)$", re.S)
_PICTURE = re.compile(r"!\[[^\]]*\]\([^)]*\)(?:\{[^}]*\})?|<[^>]*>")


def has_lost_text(document: Document, start: int, end: int) -> bool:
    """Check whether the text of the blocks in ``[start, end)`` lacks something that the page shows there.

    Example:
        >>> from kgsynth.documents.assembly import assemble
        >>> from kgsynth.documents.readers.markdown import read
        >>> page = assemble(read("Ask in {% channel %}.\\n\\nAsk Ada."), id="a.md", format="md", sha256="")
        >>> has_lost_text(page, 0, 21), has_lost_text(page, 23, len(page.text))
        (True, False)
    """
    number = bisect_left(document.blocks, end, key=lambda block: block.start)
    after = document.blocks[number : number + 1]
    cut = any(block.kind == "navigation" and block.inside >= 0 for block in after)  # the last item is only a link
    return cut or any(_is_lost(document, block) for block in document.blocks_from(start, end))


def _is_lost(document: Document, block: Block) -> bool:
    if block.kind == "navigation":
        return True
    source = document.text[block.start : block.end]
    if block.kind == "meta":
        lines = (line.strip() for line in _PICTURE.sub("", source).splitlines())
        return not all(_HARMLESS.match(line) for line in lines if line)
    if block.kind == "code":
        return "{{#" in source or "<span style" in source or not block.text.strip()
    if _HIDDEN_BY_TEMPLATE.search(_SOURCE_TARGET.sub("]", source)) and not _HIDDEN_BY_TEMPLATE.search(block.text):
        return True
    return lacks_word(block.text)


# Read the questions that a document asks, or whose answer a heading announces, with the text below them.
#
# Headings below "How do I...?" complete its question: the fact's name is the whole question, its head the beginning.
# "Rotating a key" announces how you rotate a key; the language of the document says which headings do so.

_QUESTION_MARKS = ("?", "？")
_MARK_OF_QUESTION = re.compile(r"^(?:Q|Question|问)\s*\d*\s*[:：.]\s*(?=\S)")


def questions(outline: Outline) -> Iterator[StructureFact]:
    """Yield each question with its answer."""
    asked_by = _announces(outline.document.language)
    for section in range(1, len(outline.document.sections)):
        title, blocks = outline.heading(section), outline.of_section[section]
        asked = [place for place, number in enumerate(blocks) if _asks(outline.blocks[number])]
        passages = _answer(outline, section, blocks[: asked[0]] if asked else blocks)
        above = None if asks_itself(title.text) else _beginning(outline, section)
        if passages and above:
            name = _completed(question_stem(above.text), title.text)
            yield outline.fact(StructureKind.ANSWERS, section, title, passages, heads=(above,), name=name)
        elif passages and (_is_question(title.text) or asked_by(title.text)):
            yield outline.fact(StructureKind.ANSWERS, section, title, passages)
        for place, following in zip(asked, [*asked[1:], len(blocks)], strict=False):
            block = outline.blocks[blocks[place]]
            passage = outline.excerpt(_own_answer(outline, blocks[place + 1 : following]))
            if passage:
                mark = _MARK_OF_QUESTION.match(block.text)
                subject = outline.part(block, mark.end() if mark else 0, len(block.text))
                yield outline.fact(StructureKind.ANSWERS, section, subject, [passage])


def _announces(language: str) -> Callable[[str], str]:
    """Return the function of a language that asks what a heading announces, if the heading is in its script."""
    ask = nearest_language(language).heading_question
    return lambda title: ask(title) if has_cjk(title) == is_unspaced(language) else ""


def _is_question(title: str) -> bool:
    """Check whether a title asks for the text below: it is more than "Questions?" or the beginning of a question."""
    return title.endswith(_QUESTION_MARKS) and names_thing(title) and not question_stem(title)


def _asks(block: Block) -> bool:
    """Check whether a block is one bold question."""
    bold = block.strong and block.strong[0][0] == 0 and block.strong[-1][1] >= len(block.text) - 1
    return bool(bold) and block.kind == "paragraph" and _is_question(block.text)


def _answer(outline: Outline, section: int, own: list[int]) -> list[Excerpt]:
    """Return what answers a heading: its own text, and the text of each section below if its own leads into them."""
    parts, sections = [own], outline.document.sections
    if not own or outline.blocks[own[-1]].text.endswith(COLONS):
        for below in range(section + 1, len(sections)):
            if sections[below].level <= sections[section].level:
                break
            if sections[below].title.endswith(_QUESTION_MARKS):
                parts = [own]  # they answer questions of their own
                break
            parts.append(outline.of_section[below])
    return [passage for part in parts if (passage := outline.excerpt(_own_answer(outline, part)))]


def _own_answer(outline: Outline, numbers: list[int]) -> list[int]:
    """Return the blocks without the notes at their end and the paragraphs there that send the reader on."""
    end = len(numbers)
    while (
        end > 1 and _is_tail(outline, numbers[end - 1]) and not outline.blocks[numbers[end - 2]].text.endswith(COLONS)
    ):
        end -= 1
    return numbers[:end]


def _is_tail(outline: Outline, number: int) -> bool:
    block = outline.blocks[number]
    inside = outline.document.containers[block.inside].kind if block.inside >= 0 else None
    return inside == ContainerKind.NOTE or (block.kind == "paragraph" and points_on(block.text))


def _beginning(outline: Outline, section: int) -> Excerpt | None:
    """Return the heading above a section if it begins a question and breaks off."""
    above = _above(outline, section)
    return above if above and question_stem(above.text) else None


def _above(outline: Outline, section: int) -> Excerpt | None:
    """Return the heading above a section, None if there is none."""
    sections = outline.document.sections
    above = next((one for one in range(section - 1, 0, -1) if sections[one].level < sections[section].level), 0)
    return outline.heading(above) if above else None


def _completed(stem: str, title: str) -> str:
    """Return the whole question; the first letter of ``title`` is lowered unless its first word is all capitals.

    Example:
        >>> _completed("How do I", "Use the printers?")
        'How do I use the printers?'
    """
    rest = title if title[1:2].isupper() else title[:1].lower() + title[1:]
    return f"{stem} {rest.rstrip('?？ ')}?"
