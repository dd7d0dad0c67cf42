"""The stages of ``generate``, each a few lines over the module that does its work.

What is on file from a run broken off is not done again, and what is new goes on file. Left out: their order.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from kgsynth.base.config import Config
from kgsynth.base.errors import BudgetError, InputError
from kgsynth.base.processes import in_processes
from kgsynth.base.progress import Progress, Stage, ticking
from kgsynth.base.records import Analysis, Chunk, Document, Item, Rejection, Scenario, Skipped
from kgsynth.base.records_json import from_json, to_json
from kgsynth.base.run_folder import RunFolder, resume_array, resume_records
from kgsynth.golden.dataset import Dataset

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from kgsynth.evidence.bench import Bench
    from kgsynth.evidence.knowledge import Knowledge
    from kgsynth.generation.llm_wording import Pick
    from kgsynth.generation.selection import Shortage
    from kgsynth.generation.writing import Candidate
    from kgsynth.models.encoder import Encoder
    from kgsynth.models.llm import LLM, LLMSettings, ServedLLM

    Encode = Callable[[Sequence[str]], NDArray[np.float32]]

_WORTH_A_PROCESS = 8  # documents; a worker takes as long to load its model as to parse so many


@dataclass(frozen=True, slots=True)
class Run:
    """What every stage is handed: the settings, the run folder, the embedding model, and whom to tell of progress.

    ``skipped`` are the files that were not read, ``earlier`` the questions that are not to be asked again.
    """

    config: Config
    workspace: RunFolder
    encoder: Encoder
    progress: Progress
    skipped: tuple[Skipped, ...] = ()
    earlier: tuple[str, ...] = ()

    @contextmanager
    def stage(self, name: str, total: int | None = None) -> Iterator[Stage]:
        """Tell of the progress of a stage, and add its seconds to the timings of the run."""
        with self.progress(name, total) as stage, self.workspace.timed(name):
            yield stage


def read(folder: Path, out: Path, config: Config, progress: Progress) -> tuple[list[Document], list[Skipped]]:
    """Read every document below ``folder`` that a language can read; the others are returned with the reason.

    A run folder that lies inside the folder of documents is passed over.
    """
    from kgsynth.documents import read_folder

    here, there = folder.resolve(), out.resolve()
    own = there.relative_to(here).as_posix() if there != here and there.is_relative_to(here) else None
    documents, skipped = [], []
    with progress("reading", None) as stage:
        for found in read_folder(folder, processes=config.workers()):
            stage.update()
            found = found if isinstance(found, Skipped) else _in_language(found, config.language)
            if own is not None and _path(found).startswith(f"{own}/"):
                continue
            if isinstance(found, Skipped):
                skipped.append(found)
            else:
                documents.append(found)
    if not documents:
        raise InputError(f"{folder} holds no document that can be used{_why(skipped)}")
    return documents, skipped


def load(config: Config, progress: Progress) -> Encoder:
    """Load the embedding model."""
    from kgsynth.models.encoder import load_encoder

    with progress("loading the model", None) as stage:
        encoder = load_encoder(config.embedding_model)
        stage.update()
    return encoder


def asked(run: Run, reaching: LLMSettings | None) -> ServedLLM | None:
    """Return the language model of the run, its replies on file in the run folder; None when none is wanted."""
    if run.config.llm is None:
        return None
    from kgsynth.models.llm import ServedLLM

    return ServedLLM(
        run.config.llm, reaching, cache=run.workspace.file("llm.sqlite", "llm.sqlite-wal", "llm.sqlite-shm")
    )


def split(documents: Sequence[Document], run: Run) -> list[Chunk]:
    """Cut the documents into chunks, or take the user's own."""
    from kgsynth.documents.chunking import chunk, load_chunks

    config = run.config
    with run.stage("chunking", len(documents)) as stage:
        _keep(run, "documents", documents)
        if run.workspace.done("chunks.jsonl"):
            stage.update(len(documents))
            return list(run.workspace.read("chunks", from_json(Chunk)))
        if config.chunks is not None:
            chunks = list(load_chunks(config.chunks, ticking(documents, stage)))
        else:
            cut = partial(
                chunk,
                strategy=config.chunking,
                size=config.chunk_size,
                overlap=config.chunk_overlap,
                encode=run.encoder.encode,
            )
            chunks = [piece for document in ticking(documents, stage) for piece in cut(document)]
        _keep(run, "chunks", chunks)
    return chunks


