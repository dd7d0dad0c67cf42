"""Read the documents that a run of ``generate`` keeps in its folder, in documents.jsonl."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from kgsynth.base.errors import InputError
from kgsynth.base.records import Document
from kgsynth.base.records_json import from_json
from kgsynth.base.run_folder.folder import check_unchanged, differences, new_state, read_state

RUN_DOCUMENTS = "documents.jsonl"


def documents_beside(golden: Path) -> Iterator[Document]:
    """Yield the documents of the run that a golden set lies in; none if there is no documents.jsonl beside it.

    Raises:
        InputError: names the line that cannot be read.
    """
    path = golden.parent / RUN_DOCUMENTS
    if not path.is_file():
        return
    check_unchanged(path.parent, (RUN_DOCUMENTS,))
    decode = from_json(Document)
    with path.open("rb") as lines:
        for number, line in enumerate(lines, 1):
            try:
                yield decode(line)
            except ValueError as error:
                raise InputError(
                    f"{path}, line {number}, is not a document ({error}): give the folder of documents with --docs"
                ) from None


def documents_of_run(folder: Path, language: str) -> dict[str, Document]:
    """Return the documents of the run in a folder by id; none if they would be read in another way now.

    They would be if the run is of another version or has another setting ``language``.
    """
    try:
        state = read_state(folder)
        if state is None or RUN_DOCUMENTS not in state["done"] or state["config"].get("language") != language:
            return {}
        if differences(state, new_state(state["command"], {}, state["inputs"])):
            return {}
        return {document.id: document for document in documents_beside(folder / RUN_DOCUMENTS)}
    except InputError:
        return {}  # what is wrong with the run is said when it is opened
