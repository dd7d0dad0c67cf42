"""A question on its way into a golden set and through a score: scenario, item, rejection, finding, answer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypedDict, cast, get_args

from kgsynth.base.records.documents import Span, content_id
from kgsynth.base.records.language import Fact
from kgsynth.base.vocabulary import StructureKind


@dataclass(frozen=True, slots=True)
class Excerpt:
    """A piece of a document as a person reads it, and its place ``[start, end)`` in ``Document.text``."""

    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class StructureFact:
    """One thing that the layout of a document says, with the place of everything it rests on.

    ``subject`` is the head of a row, a term, a parameter, a task, a question, or what a list lists; ``values`` are the
    cell, the members, the steps, the detail or the passages; ``heads`` are column heads, the word that names the
    attribute ("Default"), the lead of a list whose subject is its heading, or the heading that a lead, term or question
    needs to be understood. ``name`` is the attribute, the kind of a note, the target of a link, the unit of a cell, or
    the whole question that two headings ask. ``group`` is the index of the table or list in ``Document.containers``, -1
    for none; a cell has its ``row`` and ``column`` there, and in ``corner`` the head of
    the column that names the rows ("Plan"). ``scope`` is what else a cell needs to be understood: the heads that stand
    above its row for several rows ("Cost of sales:"), and the text above the table that gives the unit.
    """

    id: str
    kind: StructureKind
    doc: str
    section: int
    subject: Excerpt
    values: tuple[Excerpt, ...]
    heads: tuple[Excerpt, ...] = ()
    name: str = ""
    group: int = -1
    row: int = 0
    column: int = 0
    corner: Excerpt | None = None
    scope: tuple[Excerpt, ...] = ()

    @property
    def excerpts(self) -> tuple[Excerpt, ...]:
        """Return everything that the fact rests on."""
        return (self.subject, *self.heads, *self.values, *self.scope)


# What the audit of a golden set found.


@dataclass(frozen=True, slots=True)
class Finding:
    """One problem in a golden set; ``severity`` is error or warning, ``item`` an id, or "" for the whole set."""

    code: str
    severity: str
    item: str
    message: str
    advice: str = ""


@dataclass(frozen=True, slots=True)
class Passage:
    """One passage that a system retrieved; any subset of the fields may be known."""

    doc: str | None = None
    start: int | None = None
    end: int | None = None
    text: str | None = None
    id: str | None = None
    score: float | None = None


@dataclass(frozen=True, slots=True)
class Citation:
    """The passages that a part of an answer cites: ``answer[start:end]``, or all of it if these are None.

    A passage is given by its position in ``Answer.retrieved``, counted from 0, or by its id.
    """

    passages: tuple[int | str, ...]
    start: int | None = None
    end: int | None = None


@dataclass(frozen=True, slots=True)
class RetrievalStep:
    """One search of a system that searches several times: the query, if it is known, and the passages found."""

    query: str | None
    retrieved: tuple[Passage, ...] = ()


Route = Literal["retrieve", "direct"]
ROUTES: tuple[str, ...] = get_args(Route)
"""What a router can decide: to retrieve passages before it answers, or to answer directly."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a system answered to one question; ``error`` is set when it failed.

    ``retrieved`` is the final ranking, ``before`` the one a reranker was given, if there is a reranker.
    ``retrieved_nothing`` says that the system returned an empty list of passages, not that it returned no list.
    ``latency_s`` is in seconds.
    ``route`` is what a router decided (one of ``ROUTES`` if it is to be scored), ``route_reason`` why. ``unused_keys``
    are the keys of the reply that were not understood. ``citations`` say which passages support which part of the
    answer, for a system that does not only write numbers in it; ``steps`` are the searches behind ``retrieved``.
    """

    id: str
    answer: str | None
    retrieved: tuple[Passage, ...] = ()
    latency_s: float | None = None
    error: str | None = None
    before: tuple[Passage, ...] = ()
    route: str | None = None
    route_reason: str | None = None
    unused_keys: tuple[str, ...] = ()
    retrieved_nothing: bool = False
    citations: tuple[Citation, ...] = ()
    steps: tuple[RetrievalStep, ...] = ()


@dataclass(frozen=True, slots=True)
class Scenario:
    """What a question will be about, found by walking the graph; no word of it is written yet.

    ``facts`` stand in the order of the hops; ``asked`` is the index of the phrase of the last fact that answers.
    ``links`` holds one ``(entity id, phrase index in facts[i], phrase index in facts[i + 1])`` per hop, ``cuts`` the
    character of the latter phrase from which on it names the entity. ``rivals`` are the facts that give another
    value elsewhere, or what a question without an answer was made from; ``scope`` is what tells this one from them.
    A question on the layout of documents has ``structure`` instead of ``facts``.
    """

    question_type: str
    subtype: str
    facts: tuple[Fact, ...]
    asked: int = 0
    links: tuple[tuple[str, int, int], ...] = ()
    cuts: tuple[int, ...] = ()
    rivals: tuple[Fact, ...] = ()
    scope: str = ""
    structure: tuple[StructureFact, ...] = ()

    @property
    def doc(self) -> str:
        """The document of the last fact."""
        return (self.facts or self.structure)[-1].doc


@dataclass(frozen=True, slots=True)
class Claim:
    """One thing that a complete answer says; ``groups`` number the evidence groups that prove it, from 0."""

    text: str
    groups: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Turn:
    """An earlier turn of a conversation."""

    question: str
    answer: str


class FilterScores(TypedDict, total=False):
    """What is known of an item as numbers; docs/golden-format.md says what each means."""

    keep: float
    quality: float
    overlap: float
    leaking: float
    copied: float
    answerable: float
    answered: float
    copies: float
    rank: float
    margin: float
    found: float
    turn_rank: float
    nearest: float
    central: float
    asked: float
    verified: float
    closed_book: float
    documents_naming: float
    sentences_searched: float
    located: float
    drawn: float


@dataclass(frozen=True, slots=True)
class Item:
    """One question of a golden set, or a candidate for one.

    ``evidence`` is a list of groups: all groups are needed, and any one span of a group is enough.
    ``answer_kind`` is "list" or "steps" if the golden answers have members, "composed" if the answer is compared by its
    ``claims``, otherwise "" or what another tool gave. A later question of a conversation has the earlier turns as
    ``history``, and is ``standalone`` when it is put so that it can be understood without them.
    """

    id: str
    question: str
    golden_answers: tuple[str, ...]
    question_type: str
    subtype: str
    language: str
    evidence: tuple[tuple[Span, ...], ...]
    derivation: Mapping[str, Any] = field(default_factory=dict)
    hard_negatives: tuple[Span, ...] = ()
    difficulty: str = "medium"
    answerable: bool = True
    metadata: Mapping[str, Any] = field(default_factory=dict)
    answer_kind: str = ""
    claims: tuple[Claim, ...] = ()
    history: tuple[Turn, ...] = ()
    standalone: str = ""

    @property
    def scores(self) -> FilterScores:
        """The scores in the metadata; other programs may have added some of their own."""
        return cast(FilterScores, self.metadata.get("scores") or {})

    @property
    def tags(self) -> tuple[str, ...]:
        """The tags in the metadata, by which people name parts of a set."""
        return tuple(self.metadata.get("tags") or ())

    @property
    def full_question(self) -> str:
        """The question as it can be understood without earlier turns."""
        return self.standalone or self.question


@dataclass(frozen=True, slots=True)
class Rejection:
    """Why a candidate was rejected: the rule, and its score and threshold when the rule has them."""

    rule: str
    detail: str
    score: float | None = None
    threshold: float | None = None


def item_id(question: str, answers: tuple[str, ...], evidence: tuple[tuple[Span, ...], ...]) -> str:
    """Return the id of an item: a hash of its question, its answers and the text of its evidence.

    Only the first span of each group counts, the one that the question was written from; the others are copies of the
    fact. Documents, offsets, white space and the order of the groups do not count. So the id stays the same when a file
    is renamed, text is added above the evidence, or a copy is found or removed.

    Example:
        >>> old, new = Span("a.md", 0, 7, "Ada led"), Span("b.md", 9, 17, "Ada  led")
        >>> item_id("Who led?", ("Ada",), ((old,),)) == item_id("Who led?", ("Ada",), ((new, old),))
        True
    """
    texts = sorted("".join(span.text.split()) for group in evidence for span in group[:1])
    return content_id("q", question, answers, texts)


def placed_id(item: Item) -> str:
    """Return a hash of an item that depends on where its evidence is, not on the text.

    It differs between two items whose text is the same, so it decides ties.
    """
    places = [[(span.doc, span.start, span.end) for span in group] for group in item.evidence]
    return content_id("q", item.question, item.golden_answers, places)


def fitting_id(item: Item) -> str:
    """Return the id that fits the content of an item, which is its own unless that was changed or given elsewhere."""
    return item_id(item.question, item.golden_answers, item.evidence)
