"""Find the part of a section that answers the question of its heading: the steps, or a few sentences in a row."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import NamedTuple

from kgsynth.base.records import Block, Document, Excerpt, StructureFact
from kgsynth.base.thresholds import LIMITS
from kgsynth.base.vocabulary import ContainerKind
from kgsynth.documents.structure.outline import Outline
from kgsynth.evidence.knowledge import Knowledge
from kgsynth.language.english.answer_runs import CODE, SENTENCE, SectionPiece, answer_run, asks_how
from kgsynth.language.english.heading_bodies import is_order, tells_reader
from kgsynth.language.layout_words import announces_steps
from kgsynth.language.lengths import length_in_words
from kgsynth.language.sentence_ends import sentence_spans


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
