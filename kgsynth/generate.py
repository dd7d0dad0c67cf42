"""Documents to golden set: the stages in order. Read ``generate`` and you know the system."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from kgsynth.config import Config
from kgsynth.errors import InputError
from kgsynth.records import Analysis, Chunk, Document, Item, Rejection, Scenario, Skipped
from kgsynth.records_json import from_json, to_json
from kgsynth.workspace import Workspace

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from kgsynth.dataset import Dataset
    from kgsynth.encoder import Encoder
    from kgsynth.knowledge import Knowledge
    from kgsynth.selection import Shortage
    from kgsynth.writing import Candidate


class Stage(Protocol):
    """How far a stage has come."""

    def update(self, n: int = 1) -> None:
        """Say that ``n`` more are done."""


Progress = Callable[[str, int | None], AbstractContextManager[Stage]]
"""Called with the name of a stage and how much it has to do; see ``kgsynth.cli.progress``."""


@dataclass(frozen=True, slots=True)
class Generated:
    """What a run made: the golden set, the funnel per type and rule, and what it had to leave."""

    folder: Path
    golden: Dataset
    documents: int
    skipped: tuple[Skipped, ...]
    scenarios: Mapping[str, int]
    candidates: Mapping[str, int]
    valid: Mapping[str, int]
    rejected: Mapping[str, int]
    shortage: Shortage
    health: tuple[str, ...]


def generate(
    docs: Path | str,
    out: Path | str,
    *,
    config: Config | None = None,
    fresh: bool = False,
    progress: Progress | None = None,
) -> Generated:
    """Write a golden set for the documents below ``docs`` into the run folder ``out``; a broken-off run goes on.

    Raises:
        InputError: the folder holds no usable document, or ``out`` is another run's.
        ConfigError: for wrong settings.
        SystemUnreachableError: a model cannot be loaded.

    Example:
        >>> result = generate("corpora/handbook", "outputs/demo", config=Config(n=60))  # doctest: +SKIP
    """
    config, progress = config or Config(), progress or _silent
    documents, skipped = read(Path(docs), config, progress)
    inputs = {document.id: document.sha256 for document in documents}
    with Workspace.open(Path(out), config=config.identity(), inputs=inputs, fresh=fresh) as run:
        encoder = load(config)
        chunks = split(documents, config, encoder, run)
        analyses = analyse(documents, config, run, progress)
        vectors = embed(chunks, encoder, run, progress)
        knowledge, health = connect(documents, chunks, analyses, vectors, run, progress)
        scenarios = walk(knowledge, config)
        candidates = write(scenarios, knowledge, run, progress)
        valid, rejected = judge(candidates, knowledge, encoder, config, run, progress)
        golden, shortage = choose(valid, knowledge, encoder, config)
        return publish(golden, shortage, run, config, encoder, skipped, scenarios, candidates, valid, rejected, health)


# ---- the stages, each over the module that does its work ---------------------------------------------


def read(folder: Path, config: Config, progress: Progress) -> tuple[list[Document], list[Skipped]]:
    """Read every document below ``folder`` that a language can read; the others are returned with the reason."""
    from kgsynth.corpus import read_folder
    from kgsynth.language import LANGUAGES

    documents, skipped = [], []
    with progress("reading", None) as stage:
        for found in read_folder(folder, processes=config.workers(64)):
            stage.update()
            if isinstance(found, Skipped):
                skipped.append(found)
            elif config.language == "auto" and found.language not in LANGUAGES:
                skipped.append(Skipped(found.id, f"is written in {found.language!r}, which no reader is there for yet"))
            else:
                documents.append(found)
    if not documents:
        why = f" ({skipped[0].path} {skipped[0].reason})" if skipped else ""
        raise InputError(f"{folder} holds no document that can be used{why}; give a folder of .md, .txt, .html or .rst")
    return documents, skipped


def load(config: Config) -> Encoder:
    """Load the embedding model."""
    from kgsynth.encoder import load_encoder

    return load_encoder(config.embedding_model)


def split(documents: Sequence[Document], config: Config, encoder: Encoder, run: Workspace) -> list[Chunk]:
    """Cut the documents into chunks, or take the user's own."""
    from kgsynth.corpus.chunking import chunk, load_chunks

    with run.timed("chunk"):
        if config.chunks is not None:
            chunks = list(load_chunks(config.chunks, documents))
        else:
            how = {"strategy": config.chunking, "size": config.chunk_size, "overlap": config.chunk_overlap}
            chunks = [c for document in documents for c in chunk(document, encode=encoder.encode, **how)]  # type: ignore[arg-type]
        _keep(run, "documents", documents)
        _keep(run, "chunks", chunks)
    return chunks


