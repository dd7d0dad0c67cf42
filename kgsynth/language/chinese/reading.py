"""Read a Chinese document: its sentences, what it names, and the facts that the form of a sentence proves."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from kgsynth.base.records import PROSE, Analysis, Block, Document, Fact, Mention, Phrase, Sentence, Verb, content_id
from kgsynth.base.thresholds import LIMITS
from kgsynth.base.vocabulary import ContainerKind, FactKind, Role
from kgsynth.language.chinese.attributes import definition_facts, role_facts, time_facts
from kgsynth.language.chinese.clauses import Part, Split, Stated, clauses, sentences
from kgsynth.language.chinese.conditions import condition_facts, value_facts
from kgsynth.language.chinese.names import aliases, mentions, named_in
from kgsynth.language.chinese.reasons import cause_facts, goal_facts, purpose_facts
from kgsynth.language.chinese.text_forms import content_stems
from kgsynth.language.text_words import lacks_word


def says_use(fact: Fact, place: int) -> bool:
    """Check whether a phrase says what something is used for: 禾图用来监控服务器, and not 为了省电，禾图会休眠."""
    return fact.phrases[place].role == Role.PURPOSE and fact.kind != FactKind.OUTCOME


EXPLAINING: tuple[Callable[[Split], Iterator[Stated]], ...] = (
    definition_facts, cause_facts, purpose_facts, goal_facts, condition_facts,
)  # fmt: skip
"""The forms that read a whole sentence; the first that finds something has read it."""
TELLING: tuple[Callable[[Split], Iterator[Stated]], ...] = (value_facts, time_facts, role_facts)
"""The forms that read single clauses, where none of the others holds."""


def analyse(document: Document, model: str) -> Analysis:
    """Return what one document says; ``model``, a parser, is not needed."""
    blocks = [
        block
        for block in document.blocks
        if block.kind in PROSE and 0 < len(block.text) <= LIMITS.parsed_block_characters
    ]
    names = named_in(blocks)
    shorts = {pair for block in blocks for pair in aliases(block.text)}
    known = frozenset({*names, *(name for pair in shorts for name in pair)})
    found: list[Sentence] = []
    facts: list[Fact] = []
    named: list[Mention] = []
    for block in blocks:
        listed, step = is_listed(document, block), is_listed(document, block, numbered=True)
        named += mentions(document.id, block, names)
        for start, end in sentences(block.text):
            text = block.text[start:end]
            sentence = _sentence(document.id, block, text, start)
            found.append(sentence)
            split = Split(text, tuple(clauses(text)), known, block.text[end:], listed, step)
            facts += (_fact(sentence, block, start, stated) for stated in read(split))
    return Analysis(
        document.id, tuple(found), tuple(facts), tuple(named), tuple(sorted(shorts)), language=document.language
    )


def is_listed(document: Document, block: Block, *, numbered: bool = False) -> bool:
    """Check whether a block stands in an item of a list, of whatever depth; ``numbered``: of a list of steps."""
    wanted = ContainerKind.STEPS if numbered else ContainerKind.ITEM
    place = block.inside
    while place >= 0:
        if document.containers[place].kind == wanted:
            return True
        place = document.containers[place].parent
    return False


def read(split: Split) -> list[Stated]:
    """Return the facts that the forms prove in one sentence; questions and lines with a label state none.

    Nor do sentences of which a reader of the page has lost a word.
    """
    if (
        not split.clauses
        or lacks_word(split.text)
        or split.text.rstrip("”」』） ").endswith(("？", "?", "！", "!", "…"))
    ):
        return []
    label = split.text[split.clauses[0][1] : split.clauses[0][1] + 1]
    if label in {"：", ":"} and len(split.clauses) > 1:
        return []  # 移除：短信告警
    for form in EXPLAINING:
        if found := list(form(split)):
            return found
    return [stated for form in TELLING for stated in form(split)]


def _sentence(doc: str, block: Block, text: str, start: int) -> Sentence:
    return Sentence(doc, block.section, *block.locate(start, start + len(text)), text, tuple(content_stems(text)))


def _fact(sentence: Sentence, block: Block, start: int, stated: Stated) -> Fact:
    """Return what a form has found as a fact, with its places in the document."""
    place = sentence.doc, sentence.section, sentence.start, sentence.end
    phrases = tuple(_phrase(block, start, part) for part in stated.parts)
    verb_start, _ = block.locate(start + stated.verb_start, start + stated.verb_start + 1)
    verb = Verb(stated.verb, stated.verb, "", start=verb_start, end=verb_start, flags=stated.flags)
    roles = ",".join(part.role for part in stated.parts)
    ident = content_id("f", *place, stated.parts[0].start, roles)
    return Fact(ident, *place, sentence.text, verb, phrases, stated.kind)


def _phrase(block: Block, start: int, part: Part) -> Phrase:
    text = block.text[start + part.start : start + part.end]
    lemmas = tuple(content_stems(text))
    place = block.locate(start + part.start, start + part.end)
    head = lemmas[-1] if lemmas else text
    return Phrase(part.role, text, *place, head, "", part.label, lemmas, part.flags)
