"""Read the documents of a folder, cut them into chunks, parse them and embed the chunks.

Files that an interrupted run has written are reused.
"""

from __future__ import annotations

import gc
import math
from collections import ChainMap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kgsynth.base.config import Config
from kgsynth.base.engines import in_engine
from kgsynth.base.errors import InputError
from kgsynth.base.json_reading import parse_json
from kgsynth.base.processes import rare_collection, release_memory
from kgsynth.base.progress import Progress, ticking
from kgsynth.base.records import Analysis, Chunk, Document, Skipped
from kgsynth.base.records_json import from_json, to_json
from kgsynth.base.run_folder import DRAWN, RunFolder, resume_array, resume_records
from kgsynth.base.run_folder.folder import pretty_json
from kgsynth.generation.run import SETTINGS_OF, Run

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from kgsynth.models.encoder import Encoder

_DOCUMENTS_PER_PROCESS = 8  # to load the parser takes a process as long as to parse this many
_DOCUMENTS_PER_TASK, _TEXTS_PER_TASK = 4, 128  # a task of a second or two: what is lost with a node is soon made again

_OF_DRAWN = ("chunks.jsonl", "embeddings.npy", "analysis.jsonl", "graph.json", "candidates.jsonl", "questions.npy")


@dataclass(frozen=True, slots=True)
class Corpus:
    """The documents with their chunks, one analysis per document, and one embedding per chunk."""

    documents: Sequence[Document]
    chunks: Sequence[Chunk]
    analyses: Sequence[Analysis]
    vectors: NDArray[np.float32]


@contextmanager
def open_run(
    docs: Path,
    out: Path,
    config: Config,
    fresh: bool,
    progress: Progress,
    *,
    renew: bool = False,
    work_in: Path | None = None,
) -> Iterator[tuple[Run, Sequence[Document]]]:
    """Read the documents, open the run folder for them, and load the embedding model.

    Files that have not changed since the run in the folder read them are not read again. With ``renew``, a run whose
    documents changed goes on from its set. With ``work_in``, that folder is opened instead. Inside, objects in cycles
    are searched for rarely.
    """
    from kgsynth.documents.run_documents import documents_of_run
    from kgsynth.generation.renewal.beginning import Beginning, read_earlier
    from kgsynth.golden.dataset import load
    from kgsynth.golden.subtypes import chosen_kinds
    from kgsynth.models.encoder import choose_model, load_encoder

    chosen_kinds(config.kinds)
    avoided = tuple(item.full_question for path in config.avoid for item in load(path))
    known = {} if fresh else documents_of_run(out, config.language)
    documents, skipped = _read(docs, out, config, progress, known)
    languages = {document.language for document in documents}
    config = replace(config, embedding_model=choose_model(config.embedding_model, languages))
    inputs = {document.id: document.sha256 for document in documents}
    beginning = Beginning()
    opened = RunFolder.open(
        work_in or out,
        config=config.identity(),
        inputs=inputs,
        fresh=fresh,
        settings_of=SETTINGS_OF,
        continue_with=beginning.go_on if renew else None,
    )
    with rare_collection(), opened as run_folder:
        with progress("loading the model", None) as stage:
            encoder = load_encoder(config.embedding_model)
            stage.update()
        goes_on_from = read_earlier(run_folder, inputs)
        run = Run(config, run_folder, encoder, progress, tuple(skipped), avoided, docs, goes_on_from)
        known_vectors = {encoder.prefixes.passage + text: row for text, row in beginning.vectors.items()}
        yield replace(run, known=known_vectors, known_chunks=beginning.chunks), documents


def prepare(documents: Sequence[Document], run: Run, scale: float = 0.0) -> Corpus:
    """Cut the documents into chunks, parse them, and embed the chunks.

    ``scale`` is that of the draw if they are not all documents of the folder (see ``survey``). Then rules need only the
    vectors of the chunks that questions are compared with: ``filters.context.embed`` fills them in, and all are 0 here.
    """
    gc.collect()  # the graph of an earlier draw has cycles
    release_memory()
    _keep_what_fits(documents, run, scale)
    chunks = _chunk(documents, run)
    analyses = parse(documents, run)
    is_late = scale > 0 and run.config.llm is None and not run.config.topic
    import numpy as np

    vectors = np.zeros((len(chunks), run.encoder.dimension), np.float32) if is_late else _embed(chunks, run)
    return Corpus(documents, chunks, analyses, vectors)


