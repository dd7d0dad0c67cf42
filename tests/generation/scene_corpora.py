"""Small corpora for scenes: pages of Markdown with hashed vectors and no parser."""

from __future__ import annotations

import itertools
import random
from collections.abc import Mapping
from dataclasses import replace

from doubles import HashingEncoder

from kgsynth.base.records import Analysis, Entity, Mention, Span
from kgsynth.documents.assembly import assemble
from kgsynth.documents.chunking import chunk
from kgsynth.documents.readers.markdown import read
from kgsynth.evidence.knowledge import Knowledge
from kgsynth.generation.graph.build import build


def corpus(pages: Mapping[str, str], language: str = "en", names: tuple[str, ...] = (), size: int = 120) -> Knowledge:
    """The knowledge of some pages by their paths; ``names`` are entities wherever the pages hold them."""
    documents = [
        replace(assemble(read(text), id=path, format="md", sha256=""), language=language)
        for path, text in sorted(pages.items())
    ]
    chunks = [piece for document in documents for piece in chunk(document, size=size)]
    vectors = HashingEncoder().encode([piece.searched for piece in chunks])
    analyses = [Analysis(document.id, (), (), (), language=language) for document in documents]
    entities = []
    for name in names:
        mentions = []
        for document in documents:
            at = document.text.find(name)
            while at >= 0:
                mentions.append(Mention(name, "ORG", document.id, at, at + len(name)))
                at = document.text.find(name, at + 1)
        entities.append(Entity(f"e-{name}", name, "ORG", (name,), tuple(mentions)))
    graph = build(documents, chunks, analyses, entities, vectors)
    return Knowledge(graph, documents, chunks, analyses, entities, vectors)


def titles(knowledge: Knowledge, spans: tuple[Span, ...]) -> tuple[str, ...]:
    """The title of the section that each span begins in."""
    found = []
    for span in spans:
        within = [each for each in knowledge.documents[span.doc].sections if each.start <= span.start < each.end]
        found.append(within[-1].title)
    return tuple(found)


def words(subject: str, count: int = 70) -> str:
    """A paragraph of ``count`` words, half of them on the subject; no two paragraphs have them in the same order."""
    rng = random.Random(next(_PARAGRAPHS))
    own = [f"{subject.lower()}{rng.randrange(12)}" for _ in range(count // 2)]
    return " ".join(f"{word} fill{rng.randrange(60)}" for word in own) + "."


_PARAGRAPHS = itertools.count()
