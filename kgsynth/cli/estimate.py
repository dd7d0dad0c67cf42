"""kgsynth estimate: what a language model would cost, without asking it."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import click

from kgsynth.base.config import Config
from kgsynth.cli.generate import generating_options
from kgsynth.cli.model_options import MODEL, settings, spent
from kgsynth.cli.progress import stage


@click.command()
@click.argument("docs", type=click.Path(path_type=Path))
@click.option("-o", "--out", type=click.Path(path_type=Path), help="Keep the work for generate to go on from.")
@generating_options
def command(
    docs: Path, out: Path | None, config_file: Path | None, avoid: tuple[Path, ...], quiet: bool, **given: Any
) -> None:
    """Say what generate with --llm would cost for the documents below DOCS.

    Calls, tokens and, with prices in --llm-config, money; no model is asked. Replies that have to be asked again come
    on top. Takes the options of generate; with -o the same folder can be given to generate, which then goes on.

    \b
    kgsynth estimate docs --llm gpt-4o-mini -n 200 --llm-config prices.toml
    """
    from kgsynth.generation.estimate import estimate

    reached = {name: given.pop(name) for name in MODEL}
    config = Config.load(config_file, avoid=avoid or None, **given)
    reaching = settings(config.llm, **reached)
    told = estimate(docs, config=config, reaching=reaching, out=out, progress=partial(stage, quiet=quiet))
    click.echo(f"for {told.questions} questions, {spent(told.usage)}")
    click.echo("estimated: no call was made, and replies that have to be asked again come on top")
    for name in told.over:
        click.echo(
            f"--{name.replace('_', '-')} does not allow it: generate would stop there, and go on when allowed more"
        )