# ---- reading ---------------------------------------------------------------------------------------


def _read(
    folder: Path, out: Path, config: Config, progress: Progress, known: Mapping[str, Document]
) -> tuple[list[Document], list[Skipped]]:
    """Read every document below ``folder`` that can be asked about; return the other files with the reason.

    Skip the run folder ``out`` if it is inside ``folder``.
    """
    from kgsynth.documents import read_folder

    here, there = folder.resolve(), out.resolve()
    own = there.relative_to(here).as_posix() if there != here and there.is_relative_to(here) else None
    documents, skipped = [], []
    with progress("reading", None) as stage:
        for found in read_folder(
            folder,
            include=config.include,
            exclude=config.exclude,
            processes=config.workers(),
            engine=config.engine,
            known=known,
        ):
            stage.update()
            path = found.path if isinstance(found, Skipped) else found.id
            if own is not None and path.startswith(f"{own}/"):
                continue
            found = found if isinstance(found, Skipped) else _in_language(found, config)
            if isinstance(found, Skipped):
                skipped.append(found)
            else:
                documents.append(found)
    if not documents:
        raise InputError(f"{folder} contains no usable document{_reasons(skipped)}")
    return documents, skipped


def _in_language(document: Document, config: Config) -> Document | Skipped:
    """Return the document with its language, or why it is skipped: only a model asks in a language without rules."""
    from kgsynth.language import LANGUAGES

    if config.language != "auto":
        return replace(document, language=config.language)
    if document.language in LANGUAGES or config.llm is not None:
        return document
    known = ", ".join(repr(code) for code in sorted(LANGUAGES))
    reason = f"its language is {document.language!r}, and kgsynth reads {known} only"
    return Skipped(document.id, f"{reason}; with --llm it asks about any language")


def _reasons(skipped: Sequence[Skipped]) -> str:
    """Return why the first files were skipped, and the supported formats."""
    first = "; ".join(f"{each.path}: {each.reason}" for each in skipped[:3])
    more = f"; and {len(skipped) - 3} more" if len(skipped) > 3 else ""
    why = f" ({first}{more})" if first else ": it is empty"
    return f"{why}; give a folder of documents, such as .md, .html, .docx or .pdf files"


def write_documents(documents: Sequence[Document], run: Run) -> None:
    """Write what was read to documents.jsonl."""
    _write_once(run, "documents", documents)


def _keep_what_fits(documents: Sequence[Document], run: Run, scale: float) -> None:
    """Remove the files that were made of other documents of the folder than these; analyses and embeddings stay.

    drawn.json says which documents they were made of; without it they were made of all.
    """
    folder, before = run.run_folder, _drawn_before(run.run_folder)
    drawn = {"documents": [each.id for each in documents], "scale": scale, "settings": _settings(run)} if scale else {}
    if before.get("documents") != drawn.get("documents"):
        if folder.done("chunks.jsonl") and folder.done("embeddings.npy"):
            prefix = run.encoder.prefixes.passage
            texts = [prefix + chunk.searched for chunk in folder.read("chunks", from_json(Chunk))]
            run.known.update(zip(texts, folder.load_array("embeddings"), strict=True))
        if folder.done("analysis.jsonl"):
            journal = folder.journal("analysis")
            for analysis in folder.read("analysis", from_json(Analysis)):
                journal.append(analysis.doc, to_json(analysis))
        folder.forget([*_OF_DRAWN, *(path.name for path in folder.folder.glob("embeddings.part-*"))])
    if not drawn:
        folder.forget([DRAWN])
    elif drawn != before:
        with folder.replacing(DRAWN) as path:
            path.write_text(pretty_json(drawn), encoding="utf-8")


def scale_before(run: Run) -> float:
    """Return the scale of the last draw of a run with the same settings, infinity if there was none."""
    drawn = _drawn_before(run.run_folder)
    return float(drawn["scale"]) if drawn.get("settings") == _settings(run) else math.inf


def _drawn_before(folder: RunFolder) -> dict[str, Any]:
    """Return what drawn.json has, {} if the files of the run are of all documents."""
    found: dict[str, Any] = parse_json((folder.folder / DRAWN).read_bytes()) if folder.done(DRAWN) else {}
    return found