def analyse(documents: Sequence[Document], config: Config, run: Workspace, progress: Progress) -> list[Analysis]:
    """Read sentences, mentions and facts, one result per document."""
    from kgsynth.language import language

    def make(missing: Iterator[Document]) -> Iterator[Analysis]:
        reader = language("en" if config.language == "auto" else config.language)
        return reader.analyse_all(missing, model=config.spacy_model, processes=config.workers(len(documents)))

    with progress("parsing", len(documents)) as stage, run.timed("analyse"):
        return list(
            run.stream(
                "analysis",
                documents,
                key=lambda document: document.id,
                make=make,
                encode=to_json,
                decode=from_json(Analysis),
                tick=stage.update,
            )
        )


def embed(chunks: Sequence[Chunk], encoder: Encoder, run: Workspace, progress: Progress) -> NDArray[np.float32]:
    """Return the embedding of each chunk, one row each."""
    with progress("embedding", len(chunks)) as stage, run.timed("encode"):
        texts = [chunk.text for chunk in chunks]
        return run.array("embeddings", texts, make=encoder.encode, tick=stage.update)


def connect(
    documents: Sequence[Document],
    chunks: Sequence[Chunk],
    analyses: Sequence[Analysis],
    vectors: NDArray[np.float32],
    run: Workspace,
    progress: Progress,
) -> tuple[Knowledge, list[str]]:
    """Settle the entities, build and save the graph, and index it; with its health in words."""
    from kgsynth.graph.build import build
    from kgsynth.graph.entities import settle
    from kgsynth.graph.health import health, in_words
    from kgsynth.graph.storage import save
    from kgsynth.knowledge import Knowledge

    with progress("graph", None) as stage, run.timed("graph"):
        entities = settle(analyses)
        graph = build(documents, chunks, analyses, entities, vectors)
        stage.update(graph.number_of_edges())
        if not run.done("graph.json"):
            with run.replacing("graph.json") as path:
                save(graph, path)
        return Knowledge(graph, documents, chunks, analyses, entities, vectors), in_words(health(graph))


def walk(knowledge: Knowledge, config: Config) -> list[Scenario]:
    """Walk the graph for scenarios, and draw as many as the size of the set calls for."""
    from kgsynth.evolutions import evolve

    return list(evolve(knowledge, types=config.mix, limit=1500 + 15 * config.n, rng=random.Random(config.seed)))


def write(scenarios: Sequence[Scenario], knowledge: Knowledge, run: Workspace, progress: Progress) -> list[Candidate]:
    """Write the candidates of every scenario, and keep them on file."""
    from kgsynth.dataset import write as save
    from kgsynth.writing import compose

    with progress("writing", len(scenarios)) as stage, run.timed("write"):
        candidates = list(compose(_ticking(scenarios, stage), knowledge))
        with run.replacing("candidates.jsonl") as path:
            save((candidate.item for candidate in candidates), path)
    return candidates


