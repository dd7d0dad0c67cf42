"""What several commands declare their options with."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, TypeVar

import click

from kgsynth.base.choices import CHUNKING

Command = TypeVar("Command", bound=Callable[..., Any])

PATH = click.Path(path_type=Path)
"""The type of an option that takes a path."""


class ReportFolder(click.Path):
    """A folder for a report; a run of ``generate`` has one of its own, which would be replaced."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the path; fail if it is a run of ``generate``."""
        from kgsynth.base.run_folder.folder import is_generate_run

        folder = Path(value)
        if is_generate_run(folder):
            name = ctx.info_name if ctx else "report"
            self.fail(
                f"{folder} is a run of generate, whose report would be replaced; give {folder / str(name)}", param, ctx
            )
        return folder


REPORT_FOLDER = ReportFolder(path_type=Path)
"""The type of an option that takes the folder of a report."""

JSON_OPTION = click.option(
    "--json", "as_json", is_flag=True, help="Print the result as one JSON document; everything else goes to stderr."
)

CHUNKING_OPTION = click.option(
    "--chunking",
    metavar="STRATEGY[:SIZE:OVERLAP]",
    help=f"How documents are split into chunks, with sizes in words: {', '.join(CHUNKING)} (default: recursive:200:0).",
)

EMBEDDING_OPTION = click.option(
    "--embedding-model", help="The name or folder of the embedding model (default: by the languages of the documents)."
)

MAP_OPTION = click.option(
    "--map",
    "mapping",
    help="The columns of a table, such as question=Frage,answer=Antwort,contexts=Kontext,doc=Datei. For nested "
    "JSON, give JMESPath expressions.",
)
"""The option that assigns the columns of a set of another tool."""


def with_options(command: Command, options: Iterable[Callable[[Command], Command]]) -> Command:
    """Return the command with these options, which ``--help`` lists in this order."""
    for option in reversed([*options]):
        command = option(command)
    return command


def key_of(param: click.Parameter) -> str:
    """Return the name of an option in settings files and groups: its long name, with _ for -.

    Example:
        >>> key_of(click.Option(["-q", "--no-history"])), key_of(click.Option(["-k", "cuts"]))
        ('no_history', 'k')
    """
    return max(param.opts, key=len).lstrip("-").replace("-", "_")
