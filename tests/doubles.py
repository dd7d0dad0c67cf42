"""Test doubles for what is slow or external: small, deterministic, and with the real interface."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from kgsynth.base.records import Item, Rejection
from kgsynth.evidence.knowledge import Knowledge
from kgsynth.evidence.vectors import TextVectors
from kgsynth.generation.filters import judge, sift
from kgsynth.generation.filters.context import FilterContext
from kgsynth.generation.writing import Candidate
from kgsynth.models.local_models import EMBEDDING_PACKAGES, _package_folder
from kgsynth.models.text_encoder import NO_PREFIXES

local = pytest.mark.skipif(
    _package_folder(EMBEDDING_PACKAGES["all-MiniLM-L6-v2"]) is None, reason="needs the extra kgsynth[offline]"
)
"""The mark of a test that needs the embedding model on this machine."""


class HashingEncoder:
    """An ``Encoder`` whose vectors are hashed bags of lower-cased words.

    Texts with the same words are the same vector; those with none in common are at right angles, or nearly so.
    """

    name = "hashing"
    max_tokens = 256
    prefixes = NO_PREFIXES

    def __init__(self, dimension: int = 256) -> None:
        self.dimension = dimension
        self.signature = f"hashing|sha256:none|dim:{dimension}"

    def encode(
        self, texts: Sequence[str], *, batch: int = 64, progress: Callable[[int], None] | None = None
    ) -> NDArray[np.float32]:
        vectors = np.zeros((len(texts), self.dimension), dtype=np.float32)
        for row, text in enumerate(texts):
            for word in re.findall(r"\w+", text.lower()) or [""]:
                digest = hashlib.sha256(word.encode()).digest()
                place = int.from_bytes(digest[:4], "big") % self.dimension
                vectors[row, place] += 1.0 if digest[4] & 1 else -1.0
            if not vectors[row].any():  # words that cancel each other out
                vectors[row, 0] = 1.0
            vectors[row] /= np.linalg.norm(vectors[row])
        if progress is not None and len(texts):
            progress(len(texts))
        return vectors

    encode_questions = encode_prefixed = encode

    def encode_tokens(self, texts: Sequence[str]) -> list[NDArray[np.float32]]:
        return [self.encode(re.findall(r"\w+", text.lower())) for text in texts]


def context_of(
    knowledge: Knowledge,
    encode: Callable[[Sequence[str]], Any],
    thresholds: Mapping[str, float] | None = None,
    avoid: Sequence[str] = (),
) -> FilterContext:
    """What the filters look things up in, with ``encode`` in place of the embedding model."""
    return FilterContext(knowledge, TextVectors(encode), thresholds, avoid)


def screen(candidates: Iterable[Candidate], context: FilterContext) -> Iterator[tuple[Item, Rejection | None]]:
    """Apply all rules, as ``generate`` does: yield the item of every candidate with its rejection, if any."""
    left: list[tuple[Candidate, Item]] = []
    yield from sift(candidates, context, left)
    yield from judge(left, context)