def analyse(documents: Sequence[Document], run: Run) -> list[Analysis]:
    """Read sentences, mentions and facts, one result per document."""
    config = run.config
    work = partial(analyse_one, model=config.spacy_model)
    processes = config.workers(len(documents) // _WORTH_A_PROCESS)
    with run.stage("parsing", len(documents)) as stage:
        results = resume_records(
            run.workspace,
            "analysis",
            documents,
            key=lambda document: document.id,
            make=lambda missing: in_processes(work, missing, processes),
            encode=to_json,
            decode=from_json(Analysis),
            on_progress=stage.update,
        )
        return list(results)


def analyse_one(document: Document, model: str) -> Analysis:
    """Read the sentences, mentions and facts of one document, in whatever process."""
    from kgsynth.language import language

    return language(document.language).analyse(document, model)


def embed(chunks: Sequence[Chunk], run: Run) -> NDArray[np.float32]:
    """Return the embedding of each chunk, one row each."""
    with run.stage("embedding", len(chunks)) as stage:
        texts = [chunk.text for chunk in chunks]
        return resume_array(run.workspace, "embeddings", texts, make=run.encoder.encode, on_progress=stage.update)


def connect(
    documents: Sequence[Document],
    chunks: Sequence[Chunk],
    analyses: Sequence[Analysis],
    vectors: NDArray[np.float32],
    run: Run,
    model: LLM | None = None,
) -> tuple[Knowledge, list[str]]:
    """Settle the entities, build and save the graph, and index it; with its health in words.

    A language model is asked only when the settings want its abstracts in the graph.
    """
    from kgsynth.evidence.knowledge import Knowledge
    from kgsynth.generation.graph.build import build
    from kgsynth.generation.graph.entities import settle
    from kgsynth.generation.graph.health import health, in_words
    from kgsynth.generation.graph.storage import save

    with run.stage("linking") as stage:
        entities = settle(analyses)
        graph = build(documents, chunks, analyses, entities, vectors)
        if model and run.config.llm_graph:
            from kgsynth.generation.graph.llm_summaries import abstract

            abstract(graph, documents, model)
        stage.update(graph.number_of_edges())
        if not run.workspace.done("graph.json"):
            with run.workspace.replacing("graph.json") as path:
                save(graph, path)
        return Knowledge(graph, documents, chunks, analyses, entities, vectors), in_words(health(graph))


def walk(knowledge: Knowledge, run: Run) -> list[Scenario]:
    """Walk the graph for scenarios, and draw as many as the size of the set calls for."""
    from kgsynth.generation.evolutions import evolve

    config = run.config
    with run.stage("walking") as stage:
        limit, rng = 1500 + 15 * config.n, random.Random(config.seed)
        return list(ticking(evolve(knowledge, types=config.mix, limit=limit, rng=rng), stage))


def write(scenarios: Sequence[Scenario], knowledge: Knowledge, run: Run) -> list[Candidate]:
    """Write the candidates of every scenario, and keep them on file."""
    from kgsynth.generation.writing import compose
    from kgsynth.golden.dataset import write as save

    with run.stage("writing", len(scenarios)) as stage:
        candidates = list(compose(ticking(scenarios, stage), knowledge))
        if not run.workspace.done("candidates.jsonl"):
            with run.workspace.replacing("candidates.jsonl") as path:
                save((candidate.item for candidate in candidates), path)
    return candidates


def embed_questions(candidates: Sequence[Candidate], knowledge: Knowledge, run: Run) -> Encode:
    """Embed all questions and what their evidence says, on file too, and return the function that looks vectors up."""
    from kgsynth.generation.filters.answered import stated

    evidence = {stated(candidate.item, knowledge) for candidate in candidates if candidate.item.answerable}
    questions = sorted({candidate.item.question for candidate in candidates} | evidence)
    with run.stage("embedding questions", len(questions)) as stage:
        rows = resume_array(run.workspace, "questions", questions, make=run.encoder.encode, on_progress=stage.update)
    places = {question: place for place, question in enumerate(questions)}

    def encode(texts: Sequence[str]) -> NDArray[np.float32]:
        if places.keys() >= set(texts):
            return rows[[places[text] for text in texts]]
        return run.encoder.encode(texts)

    return encode


def judge(candidates: Sequence[Candidate], bench: Bench, run: Run) -> tuple[list[Item], list[tuple[Item, Rejection]]]:
    """Ask every rule of every candidate: the valid ones, and the others with the rule that turned them away."""
    from kgsynth.generation.filters import screen

    valid, rejected = [], []
    with run.stage("filtering", len(candidates)) as stage:
        for item, rejection in ticking(screen(candidates, bench), stage):
            if rejection is None:
                valid.append(item)
            else:
                rejected.append((item, rejection))
    return sorted(valid, key=lambda item: item.id), rejected


def choose(valid: Sequence[Item], knowledge: Knowledge, encode: Encode, run: Run) -> tuple[list[Item], Shortage]:
    """Choose the set: quotas over the mix, spread over documents, diverse."""
    from kgsynth.generation.selection import select

    config, vectors = run.config, encode([item.question for item in valid])
    with run.stage("choosing", config.n) as stage:
        rng = random.Random(config.seed)
        chosen, shortage = select(valid, config.n, config.mix, vectors=vectors, documents=knowledge.documents, rng=rng)
        stage.update(len(chosen))
    return chosen, shortage


def word(
    valid: Sequence[Item], candidates: Sequence[Candidate], pick: Pick, model: LLM, bench: Bench, run: Run
) -> tuple[list[Item], Shortage, list[tuple[Item, Rejection]]]:
    """Choose the set and have a language model word it; with what was turned away on the way."""
    from kgsynth.generation.llm_wording import Editor
    from kgsynth.generation.writing import Candidate, written_id

    scenarios = {candidate.item.id: candidate.scenario for candidate in candidates}
    pool = {item.id: Candidate(item, scenarios[written_id(item)]) for item in valid}
    editor = Editor(model, bench, run.config)
    with run.stage("asking the model", run.config.n) as stage:
        try:
            golden, shortage = editor.edit(pool, pick, stage)
        except BudgetError as error:
            with run.workspace.replacing("partial.jsonl") as path:
                Dataset(editor.settled.values()).save(path)
            raise BudgetError(
                f"{error}; {len(editor.settled)} of {run.config.n} questions are done and stand in "
                f"{run.workspace.folder / 'partial.jsonl'}: allow more and run the same command again to go on"
            ) from None
    return golden, shortage, editor.rejected


# ---- helpers -----------------------------------------------------------------------------------------


def _in_language(document: Document, wanted: str) -> Document | Skipped:
    """Return the document in the language it is to be read in, or why it cannot be read."""
    from kgsynth.language import LANGUAGES

    if wanted != "auto":
        return replace(document, language=wanted)
    if document.language in LANGUAGES:
        return document
    known = ", ".join(repr(code) for code in sorted(LANGUAGES))
    return Skipped(document.id, f"its language is {document.language!r}, and kgsynth reads {known} only")


def _path(found: Document | Skipped) -> str:
    return found.path if isinstance(found, Skipped) else found.id


def _why(skipped: Sequence[Skipped]) -> str:
    """Say of the first files why they cannot be used, and what to give instead."""
    from kgsynth.documents import READERS

    told = "; ".join(f"{each.path}: {each.reason}" for each in skipped[:3])
    more = f"; and {len(skipped) - 3} more" if len(skipped) > 3 else ""
    return f"{f' ({told}{more})' if told else ': it is empty'}; give a folder with text in {' '.join(sorted(READERS))}"


def _keep(run: Run, name: str, records: Iterable[Document] | Iterable[Chunk]) -> None:
    """Write records to ``NAME.jsonl`` unless they are there."""
    if not run.workspace.done(f"{name}.jsonl"):
        with run.workspace.replacing(f"{name}.jsonl") as path, path.open("w", encoding="utf-8", newline="") as file:
            file.writelines(to_json(record) + "\n" for record in records)
