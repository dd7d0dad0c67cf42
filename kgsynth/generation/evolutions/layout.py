"""Scenarios from the layout: a cell, a list, a term, and what the heading of a section asks."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from kgsynth.base.records import Document, Scenario, StructureFact, containers_around
from kgsynth.base.thresholds import LIMITS
from kgsynth.base.vocabulary import ContainerKind, StructureKind
from kgsynth.documents.structure.outline import Outline
from kgsynth.documents.structure.questions import has_lost_text
from kgsynth.evidence.knowledge import Knowledge
from kgsynth.evidence.list_answers import said_in_short, short_members
from kgsynth.evidence.statements import column_of
from kgsynth.golden.answer_members import answer_members
from kgsynth.language.lengths import length_in_words
from kgsynth.language.text_words import asks_condition, asks_reason, is_set_aside, points_on


def walk_look_up(knowledge: Knowledge) -> Iterator[Scenario]:
    """Yield a scenario for each cell with a column head, in columns that are long enough to be a table of things."""
    columns = knowledge.derived(column_of)
    for fact in knowledge.structure:
        if fact.kind != StructureKind.CELL or not fact.heads:
            continue
        rows = len(columns[fact.doc, fact.group, fact.column])
        if rows >= LIMITS.table_min_rows and length_in_words(fact.values[0].text) <= LIMITS.cell_max_words:
            yield Scenario("simple", "look_up", (), structure=(fact,))


# simple / listing: the members of a list that a sentence or a heading leads into.

_READ = frozenset({"item", "paragraph"})


def walk_listing(knowledge: Knowledge) -> Iterator[Scenario]:
    """Yield a scenario for each complete list of members or steps that is short enough to be an answer."""
    lists = [fact for fact in knowledge.structure if fact.kind in (StructureKind.MEMBER, StructureKind.PROCEDURE)]
    leads = Counter((fact.doc, fact.subject.text.casefold()) for fact in lists)
    inside = knowledge.derived(_blocks_of_lists)
    for fact in lists:
        short = short_members(fact)
        words = sum(map(length_in_words, short))
        fits = words <= LIMITS.passage_max_words and len(short) <= LIMITS.list_max_members
        whole = _is_whole(knowledge.documents[fact.doc], fact, inside)
        exact = answer_members(said_in_short(fact)) == short
        if fits and whole and exact and leads[fact.doc, fact.subject.text.casefold()] == 1:
            yield Scenario("simple", "listing", (), structure=(fact,))


def _blocks_of_lists(knowledge: Knowledge) -> Mapping[tuple[str, int], list[int]]:
    """Return the blocks in each list of each document, those of nested lists too."""
    found: dict[tuple[str, int], list[int]] = defaultdict(list)
    for doc, document in knowledge.documents.items():
        for number, block in enumerate(document.blocks):
            for place in containers_around(document.containers, block.inside):
                if document.containers[place].kind in (ContainerKind.LIST, ContainerKind.STEPS):
                    found[doc, place].append(number)
    return found


def _is_whole(document: Document, fact: StructureFact, inside: Mapping[tuple[str, int], list[int]]) -> bool:
    """Check whether every block of a list is text of a member, and no member is only a link."""
    blocks = [document.blocks[number] for number in inside[fact.doc, fact.group]]
    members = [(value.start, value.end) for value in fact.values]
    told = all(any(start <= block.start and block.end <= end for start, end in members) for block in blocks)
    linked = sum(any(end - start >= len(block.text) - 1 for start, end, _ in block.links) for block in blocks)
    return told and all(block.kind in _READ for block in blocks) and linked * 2 < len(blocks)


# simple / term: what is said of a term, a parameter or an option in a list of such.


def walk_term(knowledge: Knowledge) -> Iterator[Scenario]:
    """Yield a scenario for each term that is explained, and for each default of a parameter."""
    for fact in knowledge.structure:
        asked = fact.kind in (StructureKind.DEFINITION, StructureKind.DEFAULT)
        if asked and length_in_words(fact.values[0].text) <= LIMITS.passage_max_words:
            yield Scenario("simple", "term", (), structure=(fact,))


# simple / page_question: what a heading asks, answered by the section below it.
#
# "Archiving a channel" asks how you archive a channel. The section must be short enough to have one answer, and have
# no sections of its own; the writer finds the sentences in it that answer. Questions for a reason are
# ``page_reason``, those on a case ``page_condition``.


def walk_page_question(knowledge: Knowledge) -> Iterator[Scenario]:
    """Yield a scenario for each heading that asks, whose section answers."""
    return scenarios(knowledge, "page_question", "simple")


def scenarios(knowledge: Knowledge, subtype: str, question_type: str) -> Iterator[Scenario]:
    """Yield the scenarios of one of the subtypes of questions that headings ask."""
    for fact in knowledge.structure:
        if fact.kind != StructureKind.ANSWERS or _subtype(fact, knowledge) != subtype:
            continue
        if _may_answer(fact, knowledge, LIMITS.answered_max_words):  # a part of the text is the answer
            yield Scenario(question_type, subtype, (), structure=(fact,))


def _subtype(fact: StructureFact, knowledge: Knowledge) -> str:
    asked = fact.name or knowledge.statements.language_of(fact.doc).heading_question(fact.subject.text)
    question = asked or fact.subject.text
    if asks_reason(question):
        return "page_reason"
    return "page_condition" if asks_condition(question) else "page_question"


def _may_answer(fact: StructureFact, knowledge: Knowledge, most: int) -> bool:
    """Check whether the text below a heading is the whole section, is complete, and has at most so many words."""
    words = length_in_words(fact.values[0].text)
    return LIMITS.passage_min_words <= words <= most and _is_complete(fact, knowledge)


def _is_complete(fact: StructureFact, knowledge: Knowledge) -> bool:
    """Check whether a text is the whole section and lacks nothing."""
    document, passage = knowledge.documents[fact.doc], fact.values[0]
    following = document.sections[fact.section + 1] if fact.section + 1 < len(document.sections) else None
    whole = following is None or following.level <= document.sections[fact.section].level
    return (
        whole
        and len(fact.values) == 1
        and not points_on(passage.text)
        and not any(map(is_set_aside, document.sections[fact.section].path))
        and not _announces_what_is_gone(fact, document)
        and not has_lost_text(document, passage.start, passage.end)
    )


# simple / topic: what a document says about the topic of a section, which is the answer as a whole.

_ENDS = (".", "!", ":", "。", "！", "：")
_SHARED = 2  # words of content of a later paragraph and the first one, or one and the heading: they are on one topic
_AFTER_LABEL = " .:。："


def walk_topic(knowledge: Knowledge) -> Iterator[Scenario]:
    """Yield a scenario for each section of plain text whose topic no other section of its document has."""
    titles = Counter(document.title for document in knowledge.documents.values())
    for document in knowledge.documents.values():
        reader, sections = knowledge.statements.language_of(document.id), document.sections
        asked = [n for n in range(1, len(sections)) if reader.topic_question(document.title, sections[n].title)]
        if titles[document.title] > 1:
            continue
        outline, topics = Outline(document), [frozenset(reader.content_stems(section.title)) for section in sections]
        for fact in _labelled(outline):
            words = length_in_words(fact.values[0].text)
            if reader.topic_question(document.title, fact.subject.text) and words >= LIMITS.passage_min_words:
                yield Scenario("simple", "topic", (), structure=(fact,))
        for number in asked:
            blocks = outline.of_section[number]
            if sum(topics[number] <= other for other in topics) > 1 or not _is_plain(outline, blocks):
                continue
            texts = [outline.blocks[block].text for block in blocks if outline.blocks[block].kind == "paragraph"]
            first, *later = (frozenset(reader.content_stems(text)) for text in texts)
            if not all(told & topics[number] or len(told & first) >= _SHARED for told in later):
                continue  # a paragraph on something else
            if passage := outline.excerpt(blocks):
                fact = outline.fact(StructureKind.TOPIC, number, outline.heading(number), [passage])
                if _may_answer(fact, knowledge, LIMITS.passage_max_words):
                    yield Scenario("simple", "topic", (), structure=(fact,))


def _labelled(outline: Outline) -> Iterator[StructureFact]:
    """Yield a fact for each paragraph that opens with its topic in bold, if the next block belongs to another topic."""
    for block, after in zip(outline.blocks, [*outline.blocks[1:], None], strict=True):
        end = block.strong[0][1] if block.kind == "paragraph" and block.strong and block.strong[0][0] == 0 else 0
        alone = after is None or after.section != block.section or (after.strong and after.strong[0][0] == 0)
        rest = block.text[end:].lstrip(_AFTER_LABEL)
        if end and alone and rest and set(block.text[end - 1 : end + 1]) & set(_AFTER_LABEL.strip()):
            passage = outline.part(block, len(block.text) - len(rest), len(block.text))
            topic = replace(outline.part(block, 0, end), start=block.start)
            yield outline.fact(StructureKind.TOPIC, block.section, topic, [passage])


def _is_plain(outline: Outline, numbers: Sequence[int]) -> bool:
    """Check whether blocks read as sentences when they are put in a row: paragraphs, and items that end as those do."""
    blocks = [outline.blocks[number] for number in numbers]
    return (
        bool(blocks)
        and blocks[0].kind == "paragraph"
        and all(block.kind in _READ and block.text.rstrip().endswith(_ENDS) for block in blocks)
    )


_ANNOUNCED = frozenset({"item", "code", "cell", "quote"})


def _announces_what_is_gone(fact: StructureFact, document: Document) -> bool:
    """Check whether a block ends in a colon and nothing follows that it could announce: the code was included."""
    passage = fact.values[0]
    blocks = [block for block in document.blocks_from(passage.start, passage.end) if block.text]
    for block, after in zip(blocks, [*blocks[1:], None], strict=True):
        if block.text.rstrip("🤓✨😎🎉🚀 ").endswith((":", "：")) and (after is None or after.kind not in _ANNOUNCED):
            return True
    return False


def walk_page_condition(knowledge: Knowledge) -> Iterator[Scenario]:
    """Yield a scenario for each heading that asks about a case, whose section answers."""
    return scenarios(knowledge, "page_condition", "conditional")


def walk_page_reason(knowledge: Knowledge) -> Iterator[Scenario]:
    """Yield a scenario for each heading that asks about a reason, whose section answers."""
    return scenarios(knowledge, "page_reason", "reasoning")
