"""Recognise the marks of list items: bullets, numbers and letters."""

from __future__ import annotations

import re
from typing import NamedTuple

_BULLETS = "•‣◦▪▫●○■□▶►➢➤✓✔❖–—*·∙⁃-"
_LIST_MARK = re.compile(
    rf"^(?:(?P<bullet>[{re.escape(_BULLETS)}]|o(?=\s))|\(?(?P<number>\d{{1,3}})[.)]|\(?(?P<letter>[a-zA-Z]|[ivx]{{2,5}})[.)])(?=\s|$)\s*"
)


class ListMark(NamedTuple):
    """The mark of an item: the bullet, or "" and the value of its number or letter; ``length`` is that in the text."""

    bullet: str
    value: int
    style: str
    length: int


def list_mark(text: str) -> ListMark | None:
    """Return the mark that a line begins with, None for none.

    Example:
        >>> list_mark("• one"), list_mark("12. two"), list_mark("-3 is less")
        (ListMark(bullet='•', value=0, style='•', length=2), ListMark(bullet='', value=12, style='1', length=4), None)
    """
    match = _LIST_MARK.match(text)
    if not match:
        return None
    if match["bullet"]:
        return ListMark(match["bullet"], 0, match["bullet"], match.end())
    if match["number"]:
        return ListMark("", int(match["number"]), "1", match.end())
    letter = match["letter"]
    value = ord(letter.lower()) - ord("a") + 1 if len(letter) == 1 else 0
    return ListMark("", value, "A" if letter.isupper() else "a", match.end())


def is_mark(text: str) -> bool:
    """Check whether a text is nothing but a mark."""
    found = list_mark(text)
    return found is not None and found.length == len(text)
