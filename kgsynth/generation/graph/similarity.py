"""Pairs of similar vectors: exact, computed in blocks, without an n×n matrix in memory.

There is no approximate search: up to some hundred thousand chunks the exact product takes minutes at most.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

_COSINE_DIGITS = 4
_MAX_SCORES_IN_MEMORY = 1 << 25  # scores in memory at one time: 128 MB


def similar_pairs(
    vectors: NDArray[np.float32], k: int, floor: float, block: int = 2048
) -> list[tuple[int, int, float]]:
    """Return the pairs (i, j, cosine), i < j, in which each is among the k nearest of the other, sorted.

    ``vectors`` has shape (n, d), with rows of length 1. The cosines are rounded to four digits before anything else, so
    that the last bits of a matrix product decide nothing; among equal ones the lower index is nearer. Pairs below
    ``floor`` are left out.

    Example:
        >>> similar_pairs(np.array([[1, 0], [0.8, 0.6], [0, 1]], dtype=np.float32), k=10, floor=0.5)
        [(0, 1, 0.8), (1, 2, 0.6)]
    """
    count = len(vectors)
    if count < 2 or k < 1:
        return []
    scale = 10**_COSINE_DIGITS
    rows = max(1, min(block, _MAX_SCORES_IN_MEMORY // count))
    found = [_nearest(vectors, start, min(start + rows, count), k, floor, scale) for start in range(0, count, rows)]
    left = np.concatenate([each[0] for each in found])
    right = np.concatenate([each[1] for each in found])
    score = np.concatenate([each[2] for each in found])
    mutual = (left < right) & np.isin(left * count + right, right * count + left)
    pairs = zip(left[mutual].tolist(), right[mutual].tolist(), score[mutual].tolist(), strict=True)
    return [(i, j, round(cell / scale, _COSINE_DIGITS)) for i, j, cell in pairs]


def _nearest(
    vectors: NDArray[np.float32], start: int, stop: int, k: int, floor: float, scale: int
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float32]]:
    """Return rows, columns and scaled cosines of the k nearest of each of the rows ``start`` to ``stop``."""
    scores = vectors[start:stop] @ vectors.T
    np.rint(scores * np.float32(scale), out=scores)
    scores[np.arange(stop - start), np.arange(start, stop)] = -np.inf
    kept = min(k, scores.shape[1] - 1)
    least = np.partition(scores, -kept, axis=1)[:, -kept][:, None]
    over, equal = scores > least, scores == least
    room = kept - over.sum(axis=1, keepdims=True)
    crowded = np.flatnonzero(equal.sum(axis=1) > room[:, 0])
    equal[crowded] &= equal[crowded].cumsum(axis=1, dtype=np.int32) <= room[crowded]
    chosen = (over | equal) & (scores >= np.float32(round(floor * scale)))
    across, down = np.nonzero(chosen)
    return across + start, down, scores[chosen]
