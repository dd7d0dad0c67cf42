"""``kgsynth score``: the options, and what is printed; the work is in ``kgsynth.score``."""

from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path
from typing import Any

import click

from kgsynth.cli.judging import check, judging_options


@click.command()
@click.argument("golden", type=click.Path(path_type=Path))
@click.option(
    "--rag", "target", required=True, help="The system: bm25, dense, hybrid, FILE.py:FUNCTION or ANSWERS.jsonl."
)
@click.option("--docs", type=click.Path(path_type=Path), help="The folder of documents the set was made from.")
@click.option(
    "-o", "--out", type=click.Path(path_type=Path), help="Where answers and scores go; without it nothing is kept."
)
@click.option("--gate", "gates", multiple=True, metavar="GATE", help="Fail unless this holds, such as 'recall@5>=0.8'.")
@click.option(
    "-k", "cuts", multiple=True, type=click.IntRange(1), default=(1, 3, 5, 10), help="Cut-offs of the @k metrics."
)
@click.option(
    "--cover",
    default=0.5,
    type=click.FloatRange(0, 1, min_open=True),
    help="Share of an evidence span a passage must hold to cover it.",
)
@click.option("--chunking", default="recursive:200:0", help="Bundled systems: STRATEGY:SIZE:OVERLAP, in words.")
@click.option("--top", default=10, type=click.IntRange(1), help="Bundled systems: how many passages to retrieve.")
@click.option("--embedding-model", default="all-MiniLM-L6-v2", help="The model of dense, hybrid and --semantic.")
@click.option("--semantic", is_flag=True, help="Measure answers with the embedding model too (similarity, BERTScore).")
@judging_options
@click.option("--json", "as_json", is_flag=True, help="Print scores.json instead of the tables.")
def command(
    golden: Path,
    target: str,
    docs: Path | None,
    out: Path | None,
    gates: tuple[str, ...],
    cuts: tuple[int, ...],
    cover: float,
    chunking: str,
    top: int,
    embedding_model: str,
    semantic: bool,
    as_json: bool,
    junit: Path | None,
    **judging: Any,
) -> None:
    """Score a RAG system on GOLDEN.

    Relevance is whether a retrieved passage covers the evidence, so any chunking may be scored. Exit code 1 when a gate
    does not hold or a threshold is missed. With -o an interrupted run goes on where it stopped.

    \b
    kgsynth score golden.jsonl --rag bm25 --docs docs
    kgsynth score golden.jsonl --rag my_rag.py:ask --docs docs -o outputs/mine --gate 'recall@5>=0.8'
    """
    from kgsynth.cli.progress import stage
    from kgsynth.errors import GateError
    from kgsynth.junit import junit as to_junit
    from kgsynth.report_text import terminal
    from kgsynth.score import read_documents, score
    from kgsynth.systems import open_system

    check(gates, judging)  # a wrong gate is told before documents are read
    documents = read_documents(docs)
    opened = open_system(target, docs=documents, chunking=chunking, top=top, embedding_model=embedding_model)
    with closing(opened) as system:
        scores = score(
            golden,
            system,
            docs=documents,
            out=out,
            k=cuts,
            cover=cover,
            gates=gates,
            semantic=embedding_model if semantic else None,
            progress=stage,
            **judging,
        )
    click.echo(json.dumps(scores.to_json(), ensure_ascii=False, indent=1) if as_json else terminal(scores))
    if out and not as_json:
        click.echo(f"\nwritten: {out}/scores.md, scores.json, items.jsonl, answers.jsonl")
    if junit:
        junit.parent.mkdir(parents=True, exist_ok=True)
        junit.write_text(to_junit(scores), encoding="utf-8")
    if scores.failures:
        asked = len(scores.gates) + len(scores.thresholds)
        raise GateError(f"{len(scores.failures)} of {asked} gates failed: {', '.join(scores.failures)}")
