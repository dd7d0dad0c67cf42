"""``kgsynth graph``: the knowledge graph as GraphML, and its health."""

from __future__ import annotations

from pathlib import Path

import click

from kgsynth.base.choices import LANGUAGE_CHOICES
from kgsynth.cli.command import Command
from kgsynth.cli.folder_options import folder_options, shortened, skipped_lines
from kgsynth.cli.options import JSON_OPTION, PATH
from kgsynth.cli.output import note, result, stage, wrote
from kgsynth.cli.settings import settings_path


@click.command(cls=Command, has_config=True)
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
@folder_options
@click.option("--fresh", is_flag=True, help="Start over: use nothing that an earlier run wrote to the folder.")
@JSON_OPTION
def command(
    source: Path,
    out: Path | None,
    language: str | None,
    include: tuple[str, ...],
    exclude: tuple[str, ...],
    fresh: bool,
    as_json: bool,
) -> None:
    """Show the knowledge graph of DOCS_OR_RUN, a folder of documents or a run folder of generate.

    Writes graph.graphml, for Gephi, Cytoscape or networkx, and reports the health of the graph. Given
    documents, it builds the same graph as generate does, and generate can continue in the same folder.

    \b
    kgsynth graph outputs/demo
    kgsynth graph docs -o outputs/docs-graph
    """
    from kgsynth.base.config import Config
    from kgsynth.generation.explore import GRAPHML, explore

    config = Config.load(
        settings_path(), command="graph", language=language, include=include or None, exclude=exclude or None
    )
    found = explore(source, out, config=config, fresh=fresh, progress=stage)
    for line in (*skipped_lines(found.skipped), *shortened(found.remarks)):
        note(line)
    counts = {"nodes": found.nodes, "edges": found.edges, "health": list(found.health)}
    file = str(found.folder / GRAPHML)
    result("\n".join(found.health), counts | {"graphml": file}, as_json)
    wrote(f"{found.nodes:,} nodes and {found.edges:,} edges: {file}")
