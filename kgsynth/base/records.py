"""Every record that flows through kgsynth, in the order in which they come to be.

Offsets are Unicode code points into ``Document.text``, half open. All records are frozen: a stage that
changes one makes a new one with ``dataclasses.replace``.
"""

from __future__ import annotations

import hashlib
from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

from kgsynth.base.vocabulary import FactKind, Flag, Role, VerbFlag

PROSE = frozenset({"paragraph", "item", "quote"})
"""The kinds of block that hold sentences; facts are read from these alone."""


def content_id(prefix: str, *parts: object) -> str:
    """Return an id that depends on nothing but the content: ``prefix-`` and 12 hex digits.

    Example:
        >>> content_id("q", "Who?", "Ada")
        'q-18a00002ce67'
    """
    joined = "\x1f".join(str(part) for part in parts)
    return f"{prefix}-{hashlib.sha256(joined.encode()).hexdigest()[:12]}"


# ---- documents -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of one document; ``text`` is ``Document.text[start:end]``, letter for letter."""

    doc: str
    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Block:
    """A block of a document as its reader saw it: a heading, a paragraph, a piece of code.

    ``kind`` is one of heading, paragraph, item, quote, cell, code, navigation, meta. ``text`` is what a person
    reads: markup gone, white space folded. ``runs`` tie it to the source: each ``(i, j)`` says that from
    ``text[i]`` on, characters stand letter for letter from ``Document.text[j]`` on (white space counts
    as equal), up to the next run. ``code`` are the stretches of ``text`` set as inline code.
    """

    kind: str
    start: int
    end: int
    text: str
    runs: tuple[tuple[int, int], ...]
    level: int = 0
    section: int = 0
    code: tuple[tuple[int, int], ...] = ()

    def locate(self, start: int, end: int) -> tuple[int, int]:
        """Return where ``text[start:end]`` stands in the document's own text.

        Example:
            >>> Block("paragraph", 10, 19, "set key", ((0, 11), (4, 16))).locate(4, 7)
            (16, 19)
        """
        starts = [run[0] for run in self.runs]
        first = self.runs[bisect_right(starts, start) - 1]
        last = self.runs[bisect_right(starts, end - 1) - 1]
        return first[1] + start - first[0], last[1] + end - last[0]


@dataclass(frozen=True, slots=True)
class Section:
    """What stands under one heading; ``path`` holds the titles from the document's own down to this one."""

    id: str
    doc: str
    title: str
    level: int
    path: tuple[str, ...]
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Document:
    """One source file, read once; ``id`` is its path below the folder, with forward slashes.

    ``sections[0]`` is the document itself (level 0); a block's ``section`` is an index into ``sections``.
    """

    id: str
    text: str
    title: str
    format: str
    sha256: str
    blocks: tuple[Block, ...]
    sections: tuple[Section, ...]
    language: str = "en"

    def span(self, start: int, end: int) -> Span:
        """Return the span ``[start, end)`` with its text."""
        return Span(self.id, start, end, self.text[start:end])

    def plain(self, start: int, end: int) -> str:
        """Return what a person reads between two offsets: the source without its markup.

        Blocks are joined by a blank; where no block stands, the text itself is returned, folded.
        """
        parts = []
        for block in self.blocks:
            if block.start < end and start < block.end:
                parts.append("".join(_shown(block, start, end)).strip())
        found = " ".join(part for part in parts if part)
        return found or " ".join(self.text[start:end].split())


def _shown(block: Block, start: int, end: int) -> list[str]:
    pieces = []
    for number, (shown, source) in enumerate(block.runs):
        stop = block.runs[number + 1][0] if number + 1 < len(block.runs) else len(block.text)
        low, high = max(source, start), min(source + stop - shown, end)
        if low < high:
            pieces.append(block.text[shown + low - source : shown + high - source])
    return pieces


@dataclass(frozen=True, slots=True)
class Skipped:
    """A file that was not read, and why."""

    path: str
    reason: str


@dataclass(frozen=True, slots=True)
class Chunk:
    """A passage of a document, the unit of retrieval: ``text`` is ``Document.text[start:end]``."""

    id: str
    doc: str
    section: str
    start: int
    end: int
    text: str


# ---- what the language stage reads -----------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Phrase:
    """One constituent of a clause: the subject, an object, a time, a condition.

    ``role`` says what it does in the clause, ``text`` is as read, ``start``/``end`` where it is in the document.
    ``marker`` is the preposition or conjunction it opens with ("" for none), ``head`` the lemma of its head word,
    ``lemmas`` its content words, ``label`` its entity type ("" for no entity), ``flags`` what a writer must know of it.
    ``nouns`` are the noun phrases that run to its end, the longest first: where each begins in ``text``, with and
    without its article.
    """

    role: Role
    text: str
    start: int
    end: int
    head: str
    marker: str = ""
    label: str = ""
    lemmas: tuple[str, ...] = ()
    flags: frozenset[Flag] = frozenset()
    nouns: tuple[tuple[int, int], ...] = ()

    def has(self, flag: Flag) -> bool:
        """Say whether the phrase carries ``flag``."""
        return flag in self.flags


