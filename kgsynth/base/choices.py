"""The names and forms that options accept, and the name of the settings file, in a module that needs no library."""

from __future__ import annotations

from typing import Literal, get_args

from kgsynth.base.errors import ConfigError

Chunking = Literal["fixed", "sentence", "recursive", "semantic"]
CHUNKING: tuple[str, ...] = get_args(Chunking)
"""The names of the chunking strategies."""

Difficulty = Literal["easy", "natural", "hard"]
DIFFICULTY: tuple[str, ...] = get_args(Difficulty)
"""How much selection prefers questions on which systems differ."""


def split_chunking(text: str) -> tuple[str, tuple[int, int] | None]:
    """Return the strategy of ``STRATEGY`` or ``STRATEGY:SIZE:OVERLAP``, and the two sizes if they are given.

    Raises:
        ConfigError: it has another form.

    Example:
        >>> split_chunking("recursive:200:0"), split_chunking("fixed")
        (('recursive', (200, 0)), ('fixed', None))
    """
    strategy, *sizes = text.split(":")
    if sizes and (len(sizes) != 2 or not all(size.isascii() and size.isdigit() for size in sizes)):
        raise ConfigError(f"--chunking {text!r} is not strategy:size:overlap, such as recursive:200:0")
    return strategy, (int(sizes[0]), int(sizes[1])) if sizes else None


LANGUAGE_PACKAGES = {"en": "english", "zh": "chinese"}
"""Language code -> the name of its packages in ``kgsynth.language`` and ``kgsynth.generation.writing``."""

DEFAULT_LANGUAGE = "en"
"""The language by whose rules and weights a text in a language without its own is read."""

LANGUAGE_CHOICES = ("auto", *LANGUAGE_PACKAGES)
"""The languages of documents; auto detects the language of each document."""

SETTINGS_FILE = "kgsynth.toml"
"""The name of the settings file that is read from the working folder."""

BUNDLED = ("bm25", "dense", "hybrid")
"""The systems that are bundled retrievers."""

URL_PREFIXES, EXEC_PREFIX, MCP_PREFIX = ("http://", "https://"), "exec:", "mcp:"
CONFIGURED = (*URL_PREFIXES, EXEC_PREFIX, MCP_PREFIX)
"""The prefixes of systems that --rag-config applies to."""

PROFILE_NAMES = ("comprehensive", "focused", "rapid", "continuous")
"""The names of the profiles of ``score``, the widest first."""

EXPORT_CHOICES = (
    *("ragas", "deepeval", "promptfoo", "llamaindex", "mlflow", "langsmith", "phoenix", "langfuse", "opik"),
    *("beir", "trec", "squad", "hf", "csv", "xlsx", "parquet"),
)
"""The formats that ``export`` writes."""
