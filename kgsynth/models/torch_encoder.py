"""A sentence-transformers model as an encoder. Only this module imports sentence_transformers, and only when needed.

A text's vector must not depend on the other texts encoded with it; otherwise edges and scores would change from run to
run. Therefore a batch contains only texts with the same number of tokens, so that nothing is padded, and runs on one
thread; several batches run in parallel, which is also fastest on a CPU. GPUs, half precision and quantised weights are
faster but not repeatable, so they are not used.
"""

from __future__ import annotations

import json
import os
import platform
import re
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property, partial
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from kgsynth.base.errors import SystemUnreachableError, installed, lack
from kgsynth.base.json_reading import parse_json
from kgsynth.base.processes import release_memory
from kgsynth.base.run_folder.folder import versions
from kgsynth.models.local_models import check_weights, model_unavailable, resolve_embedding
from kgsynth.models.text_encoder import MAX_TEXTS_AT_ONCE, Encoder, Progressed, prefixes_of, unit_rows
from kgsynth.models.vector_cache import VectorCache, open_cache

_MAX_BATCH_TOKENS = 1024  # larger batches are not faster, and leave cores idle at the end

_Features = dict[str, Any]
_Rows = TypeVar("_Rows")


class Known(NamedTuple):
    """What is known of a model before it is loaded: the length of its vectors, its ``max_tokens``, its ``identity``."""

    dimension: int
    max_tokens: int
    identity: str


class TorchEncoder(Encoder):
    """A sentence-transformers model, on the CPU; a text is cut off after ``max_tokens``."""

    packages = ("sentence-transformers", "tokenizers", "torch", "transformers")

    def __init__(
        self, load: Callable[[], Any], name: str, sha256: str, cache: VectorCache | None, known: Known | None = None
    ) -> None:
        self._load = load
        if known is not None:
            dimension, max_tokens = known.dimension, known.max_tokens
            self.identity = known.identity
        else:
            dimension, max_tokens = int(self._forward(self._tokenize(["a"])).shape[1]), self._model.max_seq_length
        super().__init__(name, sha256, dimension, max_tokens, prefixes_of(name), cache)

    @cached_property
    def _model(self) -> Any:
        return self._load()

    def _tokenize(self, texts: list[str]) -> _Features:
        # from version 5 on, ``tokenize`` is called ``preprocess``
        tokenize = getattr(self._model, "preprocess", None) or self._model.tokenize
        features: _Features = tokenize(texts)
        return features

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
                release_memory()

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
        special_tokens = torch.isin(ids, torch.tensor(self._model.tokenizer.all_special_ids))
        kept = zip(rows.to(torch.float32), special_tokens, strict=True)
        return [unit_rows(each[~special].numpy()) for each, special in kept]


def load_torch(name: str) -> TorchEncoder:
    """Return the encoder for a folder, a model in an installed package, or a name on the model hub.

    A model on this machine that the cache knows is loaded when a vector must be computed.

    Raises:
        SystemUnreachableError: the libraries that run it are not installed, or it is not here and cannot be downloaded.
    """
    if missing := [each for each in ("sentence_transformers", "torch") if not installed(each)]:
        raise SystemUnreachableError(lack(f"the embedding model {name!r}", missing[0]))
    location = resolve_embedding(name)
    sha256, cache = check_weights(name, location), open_cache()
    load = partial(_load_model, name, location)
    if cache is None or not Path(location).is_dir():
        return TorchEncoder(load, name, sha256, cache)
    key = known_key(name, Path(location), sha256)
    if (found := cache.recall(key)) is not None:
        return TorchEncoder(load, name, sha256, cache, Known(*parse_json(found)))
    encoder = TorchEncoder(load, name, sha256, cache)
    known = Known(encoder.dimension, encoder.max_tokens, encoder.identity)
    cache.remember(key, json.dumps(known).encode())
    return encoder


def known_key(name: str, folder: Path, sha256: str) -> str:
    """Return what all that is ``Known`` of a model depends on: its files, the libraries, and the processor."""
    files = [(path.name, path.stat().st_size, path.stat().st_mtime_ns) for path in sorted(folder.rglob("*"))]
    cpu = Path("/proc/cpuinfo")
    features = set(re.findall(r"^(?:model name|flags|Features)\s*:.*", cpu.read_text() if cpu.is_file() else "", re.M))
    return repr((name, sha256, files, versions(TorchEncoder.packages), platform.uname(), sorted(features)))


def _load_model(name: str, location: str) -> Any:
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
    return model


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