@dataclass(frozen=True, slots=True)
class Verb:
    """The verb group of a clause: auxiliaries as written, the form, and what its language needs to invert it.

    ``tag`` is the tag of the finite word, in the tag set of its language, which only that language reads; ``form`` is
    the main verb as written, ``lemma`` its lemma, ``particle`` that of a phrasal verb; ``adverb`` one that belongs to
    the statement ("never"), set by the writer. ``flags`` are what traversals must know about it.
    """

    lemma: str
    form: str
    tag: str
    auxiliaries: tuple[str, ...] = ()
    particle: str = ""
    passive: bool = False
    negated: bool = False
    modal: str = ""
    hypothetical: bool = False
    adverb: str = ""
    start: int = 0
    end: int = 0
    flags: frozenset[VerbFlag] = frozenset()

    def has(self, flag: VerbFlag) -> bool:
        """Check whether the verb group carries ``flag``."""
        return flag in self.flags


@dataclass(frozen=True, slots=True)
class Fact:
    """One clause read as a fact: who or what, the predicate, and its qualifiers, each with its place.

    ``start``/``end`` and ``text`` are the sentence; ``phrases`` stand in the order of the text; ``section`` is an index
    into ``Document.sections``. ``kind`` says how it was read.
    """

    id: str
    doc: str
    section: int
    start: int
    end: int
    text: str
    verb: Verb
    phrases: tuple[Phrase, ...]
    kind: FactKind = FactKind.CLAUSE

    def first(self, *roles: Role) -> Phrase | None:
        """Return the first phrase with one of ``roles``, or None."""
        return next((phrase for phrase in self.phrases if phrase.role in roles), None)

    def place(self, role: Role) -> int:
        """Return the index of the first phrase with ``role``, -1 when there is none."""
        return next((number for number, phrase in enumerate(self.phrases) if phrase.role == role), -1)


@dataclass(frozen=True, slots=True)
class Mention:
    """A place where an entity, a technical term or a piece of code is named."""

    text: str
    label: str
    doc: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence of prose, with the lemmas of its content words."""

    doc: str
    section: int
    start: int
    end: int
    text: str
    lemmas: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Analysis:
    """All that the language stage read from one document; ``aliases`` are pairs (long form, short form).

    ``language`` is the language in which the document was read.
    """

    doc: str
    sentences: tuple[Sentence, ...]
    facts: tuple[Fact, ...]
    mentions: tuple[Mention, ...]
    aliases: tuple[tuple[str, str], ...] = ()
    language: str = "en"


@dataclass(frozen=True, slots=True)
class Entity:
    """One thing the corpus speaks of, settled over all its mentions: ``forms`` are its names, the chief one first."""

    id: str
    name: str
    label: str
    forms: tuple[str, ...]
    mentions: tuple[Mention, ...]


@dataclass(frozen=True, slots=True)
class Scenario:
    """What a question will be about, found by walking the graph; no word of it is written yet.

    ``facts`` stand in the order of the hops; ``asked`` is the index of the phrase of the last fact that answers.
    ``links`` holds one ``(entity id, phrase index in facts[i], phrase index in facts[i + 1])`` per hop, ``cuts`` the
    character of the latter phrase from which on it names the entity. ``rivals`` are the facts that give another
    value elsewhere, or what a question without an answer was made from; ``scope`` is what tells this one from them.
    """

    question_type: str
    subtype: str
    facts: tuple[Fact, ...]
    asked: int = 0
    links: tuple[tuple[str, int, int], ...] = ()
    cuts: tuple[int, ...] = ()
    rivals: tuple[Fact, ...] = ()
    scope: str = ""


# ---- questions -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Item:
    """One question of a golden set, or a candidate for one.

    ``evidence`` is a list of groups: all groups are needed, any span inside a group will do.
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


@dataclass(frozen=True, slots=True)
class Rejection:
    """Why a candidate was turned away: the rule, and its score beside the threshold when it has one."""

    rule: str
    detail: str
    score: float | None = None
    threshold: float | None = None


def item_id(question: str, answers: tuple[str, ...], evidence: tuple[tuple[Span, ...], ...]) -> str:
    """Return the id of an item: a hash of its question, answers and evidence."""
    places = [[(span.doc, span.start, span.end) for span in group] for group in evidence]
    return content_id("q", question, answers, places)


# ---- scoring ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Passage:
    """What a system retrieved: any subset of the fields may be known."""

    doc: str | None = None
    start: int | None = None
    end: int | None = None
    text: str | None = None
    id: str | None = None
    score: float | None = None


Route = Literal["retrieve", "direct"]
ROUTES: tuple[str, ...] = get_args(Route)
"""What a router decides: to look in the documents before it answers, or to answer at once."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a system said to one question; ``error`` is set when it failed. Latency in seconds.

    ``before`` is the ranking a reranker was given, when there was one; ``retrieved`` is what came of it. ``cpu_s`` and
    ``memory_mb`` are the processor seconds and the most megabytes it took, where that was measured. ``route`` is what a
    router decided, one of ``ROUTES`` where it is to be judged, and ``route_reason`` why.
    """

    id: str
    answer: str | None
    retrieved: tuple[Passage, ...] = ()
    latency_s: float | None = None
    error: str | None = None
    before: tuple[Passage, ...] = ()
    cpu_s: float | None = None
    memory_mb: float | None = None
    route: str | None = None
    route_reason: str | None = None


# ---- the audit -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Finding:
    """One fault the audit found; ``severity`` is error or warning, ``item`` an id or "" for the whole set."""

    code: str
    severity: str
    item: str
    message: str
    advice: str = ""
