"""Documents to golden set: the stages in order. Read ``make`` and you know the system.

Left out: the work itself, and all printing; each stage is a few lines in ``stages`` over the module that does its work.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from kgsynth.base.config import Config
from kgsynth.base.progress import Progress, silent
from kgsynth.base.records import Document
from kgsynth.base.run_folder import RunFolder
from kgsynth.generation import stages
from kgsynth.generation.result import Generated, count
from kgsynth.generation.stages import Run
from kgsynth.golden.dataset import Dataset

if TYPE_CHECKING:
    from kgsynth.models.llm import LLM, LLMSettings


def generate(
    docs: Path | str,
    out: Path | str,
    *,
    config: Config | None = None,
    reaching: LLMSettings | None = None,
    fresh: bool = False,
    progress: Progress = silent,
) -> Generated:
    """Write a golden set for the documents below ``docs`` into the run folder ``out``; a broken-off run goes on.

    With ``config.llm`` a language model words the questions; ``reaching`` says how it is reached and what it may cost.

    Raises:
        InputError: the folder holds no usable document, or ``out`` is another run's.
        ConfigError: for wrong settings.
        SystemUnreachableError: a model cannot be loaded or reached.
        BudgetError: what the language model may cost was spent; the next run goes on.

    Example:
        >>> result = generate("corpora/handbook", "outputs/demo", config=Config(n=60))  # doctest: +SKIP
    """
    config = config or Config()
    with begun(Path(docs), Path(out), config, fresh, progress) as (run, documents):
        model = stages.asked(run, reaching)
        try:
            return publish(make(documents, run, model), documents, run)
        finally:
            if model:
                model.close()


@contextmanager
def begun(
    docs: Path, out: Path, config: Config, fresh: bool, progress: Progress
) -> Iterator[tuple[Run, Sequence[Document]]]:
    """Read the documents, and open the run folder for them."""
    earlier = asked_before(config.avoid)
    documents, skipped = stages.read(docs, out, config, progress)
    inputs = {document.id: document.sha256 for document in documents}
    with RunFolder.open(out, config=config.identity(), inputs=inputs, fresh=fresh) as workspace:
        yield Run(config, workspace, stages.load(config, progress), progress, tuple(skipped), tuple(earlier)), documents


def make(documents: Sequence[Document], run: Run, model: LLM | None = None) -> Generated:
    """Make the golden set from documents as read: every stage in order."""
    from kgsynth.evidence.bench import Bench

    chunks = stages.split(documents, run)
    analyses = stages.analyse(documents, run)
    vectors = stages.embed(chunks, run)
    knowledge, health = stages.connect(documents, chunks, analyses, vectors, run, model)
    scenarios = stages.walk(knowledge, run)
    candidates = stages.write(scenarios, knowledge, run)
    encode = stages.embed_questions(candidates, knowledge, run)
    bench = partial(Bench, knowledge, encode, run.config.thresholds, avoid=run.earlier)
    valid, rejected = stages.judge(candidates, bench(), run)
    pick = partial(stages.choose, knowledge=knowledge, encode=encode, run=run)
    if model is None:
        golden, shortage = pick(valid)
    else:
        golden, shortage, refused = stages.word(valid, candidates, pick, model, bench(), run)
        rejected += refused
    return Generated(
        folder=run.workspace.folder,
        golden=Dataset(golden),
        shortage=shortage,
        funnel=count(scenarios, (candidate.item for candidate in candidates), valid, rejected),
        documents=len(documents),
        chunks=len(chunks),
        facts=sum(len(analysis.facts) for analysis in analyses),
        rejected=tuple(rejected),
        skipped=run.skipped,
        health=tuple(health),
        usage=model.spending.to_json() if model else {},
    )


def asked_before(avoid: Sequence[Path]) -> list[str]:
    """Read the questions of earlier golden sets, which are not to be asked again."""
    from kgsynth.golden.dataset import load as load_golden

    return [question for path in avoid for question in load_golden(path).questions]


def publish(result: Generated, documents: Sequence[Document], run: Run) -> Generated:
    """Write what was turned away, the manifest, the report and, last of all, golden.jsonl."""
    from kgsynth.generation.page import page
    from kgsynth.golden.dataset import write_rejected
    from kgsynth.models.local_models import spacy_version

    workspace = run.workspace
    if workspace.done("manifest.json") and workspace.done("golden.jsonl"):
        return result
    with workspace.replacing("rejected.jsonl") as path:
        write_rejected(sorted(result.rejected, key=lambda pair: pair[0].id), path)
    models = {"embedding": run.encoder.signature, "spacy": spacy_version(run.config.spacy_model)}
    told = {"config": run.config.resolved(), "models": models, **result.told()}
    workspace.write_manifest(**told)
    for name, content in page(result.golden, {document.id: document for document in documents}, told).files():
        with workspace.replacing(name) as path:
            path.write_bytes(content)
    with workspace.replacing("golden.jsonl") as path:
        result.golden.save(path)
    workspace.forget(["partial.jsonl"])
    return result
