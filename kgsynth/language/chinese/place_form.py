"""Where something is: X位于, 坐落于, 设在 + a place, to the end of the clause."""

from __future__ import annotations

import re
from collections.abc import Iterator

from kgsynth.base.vocabulary import Flag, Role
from kgsynth.language.chinese.stated import Part, Split, Stated
from kgsynth.language.chinese.subjects import points_out, subject_of

_LIES = re.compile(r"(?P<verb>(?:主要|就|均|都)?(?:位于|坐落[于在]|地处|设[于在]))\s?(?P<place>[^，,]{2,30})$")


def place_facts(split: Split) -> Iterator[Stated]:
    """Yield where the subject of a sentence is.

    Example:
        >>> text = "标定实验室位于二号楼。"
        >>> [text[p.start : p.end] for fact in place_facts(Split(text, ((0, 10),))) for p in fact.parts]
        ['标定实验室', '二号楼']
    """
    for start, end in split.clauses[:1]:
        text = split.text[start:end]
        subject = subject_of(text, split.known)
        match = _LIES.match(text, subject.predicate) if subject else None
        if subject is None or match is None or Flag.LOOSE in subject.flags or points_out(text):
            continue
        if re.search(r"\d年|[^方国省市县]的$|之间$|并", match["place"]) or match["place"].endswith("的"):
            continue
        yield Stated(
            (
                Part(Role.SUBJECT, start, start + subject.end, subject.flags),
                Part(Role.PLACE, start + match.start("place"), end, frozenset({Flag.NOMINAL}), label="GPE"),
            ),
            match["verb"],
            start + match.start("verb"),
        )
