"""Mark the words of a text that changed, in its old and in its new wording."""

from __future__ import annotations

import re
from difflib import SequenceMatcher
from itertools import chain, pairwise

from kgsynth.language.words import CJK
from kgsynth.show.evidence_view import Piece

_WORD_OR_MARK = re.compile(rf"\s+|[{CJK}]|[^\W{CJK}]+|[^\w\s]")
_MAX_COMPARED = 4000
"""Longer texts are marked as a whole: the time to compare two texts grows with the square of their length."""


def word_changes(old: str, new: str) -> tuple[list[Piece], list[Piece]]:
    """Return both texts in pieces; those that the other text does not have are marked "changed".

    Example:
        >>> old, new = word_changes("Who leads the depot?", "Who runs the depot?")
        >>> [(piece.text, piece.mark) for piece in new]
        [('Who ', ''), ('runs', 'changed'), (' the depot?', '')]
    """
    before, after = _WORD_OR_MARK.findall(old), _WORD_OR_MARK.findall(new)
    if old == new or len(before) + len(after) > _MAX_COMPARED:
        mark = "" if old == new else "changed"
        return [Piece(old, mark)], [Piece(new, mark)]
    blocks = SequenceMatcher(None, before, after, autojunk=False).get_matching_blocks()
    return _pieces(before, [(a, a + n) for a, _, n in blocks]), _pieces(after, [(b, b + n) for _, b, n in blocks])


def _pieces(tokens: list[str], same: list[tuple[int, int]]) -> list[Piece]:
    """Return tokens as pieces; those outside the ranges that are the ``same`` in both texts are marked."""
    cuts = [0, *chain.from_iterable(same), len(tokens)]
    texts = ("".join(tokens[a:b]) for a, b in pairwise(cuts))
    return [Piece(text, "" if number % 2 else "changed") for number, text in enumerate(texts) if text]
