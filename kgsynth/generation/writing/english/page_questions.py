"""Questions that headings ask, answered by a part of the section below them."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from typing import NamedTuple

from kgsynth.base.records import Block, Document, Excerpt, Scenario, StructureFact
from kgsynth.base.thresholds import LIMITS
from kgsynth.base.vocabulary import ContainerKind, StructureKind
from kgsynth.documents.structure.outline import Outline
from kgsynth.evidence.knowledge import Knowledge
from kgsynth.generation.writing.draft import QuestionDraft, UnwrittenError, Why, span_of
from kgsynth.generation.writing.english.drafts import fronted
from kgsynth.generation.writing.english.scope import is_policy, local_scopes, scopes
from kgsynth.generation.writing.english.written_names import (
    article_of,
    as_written,
    has_article,
    is_written_as_noun,
    names_in_titles,
)
from kgsynth.golden.answer_members import joined_members
from kgsynth.language.english.forms import bare_title, heading_question, topic_question
from kgsynth.language.english.heading_bodies import (
    CODE,
    SENTENCE,
    SectionPiece,
    answer_run,
    asks_how,
    is_order,
    is_order_by_text,
    reads_as_verb,
    refers_outside,
    tells_reader,
)
from kgsynth.language.english.lexicon import PATTERNS, WORDS
from kgsynth.language.english.morphology import inflected
from kgsynth.language.english.question_checks import content_stems
from kgsynth.language.lengths import length_in_words
from kgsynth.language.sentence_ends import sentence_spans
from kgsynth.language.text_words import announces_steps


class AnswerPlace(NamedTuple):
    """Where a section answers: one excerpt for a run of sentences, one for each of the steps."""

    parts: tuple[Excerpt, ...]
    evidence: tuple[int, int]

    @property
    def text(self) -> str:
        """The answer as one text."""
        return " ".join(part.text for part in self.parts)


class _Placed(NamedTuple):
    piece: SectionPiece
    start: int
    end: int


def answer_place(question: str, fact: StructureFact, knowledge: Knowledge) -> AnswerPlace | None:
    """Return where the section of a fact answers a question, None if no part of it answers alone.

    The evidence begins with the heading if the answer stands right below it.
    """
    document, passage = knowledge.documents[fact.doc], fact.values[0]
    if not asks_how(question) and length_in_words(passage.text) > LIMITS.passage_max_words:
        return None
    pieces = list(_pieces(document, passage))
    steps = _steps(question, fact, knowledge, pieces)
    if steps:
        parts = steps
    else:
        run = answer_run(question, [each.piece for each in pieces])
        if run is None:
            return None
        start, end = pieces[run.start].start, pieces[run.stop - 1].end
        parts = (Excerpt(document.plain(start, end), start, end),)
    if sum(length_in_words(part.text) for part in parts) > LIMITS.answer_run_words:
        return None
    first = fact.subject.start if parts[0].start == passage.start else parts[0].start
    return AnswerPlace(parts, (first, parts[-1].end))


def _pieces(document: Document, passage: Excerpt) -> Iterator[_Placed]:
    for block in document.blocks_from(passage.start, passage.end):
        if block.kind == "paragraph" and not _in_note(document, block):
            for number, (start, end) in enumerate(sentence_spans(block.text)):
                yield _Placed(SectionPiece(SENTENCE, block.text[start:end], number == 0), *block.locate(start, end))
        elif block.text.strip():
            kind = "note" if _in_note(document, block) else block.kind
            yield _Placed(SectionPiece(CODE if kind == "code" else kind, block.text), block.start, block.end)


def _in_note(document: Document, block: Block) -> bool:
    return block.inside >= 0 and document.containers[block.inside].kind == ContainerKind.NOTE


def _steps(question: str, fact: StructureFact, knowledge: Knowledge, pieces: list[_Placed]) -> tuple[Excerpt, ...]:
    """Return the steps of the only list in a section, none if text beside it tells the reader to do more."""
    passage, inside = fact.values[0], knowledge.derived(_numbered)[fact.doc, fact.section]
    if len(inside) != 1 or not (asks_how(question) or question.startswith("What should you do ")):
        return ()
    steps = inside[0]
    if not 1 < len(steps) <= LIMITS.list_max_members or not all(is_order(step.text) for step in steps):
        return ()
    beside = [each.piece for each in pieces if each.end <= steps[0].start or each.start >= steps[-1].end]
    told = [piece for piece in beside if tells_reader(piece.text) and not announces_steps(piece.text)]
    strange = any(piece.kind not in (SENTENCE, "note") for piece in beside)
    within = passage.start <= steps[0].start and steps[-1].end <= passage.end
    return () if told or strange or not within else steps


def _numbered(knowledge: Knowledge) -> dict[tuple[str, int], list[tuple[Excerpt, ...]]]:
    """Return the items of each list that is not in another, by document and section; none of one without numbers."""
    found: dict[tuple[str, int], list[tuple[Excerpt, ...]]] = defaultdict(list)
    for document in knowledge.documents.values():
        if not any(container.kind == ContainerKind.STEPS for container in document.containers):
            continue
        outline = Outline(document)
        for number, container in outline.containers(ContainerKind.LIST, ContainerKind.STEPS):
            blocks = outline.inside(number)
            if blocks and not any(around.kind == ContainerKind.ITEM for around in outline.around(number)):
                items = [outline.item(part) for part in outline.parts(number, ContainerKind.ITEM)]
                known = container.kind == ContainerKind.STEPS and all(items)
                section = outline.blocks[blocks[0]].section
                found[document.id, section].append(tuple(item for item in items if item) if known else ())
    return found


# Questions that headings ask, alone where they name their subject, or in the scope of a product or library.

_HOW = "How do you "
_TAKEN_UP = 0.5  # of the words of a heading in the text below it, to be what that is about


def page_question(scenario: Scenario, knowledge: Knowledge) -> Iterator[QuestionDraft]:
    """Yield the question of a heading, alone if it names its subject, and in a short scope if there is one."""
    (fact,) = scenario.structure
    question = _question(fact, knowledge)
    if not question:
        raise UnwrittenError(Why.HEADING)
    place = answer_place(question, fact, knowledge)
    if place is None:
        raise UnwrittenError(Why.ANSWER)
    _check_answer(question, fact, place)
    steps = tuple({"fact": fact.id, "find": span_of(fact.doc, part)} for part in place.parts)
    texts = dict.fromkeys(_framed(question, fact, knowledge))
    if not texts:
        raise UnwrittenError(Why.PAGE)
    for text in texts:
        if len(steps) > 1:
            answer = joined_members([part.text for part in place.parts], steps=True)
            kind, ordered = "steps", {"ordered": True}
            yield QuestionDraft(text, (answer,), "parts", steps, ordered, answer_kind=kind, place=place.evidence)
        else:
            yield QuestionDraft(text, (place.text,), "lookup", steps, place=place.evidence)


def topic(scenario: Scenario, knowledge: Knowledge) -> Iterator[QuestionDraft]:
    """Yield what a document says about the topic of a section, which the section and no other one tells.

    Raises:
        UnwrittenError: the section does not take up its heading, does not stand alone, or is not all that is said.
    """
    (fact,) = scenario.structure
    (passage,), names = fact.values, knowledge.derived(names_in_titles)
    title = knowledge.documents[fact.doc].title
    question = topic_question(title, fact.subject.text, names)
    noun = bare_title(fact.subject.text).lower().rpartition(" ")[2]
    if has_article(noun, knowledge) is False and not is_written_as_noun(inflected(noun, "NNS"), knowledge):
        question = question.replace(f" {inflected(noun, 'NNS')}?", f" {noun}?")  # "neonatal care"
    current = re.sub(r"\s*\([^()]*\)$", "", title)
    if current != title and current.casefold() in knowledge.derived(_titles):
        raise UnwrittenError(Why.OPEN)  # an earlier version: "Data retention (2021)" beside "Data retention"
    policy = not PATTERNS["named_document"].search(title)
    if policy and not is_policy(knowledge.documents[fact.doc]):
        raise UnwrittenError(Why.HEADING)
    asked, told = set(content_stems(fact.subject.text)), set(content_stems(passage.text))
    named = asked & set(content_stems(title))
    if (asked <= named if policy else named) or _is_spoken_of_elsewhere(asked, fact, knowledge):
        raise UnwrittenError(Why.OPEN)
    order = is_order_by_text(bare_title(fact.subject.text), passage.text)
    if not policy and (order or len(asked & told) < _TAKEN_UP * len(asked)):
        raise UnwrittenError(Why.ANSWER)
    if refers_outside(passage.text, asked=False) or PATTERNS["within_document"].search(passage.text):
        raise UnwrittenError(Why.POINTS)
    steps = ({"fact": fact.id, "find": span_of(fact.doc, passage)},)
    place = (fact.subject.start, passage.end)
    yield QuestionDraft(question, (passage.text,), "lookup", steps, answer_kind="passage", place=place)


def _titles(knowledge: Knowledge) -> frozenset[str]:
    return frozenset(document.title.casefold() for document in knowledge.documents.values())


def _is_spoken_of_elsewhere(asked: set[str], fact: StructureFact, knowledge: Knowledge) -> bool:
    """Check whether another sentence of the document has all words of a topic, and is a rule if that is one word."""
    found = (sentence for _, sentence in knowledge.statements.containing(asked, 1.0))
    first, last = fact.subject.start, fact.values[0].end
    others = (each for each in found if each.doc == fact.doc and not first <= each.start < last)
    return any(len(asked) > 1 or PATTERNS["lays_down"].search(each.text) for each in others)


def _question(fact: StructureFact, knowledge: Knowledge) -> str:
    """Return the question of a fact in the case of its document, "" for none."""
    names = knowledge.statements.names
    question = heading_question(fact.name or fact.subject.text, names)
    return as_written(question, fact, knowledge) if question else ""


def _check_answer(question: str, fact: StructureFact, place: AnswerPlace) -> None:
    """Check that a part of the text below a heading answers its question, and is understood alone.

    Raises:
        UnwrittenError: it does not, or is not.
    """
    text = place.text
    own = fact.subject.text.rstrip().endswith("?")
    if refers_outside(text, asked=own):
        raise UnwrittenError(Why.POINTS)
    if not own and (PATTERNS["loose_pronoun"].search(question) or re.search(r" \((?!\))", question)):
        raise UnwrittenError(Why.HEADING)
    if question.startswith(_HOW):
        named = own or re.match(r"(?i)how\b|steps\b", bare_title(fact.subject.text))
        if not named and not reads_as_verb(question[len(_HOW) : -1], fact.values[0].text):
            raise UnwrittenError(Why.HEADING)


def _framed(question: str, fact: StructureFact, knowledge: Knowledge) -> Iterator[str]:
    """Yield the question in its scope, and as it is if it has a name or no scope; nothing if it needs a missing one."""
    asked_in = knowledge.derived(_documents_asking)[_key(question)]
    repeated = len(asked_in) > 1
    if len(set(asked_in)) < len(asked_in) or PATTERNS["needs_page"].search(question):
        return
    names = knowledge.statements.names
    alone = says_its_subject(question, names)
    scoped = _in_scope(question, fact, knowledge, repeated=repeated, alone=alone)
    if alone and not repeated and (not scoped or _has_name(question, names)):
        yield question
    if scoped:
        yield scoped


def _in_scope(question: str, fact: StructureFact, knowledge: Knowledge, *, repeated: bool, alone: bool) -> str:
    """Return the question in the closest scope of its page, as it is if it names that scope, "" without one."""
    known = set(content_stems(question))
    if known <= WORDS["light"]:
        return ""
    for preposition, name in local_scopes(fact, knowledge) if repeated else scopes(fact, knowledge):
        if not set(content_stems(name)) & known:
            several = len(name.split()) > 1 and article_of(name, knowledge) == "the"
            return _scoped(question, preposition, as_written(f"the {name}", fact, knowledge) if several else name)
        if not repeated and not alone and not _is_vague(question):
            return question  # it has the name already
    return ""


def _scoped(question: str, preposition: str, name: str) -> str:
    if question.startswith(_HOW) and preposition == "with" and f" {preposition} " not in question:
        return f"{question[:-1]} with {name}?"
    return fronted(question, "in" if preposition == "with" else preposition, name)


def _documents_asking(knowledge: Knowledge) -> dict[tuple[str, ...], list[str]]:
    """Return the documents whose headings ask each question, one for each heading."""
    found: dict[tuple[str, ...], list[str]] = defaultdict(list)
    for fact in knowledge.structure:
        if fact.kind == StructureKind.ANSWERS:
            question = heading_question(fact.name or fact.subject.text, knowledge.statements.names)
            if question:
                found[_key(question)].append(fact.doc)
    return found


def _key(question: str) -> tuple[str, ...]:
    return tuple(sorted(set(content_stems(question))))


def says_its_subject(question: str, names: frozenset[str]) -> bool:
    """Check whether a question is understood without its page: it has a name or code, or two words that say much."""
    stems = content_stems(question)
    telling = [stem for stem in stems if stem not in WORDS["light"]]
    return not _is_vague(question) and (len(telling) >= 2 or (_has_name(question, names) and len(stems) >= 2))


def _has_name(question: str, names: frozenset[str]) -> bool:
    words = [word.strip("\"'“”‘’(),?") for word in question.split()[1:]]
    return any((word in names and word != "I") or PATTERNS["name_or_code"].search(word) for word in words)


def _is_vague(question: str) -> bool:
    """Check whether a question speaks of "the server" or "other clients" as if the reader knew which."""
    objects = PATTERNS["bare_object"].finditer(question)
    return any(not match["noun"] or match["noun"].islower() for match in objects)
