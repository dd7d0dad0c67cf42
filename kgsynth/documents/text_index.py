"""Find where a text occurs in a set of documents, exactly or nearly, without reading the documents again.

Both are folded first, since splitters and stores change these: white space, accents and invisible characters are
removed; letter case, width, and the kinds of quotes and dashes are made equal. A text that is not found exactly is
compared by its letters and digits. The index is one sorted array with a hash of every sixth run of twelve letters; a
text that occurs must hit it, and its hits lie on one diagonal.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from kgsynth.language.words import CJK, CJK_SYMBOLS

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

MIN_SIMILARITY = 0.9
"""A text counts as found from this similarity: 1 - indel distance / total length, of letters and digits only."""

MIN_DISTINCTIVE_LENGTH = 16
"""A text with this ``letter_count`` that occurs in one place only is not there by chance."""

_WIDE_LETTER = re.compile(f"[{CJK}{CJK_SYMBOLS}\u3100-\u33ff]")
_GRAM = 12  # letters in a key of the index
_STRIDE = 6  # every sixth key is kept, so a text of _GRAM + _STRIDE - 1 letters hits one wherever it occurs
_MAX_PLACES_COMPARED = 4  # letter by letter, when a text is not found exactly
_MAX_HITS = 20_000  # a text with more is a pattern (a ruled line) and is searched without the index
_PLAIN_PUNCTUATION = str.maketrans("‘’‚‛′`“”„‟″«»‐‑‒–—―−", "'" * 6 + '"' * 7 + "-" * 7)


class Place(NamedTuple):
    """A span of a document where a text was found; ``end`` is None for the complete document."""

    doc: str
    start: int
    end: int | None


class TextIndex:
    """An index of folded documents: built in one pass, about 20 bytes per letter, constant time per search."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        import numpy as np

        self._docs = sorted(texts)
        self._numbers = {doc: number for number, doc in enumerate(self._docs)}
        letters, origins, bounds = [], [], [0]
        for doc in self._docs:
            folded = _folded(texts[doc])
            kept = np.flatnonzero(folded)
            letters += [folded[kept], np.array([0], dtype=np.uint32)]  # a 0, which no text has, separates the documents
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
        """Return the places of ``text`` (only those in ``doc`` if given), and the similarity there.

        The places are all exact ones, or the best similar one, whose similarity is at least MIN_SIMILARITY, or none.
        """
        import numpy as np

        codes = _folded(text)
        codes = codes[codes != 0]
        wanted, (low, high) = _decode(codes), self._range(doc)
        if not wanted or low == high:
            return [], 0.0
        if len(wanted) < _GRAM + _STRIDE - 1:
            return self._places(self._scan(wanted, low, high), len(wanted))
        offsets, hits = self._seeds(codes)
        inside = (hits >= low) & (hits < high)
        offsets, hits = offsets[inside], hits[inside]
        if len(hits) > _MAX_HITS:
            return self._places(self._scan(wanted, low, high), len(wanted))
        starts = np.unique((hits - offsets)[offsets < _STRIDE])
        exact = [at for at in starts.tolist() if at >= low and self._text.startswith(wanted, at)]
        return self._places(exact, len(wanted)) if exact else self._similar(wanted, offsets, hits)

    def _range(self, doc: str | None) -> tuple[int, int]:
        if doc is None:
            return 0, len(self._text)
        number = self._numbers.get(doc)
        return (0, 0) if number is None else (int(self._bounds[number]), int(self._bounds[number + 1]))

    def _scan(self, wanted: str, low: int, high: int) -> Iterator[int]:
        at = self._text.find(wanted, low, high)
        while at >= 0:
            yield at
            at = self._text.find(wanted, at + len(wanted), high)

    def _seeds(self, codes: NDArray[np.uint32]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return pairs of an offset into the text and a position in the documents that share a run of letters."""
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
        """Compare the text with the places that its runs of letters point to, most runs first."""
        import numpy as np
        from rapidfuzz.distance import Indel

        letters = _letters(wanted)
        if len(letters) < _GRAM:  # a drawing or a ruled line: too few letters to compare
            return [], 0.0
        slack = max(32, len(wanted) // 8)
        votes = Counter(((hits - offsets) // slack).tolist())
        best, found = 0.0, None
        for lane, _ in sorted(votes.items(), key=lambda vote: (-vote[1], vote[0]))[:_MAX_PLACES_COMPARED]:
            near = np.flatnonzero(np.abs((hits - offsets) // slack - lane) <= 1)
            first, last = near[0], near[-1]  # seeds are sorted by offset
            number = int(np.searchsorted(self._bounds, hits[first], "right")) - 1
            low, high = int(self._bounds[number]), int(self._bounds[number + 1]) - 1
            start = max(low, int(hits[first] - offsets[first]))
            end = min(high, int(hits[last] - offsets[last]) + len(wanted))
            there = _letters(self._text[start:end])
            similarity = Indel.normalized_similarity(letters, there, score_cutoff=max(MIN_SIMILARITY, best))
            if similarity > best:
                best, found = similarity, self._place(start, end)
        return ([found], best) if found else ([], 0.0)


def _decode(codes: NDArray[np.uint32]) -> str:
    return codes.tobytes().decode("utf-32-le", "surrogatepass")


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text))


def _folded(text: str) -> NDArray[np.uint32]:
    """Return the code points of a text, each folded; 0 where it is removed."""
    import numpy as np

    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
    unique, places = np.unique(codes, return_inverse=True)
    return np.array([_fold(code) for code in unique.tolist()], dtype=np.uint32)[places]


@cache
def _fold(code: int) -> int:
    """Fold one code point; 0 for white space, combining marks and invisible characters.

    Example:
        >>> [chr(_fold(ord(letter))) for letter in "É”ｂ中"], _fold(ord("\u200b"))
        (['e', '"', 'b', '中'], 0)
    """
    letter = chr(code)
    if letter.isspace() or unicodedata.category(letter) in ("Mn", "Cf", "Cc"):
        return 0
    letters = unicodedata.normalize("NFKD", letter).casefold()
    alone = all(unicodedata.category(mark) == "Mn" for mark in letters[1:])
    return _PLAIN_PUNCTUATION.get(code, ord(letters[0]) if alone and not letters[0].isspace() else code)


def _grams(codes: NDArray[np.uint32], stride: int = 1) -> NDArray[np.uint64]:
    """Return a polynomial hash of every ``stride``-th run of _GRAM letters."""
    import numpy as np

    count = max(0, len(codes) - _GRAM + 1)
    hashes = np.zeros(len(range(0, count, stride)), dtype=np.uint64)
    for at in range(_GRAM if count else 0):
        hashes = hashes * np.uint64(0x9E3779B97F4A7C15) + codes[at : at + count : stride] + np.uint64(1)
    return hashes


def letter_count(text: str) -> int:
    """Return the number of letters and digits in a text, where a Chinese, Japanese or Korean one counts as two.

    Example:
        >>> letter_count("Ada Low, 9"), letter_count("海岸线")
        (7, 6)
    """
    return sum(1 + bool(_WIDE_LETTER.match(letter)) for letter in text if letter.isalnum())


def cuts_word(text: str, at: int | None) -> bool:
    """Check whether an offset is inside a word; None is the end of the text.

    Example:
        >>> cuts_word("in France", 5), cuts_word("in France", 3), cuts_word("丙烯颜料", 2)
        (True, False, False)
    """
    if not at or at >= len(text):
        return False
    left, right = text[at - 1], text[at]
    return left.isalnum() and right.isalnum() and not _WIDE_LETTER.match(left) and not _WIDE_LETTER.match(right)


def same_span(one: str, other: str, start: int, end: int) -> tuple[int, int] | None:
    """Return the place of ``one[start:end]`` in ``other``; None unless both texts differ in white space only.

    Example:
        >>> same_span("Ada  Low leads", "Ada Low leads", 5, 8)
        (4, 7)
        >>> same_span("Ada Low leads", "Ada Lowe leads", 4, 7)
    """
    if one == other:
        return start, end
    if "".join(one.split()) != "".join(other.split()) or not one[start:end].strip():
        return None
    first = len("".join(one[:start].split()))
    last = first + len("".join(one[start:end].split())) - 1
    letters = [at for at, letter in enumerate(other) if not letter.isspace()]
    return letters[first], letters[last] + 1
