"""TREC: topics.tsv, qrels.txt and corpus.jsonl, as Anserini, Pyserini and PyTerrier read them. It has no answers."""

from __future__ import annotations

from collections.abc import Iterator

from kgsynth.base.errors import InputError
from kgsynth.base.records import Finding
from kgsynth.golden.exchange import cells
from kgsynth.golden.exchange.beir import retrieval_question
from kgsynth.golden.exchange.export_input import ExportInput, Rendered, json_lines
from kgsynth.golden.exchange.foreign_question import ForeignContext, ForeignQuestion, unusable
from kgsynth.golden.exchange.search_corpus import SearchCorpus, safe_id
from kgsynth.golden.exchange.source_file import SourceFile, read_source, read_text

TOPICS, JUDGEMENTS, TREC_CORPUS = "topics.tsv", "qrels.txt", "corpus.jsonl"
"""The names of the three files in the folder."""


def fits(source: SourceFile) -> bool:
    """Check whether the source is such a folder."""
    return source.path.is_dir() and all((source.path / name).is_file() for name in (TOPICS, JUDGEMENTS, TREC_CORPUS))


def read(source: SourceFile) -> Iterator[ForeignQuestion | Finding]:
    """Yield every topic with judgements; each relevant passage is a group of its own, as recall counts them.

    Raises:
        InputError: a line of the judgements cannot be parsed.
    """
    topics = dict(line.split("\t", 1) for line in read_text(source.path / TOPICS).splitlines() if "\t" in line)
    texts = dict(documents(source))
    for topic, names in _relevant_passages(source).items():
        where = f"{source.path / JUDGEMENTS}, topic {topic!r}"
        missing = [name for name in names if name not in texts]
        if missing or topic not in topics:
            yield unusable(where, f"{missing[0]!r} is not in {TREC_CORPUS}" if missing else f"it is not in {TOPICS}")
            continue
        groups = tuple((ForeignContext(texts[name]),) for name in names)
        yield retrieval_question(where, topic, topics[topic].strip(), groups)


def documents(source: SourceFile) -> Iterator[tuple[str, str]]:
    """Yield every passage of the corpus: its id and its text."""
    for row in read_source(source.path / TREC_CORPUS).rows:
        yield cells.text(row.cells.get("id")), cells.text(row.cells.get("contents"))


def _relevant_passages(source: SourceFile) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for number, line in enumerate(read_text(source.path / JUDGEMENTS).splitlines(), 1):
        try:
            topic, _, name, grade = line.split()
            relevant = float(grade) > 0
        except ValueError:
            where = f"{source.path / JUDGEMENTS}, line {number}"
            raise InputError(f"{where}: {line[:40]!r} is not topic, 0, passage, grade; correct it") from None
        if relevant and name not in found.setdefault(topic, []):
            found[topic].append(name)
    return {topic: names for topic, names in found.items() if names}


def render(source: ExportInput) -> Rendered:
    """Return the three files; a topic is one line, so white space in a question becomes one blank."""
    corpus = SearchCorpus(source)
    topics = "".join(f"{safe_id(item.id)}\t{' '.join(item.full_question.split())}\n" for item in source.items)
    judged = "".join(f"{safe_id(item.id)} 0 {name} 1\n" for item in source.items for name in corpus.relevant(item))
    passages = ({"id": entry.id, "title": entry.title, "contents": entry.text} for entry in corpus.entries)
    files = {"topics.tsv": topics.encode(), "qrels.txt": judged.encode(), "corpus.jsonl": json_lines(passages)}
    return Rendered(files, corpus.notes)
