"""Is a golden answer given to what the question asks about, or to something else beside it?

"The Skua 2 stores 64,000" does not answer a question about the Skua 3, nor does "64,000 in the Skua 2, 32,000 in the
Skua 3". In doubt it does: a name in the evidence is no other subject, and an answer need not repeat the question. Left
out: subjects that have no name, unless another value is beside them.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

from kgsynth.base.quantity import Quantity
from kgsynth.base.thresholds import LIMITS
from kgsynth.language import Language, nearest_language
from kgsynth.language.lengths import length_in_words
from kgsynth.language.words import CJK, between, words
from kgsynth.scoring.metrics.factual_overlap import content_words

_BRACKETS = re.compile(r"[(（][^()（）]*[)）]")
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
    kind = _kind_words(golden, own, code)
    return all(
        _names_another(answer, answer[start:end], question, known, own)
        or any(_fits_better(answer[a:b], answer[start:end], question, kind, code) for a, b in beside)
        for start, end in mine
    )


def states_another(
    answer: str, question: str, golden: Sequence[str], evidence: Sequence[str], code: str = "en"
) -> bool:
    """Check whether an answer states another thing of the kind of a short golden answer: a name, number or date.

    One that the evidence has too is excused, unless it is named before the golden answer and after it in the evidence.
    Any other is excused if only the part with the golden answer has words of the question, or if it is in brackets.

    Example:
        >>> asked, right, source = "Who is the chief?", ["Ada Low"], ["Ada Low is the chief, Bo Hill is her deputy."]
        >>> [states_another(text, asked, right, source) for text in (
        ...     "Ada Low; her deputy is Bo Hill.", "Bo Hill; Ada Low is his deputy.", "Ada Low and Cy Roe")]
        [False, True, True]
    """
    own = nearest_language(code)
    golden = [text for text in golden if length_in_words(text) <= LIMITS.alternative_words]
    answer = _BRACKETS.sub(lambda found: " " * len(found[0]), answer)
    places = [place for text in golden for place in own.value_places(answer, text, question)]
    if not places:
        return False
    others = _rivals(answer, golden, question, own)
    others = [(a, b) for a, b in others if not any(a < d and c < b for c, d in places)]
    parts = _parts(answer, places, others, own)
    kind = _kind_words(golden, own, code)
    first = min(start for start, _ in places)
    mine = [answer[start:end] for start, end in parts if any(start <= at < end for at, _ in places)]
    for at, to in others:
        known = {text: min(found) for text in evidence if (found := _places_of(answer[at:to], text, own))}
        shown = {
            text: start for text in known for each in golden for start, _ in own.value_places(text, each, question)
        }
        if at < first and any(start < known[text] for text, start in shown.items()):
            return True
        part = next(answer[start:end] for start, end in parts if start <= at < end)
        asked = [_asked_words(text, question, kind, code) for text in (part, *mine)]
        if (at < first and not asked[0]) or not (known or any(asked[0] < each for each in asked[1:])):
            return True
    return False


def _rivals(answer: str, golden: Sequence[str], question: str, own: Language) -> list[tuple[int, int]]:
    """Return where an answer has other things of the kind of the golden answers, none of them in the question."""
    values = [found for text in golden for *_, found in own.stated_quantities(text)]
    if not values:
        return _others(answer, golden, question, own) if any(map(own.name_places, golden)) else []
    asked = [found for *_, found in own.stated_quantities(question)]
    return [
        (start, end)
        for start, end, found in own.stated_quantities(answer)
        if any(_kind(found) == _kind(each) and found.dimension != "count:" for each in values)
        and not any(_is_near(found, each) for each in (*values, *asked))
    ]


def _is_near(found: Quantity, other: Quantity) -> bool:
    """Check whether two values of one kind are the same, or one is rounded because it was converted."""
    rounding = 1e-9 if found.unit == other.unit else LIMITS.conversion_rounding
    return _kind(found) == _kind(other) and math.isclose(found.value, other.value, rel_tol=rounding)


def _places_of(stated: str, text: str, own: Language) -> list[int]:
    """Return where a text has a value or a name."""
    if found := next(iter(own.stated_quantities(stated)), None):
        return [start for start, _, each in own.stated_quantities(text) if _is_near(found[2], each)]
    at = text.find(own.bare_name(stated))
    return [at] if at >= 0 else []


def _kind_words(golden: Sequence[str], own: Language, code: str) -> set[str]:
    units = (each.unit for text in golden for *_, each in own.stated_quantities(text))
    return {*content_words(" ".join(golden), code), *units}


def _asked_words(text: str, question: str, kind: set[str], code: str) -> set[str]:
    """Return the words and numbers of a question that a text has, without those for the kind of what is asked for."""
    asked = {*content_words(question, code), *re.findall(r"\d+", question)} - kind
    return asked & {*content_words(text, code), *re.findall(r"\d+", text)}


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
    has = [_asked_words(text, question, kind, code) for text in (other, mine)]
    classes = own.word_classes(other)
    if has[1] and (classes["pronouns"] or classes["subordinators"]):
        has[0] |= has[1]  # "Ada sits on the board, but it is chaired by Eve"
    return bool(has[0] - has[1]) and not has[1] - has[0]
