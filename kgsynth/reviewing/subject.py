"""What is under review: the questions of a golden set, or a system's answers to them, with their documents."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

from kgsynth.base.errors import InputError
from kgsynth.base.records import Answer, Document, Item, Passage, content_id
from kgsynth.documents import read_documents
from kgsynth.documents.document_names import DocNames
from kgsynth.documents.run_documents import documents_beside
from kgsynth.golden.dataset import file_of, load
from kgsynth.golden.exchange.open_set import open_set
from kgsynth.scoring.matching import Matcher
from kgsynth.scoring.sampling import fingerprint
from kgsynth.scoring.systems.answers_file import read_answers
from kgsynth.show.evidence_view import ShownSpan, marked
from kgsynth.show.question_view import View, view


@dataclass(frozen=True, slots=True)
class Subject:
    """The items of ``path`` and their documents by id; if there are ``answers`` (by item id), these are reviewed.

    ``unanswered`` is the number of questions left out because the answers have no record of them.
    """

    path: Path
    items: tuple[Item, ...]
    documents: Mapping[str, Document] = field(default_factory=dict)
    answers: Mapping[str, Answer] = field(default_factory=dict)
    unanswered: int = 0

    @property
    def name(self) -> str:
        """The file under review with the name of its folder."""
        return "/".join(self.path.resolve().parts[-2:])

    @property
    def mode(self) -> str:
        """What is reviewed: questions or answers."""
        return "answers" if self.answers else "questions"

    def content_hash(self, item: Item) -> str:
        """Return a hash that changes when the item, or the answer to it, changes."""
        answer = self.answers.get(item.id)
        parts = [] if answer is None else [answer.answer, answer.error, *map(asdict, answer.retrieved)]
        return content_id("c", fingerprint(item), json.dumps(parts, sort_keys=True))


@dataclass(frozen=True, slots=True)
class Card:
    """One item as the page shows it, with what the system answered and retrieved."""

    view: View
    answer: Answer | None
    retrieved: tuple[ShownSpan, ...]


def cards(subject: Subject, ids: Sequence[str]) -> Iterator[Card]:
    """Yield the items of these ids as the page shows them."""
    items = {item.id: item for item in subject.items}
    matcher = Matcher({document.id: document.text for document in subject.documents.values()})
    for item in map(items.__getitem__, ids):
        answer = subject.answers.get(item.id)
        passages = answer.retrieved if answer else ()
        shown = tuple(_shown(passage, item, matcher) for passage in passages)
        yield Card(view(item, subject.documents), answer, shown)


def _shown(passage: Passage, item: Item, matcher: Matcher) -> ShownSpan:
    """Return a retrieved passage, with the evidence in it marked if the passage gives its exact position."""
    text = matcher.text(passage)
    doc, start, end = passage.doc or passage.id or "", passage.start or 0, passage.end or 0
    exact = passage.start is not None and passage.end is not None and len(text) == passage.end - passage.start
    spans = [span for group in item.evidence for span in group if exact and span.doc == passage.doc]
    pieces = marked(text, [(span.start - start, span.end - start, "evidence") for span in spans])
    return ShownSpan(doc, start, end, (), tuple(pieces))


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
        documents = tuple(documents_beside(golden)) if docs is None else read_documents(docs)
    else:
        golden = file_of(place)
        dataset, documents, _ = open_set(place, docs, mapping)
        items = tuple(dataset)
    if not items:
        raise InputError(f"{place} has no questions: give a golden set that has some")
    by_id = {document.id: document for document in documents}
    answered = read_answers(answers, DocNames(by_id) if by_id else None, broken_end=True) if answers else {}
    reviewed = tuple(item for item in items if item.id in answered) if answers else items
    if not reviewed:
        raise InputError(
            f"{answers} answers none of the {len(items)} questions of {place}: give the answers to this set"
        )
    own = {item.id: answered[item.id] for item in reviewed if item.id in answered}
    return Subject(answers or golden, reviewed, by_id, own, len(items) - len(reviewed))


def _scored_items(run: Path, golden: Path) -> tuple[Item, ...]:
    """Return the questions of a run of score: from the golden set above its folder if unchanged, else items.jsonl."""
    try:
        with (run / "items.jsonl").open(encoding="utf-8") as lines:
            rows = [json.loads(line) for line in lines if line.strip()]
        asked = {row["id"]: row for row in rows}
        known = {item.id: item for item in load(golden)} if golden.is_file() else {}
        if all(key in known and fingerprint(known[key]) == row["fingerprint"] for key, row in asked.items()):
            return tuple(item for key, item in known.items() if key in asked)
        return tuple(
            Item(key, row["question"], tuple(row["expected"]), row["question_type"], row["subtype"], "en", (),
                 difficulty=row["difficulty"], answerable=bool(row["expected"]))
            for key, row in asked.items()
        )  # fmt: skip
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise InputError(
            f"{run} has no readable items.jsonl ({error}): give a folder that kgsynth score wrote with -o"
        ) from None
