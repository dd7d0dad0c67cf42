"""The closed word classes and patterns of Chinese (``language/zh.toml``)."""

from __future__ import annotations

from pathlib import Path

from kgsynth.language.lexicon import Lexicon

CHINESE = Lexicon(Path(__file__).parents[1] / "zh.toml")
WORDS, PATTERNS = CHINESE.words, CHINESE.patterns
