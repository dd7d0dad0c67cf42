"""kgsynth generate: a folder of documents to a golden test set."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kgsynth.base.config import CHUNKING, LANGUAGES, Config
from kgsynth.cli.model_options import MODEL, model_options, settings, spent
from kgsynth.cli.options import Command, with_options
from kgsynth.cli.progress import stage

if TYPE_CHECKING:
    from kgsynth.generation.result import Generated

_SAMPLE = 5
_NAMED = 10


OPTIONS = (
    click.option("-n", "n", type=int, help="How many questions to choose (default 100)."),
    click.option(
        "--mix",
        help="Shares of the types, such as simple=0.5,reasoning=0.5 (default: simple 0.4, reasoning 0.2, "
        "multi_context 0.25, conditional 0.15).",
    ),
    click.option("--seed", type=int, help="Which of equally good choices is made (default 0)."),
    click.option(
        "--language", type=click.Choice(LANGUAGES), help="The language of the documents (default: found out)."
    ),
    click.option(
        "--chunking", type=click.Choice(CHUNKING), help="How documents are cut into chunks (default recursive)."
    ),
    click.option("--chunk-size", type=int, help="Words in a chunk (default 200)."),
    click.option("--chunk-overlap", type=int, help="Words that neighbouring chunks share (default 0)."),
    click.option("--chunks", type=click.Path(path_type=Path), help="A JSONL file of your own chunks, used instead."),
    click.option(
        "--avoid",
        multiple=True,
        type=click.Path(path_type=Path),
        help="A golden set whose questions are not to be asked again; may be given often.",
    ),
    click.option("--llm", metavar="MODEL", help="A language model that words and checks the questions (docs/llm.md)."),
    click.option("--styles", help="With --llm: shares of the styles, such as natural=0.8,keyword=0.2."),
    click.option("--lengths", help="With --llm: shares of the lengths, such as short=0.5,medium=0.5."),
    click.option("--personas", type=click.Path(path_type=Path), help="With --llm: a file with a persona a line."),
    click.option(
        "--style-examples",
        type=click.Path(path_type=Path),
        help="With --llm: a file of your users' questions, one a line.",
    ),
    click.option(
        "--evolved", type=float, help="With --llm: share of conditions and pairs made into cases and contrasts (0.3)."
    ),
    click.option(
        "--llm-graph",
        is_flag=True,
        default=None,
        help="With --llm: have it summarise every document too (a call each).",
    ),
    click.option(
        "--drop-closed-book", is_flag=True, default=None, help="With --llm: drop what it answers without the documents."
    ),
    click.option(
        "--config", "config_file", type=click.Path(path_type=Path), help="A kgsynth.toml with these settings."
    ),
    click.option("--spacy-model", help="Name or path of the spaCy model (default en_core_web_sm)."),
    click.option("--embedding-model", help="Name or path of the embedding model (default all-MiniLM-L6-v2)."),
    click.option("--processes", type=int, help="How many processes parse at most (default: one a core)."),
    click.option("-q", "--quiet", is_flag=True, help="Print the result only."),
)
"""The options that say what is generated, and how; ``estimate`` has them too."""


def generating_options(command: Command) -> Command:
    """Give a command these options, and those of a language model."""
    return with_options(model_options(command), OPTIONS)


@click.command()
@click.argument("docs", type=click.Path(path_type=Path))
@click.option("-o", "--out", required=True, type=click.Path(path_type=Path), help="The run folder, made if need be.")
@generating_options
@click.option("--fresh", is_flag=True, help="Start over: remove what kgsynth wrote to the run folder before.")
def command(
    docs: Path, out: Path, config_file: Path | None, avoid: tuple[Path, ...], fresh: bool, quiet: bool, **given: Any
) -> None:
    """Write a golden test set for the documents below DOCS.

    DOCS is a folder of .md, .txt, .html and .rst files. The set is golden.jsonl in the run folder; beside it stand the
    questions turned away, each with its reason, and manifest.json. A run that was broken off goes on when the same
    command is given again. When the documents do not hold as many good questions as asked for, the set is smaller,
    and the report says why.

    \b
    kgsynth generate docs -o outputs/demo
    kgsynth generate docs -o outputs/demo -n 60 --mix simple=0.5,multi_context=0.5
    """
    from kgsynth.generation.flow import generate

    reached = {name: given.pop(name) for name in MODEL}
    config = Config.load(config_file, avoid=avoid or None, **given)
    reaching = settings(config.llm, **reached)
    result = generate(docs, out, config=config, reaching=reaching, fresh=fresh, progress=partial(stage, quiet=quiet))
    click.echo("\n".join(_told(result)))


def _told(result: Generated) -> list[str]:
    """Return the report: the funnel, what fell to which rule, five questions, what is missing, what was not read."""
    parts = (_table(result), _turned_away(result), _sample(result), _shortage(result), _skipped(result), _usage(result))
    made = f"wrote {_many(len(result.golden), 'question')} from {_many(result.documents, 'document')}"
    ends = [f"{made} to {result.folder / 'golden.jsonl'}", f"report: {result.folder / 'report.html'}"]
    return [line for part in parts if part for line in (*part, "")] + ends


def _table(result: Generated) -> list[str]:
    """Tell by type how many scenarios, candidates and valid questions there were, and how many were chosen."""
    lines = [f"{'type':<15}{'scenarios':>10}{'candidates':>12}{'valid':>8}{'asked':>8}{'chosen':>8}"]
    for row in result.shortage.types:
        begun, written = (
            counts.get(row.question_type, 0) for counts in (result.funnel.scenarios, result.funnel.candidates)
        )
        lines.append(f"{row.question_type:<15}{begun:>10}{written:>12}{row.valid:>8}{row.quota:>8}{row.chosen:>8}")
    return lines


def _turned_away(result: Generated) -> list[str]:
    """Tell which rule turned away how many, with a bar each."""
    fallen = result.funnel.fallen
    most = max(fallen.values(), default=1)
    lines = [f"  {rule:<15}{number:>7} {'█' * round(24 * number / most)}".rstrip() for rule, number in fallen.items()]
    return (
        [f"candidates turned away, by rule (each is in {result.folder / 'rejected.jsonl'}):", *lines] if lines else []
    )


def _sample(result: Generated) -> list[str]:
    """Show a few questions with their answers and documents."""
    items = result.golden.sample(min(_SAMPLE, len(result.golden)))
    lines = [f"{len(items)} of the {len(result.golden)} questions:"] if len(items) else []
    for item in items:
        spans = [group[0] for group in item.evidence] or list(item.hard_negatives[:1])
        documents = ", ".join(sorted({_shown(span.doc) for span in spans}))
        lines.append(f"  [{item.question_type}/{item.subtype}, {item.difficulty}] {item.question}")
        lines.append(f"      {item.golden_answers[0] if item.golden_answers else '(no answer)'}   ({documents})")
    return lines


def _shortage(result: Generated) -> list[str]:
    """Say which types the set is short of, and where in the funnel their candidates were lost."""
    shortage = result.shortage
    if not shortage.short:
        return []
    if shortage.missing:
        head = f"{shortage.missing} of {shortage.n} questions are missing: the documents hold no more that pass"
    else:
        head = "of some types there were too few, so others have taken their places"
    return [f"{head}:", *(f"  {line}" for line in shortage.lines(result.funnel.rejected))]


def _usage(result: Generated) -> list[str]:
    """Say what the language model was asked, by stage."""
    return [spent(result.usage)] if result.usage else []


def _skipped(result: Generated) -> list[str]:
    """Name the files that were not read, the first ten of them."""
    lines = [f"  {_shown(skipped.path)}: {skipped.reason}" for skipped in result.skipped[:_NAMED]]
    if len(result.skipped) > _NAMED:
        lines.append(f"  and {len(result.skipped) - _NAMED} more, named in {result.folder / 'manifest.json'}")
    return [f"{_many(len(result.skipped), 'file')} not read:", *lines] if lines else []


def _shown(path: str) -> str:
    return path if path.isprintable() else repr(path)


def _many(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
