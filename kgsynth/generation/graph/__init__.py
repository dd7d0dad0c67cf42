"""The knowledge graph: entities resolved over the corpus, their links to chunks, facts between them, similarity.

``entities`` groups mentions into entities, ``build`` makes the graph, ``storage`` saves it, ``health`` measures it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kgsynth.evidence.knowledge import Knowledge
    from kgsynth.generation.corpus import Corpus
    from kgsynth.generation.run import Run


def connect(corpus: Corpus, run: Run) -> tuple[Knowledge, list[str]]:
    """Resolve the entities, build and save the graph, and return it indexed, with sentences on its health."""
    from kgsynth.evidence.knowledge import Knowledge
    from kgsynth.generation.graph.build import build
    from kgsynth.generation.graph.entities import resolve_entities
    from kgsynth.generation.graph.health import health, in_words
    from kgsynth.generation.graph.storage import save

    documents, chunks, analyses, vectors = corpus.documents, corpus.chunks, corpus.analyses, corpus.vectors
    with run.stage("linking") as stage:
        entities = resolve_entities(analyses)
        graph = build(documents, chunks, analyses, entities, vectors)
        stage.update(graph.number_of_edges())
        if not run.run_folder.done("graph.json"):
            with run.run_folder.replacing("graph.json") as path:
                save(graph, path)
        return Knowledge(graph, documents, chunks, analyses, entities, vectors), in_words(health(graph))
