"""A question on its way into a golden set: a scenario, an item, or the rejection of a candidate."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from kgsynth.base.records.documents import Span, content_id
from kgsynth.base.records.language import Fact
from kgsynth.base.records.structure import StructureFact


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
