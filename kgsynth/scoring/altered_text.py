"""Check what a passage that was found only nearly in a document has changed of it: figures, and words of an answer.

Nine tenths of the letters may agree and the one word that matters be another. So of the part of a piece of evidence
that is in such a passage, every figure, and every word of the golden answer, must be in the same place of the passage.
Letter case, accents, white space, hyphens at line ends and the commas of thousands make no difference.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from kgsynth.base.records import Span
from kgsynth.documents.text_index import MIN_SIMILARITY, Place, letters_with_origins
from kgsynth.language.words import CJK

_TOKEN = re.compile(
    rf"(?<![^\W_])[-−]?\d+(?:[.,:]\d+)*(?![^\W_{CJK}])|(?<=[{CJK}])\d+(?:[.,:]\d+)*|[{CJK}]|[^\W_{CJK}]+"
)
_MARKUP_TARGET = re.compile(r"(?<=\])\([^()\n]*\)|<[^<>\n]+>")  # of a link or tag, which a text without markup lacks
_THOUSANDS = re.compile(r",(?=\d{3}(?!\d))")
_TOKENS_KEPT = 500  # texts whose tokens are kept: those of the passages of the last questions


class _Token(NamedTuple):
    """A word or figure, folded, and its offsets."""

    text: str
    start: int
    end: int


def fits(source: str, text: str) -> bool:
    """Check whether the text of a document is in that of a passage, which may have a title in front, or resembles it.

    Example:
        >>> fits("Ada **leads** it.", "Team: Ada leads it."), fits("Ada leads it, and more.", "Ada leads it.")
        (True, False)
    """
    from rapidfuzz.distance import Indel

    if "".join(source.split()) == "".join(text.split()):
        return True
    wanted, found = letters_with_origins(source)[0], letters_with_origins(text)[0]
    if not wanted:
        return False
    return wanted in found or Indel.normalized_similarity(wanted, found, score_cutoff=MIN_SIMILARITY) > 0


def alters(document: str, places: Sequence[Place], passage: str, span: Span, answers: Iterable[str]) -> bool:
    """Check whether a passage has other figures, or other words of ``answers``, than the evidence it seems to hold.

    ``places`` are where in the text of the document of ``span`` the passage was found, nearly or in pieces. Only the
    part of the span that they reach is compared, and what lies beside a piece for as long as the passage goes on.

    Example:
        >>> page, span = "Ada leads the team of 12 people.", Span("a.md", 0, 32, "")
        >>> said = ("Ada leads the team of 12 poeple.", "Ada leads the team of 21 people.")
        >>> [alters(page, [Place("a.md", 0, 32)], text, span, ["12"]) for text in said]
        [False, True]
    """
    ranges = [(place.start, len(document) if place.end is None else place.end) for place in places]
    slack = max(0, len(passage) - sum(end - start for start, end in ranges))
    low = max(span.start, min(start for start, _ in ranges) - slack)
    high = min(span.end, max(end for _, end in ranges) + slack)
    words = {token.text for answer in answers for token in _tokens(answer)}
    start = max(0, min(low, *(start for start, _ in ranges)))
    tokens = _tokens(document[start : max(high, *(end for _, end in ranges))])
    needed = [
        (token.start + start, token.end + start)
        for token in tokens
        if (_is_figure(token.text) or token.text in words) and low <= token.start + start and token.end + start <= high
    ]
    kept = [part for one in ranges for part in _unchanged(document, one, passage)] if needed else []
    return not all(any(a <= begin and end <= b for a, b in kept) for begin, end in needed)


def alters_figures(document: str, place: Place, passage: str, span: Span) -> bool:
    """Check whether a passage with the same letters and digits as a place has other figures in a span: 15 for 1.5.

    Example:
        >>> page, span = "It lasts 1.5 years.", Span("a.md", 0, 19, "")
        >>> [alters_figures(page, Place("a.md", 0, 19), f"It lasts {n} years.", span) for n in ("1.5", "15")]
        [False, True]
    """
    end = len(document) if place.end is None else place.end
    source = document[place.start : end]
    if "".join(source.split()) == "".join(passage.split()):
        return False
    low, high = span.start - place.start, span.end - place.start
    return any(
        _letters(gap) == _letters(other)
        and any(_is_figure(token.text) and low <= token.start and token.end <= high for token in gap)
        for gap, other in _gaps(_tokens(source), _tokens(passage))
        if _joined(gap) != _joined(other)
    )


def _unchanged(document: str, place: tuple[int, int], passage: str) -> Iterator[tuple[int, int]]:
    """Yield the parts of a place whose words and figures the passage has in the same order."""
    source = document[slice(*place)]
    found = letters_with_origins(passage)[0]
    if any((wanted := letters_with_origins(text)[0]) and wanted in found for text in (source, _bare(source))):
        yield place
        return
    tokens = _tokens(source)
    changed = [gap for gap, other in _gaps(tokens, _tokens(passage)) if _joined(gap) != _joined(other)]
    edges = [0, *(edge for gap in changed if gap for edge in (gap[0].start, gap[-1].end)), len(source)]
    yield from ((place[0] + a, place[0] + b) for a, b in [*pairwise(edges)][::2])


def _gaps(one: Sequence[_Token], other: Sequence[_Token]) -> Iterator[tuple[Sequence[_Token], Sequence[_Token]]]:
    """Yield the tokens of both texts between those that they have in common."""
    from rapidfuzz.distance import Indel

    at = (0, 0)
    codes = Indel.opcodes([token.text for token in one], [token.text for token in other])
    same = [(c.src_start, c.src_end, c.dest_start, c.dest_end) for c in codes if c.tag == "equal"]
    for first, last, begin, end in [*same, (len(one), len(one), len(other), len(other))]:
        if (first, begin) != at:
            yield one[at[0] : first], other[at[1] : begin]
        at = (last, end)


def _joined(tokens: Collection[_Token]) -> str:
    return "".join(token.text for token in tokens)


def _letters(tokens: Collection[_Token]) -> str:
    return "".join(letter for letter in _joined(tokens) if letter.isalnum())


def _is_figure(token: str) -> bool:
    return any(letter.isdigit() for letter in token)


def _bare(text: str) -> str:
    return _MARKUP_TARGET.sub(lambda match: " " * len(match[0]), text)


@lru_cache(maxsize=_TOKENS_KEPT)
def _tokens(text: str) -> tuple[_Token, ...]:
    """Return the words and figures of a text without the targets of its links and tags.

    Example:
        >>> [token.text for token in _tokens("The [Skua](b-3.md) costs −1,200.5 €.")]
        ['the', 'skua', 'costs', '-1200.5']
    """
    return tuple(_Token(_folded(match[0]), *match.span()) for match in _TOKEN.finditer(_bare(text)))


def _folded(token: str) -> str:
    plain = unicodedata.normalize("NFKD", token).casefold().replace("−", "-")
    return _THOUSANDS.sub("", "".join(letter for letter in plain if unicodedata.category(letter) != "Mn"))
