"""A sentence-transformers model as an encoder. Only this module imports sentence_transformers, and only when needed:
the default model does without it.

A text's vector must not depend on the other texts encoded with it; otherwise edges and scores would change from run to
run. Therefore a batch contains only texts with the same number of tokens, so that nothing is padded, and runs on one
thread; several batches run in parallel, which is also fastest on a CPU. GPUs, half precision and quantised weights are
faster but not repeatable, so they are not used.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import groupby
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from kgsynth.models.local_models import check_weights, is_published, model_unavailable, resolve_embedding
from kgsynth.models.prefixes import prefixes_of
from kgsynth.models.text_encoder import MAX_TEXTS_AT_ONCE, Encoder, Progressed, unit_rows
from kgsynth.models.vector_cache import VectorCache, open_cache

_MAX_BATCH_TOKENS = 1024  # larger batches are not faster, and leave cores idle at the end

_Features = dict[str, Any]
_Rows = TypeVar("_Rows")


class TorchEncoder(Encoder):
    """A sentence-transformers model, on the CPU; a text is cut off after ``max_tokens``."""

    packages = ("sentence-transformers", "tokenizers", "torch", "transformers")

    def __init__(self, model: Any, name: str, sha256: str, cache: VectorCache | None = None) -> None:
        self._model = model
        # from version 5 on, ``tokenize`` is called ``preprocess``
        self._tokenize = model.preprocess if hasattr(model, "preprocess") else model.tokenize
        dimension = int(self._forward(self._tokenize(["a"])).shape[1])
        super().__init__(name, sha256, dimension, model.max_seq_length, prefixes_of(name), cache)

    def _compute(self, texts: Sequence[str], batch: int, progress: Progressed) -> NDArray[np.float32]:
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
                for start in range(0, len(texts), MAX_TEXTS_AT_ONCE):
                    features = [self._tokenize([text]) for text in texts[start : start + MAX_TEXTS_AT_ONCE]]
                    batches = list(_batches(features, batch))
                    stacked = (_stack([features[index] for index in indices]) for indices in batches)
                    for indices, rows in zip(batches, pool.map(forward, stacked), strict=True):
                        yield [start + index for index in indices], rows
            finally:
                torch.set_num_threads(threads)  # the setting is partly global

    def _forward(self, features: _Features) -> NDArray[np.float32]:
        import torch

        with torch.inference_mode():
            return unit_rows(self._model.forward(features)["sentence_embedding"].to(torch.float32).numpy())

    def _forward_tokens(self, features: _Features) -> list[NDArray[np.float32]]:
        import torch

        ids = features["input_ids"]
        with torch.inference_mode():
            rows = self._model.forward(features).get("token_embeddings")
        if rows is None:
            raise self._no_tokens()
        tokenizer = getattr(self._model, "tokenizer", self._model)
        special_tokens = torch.isin(ids, torch.tensor(tokenizer.all_special_ids))
        kept = zip(rows.to(torch.float32), special_tokens, strict=True)
        return [unit_rows(each[~special].numpy()) for each, special in kept]


def load_torch(name: str) -> TorchEncoder:
    """Return the encoder for a folder, a model in an installed package, or a name on the model hub."""
    location = resolve_embedding(name)
    local = Path(location).is_dir()
    if local and is_published(name):
        from kgsynth.models.minilm import MiniLM

        sha256 = check_weights(name, location)
        return TorchEncoder(MiniLM(Path(location)), name, sha256, open_cache())
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
    return TorchEncoder(model, name, check_weights(name, location), open_cache())


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
