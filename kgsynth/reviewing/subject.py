"""What is under review: the questions of a golden set, or what a system answered to them, with their documents."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

from kgsynth.base.errors import InputError
from kgsynth.base.records import Answer, Document, Item, Passage, content_id
from kgsynth.base.records_json import from_json
from kgsynth.golden.dataset import file_of, load
from kgsynth.scoring.matching import Matcher
from kgsynth.scoring.sampling import fingerprint
from kgsynth.scoring.systems.answers_file import read_answers
from kgsynth.show.evidence_view import ShownSpan, marked
from kgsynth.show.question_view import View, view


@dataclass(frozen=True, slots=True)
class Subject:
    """The items of ``path``, and their documents by id; with ``answers``, by id of the item, these are judged.

    ``unanswered`` counts the questions that have no record among the answers, and so are not under review.
    """

    path: Path
    items: tuple[Item, ...]
    documents: Mapping[str, Document] = field(default_factory=dict)
    answers: Mapping[str, Answer] = field(default_factory=dict)
    unanswered: int = 0

    @property
    def name(self) -> str:
        """The file that is under review, in its folder."""
        return "/".join(self.path.resolve().parts[-2:])

    @property
    def of(self) -> str:
        """What is judged: questions or answers."""
        return "answers" if self.answers else "questions"

    def content(self, item: Item) -> str:
        """Return what changes when the item, or the answer to it, does."""
        answer = self.answers.get(item.id)
        said = [] if answer is None else [answer.answer, answer.error, *map(asdict, answer.retrieved)]
        return content_id("c", fingerprint(item), json.dumps(said, sort_keys=True))


@dataclass(frozen=True, slots=True)
class Card:
    """One item as the page shows it: the question in its view, and what the system answered and retrieved."""

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
    """Return a retrieved passage, the evidence in it marked where it can be placed letter for letter."""
    text = matcher.text(passage)
    doc, start, end = passage.doc or passage.id or "", passage.start or 0, passage.end or 0
    placed = passage.start is not None and passage.end is not None and len(text) == passage.end - passage.start
    spans = [span for group in item.evidence for span in group if placed and span.doc == passage.doc]
    pieces = marked(text, [(span.start - start, span.end - start, "evidence") for span in spans])
    return ShownSpan(doc, start, end, (), tuple(pieces))


# ---- reading ---------------------------------------------------------------------------------------


def open_subject(place: Path, answers: Path | None = None, documents: Sequence[Document] = ()) -> Subject:
    """Read what is to be reviewed: a golden.jsonl, a run folder of ``generate``, or one of ``score``.

    With ``answers`` those are judged; so are those of a folder that ``score`` wrote. Without ``documents`` the
    documents.jsonl beside the golden set has them, if it is there.

    Raises:
        InputError: a file cannot be read, or the answers are to none of the questions.
    """
    if place.is_dir() and (place / "answers.jsonl").is_file() and not (place / "golden.jsonl").is_file():
        golden = place.resolve().parent / "golden.jsonl"
        items, answers = _asked(place, golden), answers or place / "answers.jsonl"
    else:
        golden = file_of(place)
        items = tuple(load(golden))
    if not items:
        raise InputError(f"{place} holds no question: give a golden set that does")
    found = {document.id: document for document in documents or _beside(golden)}
    said = read_answers(answers, broken_end=True) if answers else {}
    held = tuple(item for item in items if item.id in said) if answers else items
    if not held:
        raise InputError(f"{answers} answers none of the {len(items)} questions of {place}: give those of this set")
    own = {item.id: said[item.id] for item in held if item.id in said}
    return Subject(answers or golden, held, found, own, len(items) - len(held))


def _asked(run: Path, golden: Path) -> tuple[Item, ...]:
    """Return the questions of a run of score, from the golden set above its folder when they are of it."""
    try:
        with (run / "items.jsonl").open(encoding="utf-8") as lines:
            rows = [json.loads(line) for line in lines if line.strip()]
        asked = {row["id"]: row for row in rows}
        known = {item.id: item for item in load(golden)} if golden.is_file() else {}
        if all(at in known and fingerprint(known[at]) == row["fingerprint"] for at, row in asked.items()):
            return tuple(item for at, item in known.items() if at in asked)
        return tuple(
            Item(at, row["question"], tuple(row["expected"]), row["question_type"], row["subtype"], "en", (),
                 difficulty=row["difficulty"], answerable=bool(row["expected"]))
            for at, row in asked.items()
        )  # fmt: skip
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise InputError(
            f"{run} holds no items.jsonl that can be read ({error}): give a folder that kgsynth score wrote with -o"
        ) from None


def _beside(golden: Path) -> Iterator[Document]:
    path = golden.parent / "documents.jsonl"
    if not path.is_file():
        return
    decode = from_json(Document)
    with path.open(encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            try:
                yield decode(line)
            except ValueError as error:
                raise InputError(
                    f"{path}, line {number}, is no document ({error}): give the folder of documents with --docs"
                ) from None
