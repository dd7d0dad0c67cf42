"""The harvest, step by step: read the log, keep its questions, group them, find their passages, name their topics."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from kgsynth.base.errors import InputError
from kgsynth.base.progress import Progress, silent, ticking
from kgsynth.base.records import Document
from kgsynth.base.thresholds import LIMITS
from kgsynth.documents import read_documents
from kgsynth.golden.item_json import line_of
from kgsynth.harvesting.grouping import QuestionGroup, by_count, group_by_meaning, group_by_words, topics
from kgsynth.harvesting.harvest import Harvest, HarvestedQuestion
from kgsynth.harvesting.log import read_log
from kgsynth.harvesting.passages import FoundPassage, PassageFinder
from kgsynth.harvesting.questions import sort_turns
from kgsynth.models.encoder import AUTO, Encoder, choose_model, load_encoder

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


def harvest(
    log: Path,
    docs: Path | Sequence[Document],
    *,
    field: str = "",
    embedding_model: str = AUTO,
    progress: Progress = silent,
) -> Harvest:
    """Return the questions that users asked in a log, with their passages in the documents.

    ``field`` is the column or JMESPath expression of what the user wrote.

    Raises:
        InputError: the log or the documents cannot be read, or the log has no question.
    """
    read = read_log(log, field)
    found = sort_turns(read.turns)
    if not found.questions:
        reasons = ", ".join(f"{reason} {number}" for reason, number in found.left_out.items())
        raise InputError(f"{log}: none of {len(read.turns)} turns asks a question ({reasons}); check --field")
    documents = read_documents(docs)
    groups = group_by_words(found.questions, [document.text for document in documents])
    languages = {document.language for document in documents} | {group.language for group in groups}
    encoder = load_encoder(choose_model(embedding_model, languages))
    questions = _with_passages(groups, documents, encoder, progress)
    left_out = Counter(read.left_out) + Counter(found.left_out)
    return Harvest(
        tuple(questions), read.rows, len(read.turns), dict(left_out.most_common()), found.replaced, len(documents)
    )


def _with_passages(
    groups: Sequence[QuestionGroup], documents: Sequence[Document], encoder: Encoder, progress: Progress
) -> Iterator[HarvestedQuestion]:
    """Yield the groups joined by meaning, each with its passage and topic, the most frequent first."""
    import numpy as np

    embedded = encoder.encode_questions([group.question for group in groups])
    vector_of = dict(zip((group.question for group in groups), embedded, strict=True))
    groups = by_count(_joined(groups, embedded))
    finder = PassageFinder(documents, encoder.encode)
    vectors = np.stack([vector_of[group.question] for group in groups])  # joined groups show a question of theirs
    with progress("finding passages", len(groups)) as stage:
        passages = [
            finder.find(group.question, vector, group.language)
            for group, vector in ticking([*zip(groups, vectors, strict=True)], stage)
        ]
    kept, nearest = [], list[FoundPassage | None]()
    for members in _of_one_passage(groups, passages, vectors):
        head = groups[members[0]]
        for number in members[1:]:
            head.join(groups[number])
        kept.append(members[0])
        nearest.append(passages[members[0]])
    merged = [groups[number] for number in kept]
    names = topics(merged, vectors[kept])
    rows = zip(merged, names, nearest, strict=True)
    for group, name, passage in sorted(rows, key=lambda row: (-row[0].count, row[0].question)):
        others = sorted(set(group.wordings) - {group.question}, key=lambda text: (-group.wordings[text], text))
        yield HarvestedQuestion(
            group.question, group.language, group.count, len(group.people), tuple(others), name, passage
        )


def _joined(groups: Sequence[QuestionGroup], vectors: NDArray[np.float32]) -> list[QuestionGroup]:
    """Join the groups that ask the same by meaning, whatever their passages."""
    joined = []
    for members in group_by_meaning(groups, vectors):
        for number in members[1:]:
            groups[members[0]].join(groups[number])
        joined.append(groups[members[0]])
    return joined


def _of_one_passage(
    groups: Sequence[QuestionGroup], passages: Sequence[FoundPassage | None], vectors: NDArray[np.float32]
) -> Iterator[list[int]]:
    """Yield the numbers of the questions that ask the same: similar in meaning, and with the same passage."""
    spans = [passage.span if passage and passage.answers else None for passage in passages]
    by_span: dict[object, list[int]] = {}
    for number, span in enumerate(spans):
        by_span.setdefault(number if span is None else (span.doc, span.start), []).append(number)
    for numbers in by_span.values():
        own = [groups[number] for number in numbers]
        for members in group_by_meaning(own, vectors[numbers], LIMITS.same_answer_cosine):
            yield [numbers[member] for member in members]


def files(found: Harvest) -> Iterator[tuple[str, bytes]]:
    """Yield name and content of each file of a harvest, without its report."""
    yield "harvested.jsonl", b"".join(map(line_of, found.items))
    gaps = (json.dumps(gap.to_gap(), ensure_ascii=False) for gap in found.gaps)
    yield "gaps.jsonl", "".join(f"{line}\n" for line in gaps).encode()
    yield "questions.txt", "".join(f"{line}\n" for line in found.question_lines()).encode()
    yield "about.txt", f"{found.about}\n".encode()
    yield "harvest.json", f"{json.dumps(found.to_json(), ensure_ascii=False, indent=1)}\n".encode()
