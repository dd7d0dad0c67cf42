"""How the time to build the graph grows with the corpus: planted mentions and facts, random vectors, no model.

    python benchmarks/graph_scaling.py [SIZE …]

A size is a number of chunks (default: 1000 2000 4000 8000). The last column is the time divided by that of the size
before: 2 is linear if the size doubles. Similarity is quadratic. Times are CPU seconds, the lower of two.
"""

from __future__ import annotations

import random
import resource
import tempfile
import time
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import numpy as np
from arguments import call
from numpy.typing import NDArray

from kgsynth.base.records import Analysis, Chunk, Document, Fact, Mention, Phrase, Section, Sentence, Verb, content_id
from kgsynth.base.thresholds import LIMITS
from kgsynth.generation.graph.build import build, similar_pairs
from kgsynth.generation.graph.entities import resolve_entities
from kgsynth.generation.graph.health import health
from kgsynth.generation.graph.storage import load, save
from kgsynth.generation.graph.summaries import summaries

CHUNKS_A_DOCUMENT = 20
SENTENCES_A_CHUNK = 10
SENTENCE = 100
MENTIONS_A_CHUNK = 25
FACTS_A_CHUNK = 12
ENTITIES_A_CHUNK = 2.5

T = TypeVar("T")
Corpus = tuple[list[Document], list[Chunk], list[Analysis]]


def corpus(size: int, rng: random.Random) -> Corpus:
    """Return documents of 20 chunks, each with 10 sentences, 25 mentions and 12 facts, names from a long tail."""
    names = [f"Entity {n:06d}" for n in range(int(size * ENTITIES_A_CHUNK))]
    documents, chunks, analyses = [], [], []
    for number in range(size // CHUNKS_A_DOCUMENT):
        document, mine = skeleton(f"doc{number:05d}.md")
        documents.append(document)
        chunks += mine
        analyses.append(analysis(document, mine, names, rng))
    return documents, chunks, analyses


def skeleton(doc: str) -> tuple[Document, list[Chunk]]:
    """Return a document of one section a chunk, and its chunks; the text is blank."""
    width = SENTENCES_A_CHUNK * SENTENCE
    text = " " * (CHUNKS_A_DOCUMENT * width)
    sections = [Section(content_id("s", doc, 0), doc, doc, 0, (doc,), 0, len(text))]
    chunks = []
    for n in range(CHUNKS_A_DOCUMENT):
        low, high = n * width, (n + 1) * width
        sections.append(Section(content_id("s", doc, n + 1), doc, f"Part {n}", 1, (doc, f"Part {n}"), low, high))
        chunks.append(Chunk(content_id("c", doc, n), doc, sections[-1].id, low, high, text[low:high]))
    return Document(doc, text, doc, "md", "", (), tuple(sections)), chunks


def analysis(document: Document, chunks: list[Chunk], names: list[str], rng: random.Random) -> Analysis:
    """Return sentences of common and rare words, mentions, and facts between neighbouring mentions."""
    mentions, sentences, facts = [], [], []
    for number, chunk in enumerate(chunks):
        for n in range(SENTENCES_A_CHUNK):
            start = chunk.start + n * SENTENCE
            lemmas = tuple(f"word{int(rng.paretovariate(0.6)) % 20_000}" for _ in range(10))
            sentences.append(Sentence(document.id, number + 1, start, start + SENTENCE, "", lemmas))
        here = []
        for n in range(MENTIONS_A_CHUNK):
            start = chunk.start + n * (chunk.end - chunk.start) // MENTIONS_A_CHUNK
            name = names[int(len(names) * rng.random() ** 3)]
            here.append(Mention(name, rng.choice(("ORG", "TERM")), document.id, start, start + len(name)))
        mentions += here
        facts += [fact(document.id, number + 1, here[n], here[n + 1], n) for n in range(FACTS_A_CHUNK)]
    return Analysis(document.id, tuple(sentences), tuple(facts), tuple(mentions))


def fact(doc: str, section: int, one: Mention, other: Mention, n: int) -> Fact:
    """Return the fact that the first mention does something to the second."""
    phrases = (
        Phrase("subject", one.text, one.start, one.end, one.text.split()[-1]),
        Phrase("object", other.text, other.start, other.end, other.text.split()[-1]),
    )
    verb = Verb(f"verb{n}", f"verb{n}s", "VBZ")
    return Fact(content_id("f", doc, one.start, n), doc, section, one.start, other.end, "", verb, phrases)


def vectors(size: int) -> NDArray[np.float32]:
    """Return random unit vectors around fifty topics, near enough for similar pairs."""
    rng = np.random.default_rng(0)
    rows = rng.normal(size=(size, 384)) + 1.5 * rng.normal(size=(50, 384))[np.arange(size) % 50]
    return np.asarray(rows / np.linalg.norm(rows, axis=1, keepdims=True), dtype=np.float32)


def timed(seconds: dict[str, float], name: str, work: Callable[[], T]) -> T:
    """Do the work twice, store the lower CPU time under ``name``, and return the result."""
    for _ in range(2):
        start = time.process_time()
        result = work()
        seconds[name] = min(seconds.get(name, float("inf")), time.process_time() - start)
    return result


def measure(size: int) -> tuple[dict[str, float], str]:
    """Return the seconds of each step for ``size`` chunks, and a line on the size of the graph."""
    documents, chunks, analyses = corpus(size, random.Random(0))
    rows = vectors(size)
    seconds: dict[str, float] = {}
    entities = timed(seconds, "resolve entities", lambda: resolve_entities(analyses))
    timed(seconds, "summaries", lambda: list(summaries(documents, analyses)))
    timed(seconds, "similarity", lambda: similar_pairs(rows, LIMITS.similar_chunks, LIMITS.similar_cosine))
    graph = timed(seconds, "build, all", lambda: build(documents, chunks, analyses, entities, rows))
    seconds["build, rest"] = max(0.0, seconds["build, all"] - seconds["summaries"] - seconds["similarity"])
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "graph.json"
        timed(seconds, "save", lambda: save(graph, path))
        timed(seconds, "load", lambda: load(path))
        megabytes = path.stat().st_size / 1e6
    timed(seconds, "health", lambda: health(graph))
    what = (
        f"{len(entities):,} entities, {len(graph):,} nodes, {graph.number_of_edges():,} edges, file {megabytes:.0f} MB"
    )
    return seconds, what


def memory(size: int) -> str:
    """Return a line on the memory of the graph alone, measured with tracemalloc."""
    documents, chunks, analyses = corpus(size, random.Random(0))
    entities, rows = resolve_entities(analyses), vectors(size)
    tracemalloc.start()
    graph = build(documents, chunks, analyses, entities, rows)
    used = tracemalloc.get_traced_memory()[0] / 1e6
    tracemalloc.stop()
    return f"graph of {size:,} chunks ({graph.number_of_edges():,} edges): {used:.0f} MB"


def main(*sizes: int) -> None:
    """Print the table."""
    before: dict[str, float] = {}
    wanted = sizes or (1000, 2000, 4000, 8000)
    for size in wanted:
        seconds, what = measure(size)
        print(f"\n{size:,} chunks: {what}")
        for name, taken in seconds.items():
            growth = f"x{taken / before[name]:.1f}" if before.get(name, 0) > 0.005 else ""
            print(f"  {name:12s} {taken:8.2f} s  {growth}")
        before = seconds
    print(f"\n{memory(wanted[-1])}")
    print(f"peak of the process: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")


if __name__ == "__main__":
    call(main)
