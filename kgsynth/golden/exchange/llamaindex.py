"""LlamaIndex data sets: LabelledRagDataset (answers and contexts), EmbeddingQAFinetuneDataset (contexts alone)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from kgsynth.base.records import Finding
from kgsynth.golden.exchange import cells, table
from kgsynth.golden.exchange.foreign_question import Asked, Context, unusable
from kgsynth.golden.exchange.rows import Source

ROLES = {"question": "query", "answer": "reference_answer", "contexts": "reference_contexts"}
_PAIRS = ("queries", "corpus", "relevant_docs")


def fits(source: Source) -> bool:
    """Say whether it is one of the two."""
    return _is_pairs(source.tree) or set(source.columns) >= {"query", "reference_answer", "reference_contexts"}


def _is_pairs(tree: object) -> bool:
    return isinstance(tree, Mapping) and all(isinstance(tree.get(name), Mapping) for name in _PAIRS)


def passages(source: Source) -> Iterator[tuple[str, str]]:
    """Yield every passage of the corpus, when there is one."""
    if _is_pairs(source.tree):
        for name, text in source.tree["corpus"].items():
            yield name, cells.text(text) + "\n"


def read(source: Source) -> Iterator[Asked | Finding]:
    """Yield what it asks; of the second kind every relevant passage is a group of its own, as recall counts them."""
    if not _is_pairs(source.tree):
        yield from table.asked(source.rows, ROLES)
        return
    queries, corpus, relevant = (source.tree[name] for name in _PAIRS)
    for query, text in queries.items():
        where = f"{source.path}, query {query!r}"
        names = [str(name) for name in cells.listed(relevant.get(query))]
        missing = [name for name in names if not cells.text(corpus.get(name))]
        if missing or not names or not cells.text(text):
            why = (
                f"its passage {missing[0]!r} is not in the corpus"
                if missing
                else "it has no relevant passage or no text"
            )
            yield unusable(where, why)
            continue
        groups = tuple((Context(cells.text(corpus[name])),) for name in names)
        metadata = {"original_id": query, "retrieval_only": True}
        yield Asked(where, cells.text(text), contexts=groups, metadata=metadata)
