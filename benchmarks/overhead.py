"""The time of kgsynth generate relative to spaCy and MiniLM alone on the same texts.

    python benchmarks/overhead.py [DOCS]

Both models read the same blocks and chunks with the libraries' own calls: ``nlp.pipe`` with as many processes as the
run, ``SentenceTransformer.encode`` with default batches. Prints wall seconds and their ratio.
"""

from __future__ import annotations

import os
import tempfile
import time
from pathlib import Path

from arguments import call

from kgsynth.base.config import Config
from kgsynth.base.records import PROSE, Chunk, Document
from kgsynth.base.records_json import from_json
from kgsynth.generation.flow import generate
from kgsynth.models.local_models import resolve_embedding, resolve_spacy


def main(docs: str = "corpora/handbook") -> None:
    """Run all three and print the table."""
    with tempfile.TemporaryDirectory() as out:
        begun = time.perf_counter()
        generate(docs, out, config=Config(n=100))
        whole = time.perf_counter() - begun
        run = Path(out)
        blocks = [
            block.text
            for line in (run / "documents.jsonl").open(encoding="utf-8")
            for block in from_json(Document)(line).blocks
            if block.kind in PROSE and block.text
        ]
        chunks = [from_json(Chunk)(line).text for line in (run / "chunks.jsonl").open(encoding="utf-8")]
    parsing, embedding = spacy_pass(blocks), minilm_pass(chunks)
    print(f"{len(blocks)} blocks, {len(chunks)} chunks")
    print(f"{'kgsynth generate':<24}{whole:>10.1f} s")
    print(f"{'spaCy alone':<24}{parsing:>10.1f} s")
    print(f"{'MiniLM alone':<24}{embedding:>10.1f} s")
    print(f"{'ratio to their sum':<24}{whole / (parsing + embedding):>10.2f}")


def spacy_pass(texts: list[str]) -> float:
    """Return the seconds to load spaCy and parse the texts."""
    import spacy

    begun = time.perf_counter()
    nlp = spacy.load(resolve_spacy("en_core_web_sm"))
    for _ in nlp.pipe(texts, n_process=os.cpu_count() or 1, batch_size=128):
        pass
    return time.perf_counter() - begun


def minilm_pass(texts: list[str]) -> float:
    """Return the seconds to load MiniLM and encode the texts."""
    from sentence_transformers import SentenceTransformer

    begun = time.perf_counter()
    SentenceTransformer(resolve_embedding("all-MiniLM-L6-v2")).encode(texts, show_progress_bar=False)
    return time.perf_counter() - begun


if __name__ == "__main__":
    call(main)
