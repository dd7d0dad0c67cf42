"""``kgsynth graph``: the knowledge graph as GraphML and as a page; the work is in ``kgsynth.explore``."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import click

from kgsynth.base.config import LANGUAGES, Config
from kgsynth.cli.progress import stage


@click.command()
@click.argument("source", type=click.Path(path_type=Path), metavar="DOCS_OR_RUN")
@click.option(
    "-o", "--out", type=click.Path(path_type=Path), help="Where to write; by default the run, or outputs/NAME-graph."
)
@click.option("--language", type=click.Choice(LANGUAGES), help="The language of the documents (default: found out).")
@click.option("--config", "config_file", type=click.Path(path_type=Path), help="A kgsynth.toml with settings.")
@click.option("--fresh", is_flag=True, help="Of documents: start over in the folder of -o.")
@click.option("-q", "--quiet", is_flag=True, help="Print the result only.")
def command(
    source: Path, out: Path | None, language: str | None, config_file: Path | None, fresh: bool, quiet: bool
) -> None:
    """Show the knowledge graph of DOCS_OR_RUN: a run folder of generate, or a folder of documents.

    Writes graph.graphml, for Gephi, Cytoscape or networkx, and graph.html, a page to search and walk the graph in; of a
    run it shows the path of every question. Of documents the graph is built as generate builds it, and generate can go
    on from there.

    \b
    kgsynth graph outputs/demo
    kgsynth graph docs -o outputs/docs-graph
    """
    from kgsynth.generation.explore import GRAPHML, PAGE, explore

    config = Config.load(config_file, language=language)
    found = explore(source, out, config=config, fresh=fresh, progress=partial(stage, quiet=quiet))
    click.echo("\n".join(found.health))
    drawn = "" if found.drawn == found.nodes else f", which draws {found.drawn:,} of the nodes"
    click.echo(f"\n{found.nodes:,} nodes and {found.edges:,} edges: {found.folder / GRAPHML}")
    click.echo(f"page: {found.folder / PAGE}{drawn}")
