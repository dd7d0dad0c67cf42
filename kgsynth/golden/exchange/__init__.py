"""The documents that a question file contains, for sets without a folder of documents: as text files, or read."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from kgsynth.base.errors import InputError
from kgsynth.base.records import Document, Finding
from kgsynth.documents.assembly import assemble
from kgsynth.documents.readers import plain_text
from kgsynth.golden.dataset import Dataset, load, with_unique_ids
from kgsynth.golden.exchange import (
    beir,
    columns,
    deepeval,
    inspect_log,
    llamaindex,
    platforms,
    promptfoo,
    ragas,
    squad,
    tables,
    trec,
)
from kgsynth.golden.exchange.foreign_question import ForeignQuestion
from kgsynth.golden.exchange.locating import MATCHES, ContextLocator
from kgsynth.golden.exchange.source_file import SourceFile, first_object, read_source
from kgsynth.golden.exchange.tables import HUB_FILE


def write_documents(documents: Iterable[tuple[str, str]], folder: Path) -> int:
    """Write each document, a name and a text, to a text file with its name in ``folder``; return their number.

    Example:
        >>> import tempfile
        >>> folder = Path(tempfile.mkdtemp())
        >>> write_documents([("MED/1", "Ada."), ("MED 1", "Tim.")], folder), sorted(p.name for p in folder.iterdir())
        (2, ['MED_1-2.txt', 'MED_1.txt'])
    """
    count = 0
    for name, text in _named_files(documents):
        count += 1
        folder.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8", newline="")
    return count


def read_bundled(documents: Iterable[tuple[str, str]]) -> Iterator[Document]:
    """Yield each document, a name and a text, as it would be read from the file that ``write_documents`` writes.

    Example:
        >>> [document.id for document in read_bundled([("MED/1", "Ada leads.")])]
        ['MED_1.txt']
    """
    for name, text in _named_files(documents):
        if text.strip():
            yield assemble(plain_text.read(text), id=name, format="txt", sha256=sha256(text.encode()).hexdigest())


def _named_files(documents: Iterable[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """Yield the name of a text file for each document, different from all before, and its text."""
    counts: dict[str, int] = {}
    for name, text in documents:
        plain = re.sub(r"[^\w.-]+", "_", name).strip(".")[:80] or "passage"
        count = counts[plain.casefold()] = counts.get(plain.casefold(), 0) + 1
        yield f"{plain}{f'-{count}' if count > 1 else ''}.txt", text


# Read question files of other tools: their own format first, then their contexts located in the documents as evidence.
#
# ``FORMATS`` lists the formats. ``auditing`` checks whether the questions are any good.

__all__ = ["FORMATS", "LoadedSet", "QuestionFile", "read"]


class Format(NamedTuple):
    """How to recognise a format by its content, how to read its questions, and which documents the file contains."""

    fits: Callable[[SourceFile], bool]
    read: Callable[[SourceFile], Iterator[ForeignQuestion | Finding]]
    documents: Callable[[SourceFile], Iterator[tuple[str, str]]] = lambda source: iter(())


FORMATS = {
    "beir": Format(beir.fits, beir.read, beir.documents),
    "trec": Format(trec.fits, trec.read, trec.documents),
    "items": Format(tables.fits, tables.read),
    "squad": Format(squad.fits, squad.read, squad.documents),
    "llamaindex": Format(llamaindex.fits, llamaindex.read, llamaindex.documents),
    "ragas": Format(ragas.fits, ragas.read),
    "deepeval": Format(deepeval.fits, deepeval.read),
    **{name: Format(partial(platforms.fits, p), partial(platforms.read, p)) for name, p in platforms.PLATFORMS.items()},
    "promptfoo": Format(promptfoo.fits, promptfoo.read),
    "inspect": Format(inspect_log.fits, inspect_log.read),
    "columns": Format(columns.fits, columns.read),
}
"""The formats by name; the first that fits is used, so the most general one comes last."""

OWN_FORMAT = "kgsynth"
_OWN_KEYS = {"id", "question", "golden_answers"}


@dataclass(frozen=True, slots=True)
class LoadedSet:
    """A golden set, with ``findings`` for the rows that could not be read and, for a foreign file, a ``summary``."""

    dataset: Dataset
    findings: tuple[Finding, ...] = ()
    summary: str = ""


@dataclass(frozen=True, slots=True)
class QuestionFile:
    """The questions of a file before they are located; ``own`` is the set itself if kgsynth wrote the file."""

    format: str
    questions: tuple[ForeignQuestion, ...] = ()
    findings: tuple[Finding, ...] = ()
    description: str = ""
    own: Dataset | None = None
    source: SourceFile | None = None

    def write_documents(self, folder: Path) -> int:
        """Write the documents that the file contains to ``folder`` as text files; return their number."""
        return write_documents(self.bundled_documents(), folder)

    def bundled_documents(self) -> Iterator[tuple[str, str]]:
        """Return the names and texts of the documents that the file contains."""
        return FORMATS[self.format].documents(self.source) if self.source else iter(())

    def locate(self, documents: Mapping[str, Document]) -> LoadedSet:
        """Return the questions as items, with their evidence in ``documents``."""
        if self.own is not None:
            return LoadedSet(self.own)
        locator = ContextLocator(documents)
        dataset = with_unique_ids(locator.to_item(question, self.format) for question in self.questions)
        return LoadedSet(dataset, self.findings, self._summary(locator))

    def _summary(self, locator: ContextLocator) -> str:
        lines = [f"read as {self.description}; questions: {len(self.questions)}"]
        lines[0] += f", skipped rows: {len(self.findings)}" if self.findings else ""
        if locator.matches:
            lines.append("contexts in the documents: " + ", ".join(f"{locator.matches[how]} {how}" for how in MATCHES))
        without = sum(not each.contexts and each.answerable for each in self.questions)
        if without:
            located = f"their answer was found in a passage about the question: {locator.located_answers}"
            lines.append(f"questions without a context: {without}; {located}")
        if self.questions and all(each.metadata.get("retrieval_only") for each in self.questions):
            lines.append("the file has no answers; it can only be used to score retrieval")
        return "\n".join(lines)


def read(path: Path | str, mapping: str | None = None) -> QuestionFile:
    """Read a file of questions from any tool, or a folder that contains one.

    ``mapping`` names the column or expression for each role, as in ``question=Frage,answer=Antwort``; known formats
    do not need it.

    Raises:
        ConfigError: ``mapping`` is invalid.
        InputError: the file cannot be read, or no format fits; the message says what to do.
    """
    path = Path(path)
    if (path / HUB_FILE).is_file():
        path = path / HUB_FILE
    roles = columns.parse_mapping(mapping) if mapping else None
    if roles is None and _is_own(path):
        return QuestionFile(OWN_FORMAT, own=load(path))
    source = SourceFile(path) if path.is_dir() else read_source(path)
    if not (source.rows or source.findings or path.is_dir()):
        raise InputError(f"{path} contains no questions; give a file that does")
    if roles is not None:
        return _question_file("columns", source, columns.read_mapped(source, roles), f"--map {mapping}")
    for name, form in FORMATS.items():
        if form.fits(source):
            return _question_file(name, source, form.read(source), _describe(name, source))
    if path.is_dir():
        raise InputError(
            f"{path} contains neither a golden.jsonl nor a BEIR set (queries.jsonl, corpus.jsonl, qrels), nor a TREC "
            f"collection (topics.tsv, corpus.jsonl, qrels.txt) or a data set with a {HUB_FILE}; give a file"
        )
    raise InputError(
        f"{path} has {columns.describe_columns(source)}, which do not tell where the questions and their answers or "
        "contexts are; name the columns with --map question=COLUMN,answer=COLUMN,contexts=COLUMN,doc=COLUMN (answer or "
        "contexts may be left out, and doc too)"
    )


def _question_file(
    name: str, source: SourceFile, found: Iterator[ForeignQuestion | Finding], description: str
) -> QuestionFile:
    rows = list(found)
    findings = (*source.findings, *(row for row in rows if isinstance(row, Finding)))
    questions = tuple(row for row in rows if isinstance(row, ForeignQuestion))
    return QuestionFile(name, questions, findings, description, source=source)


def _describe(name: str, source: SourceFile) -> str:
    if name != "columns":
        return name
    roles = columns.find_roles(source.columns).items()
    return f"columns ({', '.join(f'{role} from {column!r}' for role, column in roles)})"


def _is_own(path: Path) -> bool:
    """Check whether a file is a golden.jsonl, by its first line (or because it is empty), or a folder contains one."""
    if path.is_dir():
        return (path / "golden.jsonl").is_file()
    first = first_object(path)
    if not first:
        return first is not None
    return (
        first.keys() >= _OWN_KEYS
        and "details" not in first
        and "contexts" not in columns.find_roles([key for key in first if key != "evidence"])
    )
