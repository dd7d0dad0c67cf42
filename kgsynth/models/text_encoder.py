"""What every embedding model is here: a function from texts to unit vectors, with a cache, a signature and prefixes."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from kgsynth.base.errors import InputError
from kgsynth.base.run_folder.folder import versions
from kgsynth.models.vector_cache import VectorCache, identity_of

_E5 = re.compile(r"(?:^|[/-])e5-(?:small|base|large)(?!.*instruct)")


class Prefixes(NamedTuple):
    """What stands before a question, and before any other text."""

    question: str = ""
    passage: str = ""


NO_PREFIXES = Prefixes()
E5_PREFIXES = Prefixes("query: ", "passage: ")
"""The prefixes of the family E5 (Wang et al. 2022), except for those that follow instructions."""


def prefixes_of(name: str) -> Prefixes:
    """Return the prefixes of the model with this name or in this folder, none for a model that needs none.

    Example:
        >>> prefixes_of("intfloat/multilingual-e5-small")
        Prefixes(question='query: ', passage='passage: ')
        >>> prefixes_of("BAAI/bge-m3"), prefixes_of("intfloat/multilingual-e5-large-instruct")
        (Prefixes(question='', passage=''), Prefixes(question='', passage=''))
    """
    return E5_PREFIXES if _E5.search(name.lower().replace("\\", "/")) else NO_PREFIXES


MAX_TEXTS_AT_ONCE = 4096
"""How many texts are prepared at the same time, so that their tokens fit into memory."""

_PROBE = "On 3 May 2021 Ada Løvås' crew re-rigged the No. 7 ferry (twice), didn't they?"

Progressed = Callable[[int], None] | None
"""What is called after each batch, with its number of texts."""


class Encoder(ABC):
    """An embedding model as a function from texts to unit vectors.

    Attributes:
        packages: The packages whose version may change the vectors.
        name: The name with which it was loaded.
        dimension: The length of a vector.
        signature: The name, the first 12 digits of the sha256 of the weights, and the dimension; only vectors with the
            same signature are comparable.
        max_tokens: How many tokens of a text the model reads at once.
        prefixes: What the model wants before a question, and before any other text.

    ``cache`` keeps vectors from one run to the next.
    """

    packages: ClassVar[tuple[str, ...]] = ()

    def __init__(
        self, name: str, sha256: str, dimension: int, max_tokens: int, prefixes: Prefixes, cache: VectorCache | None
    ) -> None:
        self.name, self.dimension, self.max_tokens, self.prefixes = name, dimension, max_tokens, prefixes
        self.signature = f"{name}|sha256:{sha256[:12] or 'unknown'}|dim:{dimension}"
        self._cache = cache
        self._centres: dict[str, NDArray[np.float32]] = {}

    def centre(self, unrelated: Sequence[str]) -> None:
        """Measure where the vectors of unrelated texts lie, and subtract that from every vector from now on.

        Models that were trained like E5 give any two texts a cosine of 0.8 or so. Measured from there, unrelated texts
        have cosines around 0, as with other models, and the same thresholds hold for all.
        """
        for prefix in dict.fromkeys(self.prefixes):
            rows = self._of_model([prefix + text for text in unrelated], 64, None)
            self._centres[prefix] = rows.mean(axis=0, dtype=np.float64).astype(np.float32)
        self.signature += "|centred"

    def encode(self, texts: Sequence[str], *, batch: int = 64, progress: Progressed = None) -> NDArray[np.float32]:
        """Return the vectors of ``texts``, none of which is a question: shape (n, dimension), float32, of length 1.

        On one machine with the same libraries, a text always has the same vector to the last bit, whatever the other
        texts, their order and ``batch`` are. Between machines, vectors differ by about 1e-7. Vectors in the cache are
        not computed again; a single text always is, because ``score`` measures how long a question takes.

        Args:
            texts: The texts; an empty text has a vector too.
            batch: The maximum number of texts in a batch.
            progress: Called in this thread after each batch, with its number of texts.
        """
        return self.encode_prefixed([self.prefixes.passage + text for text in texts], batch=batch, progress=progress)

    def encode_questions(
        self, questions: Sequence[str], *, batch: int = 64, progress: Progressed = None
    ) -> NDArray[np.float32]:
        """Return the vectors of questions, otherwise as ``encode``; most models treat them like any text.

        A single question is always computed, because ``score`` measures how long it takes.
        """
        texts = [self.prefixes.question + question for question in questions]
        return self._centred(texts, self._of_model(texts, batch, progress, cached=len(texts) > 1))

    def encode_prefixed(
        self, texts: Sequence[str], *, batch: int = 64, progress: Progressed = None
    ) -> NDArray[np.float32]:
        """Return the vectors of texts that have their prefix already, otherwise as ``encode``."""
        return self._centred(texts, self._of_model(texts, batch, progress))

    def _centred(self, texts: Sequence[str], rows: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return the vectors of texts, measured from where unrelated texts lie if that is known."""
        if not self._centres or not len(rows):
            return rows
        question, passage = self.prefixes
        centres = [self._centres[question if text.startswith(question) else passage] for text in texts]
        return unit_rows(rows - np.stack(centres))

    def _of_model(
        self, texts: Sequence[str], batch: int, progress: Progressed, *, cached: bool = True
    ) -> NDArray[np.float32]:
        """Return the vectors as the model gives them, from the cache where it has them, unless not ``cached``."""
        if self._cache is None or not texts or not cached:
            return self._compute(texts, batch, progress)
        found = self._cache.get(self.identity, texts, self.dimension)
        missing = [text for text in dict.fromkeys(texts) if text not in found]
        if progress is not None and len(missing) < len(texts):
            progress(len(texts) - len(missing))
        for start in range(0, len(missing), MAX_TEXTS_AT_ONCE):
            some = missing[start : start + MAX_TEXTS_AT_ONCE]
            rows = self._compute(some, batch, progress)
            self._cache.put(self.identity, some, rows)
            found.update(zip(some, rows, strict=True))
        return np.stack([found[text] for text in texts])

    def encode_tokens(self, texts: Sequence[str], *, batch: int = 64) -> list[NDArray[np.float32]]:
        """Return the vectors of the tokens of each text: shape (tokens, dimension), each row of length 1.

        Raises:
            InputError: the model has no vectors of single tokens.
        """
        raise self._no_tokens()

    def _no_tokens(self) -> InputError:
        return InputError(
            f"the embedding model {self.name!r} has no vectors of single tokens, which BERTScore needs; "
            "give another with --embedding-model"
        )

    @cached_property
    def identity(self) -> str:
        """What vectors depend on besides the text; see ``identity_of``."""
        probe = self._compute([self.prefixes.passage + _PROBE], 1, None)
        return identity_of(self.signature, self.max_tokens, versions(self.packages), probe)

    @abstractmethod
    def _compute(self, texts: Sequence[str], batch: int, progress: Progressed) -> NDArray[np.float32]:
        """Return the vectors of texts with their prefix, without the cache."""


def unit_rows(rows: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return rows divided by their length.

    Example:
        >>> unit_rows(np.array([[3.0, 4.0]], np.float32)).round(2).tolist()
        [[0.6000000238418579, 0.800000011920929]]
    """
    lengths = np.sqrt((rows * rows).sum(axis=1, keepdims=True))
    return np.asarray(rows / np.maximum(lengths, np.float32(1e-12)), dtype=np.float32)
