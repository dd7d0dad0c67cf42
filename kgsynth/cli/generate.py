"""kgsynth generate: a folder of documents to a golden test set."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from kgsynth.cli.progress import stage
from kgsynth.config import CHUNKING, LANGUAGES, Config

if TYPE_CHECKING:
    from kgsynth.generate import Generated

_SAMPLE = 5


@click.command()
@click.argument("docs", type=click.Path(path_type=Path))
@click.option("-o", "--out", required=True, type=click.Path(path_type=Path), help="The run folder to write to.")
@click.option("-n", "n", type=int, help="How many questions to choose (default 100).")
@click.option(
    "--mix", help="Shares of the types, such as simple=0.4,reasoning=0.2,multi_context=0.25,conditional=0.15."
)
@click.option("--seed", type=int, help="Which of many equal choices is made (default 0).")
@click.option("--language", type=click.Choice(LANGUAGES), help="The language of the documents (default: found out).")
@click.option("--chunking", type=click.Choice(CHUNKING), help="How documents are cut into chunks (default recursive).")
@click.option("--chunk-size", type=int, help="Words in a chunk (default 200).")
@click.option("--chunk-overlap", type=int, help="Words that neighbouring chunks share (default 0).")
@click.option("--chunks", type=click.Path(path_type=Path), help="A JSONL file of your own chunks, used instead.")
@click.option("--avoid", multiple=True, type=click.Path(path_type=Path), help="An earlier golden set not to repeat.")
@click.option("--config", "config_file", type=click.Path(path_type=Path), help="A kgsynth.toml with these settings.")
@click.option("--spacy-model", help="Name or path of the spaCy model (default en_core_web_sm).")
@click.option("--embedding-model", help="Name or path of the embedding model (default all-MiniLM-L6-v2).")
@click.option("--processes", type=int, help="How many processes read and parse (default: one a core).")
@click.option("--fresh", is_flag=True, help="Start over: remove what kgsynth wrote to the run folder before.")
@click.option("-q", "--quiet", is_flag=True, help="Print the result only.")
def command(
    docs: Path, out: Path, config_file: Path | None, avoid: tuple[Path, ...], fresh: bool, quiet: bool, **given: object
) -> None:
    """Write a golden test set for the documents below DOCS.

    A run that was broken off goes on when the same command is given again.
    """
    from kgsynth.generate import generate

    config = Config.load(config_file, avoid=avoid or None, **given)
    result = generate(docs, out, config=config, fresh=fresh, progress=partial(stage, quiet=quiet))
    for line in _told(result, config):
        click.echo(line)


def _told(result: Generated, config: Config) -> list[str]:
    """Return the report: the funnel per type, what fell to which rule, what is missing, five questions."""
    lines = ["", f"{'type':<15}{'scenarios':>10}{'candidates':>12}{'valid':>8}{'asked':>8}{'chosen':>8}"]
    counts = {count.question_type: count for count in result.shortage.types}
    for kind in config.mix:
        row = (result.scenarios.get(kind, 0), result.candidates.get(kind, 0), result.valid.get(kind, 0))
        lines.append(f"{kind:<15}{row[0]:>10}{row[1]:>12}{row[2]:>8}{counts[kind].quota:>8}{counts[kind].chosen:>8}")
    lines += ["", "turned away by"]
    most = max(result.rejected.values(), default=1)
    for rule, number in sorted(result.rejected.items(), key=lambda pair: -pair[1]):
        lines.append(f"  {rule:<15}{number:>7} {'█' * round(24 * number / most)}")
    for skipped in result.skipped[:10]:
        lines.append(f"not read: {skipped.path} ({skipped.reason})")
    if len(result.skipped) > 10:
        lines.append(f"not read: {len(result.skipped) - 10} more, named in {result.folder / 'manifest.json'}")
    lines += ["", f"a sample of {len(result.golden)} questions from {result.documents} documents"]
    for item in result.golden.sample(min(_SAMPLE, len(result.golden))):
        lines.append(f"  [{item.question_type}/{item.subtype}, {item.difficulty}] {item.question}")
        lines.append(f"      {item.golden_answers[0]}   ({', '.join(sorted({g[0].doc for g in item.evidence}))})")
    lines += _shortage(result)
    lines += ["", f"wrote {result.folder / 'golden.jsonl'}"]
    return lines


def _shortage(result: Generated) -> list[str]:
    """Say what the set lacks, and where in the funnel it was lost."""
    lines = []
    for count in result.shortage.short:
        kind = count.question_type
        told = f"{result.scenarios.get(kind, 0)} scenarios gave {result.candidates.get(kind, 0)} candidates, {count.valid} valid"
        lines.append(f"short of {kind}: {count.quota} asked, {count.chosen} chosen ({told})")
    if result.shortage.missing:
        lines.append(f"{result.shortage.missing} fewer than asked for: the documents hold no more valid questions")
    return ["", *lines] if lines else []
