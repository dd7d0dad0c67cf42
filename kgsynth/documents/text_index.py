"""Find where a text stands in documents, whatever splitters, extractors and stores have changed in it."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING, NamedTuple

from kgsynth.base.thresholds import LIMITS
from kgsynth.language.words import CJK, CJK_SYMBOLS

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

# Fold a text, so that what splitters, extractors and stores change in it makes no difference.
#
# White space, accents and invisible characters are removed; ligatures are taken apart; letter case, width, and the
# kinds of quotes and dashes are made equal.

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


# Find a text in a document piece by piece, where another program read its lines, columns or cells in another order.


class SharedPiece(NamedTuple):
    """The letters ``[start, end)`` of a text, which stand at ``at`` in the documents."""

    start: int
    end: int
    at: int


def shared_pieces(
    letters: str, there: str, seeds: Iterable[tuple[int, int]], size: int, hits_per_piece: int
) -> tuple[list[SharedPiece], float]:
    """Return the pieces of ``letters`` that are in ``there``, and the share of the letters in them.

    ``seeds`` are pairs of an offset in ``letters`` and one in ``there`` at which a run of equal letters begins. Only
    pieces of ``size`` letters or more count. A piece that is in several places is returned for each of them; one
    in more than ``hits_per_piece`` places is left out.

    Example:
        >>> shared_pieces("daisiesroses", "rosesdaisies", [(0, 5), (8, 1)], 4, 9)
        ([SharedPiece(start=7, end=12, at=0), SharedPiece(start=0, end=7, at=5)], 1.0)
    """
    found = sorted(_pieces(letters, there, seeds, size), key=lambda piece: (piece.start - piece.end, piece))
    covered = bytearray(len(letters))
    kept: list[SharedPiece] = []
    for (start, end), same in groupby(found, key=lambda piece: piece[:2]):
        places = list(same)
        if len(places) <= hits_per_piece and covered.count(0, start, end) >= size:
            covered[start:end] = b"\1" * (end - start)
            kept += places
    return sorted(kept, key=lambda piece: piece.at), covered.count(1) / len(covered)


def _pieces(letters: str, there: str, seeds: Iterable[tuple[int, int]], size: int) -> Iterator[SharedPiece]:
    """Yield the longest run of equal letters around each seed, once."""
    by_lane: Sequence[tuple[int, int]] = sorted((hit - offset, offset) for offset, hit in seeds)
    for lane, seeds_of_lane in groupby(by_lane, key=lambda pair: pair[0]):
        end = 0
        for _, offset in seeds_of_lane:
            if offset < end:
                continue
            start = offset
            while start and start + lane and letters[start - 1] == there[start - 1 + lane]:
                start -= 1
            end = offset
            while end < len(letters) and end + lane < len(there) and letters[end] == there[end + lane]:
                end += 1
            if end - start >= size:
                yield SharedPiece(start, end, start + lane)


# Find where a text occurs in a set of documents, exactly, nearly or in pieces, without reading the documents again.
#
# Both are folded first. A text that is not found so is compared by its letters and digits alone, which ignores
# bullets, marks of emphasis and hyphens at line ends. The index is one sorted array with a hash of every sixth run of
# twelve letters or digits; a text that occurs must hit it, and its hits lie on one diagonal.

MIN_SIMILARITY = 0.9
"""A text counts as found from this similarity: 1 - indel distance / total length, of letters and digits only."""

MIN_DISTINCTIVE_LENGTH = 16
"""A text with this ``letter_count`` that occurs in one place only is not there by chance."""

_WIDE_LETTER = re.compile(f"[{CJK}{CJK_SYMBOLS}\u3100-\u33ff]")
_UNKNOWN_GLYPH = re.compile(r"\(cid:\d+\)")  # as pdfminer writes a letter, often a bullet, that it cannot name
_GRAM = 12  # letters in a key of the index
_STRIDE = 6  # every sixth key is kept, so a text of _GRAM + _STRIDE - 1 letters hits one wherever it occurs
_MAX_PLACES_COMPARED = 4  # letter by letter, when a text is not found exactly
_MAX_HITS = 20_000  # a text with more is a pattern (a ruled line) and is searched without the index


class Place(NamedTuple):
    """A span of a document where a text was found; ``end`` is None for the complete document."""

    doc: str
    start: int
    end: int | None


class TextIndex:
    """An index of folded documents: built in one pass, about 30 bytes per letter, constant time per search."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        import numpy as np

        self._docs = sorted(texts)
        self._numbers = {doc: number for number, doc in enumerate(self._docs)}
        codes, origins, at, bounds, letter_bounds = [], [], [], [0], [0]
        for doc in self._docs:
            each = folded(texts[doc])
            end = len(each.codes)  # of a 0, which no text has and which separates the documents
            codes += [each.codes, np.array([0], dtype=np.uint32)]
            origins += [each.origin.astype(np.int32), np.array([-1], dtype=np.int32)]
            at += [each.letters + bounds[-1], np.array([end + bounds[-1]])]
            bounds.append(bounds[-1] + end + 1)
            letter_bounds.append(letter_bounds[-1] + len(each.letters) + 1)
        whole = np.concatenate(codes) if codes else np.zeros(0, dtype=np.uint32)
        self._text = _decode(whole)
        self._origin = np.concatenate(origins) if origins else np.zeros(0, dtype=np.int32)
        self._at = np.concatenate(at).astype(np.int32) if at else np.zeros(0, dtype=np.int32)
        self._bounds, self._letter_bounds = np.array(bounds), np.array(letter_bounds)
        letters = whole[self._at]
        self._letters = _decode(letters)
        hashes = _grams(letters, _STRIDE)
        order = np.argsort(hashes, kind="stable")
        self._hashes, self._positions = hashes[order], order * _STRIDE

    def find(self, text: str, doc: str | None = None) -> tuple[list[Place], float]:
        """Return the places of ``text`` (only those in ``doc`` if given), and the similarity there.

        The places are all exact ones, or all with the same letters and digits (similarity 1), or the best similar one,
        whose similarity is at least MIN_SIMILARITY, or none.
        """
        import numpy as np

        asked = folded(_UNKNOWN_GLYPH.sub(" ", text))
        wanted, codes = _decode(asked.codes), asked.codes[asked.letters]
        bounds, (low, high) = self._range(self._bounds, doc), self._range(self._letter_bounds, doc)
        if not wanted or low == high:
            return [], 0.0
        if len(codes) < _GRAM + _STRIDE - 1:
            return self._exact(self._scan(wanted, *bounds), len(wanted))
        offsets, hits = self._seeds(codes, low, high)
        if len(hits) > _MAX_HITS:
            return self._exact(self._scan(wanted, *bounds), len(wanted))
        letters, first = _decode(codes), int(asked.letters[0])
        starts = np.unique((hits - offsets)[offsets < _STRIDE])
        same = [at for at in starts.tolist() if at >= low and self._letters.startswith(letters, at)]
        begins = [int(self._at[at]) - first for at in same]
        exact = [begin for begin in begins if begin >= bounds[0] and self._text.startswith(wanted, begin)]
        if exact or not same:
            return self._exact(exact, len(wanted)) if exact else self._similar(letters, offsets, hits)
        return [self._with_marks(at, len(letters), wanted) for at in same], 1.0

    def find_pieces(self, text: str, doc: str | None = None) -> tuple[list[Place], float]:
        """Return the places of the pieces of ``text`` in one document, and the share of its letters that is in them.

        That is for a text whose lines, columns or cells are in another order there. The share is at least
        MIN_SIMILARITY, or the ``passage_pieces_share`` in ``doc``; otherwise there is no place.
        """
        import numpy as np

        asked = folded(_UNKNOWN_GLYPH.sub(" ", text))
        codes = asked.codes[asked.letters]
        low, high = self._range(self._letter_bounds, doc)
        offsets, hits = self._seeds(codes, low, high)
        if len(hits) > _MAX_HITS:
            return [], 0.0
        best, found = 0.0, list[SharedPiece]()
        numbers = np.searchsorted(self._letter_bounds, hits, "right") - 1
        for number in np.unique(numbers).tolist():
            here, where = offsets[numbers == number], hits[numbers == number]
            if len(np.unique(here)) * (_GRAM + 2 * _STRIDE) > best * len(codes):  # the letters that hits can reach
                seeds = zip(here.tolist(), where.tolist(), strict=True)
                size = _GRAM + _STRIDE - 1
                pieces, share = shared_pieces(_decode(codes), self._letters, seeds, size, _MAX_PLACES_COMPARED)
                best, found = max((best, found), (share, pieces), key=itemgetter(0))
        if best < (MIN_SIMILARITY if doc is None else LIMITS.passage_pieces_share):
            return [], 0.0
        ends = [one.at + one.end - one.start - 1 for one in found]
        return [
            self._place(int(self._at[one.at]), int(self._at[end]) + 1) for one, end in zip(found, ends, strict=True)
        ], best

    def _range(self, bounds: NDArray[np.int64], doc: str | None) -> tuple[int, int]:
        if doc is None:
            return 0, int(bounds[-1])
        number = self._numbers.get(doc)
        return (0, 0) if number is None else (int(bounds[number]), int(bounds[number + 1]))

    def _scan(self, wanted: str, low: int, high: int) -> Iterator[int]:
        at = self._text.find(wanted, low, high)
        while at >= 0:
            yield at
            at = self._text.find(wanted, at + len(wanted), high)

    def _seeds(self, codes: NDArray[np.uint32], low: int, high: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return pairs of an offset into the text and a position in ``[low, high)`` that share a run of letters."""
        import numpy as np

        keys = _grams(codes)
        first = np.searchsorted(self._hashes, keys, "left")
        counts = np.searchsorted(self._hashes, keys, "right") - first
        offsets = np.repeat(np.arange(len(keys)), counts)
        within = np.arange(len(offsets)) - np.repeat(np.cumsum(counts) - counts, counts)
        hits = self._positions[np.repeat(first, counts) + within]
        inside = (hits >= low) & (hits < high)
        return offsets[inside], hits[inside]

    def _exact(self, starts: Iterable[int], length: int) -> tuple[list[Place], float]:
        places = [self._place(start, start + length) for start in starts]
        return places, 1.0 if places else 0.0

    def _with_marks(self, start: int, length: int, wanted: str) -> Place:
        """Return the place of a run of letters, with the marks around it that the text also has."""
        begin, end = int(self._at[start]), int(self._at[start + length - 1]) + 1
        head, tail = _edge_marks(wanted)
        while head and self._text[begin - 1 : begin] == head[-1]:
            begin, head = begin - 1, head[:-1]
        while tail and self._text[end : end + 1] == tail[0]:
            end, tail = end + 1, tail[1:]
        return self._place(begin, end)

    def _place(self, start: int, end: int) -> Place:
        import numpy as np

        number = int(np.searchsorted(self._bounds, start, "right")) - 1
        return Place(self._docs[number], int(self._origin[start]), int(self._origin[end - 1]) + 1)

    def _similar(self, letters: str, offsets: NDArray[np.int64], hits: NDArray[np.int64]) -> tuple[list[Place], float]:
        """Compare the text with the places that its runs of letters point to, most runs first."""
        import numpy as np
        from rapidfuzz.distance import Indel

        slack = max(32, len(letters) // 8)
        votes = Counter(((hits - offsets) // slack).tolist())
        best, found = 0.0, None
        for lane, _ in sorted(votes.items(), key=lambda vote: (-vote[1], vote[0]))[:_MAX_PLACES_COMPARED]:
            near = np.flatnonzero(np.abs((hits - offsets) // slack - lane) <= 1)
            first, last = near[0], near[-1]  # seeds are sorted by offset
            number = int(np.searchsorted(self._letter_bounds, hits[first], "right")) - 1
            low, high = int(self._letter_bounds[number]), int(self._letter_bounds[number + 1]) - 1
            start = max(low, int(hits[first] - offsets[first]))
            end = min(high, int(hits[last] - offsets[last]) + len(letters))
            there = self._letters[start:end]
            similarity = Indel.normalized_similarity(letters, there, score_cutoff=max(MIN_SIMILARITY, best))
            if similarity > best:
                best, found = similarity, self._place(int(self._at[start]), int(self._at[end - 1]) + 1)
        return ([found], best) if found else ([], 0.0)


def _decode(codes: NDArray[np.uint32]) -> str:
    return codes.tobytes().decode("utf-32-le", "surrogatepass")


def _edge_marks(text: str) -> tuple[str, str]:
    """Return the text before the first and after the last letter or digit of a text.

    Example:
        >>> _edge_marks("(see a).")
        ('(', ').')
    """
    places = [at for at, letter in enumerate(text) if letter.isalnum()]
    return text[: places[0]], text[places[-1] + 1 :]


def _grams(codes: NDArray[np.uint32], stride: int = 1) -> NDArray[np.uint64]:
    """Return a polynomial hash of every ``stride``-th run of _GRAM letters."""
    import numpy as np

    count = max(0, len(codes) - _GRAM + 1)
    hashes = np.zeros(len(range(0, count, stride)), dtype=np.uint64)
    for at in range(_GRAM if count else 0):
        hashes = hashes * np.uint64(0x9E3779B97F4A7C15) + codes[at : at + count : stride] + np.uint64(1)
    return hashes


def letters_with_origins(text: str) -> tuple[str, list[int]]:
    """Return the letters and digits of a text, folded, and where in it each of them is.

    Example:
        >>> letters_with_origins("Ａda–ﬁne")
        ('adafine', [0, 1, 2, 4, 4, 5, 6])
    """
    found = folded(text)
    return _decode(found.codes[found.letters]), found.origin[found.letters].tolist()


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
