"""The embedding model: texts to vectors. Only this module imports sentence_transformers, and only when needed.

A text's vector must not depend on the other texts encoded with it; otherwise edges and scores would change from run to
run. Therefore a batch contains only texts with the same number of tokens, so that nothing is padded, and runs on one
thread; several batches run in parallel, which is also fastest on a CPU. GPUs, half precision and quantised weights are
faster but not repeatable, so they are not used.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from itertools import groupby
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from kgsynth.base.errors import InputError
from kgsynth.base.run_folder.state import versions
from kgsynth.models.local_models import check_weights, model_unavailable, resolve_embedding
from kgsynth.models.vector_cache import VectorCache, identity_of, open_cache

_MAX_BATCH_TOKENS = 1024  # larger batches are not faster, and leave cores idle at the end
_MAX_TEXTS_TOKENIZED = 4096  # texts whose tokens are in memory at the same time
_PROBE = "On 3 May 2021 Ada Løvås' crew re-rigged the No. 7 ferry (twice), didn't they?"
_PACKAGES = ("sentence-transformers", "tokenizers", "torch", "transformers")

_Features = dict[str, Any]
_Rows = TypeVar("_Rows")


class Encoder:
    """A sentence-transformers model as a function from texts to unit vectors.

    Attributes:
        name: The name with which it was loaded.
        dimension: The length of a vector.
        signature: The name, the first 12 digits of the sha256 of the weights, and the dimension; only vectors with the
            same signature are comparable.
        max_tokens: The rest of a text after this many tokens is ignored.

    ``cache`` keeps vectors from one run to the next.
    """

    def __init__(self, model: Any, name: str, sha256: str, cache: VectorCache | None = None) -> None:
        self._model, self._cache = model, cache
        # from version 5 on, ``tokenize`` is called ``preprocess``
        self._tokenize = model.preprocess if hasattr(model, "preprocess") else model.tokenize
        self.name = name
        self.max_tokens: int = model.max_seq_length
        self.dimension = int(self._forward(self._tokenize(["a"])).shape[1])
        self.signature = f"{name}|sha256:{sha256[:12] or 'unknown'}|dim:{self.dimension}"

    def encode(
        self, texts: Sequence[str], *, batch: int = 64, progress: Callable[[int], None] | None = None
    ) -> NDArray[np.float32]:
        """Return the vectors of ``texts``: shape (n, dimension), float32, each row of length 1.

        On one machine with the same libraries, a text always has the same vector to the last bit, whatever the other
        texts, their order and ``batch`` are. Between machines, vectors differ by about 1e-7. Vectors in the cache are
        not computed again; a single text always is, because ``score`` measures how long a question takes.

        Args:
            texts: The texts; an empty text has a vector too.
            batch: The maximum number of texts in a batch.
            progress: Called in this thread after each batch, with its number of texts.
        """
        if self._cache is None or len(texts) < 2:
            return self._compute(texts, batch, progress)
        found = self._cache.get(self._identity, texts, self.dimension)
        missing = [text for text in dict.fromkeys(texts) if text not in found]
        if progress is not None and len(missing) < len(texts):
            progress(len(texts) - len(missing))
        for start in range(0, len(missing), _MAX_TEXTS_TOKENIZED):
            some = missing[start : start + _MAX_TEXTS_TOKENIZED]
            rows = self._compute(some, batch, progress)
            self._cache.put(self._identity, some, rows)
            found.update(zip(some, rows, strict=True))
        return np.stack([found[text] for text in texts])

    @cached_property
    def _identity(self) -> str:
        """What vectors depend on besides the text; see ``identity_of``."""
        probe = self._compute([_PROBE], 1, None)
        return identity_of(self.signature, self.max_tokens, versions(_PACKAGES), probe)

    def _compute(self, texts: Sequence[str], batch: int, progress: Callable[[int], None] | None) -> NDArray[np.float32]:
        vectors = np.zeros((len(texts), self.dimension), dtype=np.float32)
        for indices, rows in self._run_batches(texts, batch, self._forward):
            vectors[indices] = rows
            if progress is not None:
                progress(len(indices))
        return vectors

    def encode_tokens(self, texts: Sequence[str], *, batch: int = 64) -> list[NDArray[np.float32]]:
        """Return the vectors of the tokens of each text: shape (tokens, dimension), each row of length 1.

        They are the last layer of the model, without its special tokens, and as repeatable as those of ``encode``.

        Raises:
            InputError: the model has no vectors of single tokens.
        """
        found: dict[int, NDArray[np.float32]] = {}
        for indices, rows in self._run_batches(texts, batch, self._forward_tokens):
            found.update(zip(indices, rows, strict=True))
        return [found[index] for index in range(len(texts))]

    def _run_batches(
        self, texts: Sequence[str], batch: int, forward: Callable[[_Features], _Rows]
    ) -> Iterator[tuple[list[int], _Rows]]:
        """Yield the result of ``forward`` for each batch, with the indices of its texts."""
        import torch

        threads = torch.get_num_threads()
        with ThreadPoolExecutor(os.cpu_count(), initializer=torch.set_num_threads, initargs=(1,)) as pool:
            try:
                for start in range(0, len(texts), _MAX_TEXTS_TOKENIZED):
                    features = [self._tokenize([text]) for text in texts[start : start + _MAX_TEXTS_TOKENIZED]]
                    batches = list(_batches(features, batch))
                    stacked = (_stack([features[index] for index in indices]) for indices in batches)
                    for indices, rows in zip(batches, pool.map(forward, stacked), strict=True):
                        yield [start + index for index in indices], rows
            finally:
                torch.set_num_threads(threads)  # the setting is partly global

    def _forward(self, features: _Features) -> NDArray[np.float32]:
        import torch

        with torch.inference_mode():
            return _unit(self._model.forward(features)["sentence_embedding"].to(torch.float32).numpy())

    def _forward_tokens(self, features: _Features) -> list[NDArray[np.float32]]:
        import torch

        ids = features["input_ids"]
        with torch.inference_mode():
            rows = self._model.forward(features).get("token_embeddings")
        if rows is None:
            raise InputError(
                f"the embedding model {self.name!r} has no vectors of single tokens, which BERTScore needs; "
                "give another with --embedding-model"
            )
        special_tokens = torch.isin(ids, torch.tensor(self._model.tokenizer.all_special_ids))
        kept = zip(rows.to(torch.float32), special_tokens, strict=True)
        return [_unit(each[~special].numpy()) for each, special in kept]


def load_encoder(name: str = "all-MiniLM-L6-v2") -> Encoder:
    """Return the encoder for a model: a folder, a model in an installed package, or a name on the model hub.

    The network is not used if the model is on this machine.

    Raises:
        InputError: the folder contains no model, or the weights differ from the published ones.
        SystemUnreachableError: the model is not on this machine and cannot be downloaded.
    """
    location = resolve_embedding(name)
    local = Path(location).is_dir()
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")  # otherwise a later fork prints a warning
    if local:
        os.environ.setdefault("HF_HUB_OFFLINE", "1")
    from sentence_transformers import SentenceTransformer
    from transformers.utils.logging import disable_progress_bar

    disable_progress_bar()  # type: ignore[no-untyped-call]
    try:
        model = SentenceTransformer(location, device="cpu", local_files_only=local)
    except (OSError, ValueError) as error:
        reason = str(error).split("\n", 1)[0][:200]
        raise model_unavailable("embedding model", name, reason, "--embedding-model") from error
    model.eval()
    return Encoder(model, name, check_weights(name, location), open_cache())


def _unit(rows: NDArray[np.float32]) -> NDArray[np.float32]:
    lengths = np.sqrt((rows * rows).sum(axis=1, keepdims=True))
    return np.asarray(rows / np.maximum(lengths, np.float32(1e-12)), dtype=np.float32)


def _batches(features: Sequence[_Features], batch: int) -> Iterator[list[int]]:
    """Yield the indices of texts of the same length, the longest first, so that no long batch runs alone at the end."""
    lengths = [int(each["input_ids"].shape[1]) for each in features]
    order = sorted(range(len(lengths)), key=lambda index: -lengths[index])
    for length, group in groupby(order, key=lengths.__getitem__):
        same = list(group)
        size = max(1, min(batch, _MAX_BATCH_TOKENS // max(1, length)))
        for start in range(0, len(same), size):
            yield same[start : start + size]


def _stack(features: Sequence[_Features]) -> _Features:
    import torch

    first = features[0]
    return {
        key: torch.cat([each[key] for each in features]) if isinstance(value, torch.Tensor) else value
        for key, value in first.items()
    }
