"""``kgsynth score``: its options, and what it prints."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kgsynth.cli.command import Command
from kgsynth.cli.folder_options import chosen_documents, folder_options
from kgsynth.cli.history import history_options
from kgsynth.cli.llm_options import LLM_OPTIONS, llm_options, llm_settings, usage_summary
from kgsynth.cli.options import JSON_OPTION, MAP_OPTION, PATH, REPORT_FOLDER
from kgsynth.cli.output import advise, echo, note, result, stage, wrote
from kgsynth.cli.scoring_options import (
    SYSTEM_OPTIONS,
    baseline_check,
    check_criteria,
    complete_system,
    judge_options,
    raise_failure,
    read_judge,
    scoring_options,
    system_options,
    with_shared_budget,
)
from kgsynth.cli.settings import with_file

if TYPE_CHECKING:
    from kgsynth.scoring.metrics.scores import Scores


_GROUPS = {
    "Common options": "rag docs out gate json",
    "System": "rag_config tool argument retriever prompt chunking top embedding_model",
    "Questions": "include exclude map sample since only standalone repeats retry_errors fresh",
    "Matching": "cover",
    "Metrics": "profile metrics k semantic metric_function weights",
    "Judge": "judge judge_metrics judge_repeats judge_strict judge_checked labels",
    "Language model": "llm_config max_calls max_tokens max_cost",
    "Gates": "thresholds baseline baseline_metric fail_on_error",
    "Output": "junit otel history no_history",
}
"""The sections of the help."""


@click.command(cls=Command, groups=_GROUPS)
@click.argument("golden", type=PATH)
@system_options
@llm_options
@click.option("--docs", type=PATH, help="The folder of documents (default: those of the run).")
@folder_options
@MAP_OPTION
@click.option(
    "-o",
    "--out",
    type=REPORT_FOLDER,
    help="The folder for answers and scores; without it nothing is written.",
)
@click.option("--fresh", is_flag=True, help="Start over: use nothing that an earlier run wrote to the folder.")
@click.option(
    "--standalone",
    is_flag=True,
    help="Ask later questions of a conversation as they are understood without the earlier turns, and send no history.",
)
@click.option(
    "--repeats",
    default=1,
    type=click.IntRange(1),
    help="Ask every question this many times: pass@k, flaky questions, and the noise of the system.",
)
@click.option("--retry-errors", is_flag=True, help="With -o: ask again the questions that failed in the earlier run.")
@click.option(
    "--gate",
    "gates",
    multiple=True,
    metavar="GATE",
    help="Exit with code 1 unless this is true, such as 'pass_rate>=0.9', or 'TAG:pass_rate>=1' for questions with "
    "a tag (repeatable; those of kgsynth.toml count too).",
)
@scoring_options
@click.option(
    "--otel", metavar="FILE|URL", help="Write the results as OpenTelemetry events, or send them to a collector."
)
@history_options
@click.option(
    "-k",
    "cuts",
    multiple=True,
    type=click.IntRange(1),
    help="A cut-off of the @k metrics (repeatable; default: 1 3 5 10).",
)
@click.option(
    "--cover",
    default=0.5,
    type=click.FloatRange(0, 1, min_open=True),
    help="The share of an evidence span that a passage must contain to cover it.",
)
@click.option(
    "--semantic", is_flag=True, help="Compute metrics that need the embedding model too (similarity, BERTScore)."
)
@judge_options
@JSON_OPTION
def command(
    golden: Path,
    docs: Path | None,
    mapping: str | None,
    out: Path | None,
    retry_errors: bool,
    fresh: bool,
    gates: tuple[str, ...],
    limit: str | None,
    cuts: tuple[int, ...],
    cover: float,
    semantic: bool,
    as_json: bool,
    junit: Path | None,
    otel: str | None,
    **others: Any,
) -> None:
    """Score a RAG system on GOLDEN.

    GOLDEN is a golden.jsonl, a run folder, or a set of another tool: of Ragas, DeepEval, LlamaIndex, SQuAD or BEIR, or
    a table. Its evidence is then found in the documents; where it cannot be, only answers are scored.

    A retrieved passage is relevant if it covers evidence, so systems with any chunking can be scored. A question on
    which the system fails counts 0, and the run continues. The exit code is 1 if a gate or threshold failed, or if no
    question could be checked; wrong answers alone do not change it. It is 4 if the system failed on all questions, or
    on more than --fail-on-error allows, and 130 if a cap stopped a language model. With -o, the same command resumes an
    interrupted run.

    \b
    kgsynth score golden.jsonl --rag bm25 --docs docs
    kgsynth score golden.jsonl --rag my_rag.py:ask --docs docs -o outputs/mine --gate 'recall@5>=0.8'
    """
    from kgsynth.scoring.flow import score
    from kgsynth.scoring.inputs import open_golden
    from kgsynth.scoring.opentelemetry import logs_url
    from kgsynth.scoring.systems import model_of, open_system

    gates = with_file("gates", gates)
    index, no_history = others.pop("history"), others.pop("no_history")
    for option, wanted in {"--history": index, "--fresh": fresh, "--retry-errors": retry_errors}.items():
        if wanted and not out:
            raise click.UsageError(f"{option} needs the folder of the run; give it with -o")
    system_arguments = complete_system({name: others.pop(name) for name in SYSTEM_OPTIONS})
    model = model_of(system_arguments["target"]) or others["judge_model"]
    system_arguments["settings"] = llm_settings(model, **{name: others.pop(name) for name in LLM_OPTIONS})
    judge = read_judge(others, system_arguments["settings"])
    needs_embeddings = check_criteria(gates, limit, others)  # report errors before documents are read
    check = baseline_check(others, out, judge)
    logs_url(otel or "")  # a wrong URL is reported before any question is asked
    chosen = chosen_documents(docs, others.pop("include"), others.pop("exclude"))
    documents = open_golden(golden, chosen, mapping).documents
    with _recording_failure(golden, out, junit), closing(open_system(docs=documents, **system_arguments)) as system:
        scores = score(
            golden,
            system,
            docs=None if chosen is None else documents,  # it notes that none were given
            mapping=mapping,
            out=out,
            k=cuts or None,
            cover=cover,
            gates=gates,
            retry_errors=retry_errors,
            fresh=fresh,
            semantic=system_arguments["embedding_model"] if semantic or needs_embeddings else None,
            judge=with_shared_budget(judge, system),
            history=False if no_history else index,
            check=check,
            progress=stage,
            **others,
        )
    _report(scores, system, out, as_json, junit, otel)
    raise_failure(scores, limit)
    if scores.n_passed < scores.n_items and not (scores.gates or scores.thresholds):
        advise("no gate was set: exit 0; --gate 'pass_rate>=0.9' fails the command")


def _report(
    scores: Scores, system: object, out: Path | None, as_json: bool, junit: Path | None, otel: str | None
) -> None:
    from kgsynth.scoring.opentelemetry import emit
    from kgsynth.scoring.text import terminal

    if spending := getattr(system, "spending", None):
        note(f"language model: {usage_summary(spending.to_json())}")
    result(terminal(scores), scores.to_json(), as_json)
    if as_json and scores.reuse:
        echo(f"note: {scores.reuse}", err=True)
    if out:
        wrote(f"\nwritten: {out}/scores.md, scores.json, items.jsonl, answers.jsonl")
        if scores.n_errors:
            advise(f"{scores.n_errors} questions failed; add --retry-errors to ask them again")
        wrote(f"report: {out / 'report.html'}")
    else:
        advise("\n-o FOLDER writes all metrics, also by type and difficulty, and every question to report.html")
    if junit:
        _write_junit(junit, scores)
    if otel:
        wrote(emit(scores, otel))


@contextmanager
def _recording_failure(golden: Path, out: Path | None, junit: Path | None) -> Iterator[None]:
    """If the block fails, write that to the JUnit file and the folder, where an earlier run may have left results."""
    from kgsynth.base.errors import KgsynthError
    from kgsynth.scoring.output import recording_failure

    try:
        with recording_failure(out):
            yield
    except KgsynthError as error:
        if junit:
            _write_junit(junit, str(error), golden)
        raise


def _write_junit(path: Path, outcome: Scores | str, golden: Path | None = None) -> None:
    """Write scores, or the error for which there are none, as JUnit XML."""
    from kgsynth.scoring.junit import junit, junit_of_failure

    path.parent.mkdir(parents=True, exist_ok=True)
    text = junit_of_failure(str(golden), outcome) if isinstance(outcome, str) else junit(outcome)
    path.write_text(text, encoding="utf-8")
