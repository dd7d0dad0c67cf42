"""One run of ``generate``: its settings, run folder, embedding model and progress."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from kgsynth.base.config import Config
from kgsynth.base.progress import Progress, Stage
from kgsynth.base.records import Skipped
from kgsynth.base.run_folder import RunFolder

if TYPE_CHECKING:
    from kgsynth.models.encoder import Encoder


_CHUNKS = ("language", "chunking", "chunk_size", "chunk_overlap", "chunks", "embedding_model")
_GRAPH = (*_CHUNKS, "spacy_model", "llm_graph")
_CANDIDATES = (*_GRAPH, "mix", "kinds", "n", "seed")

SETTINGS_OF = {
    "documents": ("language",),
    "chunks": _CHUNKS,
    "analysis": ("language", "spacy_model"),
    "embeddings": _CHUNKS,
    "graph": (*_GRAPH, "llm"),
    "candidates": _CANDIDATES,
    "questions": _CANDIDATES,
    "llm": (),
}
"""File of the run folder -> the settings that it depends on; it is reused when only other settings change.

Semantic chunks are cut by embeddings, so chunks depend on the embedding model. The cached replies of an LLM are found
by the request. Files that are not listed depend on all settings.
"""


@dataclass(frozen=True, slots=True)
class Run:
    """What every stage needs; ``skipped`` are the files of ``docs`` not read, ``earlier`` the questions to avoid."""

    config: Config
    run_folder: RunFolder
    encoder: Encoder
    progress: Progress
    skipped: tuple[Skipped, ...] = ()
    earlier: tuple[str, ...] = ()
    docs: Path | None = None

    @contextmanager
    def stage(self, name: str, total: int | None = None) -> Iterator[Stage]:
        """Report the progress of a stage, and add its seconds to the timings of the run."""
        with self.progress(name, total) as stage, self.run_folder.timed(name):
            yield stage