def judge(
    candidates: Sequence[Candidate],
    knowledge: Knowledge,
    encoder: Encoder,
    config: Config,
    run: Workspace,
    progress: Progress,
) -> tuple[list[Item], list[tuple[Item, Rejection]]]:
    """Ask every rule of every candidate: the valid ones, and the others with the rule that turned them away."""
    from kgsynth.dataset import load as load_golden
    from kgsynth.dataset import write_rejected
    from kgsynth.filters import screen
    from kgsynth.filters.bench import Bench

    valid, rejected = [], []
    with progress("filtering", len(candidates)) as stage, run.timed("filter"):
        earlier = [question for path in config.avoid for question in load_golden(path).questions]
        bench = Bench(knowledge, encoder.encode, config.thresholds, avoid=earlier)
        for item, rejection in screen(candidates, bench):
            stage.update()
            if rejection is None:
                valid.append(item)
            else:
                rejected.append((item, rejection))
        with run.replacing("rejected.jsonl") as path:
            write_rejected(sorted(rejected, key=lambda pair: pair[0].id), path)
    return valid, rejected


def choose(
    valid: Sequence[Item], knowledge: Knowledge, encoder: Encoder, config: Config
) -> tuple[list[Item], Shortage]:
    """Choose the set: quotas over the mix, spread over documents, diverse."""
    from kgsynth.selection import select

    items = sorted(valid, key=lambda item: item.id)
    vectors = encoder.encode([item.question for item in items])
    return select(items, config.n, config.mix, vectors=vectors, documents=knowledge.documents)


def publish(
    golden: Sequence[Item],
    shortage: Shortage,
    run: Workspace,
    config: Config,
    encoder: Encoder,
    skipped: Sequence[Skipped],
    scenarios: Sequence[Scenario],
    candidates: Sequence[Candidate],
    valid: Sequence[Item],
    rejected: Sequence[tuple[Item, Rejection]],
    health: Sequence[str],
) -> Generated:
    """Write golden.jsonl and the manifest, last of all."""
    from kgsynth.dataset import Dataset
    from kgsynth.dataset import write as save
    from kgsynth.models import spacy_version

    result = Generated(
        folder=run.folder,
        golden=Dataset(golden),
        documents=len(run.inputs),
        skipped=tuple(skipped),
        scenarios=Counter(s.question_type for s in scenarios),
        candidates=Counter(c.item.question_type for c in candidates),
        valid=Counter(item.question_type for item in valid),
        rejected=Counter(rejection.rule for _, rejection in rejected),
        shortage=shortage,
        health=tuple(health),
    )
    with run.replacing("golden.jsonl") as path:
        save(golden, path)
    run.write_manifest(
        config=config.resolved(),
        models={"embedding": encoder.signature, "spacy": spacy_version(config.spacy_model)},
        skipped=[{"path": s.path, "reason": s.reason} for s in skipped],
        counts={
            "documents": result.documents,
            "scenarios": dict(sorted(result.scenarios.items())),
            "candidates": dict(sorted(result.candidates.items())),
            "valid": dict(sorted(result.valid.items())),
            "rejected": dict(sorted(result.rejected.items())),
            "golden": len(result.golden),
        },
        shortage=shortage.in_words() if hasattr(shortage, "in_words") else [],
        graph=list(health),
    )
    return result


def _keep(run: Workspace, name: str, records: Sequence[Document] | Sequence[Chunk]) -> None:
    """Write records to ``NAME.jsonl`` unless they are there."""
    if not run.done(f"{name}.jsonl"):
        with run.replacing(f"{name}.jsonl") as path, path.open("w", encoding="utf-8", newline="") as file:
            file.writelines(to_json(record) + "\n" for record in records)


def _ticking(scenarios: Sequence[Scenario], stage: Stage) -> Iterator[Scenario]:
    for scenario in scenarios:
        yield scenario
        stage.update()


class _Still:
    def update(self, n: int = 1) -> None:
        """Take no notice."""


@contextmanager
def _silent(name: str, total: int | None) -> Iterator[Stage]:
    yield _Still()
