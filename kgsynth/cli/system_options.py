"""The options of ``score`` that say which system is scored, and how it is called."""

from __future__ import annotations

from collections.abc import Callable

import click

from kgsynth.cli.options import PATH, with_options
from kgsynth.scoring.systems import BUNDLED

SYSTEM_OPTIONS = {
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
        help="sequential and conditional: the retriever (default hybrid).",
    ),
    "prompt": click.option(
        "--prompt",
        type=PATH,
        help="Language models: a file with your own prompt, with ${question} and ${passages}.",
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
"""Parameter of ``open_system`` -> the option that sets it."""


def system_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add these options to a command."""
    return with_options(command, SYSTEM_OPTIONS.values())
