"""Names that options offer, and that of the settings file, in a module that needs no library."""

from __future__ import annotations

from typing import Literal, get_args

Chunking = Literal["fixed", "sentence", "recursive", "semantic"]
CHUNKING: tuple[str, ...] = get_args(Chunking)
"""The names of the chunking strategies."""

Language = Literal["auto", "en"]
LANGUAGE_CHOICES: tuple[str, ...] = get_args(Language)
"""The languages of documents; auto detects the language of each document."""

SETTINGS_FILE = "kgsynth.toml"
"""The name of the settings file that is read from the working folder."""

BUNDLED = ("bm25", "dense", "hybrid")
"""The systems that are bundled retrievers."""

URL_PREFIXES, EXEC_PREFIX = ("http://", "https://"), "exec:"
"""The prefixes of systems that --rag-config applies to."""

PROFILE_NAMES = ("comprehensive", "focused", "rapid", "continuous")
"""The names of the profiles of ``score``, the widest first."""
