"""Which passages an answer cites, and where: by marks with their numbers, or in ``Answer.citations``.

Marks are read only if the reply has no citations of its own. They number the retrieved passages from 1 and belong to
the sentence before them; at the start of a line, to the sentence after them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from kgsynth.base.records import Answer, Citation, Claim, Passage
from kgsynth.scoring.metrics.answer_markup import citation_marks, without_markup
from kgsynth.scoring.metrics.claims import statement_spans

_FIRST_TAG = 0xF0000  # a private character, which no answer has and Markdown leaves alone
_BEFORE_WORDS = re.compile(r"[\s*_~`#>+-]*(?:\d{1,9}[.)]\s+)?[\s*_~`]*")
_AFTER_WORDS = " \t\r\n*_~`"


class CitedStatement(NamedTuple):
    """A sentence of an answer, without markup, and the passages that it cites."""

    text: str
    passages: tuple[Passage, ...]


def citations_of(answer: Answer) -> tuple[Citation, ...]:
    """Return the citations of an answer, or the marks in it as citations.

    Example:
        >>> citations_of(Answer("q", "Blue [2].", (Passage(text="red"), Passage(text="blue"))))
        (Citation(passages=(1,), start=3, end=4),)
    """
    text = answer.answer or ""
    if answer.citations:
        return answer.citations
    found: list[Citation] = []
    reached = -1
    for mark in citation_marks(text):
        follows = mark.start == reached  # as in "[1][2]": it cites for the same text
        start, end = (found[-1].start, found[-1].end) if follows else _cited_character(text, mark.start, mark.end)
        found.append(Citation(tuple(number - 1 for number in mark.numbers), start, end))
        reached = mark.end
    return tuple(found)


def cited_passages(answer: Answer) -> tuple[Passage, ...]:
    """Return the retrieved passages that an answer cites, in the order of their rank.

    Example:
        >>> cited_passages(Answer("q", "Blue [2].", (Passage(text="red"), Passage(text="blue"))))[0].text
        'blue'
    """
    return _passages(answer, citations_of(answer))


def cited_count(answer: Answer) -> int:
    """Return how many different passages an answer cites, with numbers and ids that no retrieved passage has.

    Example:
        >>> cited_count(Answer("q", "Blue [2, 7].", (Passage(text="red"), Passage(text="blue"))))
        2
    """
    return len(_references(answer, citations_of(answer)))


def cited_statements(answer: Answer) -> list[CitedStatement] | None:
    """Return the sentences of an answer with what each cites; None if that cannot be seen for its Markdown.

    Example:
        >>> passages = (Passage(text="red"), Passage(text="blue"))
        >>> [(said, cited) for said, cited in cited_statements(Answer("q", "It is blue. [2] Or not.", passages))]
        ... # doctest: +ELLIPSIS
        [('It is blue.', (Passage(... text='blue', ...),)), ('Or not.', ())]
    """
    text, citations = answer.answer or "", citations_of(answer)
    tagged = text
    for offset, tag in sorted(_tags(text, citations), reverse=True):
        tagged = f"{tagged[:offset]}{tag}{tagged[offset:]}"
    letters: list[str] = []
    offsets: dict[int, int] = {}
    for letter in without_markup(tagged):
        number = ord(letter) - _FIRST_TAG
        if 0 <= number < 2 * len(citations):
            offsets[number] = len(letters)
        else:
            letters.append(letter)
    plain = "".join(letters)
    if plain != without_markup(text):
        return None
    found = []
    for start, end in statement_spans(plain):
        here = [
            citation
            for at, citation in enumerate(citations)
            if citation.start is None or _overlaps(offsets, at, start, end)
        ]
        found.append(CitedStatement(plain[start:end], _passages(answer, here)))
    return found


def supported_share(
    stated: Sequence[Sequence[str]], cited_groups: Sequence[frozenset[int]], claims: Iterable[Claim]
) -> float | None:
    """Return the share of the sentences that state a claim whose citations cover all evidence groups of that claim.

    ``stated`` are the claims that each sentence states, ``cited_groups`` the groups that its passages cover. None if no
    sentence states a claim.

    Example:
        >>> claims = [Claim("A canoe costs 18 euros.", (0,)), Claim("Life jackets are free.", (1,))]
        >>> supported_share([["A canoe costs 18 euros."], ["Life jackets are free."], []], [{0}, {0}, {1}], claims)
        0.5
    """
    groups: dict[str, set[int]] = {}
    for claim in claims:
        groups.setdefault(claim.text, set()).update(claim.groups)
    wanted = [set[int]().union(*(groups[text] for text in texts)) for texts in stated]
    supported = [needed <= cited for needed, cited in zip(wanted, cited_groups, strict=True) if needed]
    return sum(supported) / len(supported) if supported else None


def _cited_character(text: str, start: int, end: int) -> tuple[int, int]:
    """Return the offsets of the last character that the mark from ``start`` to ``end`` cites, or the first after it."""
    leads = not text[:start].strip() or "\n" in text[start:end]
    if leads and text[end:].partition("\n")[0].strip():
        first = _after_list_mark(text, end)
        return first, first + 1
    return max(0, start - 1), start


def _overlaps(offsets: Mapping[int, int], at: int, start: int, end: int) -> bool:
    """Check whether the citation ``at`` cites something for the sentence from ``start`` to ``end``."""
    last = offsets.get(2 * at + 1, 0)
    return max(start, offsets.get(2 * at, last - 1)) < min(end, last)


def _after_list_mark(text: str, at: int) -> int:
    match = _BEFORE_WORDS.match(text, at)
    return match.end() if match else at


def _tags(text: str, citations: Sequence[Citation]) -> list[tuple[int, str]]:
    """Return private characters for the start and the end of each citation, with their offsets in the answer.

    A single character has only one for its end. They stand beside words, inside emphasis and list marks, so that these
    stay markup.
    """
    tags = []
    for at, citation in enumerate(citations):
        if citation.start is not None and citation.end is not None:
            first, last = _after_list_mark(text, citation.start), len(text[: citation.end].rstrip(_AFTER_WORDS))
            tags += [(first, chr(_FIRST_TAG + 2 * at))] if first < last - 1 else []
            tags.append((last, chr(_FIRST_TAG + 2 * at + 1)))
    return tags


def _references(answer: Answer, citations: Iterable[Citation]) -> list[int | str]:
    """Return what citations cite, each once: positions in the list of passages where there is such a passage."""
    known: dict[int | str, int] = {}
    for at, passage in enumerate(answer.retrieved):
        known[at] = at
        if passage.id is not None:
            known.setdefault(passage.id, at)
    return list(dict.fromkeys(known.get(each, each) for citation in citations for each in citation.passages))


def _passages(answer: Answer, citations: Iterable[Citation]) -> tuple[Passage, ...]:
    places = [each for each in _references(answer, citations) if isinstance(each, int)]
    return tuple(answer.retrieved[at] for at in sorted(places) if 0 <= at < len(answer.retrieved))
