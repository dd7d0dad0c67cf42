"""Compare an answer with the members of a golden answer that is a list, or with its steps."""

from __future__ import annotations

import re
from collections.abc import Sequence

from kgsynth.base.thresholds import LIMITS
from kgsynth.golden.answer_members import answer_members
from kgsynth.language import nearest_language
from kgsynth.language.words import between, words
from kgsynth.scoring.metrics.factual_overlap import content_words, names_and_numbers

_SENTENCE_ENDS = re.compile(r"[.!?](?=\s)|[。！？\n]")
_LIST_LEAD = re.compile(r"^.*[:：]")
_PIECE_ENDS = re.compile(r"[\n,;:，；：、]|[.!?](?=\s)|[。！？]")


def member_recall(answer: str, golden: Sequence[str], code: str = "en") -> float:
    """Return the share of the members of a golden answer that are in the answer, with the best golden answer.

    A member is in the answer if most of its content words are, in any order.

    Example:
        >>> member_recall("You need a passport and two recent photos.", ["a passport; two photos; the fee"])
        0.6666666666666666
    """
    present = set(content_words(answer, code)) | set(words(answer))
    return max((_share(answer_members(each), present, code) for each in golden), default=0.0)


def _share(members: Sequence[str], present: set[str], code: str) -> float:
    found = 0
    for member in members:
        wanted = set(content_words(member, code) or words(member))
        found += bool(wanted) and len(wanted & present) >= LIMITS.member_found_share * len(wanted)
    return found / len(members) if members else 0.0


def has_members(answer: str, golden: str, code: str = "en") -> bool:
    """Check whether an answer has every member of a golden answer, with its numbers.

    Example:
        >>> [has_members(f"Bring {n} photos and a passport.", "a passport; two photos") for n in ("two", "three")]
        [True, False]
    """
    numbers = names_and_numbers(answer, code).numbers
    wanted = [number for member in answer_members(golden) for number in names_and_numbers(member, code).numbers]
    return member_recall(answer, [golden], code) == 1 and all(
        any(number.matches(each) for number in numbers) for each in wanted
    )


def adds_member(answer: str, members: Sequence[str], sources: Sequence[str], code: str = "en") -> bool:
    """Check whether an answer lists something among the members of a golden answer that is in no source.

    Example:
        >>> [adds_member(f"red, {more} and blue", ["red", "blue"], ["red; blue"]) for more in ("green", "which fades")]
        [True, False]
        >>> adds_member("red and blue, for example", ["red", "blue"], ["red; blue"])
        False
    """
    own = nearest_language(code)
    known = {stem for text in sources for stem in (*content_words(text, code), *words(text))}
    wanted = [set(content_words(member, code)) for member in members]
    for sentence in _SENTENCE_ENDS.split(answer):
        pieces = [_LIST_LEAD.sub("", piece) for piece in between(sentence, own.cuts(sentence))]
        stems = [set(content_words(piece, code)) for piece in pieces]
        listed = [any(each and each <= said for each in wanted) for said in stems]
        if sum(listed) < min(2, len(members)):
            continue
        size = max(map(len, wanted)) + 1
        for piece, said, member in list(zip(pieces, stems, listed, strict=True))[listed.index(True) :]:
            unknown = not member and 0 < len(said) <= size and not said <= known
            if unknown and not own.is_detail(piece.strip()):
                return True
    return False


def in_order(answer: str, golden: str, code: str = "en") -> bool:
    """Check whether the steps of a golden answer can be read in the answer in their order.

    Each step is looked for in the clause with most of its words; with several such clauses, in the first one that is
    not before the step before it.

    Example:
        >>> [in_order(text, "1. Stop the pump. 2. Rinse the filter.") for text in (
        ...     "Stop the pump, then rinse the filter.", "Rinse the filter, then stop the pump.")]
        [True, False]
    """
    pieces = [{*content_words(piece, code), *words(piece)} for piece in _PIECE_ENDS.split(answer)]
    at = 0
    for member in answer_members(golden):
        wanted = set(content_words(member, code) or words(member))
        shared = [len(wanted & piece) for piece in pieces]
        later = [place for place in range(at, len(pieces)) if shared[place] == max(shared)]
        if not later:
            return False
        at = later[0]
    return True
