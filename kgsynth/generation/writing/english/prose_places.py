"""Where a document writes a name; what this needs of a text is made once for each document, not for each name."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator

from kgsynth.base.records import Block, Document
from kgsynth.base.records.once import once

_INSIDE = re.compile(r"(?<=[a-z,] )\w*[A-Z]\w*")
_NOT_IN_WORD = re.compile(r"\W")


@once
def prose(document: Document) -> str:
    """Return the paragraphs and items of a document, each on a line."""
    return "\n".join(block.text for block in document.blocks if block.kind in ("paragraph", "item"))


@once
def small_text(document: Document) -> str:
    """Return the text of a document in lower case, with every character at its place."""
    return _small(document.text)


def _small(text: str) -> str:
    return text.replace("İ", "I").lower()  # the only letter that is two characters in lower case


def places(name: str, text: str) -> Iterator[int]:
    """Yield where a text has a name, also as a part of a longer word.

    Example:
        >>> list(places("set", "set the settings"))
        [0, 8]
    """
    at = text.find(name)
    while at >= 0:
        yield at
        at = text.find(name, at + 1)


def inside_sentences(name: str, document: Document) -> list[int]:
    """Return where the prose has a name with a capital after a word in lower case or a comma."""
    found = _capitals(document).get(_NOT_IN_WORD.split(name, maxsplit=1)[0], ())
    return [at for at in found if prose(document).startswith(name, at)]


@once
def _capitals(document: Document) -> dict[str, list[int]]:
    """Return the words with a capital inside the sentences of the prose, each with its places."""
    found: dict[str, list[int]] = defaultdict(list)
    for match in _INSIDE.finditer(prose(document)):
        found[match[0]].append(match.start())
    return dict(found)


def block_above(document: Document, place: int, section: int) -> Block | None:
    """Return the last block of a section that ends at or before an offset of the text, None without one.

    The blocks of a section stand together, so only the one directly before the offset can be it.
    """
    number = bisect_right(document.blocks, place, key=lambda block: block.end)
    above = document.blocks[number - 1] if number else None
    return above if above and above.section == section else None
