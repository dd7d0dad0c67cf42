"""The files of a ``generate`` run that an audit of its golden set reuses: chunks, embeddings and analyses.

They are reused only when the run is complete and was made from exactly the documents of the audit.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from kgsynth.base.errors import InputError
from kgsynth.base.records import Analysis, Chunk, Document
from kgsynth.base.records_json import from_json
from kgsynth.base.run_folder.state import checksum, read_state
from kgsynth.language import LANGUAGES

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

RecordType = TypeVar("RecordType")

_FILES = ("chunks.jsonl", "embeddings.npy", "analysis.jsonl")


@dataclass(frozen=True)
class RunFiles:
    """The folder of a complete run and its configuration; each file is read on first use.

    Raises:
        InputError: a file is damaged (on its first use).
    """

    folder: Path
    config: Mapping[str, Any]

    @cached_property
    def chunks(self) -> list[Chunk]:
        """The chunks of the documents."""
        return self._read("chunks.jsonl", Chunk)

    @cached_property
    def vectors(self) -> NDArray[np.float32]:
        """The embeddings of the chunks, shape (chunks, dimensions)."""
        import numpy as np

        vectors: NDArray[np.float32] = np.load(self.folder / "embeddings.npy", allow_pickle=False)
        return vectors

    @cached_property
    def analyses(self) -> list[Analysis]:
        """What the parser read from each document."""
        return self._read("analysis.jsonl", Analysis)

    def _read(self, name: str, record_type: type[RecordType]) -> list[RecordType]:
        path = self.folder / name
        with path.open("rb") as file:
            try:
                return list(map(from_json(record_type), file))
            except ValueError as error:
                raise InputError(f"{path} is damaged ({error}); move the golden set to another folder") from error


def find_run_files(golden: Path, documents: Mapping[str, Document]) -> RunFiles | None:
    """Return the files of the run that a golden set lies in, None unless it is a complete run over ``documents``."""
    folder = golden if golden.is_dir() else golden.parent
    try:
        state = read_state(folder)
    except (InputError, OSError):
        return None
    if state is None or state["command"] != "generate":
        return None
    hashes = {doc.id: doc.sha256 for doc in documents.values() if doc.language in LANGUAGES}
    models = (state["config"].get(name, "") for name in ("embedding_model", "spacy_model"))
    if hashes != state["inputs"] or not all(isinstance(name, str) for name in models):
        return None
    complete = all((folder / name).is_file() and checksum(folder / name) == state["done"].get(name) for name in _FILES)
    return RunFiles(folder, state["config"]) if complete else None
