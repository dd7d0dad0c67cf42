"""Search a corpus for a possible answer to a question that is meant to be unanswerable.

Headings, tables and code are searched too. A passage is about an entity if it, or a block next to it, or a heading over
it names the entity; a list, table or piece of code belongs to the block before it. Not found: an answer that uses
a name or words that the query does not list.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from kgsynth.base.records import Block, Document
from kgsynth.base.thresholds import LIMITS

_ATTACHED_KINDS = frozenset({"item", "cell", "code"})
"""Kinds of block that belong to the block before them."""


class PossibleAnswer(NamedTuple):
    """A place that may hold the answer, and the words of the query that are there."""

    doc: str
    start: int
    end: int
    words: tuple[str, ...]


class AbsenceQuery(NamedTuple):
    """What must not be in the corpus: an entity by its names, with a predicate or other words, each by its forms.

    A form of the ``predicate`` alone is a possible answer, and so is a share of the ``words``. A form that ends in an
    asterisk is a prefix. With ``whole_document``, a document that names the entity is about nothing else.
    """

    names: Sequence[str]
    predicate: Sequence[str]
    words: Sequence[Sequence[str]]
    whole_document: bool = False


def find_possible_answer(documents: Mapping[str, Document], query: AbsenceQuery) -> PossibleAnswer | None:
    """Return the first passage that is about the entity and may hold the answer, None if there is none.

    Example:
        >>> text = "The Pike was built in Leeds."
        >>> page = Document("a.md", text, "", "txt", "0", (Block("paragraph", 0, 28, text, ((0, 0),)),), ())
        >>> find_possible_answer({"a.md": page}, AbsenceQuery(["Pike"], ["build", "built"], []))
        PossibleAnswer(doc='a.md', start=0, end=28, words=('built',))
        >>> find_possible_answer({"a.md": page}, AbsenceQuery(["Pike"], ["weigh*"], []))
    """
    name = any_of(query.names)
    predicate = any_of(query.predicate) if query.predicate else None
    words = [any_of(forms) for forms in query.words]
    for doc in sorted(documents):
        document = documents[doc]
        if name.search(f"{document.text}\n{document.title}"):
            for passage in [document.blocks] if query.whole_document else _passages_about(document, name):
                text = "\n".join(block.text for block in passage)
                verb = predicate.search(text) if predicate is not None else None
                found = [match.group() for pattern in words if (match := pattern.search(text))]
                if verb or (found and len(found) >= LIMITS.absence_word_share * len(words)):
                    matched = (*([verb.group()] if verb else ()), *found)
                    return PossibleAnswer(doc, passage[0].start, passage[-1].end, matched)
    return None


def any_of(forms: Iterable[str]) -> re.Pattern[str]:
    """Return a pattern for whole words or names; letter case matters only for a form with a capital inside a word.

    Example:
        >>> any_of(["calibrat*", "ran"]).findall("Recalibrated? It ran a Calibration.")
        ['ran', 'Calibration']
        >>> any_of(["GET"]).findall("To get it, use GET.")
        ['GET']
    """
    return re.compile(rf"(?<!\w)(?:{'|'.join(map(_pattern, sorted(forms)))})(?!\w)", re.IGNORECASE)


def _pattern(form: str) -> str:
    pattern = re.escape(form.removesuffix("*")) + (r"\w*" if form.endswith("*") else "")
    return f"(?-i:{pattern})" if re.search(r"\w[A-Z]", form) else pattern


def _passages_about(document: Document, name: re.Pattern[str]) -> Iterator[list[Block]]:
    units = list(_units(document))
    named = [any(name.search(block.text) for block in unit) for unit in units]
    under_name = [name.search("\n".join(section.path)) is not None for section in document.sections]
    reach = LIMITS.absence_neighbour_blocks
    for number, unit in enumerate(units):
        if named[number]:
            yield [block for near in units[max(0, number - reach) : number + reach + 1] for block in near]
        elif unit[0].section < len(under_name) and under_name[unit[0].section]:
            yield unit


def _units(document: Document) -> Iterator[list[Block]]:
    unit: list[Block] = []
    for block in document.blocks:
        if unit and block.kind not in _ATTACHED_KINDS:
            yield unit
            unit = []
        unit.append(block)
    if unit:
        yield unit
