"""The sentences of a text in any language, without a parser: for quotes, passages and the checks of answers."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

_CAPITALS = "A-Z" + "".join(letter for letter in map(chr, range(0xC0, 0x590)) if letter.isupper())  # to Armenian
_CASELESS = "\u0590-\u10ff"  # Hebrew to Georgian
_SENTENCE_END = re.compile(
    rf"(?<=[.!?])[\"'”’)\]]*\s+(?=[\"'“‘(\[]?[{_CAPITALS}{_CASELESS}0-9`*_])|(?<=[。！？])[”’」』）]*\s*"
    r"|(?<=[।؟۔])\s*|\n\s*\n"
)
_ABBREVIATION = re.compile(r"(?:\b(?:Mr|Mrs|Ms|Dr|Prof|St|vs|etc|e\.g|i\.e|cf|No|Fig|approx|Inc|Ltd|Co)|\b[A-Z])\.$")
_ABBREVIATION_LENGTH = len("approx.")  # the longest
_FILLED = re.compile(r"\S")


def sentence_spans(text: str) -> Iterator[tuple[int, int]]:
    """Yield the offsets of the sentences of ``text``, without the white space around them; an empty line ends one too.

    Example:
        >>> [("Dr. Lee came. He left."[a:b]) for a, b in sentence_spans("Dr. Lee came. He left.")]
        ['Dr. Lee came.', 'He left.']
    """
    start = 0
    for match in _SENTENCE_END.finditer(text):
        end = match.start()
        if _ABBREVIATION.search(text, max(start, end - _ABBREVIATION_LENGTH), end) or not _FILLED.search(
            text, start, end
        ):
            continue
        yield _trimmed(text, start, match.start() + len(match.group().rstrip()))
        start = match.end()
    if text[start:].strip():
        yield _trimmed(text, start, len(text))


def parts_with(answers: Sequence[str], text: str, cuts: Sequence[int]) -> Iterator[str]:
    """Yield the parts of a text that hold an answer, each from the last cut before it to the first cut after it.

    Example:
        >>> list(parts_with(["Ada"], "It rains, so Ada stays, as we do.", [9, 22]))
        [' so Ada stays']
    """
    edges = [0, *cuts, len(text)]
    for answer in filter(None, map(str.strip, answers)):
        for match in re.finditer(re.escape(answer), text, re.I):
            first = max(edge for edge in edges if edge <= match.start())
            yield text[first : min(edge for edge in edges if edge >= match.end())]


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    piece = text[start:end]
    return start + len(piece) - len(piece.lstrip()), end - (len(piece) - len(piece.rstrip()))
