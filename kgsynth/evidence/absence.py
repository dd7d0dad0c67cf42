"""Do the documents speak of a thing in certain words? The search that a question without an answer has to survive.

Everything is searched, headings, tables and code too. A passage speaks of a thing when it names it, with the blocks
before and behind it, or when a heading over it does; a list, table or piece of code belongs to the block it follows.
Left out: what is said of the thing under a name nobody has listed, in words nobody has listed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from kgsynth.base.records import Block, Document

_HANGS_ON = frozenset({"item", "cell", "code"})
"""Kinds of block that belong to what they follow."""


class Trace(NamedTuple):
    """A place that may hold the answer after all, and the words there that were looked for."""

    doc: str
    start: int
    end: int
    words: tuple[str, ...]


class Sought(NamedTuple):
    """What is looked for: a thing by its names, and what is asked of it by the forms of its words.

    A form of the ``predicate`` is enough to look like an answer, and so are half of the ``words``. A form with an
    asterisk stands for all words that begin so. When ``whole``, a document that names the thing speaks of nothing else.
    """

    names: Sequence[str]
    predicate: Sequence[str]
    words: Sequence[Sequence[str]]
    whole: bool = False


def trace(documents: Mapping[str, Document], sought: Sought) -> Trace | None:
    """Return the first place that speaks of a thing and holds what is asked of it, or None when there is none.

    Example:
        >>> text = "The Pike was built in Leeds."
        >>> page = Document("a.md", text, "", "txt", "0", (Block("paragraph", 0, 28, text, ((0, 0),)),), ())
        >>> trace({"a.md": page}, Sought(["Pike"], ["build", "built"], []))
        Trace(doc='a.md', start=0, end=28, words=('built',))
        >>> trace({"a.md": page}, Sought(["Pike"], ["weigh*"], []))
    """
    named = any_of(sought.names)
    predicate = any_of(sought.predicate) if sought.predicate else None
    words = [any_of(forms) for forms in sought.words]
    for doc in sorted(documents):
        document = documents[doc]
        if named.search(f"{document.text}\n{document.title}"):
            for passage in [document.blocks] if sought.whole else about(document, named):
                text = "\n".join(block.text for block in passage)
                found = predicate.search(text) if predicate is not None else None
                held = [match.group() for pattern in words if (match := pattern.search(text))]
                if found or (held and 2 * len(held) >= len(words)):
                    return Trace(doc, passage[0].start, passage[-1].end, (*([found.group()] if found else ()), *held))
    return None


def any_of(forms: Iterable[str]) -> re.Pattern[str]:
    """Return a pattern that finds any of some words or names, as whole words; capitals count inside a word alone.

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


def about(document: Document, named: re.Pattern[str]) -> Iterator[list[Block]]:
    """Yield the passages of a document that speak of what ``named`` finds: a neighbour, a heading or they name it."""
    units = list(_units(document))
    hits = [any(named.search(block.text) for block in unit) for unit in units]
    under = [named.search("\n".join(section.path)) is not None for section in document.sections]
    for number, unit in enumerate(units):
        near = units[max(0, number - 1) : number + 2]
        if hits[number]:
            yield [block for each in near for block in each]
        elif unit[0].section < len(under) and under[unit[0].section]:
            yield unit


def _units(document: Document) -> Iterator[list[Block]]:
    unit: list[Block] = []
    for block in document.blocks:
        if unit and block.kind not in _HANGS_ON:
            yield unit
            unit = []
        unit.append(block)
    if unit:
        yield unit
