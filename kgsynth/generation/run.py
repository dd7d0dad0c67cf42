"""One run of ``generate``: its settings, run folder, embedding model and progress."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, MutableMapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from kgsynth.base.config import Config
from kgsynth.base.progress import Progress, Stage
from kgsynth.base.records import Chunk, Skipped
from kgsynth.base.run_folder import RunFolder

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from kgsynth.generation.renewal.beginning import Earlier
    from kgsynth.models.encoder import Encoder


_CHUNKS = ("language", "chunking", "chunk_size", "chunk_overlap", "embedding_model")
_GRAPH = (*_CHUNKS, "spacy_model")
_CANDIDATES = (*_GRAPH, "mix", "kinds", "n", "seed", "topic")

SETTINGS_OF = {
    "documents": ("language",),
    "chunks": _CHUNKS,
    "analysis": ("language", "spacy_model"),
    "embeddings": _CHUNKS,
    "graph": (*_GRAPH, "llm", "topic"),
    "candidates": _CANDIDATES,
    "questions": (*_CANDIDATES, "thresholds", "llm"),
    "llm": (),
    "drawn": (),
    "earlier": (),
    "earlier_documents": (),
    "outdated": (),
}
"""File of the run folder -> the settings that it depends on; it is reused when only other settings change.

Semantic chunks are cut by embeddings, so chunks depend on the embedding model. The cached replies of an LLM are found
by the request, and the set that a run goes on from stays what it is. Files that are not listed depend on all settings.
"""


@dataclass(frozen=True, slots=True)
class Run:
    """What every stage needs; ``skipped`` are the files of ``docs`` not read, ``avoided`` the questions to avoid.

    ``earlier`` is the set that the run goes on from, None if it begins without one; ``known`` are the embeddings of
    texts with prefix that need not be computed again, ``known_chunks`` the chunks of documents that need not be cut
    again.
    """

    config: Config
    run_folder: RunFolder
    encoder: Encoder
    progress: Progress
    skipped: tuple[Skipped, ...] = ()
    avoided: tuple[str, ...] = ()
    docs: Path | None = None
    earlier: Earlier | None = None
    known: MutableMapping[str, NDArray[np.float32]] = field(default_factory=dict)
    known_chunks: Mapping[str, Sequence[Chunk]] = field(default_factory=dict)

    @contextmanager
    def stage(self, name: str, total: int | None = None) -> Iterator[Stage]:
        """Report the progress of a stage, and add its seconds to the timings of the run."""
        with self.progress(name, total) as stage, self.run_folder.timed(name):
            yield stage
