"""What a run has on file of the documents it was made from, so that an audit of its set need not make it again.

And what is parsed where there is no such run: the blocks that matter and no others. Left out: any guess; a run over
other documents, or one that is not whole, is passed over.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from kgsynth.base.config import Config
from kgsynth.base.errors import InputError
from kgsynth.base.processes import in_processes
from kgsynth.base.progress import Progress, ticking
from kgsynth.base.records import Analysis, Chunk, Document
from kgsynth.base.records_json import from_json
from kgsynth.base.run_folder.state import read_state
from kgsynth.language import LANGUAGES

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

T = TypeVar("T")

_FILES = ("chunks.jsonl", "embeddings.npy", "analysis.jsonl")
_WORTH_A_PROCESS = 500  # blocks; a worker takes as long to load its model as to parse so many


@dataclass(frozen=True)
class Filed:
    """The folder of a whole run, and the settings it was made with; its files are read when they are asked for."""

    folder: Path
    config: Mapping[str, Any]

    @cached_property
    def chunks(self) -> list[Chunk]:
        """The chunks of the documents."""
        return self._read("chunks.jsonl", Chunk)

    @cached_property
    def vectors(self) -> NDArray[np.float32]:
        """Their embeddings, one row each."""
        import numpy as np

        vectors: NDArray[np.float32] = np.load(self.folder / "embeddings.npy", allow_pickle=False)
        return vectors

    @cached_property
    def analyses(self) -> list[Analysis]:
        """What the parser read from each document."""
        return self._read("analysis.jsonl", Analysis)

    def _read(self, name: str, kind: type[T]) -> list[T]:
        path = self.folder / name
        with path.open(encoding="utf-8") as file:
            try:
                return list(map(from_json(kind), file))
            except ValueError as error:
                raise InputError(f"{path} is damaged ({error}); move the golden set to another folder") from error


def filed(golden: Path, documents: Mapping[str, Document]) -> Filed | None:
    """Return what the run that a golden set lies in has on file, None when it is no run over these very documents."""
    folder = golden if golden.is_dir() else golden.parent
    try:
        state = read_state(folder)
    except (InputError, OSError):
        return None
    if state is None or state["command"] != "generate":
        return None
    done, read = state["done"], {d.id: d.sha256 for d in documents.values() if d.language in LANGUAGES}
    whole = all((folder / name).is_file() and (folder / name).stat().st_size == done.get(name) for name in _FILES)
    return Filed(folder, state["config"]) if whole and read == state["inputs"] else None


def parsed(
    documents: Mapping[str, Document],
    worth: Mapping[str, set[int]],
    parse: Callable[[Document], Analysis],
    progress: Progress,
) -> list[Analysis]:
    """Parse the blocks that are ``worth`` it, given by their numbers, of each document in a language that is read."""
    read = [doc for doc in sorted(worth) if worth[doc] and documents[doc].language in LANGUAGES]
    kept = [_of(documents[doc], worth[doc]) for doc in read]
    processes = Config().workers(sum(map(len, worth.values())) // _WORTH_A_PROCESS)
    with progress("parsing", len(kept)) as stage:
        return list(ticking(in_processes(parse, kept, processes), stage))


def _of(document: Document, numbers: Sequence[int] | set[int]) -> Document:
    return replace(document, blocks=tuple(document.blocks[number] for number in sorted(numbers)))
