"""A corpus as the stages use it: its graph, and indexes of its chunks, statements and entities."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from copy import copy
from typing import TYPE_CHECKING, Any, TypeVar

from kgsynth.base.records import Analysis, Chunk, Document, Entity
from kgsynth.documents.structure import structure
from kgsynth.evidence.entities import EntityIndex
from kgsynth.evidence.statements import ChunkIndex, Statements

if TYPE_CHECKING:
    import networkx as nx
    import numpy as np
    from numpy.typing import NDArray

T = TypeVar("T")


class Knowledge:
    """The graph of a corpus, with its chunks, statements and entities.

    ``vectors`` are the normalised embeddings of the chunks, shape (chunks, dimensions). Every index is built from the
    records of earlier stages.
    """

    def __init__(
        self,
        graph: nx.MultiDiGraph,
        documents: Iterable[Document],
        chunks: Sequence[Chunk],
        analyses: Iterable[Analysis],
        entities: Sequence[Entity],
        vectors: NDArray[np.float32],
    ) -> None:
        self.graph = graph
        self.chunks = ChunkIndex(chunks)
        self.vectors = vectors
        self.statements = Statements(documents, analyses)
        self.documents = self.statements.documents
        self.entities = EntityIndex(entities, self.statements, graph)
        self.structure = [fact for document in self.documents.values() for fact in structure(document)]
        self._derived: dict[Callable[[Knowledge], Any], Any] = {}

    def derived(self, make: Callable[[Knowledge], T]) -> T:
        """Return ``make(self)``, computed on first use."""
        if make not in self._derived:
            self._derived[make] = make(self)
        result: T = self._derived[make]
        return result

    def in_languages(self, codes: Collection[str]) -> Knowledge:
        """Return the same without the documents in other languages, for rules that read words; itself if it has none.

        Chunks, entities and the graph stay as they are: nothing of a document that no parser reads is in a fact.
        """
        if all(document.language in codes for document in self.documents.values()):
            return self
        limited = copy(self)
        limited.documents = {name: each for name, each in self.documents.items() if each.language in codes}
        limited.structure = [fact for fact in self.structure if fact.doc in limited.documents]
        limited._derived = {}
        return limited
