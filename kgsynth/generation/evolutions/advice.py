"""conditional / advice: what to do in a case that a sentence names, by the sentence or the list that it leads into."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from kgsynth.base.records import Block, Document, Excerpt, Scenario, StructureFact, content_id
from kgsynth.base.thresholds import LIMITS
from kgsynth.base.vocabulary import StructureKind
from kgsynth.evidence.knowledge import Knowledge
from kgsynth.evidence.list_answers import short_members
from kgsynth.language import Language, language
from kgsynth.language.lengths import length_in_words
from kgsynth.language.passage_words import is_set_aside, lacks_word
from kgsynth.language.sentence_ends import sentence_spans

_ADVISING = frozenset({"paragraph", "item"})


def walk(knowledge: Knowledge) -> Iterator[Scenario]:
    """Yield a scenario for each case in which a sentence, or a list after it, says what to do."""
    found = [*_in_prose(knowledge), *_in_lists(knowledge)]
    often = Counter(_case(fact, knowledge) for fact in found)
    for fact in found:
        if often[_case(fact, knowledge)] == 1:  # otherwise each place answers only in part
            yield Scenario("conditional", "advice", (), structure=(fact,))


def _case(fact: StructureFact, knowledge: Knowledge) -> frozenset[str]:
    return frozenset(knowledge.statements.language_of(fact.doc).content_stems(fact.subject.text))


def _in_prose(knowledge: Knowledge) -> Iterator[StructureFact]:
    for document in knowledge.documents.values():
        reader = language(document.language)
        for block in document.blocks:
            if block.kind in _ADVISING and not any(map(is_set_aside, document.sections[block.section].path)):
                yield from _advice(document, block, reader)


def _in_lists(knowledge: Knowledge) -> Iterator[StructureFact]:
    for fact in knowledge.structure:
        if fact.kind in (StructureKind.MEMBER, StructureKind.PROCEDURE):
            short = sum(map(length_in_words, short_members(fact))) <= LIMITS.passage_max_words
            if short and knowledge.statements.language_of(fact.doc).advice_lead(fact.subject.text):
                yield fact


def _advice(document: Document, block: Block, reader: Language) -> Iterator[StructureFact]:
    """Yield the advice of a block; the orders after it belong to it."""
    spans = list(sentence_spans(block.text))
    for number, (start, end) in enumerate(spans):
        found = reader.advice(block.text[start:end])
        if found is None:
            continue
        opening, case, done = found
        stop = start + done[1]
        for low, high in spans[number + 1 :] if done[1] == end - start else ():
            if not reader.is_further_advice(block.text[low:high]):
                break
            stop = high
        parts = [_part(block, start + case[0], start + case[1]), _part(block, start + done[0], stop)]
        words = length_in_words(parts[1].text)
        if words > LIMITS.compared_max_words or any(lacks_word(part.text) for part in parts):
            continue
        ident = content_id("t", document.id, "advice", *((part.start, part.end) for part in parts))
        yield StructureFact(ident, StructureKind.TOPIC, document.id, block.section, parts[0], (parts[1],), name=opening)


def _part(block: Block, start: int, end: int) -> Excerpt:
    text = block.text[start:end].rstrip(" .!")
    return Excerpt(text, *block.locate(start, start + len(text)))
