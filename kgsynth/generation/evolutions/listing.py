"""simple / listing: the members of a list that a sentence or a heading leads into."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping

from kgsynth.base.records import Document, Scenario, StructureFact, containers_around
from kgsynth.base.thresholds import LIMITS
from kgsynth.base.vocabulary import ContainerKind, StructureKind
from kgsynth.evidence.knowledge import Knowledge
from kgsynth.evidence.list_answers import said_in_short, short_members
from kgsynth.golden.answer_members import answer_members
from kgsynth.language.lengths import length_in_words

_READ = frozenset({"item", "paragraph"})


def walk(knowledge: Knowledge) -> Iterator[Scenario]:
    """Yield a scenario for each complete list of members or steps that is short enough to be an answer."""
    lists = [fact for fact in knowledge.structure if fact.kind in (StructureKind.MEMBER, StructureKind.PROCEDURE)]
    leads = Counter((fact.doc, fact.subject.text.casefold()) for fact in lists)
    inside = knowledge.derived(_blocks_of_lists)
    for fact in lists:
        short = short_members(fact)
        words = sum(map(length_in_words, short))
        fits = words <= LIMITS.passage_max_words and len(short) <= LIMITS.list_max_members
        whole = fact.group < 0 or _is_whole(knowledge.documents[fact.doc], fact, inside)
        exact = answer_members(said_in_short(fact)) == short
        if fits and whole and exact and leads[fact.doc, fact.subject.text.casefold()] == 1:
            yield Scenario("simple", "listing", (), structure=(fact,))


def _blocks_of_lists(knowledge: Knowledge) -> Mapping[tuple[str, int], list[int]]:
    """Return the blocks in each list of each document, those of nested lists too."""
    found: dict[tuple[str, int], list[int]] = defaultdict(list)
    for doc, document in knowledge.documents.items():
        for number, block in enumerate(document.blocks):
            for place in containers_around(document.containers, block.inside):
                if document.containers[place].kind in (ContainerKind.LIST, ContainerKind.STEPS):
                    found[doc, place].append(number)
    return found


def _is_whole(document: Document, fact: StructureFact, inside: Mapping[tuple[str, int], list[int]]) -> bool:
    """Check whether every block of a list is text of a member, and no member is only a link."""
    blocks = [document.blocks[number] for number in inside[fact.doc, fact.group]]
    members = [(value.start, value.end) for value in fact.values]
    if any(_in_terms(document, block.inside) for block in blocks):
        return False  # a term and its detail would be run together
    told = all(any(start <= block.start and block.end <= end for start, end in members) for block in blocks)
    linked = sum(any(end - start >= len(block.text) - 1 for start, end, _ in block.links) for block in blocks)
    return told and all(block.kind in _READ for block in blocks) and linked * 2 < len(blocks)


def _in_terms(document: Document, place: int) -> bool:
    """Check whether a block is in a list of terms with their details."""
    around = containers_around(document.containers, place)
    return any(document.containers[number].kind == ContainerKind.TERMS for number in around)
