"""Numbers and lists in the words of a page: "1,200 queries", "a, b and c"."""

from __future__ import annotations

from collections.abc import Sequence

from kgsynth.base.records import Turn

FEW = 5
"""Shares of fewer are grey on all pages: one more or less would change them much."""


def many(number: int, one: str, more: str = "") -> str:
    """Return a number with its noun in the singular or plural.

    Example:
        >>> many(1, "question"), many(1200, "query", "queries")
        ('1 question', '1,200 queries')
    """
    return f"{number:,} {one if number == 1 else more or one + 's'}"


def cut(text: str, max_chars: int) -> str:
    """Return a text on one line, shortened to ``max_chars`` characters.

    Example:
        >>> cut("one two  three", 8)
        'one two…'
    """
    line = " ".join(text.split())
    return line if len(line) <= max_chars else line[: max_chars - 1] + "…"


def with_history(question: str, history: Sequence[Turn]) -> str:
    """Return a question below the earlier turns of its conversation.

    Example:
        >>> with_history("And in York?", [Turn("Who leads the desk in Oslo?", "Ada.")])
        'Who leads the desk in Oslo? – Ada.\\nAnd in York?'
    """
    return "\n".join([*(f"{turn.question} – {turn.answer}" for turn in history), question])


def joined(parts: Sequence[str]) -> str:
    """Return the parts as a list in a sentence.

    Example:
        >>> joined(["a", "b", "c"])
        'a, b and c'
    """
    return " and ".join(filter(None, (", ".join(parts[:-1]), *parts[-1:])))
