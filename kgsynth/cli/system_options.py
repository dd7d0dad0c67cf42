"""The options of ``score`` that say which system is scored, and how it is called."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from kgsynth.base.choices import BUNDLED, EXEC_PREFIX, URL_PREFIXES
from kgsynth.cli.options import CHUNKING_OPTION, EMBEDDING_OPTION, PATH, with_options
from kgsynth.cli.settings import is_from_file

SYSTEM_OPTIONS = {
    "target": click.option(
        "--rag",
        "target",
        required=True,
        help="The system: bm25, dense, hybrid, FILE.py:FUNCTION, http://HOST/PATH, exec:COMMAND, a file of answers, or "
        "a language model: naive:MODEL, sequential:MODEL, conditional:MODEL.",
    ),
    "config": click.option(
        "--rag-config",
        "config",
        type=PATH,
        help="http and exec: a TOML file with how to send a question and where the reply contains the answer.",
    ),
    "reranker": click.option(
        "--reranker",
        metavar="FILE.py:FUNCTION",
        help="A function of the question and the passages that returns the passages in a new order.",
    ),
    "retriever": click.option(
        "--retriever",
        type=click.Choice(BUNDLED),
        help="sequential and conditional: the retriever (default: hybrid).",
    ),
    "prompt": click.option(
        "--prompt",
        type=PATH,
        help="Language models: a file with your own prompt, with ${question} and ${passages}.",
    ),
    "chunking": CHUNKING_OPTION,
    "top": click.option(
        "--top", default=10, type=click.IntRange(1), help="Bundled retrievers: how many passages to retrieve."
    ),
    "embedding_model": EMBEDDING_OPTION,
}
"""Parameter of ``open_system`` -> the option that sets it."""


def system_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add these options to a command."""
    return with_options(command, SYSTEM_OPTIONS.values())


def complete_system(options: dict[str, Any]) -> dict[str, Any]:
    """Return the arguments of ``open_system``: these options, with the defaults of those that were not given.

    ``[score.rag_config]`` of kgsynth.toml is only for the systems that need it.
    """
    if is_from_file("config") and not options["target"].startswith((*URL_PREFIXES, EXEC_PREFIX)):
        options["config"] = None
    strategy, *sizes = (options["chunking"] or "recursive").split(":")
    options["chunking"] = ":".join([strategy, *(sizes or ("200", "0"))])
    options["embedding_model"] = options["embedding_model"] or "auto"
    return options
