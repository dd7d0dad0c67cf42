"""What is under review: the questions of a golden set, or the answers of a system or two, with their documents."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path

from kgsynth.base.errors import ConfigError, InputError
from kgsynth.base.records import Answer, Document, Item, Passage, Turn, content_id, fitting_id
from kgsynth.documents import read_documents
from kgsynth.documents.document_names import DocNames
from kgsynth.documents.run_documents import documents_beside, documents_folder
from kgsynth.golden.dataset import file_of, load
from kgsynth.golden.exchange.open_set import open_set
from kgsynth.golden.spans import cited_documents
from kgsynth.scoring.matching import Matcher
from kgsynth.scoring.run_results import read_items
from kgsynth.scoring.systems.answers_file import read_answers
from kgsynth.show.evidence_view import ShownSpan, marked, styled
from kgsynth.show.illustrations import Illustrations
from kgsynth.show.questions import View, view

_ROW_KEYS = ("fingerprint", "question", "expected", "question_type", "subtype", "difficulty")
"""What a line of items.jsonl must have to be reviewed."""


@dataclass(frozen=True, slots=True)
class Subject:
    """The items of ``path`` and their documents by id; if there are ``answers`` (by item id), these are reviewed.

    ``unanswered`` is the number of questions left out because the answers have no record of them. If there are
    answers of another system in ``versus`` too, pairs of answers are reviewed; ``seed`` decides which of the two is
    shown as A. ``docs`` is the folder of the documents, if it is known.
    """

    path: Path
    items: tuple[Item, ...]
    documents: Mapping[str, Document] = field(default_factory=dict)
    answers: Mapping[str, Answer] = field(default_factory=dict)
    unanswered: int = 0
    versus: Mapping[str, Answer] = field(default_factory=dict)
    systems: tuple[str, str] = ("", "")
    seed: int = 0
    docs: Path | None = None

    @property
    def name(self) -> str:
        """The file under review with the name of its folder."""
        return "/".join(self.path.resolve().parts[-2:])

    @property
    def mode(self) -> str:
        """What is reviewed: questions, answers, or pairs of answers."""
        return "pairs" if self.versus else "answers" if self.answers else "questions"

    @property
    def by_id(self) -> dict[str, Item]:
        """The items, by id."""
        return {item.id: item for item in self.items}

    def content_hash(self, item: Item) -> str:
        """Return a hash that changes when the item, or the answer to it, changes."""
        given = [answers[item.id] for answers in (self.answers, self.versus) if item.id in answers]
        parts = [part for each in given for part in (each.answer, each.error, *map(asdict, each.retrieved))]
        return content_id("c", fitting_id(item), json.dumps(parts, sort_keys=True))

    def swapped(self, item: str) -> bool:
        """Check whether the answer of the second system is shown as A, which the seed and the item's id decide."""
        return bool(self.versus) and random.Random(f"{self.seed}:{item}").random() < 0.5


@dataclass(frozen=True, slots=True)
class Card:
    """One item as the page shows it, with what the system answered and retrieved; of a pair, A, and B in ``other``."""

    view: View
    answer: Answer | None
    retrieved: tuple[ShownSpan, ...]
    other: Answer | None = None
    other_retrieved: tuple[ShownSpan, ...] = ()


def cards(subject: Subject, ids: Sequence[str], illustrations: Illustrations | None = None) -> Iterator[Card]:
    """Yield the items of these ids as the page shows them."""
    items = subject.by_id
    matcher = Matcher(subject.documents)
    for item in map(items.__getitem__, ids):
        both = [subject.answers.get(item.id), subject.versus.get(item.id)]
        first, second = reversed(both) if subject.swapped(item.id) else both
        shown, beside = (
            tuple(_shown(passage, item, matcher, subject.documents) for passage in (answer.retrieved if answer else ()))
            for answer in (first, second)
        )
        yield Card(view(item, subject.documents, illustrations), first, shown, second, beside)


