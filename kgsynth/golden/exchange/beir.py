"""BEIR: a folder of queries.jsonl, corpus.jsonl and qrels/*.tsv. Without answers: such a set is for retrieval alone."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping
from pathlib import Path

from kgsynth.base.errors import InputError
from kgsynth.base.records import Finding
from kgsynth.golden.exchange import cells
from kgsynth.golden.exchange.foreign_question import Asked, Context, unusable
from kgsynth.golden.exchange.rows import Source, read_text
from kgsynth.golden.exchange.rows import read as read_rows

_SPLITS = ("test", "dev")


def fits(source: Source) -> bool:
    """Say whether it is such a folder."""
    return source.path.is_dir() and all((source.path / f"{name}.jsonl").is_file() for name in ("queries", "corpus"))


def read(source: Source) -> Iterator[Asked | Finding]:
    """Yield every query that has judgements; each passage judged relevant is a group of its own, as recall counts them.

    Raises:
        InputError: there are no judgements, or a file is broken.
    """
    file = _judgements(source.path)
    relevant = _relevant(file)
    wanted = {name for names in relevant.values() for name in names}
    corpus = _texts(source.path / "corpus.jsonl", wanted)
    queries = _texts(source.path / "queries.jsonl", set(relevant))
    for query, names in relevant.items():
        where = f"{file}, query {query!r}"
        missing = [name for name in names if name not in corpus]
        if missing or query not in queries:
            yield unusable(where, f"{missing[0]!r} is not in corpus.jsonl" if missing else "it is not in queries.jsonl")
            continue
        groups = tuple((Context(corpus[name][0], corpus[name][1]),) for name in names)
        metadata = {"original_id": query, "retrieval_only": True}
        yield Asked(where, queries[query][0], contexts=groups, metadata=metadata)


def passages(source: Source) -> Iterator[tuple[str, str]]:
    """Yield every passage of the corpus, those never judged too: its id, and its title above its text."""
    for row in read_rows(source.path / "corpus.jsonl").rows:
        parts = (cells.text(row.cells.get("title")), cells.text(row.cells.get("text")))
        yield cells.text(row.cells.get("_id")), "\n\n".join(filter(None, parts)) + "\n"


def _judgements(folder: Path) -> Path:
    """Return the file of judgements: test when there is one, else dev, else the first."""
    files = {path.stem: path for path in sorted((folder / "qrels").glob("*.tsv"))}
    found = next((files[name] for name in _SPLITS if name in files), next(iter(files.values()), None))
    if found is None:
        raise InputError(f"{folder / 'qrels'} holds no .tsv file; a BEIR set has its judgements there, as test.tsv")
    return found


def _relevant(file: Path) -> dict[str, list[str]]:
    """Return the passages judged above 0 of each query, in the order of the file."""
    found: dict[str, list[str]] = {}
    for number, line in enumerate(csv.reader(read_text(file).splitlines(), delimiter="\t", quoting=csv.QUOTE_NONE), 1):
        if not line or (number == 1 and line[0].replace("_", "-") == "query-id"):
            continue
        try:
            query, passage, grade = line[0], line[-2], float(line[-1])  # trec's own files have a column more
        except (IndexError, ValueError):
            told = "\t".join(line)[:40]
            raise InputError(f"{file}, line {number}: {told!r} is not query-id, corpus-id and score; mend it") from None
        if grade > 0 and passage not in found.setdefault(query, []):
            found[query].append(passage)
    return {query: names for query, names in found.items() if names}


def _texts(file: Path, wanted: set[str]) -> Mapping[str, tuple[str, str]]:
    """Return text and title by id, of those wanted."""
    rows = (row.cells for row in read_rows(file).rows)
    held = {cells.text(row.get("_id")): (cells.text(row.get("text")), cells.text(row.get("title"))) for row in rows}
    return {name: both for name, both in held.items() if name in wanted and both[0]}
