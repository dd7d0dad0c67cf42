"""Where does a text stand in a set of documents, exactly or nearly? Without reading them again.

Both are folded first: white space, accents and what cannot be seen go; case, width and kinds of quotes and dashes are
levelled, since splitters and stores change these. What is not found so is compared by its letters and digits. Every
sixth run of twelve letters of the documents is hashed into one sorted array; a text that stands there must hit it, and
its hits lie on one diagonal. What a found place is worth is not asked here.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

FLOOR = 0.9
"""The least similarity (1 - indel distance / total length, letters and digits alone) for a text to count as found."""

CERTAIN = 16
"""Letters and digits (see ``weight``) from which on a text that stands in one place does so by no chance."""

_WIDE = re.compile("[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff]")
_GRAM = 12  # letters to a key of the index
_STRIDE = 6  # every sixth key is held: a text of _GRAM + _STRIDE - 1 letters that is there must hit one
_CANDIDATES = 4  # places compared letter by letter when a text is not found exactly
_LEVEL = {
    ord(letter): ord(plain)
    for letters, plain in (("‘’‚‛′`", "'"), ("“”„‟″«»", '"'), ("‐‑‒–—―−", "-"))
    for letter in letters
}
_MOST = 20_000  # hits beyond which a text is a pattern (a ruled line), and is searched for plainly


class Place(NamedTuple):
    """A stretch of a document that a passage holds; ``end`` is None when it is the document as a whole."""

    doc: str
    start: int
    end: int | None


class TextIndex:
    """Where a text stands in a set of documents, both folded; built in one pass, asked in constant time.

    All documents lie in one string, folded; a sorted array holds the hash of every sixth run of
    twelve letters. About 20 bytes a letter are held.
    """

    def __init__(self, texts: Mapping[str, str]) -> None:
        import numpy as np

        self._docs = sorted(texts)
        self._numbers = {doc: number for number, doc in enumerate(self._docs)}
        letters, origins, bounds = [], [], [0]
        for doc in self._docs:
            folded = _folded(texts[doc])
            kept = np.flatnonzero(folded)
            letters += [folded[kept], np.array([0], dtype=np.uint32)]  # the 0 parts documents: no passage holds it
            origins += [kept.astype(np.int32), np.array([-1], dtype=np.int32)]
            bounds.append(bounds[-1] + len(kept) + 1)
        codes = np.concatenate(letters) if letters else np.zeros(0, dtype=np.uint32)
        self._text = _decode(codes)
        self._origin = np.concatenate(origins) if origins else np.zeros(0, dtype=np.int32)
        self._bounds = np.array(bounds)
        hashes = _grams(codes, _STRIDE)
        order = np.argsort(hashes, kind="stable")
        self._hashes, self._positions = hashes[order], order * _STRIDE

    def find(self, text: str, doc: str | None = None) -> tuple[list[Place], float]:
        """Return where ``text`` stands (in ``doc`` alone when given) and how alike it is there: 1, or FLOOR or more.

        Every exact place is returned, else the best of those where the letters are alike, else none and 0.
        """
        import numpy as np

        codes = _folded(text)
        codes = codes[codes != 0]
        wanted, (low, high) = _decode(codes), self._range(doc)
        if not wanted or low == high:
            return [], 0.0
        if len(wanted) < _GRAM + _STRIDE - 1:
            return self._places(self._plainly(wanted, low, high), len(wanted))
        offsets, hits = self._seeds(codes)
        inside = (hits >= low) & (hits < high)
        offsets, hits = offsets[inside], hits[inside]
        if len(hits) > _MOST:
            return self._places(self._plainly(wanted, low, high), len(wanted))
        starts = np.unique((hits - offsets)[offsets < _STRIDE])
        exact = [at for at in starts.tolist() if at >= low and self._text.startswith(wanted, at)]
        return self._places(exact, len(wanted)) if exact else self._similar(wanted, offsets, hits)

    def _range(self, doc: str | None) -> tuple[int, int]:
        if doc is None:
            return 0, len(self._text)
        number = self._numbers.get(doc)
        return (0, 0) if number is None else (int(self._bounds[number]), int(self._bounds[number + 1]))

    def _plainly(self, wanted: str, low: int, high: int) -> Iterator[int]:
        at = self._text.find(wanted, low, high)
        while at >= 0:
            yield at
            at = self._text.find(wanted, at + len(wanted), high)

    def _seeds(self, codes: NDArray[np.uint32]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return pairs of an offset into the passage and a position in the text that share a run of letters."""
        import numpy as np

        keys = _grams(codes)
        first = np.searchsorted(self._hashes, keys, "left")
        counts = np.searchsorted(self._hashes, keys, "right") - first
        offsets = np.repeat(np.arange(len(keys)), counts)
        within = np.arange(len(offsets)) - np.repeat(np.cumsum(counts) - counts, counts)
        return offsets, self._positions[np.repeat(first, counts) + within]

    def _places(self, starts: Iterable[int], length: int) -> tuple[list[Place], float]:
        places = [self._place(start, start + length) for start in starts]
        return places, 1.0 if places else 0.0

    def _place(self, start: int, end: int) -> Place:
        import numpy as np

        number = int(np.searchsorted(self._bounds, start, "right")) - 1
        return Place(self._docs[number], int(self._origin[start]), int(self._origin[end - 1]) + 1)

    def _similar(self, wanted: str, offsets: NDArray[np.int64], hits: NDArray[np.int64]) -> tuple[list[Place], float]:
        """Compare the passage with the places its runs of letters point to, most runs first."""
        import numpy as np
        from rapidfuzz.distance import Indel

        letters = _letters(wanted)
        if len(letters) < _GRAM:  # a drawing, a ruled line: too little is left to compare
            return [], 0.0
        slack = max(32, len(wanted) // 8)
        votes = Counter(((hits - offsets) // slack).tolist())
        best, found = 0.0, None
        for lane, _ in sorted(votes.items(), key=lambda vote: (-vote[1], vote[0]))[:_CANDIDATES]:
            near = np.flatnonzero(np.abs((hits - offsets) // slack - lane) <= 1)
            first, last = near[0], near[-1]  # seeds come by ascending offset
            number = int(np.searchsorted(self._bounds, hits[first], "right")) - 1
            low, high = int(self._bounds[number]), int(self._bounds[number + 1]) - 1
            start = max(low, int(hits[first] - offsets[first]))
            end = min(high, int(hits[last] - offsets[last]) + len(wanted))
            there = _letters(self._text[start:end])
            alike = Indel.normalized_similarity(letters, there, score_cutoff=max(FLOOR, best))
            if alike > best:
                best, found = alike, self._place(start, end)
        return ([found], best) if found else ([], 0.0)


def _decode(codes: NDArray[np.uint32]) -> str:
    return codes.tobytes().decode("utf-32-le", "surrogatepass")


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text))


def _folded(text: str) -> NDArray[np.uint32]:
    """Return the code points of a text, folded one by one; 0 where nothing is left of one."""
    import numpy as np

    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
    unique, places = np.unique(codes, return_inverse=True)
    return np.array([_fold(code) for code in unique.tolist()], dtype=np.uint32)[places]


@cache
def _fold(code: int) -> int:
    """Fold one code point; 0, which parts the documents, for white space, marks on letters and what cannot be seen.

    Example:
        >>> [chr(_fold(ord(letter))) for letter in "É”ｂ中"], _fold(ord("\u200b"))
        (['e', '"', 'b', '中'], 0)
    """
    letter = chr(code)
    if letter.isspace() or unicodedata.category(letter) in ("Mn", "Cf", "Cc"):
        return 0
    parts = unicodedata.normalize("NFKD", letter).casefold()
    alone = all(unicodedata.category(mark) == "Mn" for mark in parts[1:])
    return _LEVEL.get(code, ord(parts[0]) if alone and not parts[0].isspace() else code)


def _grams(codes: NDArray[np.uint32], stride: int = 1) -> NDArray[np.uint64]:
    """Return a polynomial hash of every ``stride``-th run of _GRAM letters; equal runs have equal hashes."""
    import numpy as np

    count = max(0, len(codes) - _GRAM + 1)
    hashes = np.zeros(len(range(0, count, stride)), dtype=np.uint64)
    for at in range(_GRAM if count else 0):
        hashes = hashes * np.uint64(0x9E3779B97F4A7C15) + codes[at : at + count : stride] + np.uint64(1)
    return hashes


def weight(text: str) -> int:
    """Return how many letters and digits a text has, one of a script without blanks counting for two.

    Example:
        >>> weight("Ada Low, 9"), weight("海岸线")
        (7, 6)
    """
    return sum(1 + bool(_WIDE.match(letter)) for letter in text if letter.isalnum())


def cuts_word(text: str, at: int | None) -> bool:
    """Say whether an offset parts a word; None is the end of the text.

    Example:
        >>> cuts_word("in France", 5), cuts_word("in France", 3), cuts_word("丙烯颜料", 2)
        (True, False, False)
    """
    if not at or at >= len(text):
        return False
    left, right = text[at - 1], text[at]
    return left.isalnum() and right.isalnum() and not _WIDE.match(left) and not _WIDE.match(right)


def same_stretch(one: str, other: str, start: int, end: int) -> tuple[int, int] | None:
    """Return where ``one[start:end]`` stands in ``other``, the same text but for white space; None if it is not.

    Example:
        >>> same_stretch("Ada  Low leads", "Ada Low leads", 5, 8)
        (4, 7)
        >>> same_stretch("Ada Low leads", "Ada Lowe leads", 4, 7)
    """
    if one == other:
        return start, end
    if "".join(one.split()) != "".join(other.split()) or not one[start:end].strip():
        return None
    first = len("".join(one[:start].split()))
    last = first + len("".join(one[start:end].split())) - 1
    letters = [at for at, letter in enumerate(other) if not letter.isspace()]
    return letters[first], letters[last] + 1
