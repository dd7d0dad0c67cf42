"""LlamaIndex: LabelledRagDataset (answers and contexts) and EmbeddingQAFinetuneDataset (contexts only)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from kgsynth.base.records import Finding, Item
from kgsynth.golden.answer_patterns import reference_answer
from kgsynth.golden.exchange import cells, columns
from kgsynth.golden.exchange.export_input import ExportInput, Rendered, evidence_texts, json_document
from kgsynth.golden.exchange.foreign_question import ForeignContext, ForeignQuestion, unusable
from kgsynth.golden.exchange.search_corpus import SearchCorpus
from kgsynth.golden.exchange.source_file import SourceFile

LLAMAINDEX_COLUMNS = {"question": "query", "answer": "reference_answer", "contexts": "reference_contexts"}
_KEYS_OF_PAIRS = ("queries", "corpus", "relevant_docs")


def fits(source: SourceFile) -> bool:
    """Check whether it is one of the two."""
    return _is_pairs(source.tree) or set(source.columns) >= {"query", "reference_answer", "reference_contexts"}


def _is_pairs(tree: object) -> bool:
    return isinstance(tree, Mapping) and all(isinstance(tree.get(name), Mapping) for name in _KEYS_OF_PAIRS)


def documents(source: SourceFile) -> Iterator[tuple[str, str]]:
    """Yield every text of the corpus, if there is one."""
    if _is_pairs(source.tree):
        for name, text in source.tree["corpus"].items():
            yield name, cells.text(text) + "\n"


def read(source: SourceFile) -> Iterator[ForeignQuestion | Finding]:
    """Yield every question; in the second kind each relevant text is a group of its own, as recall counts them."""
    if not _is_pairs(source.tree):
        yield from columns.read_rows(source.rows, LLAMAINDEX_COLUMNS)
        return
    queries, corpus, relevant = (source.tree[name] for name in _KEYS_OF_PAIRS)
    for query, text in queries.items():
        where = f"{source.path}, query {query!r}"
        names = [str(name) for name in cells.as_list(relevant.get(query))]
        missing = [name for name in names if not cells.text(corpus.get(name))]
        if missing or not names or not cells.text(text):
            why = f"{missing[0]!r} is not in the corpus" if missing else "it has no text or no relevant document"
            yield unusable(where, why)
            continue
        groups = tuple((ForeignContext(cells.text(corpus[name])),) for name in names)
        metadata = {"original_id": query, "retrieval_only": True}
        yield ForeignQuestion(where, cells.text(text), contexts=groups, metadata=metadata)


# Write LlamaIndex data sets: a LabelledRagDataset, and beside it an EmbeddingQAFinetuneDataset.


def render(source: ExportInput) -> Rendered:
    """Return both files. LlamaIndex opens them in the encoding of the computer, so they are plain ASCII."""
    corpus = SearchCorpus(source)
    judged = {item.id: names for item in source.items if (names := corpus.relevant(item))}
    pairs = {
        "queries": {item.id: item.full_question for item in source.items if item.id in judged},
        "corpus": {entry.id: entry.text for entry in corpus.entries},
        "relevant_docs": judged,
        "mode": "text",
    }
    files = {
        "": json_document({"examples": list(map(_example, source.items))}, ascii_only=True),
        "pairs": json_document(pairs, ascii_only=True),
    }
    return Rendered(files, corpus.notes)


def _example(item: Item) -> dict[str, Any]:
    writer = item.metadata.get("writer")
    by = {"model_name": f"kgsynth ({writer})" if writer else "", "type": "ai" if writer else "human"}
    return {
        "query": item.full_question,
        "query_by": by,
        "reference_contexts": evidence_texts(item),
        "reference_answer": reference_answer(item.golden_answers),
        "reference_answer_by": by,
    }
