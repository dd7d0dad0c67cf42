"""How a question is to sound: style, length and persona, drawn by the seed and the scene, and the user's own examples.

They do not depend on any order, so a run that resumes asks the same.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from kgsynth.base.config import Config
from kgsynth.base.errors import InputError
from kgsynth.base.json_reading import JsonError, parse_json
from kgsynth.generation.scenes.scene import Scene


class Style(NamedTuple):
    """A style: the instruction to the LLM, and whether it makes complete sentences, which are judged as such."""

    instruction: str
    sentence: bool = True


STYLES = {
    "natural": Style("plain and direct, the way people ask someone who knows"),
    "conversational": Style("as in a chat with a colleague, in the first person"),
    "formal": Style("formal, complete and precise"),
    "keyword": Style("as typed into a search box: key words only, no sentence and no question mark", sentence=False),
    "misspelt": Style("typed in haste, with one or two spelling mistakes, none in a name or figure", sentence=False),
}
"""Style -> what the LLM is asked for; ``Config.styles`` has the share of each."""

LENGTHS = {
    "short": "as short as it can be and still be understood",
    "medium": "one sentence of middling length",
    "long": "with a few words on the situation of the person who asks",
}
"""Length -> what the LLM is asked for; ``Config.lengths`` has the share of each."""

_NEXT_LENGTH = {"short": "medium"}  # a question about a case or several passages is not put in a few words
_SHORT_TYPES = frozenset({"simple", "unanswerable"})
_EXAMPLES_IN_PROMPT = 3


@dataclass(frozen=True, slots=True)
class Manner:
    """The style, length and persona of one question ("" for no persona), and some of the user's own questions."""

    style: str
    length: str
    persona: str
    examples: tuple[str, ...]


class Manners:
    """The styles, lengths, personas and examples of a run, from which those of each scene are drawn.

    Raises:
        InputError: a file of personas or examples is not UTF-8.
    """

    def __init__(self, config: Config) -> None:
        self._config = config
        self._personas = read_lines(config.personas)
        self._examples = read_lines(config.style_examples)

    def of(self, scene: Scene, title: str) -> Manner:
        """Return how the question of a scene is to sound; ``title`` is that of its document."""
        rng = random.Random(f"{self._config.seed}:{scene.id}")
        style, length = (_draw(shares, rng) for shares in (self._config.styles, self._config.lengths))
        length = length if scene.question_type in _SHORT_TYPES else _NEXT_LENGTH.get(length, length)
        if not STYLES[style].sentence:  # key words cannot put a case, nor what several passages have to do with it
            style, length = (style, "short") if scene.question_type in _SHORT_TYPES else ("natural", length)
        persona = rng.choice(self._personas).replace("{topic}", title) if self._personas else ""
        examples = rng.sample(self._examples, min(_EXAMPLES_IN_PROMPT, len(self._examples)))
        return Manner(style, length, persona, tuple(examples))


def read_lines(path: Path | None) -> Sequence[str]:
    """Return the non-empty lines of a file, or of JSON lines the value of ``question`` where there is one.

    Raises:
        InputError: the file is not UTF-8.
    """
    try:
        found = path.read_text(encoding="utf-8-sig").splitlines() if path else []
    except UnicodeDecodeError as error:
        raise InputError(f"{path} is not UTF-8 ({error.reason} at byte {error.start}): save it as UTF-8") from None
    return [_question(line.strip()) for line in found if line.strip()]


def _question(line: str) -> str:
    try:
        data = parse_json(line)
    except JsonError:
        return line
    return str(data["question"]) if isinstance(data, dict) and "question" in data else line


def _draw(shares: Mapping[str, float], rng: random.Random) -> str:
    names = sorted(shares)  # their order in the settings must not change a run
    return rng.choices(names, [shares[name] for name in names])[0]
