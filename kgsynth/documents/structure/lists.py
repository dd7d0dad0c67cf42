"""Read lists and steps, and terms with what is said of them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from kgsynth.base.records import Block, Excerpt, StructureFact
from kgsynth.base.vocabulary import ContainerKind, StructureKind
from kgsynth.documents.structure.outline import COLONS, Outline
from kgsynth.language.sentence_ends import sentence_spans
from kgsynth.language.text_words import (
    ANY,
    PARAMETER_TRAITS,
    announces_steps,
    gives_order,
    is_order,
    names_task,
    names_thing,
    points_back,
    says_nothing,
)
from kgsynth.language.words import words

# Read lists: their items with what they are items of, and numbered lists as the steps of a task.
#
# What a list lists is said by the sentence that leads into it and ends in a colon, with the sentence before if it
# needs that, or by the heading right above it. The heading is also the subject if the lead says nothing, as "For
# instance:".

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


# Read terms and what is said of them: definition lists, documented parameters, and items that begin with a bold term.
#
# What is said of a parameter may name its default, its type, or that it is required: each is a fact of its own. A
# term that several sections explain has the heading of its section as head; one explained twice in a section says
# nothing.

_TERM_SEPARATOR = re.compile(r"\s*(?:\([^()]{1,60}\)|\[[^\[\]]{1,60}\]|（[^（）]{1,60}）)?\s*(?:[:：–—]|\s-{1,2}\s)\s*")
_FIELD = re.compile(r"(?P<name>[^:]{1,60}):\s+")
_MAX_TERM_WORDS = 8
_MAX_VALUE_WORDS = 6  # of a default or type
_MIN_TERMS = 2  # in one list or section: one bold word is emphasis


@dataclass(frozen=True, slots=True)
class _TermPair:
    """A term and its detail; what ``block`` says from ``start`` on may name traits of a parameter."""

    group: int
    term: Excerpt
    detail: Excerpt
    block: Block
    start: int

    @property
    def key(self) -> tuple[int, str]:
        """Return the section and the term."""
        return self.block.section, self.term.text.casefold()


def terms(outline: Outline) -> Iterator[StructureFact]:
    """Yield each term with what is said of it, and the default, type and requirement of each parameter."""
    pairs = [pair for pair in _pairs(outline) if names_thing(pair.term.text) and not _stops_short(pair.detail.text)]
    often = Counter(pair.key for pair in pairs)
    sections = Counter(term for _, term in often)
    for pair in pairs:
        section, term = pair.key
        if often[pair.key] > 1:
            continue
        heading = outline.heading(section)
        heads = (heading,) if sections[term] > 1 and heading.text else ()
        yield outline.fact(StructureKind.DEFINITION, section, pair.term, [pair.detail], heads=heads, group=pair.group)
        yield from _traits(outline, pair)


def _stops_short(detail: str) -> bool:
    return detail.rstrip().endswith(COLONS)


def _pairs(outline: Outline) -> Iterator[_TermPair]:
    for number, _ in outline.containers(ContainerKind.TERMS):
        yield from _term_list(outline, number)
    for number, _ in outline.containers(ContainerKind.LIST, ContainerKind.STEPS):
        items = [(outline.own_blocks[part], outline.item(part)) for part in outline.parts(number, ContainerKind.ITEM)]
        yield from _marked(outline, items, number)
    for blocks in outline.of_section.values():
        alone = [([block], None) for block in blocks if outline.blocks[block].kind == "paragraph"]
        yield from _marked(outline, alone, -1)


def _term_list(outline: Outline, number: int) -> Iterator[_TermPair]:
    """Yield the pairs of a definition list; terms in a row share what follows them. A field is "name: detail"."""
    waiting: list[Excerpt] = []
    for part in outline.children[number]:
        kind, blocks = outline.document.containers[part].kind, outline.inside(part)
        content = outline.excerpt(blocks)
        if content is None:
            continue
        first = outline.blocks[blocks[0]]
        if kind == ContainerKind.TERM:
            waiting.append(_without_colon(content))
        elif kind == ContainerKind.DETAIL:
            yield from (_TermPair(number, term, content, first, 0) for term in waiting)
            waiting = []
        elif (match := _FIELD.match(first.text)) and first.text[match.end() :].strip():
            term = outline.part(first, 0, match.end("name"))
            detail = outline.part(first, match.end(), len(first.text))
            yield _TermPair(number, term, detail, first, match.end())


def _without_colon(term: Excerpt) -> Excerpt:
    return Excerpt(term.text[:-1], term.start, term.end - 1) if term.text[-1:] in COLONS else term


def _marked(outline: Outline, groups: Sequence[tuple[list[int], Excerpt | None]], number: int) -> Iterator[_TermPair]:
    """Yield the pairs of blocks that begin with a bold or code term and a separator, if there are several."""
    found = []
    for blocks, whole in groups:
        block = outline.blocks[blocks[0]] if blocks else None
        split = _split(block) if block and block.kind in ("item", "paragraph") else None
        if block and split:
            stop, start = split
            detail = outline.part(block, start, len(block.text))
            if whole and whole.text.startswith(block.text):
                detail = Excerpt(f"{detail.text}{whole.text[len(block.text) :]}", detail.start, whole.end)
            found.append(_TermPair(number, outline.part(block, 0, stop), detail, block, stop))
    if len(found) >= max(_MIN_TERMS, 0 if number < 0 else len(groups) // 2):
        yield from found


def _split(block: Block) -> tuple[int, int] | None:
    """Return where the term of a block ends and where its detail begins; None if it does not begin with a term."""
    mark = next((mark for mark in (*block.strong, *block.code) if mark[0] == 0), None)
    if mark is None:
        return None
    stop = mark[1]
    term = block.text[:stop].rstrip()
    if term.endswith(COLONS) and block.text[stop:].strip():
        return (len(term) - 1, stop) if len(term.split()) <= _MAX_TERM_WORDS else None
    match = _TERM_SEPARATOR.match(block.text, stop)
    if match is None or not block.text[match.end() :].strip() or len(term.split()) > _MAX_TERM_WORDS:
        return None
    return stop, match.end()


def _traits(outline: Outline, pair: _TermPair) -> Iterator[StructureFact]:
    """Yield the default, type and requirement that a detail names."""
    if pair.term.text.endswith(("?", "？")):
        return  # the term is itself a trait: "Required?"
    text = pair.block.text[pair.start :]
    for name, patterns in PARAMETER_TRAITS.items():
        match = next((match for pattern in patterns if (match := ANY.patterns[pattern].search(text))), None)
        if match:
            head = outline.part(pair.block, *(pair.start + place for place in match.span("head")))
            value = outline.part(pair.block, *_value(pair, *match.span("value")))
            if len(value.text.split()) <= _MAX_VALUE_WORDS:
                yield outline.fact(
                    StructureKind.DEFAULT,
                    pair.block.section,
                    pair.term,
                    [value],
                    heads=(head,),
                    name=name,
                    group=pair.group,
                )


def _value(pair: _TermPair, start: int, end: int) -> tuple[int, int]:
    """Return where a value is in its block: all of the code that it begins with, if it begins with code."""
    start, end = pair.start + start, pair.start + end
    return next((mark for mark in pair.block.code if mark[0] == start), (start, end))
