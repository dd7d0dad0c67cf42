"""Remove what a system adds to an answer for display: Markdown, HTML and citation marks."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache, lru_cache
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

_CITATION = re.compile(r"\s*(?:[\[［]\^?\d+(?:\s*[,;，；、–-]\s*\d+)*[\]］](?!\()|【[^】]*】)")
_CITED_RANGE = re.compile(r"(?<![\d†])(\d{1,4})(?!\d)(?:\s*[–-]\s*(\d{1,4})(?!\d))?")
_MOST_CITED = 100  # passages in one range; "[1990-2020]" is none
_LINKED_NUMBER = re.compile(r"\s*\[\^?\d+\]\([^()\s]*\)")
_INLINE_TAG = re.compile(r"</?(?:a|abbr|b|cite|code|em|i|mark|q|s|small|span|strong|sub|sup|u)(?:\s[^<>]*)?>", re.I)
_BLOCK_TAG = re.compile(
    r"</?(?:p|div|br|hr|ul|ol|li|dl|dt|dd|h[1-6]|table|thead|tbody|tr|th|td|pre|blockquote|section|article|html|body)"
    r"(?:\s[^<>]*)?/?>",
    re.I,
)
_NOT_MARKUP = re.compile(r"^[^\[\]()*_`#>~|【［<\\&+.-]*$")


def answer_forms(answer: str) -> tuple[str, ...]:
    """Return an answer as given and, if that differs, without markup and citations such as "[1]" or "【4†source】".

    Both are compared with the golden answer, since what looks like markup may be part of it, as in ``list[0]``. A
    number that is a link may be a citation or the answer, so a third form has no linked numbers.

    Example:
        >>> answer_forms("It is in [GitHub](https://github.com) [1].")
        ('It is in [GitHub](https://github.com) [1].', 'It is in GitHub.')
        >>> answer_forms("Paris")
        ('Paris',)
    """
    return tuple(dict.fromkeys((answer, without_markup(answer), without_markup(_LINKED_NUMBER.sub("", answer)))))


class CitationMark(NamedTuple):
    """A mark such as "[2]" in an answer, with the white space before it, and the numbers in it, ascending."""

    start: int
    end: int
    numbers: tuple[int, ...]


def citation_marks(answer: str) -> list[CitationMark]:
    """Return the marks with which an answer cites passages by their numbers.

    Example:
        >>> citation_marks("It is blue [2], and worn daily [1, 4-6].")
        [CitationMark(start=10, end=14, numbers=(2,)), CitationMark(start=30, end=39, numbers=(1, 4, 5, 6))]
        >>> citation_marks("蓝色的【3】。")
        [CitationMark(start=3, end=6, numbers=(3,))]
    """
    marks = []
    for mark in _CITATION.finditer(answer):
        found: set[int] = set()
        for piece in _CITED_RANGE.finditer(mark.group()):
            first, last = int(piece[1]), int(piece[2] or piece[1])
            found.update(range(first, min(last, first + _MOST_CITED) + 1))
        if found:
            marks.append(CitationMark(mark.start(), mark.end(), tuple(sorted(found))))
    return marks


@lru_cache(maxsize=1 << 12)
def without_markup(text: str) -> str:
    """Return a text as a person sees it: link texts without targets, no tags, emphasis, code marks and citations.

    Example:
        >>> without_markup("**Yes**, with `--gate` [2, 3]:")
        'Yes, with --gate:'
    """
    if _NOT_MARKUP.match(text):
        return text
    untagged = _BLOCK_TAG.sub("\n", _INLINE_TAG.sub("", text))
    blocks = _markdown().parse(_CITATION.sub("", untagged))
    return "\n".join(filter(None, (_shown(token.children or [token]) for token in blocks if token.content)))


def _shown(tokens: Iterable[Token]) -> str:
    return "".join("\n" if token.type in ("softbreak", "hardbreak") else token.content for token in tokens).strip("\n")


@cache
def _markdown() -> MarkdownIt:
    from markdown_it import MarkdownIt

    return MarkdownIt("commonmark", {"html": False}).enable("table").enable("strikethrough")