def _shown(passage: Passage, item: Item, matcher: Matcher, documents: Mapping[str, Document]) -> ShownSpan:
    """Return a retrieved passage, with the evidence in it marked if the passage gives its exact position."""
    text = matcher.text(passage)
    doc, start, end = passage.doc or passage.id or "", passage.start or 0, passage.end or 0
    exact = passage.start is not None and passage.end is not None and len(text) == passage.end - passage.start
    spans = [span for group in item.evidence for span in group if exact and span.doc == passage.doc]
    pieces = marked(text, [(span.start - start, span.end - start, "evidence") for span in spans])
    document = documents.get(doc)
    if exact and document and document.text.startswith(text, start):
        pieces = styled(pieces, document, start)
    return ShownSpan(doc, start, end, (), tuple(pieces), document.place(start, end) if exact and document else None)


# ---- reading ---------------------------------------------------------------------------------------


def open_subject(
    place: Path, answers: Path | None = None, docs: Path | Sequence[Document] | None = None, mapping: str | None = None
) -> Subject:
    """Read what is to be reviewed: a set that ``open_set`` reads, with its documents, or a run folder of ``score``.

    With ``answers``, or for a folder of ``score``, the answers are reviewed.

    Raises:
        ConfigError: ``mapping`` is invalid.
        InputError: a file cannot be read, or the answers belong to none of the questions.
    """
    if place.is_dir() and (place / "answers.jsonl").is_file() and not (place / "golden.jsonl").is_file():
        golden = place.resolve().parent / "golden.jsonl"
        items, answers = _scored_items(place, golden), answers or place / "answers.jsonl"
        documents = (
            tuple(documents_beside(golden)) if docs is None else read_documents(docs, cited=cited_documents(items))
        )
    else:
        golden = file_of(place)
        dataset, documents, _ = open_set(place, docs, mapping)
        items = tuple(dataset)
    if not items:
        raise InputError(f"{place} has no questions: give a golden set that has some")
    by_id = {document.id: document for document in documents}
    names = DocNames(by_id) if by_id else None
    answered = read_answers(answers, names, items=items, broken_end=True) if answers else {}
    reviewed = tuple(item for item in items if item.id in answered) if answers else items
    if not reviewed:
        raise InputError(
            f"{answers} answers none of the {len(items)} questions of {place}: give the answers to this set"
        )
    own = {item.id: answered[item.id] for item in reviewed if item.id in answered}
    folder = documents_folder(docs, golden)
    return Subject(answers or golden, reviewed, by_id, own, len(items) - len(reviewed), docs=folder)


def with_versus(subject: Subject, versus: Path) -> Subject:
    """Return the subject with the answers of another system, given as a folder of ``score`` or an answers.jsonl.

    Questions that only one of the two answered are left out.

    Raises:
        ConfigError: no answers are under review.
        InputError: the file cannot be read, or the two have no question in common.
    """
    if not subject.answers:
        raise ConfigError(
            f"--versus {versus} compares two systems: give a folder that score wrote instead of {subject.name}"
        )
    file = versus / "answers.jsonl" if versus.is_dir() else versus
    theirs = read_answers(file, items=subject.items, broken_end=True)
    items = tuple(item for item in subject.items if item.id in theirs)
    if not items:
        raise InputError(f"{file} answers none of the questions of {subject.name}: give the answers to the same set")
    names = (subject.name, "/".join(file.resolve().parts[-2:]))
    left_out = subject.unanswered + len(subject.items) - len(items)
    own = {item.id: subject.answers[item.id] for item in items}
    others = {item.id: theirs[item.id] for item in items}
    return replace(subject, items=items, answers=own, versus=others, systems=names, unanswered=left_out)


def _scored_items(run: Path, golden: Path) -> tuple[Item, ...]:
    """Return the questions of a run of score: from the golden set above its folder if unchanged, else items.jsonl."""
    asked = read_items(run, _ROW_KEYS)
    known = {item.id: item for item in load(golden)} if golden.is_file() else {}
    if all(key in known and row["fingerprint"] == fitting_id(known[key]) for key, row in asked.items()):
        return tuple(item for key, item in known.items() if key in asked)
    return tuple(
        Item(key, row["question"], tuple(row["expected"]), row["question_type"], row["subtype"], "en", (),
             difficulty=row["difficulty"], answerable=bool(row["expected"]),
             history=tuple(Turn(turn["question"], turn["answer"]) for turn in row.get("history") or ()))
        for key, row in asked.items()
    )  # fmt: skip
