"""The closed word classes and patterns of a language, read from its TOML file."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

_REFERENCE = re.compile(r"\{([a-z]\w*)\}")


class Patterns(dict[str, re.Pattern[str]]):
    """Name -> pattern, compiled when it is first asked for; letter case does not count outside of ``(?-i:...)``."""

    def __init__(self, sources: dict[str, str]) -> None:
        super().__init__()
        self.sources = sources

    def __missing__(self, name: str) -> re.Pattern[str]:
        self[name] = self.compiled(self.sources[name])
        return self[name]

    def compiled(self, source: str) -> re.Pattern[str]:
        """Return a pattern in which ``{name}`` stands for another one, or for any word of a class."""
        while _REFERENCE.search(source):
            source = _REFERENCE.sub(lambda match: self.sources[match[1]], source)
        return re.compile(source, re.I)


class Lexicon:
    """What a TOML file says of a language.

    ``[words]`` has the classes, each as one text or as a list if its members have spaces. ``[patterns]`` has regular
    expressions; their lines are joined without the line breaks.
    """

    def __init__(self, code: str) -> None:
        data = tomllib.loads(Path(__file__).with_name(f"{code}.toml").read_text(encoding="utf-8"))
        self.words = {
            name: frozenset(found.split() if isinstance(found, str) else found) for name, found in data["words"].items()
        }
        longest_first = {name: sorted(words, key=lambda word: (-len(word), word)) for name, words in self.words.items()}
        classes = {name: f"(?:{'|'.join(map(re.escape, words))})" for name, words in longest_first.items()}
        self.patterns = Patterns(classes | {name: text.replace("\n", "") for name, text in data["patterns"].items()})
