"""Fold a text, so that what splitters, extractors and stores change in it makes no difference.

White space, accents and invisible characters are removed; ligatures are taken apart; letter case, width, and the kinds
of quotes and dashes are made equal.
"""

from __future__ import annotations

import unicodedata
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_PLAIN_PUNCTUATION = {
    ord(kind): ord(plain) for kinds, plain in (("‘’‚‛′`", "'"), ("“”„‟″«»", '"'), ("‐‑‒–—―−", "-")) for kind in kinds
}


class FoldedText(NamedTuple):
    """A folded text: its code points, where each came from, and the positions of the letters and digits in it."""

    codes: NDArray[np.uint32]
    origin: NDArray[np.int64]
    letters: NDArray[np.int64]


def folded(text: str) -> FoldedText:
    """Return a text with each code point folded."""
    import numpy as np

    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
    unique, places = np.unique(codes, return_inverse=True)
    folds = [_fold(code) for code in unique.tolist()]
    lengths = np.array([len(fold) for fold in folds], dtype=np.int64)
    starts = np.cumsum(lengths) - lengths
    table = np.array([code for fold in folds for code in fold], dtype=np.uint32)
    counts = lengths[places]
    origin = np.repeat(np.arange(len(codes)), counts)
    within = np.arange(len(origin)) - np.repeat(np.cumsum(counts) - counts, counts)
    index = np.repeat(starts[places], counts) + within
    is_letter = np.array([chr(code).isalnum() for code in table.tolist()], dtype=bool)
    return FoldedText(table[index], origin, np.flatnonzero(is_letter[index]))


@cache
def _fold(code: int) -> tuple[int, ...]:
    """Fold one code point; to nothing for white space, combining marks and invisible characters.

    Example:
        >>> ["".join(map(chr, _fold(ord(letter)))) for letter in "É”ｂ中ﬁß"], _fold(ord("\u200b"))
        (['e', '"', 'b', '中', 'fi', 'ss'], ())
    """
    letter = chr(code)
    if letter.isspace() or unicodedata.category(letter) in ("Mn", "Cf", "Cc"):
        return ()
    if code in _PLAIN_PUNCTUATION:
        return (_PLAIN_PUNCTUATION[code],)
    letters = map(_without_marks, unicodedata.normalize("NFKC", letter).casefold())
    return tuple(ord(each) for each in letters if not each.isspace() and unicodedata.category(each) != "Mn")


def _without_marks(letter: str) -> str:
    parts = unicodedata.normalize("NFKD", letter)
    return parts[0] if all(unicodedata.category(mark) == "Mn" for mark in parts[1:]) else letter
