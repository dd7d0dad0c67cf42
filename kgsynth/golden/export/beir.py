"""Write a BEIR folder: corpus.jsonl, queries.jsonl and qrels/test.tsv."""

from __future__ import annotations

from kgsynth.base.records import Item
from kgsynth.golden.export.export_input import ExportInput, Rendered, json_lines, without_question
from kgsynth.golden.export.search_corpus import SearchCorpus, safe_id
from kgsynth.golden.item_json import to_json


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
