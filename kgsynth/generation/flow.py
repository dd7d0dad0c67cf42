"""Generate a golden set from documents; ``make`` calls the stages in order.

Not seen there: documents are parsed by ``analyse`` of their language (``language/english/parsing.py``), and what their
layout says becomes facts in ``evidence.knowledge``; the estimate ``keep`` of a candidate comes from
``FilterContext.ranked``; ``selection.places.fill_places`` gives the chosen ones headings, origin and unique ids.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kgsynth.base.config import Config, checked_arguments
from kgsynth.base.progress import Progress, silent, ticking
from kgsynth.base.records import Document, Item, Rejection, Scenario, placed_id
from kgsynth.base.run_folder.manifest import named_from
from kgsynth.generation.corpus import open_run, prepare, scale_before, write_documents
from kgsynth.generation.result import Generated, count, power_of
from kgsynth.generation.run import Run
from kgsynth.golden.dataset import Dataset
from kgsynth.ranking.promise import promised
from kgsynth.show.start_page import linked, renew_start_pages

if TYPE_CHECKING:
    from kgsynth.evidence.knowledge import Knowledge
    from kgsynth.generation.filters.context import FilterContext
    from kgsynth.generation.renewal.standing import Standing
    from kgsynth.generation.survey import Draw, Index
    from kgsynth.generation.writing import Candidate
    from kgsynth.models.llm import LLM, LLMSettings, ServedLLM


@checked_arguments
def generate(
    docs: Path | str,
    out: Path | str,
    *,
    config: Config | None = None,
    llm_settings: LLMSettings | None = None,
    fresh: bool = False,
    progress: Progress = silent,
) -> Generated:
    """Write a golden set for the documents below ``docs`` into the run folder ``out``; an interrupted run resumes.

    With ``config.llm`` an LLM writes the questions; ``llm_settings`` says how it is reached and what it may cost.

    Raises:
        InputError: the folder contains no usable document, or ``out`` belongs to another run.
        ConfigError: for wrong settings.
        SystemUnreachableError: a model cannot be loaded or reached.
        BudgetError: the LLM budget is spent; the same call with a larger one resumes.

    Example:
        >>> result = generate("corpora/handbook", "outputs/demo", config=Config(n=60))  # doctest: +SKIP
    """
    config = config or Config()
    with open_run(Path(docs), Path(out), config, fresh, progress, renew=True) as (run, documents):
        model = _open_model(run, llm_settings)
        try:
            made = publish(make(documents, run, model), documents, run)
        finally:
            if model:
                model.close()
    renew_start_pages(made.folder)
    return replace(made, golden=Dataset(made.golden, made.folder / "golden.jsonl"))


def make(documents: Sequence[Document], run: Run, model: LLM | None = None) -> Generated:
    """Run every stage on drawn documents, and on more of them until the set is full; return it with what was rejected.

    A language model is asked about the first documents drawn: it has a question for nearly every passage.
    """
    from kgsynth.generation.survey import draws, index_of

    write_documents(documents, run)
    kept = run.earlier.cited if run.earlier else frozenset()
    index = index_of(documents, run)
    for drawn in draws(documents, run.config, kept, scale_before(run)):
        made = _make(documents, drawn, index, run, model)
        if model is not None or drawn.is_enough(made.shortage):
            break
    return made


def _make(documents: Sequence[Document], drawn: Draw, index: Index, run: Run, model: LLM | None) -> Generated:
    """Run every stage on the drawn documents."""
    from kgsynth.evidence.vectors import TextVectors
    from kgsynth.generation.filters.context import FilterContext
    from kgsynth.generation.graph import connect
    from kgsynth.generation.graph.build import rows_left_out
    from kgsynth.generation.renewal.summary import renewal
    from kgsynth.generation.scenarios import find_scenarios
    from kgsynth.generation.selection import fill_places
    from kgsynth.generation.survey import Survey

    corpus = prepare(drawn.documents, run, drawn.scale)
    knowledge, health = connect(corpus, run)
    survey = Survey(drawn, corpus, knowledge, run, index)
    standing = _stand(knowledge, run)
    scenarios = find_scenarios(knowledge, run)
    candidates, unwritten = _write(scenarios, knowledge, run)
    vectors = TextVectors(run.encoder.encode_prefixed, prefixes=run.encoder.prefixes)
    new_context = partial(FilterContext, knowledge, vectors, run.config.thresholds, run.avoided, run.config.ranker)
    context = new_context()
    valid, rejected = _filter(candidates, context, run)
    if model is None:
        new, shortage, contradicted = survey.choose(valid, context, standing.kept)
        rejected += contradicted
        funnel = count(scenarios, (candidate.item for candidate in candidates), valid, rejected, unwritten)
    else:
        from kgsynth.generation.asking.flow import ask  # loads the client of language models

        asked = ask(valid, new_context(), model, run, survey, standing.kept)
        new, shortage = asked.golden, asked.shortage
        funnel = count(asked.scenes, asked.written, asked.accepted, asked.rejected, {})
        rejected += asked.rejected
    golden = fill_places(standing.places, new, {document.id: document for document in documents})
    return Generated(
        folder=run.run_folder.folder,
        golden=golden,
        shortage=shortage,
        funnel=funnel,
        documents=len(documents),
        drawn=tuple(document.id for document in drawn.documents),
        chunks=len(corpus.chunks),
        facts=sum(len(analysis.facts) for analysis in corpus.analyses),
        rejected=tuple(rejected),
        skipped=run.skipped,
        remarks=(
            *((document.id, remark) for document in documents for remark in document.remarks),
            *rows_left_out(documents),
        ),
        changes=run.run_folder.changes,
        health=tuple(health),
        promise=promised(golden, context.rankers),
        power=_power(golden, valid, context, run, standing.kept) if model is None else power_of(golden),
        usage=model.spending.to_json() if model else {},
        renewal=renewal(standing, golden) if run.earlier else None,
    )


def publish(result: Generated, documents: Sequence[Document], run: Run) -> Generated:
    """Write rejected.jsonl, the manifest, the report and, last, golden.jsonl, unless all are there and unchanged.

    A finished set that a language model wrote stays: without the cached replies it might become another.
    """
    from kgsynth.generation.page import page
    from kgsynth.generation.renewal.summary import record
    from kgsynth.golden.dataset import write_rejected
    from kgsynth.models.local_models import spacy_version

    run_folder = run.run_folder
    whole = all(map(run_folder.intact, ("manifest.json", "report.html", "rejected.jsonl")))
    if run_folder.intact("golden.jsonl") and (whole or run.config.llm is not None):
        return result
    with run_folder.replacing("rejected.jsonl") as path:
        write_rejected(sorted(result.rejected, key=lambda pair: pair[0].id), path)
    if result.renewal:
        record(result.renewal.left, run_folder)
    models = {"embedding": run.encoder.signature, "spacy": spacy_version(run.config.spacy_model)}
    manifest = {"config": run.config.resolved(), "models": models, **result.to_manifest()}
    if run.docs:
        manifest["docs"] = named_from(run.docs, run_folder.folder)
    run_folder.write_manifest(**manifest)
    by_id = {document.id: document for document in documents}
    for name, content in page(result.golden, by_id, manifest, run.docs).files():
        with run_folder.replacing(name) as path:
            path.write_bytes(linked(name, content))
    with run_folder.replacing("golden.jsonl") as path:
        result.golden.save(path)
    run_folder.forget(["partial.jsonl"])
    return result


# ---- the stages between graph and selection --------------------------------------------------------


def _stand(knowledge: Knowledge, run: Run) -> Standing:
    """Return what becomes of the set that the run goes on from; nothing if it begins without one."""
    from kgsynth.generation.renewal.standing import Standing, stand

    if run.earlier is None:
        return Standing()
    with run.stage("checking the set", len(run.earlier.golden)) as stage:
        standing = stand(run.earlier, knowledge.statements)
        stage.update(len(standing.places))
    return standing


def _power(
    golden: Dataset, valid: Sequence[Item], context: FilterContext, run: Run, kept: Sequence[Item]
) -> dict[str, Any]:
    """Return what a set can show; of one that is too easy also what ``found`` of a ``harder`` one would be."""
    from kgsynth.generation.selection import choose

    power = power_of(golden)
    if power["too_easy"]:
        hard = choose(valid, context, replace(run.config, difficulty="hard"), kept)[0]
        power["harder"] = power_of([*kept, *hard])["found"]
    return power


def _open_model(run: Run, llm_settings: LLMSettings | None) -> ServedLLM | None:
    """Return the LLM of the run, which caches its replies in the run folder; None if the settings name none."""
    if run.config.llm is None:
        return None
    from kgsynth.models.llm import ServedLLM

    first, *others = run.config.writers
    cache = run.run_folder.file("llm.sqlite", "llm.sqlite-wal", "llm.sqlite-shm")
    return ServedLLM(first, llm_settings, cache, others=others)


def _write(
    scenarios: Sequence[Scenario], knowledge: Knowledge, run: Run
) -> tuple[list[Candidate], Counter[tuple[str, str]]]:
    """Write the candidates of every scenario, also to candidates.jsonl; count the scenarios without any by reason."""
    from kgsynth.generation.writing import compose
    from kgsynth.golden.dataset import write

    with run.stage("writing", len(scenarios)) as stage:
        unwritten: Counter[tuple[str, str]] = Counter()
        candidates = list(compose(ticking(scenarios, stage), knowledge, unwritten=unwritten))
        if not run.run_folder.done("candidates.jsonl"):
            with run.run_folder.replacing("candidates.jsonl") as path:
                write((candidate.item for candidate in candidates), path)
    return candidates, unwritten


def _filter(
    candidates: Sequence[Candidate], context: FilterContext, run: Run
) -> tuple[list[Item], list[tuple[Item, Rejection]]]:
    """Apply every rule to every candidate; return the valid items, and the others with their rejections."""
    from kgsynth.generation.filters import judge, sift
    from kgsynth.generation.filters.context import embed

    valid: list[Item] = []
    rejected: list[tuple[Item, Rejection]] = []
    left: list[tuple[Candidate, Item]] = []
    with run.stage("filtering", len(candidates)) as stage:
        rejected += sift(ticking(candidates, stage), context, left)
    embed([candidate.item for candidate, _ in left], context, run)
    with run.stage("ranking", len(left)) as stage:
        for item, rejection in ticking(judge(left, context), stage):
            if rejection is None:
                valid.append(item)
            else:
                rejected.append((item, rejection))
    return sorted(valid, key=placed_id), rejected
