"""The answers that lists and descriptions give: each as short as a person would say it."""

from __future__ import annotations

import re

from kgsynth.base.records import StructureFact
from kgsynth.base.thresholds import LIMITS
from kgsynth.base.vocabulary import StructureKind
from kgsynth.golden.answer_members import joined_members
from kgsynth.language.lengths import length_in_words
from kgsynth.language.sentence_ends import sentence_spans
from kgsynth.language.text_words import ANY

_MEMBER_HEAD = re.compile(r"^(?P<head>[^:：.–—]{2,60}?)\s*(?:[:：–—]|\s-{1,2}\s|\.\s)\s*(?P<rest>\S.*)$")


def short_members(fact: StructureFact) -> tuple[str, ...]:
    """Return the members of a list: their heads ("Monitoring: checks …") if they are long and all have one.

    A long member without a head is cut to its first sentence. The steps of a task are never cut.

    Example:
        >>> from kgsynth.base.records import Excerpt
        >>> parts = [Excerpt(f"{head}: {'word ' * 25}", 0, 9) for head in ("Fast", "Safe")]
        >>> fact = StructureFact("t-1", StructureKind.MEMBER, "a.md", 0, Excerpt("Aims", 0, 4), tuple(parts))
        >>> short_members(fact)
        ('Fast', 'Safe')
    """
    texts = [value.text for value in fact.values]
    if fact.kind == StructureKind.PROCEDURE:
        return tuple(texts)
    if sum(map(length_in_words, texts)) > LIMITS.list_brief_words:
        heads = [match["head"] for text in texts if (match := _MEMBER_HEAD.match(text))]
        if len(heads) == len(texts) and all(length_in_words(head) <= LIMITS.member_head_words for head in heads):
            return tuple(heads)
        texts = [_first_sentence(text) for text in texts]
    return tuple(ANY.patterns["loose_end"].sub("", text) for text in texts)


def said_in_short(fact: StructureFact) -> str:
    """Return the members of a list as an answer: each in short, parted by semicolons; numbered if they are steps."""
    return joined_members(short_members(fact), steps=fact.kind == StructureKind.PROCEDURE)


def said(fact: StructureFact) -> str:
    """Return what the layout of a document says in a fact: its value, its members, or its passage."""
    texts = [value.text for value in fact.values]
    if len(texts) == 1:
        return texts[0]
    if fact.kind == StructureKind.PROCEDURE:
        return " ".join(f"{number}. {text}" for number, text in enumerate(texts, 1))
    return ("; " if any(len(text.split()) > 3 for text in texts) else ", ").join(text.rstrip(".;,") for text in texts)


def opening(fact: StructureFact) -> str:
    """Return the first sentence of what is said of a term, without "Stands for", or two if the first one is very short.

    Example:
        >>> from kgsynth.base.records import Excerpt
        >>> text = "The least number of cups that is sold. Others wait."
        >>> term, detail = Excerpt("min", 0, 3), Excerpt(text, 4, 54)
        >>> opening(StructureFact("t-1", StructureKind.DEFINITION, "a.md", 0, term, (detail,)))
        'The least number of cups that is sold.'
    """
    text = said(fact)
    ends = [end for _, end in sentence_spans(text)]
    end = next((end for end in ends if length_in_words(text[:end]) >= LIMITS.opening_min_words), len(text))
    if ANY.patterns["written_out"].match(text):
        end = ends[0]
    return ANY.patterns["written_out"].sub("", text[:end].strip(), count=1)


def _first_sentence(text: str) -> str:
    start, end = next(iter(sentence_spans(text)), (0, len(text)))
    return text[start:end] if length_in_words(text) > LIMITS.member_max_words else text
