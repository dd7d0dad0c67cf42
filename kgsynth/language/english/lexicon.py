"""The closed word classes and patterns of English (``language/en.toml``), and the labels of its parser."""

from __future__ import annotations

from pathlib import Path

from kgsynth.language.lexicon import Lexicon

ENGLISH = Lexicon(Path(__file__).parents[1] / "en.toml")
WORDS, PATTERNS = ENGLISH.words, ENGLISH.patterns

TIME_LABELS = frozenset({"DATE", "TIME"})
PLACE_LABELS = frozenset({"GPE", "LOC", "FAC"})
NUMBER_LABELS = frozenset({"CARDINAL", "MONEY", "PERCENT", "QUANTITY"})
NAME_LABELS = frozenset({"PERSON", "ORG", "GPE", "LOC", "FAC", "PRODUCT", "EVENT", "WORK_OF_ART", "LAW", "NORP"})