def _settings(run: Run) -> Any:
    """Return the settings as they are read from a file again."""
    return parse_json(pretty_json(run.config.identity()))


# ---- chunking, parsing, embedding ------------------------------------------------------------------


def _chunk(documents: Sequence[Document], run: Run) -> list[Chunk]:
    """Cut the documents into chunks."""
    from kgsynth.documents.chunking import chunk

    config = run.config
    with run.stage("chunking", len(documents)) as stage:
        if run.run_folder.done("chunks.jsonl"):
            stage.update(len(documents))
            return list(run.run_folder.read("chunks", from_json(Chunk)))
        cut = partial(
            chunk,
            strategy=config.chunking,
            size=config.chunk_size,
            overlap=config.chunk_overlap,
            encode=run.encoder.encode,
        )
        known = run.known_chunks
        chunks = [piece for each in ticking(documents, stage) for piece in known.get(each.id) or cut(each)]
        _write_once(run, "chunks", chunks)
    return chunks


def parse(documents: Sequence[Document], run: Run) -> list[Analysis]:
    """Parse sentences, mentions and facts; return one analysis per document."""
    with run.stage("parsing", len(documents)) as stage:
        results = resume_records(
            run.run_folder,
            "analysis",
            documents,
            key=lambda document: document.id,
            make=partial(parse_each, config=run.config),
            encode=to_json,
            decode=from_json(Analysis),
            on_progress=stage.update,
        )
        return list(results)


def parse_each(documents: Iterable[Document], config: Config) -> Iterator[Analysis]:
    """Yield the analysis of each document, read in as many processes as are worth starting, or on a cluster."""
    wanted = list(documents)  # after a few pages changed, most documents are parsed already
    work = partial(parse_document, model=config.spacy_model)
    workers = config.workers(len(wanted) // _DOCUMENTS_PER_PROCESS)
    return in_engine(config.engine, work, wanted, workers, shard=_DOCUMENTS_PER_TASK)


def parse_document(document: Document, model: str) -> Analysis:
    """Parse the sentences, mentions and facts of one document; called in other processes.

    A language without a package has no parser: nothing is read in such a document but its layout and its words.
    """
    from kgsynth.language import LANGUAGES, language

    if document.language not in LANGUAGES:
        return Analysis(document.id, (), (), (), language=document.language)
    return language(document.language).analyse(document, model)


def _embed(chunks: Sequence[Chunk], run: Run) -> NDArray[np.float32]:
    with run.stage("embedding", len(chunks)) as stage:
        texts = [run.encoder.prefixes.passage + chunk.searched for chunk in chunks]
        return resume_array(
            run.run_folder, "embeddings", texts, make=partial(encode, run=run), on_progress=stage.update
        )


def encode(texts: Sequence[str], run: Run) -> NDArray[np.float32]:
    """Return the embeddings of texts with their prefixes, on a cluster if there is one; known ones are used."""
    import numpy as np

    new = [text for text in dict.fromkeys(texts) if text not in run.known]
    if run.config.engine != "processes" and new:
        shards = [new[at : at + _TEXTS_PER_TASK] for at in range(0, len(new), _TEXTS_PER_TASK)]
        work = partial(_encode_shard, run.config.embedding_model)
        rows = np.concatenate(list(in_engine(run.config.engine, work, shards, 1)))
    else:
        rows = run.encoder.encode_prefixed(new) if new else np.zeros((0, 0), np.float32)
    found = ChainMap(dict(zip(new, rows, strict=True)), run.known)
    return np.stack([found[text] for text in texts])


def _encode_shard(model: str, texts: Sequence[str]) -> NDArray[np.float32]:
    """Return the embeddings of texts with their prefixes; called on the nodes of a cluster."""
    return _encoder(model).encode_prefixed(texts)


@cache
def _encoder(model: str) -> Encoder:
    """Return the embedding model, loaded once in each worker."""
    from kgsynth.models.encoder import load_encoder

    return load_encoder(model)


def _write_once(run: Run, name: str, records: Iterable[Document] | Iterable[Chunk]) -> None:
    """Write records to ``NAME.jsonl`` unless the file is complete."""
    if not run.run_folder.done(f"{name}.jsonl"):
        with run.run_folder.replacing(f"{name}.jsonl") as path, path.open("w", encoding="utf-8", newline="") as file:
            file.writelines(to_json(record) + "\n" for record in records)
