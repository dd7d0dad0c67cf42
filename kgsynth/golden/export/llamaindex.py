"""Write LlamaIndex data sets: a LabelledRagDataset, and beside it an EmbeddingQAFinetuneDataset."""

from __future__ import annotations

from typing import Any

from kgsynth.base.records import Item
from kgsynth.golden.answer_patterns import reference_answer
from kgsynth.golden.export.export_input import ExportInput, Rendered, evidence_texts, json_document
from kgsynth.golden.export.search_corpus import SearchCorpus


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
