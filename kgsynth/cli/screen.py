"""Print on the terminal, with control characters of documents, questions, file names and replies as symbols."""

from __future__ import annotations

import click

from kgsynth.show.visible import visible, visible_json


def echo(text: str, *, err: bool = False, as_json: bool = False) -> None:
    """Print ``text``, with control characters as symbols; in JSON as escapes, so that the data is the same.

    Example:
        >>> echo("a\\x1b[2J")
        a␛[2J
    """
    click.echo(visible_json(text) if as_json else visible(text), err=err)
