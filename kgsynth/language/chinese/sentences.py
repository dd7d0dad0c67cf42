"""Sentences and clauses of Chinese text, by their marks; what stands in quotes or brackets is not cut.

Left out: sentences without a mark at their end, as in chats.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

_HALVES = dict(zip("（(「『“‘《【[〔", "）)」』”’》】]〕", strict=True))
_QUOTE_ENDS = "”」』’"
_FULL_STOPS = re.compile(r"[。！？!?；;]+|…{2,}(?=\s|$)|(?<=[\u3400-\u9fff」』”）)])\.(?=\s|$)")
_COMMAS = re.compile(r"[，：]|,(?!\d)|:(?=\s|[\u3400-\u9fff])|——")
_NO_START = re.compile(r"[，、。；：,;:的]")
_SPEECH = re.compile(r"[：:，,说道问答]\s*$")


def sentences(text: str) -> Iterator[tuple[int, int]]:
    """Yield where the sentences of a text begin and end, with their marks.

    Example:
        >>> text = "他说：“好。”然后（走！）了。真的？是；不是"
        >>> [text[start:end] for start, end in sentences(text)]
        ['他说：“好。”', '然后（走！）了。', '真的？', '是；', '不是']
    """
    inside, start = _inside(text), 0
    for match in _FULL_STOPS.finditer(text):
        end = match.end()
        if end < len(text) and text[end] in _QUOTE_ENDS and _is_speech(text, end):
            end += 1
        elif match.start() in inside:
            continue
        if end > start:
            yield _trimmed(text, start, end)
        start = end
    if text[start:].strip():
        yield _trimmed(text, start, len(text))


def clauses(text: str) -> list[tuple[int, int]]:
    """Return where the parts of a sentence between its commas and colons begin and end, without marks.

    Example:
        >>> text = "如果下雨，（风大，则停）水泵会停，共 1,200 台。"
        >>> [text[start:end] for start, end in clauses(text)]
        ['如果下雨', '（风大，则停）水泵会停', '共 1,200 台']
    """
    inside, last = _inside(text), len(text.rstrip("。！？!?；;.… \n”」』"))
    if last and any(mark in text[last:] for mark in _QUOTE_ENDS):
        last = max(last, max(text.rfind(mark) for mark in _QUOTE_ENDS) + 1)
    found, start = [], 0
    for match in [*_COMMAS.finditer(text, 0, last), None]:
        if match is not None and match.start() in inside:
            continue
        end = match.start() if match is not None else last
        if text[start:end].strip():
            found.append(_trimmed(text, start, end))
        start = match.end() if match is not None else end
    return found


def _is_speech(text: str, quote: int) -> bool:
    """Check whether the quotation that ends at a place is what somebody says, so that the sentence ends with it."""
    opening = max((text.rfind(mark, 0, quote) for mark, end in _HALVES.items() if end == text[quote]), default=-1)
    follows = quote + 1 == len(text) or not _NO_START.match(text[quote + 1])
    return follows and (quote + 1 == len(text) or bool(_SPEECH.search(text[: max(opening, 0)])))


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    """Return the span without the blanks at its ends."""
    bare = text[start:end]
    return start + len(bare) - len(bare.lstrip()), end - len(bare) + len(bare.rstrip())


def _inside(text: str) -> frozenset[int]:
    """Return the places inside quotes and brackets that have both halves."""
    found: set[int] = set()
    opened: list[tuple[str, int]] = []
    for place, char in enumerate(text):
        if char in _HALVES:
            opened.append((_HALVES[char], place))
        else:
            match = next((n for n in range(len(opened) - 1, -1, -1) if opened[n][0] == char), -1)
            if match >= 0:
                found.update(range(opened[match][1], place + 1))
                del opened[match:]
    return frozenset(found)
