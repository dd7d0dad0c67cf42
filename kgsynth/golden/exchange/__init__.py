"""Question files made elsewhere: read in the form they have, their contexts found in the documents, so golden items.

``FORMATS`` lists the forms. Left out: whether the questions are any good, which is the audit's business.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from kgsynth.base.errors import InputError
from kgsynth.base.records import Document, Finding
from kgsynth.golden.dataset import Dataset, distinct, load
from kgsynth.golden.exchange import beir, deepeval, llamaindex, ragas, rows, squad, table
from kgsynth.golden.exchange.context_locator import WAYS, Locator
from kgsynth.golden.exchange.foreign_question import Asked
from kgsynth.golden.exchange.own_documents import write_passages
from kgsynth.golden.exchange.rows import Source

__all__ = ["FORMATS", "Questions", "Reading", "read"]


class Format(NamedTuple):
    """How a format is known by what is in it, how it is read, and what documents it brings with it."""

    fits: Callable[[Source], bool]
    read: Callable[[Source], Iterator[Asked | Finding]]
    passages: Callable[[Source], Iterator[tuple[str, str]]] = lambda source: iter(())


FORMATS = {
    "beir": Format(beir.fits, beir.read, beir.passages),
    "squad": Format(squad.fits, squad.read, squad.passages),
    "llamaindex": Format(llamaindex.fits, llamaindex.read, llamaindex.passages),
    "ragas": Format(ragas.fits, ragas.read),
    "deepeval": Format(deepeval.fits, deepeval.read),
    "columns": Format(table.fits, table.read),
}
"""Name of a format -> how it is known and read; the first that fits is taken, so the last takes any table."""

OWN = "kgsynth"
_OWN_KEYS = {"id", "question", "golden_answers"}


@dataclass(frozen=True, slots=True)
class Reading:
    """A set as items; ``findings`` are the rows that are none, ``told`` how it was read, if it was made elsewhere."""

    dataset: Dataset
    findings: tuple[Finding, ...] = ()
    told: str = ""


@dataclass(frozen=True, slots=True)
class Questions:
    """The questions of a file as it has them; ``own`` is the set, when the file is kgsynth's own."""

    format: str
    asked: tuple[Asked, ...] = ()
    findings: tuple[Finding, ...] = ()
    how: str = ""
    own: Dataset | None = None
    source: Source | None = None

    def write_documents(self, folder: Path) -> int:
        """Write the documents that the file itself brings to ``folder``, as text; return how many there are."""
        passages = FORMATS[self.format].passages(self.source) if self.source else ()
        return write_passages(passages, folder)

    def locate(self, documents: Mapping[str, Document]) -> Reading:
        """Return the questions as items, with their evidence in ``documents``."""
        if self.own is not None:
            return Reading(self.own)
        locator = Locator(documents)
        dataset = distinct(locator.item(asked, self.format) for asked in self.asked)
        return Reading(dataset, self.findings, self._told(locator))

    def _told(self, locator: Locator) -> str:
        lines = [f"read as {self.how}: {len(self.asked)} questions"]
        lines[0] += f", {len(self.findings)} rows left out" if self.findings else ""
        if total := locator.ways.total():
            ways = ", ".join(f"{locator.ways[way]} {way}" for way in WAYS)
            lines.append(f"{total} contexts looked for in the documents, found: {ways}")
        alone = sum(not each.contexts and each.answerable for each in self.asked)
        if alone:
            lines.append(
                f"{alone} questions have no context; the answers of {locator.placed_answers} stand in one place"
            )
        if self.asked and all(each.metadata.get("retrieval_only") for each in self.asked):
            lines.append("there are no answers in it: the set is for retrieval alone")
        return "\n".join(lines)


def read(path: Path | str, mapping: str | None = None) -> Questions:
    """Read a file of questions, whoever made it, or a folder that holds one.

    ``mapping`` says which column or expression is what, as in ``question=Frage,answer=Antwort``; a file that
    is known needs none.

    Raises:
        ConfigError: ``mapping`` is none.
        InputError: the file cannot be read, or no format fits; the message says what to do.
    """
    path = Path(path)
    roles = table.mapping(mapping) if mapping else None
    if roles is None and _is_own(path):
        return Questions(OWN, own=load(path))
    source = Source(path) if path.is_dir() else rows.read(path)
    if not (source.rows or source.faults or path.is_dir()):
        raise InputError(f"{path} holds no question; give a file that does")
    if roles is not None:
        return _gathered("columns", source, table.mapped(source, roles), f"--map {mapping}")
    for name, form in FORMATS.items():
        if form.fits(source):
            return _gathered(name, source, form.read(source), _how(name, source))
    if path.is_dir():
        raise InputError(
            f"{path} holds neither a golden.jsonl nor a BEIR set (queries.jsonl, corpus.jsonl, qrels); give a file"
        )
    raise InputError(
        f"{path} has {table.columns_of(source)}, and not all that is needed is known by its name: say which is which "
        "with --map question=COLUMN,answer=COLUMN,contexts=COLUMN,doc=COLUMN (those that there are)"
    )


def _gathered(name: str, source: Source, found: Iterator[Asked | Finding], how: str) -> Questions:
    each = list(found)
    findings = (*source.faults, *(one for one in each if isinstance(one, Finding)))
    return Questions(name, tuple(one for one in each if isinstance(one, Asked)), findings, how, source=source)


def _how(name: str, source: Source) -> str:
    if name != "columns":
        return name
    roles = table.named(source.columns).items()
    return f"columns ({', '.join(f'{role} from {column!r}' for role, column in roles)})"


def _is_own(path: Path) -> bool:
    """Say whether a file is a golden.jsonl, or a folder holds one: by its first line, or its having no line at all."""
    if path.is_dir():
        return (path / "golden.jsonl").is_file()
    first = rows.first_line(path)
    if first is None or first == {}:
        return first is not None
    return first.keys() >= _OWN_KEYS and "contexts" not in table.named([key for key in first if key != "evidence"])
