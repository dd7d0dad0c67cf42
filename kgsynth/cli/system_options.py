"""The options of ``score`` that say which system is scored, and how it is called."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import click

from kgsynth.cli.options import with_options
from kgsynth.scoring.systems import BUNDLED

CALLING = {
    "target": click.option(
        "--rag",
        "target",
        required=True,
        help="The system: bm25, dense, hybrid, FILE.py:FUNCTION, http://HOST/PATH, exec:COMMAND, ANSWERS.jsonl, or a "
        "language model: naive:MODEL, sequential:MODEL, conditional:MODEL.",
    ),
    "config": click.option(
        "--rag-config",
        "config",
        type=click.Path(path_type=Path),
        help="http and exec: a TOML file that says how to ask and where in a reply things stand.",
    ),
    "reranker": click.option(
        "--reranker",
        metavar="FILE.py:FUNCTION",
        help="Put the passages in another order: a function of the question and the passages.",
    ),
    "retriever": click.option(
        "--retriever",
        type=click.Choice(BUNDLED),
        help="sequential and conditional: what finds the passages (hybrid).",
    ),
    "prompt": click.option(
        "--prompt",
        type=click.Path(path_type=Path),
        help="Language models: a file with a prompt of your own, with ${question} and ${passages}.",
    ),
    "chunking": click.option(
        "--chunking", default="recursive:200:0", help="Bundled retrievers: STRATEGY:SIZE:OVERLAP, in words."
    ),
    "top": click.option(
        "--top", default=10, type=click.IntRange(1), help="Bundled retrievers: how many passages to retrieve."
    ),
    "embedding_model": click.option(
        "--embedding-model", default="all-MiniLM-L6-v2", help="The model of dense, hybrid and --semantic."
    ),
}
"""Each option by the parameter of ``open_system`` that it sets."""


def calling_options(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command the options of this file."""
    return with_options(command, CALLING.values())
