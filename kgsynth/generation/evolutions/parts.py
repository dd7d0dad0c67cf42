"""multi_context / parts: the members of a matter, each of which has a section of its own.

The heading "Types of leave" has a section on each type below it. They are too long for one passage, and no passage
elsewhere names them all.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

from kgsynth.base.records import Document, Excerpt, Scenario, StructureFact
from kgsynth.base.thresholds import LIMITS
from kgsynth.base.vocabulary import StructureKind
from kgsynth.documents.structure.outline import Outline
from kgsynth.evidence.knowledge import Knowledge
from kgsynth.language.lengths import length_in_words
from kgsynth.language.part_words import is_part_of_text, is_residue, member_name
from kgsynth.language.passage_words import is_set_aside
from kgsynth.language.sentence_ends import sentence_spans


def walk(knowledge: Knowledge) -> Iterator[Scenario]:
    """Yield a scenario for each heading with the headings directly below it: first the matter, then its members."""
    for document in knowledge.documents.values():
        outline = Outline(document)
        for above, below in _families(document):
            members = _members(document, below)
            if not LIMITS.parts_min <= len(members) <= LIMITS.list_max_members:
                continue
            if any(map(is_set_aside, document.sections[above].path)):
                continue
            facts = [fact for number in (above, *members) if (fact := _told(outline, number)) is not None]
            if len(facts) == 1 + len(members) and _is_scattered(knowledge, facts[1:]):
                path = " > ".join((document.sections[above].id, *(document.sections[n].id for n in members)))
                yield Scenario("multi_context", "parts", (), structure=tuple(facts), scope=path)


def _families(document: Document) -> Iterator[tuple[int, list[int]]]:
    """Yield each section that has sections directly below it, with these."""
    below: dict[int, list[int]] = defaultdict(list)
    open_sections = [0]
    for number in range(1, len(document.sections)):
        while open_sections[-1] and document.sections[open_sections[-1]].level >= document.sections[number].level:
            open_sections.pop()
        below[open_sections[-1]].append(number)
        open_sections.append(number)
    yield from sorted(below.items())


def _members(document: Document, below: Sequence[int]) -> list[int]:
    """Return the sections that are members of a matter; none if one of them is a part of a text or a remainder."""
    titles = [document.sections[number].title for number in below]
    start, end = 0, len(below)
    while start < end and is_part_of_text(titles[start]):
        start += 1
    while start < end and is_part_of_text(titles[end - 1]):
        end -= 1
    kept = titles[start:end]
    names = [member_name(title) for title in kept]
    bad = any(
        is_part_of_text(title)
        or is_part_of_text(title.partition(":")[0])
        or is_residue(title)
        or ";" in title
        or title.endswith(("?", "…", "..."))
        for title in kept
    )
    long = any(length_in_words(name) > LIMITS.part_max_words for name in names)
    return [] if bad or long or len({name.casefold() for name in names}) < len(names) else list(below[start:end])


def _told(outline: Outline, section: int) -> StructureFact | None:
    """Return the name of a section with the first sentence below it; None if the heading has no place of its own."""
    title = outline.heading(section)
    if not section and title.start == title.end:  # the title of a document need not stand in its text
        return outline.fact(StructureKind.TOPIC, section, title, [])
    name = member_name(title.text)
    block = outline.block_at(title.start)
    if block.kind != "heading" or name not in block.text:
        return None
    subject = outline.part(block, block.text.index(name), block.text.index(name) + len(name))
    return outline.fact(StructureKind.TOPIC, section, subject, _first_sentence(outline, section))


def _first_sentence(outline: Outline, section: int) -> list[Excerpt]:
    blocks = [outline.blocks[number] for number in outline.of_section[section][:1]]
    if not blocks or blocks[0].kind != "paragraph":
        return []
    start, end = next(sentence_spans(blocks[0].text), (0, 0))
    if blocks[0].start - outline.heading(section).end > LIMITS.evidence_gap:
        return []
    return [outline.part(blocks[0], start, end)] if start < end else []


def _is_scattered(knowledge: Knowledge, members: Sequence[StructureFact]) -> bool:
    """Check that no passage of a common size holds the members, and no chunk names all of them, or all except one."""
    first, last = members[0], members[-1]
    if last.excerpts[-1].end - first.subject.start <= LIMITS.passage_characters:
        return False
    names = [member.subject.text.casefold() for member in members]
    one, other = names[:2]  # a text without both lacks two names
    nearly = [text for text in knowledge.derived(_folded) if one in text or other in text]
    return not any(sum(name in text for name in names) >= len(names) - 1 for text in nearly)


def _folded(knowledge: Knowledge) -> list[str]:
    return [" ".join(chunk.text.casefold().split()) for chunk in knowledge.chunks]
