"""Texts into vectors: the only module that imports sentence_transformers, and it does so lazily.

A text's vector must not depend on what else is encoded with it, or ids, edges and thresholds would change from run
to run. Two habits see to it, and are the fastest on a CPU as well: a pass of the model holds only texts of one
length in tokens, so nothing is padded; and each pass runs on one thread, while as many passes run side by side
as there are cores. Left out: GPUs, half precision and quantised weights, which are quicker and not repeatable.
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

from kgsynth.base.errors import InputError
from kgsynth.models.local_models import check_weights, not_to_be_had, resolve_embedding

_TOKENS_A_PASS = 1024  # more makes no pass quicker, and the work of two cores then ends less evenly
_WINDOW = 4096  # texts whose tokens are in memory at one time

_Features = dict[str, Any]
_Rows = TypeVar("_Rows")


class Encoder:
    """A sentence-transformers model as a function from texts to unit vectors.

    Attributes:
        name: The name it was loaded by.
        dimension: The length of a vector.
        signature: Name, sha256 of the weights (its first 12 digits) and dimension; vectors with another one
            are not comparable.
        max_tokens: What stands behind this many tokens of a text is not read.
    """

    def __init__(self, model: Any, name: str, sha256: str) -> None:
        self._model = model
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

        On one machine with one set of libraries, the same text has the same bytes, whatever else stands in the call, in
        whatever order, and whatever ``batch`` is. Between machines they differ by about 1e-7.

        Args:
            texts: What to encode; an empty text has a vector too.
            batch: The most texts one pass may hold.
            progress: Called with the number of texts just done, after each pass, from the calling thread.
        """
        vectors = np.zeros((len(texts), self.dimension), dtype=np.float32)
        for indices, rows in self._run(texts, batch, self._forward):
            vectors[indices] = rows
            if progress is not None:
                progress(len(indices))
        return vectors

    def encode_tokens(self, texts: Sequence[str], *, batch: int = 64) -> list[NDArray[np.float32]]:
        """Return of each text the vectors of its tokens in context: shape (tokens, dimension), each row of length 1.

        They are those of the model's last layer; its marks for beginning and end are left out. The same bytes whatever
        else stands in the call, as with ``encode``.

        Raises:
            InputError: the model gives no vectors of single tokens.
        """
        found: dict[int, NDArray[np.float32]] = {}
        for indices, rows in self._run(texts, batch, self._forward_tokens):
            found.update(zip(indices, rows, strict=True))
        return [found[index] for index in range(len(texts))]

    def _run(
        self, texts: Sequence[str], batch: int, forward: Callable[[_Features], _Rows]
    ) -> Iterator[tuple[list[int], _Rows]]:
        """Yield what ``forward`` makes of each pass, with the places of its texts."""
        import torch

        threads = torch.get_num_threads()
        with ThreadPoolExecutor(os.cpu_count(), initializer=torch.set_num_threads, initargs=(1,)) as pool:
            try:
                for start in range(0, len(texts), _WINDOW):
                    features = [self._tokenize([text]) for text in texts[start : start + _WINDOW]]
                    passes = list(_passes(features, batch))
                    stacked = (_stack([features[index] for index in indices]) for indices in passes)
                    for indices, rows in zip(passes, pool.map(forward, stacked), strict=True):
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
                f"The embedding model {self.name!r} gives no vectors of single tokens, which BERTScore needs: "
                "name another with --embedding-model."
            )
        marks = torch.isin(ids, torch.tensor(self._model.tokenizer.all_special_ids))
        kept = zip(rows.to(torch.float32), marks, strict=True)
        return [_unit(each[~special].numpy()) for each, special in kept]


def load_encoder(name: str = "all-MiniLM-L6-v2") -> Encoder:
    """Return the encoder for a model's name: a folder, a model that a package carries, or one of the hub.

    With a copy on this machine the network is not tried.

    Raises:
        InputError: the folder holds no model, or the weights are not those that were published.
        SystemUnreachableError: the model is not on this machine and cannot be downloaded.
    """
    location = resolve_embedding(name)
    here = Path(location).is_dir()
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")  # else a later fork warns
    if here:
        os.environ.setdefault("HF_HUB_OFFLINE", "1")
    from sentence_transformers import SentenceTransformer
    from transformers.utils.logging import disable_progress_bar

    disable_progress_bar()  # type: ignore[no-untyped-call]
    try:
        model = SentenceTransformer(location, device="cpu", local_files_only=here)
    except (OSError, ValueError) as error:
        reason = str(error).split("\n", 1)[0][:200]
        raise not_to_be_had("embedding model", name, reason, "--embedding-model") from error
    model.eval()
    return Encoder(model, name, check_weights(name, location))


def _unit(rows: NDArray[np.float32]) -> NDArray[np.float32]:
    lengths = np.sqrt((rows * rows).sum(axis=1, keepdims=True))
    return np.asarray(rows / np.maximum(lengths, np.float32(1e-12)), dtype=np.float32)


def _passes(features: Sequence[_Features], batch: int) -> Iterator[list[int]]:
    """Yield indices of texts of one length, the longest first, so that no core is left with a long pass at the end."""
    lengths = [int(each["input_ids"].shape[1]) for each in features]
    order = sorted(range(len(lengths)), key=lambda index: -lengths[index])
    for length, group in groupby(order, key=lengths.__getitem__):
        same = list(group)
        size = max(1, min(batch, _TOKENS_A_PASS // max(1, length)))
        for start in range(0, len(same), size):
            yield same[start : start + size]


def _stack(features: Sequence[_Features]) -> _Features:
    import torch

    first = features[0]
    return {
        key: torch.cat([each[key] for each in features]) if isinstance(value, torch.Tensor) else value
        for key, value in first.items()
    }
