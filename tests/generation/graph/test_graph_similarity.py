"""Similar pairs against the definition, and cases that rounding errors could decide."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from kgsynth.generation.graph import build
from kgsynth.generation.graph.build import similar_pairs


def unit(rows: NDArray[np.float64]) -> NDArray[np.float32]:
    return (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)


def by_definition(vectors: NDArray[np.float32], k: int, floor: float) -> list[tuple[int, int]]:
    count = len(vectors)
    scores = np.rint(vectors @ vectors.T * np.float32(10_000))
    near = []
    for i in range(count):
        order = sorted((j for j in range(count) if j != i), key=lambda j: (-scores[i, j], j))
        near.append({j for j in order[:k] if scores[i, j] >= round(floor * 10_000)})
    return [(i, j) for i in range(count) for j in range(i + 1, count) if j in near[i] and i in near[j]]


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**31), st.integers(2, 40), st.integers(1, 12), st.sampled_from([-1.0, 0.0, 0.5]))
def test_the_pairs_are_those_of_the_definition(seed: int, count: int, k: int, floor: float) -> None:
    vectors = unit(np.random.default_rng(seed).integers(1, 4, size=(count, 3)).astype(float))  # many ties
    found = similar_pairs(vectors, k=k, floor=floor, block=7)
    assert [pair[:2] for pair in found] == by_definition(vectors, k, floor)
    for i, j, weight in found:
        assert weight == pytest.approx(float(vectors[i] @ vectors[j]), abs=1e-4)


def test_the_block_changes_nothing() -> None:
    vectors = unit(np.random.default_rng(0).normal(size=(300, 8)))
    whole = similar_pairs(vectors, k=5, floor=0.2)
    assert whole
    assert all(similar_pairs(vectors, k=5, floor=0.2, block=block) == whole for block in (1, 13, 299))


def test_the_first_of_equal_neighbours_are_kept() -> None:
    vectors = np.ones((6, 1), dtype=np.float32)
    # the two nearest: 1 and 2 for 0; 0 and 2 for 1; 0 and 1 for all others
    assert similar_pairs(vectors, k=2, floor=0.5) == [(0, 1, 1.0), (0, 2, 1.0), (1, 2, 1.0)]


def test_nearness_must_be_mutual() -> None:
    vectors = unit(np.array([[1, 0], [1, 0.1], [1, 0.5]]))
    # the nearest of 2 is 1, but the nearest of 1 is 0
    assert [pair[:2] for pair in similar_pairs(vectors, k=1, floor=0.0)] == [(0, 1)]


def test_no_pair_below_the_floor_or_from_less_than_two_vectors() -> None:
    vectors = unit(np.array([[1.0, 0.0], [1.0, 1.0]]))
    assert similar_pairs(vectors, k=10, floor=0.7) == [(0, 1, 0.7071)]
    assert similar_pairs(vectors, k=10, floor=0.71) == []
    assert similar_pairs(np.zeros((0, 4), dtype=np.float32), k=10, floor=0.5) == []
    assert similar_pairs(vectors[:1], k=10, floor=0.5) == []


def test_memory_is_bounded_by_cells(monkeypatch: pytest.MonkeyPatch) -> None:
    shapes: list[int] = []
    real = build._nearest

    def watched(vectors: NDArray[np.float32], start: int, stop: int, *rest: float) -> object:
        shapes.append((stop - start) * len(vectors))
        return real(vectors, start, stop, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(build, "_MAX_SCORES_IN_MEMORY", 1000)
    monkeypatch.setattr(build, "_nearest", watched)
    similar_pairs(unit(np.random.default_rng(0).normal(size=(100, 4))), k=10, floor=0.5)
    assert len(shapes) == 10
    assert max(shapes) <= 1000
