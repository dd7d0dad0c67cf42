"""Write a TREC collection as Anserini, Pyserini and PyTerrier read it: topics.tsv, qrels.txt and corpus.jsonl."""

from __future__ import annotations

from kgsynth.golden.export.export_input import ExportInput, Rendered, json_lines
from kgsynth.golden.export.search_corpus import SearchCorpus, safe_id


def render(source: ExportInput) -> Rendered:
    """Return the three files; a topic is one line, so white space in a question becomes one blank."""
    corpus = SearchCorpus(source)
    topics = "".join(f"{safe_id(item.id)}\t{' '.join(item.full_question.split())}\n" for item in source.items)
    judged = "".join(f"{safe_id(item.id)} 0 {name} 1\n" for item in source.items for name in corpus.relevant(item))
    passages = ({"id": entry.id, "title": entry.title, "contents": entry.text} for entry in corpus.entries)
    files = {"topics.tsv": topics.encode(), "qrels.txt": judged.encode(), "corpus.jsonl": json_lines(passages)}
    return Rendered(files, corpus.notes)
