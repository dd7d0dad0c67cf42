"""Read what an audit starts from: the golden set or a file of another tool, the documents, and the files of a run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from kgsynth.base.atomic_files import read_array
from kgsynth.base.errors import ConfigError, InputError
from kgsynth.base.records import Analysis, Chunk, Document
from kgsynth.base.records_json import from_json
from kgsynth.base.run_folder import DRAWN
from kgsynth.base.run_folder.folder import checksum, read_state
from kgsynth.base.run_folder.manifest import docs_of_run, patterns_of_run
from kgsynth.documents import read_documents
from kgsynth.golden.dataset import Dataset, file_of
from kgsynth.golden.exchange import LoadedSet, QuestionFile, read
from kgsynth.golden.spans import cited_documents
from kgsynth.language import LANGUAGES

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

# The files of a ``generate`` run that an audit of its golden set reuses: chunks, embeddings and analyses.
#
# They are reused only when the run is complete and was made from exactly the documents of the audit.

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
        return read_array(self.folder / "embeddings.npy")

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
    if state is None or state["command"] != "generate" or DRAWN in state["done"]:
        return None  # no run, or one that parsed only some documents
    hashes = {doc.id: doc.sha256 for doc in documents.values() if doc.language in LANGUAGES}
    models = (state["config"].get(name, "") for name in ("embedding_model", "spacy_model"))
    if hashes != state["inputs"] or not all(isinstance(name, str) for name in models):
        return None
    complete = all((folder / name).is_file() and checksum(folder / name) == state["done"].get(name) for name in _FILES)
    return RunFiles(folder, state["config"]) if complete else None


class AuditInputs(NamedTuple):
    """What is audited: the questions, their documents by id, and another set that must not overlap.

    ``place`` is the file or folder that the set was read from, None if it is not known; ``converted`` says whether it
    was a file of another tool.
    """

    questions: LoadedSet
    documents: Mapping[str, Document]
    against: Dataset | None
    place: Path | None
    converted: bool


def read_inputs(
    golden: Dataset | Path | str,
    docs: Path | str | Sequence[Document] | None,
    against: Dataset | Path | str | None,
    mapping: str | None,
    out: Path | None,
) -> AuditInputs:
    """Read the set, its documents, and the set it is compared with; a set may contain its documents.

    Raises:
        ConfigError: no documents are given and the set has none, or ``out`` would overwrite the set.
        InputError: a set or the documents cannot be used.
    """
    questions = _read(golden, mapping)  # before the documents, so that a problem with the file is reported at once
    place = golden.path if isinstance(golden, Dataset) else Path(golden)
    if out and place and questions.own is None and (out / "golden.jsonl").resolve() == file_of(place).resolve():
        raise ConfigError(f"-o would overwrite the set itself, {golden}; give another folder")
    other = None if against is None else _read(against)
    if docs is None and questions.own is not None and place is not None:
        docs = docs_of_run(place)
    folder = _own_documents(questions, out) if docs is None else docs
    cited = cited_documents(questions.own or ())
    documents = {document.id: document for document in read_documents(folder, *patterns_of_run(place), cited)}
    other_set = other.locate(documents).dataset if other else None
    return AuditInputs(questions.locate(documents), documents, other_set, place, questions.own is None)


def _read(golden: Dataset | Path | str, mapping: str | None = None) -> QuestionFile:
    return QuestionFile("kgsynth", own=golden) if isinstance(golden, Dataset) else read(golden, mapping)


def _own_documents(questions: QuestionFile, out: Path | None) -> Path:
    """Write the documents that a set contains to the folder of the audit, and return their folder."""
    if out is None or questions.own is not None or not questions.write_documents(out / "docs"):
        raise ConfigError(
            "--docs is missing; give the folder of documents that the set was made from (BEIR, SQuAD and LlamaIndex "
            "pairs contain their documents, which -o OUT writes to OUT/docs)"
        )
    return out / "docs"
