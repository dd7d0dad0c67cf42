"""Find other places of the layout that answer a question: a cell, a list, a definition or a trait of the same name.

The fact that gives the answer is found in the evidence. Another one answers the question too if it has the same name,
such as row and column of a cell, and what stands above it has the words by which the question says where to look.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping

from kgsynth.base.records import Document, Item, StructureFact
from kgsynth.base.records.once import once
from kgsynth.base.thresholds import LIMITS
from kgsynth.base.vocabulary import StructureKind
from kgsynth.documents.structure import structure
from kgsynth.evidence.derivation import said, same_answer
from kgsynth.evidence.derivation_steps import DerivationError
from kgsynth.evidence.list_answers import opening, said_in_short, short_members
from kgsynth.evidence.structure_proof import structure_fact
from kgsynth.language import nearest_language
from kgsynth.language.passage_words import points_on
from kgsynth.language.words import folded, words

Name = tuple[StructureKind, str, frozenset[str]]

_WAYS_TO_READ: tuple[Callable[[StructureFact], str], ...] = (said, opening, said_in_short)
_LIST_FACTS = (StructureKind.MEMBER, StructureKind.PROCEDURE)
_NAMED_KINDS = frozenset({StructureKind.CELL, StructureKind.DEFAULT, StructureKind.DEFINITION, *_LIST_FACTS})
_AROUND_NAME = " :：*`"


def named_facts(document: Document) -> tuple[tuple[Name, StructureFact], ...]:
    """Return what a document says in cells, lists, definitions and traits of parameters, each with its name.

    Row and column of a cell may be exchanged, so its name has no order.

    Example:
        >>> from kgsynth.documents.assembly import assemble
        >>> from kgsynth.documents.readers.markdown import read
        >>> table = "| | Price |\\n|---|---|\\n| Team | $5 |\\n"
        >>> ((_, _, heads), cell), = named_facts(assemble(read(table), id="a.md", format="md", sha256=""))
        >>> sorted(heads), said(cell)
        (['price', 'team'], '$5')
    """
    return _named(document)


@once
def _named(document: Document) -> tuple[tuple[Name, StructureFact], ...]:
    return tuple((_name(fact), fact) for fact in structure(document) if fact.kind in _NAMED_KINDS)


def _name(fact: StructureFact) -> Name:
    heads = fact.heads if fact.kind == StructureKind.CELL else ()
    trait = fact.name if fact.kind == StructureKind.DEFAULT else ""
    return fact.kind, trait, frozenset(folded(part.text.strip(_AROUND_NAME)) for part in (fact.subject, *heads))


def other_fact(
    item: Item, others: Mapping[Name, Iterable[StructureFact]], documents: Mapping[str, Document]
) -> tuple[StructureFact, str] | None:
    """Return the first of the other facts that answers an item differently and its answer, None if there is none."""
    found = _answering_fact(item, documents)
    if found is None:
        return None
    name, told, read = found
    scope = _scope(item, told, documents[told.doc])
    stems = nearest_language(item.language).content_stems
    for other in others.get(name, ()):
        if other.id == told.id or not _differs(other, told, read, item):
            continue
        if scope <= set(stems(_above(other, documents[other.doc]))):
            return other, read(other)
    return None


def _answering_fact(
    item: Item, documents: Mapping[str, Document]
) -> tuple[Name, StructureFact, Callable[[StructureFact], str]] | None:
    """Return the one fact that gives the answer, with its name and how it is read, None if there is none or several.

    It is the one that the derivation names, otherwise the one in the evidence whose subject is in the question.
    """
    try:
        proved = structure_fact(item.derivation, documents).id
    except DerivationError:
        proved = ""
    stems = nearest_language(item.language).content_stems
    asked = set(stems(item.question))
    found: dict[Name, tuple[Name, StructureFact, Callable[[StructureFact], str]]] = {}
    for doc in dict.fromkeys(span.doc for group in item.evidence for span in group[:1]):
        for name, fact in named_facts(documents[doc]):
            if proved != fact.id and (proved or not (_is_in(fact, item) and set(stems(fact.subject.text)) <= asked)):
                continue
            for read in _WAYS_TO_READ:
                if any(same_answer(read(fact), golden, item.language) for golden in item.golden_answers):
                    found.setdefault(name, (name, fact, read))
    return next(iter(found.values())) if len(found) == 1 else None


def _is_in(fact: StructureFact, item: Item) -> bool:
    """Check whether what a fact says is in the evidence of an item."""
    spans = [span for group in item.evidence for span in group if span.doc == fact.doc]
    return all(any(part.start < span.end and span.start < part.end for span in spans) for part in fact.values)


def _scope(item: Item, told: StructureFact, page: Document) -> set[str]:
    """Return the stems of the question that are in what stands above a fact, without the noun after its name.

    "The timeout parameter" is the same as "the timeout setting" of another page.
    """
    stems = nearest_language(item.language).content_stems
    name = re.escape(told.subject.text.strip(_AROUND_NAME))
    kind = re.search(rf"{name}\W{{0,3}}(\w+)", item.question, re.IGNORECASE)
    return set(stems(item.question)) & set(stems(_above(told, page))) - set(stems(kind[1]) if kind else ())


def _above(fact: StructureFact, page: Document) -> str:
    """Return the name of a fact, the title and headings above it, and the block directly above its table or list."""
    start = page.containers[fact.group].start if fact.group >= 0 else fact.subject.start
    lead = [block.text for block in page.blocks if block.end <= start and block.section == fact.section][-1:]
    name = (part.text for part in (fact.subject, *fact.heads, *filter(None, [fact.corner])))
    return " ".join((*name, page.title, *page.sections[fact.section].path, *lead))


def _differs(other: StructureFact, told: StructureFact, read: Callable[[StructureFact], str], item: Item) -> bool:
    """Check whether two facts say different things, and not the same in other words or less of it."""
    own = nearest_language(item.language)
    if told.kind in _LIST_FACTS:
        here, there = ([own.answer_form(member) for member in short_members(fact)] for fact in (told, other))
        return here != there if told.kind == StructureKind.PROCEDURE else set(here) != set(there)
    one, two = (set(words(own.answer_form(read(fact)))) for fact in (told, other))
    if one <= two or two <= one or points_on(said(other)) or own.same_value(read(other), read(told), item.question):
        return False
    return told.kind != StructureKind.DEFINITION or not _is_reworded(read(told), read(other))


def _is_reworded(here: str, there: str) -> bool:
    """Check whether two descriptions share half of the words of the shorter one, and all figures."""
    one, two = set(words(here)), set(words(there))
    shared = len(one & two) >= LIMITS.supported_word_share * min(len(one), len(two))
    return shared and not any(word[0].isdigit() for word in one ^ two)
