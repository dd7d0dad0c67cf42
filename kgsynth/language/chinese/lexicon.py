"""The closed word classes and patterns of Chinese (``language/zh.toml``)."""

from __future__ import annotations

from kgsynth.language.lexicon import Lexicon

CHINESE = Lexicon("zh")
WORDS, PATTERNS = CHINESE.words, CHINESE.patterns
