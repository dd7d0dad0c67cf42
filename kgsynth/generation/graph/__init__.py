"""The knowledge graph: entities resolved over the corpus, their links to chunks, facts between them, similarity.

``entities`` decides who is who, ``build`` puts the graph together, ``storage`` saves it, ``health`` measures it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kgsynth.evidence.knowledge import Knowledge
    from kgsynth.generation.corpus import Corpus
    from kgsynth.generation.run import Run
    from kgsynth.models.llm import LLM


def connect(corpus: Corpus, run: Run, model: LLM | None = None) -> tuple[Knowledge, list[str]]:
    """Resolve the entities, build and save the graph, and index it; return it with its health in sentences.

    An LLM is called only when the settings want its summaries in the graph.
    """
    from kgsynth.evidence.knowledge import Knowledge
    from kgsynth.generation.graph.build import build
    from kgsynth.generation.graph.entities import settle
    from kgsynth.generation.graph.health import health, in_words
    from kgsynth.generation.graph.storage import save

    documents, chunks, analyses, vectors = corpus.documents, corpus.chunks, corpus.analyses, corpus.vectors
    with run.stage("linking") as stage:
        entities = settle(analyses)
        graph = build(documents, chunks, analyses, entities, vectors)
        if model and run.config.llm_graph:
            from kgsynth.generation.graph.llm_summaries import abstract

            abstract(graph, documents, model)
        stage.update(graph.number_of_edges())
        if not run.run_folder.done("graph.json"):
            with run.run_folder.replacing("graph.json") as path:
                save(graph, path)
        return Knowledge(graph, documents, chunks, analyses, entities, vectors), in_words(health(graph))
