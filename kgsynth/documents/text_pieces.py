"""Find a text in a document piece by piece, where another program read its lines, columns or cells in another order."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import NamedTuple


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
