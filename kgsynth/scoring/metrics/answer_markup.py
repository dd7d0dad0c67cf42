"""Remove what a system adds to an answer for display: Markdown and citation marks."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache, lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

_CITATION = re.compile(r"\s*(?:\[\^?\d+(?:\s*[,;–-]\s*\d+)*\]|【[^】]*】)")
_NOT_MARKUP = re.compile(r"^[^\[\]()*_`#>~|【<\\&+.-]*$")


def answer_forms(answer: str) -> tuple[str, ...]:
    """Return an answer as given and, if that differs, without Markdown and citations such as "[1]" or "【4†source】".

    Both are compared with the golden answer, since what looks like markup may be part of it, as in ``list[0]``.

    Example:
        >>> answer_forms("It is in [GitHub](https://github.com) [1].")
        ('It is in [GitHub](https://github.com) [1].', 'It is in GitHub.')
        >>> answer_forms("Paris")
        ('Paris',)
    """
    plain = without_markup(answer)
    return (answer,) if plain == answer else (answer, plain)


@lru_cache(maxsize=1 << 12)
def without_markup(text: str) -> str:
    """Return a text as a person sees it: link texts without targets, no emphasis, code marks, headings and citations.

    Example:
        >>> without_markup("**Yes**, with `--gate` [2, 3]:")
        'Yes, with --gate:'
    """
    if _NOT_MARKUP.match(text):
        return text
    blocks = _markdown().parse(_CITATION.sub("", text))
    return "\n".join(filter(None, (_shown(token.children or [token]) for token in blocks if token.content)))


def _shown(tokens: Iterable[Token]) -> str:
    return "".join("\n" if token.type in ("softbreak", "hardbreak") else token.content for token in tokens).strip("\n")


@cache
def _markdown() -> MarkdownIt:
    from markdown_it import MarkdownIt

    return MarkdownIt("commonmark", {"html": False}).enable("table").enable("strikethrough")
