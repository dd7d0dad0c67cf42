"""Open any set to work with it: a golden.jsonl, a run folder or a file of another tool, with its documents."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from kgsynth.base.records import Document, Item
from kgsynth.base.run_folder.manifest import patterns_of_run
from kgsynth.documents import read_documents
from kgsynth.documents.run_documents import documents_beside
from kgsynth.golden.dataset import Dataset, file_of
from kgsynth.golden.exchange import QuestionFile, read, read_bundled
from kgsynth.golden.spans import cited_documents


class OpenSet(NamedTuple):
    """A set with its documents, and ``notes`` on rows and evidence that are missing from a file of another tool."""

    dataset: Dataset
    documents: tuple[Document, ...]
    notes: tuple[str, ...] = ()


def open_set(
    place: str | Path, docs: str | Path | Sequence[Document] | None = None, mapping: str | None = None
) -> OpenSet:
    """Read a set of any format, and locate its evidence in its documents.

    The documents are those of ``docs``, by default those of the run that the set lies in, or those that a file of
    another tool contains. ``mapping`` assigns the columns of a table.

    Raises:
        ConfigError: ``mapping`` is invalid.
        InputError: the file or the documents cannot be read, or no format fits.
    """
    questions = read(place, mapping)
    documents = _documents(questions, Path(place), docs)
    found = questions.locate({document.id: document for document in documents})
    notes = () if questions.own is not None else _notes(questions, list(found.dataset), bool(documents))
    return OpenSet(found.dataset, documents, notes)


def _documents(
    questions: QuestionFile, place: Path, docs: str | Path | Sequence[Document] | None
) -> tuple[Document, ...]:
    if docs is not None:
        return read_documents(docs, *patterns_of_run(place), cited_documents(questions.own or ()))
    if questions.own is not None:
        return tuple(documents_beside(file_of(place)))
    return tuple(read_bundled(questions.bundled_documents()))


def _notes(questions: QuestionFile, items: Sequence[Item], has_documents: bool) -> tuple[str, ...]:
    """Return sentences on the rows that were skipped, and on the questions without evidence."""
    notes = []
    if questions.findings:
        notes.append(f"{len(questions.findings)} rows are not questions, first: {questions.findings[0].message}")
    answerable = [item for item in items if item.answerable]
    without = [item for item in answerable if not item.evidence]
    if without:
        found = f"evidence found for {len(answerable) - len(without)} of {len(answerable)} questions"
        rest = "are scored by their answers only" if any(item.golden_answers for item in without) else "are not scored"
        given = "" if has_documents else "; give the documents with --docs"
        notes.append(f"{found}; the other {len(without)} {rest}{given}")
    return tuple(notes)
