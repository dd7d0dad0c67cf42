"""``kgsynth estimate``: what a language model would cost."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import click

from kgsynth.base.config import Config
from kgsynth.cli.generate import generate_options
from kgsynth.cli.llm_options import LLM_OPTIONS, llm_settings, usage_summary
from kgsynth.cli.options import PATH
from kgsynth.cli.progress import stage
from kgsynth.cli.screen import echo


@click.command()
@click.argument("docs", type=PATH)
@click.option("-o", "--out", type=PATH, help="Keep the work here, for generate to resume.")
@generate_options
def command(
    docs: Path, out: Path | None, config_file: Path | None, avoid: tuple[Path, ...], quiet: bool, **given: Any
) -> None:
    """Estimate what generate with --llm would cost for the documents in DOCS.

    Prints calls, tokens and, with prices in --llm-config, the cost. The language model is not called. Requests that
    have to be repeated are not included. The options are those of generate; with -o, generate can resume in the same
    folder.

    \b
    kgsynth estimate docs --llm gpt-4o-mini -n 200 --llm-config prices.toml
    """
    from kgsynth.generation.estimate import estimate

    llm = {name: given.pop(name) for name in LLM_OPTIONS}
    config = Config.load(config_file, avoid=avoid or None, **given)
    settings = llm_settings(config.llm, **llm)
    found = estimate(docs, config=config, llm_settings=settings, out=out, progress=partial(stage, quiet=quiet))
    echo(f"Estimate for {found.questions} questions: {usage_summary(found.usage)}")
    echo("The language model was not called; repeated requests would cost more.")
    for name in found.over:
        echo(f"--{name.replace('_', '-')} is too low: generate would stop there, and resume with a higher cap.")
