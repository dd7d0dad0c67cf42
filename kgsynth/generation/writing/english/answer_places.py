"""Find the part of a section that answers the question of its heading: the steps, or a few sentences in a row."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import NamedTuple

from kgsynth.base.records import Block, Document, Excerpt, StructureFact
from kgsynth.base.thresholds import LIMITS
from kgsynth.base.vocabulary import ContainerKind, StructureKind
from kgsynth.evidence.knowledge import Knowledge
from kgsynth.language.english.answer_runs import CODE, SENTENCE, Piece, answer_run
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
    piece: Piece
    start: int
    end: int


def answer_place(question: str, fact: StructureFact, knowledge: Knowledge) -> AnswerPlace | None:
    """Return where the section of a fact answers a question, None if no part of it answers alone.

    The evidence begins with the heading if the answer stands right below it.
    """
    document, passage = knowledge.documents[fact.doc], fact.values[0]
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
                yield _Placed(Piece(SENTENCE, block.text[start:end], number == 0), *block.locate(start, end))
        elif block.text.strip():
            kind = "note" if _in_note(document, block) else block.kind
            yield _Placed(Piece(CODE if kind == "code" else kind, block.text), block.start, block.end)


def _in_note(document: Document, block: Block) -> bool:
    return block.inside >= 0 and document.containers[block.inside].kind == ContainerKind.NOTE


def _steps(question: str, fact: StructureFact, knowledge: Knowledge, pieces: list[_Placed]) -> tuple[Excerpt, ...]:
    """Return the steps of the only procedure in a section, none if text beside it tells the reader to do more."""
    passage, inside = fact.values[0], knowledge.derived(_procedures)[fact.doc, fact.section]
    if len(inside) != 1 or not question.startswith(("How do you ", "What should you do ")):
        return ()
    steps = inside[0].values
    if not all(is_order(step.text) for step in steps) or len(steps) > LIMITS.list_max_members:
        return ()
    beside = [each.piece for each in pieces if each.end <= steps[0].start or each.start >= steps[-1].end]
    told = [piece for piece in beside if tells_reader(piece.text) and not announces_steps(piece.text)]
    strange = any(piece.kind not in (SENTENCE, "note") for piece in beside)
    within = passage.start <= steps[0].start and steps[-1].end <= passage.end
    return () if told or strange or not within else steps


def _procedures(knowledge: Knowledge) -> dict[tuple[str, int], list[StructureFact]]:
    """Return the procedures of each section, by document and section."""
    found: dict[tuple[str, int], list[StructureFact]] = defaultdict(list)
    for fact in knowledge.structure:
        if fact.kind == StructureKind.PROCEDURE:
            found[fact.doc, fact.section].append(fact)
    return found
