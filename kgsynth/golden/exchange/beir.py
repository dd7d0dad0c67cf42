"""BEIR: a folder with queries.jsonl, corpus.jsonl and qrels/*.tsv. It has no answers, only relevant passages."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping
from pathlib import Path

from kgsynth.base.errors import InputError
from kgsynth.base.records import Finding, Item
from kgsynth.golden.exchange import cells
from kgsynth.golden.exchange.export_input import ExportInput, Rendered, json_lines, without_question
from kgsynth.golden.exchange.foreign_question import ForeignContext, ForeignQuestion, unusable, with_item
from kgsynth.golden.exchange.search_corpus import SearchCorpus, safe_id
from kgsynth.golden.exchange.source_file import SourceFile, read_source, read_text
from kgsynth.golden.item_json import to_json

_PREFERRED_SPLITS = ("test", "dev")


def fits(source: SourceFile) -> bool:
    """Check whether the source is such a folder."""
    return source.path.is_dir() and all((source.path / f"{name}.jsonl").is_file() for name in ("queries", "corpus"))


def read(source: SourceFile) -> Iterator[ForeignQuestion | Finding]:
    """Yield every query with judgements; each relevant passage is a group of its own, as recall counts them.

    Raises:
        InputError: there are no judgements, or a file cannot be parsed.
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
        groups = tuple((ForeignContext(corpus[name][0], corpus[name][1]),) for name in names)
        text, _, item = queries[query]
        yield with_item(retrieval_question(where, query, text, groups), item, checked=False)


def retrieval_question(
    where: str, query: str, text: str, groups: tuple[tuple[ForeignContext, ...], ...]
) -> ForeignQuestion:
    """Return a question of which only the relevant passages are known."""
    return ForeignQuestion(where, text, contexts=groups, metadata={"original_id": query, "retrieval_only": True})


def documents(source: SourceFile) -> Iterator[tuple[str, str]]:
    """Yield every passage of the corpus, also those without a judgement: its id, and its title above its text."""
    for row in read_source(source.path / "corpus.jsonl").rows:
        parts = (cells.text(row.cells.get("title")), cells.text(row.cells.get("text")))
        yield cells.text(row.cells.get("_id")), "\n\n".join(filter(None, parts)) + "\n"


def _judgements(folder: Path) -> Path:
    """Return the file of judgements: test if there is one, otherwise dev, otherwise the first."""
    files = {path.stem: path for path in sorted((folder / "qrels").glob("*.tsv"))}
    found = next((files[name] for name in _PREFERRED_SPLITS if name in files), next(iter(files.values()), None))
    if found is None:
        raise InputError(f"{folder / 'qrels'} contains no .tsv file; put the judgements there as test.tsv")
    return found


def _relevant(file: Path) -> dict[str, list[str]]:
    """Return the passages with a grade above 0 for each query, in the order of the file."""
    found: dict[str, list[str]] = {}
    for number, line in enumerate(csv.reader(read_text(file).splitlines(), delimiter="\t", quoting=csv.QUOTE_NONE), 1):
        if not line or (number == 1 and line[0].replace("_", "-") == "query-id"):
            continue
        try:
            query, passage, grade = line[0], line[-2], float(line[-1])  # files of trec_eval have one more column
        except (IndexError, ValueError):
            shown = "\t".join(line)[:40]
            raise InputError(
                f"{file}, line {number}: {shown!r} is not query-id, corpus-id, score; correct it"
            ) from None
        if grade > 0 and passage not in found.setdefault(query, []):
            found[query].append(passage)
    return {query: names for query, names in found.items() if names}


def _texts(file: Path, wanted: set[str]) -> Mapping[str, tuple[str, str, object]]:
    """Return text, title and metadata of the wanted ids."""
    rows = (row.cells for row in read_source(file).rows)
    texts = {
        cells.text(row.get("_id")): (cells.text(row.get("text")), cells.text(row.get("title")), row.get("metadata"))
        for row in rows
    }
    return {name: both for name, both in texts.items() if name in wanted and both[0]}


def refuse(item: Item, source: ExportInput) -> str:
    """Return why a retrieval test cannot have an item, or ""."""
    if not item.answerable:
        return "unanswerable, so that no passage is relevant"
    return without_question(item) if item.evidence else "without evidence"


def render(source: ExportInput) -> Rendered:
    """Return the three files; the passages of all evidence groups are relevant, with grade 1."""
    corpus = SearchCorpus(source)
    passages = ({"_id": entry.id, "title": entry.title, "text": entry.text} for entry in corpus.entries)
    queries = (
        {"_id": safe_id(item.id), "text": item.full_question, "metadata": to_json(item)} for item in source.items
    )
    judged = "".join(f"{safe_id(item.id)}\t{name}\t1\n" for item in source.items for name in corpus.relevant(item))
    files = {
        "corpus.jsonl": json_lines(passages),
        "queries.jsonl": json_lines(queries),
        "qrels/test.tsv": f"query-id\tcorpus-id\tscore\n{judged}".encode(),
    }
    return Rendered(files, corpus.notes)
