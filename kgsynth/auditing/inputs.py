"""Read what an audit starts from: the golden set or a file of another tool, and the documents."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from kgsynth.base.errors import ConfigError
from kgsynth.base.records import Document
from kgsynth.base.run_folder.manifest import docs_of_run, patterns_of_run
from kgsynth.documents import read_documents
from kgsynth.golden.dataset import Dataset, file_of
from kgsynth.golden.exchange import LoadedSet, QuestionFile, read


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
    documents = {document.id: document for document in read_documents(folder, *patterns_of_run(place))}
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
