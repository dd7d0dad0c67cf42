"""What a documented parameter belongs to, and what it is called: "the max_size argument of ConnectionPool".

Both are read from the sentence before its list, then from the headings above it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from kgsynth.base.records import Block, Document, StructureFact
from kgsynth.base.vocabulary import StructureKind
from kgsynth.evidence.knowledge import Knowledge
from kgsynth.generation.writing.english.prose_places import block_above
from kgsynth.generation.writing.english.short_scope import common_scope
from kgsynth.language.english.descriptions import is_code, kind_in, kind_noun
from kgsynth.language.english.morphology import singular
from kgsynth.language.english.text_forms import is_common_word

_OWNER_HEADING = re.compile(
    r"^(?:the |us(?:e|ing) )?`?(?P<name>[\w.:@/-]+(?:\(\))?)`?(?:\([^()]*\))?(?: (?:class|function|method|command|object|decorator|directive))?$",  # noqa: E501
    re.I,
)
_CAMEL_CASE = re.compile(r"^[A-Z](?=\w*[A-Z])(?=\w*[a-z])\w+$|^\w+\(\)$")


def owner_and_kind(fact: StructureFact, knowledge: Knowledge) -> tuple[str, str]:
    """Return the function, class or command that a parameter belongs to and the noun for what it is, "" if unknown."""
    document = knowledge.documents[fact.doc]
    path = document.sections[fact.section].path
    kind, lead = kind_noun(path[-1], plural=True), _lead(fact, document, knowledge)
    owners = [*(_named_in(lead) if lead else ()), *_named_above(path)]
    kind = kind or (kind_in(lead.text) if lead else "")
    common = knowledge.derived(common_scope)
    known = (fact.subject.text, common[1] if common else "")  # what all is about is no owner
    return next((name for name in owners if name not in known), ""), kind


def _lead(fact: StructureFact, document: Document, knowledge: Knowledge) -> Block | None:
    """Return the paragraph that a list of terms follows, None for terms that are in no list."""
    first = knowledge.derived(_list_starts).get((fact.doc, fact.group))
    if first is None:
        return None
    above = block_above(document, first, fact.section)
    return above if above and above.kind == "paragraph" else None


def _list_starts(knowledge: Knowledge) -> Mapping[tuple[str, int], int]:
    """Return where the first term of each list of terms begins."""
    starts: dict[tuple[str, int], int] = {}
    for fact in knowledge.structure:
        if fact.kind == StructureKind.DEFINITION and fact.group >= 0:
            place = (fact.doc, fact.group)
            starts[place] = min(fact.subject.start, starts.get(place, fact.subject.start))
    return starts


def _named_in(lead: Block) -> Iterator[str]:
    """Yield the one name in code that a sentence has."""
    names = {lead.text[start:end] for start, end in lead.code}
    if len(names) == 1 and all(re.fullmatch(r"[\w.]+(?:\(\))?", name) for name in names):
        yield from names


def _named_above(path: tuple[str, ...]) -> Iterator[str]:
    """Yield the headings that name a piece of code, the closest first."""
    for title in reversed(path):
        match = _OWNER_HEADING.match(title.strip())
        name = match["name"] if match else ""
        if (is_code(name) or _CAMEL_CASE.match(name)) and not _names_sections(name):
            yield name


def _names_sections(title: str) -> bool:
    """Check whether a title in capitals says what sort of section it is, as in manual pages: NOTES, OPTIONS."""
    return title.isupper() and is_common_word(title.lower()) and singular(title.lower()) != title.lower()
