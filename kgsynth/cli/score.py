"""``kgsynth score``: the options, and what is printed; the work is in ``kgsynth.score``."""

from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path
from typing import Any

import click

from kgsynth.cli.history import enter, history_options
from kgsynth.cli.judge_options import judge_options, read_judge, sharing
from kgsynth.cli.model_options import MODEL, model_options, settings, spent
from kgsynth.cli.scoring_options import check, judge, judging_options
from kgsynth.cli.system_options import CALLING, calling_options


@click.command()
@click.argument("golden", type=click.Path(path_type=Path))
@calling_options
@model_options
@click.option("--docs", type=click.Path(path_type=Path), help="The folder of documents the set was made from.")
@click.option(
    "-o", "--out", type=click.Path(path_type=Path), help="Where answers and scores go; without it nothing is kept."
)
@click.option("--retry-errors", is_flag=True, help="With -o: ask the questions that failed last time again.")
@click.option("--gate", "gates", multiple=True, metavar="GATE", help="Fail unless this holds, such as 'recall@5>=0.8'.")
@judging_options
@history_options
@click.option(
    "-k", "cuts", multiple=True, type=click.IntRange(1), help="Cut-offs of the @k metrics; 1 3 5 10 when none is given."
)
@click.option(
    "--cover",
    default=0.5,
    type=click.FloatRange(0, 1, min_open=True),
    help="Share of an evidence span a passage must hold to cover it.",
)
@click.option("--semantic", is_flag=True, help="Measure answers with the embedding model too (similarity, BERTScore).")
@judge_options
@click.option("--json", "as_json", is_flag=True, help="Print scores.json instead of the tables.")
def command(
    golden: Path,
    docs: Path | None,
    out: Path | None,
    retry_errors: bool,
    gates: tuple[str, ...],
    limit: str | None,
    cuts: tuple[int, ...],
    cover: float,
    semantic: bool,
    as_json: bool,
    junit: Path | None,
    **others: Any,
) -> None:
    """Score a RAG system on GOLDEN.

    Relevance is whether a retrieved passage covers the evidence, so any chunking may be scored. A question the system
    fails on counts 0 and the run goes on. Exit code 1 when a gate does not hold or a threshold is missed, 4 when more
    questions fail than --fail-on-error allows, or all, 130 when a cap stops a language model. With -o an interrupted
    run goes on where it stopped.

    \b
    kgsynth score golden.jsonl --rag bm25 --docs docs
    kgsynth score golden.jsonl --rag my_rag.py:ask --docs docs -o outputs/mine --gate 'recall@5>=0.8'
    kgsynth score golden.jsonl --rag sequential:gpt-4o-mini --docs docs -o outputs/model --max-calls 500
    kgsynth score golden.jsonl --rag http://localhost:8000/ask --docs docs --fail-on-error 5%
    """
    from kgsynth.cli.progress import stage
    from kgsynth.documents import read_documents
    from kgsynth.scoring.flow import score
    from kgsynth.scoring.junit import junit as to_junit
    from kgsynth.scoring.systems import model_of, open_system
    from kgsynth.scoring.text import terminal

    history = others.pop("history"), others.pop("no_history")
    calling = {name: others.pop(name) for name in CALLING}  # the others say which questions, and against what
    model = model_of(calling["target"]) or others["judge_model"]
    calling["settings"] = settings(model, **{name: others.pop(name) for name in MODEL})
    judging = read_judge(others, calling["settings"], calling["embedding_model"])
    by_meaning = check(gates, limit, others)  # what is wrong is told before documents are read
    if retry_errors and not out:
        raise click.UsageError("--retry-errors needs the folder of the run: give it with -o")
    documents = read_documents(docs)
    with closing(open_system(docs=documents, **calling)) as system:
        scores = score(
            golden,
            system,
            docs=documents,
            out=out,
            k=cuts or None,
            cover=cover,
            gates=gates,
            retry_errors=retry_errors,
            semantic=calling["embedding_model"] if semantic or by_meaning else None,
            judge=sharing(judging, system),
            progress=stage,
            **others,
        )
    if hasattr(system, "spending"):
        click.echo(spent(system.spending.to_json()), err=True)
    click.echo(json.dumps(scores.to_json(), ensure_ascii=False, indent=1) if as_json else terminal(scores))
    if out and not as_json:
        click.echo(f"\nwritten: {out}/scores.md, scores.json, items.jsonl, answers.jsonl")
        if scores.n_errors:
            click.echo(f"the {scores.n_errors} that failed are not asked again unless you add --retry-errors")
        click.echo(f"report: {out / 'report.html'}")
    enter(out, *history)
    if junit:
        junit.parent.mkdir(parents=True, exist_ok=True)
        junit.write_text(to_junit(scores), encoding="utf-8")
    judge(scores, limit)
