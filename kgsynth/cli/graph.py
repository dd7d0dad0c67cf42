"""``kgsynth graph``: the knowledge graph as GraphML and as a page."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import click

from kgsynth.base.config import LANGUAGE_CHOICES, Config
from kgsynth.cli.options import PATH
from kgsynth.cli.progress import stage
from kgsynth.cli.screen import echo


@click.command()
@click.argument("source", type=PATH, metavar="DOCS_OR_RUN")
@click.option(
    "-o",
    "--out",
    type=PATH,
    help="The folder to write to (default: the run, or outputs/NAME-graph).",
)
@click.option(
    "--language", type=click.Choice(LANGUAGE_CHOICES), help="The language of the documents (default: detected)."
)
@click.option("--config", "config_file", type=PATH, help="A kgsynth.toml with settings.")
@click.option("--fresh", is_flag=True, help="With documents: start over in the folder of -o.")
@click.option("-q", "--quiet", is_flag=True, help="Show no progress.")
def command(
    source: Path, out: Path | None, language: str | None, config_file: Path | None, fresh: bool, quiet: bool
) -> None:
    """Show the knowledge graph of DOCS_OR_RUN, a folder of documents or a run folder of generate.

    Writes graph.graphml, for Gephi, Cytoscape or networkx, and graph.html, a page to search and explore the graph. For
    a run, the page shows the path of every question. Given documents, it builds the same graph as generate does, and
    generate can continue in the same folder.

    \b
    kgsynth graph outputs/demo
    kgsynth graph docs -o outputs/docs-graph
    """
    from kgsynth.generation.explore import GRAPHML, PAGE, explore

    config = Config.load(config_file, language=language)
    found = explore(source, out, config=config, fresh=fresh, progress=partial(stage, quiet=quiet))
    echo("\n".join(found.health))
    drawn = "" if found.drawn == found.nodes else f", which shows {found.drawn:,} of the nodes"
    echo(f"\n{found.nodes:,} nodes and {found.edges:,} edges: {found.folder / GRAPHML}")
    echo(f"page: {found.folder / PAGE}{drawn}")
