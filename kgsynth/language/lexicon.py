"""What is data about a language, from its TOML file: classes of words, patterns, and forms that ask questions.

A form is a row: a text that looks like ``pattern``, and for whose parts all ``needs`` hold, asks ``ask``. A part is a
named group of the pattern or something that the caller knows; ``{verb:base}`` is the part "verb" in the shape "base".
A need is a part and the tests that it must pass, or fail after "!": "things:last plural !vague". A test is a function
of the language, a class of words or a pattern. Without a test, a part must not be empty. A part of several texts
passes if all of them do. The first row that fits decides; a row may ask nothing, which keeps later ones from asking.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

_REFERENCE = re.compile(r"\{([a-z]\w*)\}")
_PART = re.compile(r"\{(\w+)(?::(\w+))?\}")

Shape = Callable[[str, frozenset[str]], str]
Parts = Mapping[str, str | Sequence[str]]


class Form(NamedTuple):
    """One row; it is tested with the arguments ``example`` and must then ask the question ``asks``."""

    pattern: re.Pattern[str]
    example: Mapping[str, Any]
    needs: Sequence[str] = ()
    ask: str = ""
    asks: str = ""


class Patterns(dict[str, re.Pattern[str]]):
    """Name -> pattern, compiled when it is first asked for; letter case does not count outside of ``(?-i:...)``."""

    def __init__(self, sources: Mapping[str, str]) -> None:
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
    """What a file says of a language.

    ``[words]`` has the classes, each as a list or as one text with its members, between commas if one of them has a
    space. ``[patterns]`` has regular expressions, in one or several lines. ``[[forms.KIND]]`` has the rows.
    """

    def __init__(self, file: Path) -> None:
        data = tomllib.loads(file.read_text(encoding="utf-8"))
        self.words = {name: frozenset(_members(found)) for name, found in data["words"].items()}
        longest_first = {name: sorted(words, key=lambda word: (-len(word), word)) for name, words in self.words.items()}
        classes = {name: f"(?:{'|'.join(map(re.escape, words))})" for name, words in longest_first.items()}
        self.patterns = Patterns(
            classes | {name: text.replace("\n", "") for name, text in data.get("patterns", {}).items()}
        )
        self._rows = data.get("forms", {})

    @cached_property
    def forms(self) -> dict[str, list[Form]]:
        """The rows of each kind."""
        return {
            kind: [Form(**row | {"pattern": self.patterns.compiled(row["pattern"].replace("\n", ""))}) for row in rows]
            for kind, rows in self._rows.items()
        }


def _members(found: str | list[str]) -> list[str]:
    if isinstance(found, list):
        return found
    return [member.strip() for member in found.split(",")] if "," in found else found.split()


class Asker:
    """The forms of a language with its tests and shapes: ``Asker(...)("heading", "Rotate a key")``.

    ``read`` returns a text as the patterns have it, character by character: in simplified characters.
    """

    def __init__(
        self,
        lexicon: Lexicon,
        tests: Mapping[str, Callable[[str], object]],
        shapes: Mapping[str, Shape],
        read: Callable[[str], str] = str,
    ) -> None:
        self.lexicon, self.tests, self.shapes, self.read = lexicon, tests, shapes, read

    def __call__(
        self, kind: str, text: str, names: frozenset[str] = frozenset(), /, **known: str | Sequence[str]
    ) -> str:
        """Return the question of the first row that fits a text, "" for none; words in ``names`` keep their case."""
        said = " ".join(text.split())
        read = self.read(said)
        for form in self.lexicon.forms[kind]:
            if match := form.pattern.fullmatch(read):
                parts = {"text": text, **known, **{name: said[slice(*match.span(name))] for name in match.groupdict()}}
                if all(self._holds(need, parts, names) for need in form.needs):
                    return self._written(form, parts, names)
        return ""

    def _written(self, form: Form, parts: Parts, names: frozenset[str]) -> str:
        asked = _PART.sub(lambda part: self._shaped(parts[part[1]], part[2], names), form.ask)
        return re.sub(r" \?$", "?", " ".join(asked.split()))

    def _holds(self, need: str, parts: Parts, names: frozenset[str]) -> bool:
        place, *tests = need.split()
        name, _, shape = place.lstrip("!").partition(":")
        part = parts[name]
        if not tests:
            return bool(part) != place.startswith("!")
        texts = [part] if isinstance(part, str) else part
        shown = [self._shaped(text, shape, names) for text in texts]
        return all(self._passes(text, test.lstrip("!")) != test.startswith("!") for text in shown for test in tests)

    def _shaped(self, part: str | Sequence[str], shape: str | None, names: frozenset[str]) -> str:
        text = part if isinstance(part, str) else ", ".join(part)
        return self.shapes[shape](text, names) if shape else text

    def _passes(self, text: str, test: str) -> bool:
        if test in self.tests:
            return bool(self.tests[test](text))
        if test in self.lexicon.words:
            return text.lower() in self.lexicon.words[test]
        return bool(self.lexicon.patterns[test].search(self.read(text)))
