"""Write the knowledge graph of a run, or of a folder of documents, as GraphML."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from kgsynth.base.config import Config
from kgsynth.base.errors import InputError
from kgsynth.base.progress import Progress, silent
from kgsynth.base.records import Document, Skipped
from kgsynth.base.run_folder.folder import STATE, check_unchanged

if TYPE_CHECKING:
    import networkx as nx

GRAPHML = "graph.graphml"


@dataclass(frozen=True, slots=True)
class Explored:
    """The output folder, the size of the graph, and its health.

    ``remarks`` are what the readers noticed in the documents, ``skipped`` the files of a folder that were not read.
    """

    folder: Path
    nodes: int
    edges: int
    health: tuple[str, ...]
    remarks: tuple[str, ...] = ()
    skipped: tuple[Skipped, ...] = ()


def explore(
    source: Path | str,
    out: Path | str | None = None,
    *,
    config: Config | None = None,
    fresh: bool = False,
    progress: Progress = silent,
) -> Explored:
    """Write graph.graphml of ``source``, a run folder of ``generate`` or a folder of documents.

    ``out`` is by default the run folder. The graph of documents is built as
    ``generate`` builds it, in ``out`` (by default outputs/NAME-graph), and ``generate`` can resume from there.

    Raises:
        InputError: the folder is neither, or the run has no graph yet.

    Example:
        >>> explore("outputs/demo").health[0]  # doctest: +SKIP
        'The graph has 267 chunks, 549 entities and 898 facts.'
    """
    source = Path(source)
    if (source / STATE).exists():
        return _of_run(source, Path(out) if out else source)
    return _of_documents(source, Path(out or f"outputs/{source.resolve().name}-graph"), config, fresh, progress)


def _of_run(run: Path, out: Path) -> Explored:
    from kgsynth.documents.run_documents import documents_beside
    from kgsynth.generation.graph.storage import load

    if not (run / "graph.json").exists():
        raise InputError(f"the run {run} has no graph.json yet: run generate again first")
    check_unchanged(run, ("graph.json",))
    return _write(load(run / "graph.json"), list(documents_beside(run / "golden.jsonl")), out)


def _of_documents(docs: Path, out: Path, config: Config | None, fresh: bool, progress: Progress) -> Explored:
    from kgsynth.generation.corpus import open_run, prepare, write_documents
    from kgsynth.generation.graph import connect

    with open_run(docs, out, config or Config(), fresh, progress) as (run, documents):
        write_documents(documents, run)
        knowledge, _ = connect(prepare(documents, run), run)
        return replace(_write(knowledge.graph, documents, out), skipped=run.skipped)


def _write(graph: nx.MultiDiGraph, documents: Sequence[Document], out: Path) -> Explored:
    from kgsynth.generation.graph.build import rows_left_out
    from kgsynth.generation.graph.health import health, in_words
    from kgsynth.generation.graph.storage import graphml

    out.mkdir(parents=True, exist_ok=True)
    (out / GRAPHML).write_bytes(graphml(graph))
    noticed = ((document.id, remark) for document in documents for remark in document.remarks)
    remarks = tuple(f"{path}: {remark}" for path, remark in (*noticed, *rows_left_out(documents)))
    return Explored(out, graph.number_of_nodes(), graph.number_of_edges(), tuple(in_words(health(graph))), remarks)
