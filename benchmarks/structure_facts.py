"""Facts of the layout per 10,000 words, by kind, for each folder of documents.

    python benchmarks/structure_facts.py DOCS …

Words are those of the documents' text. Every fact counts, whether a question can be asked about it or not.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from arguments import call

from kgsynth.base.vocabulary import StructureKind
from kgsynth.documents import read_documents
from kgsynth.documents.structure import structure
from kgsynth.language.words import count_words

TITLES = ("documents", "words", *(kind.value for kind in StructureKind))


def main(docs: str, *others: str) -> None:
    """Print a table in Markdown with a row for each folder."""
    print(f"| folder | {' | '.join(TITLES)} |")
    print(f"|---|{'---|' * len(TITLES)}")
    for folder in map(Path, (docs, *others)):
        documents = read_documents(folder)
        words = sum(count_words(document.text) for document in documents)
        found = Counter(fact.kind for document in documents for fact in structure(document))
        rates = (f"{10_000 * found[kind] / words:.1f}" for kind in StructureKind)
        print(f"| {folder.name} | {len(documents):,} | {words:,} | {' | '.join(rates)} |", flush=True)


if __name__ == "__main__":
    call(main)
