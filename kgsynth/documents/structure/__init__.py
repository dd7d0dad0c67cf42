"""Read what the layout of a document says: one module per kind of structure, each yields facts from the outline.

No parser is needed, so these facts are read in every language. ``KINDS`` lists the modules' functions.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from kgsynth.base.records import Document, Excerpt, StructureFact
from kgsynth.base.records.once import once
from kgsynth.base.vocabulary import StructureKind
from kgsynth.documents.structure.links import links
from kgsynth.documents.structure.lists import lists, terms
from kgsynth.documents.structure.notes import changes, fields, notes
from kgsynth.documents.structure.outline import Outline, fact_id, topics
from kgsynth.documents.structure.questions import questions
from kgsynth.documents.structure.tables import tables

_TEMPLATE_TAG = r"\{%[^%\n]{1,200}%\}"
_HOLE = re.compile(rf"[^\s(\"'>{{}}][ \t]*{_TEMPLATE_TAG}|{_TEMPLATE_TAG}[ \t]*[^\s)\"'<#{{}}]")
"""A template in a line of text; one in the target of a link leaves nothing out, nor does one in a line of its own."""

__all__ = ["KINDS", "former_ids", "structure"]

KINDS: tuple[Callable[[Outline], Iterator[StructureFact]], ...] = (
    tables,
    lists,
    terms,
    questions,
    notes,
    fields,
    changes,
    topics,
    links,
)


def structure(document: Document) -> tuple[StructureFact, ...]:
    """Return everything that the layout of ``document`` says, in the order of ``KINDS``; it is read once.

    Facts whose text has a hole where a template would write a word ("Ask in {% channel %}.") are left out, except
    the answers to questions.

    Example:
        >>> from kgsynth.documents.assembly import assemble
        >>> from kgsynth.documents.readers.markdown import read
        >>> page = read("# Plans\\n\\n| Plan | Price |\\n|---|---|\\n| Team | $5 |\\n")
        >>> cell, topic = structure(assemble(page, id="plans.md", format="md", sha256=""))
        >>> cell.kind.value, cell.subject.text, cell.heads[0].text, cell.values[0].text
        ('cell', 'Team', 'Price', '$5')
        >>> topic.kind.value, topic.subject.text
        ('topic', 'Plans')
    """
    return _read(document)


@once
def _read(document: Document) -> tuple[StructureFact, ...]:
    outline = Outline(document)
    found = (fact for kind in KINDS for fact in kind(outline))
    if "{%" not in document.text:
        return tuple(found)
    return tuple(fact for fact in found if not _has_hole(document.text, fact))


def former_ids(
    document: Document, doc: str, before: Callable[[Excerpt], tuple[int, int] | None]
) -> dict[str, StructureFact]:
    """Return the facts of a document by the ids that they had when it was ``doc`` and their excerpts were elsewhere.

    ``before`` returns where an excerpt was, None if that is not known; facts with such an excerpt are left out.

    Example:
        >>> from kgsynth.documents.assembly import assemble
        >>> from kgsynth.documents.readers.markdown import read
        >>> page = read("# Plans\\n\\nText.\\n")
        >>> old, new = (assemble(page, id=name, format="md", sha256="") for name in ("old.md", "new.md"))
        >>> (before,), ids = structure(old), former_ids(new, "old.md", lambda part: (part.start, part.end))
        >>> ids[before.id].doc
        'new.md'
    """
    found = {}
    for fact in structure(document):
        places = [place for part in fact.excerpts if (place := before(part))]
        if len(places) == len(fact.excerpts):
            found[fact_id(doc, fact.kind, fact.name, places)] = fact
    return found


def _has_hole(text: str, fact: StructureFact) -> bool:
    """Check whether a template is in the lines of a fact: a block begins after it and ends before it."""
    if fact.kind == StructureKind.ANSWERS:
        return False
    for part in fact.excerpts:
        end = text.find("\n", part.end)
        lines = text[text.rfind("\n", 0, part.start) + 1 : end if end >= 0 else len(text)]
        if "{%" not in part.text and _HOLE.search(lines):
            return True
    return False
