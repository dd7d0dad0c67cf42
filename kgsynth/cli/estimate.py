"""``kgsynth estimate``: what a language model would cost."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from kgsynth.cli.command import Command
from kgsynth.cli.generate import GENERATE_GROUPS, generate_options, read_config
from kgsynth.cli.llm_options import LLM_OPTIONS, llm_settings, usage_summary
from kgsynth.cli.options import PATH
from kgsynth.cli.output import result, stage

_NO_PRICES = (
    "For the cost, set price_in and price_out (per million tokens) under [llm] in kgsynth.toml, or in a file given "
    "with --llm-config."
)


@click.command(
    cls=Command, groups=GENERATE_GROUPS | {"Running": "spacy_model embedding_model processes engine"}, has_config=True
)
@click.argument("docs", type=PATH)
@click.option("-o", "--out", type=PATH, help="Keep intermediate results here, from which generate can resume.")
@generate_options
def command(docs: Path, out: Path | None, as_json: bool, **given: Any) -> None:
    """Estimate what generate with --llm would cost for the documents in DOCS.

    Prints calls, tokens and, with prices in --llm-config, the cost. The language model is not called. Requests that
    have to be repeated are not included. It takes the options of generate; with -o, generate can resume in the same
    folder.

    \b
    kgsynth estimate docs --llm gpt-4o-mini -n 200 --llm-config prices.toml
    """
    from kgsynth.generation.estimate import estimate

    llm = {name: given.pop(name) for name in LLM_OPTIONS}
    config = read_config("estimate", **given)
    settings = llm_settings(config.llm, **llm)
    found = estimate(docs, config=config, llm_settings=settings, out=out, progress=stage)
    lines = [
        f"Estimate for {found.questions} questions: {usage_summary(found.usage)}",
        "If its first replies show a weaker model, fewer calls are made or shorter ones: "
        + ", ".join(f"{name} way {used.calls:,} calls, {used.tokens:,} tokens" for name, used in found.ways.items())
        + ".",
        *([] if found.cost else [_NO_PRICES]),
        "The language model was not called; repeated requests would cost more.",
    ]
    over = [f"--{name.replace('_', '-')}" for name in found.over]
    lines += [f"{name} is too low: generate would stop there, and resume with a higher cap." for name in over]
    result("\n".join(lines), asdict(found), as_json)
