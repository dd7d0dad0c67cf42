"""Is a golden answer given to what the question asks about, or to something else beside it?

"The Skua 2 stores 64,000" does not answer a question about the Skua 3, nor does "64,000 in the Skua 2, 32,000 in the
Skua 3". In doubt it does: a name in the evidence is no other subject, and an answer need not repeat the question. Left
out: subjects that have no name, unless another value is beside them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from kgsynth.base.quantity import Quantity
from kgsynth.base.thresholds import LIMITS
from kgsynth.language import Language, nearest_language
from kgsynth.language.lengths import length_in_words
from kgsynth.language.words import CJK, between, words
from kgsynth.scoring.metrics.factual_overlap import content_words

_SENTENCE_END = re.compile(r"[;；。！？\n]|[.!?](?=\s)")
_NUMBERED = re.compile(rf"([A-Z][\w-]*|[{CJK}]{{2,4}})\s?(\d+)(?![\d.,:%])")
"""A name that differs from others by a number: "Skua 3", 田讯3号."""


def gives_another(answer: str, question: str, golden: Sequence[str], evidence: Sequence[str], code: str = "en") -> bool:
    """Check whether an answer gives every golden answer in it to something else than the question asks about.

    Example:
        >>> asked, right = "How many readings does the Skua 3 store?", ["64,000"]
        >>> gives_another("The Skua 2 stores 64,000 readings.", asked, right, [])
        True
        >>> gives_another("64,000 for the Skua 2, and 32,000 for the Skua 3.", asked, right, [])
        True
        >>> gives_another("64,000 for the Skua 3, and 32,000 for the Skua 2.", asked, right, [])
        False
    """
    own = nearest_language(code)
    golden = [text for text in golden if length_in_words(text) <= 2 * LIMITS.alternative_words]
    places = [place for text in golden for place in own.value_places(answer, text, question)]
    others = [(a, b) for a, b in _others(answer, golden, question, own) if not any(a < d and c < b for c, d in places)]
    parts = _parts(answer, places, others, own)
    mine = [(start, end) for start, end in parts if any(start <= at < end for at, _ in places)]
    if not mine:
        return False
    beside = [(a, b) for a, b in parts if (a, b) not in mine and any(a <= at < b for at, _ in others)]
    known = {*words(" ".join([question, *golden, *evidence]))}
    kind = {
        *content_words(" ".join(golden), code),
        *(each.unit for text in golden for *_, each in own.stated_quantities(text)),
    }
    return all(
        _names_another(answer, answer[start:end], question, known, own)
        or any(_fits_better(answer[a:b], answer[start:end], question, kind, code) for a, b in beside)
        for start, end in mine
    )


def _others(answer: str, golden: Sequence[str], question: str, own: Language) -> list[tuple[int, int]]:
    """Return where an answer has values of the kind of the golden answers, or if these are names, names."""
    wanted = {_kind(found) for text in golden for *_, found in own.stated_quantities(text)}
    if not wanted:
        known = {*words(" ".join([question, *golden]))}
        return [
            (start, end) for start, end in own.name_places(answer) if not known.issuperset(words(answer[start:end]))
        ]
    if any(dimension.startswith("count:") for dimension, _ in wanted):
        wanted.add(("count:", ""))
    return [(start, end) for start, end, found in own.stated_quantities(answer) if _kind(found) in wanted]


def _parts(
    answer: str, places: Sequence[tuple[int, int]], others: Sequence[tuple[int, int]], own: Language
) -> list[tuple[int, int]]:
    """Return the parts of an answer: its sentences, cut between several values in one, and before another name."""
    names = {(start, start) for start, end in own.name_places(answer) if (start, end) in others}
    values = sorted({start for start, _ in (*others, *places)})
    ends = [match.span() for match in _SENTENCE_END.finditer(answer)]
    cuts = [0]
    for start, end in sorted({*ends, *names, *own.cuts(answer)}):
        between = any(cuts[-1] <= at < start for at in values) and any(at >= end for at in values)
        if ((start, end) in ends or between) and not any(a <= start < b for a, b in places):
            cuts.append(end)
    return list(zip(cuts, [*cuts[1:], len(answer)], strict=True))


def _kind(stated: Quantity) -> tuple[str, str]:
    """Return the dimension of a quantity without what it is per, and of a date its unit: a year is no other day."""
    dimension = stated.dimension.split("/")[0]
    return dimension, stated.unit if dimension == "date" else ""


def _names_another(answer: str, part: str, question: str, known: set[str], own: Language) -> bool:
    """Check whether a part of an answer has a name in place of the one that the question asks about."""
    for name, number in _NUMBERED.findall(question):
        said = {found for head, found in _NUMBERED.findall(part) if head.endswith(name) or name.endswith(head)}
        if said and number not in said:
            return True
    asked = _names(question, own)
    if not asked or asked & set(words(answer)):
        return False
    shared = set(own.content_stems(question)) & set(own.content_stems(part))
    bare = " ".join(between(part, [(start, end) for start, end, _ in own.stated_quantities(part)]))
    return bool(_names(bare, own) - known) and any(stem not in asked for stem in shared)


def _names(text: str, own: Language) -> set[str]:
    """Return the words of a text with a capital, except titles and ordinary words that open a sentence."""
    bare = (token.strip("\"'“”‘’(),;:.!?") for token in text.split())
    tokens = [token for token in bare if own.bare_name(f"{token} X") != "X"]
    named = {
        word
        for at, token in enumerate(tokens)
        if token[:1].isupper() and (at or not own.is_common_word(token.lower())) and own.content_stems(token)
        for word in words(token)
    }
    return {name.removesuffix("'s") for name in named}


def _fits_better(other: str, mine: str, question: str, kind: set[str], code: str) -> bool:
    """Check whether a part with another value has words of the question that the one with the golden answer lacks.

    The words for the ``kind`` of what is asked for ("year") do not count.
    """
    own = nearest_language(code)
    named = _names(question, own)
    if named & set(words(other)) and not named & set(words(mine)) and _names(mine, own):
        return True
    asked = {*content_words(question, code), *re.findall(r"\d+", question)} - kind
    has = [asked & {*content_words(text, code), *re.findall(r"\d+", text)} for text in (other, mine)]
    classes = own.word_classes(other)
    if has[1] and (classes["pronouns"] or classes["subordinators"]):
        has[0] |= has[1]  # "Ada sits on the board, but it is chaired by Eve"
    return bool(has[0] - has[1]) and not has[1] - has[0]
